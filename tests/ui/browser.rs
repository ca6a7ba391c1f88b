//! The file browser on real folders, driven by mouse and keys. Folders are read as the app reads them, but at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use imgui::Key as UiKey;
use keypose::assets::import_options::words_of;
use keypose::assets::project::Project;
use keypose_app::app::files::listing;
use keypose_editor::editor::panels::window::browser::FileBrowser;
use keypose_editor::editor::panels::window::browser::preview::{FilePreview, Picture};
use keypose_editor::editor::session::browser::entry::{Entry, Listing};
use keypose_editor::editor::session::browser::kinds::FileKind;
use keypose_editor::editor::session::browser::{BrowserAction, Place, PlaceKind};
use keypose_editor::editor::session::preferences::Preferences;
use keypose_editor::editor::state::action::{FileAction, Origin};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};

use crate::driver::{Driver, UiEvent, arm, struck};

/// A browser over a temporary folder.
struct Browsing {
    driver: Driver,
    folder: PathBuf,
    /// The effects that are not about folders.
    effects: Vec<Effect>,
}

impl Drop for Browsing {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const FILES: [&str; 7] = [
    "knight.wad",
    "knight-old.wad",
    "models/tree.glb",
    "models/walk10.glb",
    "models/walk9.glb",
    "notes.txt",
    ".hidden.wad",
];

impl Browsing {
    fn new(name: &str, purpose: PathPurpose) -> Browsing {
        let folder = std::env::temp_dir().join(format!("keypose-browser-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for file in FILES {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let start = if purpose.is_save() { folder.join("untitled.wad") } else { folder.clone() };
        let driver = Driver::new(arm(), [1280.0, 800.0]);
        let mut browsing = Browsing { driver, folder, effects: Vec::new() };
        browsing.driver.dock.browse(FileBrowser::new(purpose, start));
        browsing.settle();
        browsing
    }

    /// Draws frames and reads the folders that were asked for, until four frames ask for nothing.
    fn settle(&mut self) {
        let mut quiet = 0;
        for _ in 0..20 {
            self.driver.frame();
            quiet += 1;
            for effect in std::mem::take(&mut self.driver.effects) {
                quiet = 0;
                match effect {
                    Effect::ListFolder(folder) => {
                        self.driver.update(BrowserAction::Listed(listing::list(&folder).into()));
                    }
                    Effect::MakeFolder(folder) => {
                        let done = listing::make_folder(&folder);
                        self.driver.update(BrowserAction::FolderMade(folder, done));
                    }
                    Effect::FindPlaces => {
                        let (name, path) = ("Home".to_owned(), self.folder.clone());
                        self.driver.update(BrowserAction::PlacesFound(vec![Place {
                            name,
                            path,
                            kind: PlaceKind::Home,
                        }]));
                    }
                    other => self.effects.push(other),
                }
            }
            if quiet == 4 {
                return;
            }
        }
        panic!("the browser asks without end");
    }

    fn key(&mut self, key: UiKey) {
        self.driver.key(key);
        self.settle();
    }

    fn text(&mut self, text: &str) {
        self.driver.text(text);
        self.settle();
    }

    fn click(&mut self, id: &str) {
        self.driver.click(id);
        self.settle();
    }

    fn with(&mut self, held: UiKey, key: UiKey) {
        self.driver.hold(held, true);
        self.driver.key(key);
        self.driver.hold(held, false);
        self.settle();
    }

    /// The shown files, from above.
    fn files(&self) -> Vec<String> {
        let ids = self.driver.ids();
        let mut files: Vec<_> =
            ids.iter().filter_map(|id| Some((self.driver.place(id).min[1], id.strip_prefix("file:")?))).collect();
        files.sort_by(|a, b| a.0.total_cmp(&b.0));
        files.into_iter().map(|(_, name)| name.to_owned()).collect()
    }

    fn is_open(&self) -> bool {
        self.driver.dock.browser.is_some()
    }

    fn is_in(&self, folder: &Path) -> bool {
        self.driver.dock.browser.as_ref().is_some_and(|browser| browser.is_in(folder))
    }

    fn path_text(&self) -> String {
        self.driver.dock.browser.as_ref().unwrap().path_text().to_owned()
    }

    /// Whether a text is shown that contains this.
    fn shows(&self, text: &str) -> bool {
        self.driver.ids().iter().any(|id| id.contains(text))
    }

    fn opened(&self) -> Option<&Path> {
        self.effects.iter().find_map(|effect| if let Effect::Open(path) = effect { Some(&**path) } else { None })
    }

    fn preferences(&self) -> &Preferences {
        &self.driver.editor.session.workspace.preferences
    }
}

#[test]
fn the_keyboard_alone_finds_and_opens_a_file() {
    let mut browsing = Browsing::new("keys", PathPurpose::Open);
    assert_eq!(browsing.files(), ["models", "knight.wad", "knight-old.wad"], "folders first; what suits, not hidden");
    browsing.key(UiKey::DownArrow);
    browsing.key(UiKey::Enter);
    assert!(browsing.is_in(&browsing.folder.join("models")));
    assert_eq!(browsing.files(), ["tree.glb", "walk9.glb", "walk10.glb"], "numbers by value");
    browsing.text("walk");
    assert_eq!(browsing.files(), ["walk9.glb", "walk10.glb"], "typing filters");
    browsing.key(UiKey::Escape);
    assert_eq!(browsing.files().len(), 3, "Escape clears the filter first");
    browsing.key(UiKey::Backspace);
    assert!(browsing.is_in(&browsing.folder));
    browsing.with(UiKey::ModAlt, UiKey::LeftArrow);
    assert!(browsing.is_in(&browsing.folder.join("models")), "back to where it was");
    browsing.text("walk");
    browsing.key(UiKey::DownArrow);
    browsing.key(UiKey::Enter);
    assert_eq!(browsing.opened(), Some(&*browsing.folder.join("models/walk10.glb")));
    assert!(!browsing.is_open());
    assert_eq!(browsing.preferences().folders, [browsing.folder.join("models")], "a recent folder");
}

#[test]
fn escape_closes_without_opening() {
    let mut browsing = Browsing::new("escape", PathPurpose::Open);
    browsing.key(UiKey::DownArrow);
    browsing.key(UiKey::Escape);
    assert!(!browsing.is_open() && browsing.effects.is_empty());
}

#[test]
fn a_typed_path_is_completed_by_tab() {
    let mut browsing = Browsing::new("tab", PathPurpose::Open);
    let start = browsing.path_text();
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text("~");
    browsing.key(UiKey::Tab);
    assert_eq!(browsing.path_text(), start, "the user's folder");
    browsing.text("kn");
    assert_eq!(browsing.files(), ["knight.wad", "knight-old.wad"], "what starts as typed");
    browsing.key(UiKey::Tab);
    assert_eq!(browsing.path_text(), format!("{start}knight"), "what both have in common");
    browsing.text(".");
    browsing.key(UiKey::Tab);
    assert_eq!(browsing.path_text(), format!("{start}knight.wad"));
    browsing.key(UiKey::Enter);
    assert_eq!(browsing.opened(), Some(&*browsing.folder.join("knight.wad")));
}

#[test]
fn a_folder_is_completed_with_its_separator_and_entered() {
    let mut browsing = Browsing::new("tab-folder", PathPurpose::Open);
    let start = browsing.path_text();
    browsing.click("browser-path");
    browsing.key(UiKey::End);
    browsing.text("m");
    browsing.key(UiKey::Tab);
    assert_eq!(browsing.path_text(), format!("{start}models{}", std::path::MAIN_SEPARATOR));
    assert_eq!(browsing.files(), ["tree.glb", "walk9.glb", "walk10.glb"], "its content is listed while typing");
    browsing.key(UiKey::Enter);
    assert!(browsing.is_in(&browsing.folder.join("models")) || browsing.is_in(&browsing.folder.join("models/")));
    browsing.key(UiKey::DownArrow);
    browsing.key(UiKey::Enter);
    assert!(browsing.opened().unwrap().ends_with("models/tree.glb"));
}

#[test]
fn a_path_can_be_typed_into_the_filter_and_a_wrong_one_is_reported() {
    let mut browsing = Browsing::new("slash", PathPurpose::Open);
    let lost = browsing.folder.join("lost.wad");
    browsing.text(&lost.to_string_lossy());
    browsing.key(UiKey::Enter);
    assert!(browsing.shows("lost.wad: no such file or folder"), "{:?}", browsing.driver.ids());
    assert!(browsing.is_open() && browsing.effects.is_empty());
    browsing.key(UiKey::Escape);
    browsing.text("https://example.org/a.glb");
    browsing.key(UiKey::Enter);
    assert!(browsing.shows("Download the file first"), "{:?}", browsing.driver.ids());
}

#[test]
fn the_mouse_opens_folders_and_files() {
    let mut browsing = Browsing::new("mouse", PathPurpose::Open);
    browsing.driver.double_click("file:models");
    browsing.settle();
    assert!(browsing.is_in(&browsing.folder.join("models")));
    browsing.click("browser-up");
    assert!(browsing.is_in(&browsing.folder));
    browsing.click("browser-back");
    browsing.click("browser-forward");
    browsing.click("browser-all");
    browsing.click("browser-hidden");
    assert_eq!(browsing.files(), ["models", ".hidden.wad", "knight.wad", "knight-old.wad", "notes.txt"]);
    browsing.click("file:knight-old.wad");
    browsing.click("browser-done");
    assert_eq!(browsing.opened(), Some(&*browsing.folder.join("knight-old.wad")));
}

#[test]
fn several_models_are_added_together() {
    let mut browsing = Browsing::new("several", PathPurpose::Import);
    browsing.driver.double_click("file:models");
    browsing.settle();
    browsing.click("file:tree.glb");
    browsing.driver.click_holding(UiKey::ModShift, "file:walk10.glb");
    browsing.settle();
    browsing.driver.click_holding(UiKey::ModCtrl, "file:walk9.glb");
    browsing.settle();
    assert!(browsing.shows("2 files chosen"), "{:?}", browsing.driver.ids());
    browsing.key(UiKey::Enter);
    let Some(Effect::Import { files, .. }) = browsing.effects.last() else { panic!("{:?}", browsing.effects) };
    let models = browsing.folder.join("models");
    assert_eq!(*files, [models.join("tree.glb"), models.join("walk10.glb")]);
}

#[test]
fn favourites_and_places_lead_to_folders() {
    let mut browsing = Browsing::new("places", PathPurpose::Open);
    browsing.driver.double_click("file:models");
    browsing.settle();
    browsing.click("browser-star");
    assert_eq!(browsing.preferences().favourites, [browsing.folder.join("models")]);
    browsing.click("place-Home");
    assert!(browsing.is_in(&browsing.folder));
    browsing.click("favourite0");
    assert!(browsing.is_in(&browsing.folder.join("models")));
    browsing.click("forget-favourite0");
    assert!(browsing.preferences().favourites.is_empty() && !browsing.driver.has("favourite0"));
}

#[test]
fn the_star_and_switches_keep_what_is_typed() {
    let mut browsing = Browsing::new("typed", PathPurpose::Open);
    let start = browsing.path_text();
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text(&format!("{start}models/wa"));
    browsing.click("browser-all");
    browsing.click("sort-Size");
    assert_eq!(browsing.path_text(), format!("{start}models/wa"));
    browsing.text("lk9");
    assert_eq!(browsing.files(), ["walk9.glb"], "the keyboard is where it was: {}", browsing.path_text());
    browsing.click("browser-star");
    assert_eq!(browsing.preferences().favourites, [browsing.folder.join("models")], "the shown folder");
    assert_eq!(browsing.path_text(), format!("{start}models/walk9"));
    browsing.click("browser-up");
    assert!(browsing.is_in(&browsing.folder), "above the shown one: {}", browsing.path_text());
}

#[test]
fn a_typed_folder_is_entered_by_the_star_and_by_a_click_into_the_filter() {
    let mut browsing = Browsing::new("typed-folder", PathPurpose::Open);
    let (start, models) = (browsing.path_text(), browsing.folder.join("models"));
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text(&format!("{start}models"));
    browsing.click("browser-star");
    assert_eq!(browsing.preferences().favourites, std::slice::from_ref(&models));
    assert!(browsing.is_in(&models));
    browsing.click("browser-up");
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text(&format!("{start}models/walk"));
    browsing.click("browser-filter");
    assert!(browsing.is_in(&models));
    assert_eq!(browsing.files(), ["walk9.glb", "walk10.glb"], "the start of a name filters");
    browsing.text("10");
    assert_eq!(browsing.files(), ["walk10.glb"]);
}

#[test]
fn a_typed_folder_is_entered_before_a_name_is_typed() {
    let mut browsing = Browsing::new("typed-save", PathPurpose::SaveAs);
    let start = browsing.path_text();
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text(&format!("{start}models"));
    browsing.click("browser-name");
    browsing.text("fresh");
    browsing.key(UiKey::Enter);
    let saved = browsing.folder.join("models/fresh.wad");
    assert!(
        matches!(browsing.effects.last(), Some(Effect::Save { path, .. }) if *path == saved),
        "{:?}",
        browsing.effects
    );
}

#[test]
fn a_typed_path_that_does_not_exist_stays() {
    let mut browsing = Browsing::new("typed-lost", PathPurpose::Open);
    let lost = browsing.folder.join("lost/x");
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text(&lost.to_string_lossy());
    browsing.click("browser-star");
    browsing.click("browser-hidden");
    assert!(browsing.preferences().favourites.is_empty(), "there is no such folder");
    assert_eq!(Path::new(&browsing.path_text()), lost);
    browsing.key(UiKey::Escape);
    assert!(browsing.is_open() && browsing.is_in(&browsing.folder));
    assert_eq!(Path::new(&browsing.path_text()), browsing.folder, "Escape gives it up");
}

#[test]
fn the_key_of_the_path_selects_all_of_it_also_while_it_has_the_keyboard() {
    let mut browsing = Browsing::new("select", PathPurpose::Open);
    browsing.click("browser-path");
    browsing.key(UiKey::Home);
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text("~");
    assert_eq!(browsing.path_text(), "~");
    browsing.text("/models");
    browsing.with(UiKey::ModCtrl, UiKey::L);
    browsing.text("/");
    assert_eq!(browsing.path_text(), "/", "what was typed is replaced, too");
}

#[test]
fn a_saved_file_gets_its_extension_and_an_existing_one_is_asked_about() {
    let mut browsing = Browsing::new("save", PathPurpose::SaveAs);
    browsing.text("fresh");
    browsing.key(UiKey::Enter);
    let saved = |browsing: &Browsing| match browsing.effects.last() {
        Some(Effect::Save { path, .. }) => Some(path.clone()),
        _ => None,
    };
    assert_eq!(saved(&browsing), Some(browsing.folder.join("fresh.wad")));
    let folder = browsing.folder.clone();
    browsing.effects.clear();
    browsing.driver.dock.browse(FileBrowser::new(PathPurpose::SaveAs, folder.join("untitled.wad")));
    browsing.settle();
    browsing.text("knight");
    browsing.key(UiKey::Enter);
    assert!(browsing.driver.has("browser-overwrite") && saved(&browsing).is_none());
    browsing.key(UiKey::Escape);
    assert!(!browsing.driver.has("browser-overwrite") && browsing.is_open());
    browsing.key(UiKey::Enter);
    browsing.click("file:knight-old.wad");
    assert!(!browsing.driver.has("browser-overwrite"), "the question was about another file");
    browsing.key(UiKey::Enter);
    browsing.key(UiKey::Enter);
    assert_eq!(saved(&browsing), Some(folder.join("knight-old.wad")));
}

#[test]
fn a_file_is_saved_into_a_new_folder() {
    let mut browsing = Browsing::new("new-folder", PathPurpose::SaveAs);
    browsing.click("browser-new-folder");
    browsing.text("fresh");
    browsing.key(UiKey::Enter);
    assert!(browsing.folder.join("fresh").is_dir());
    assert!(browsing.is_in(&browsing.folder.join("fresh")));
    browsing.text("a");
    browsing.key(UiKey::Enter);
    assert!(matches!(browsing.effects.last(), Some(Effect::Save { path, .. }) if path.ends_with("fresh/a.wad")));
}

#[test]
fn a_folder_that_exists_or_cannot_be_made_is_reported() {
    let mut browsing = Browsing::new("refused-folder", PathPurpose::SaveAs);
    browsing.click("browser-new-folder");
    browsing.text("models");
    browsing.key(UiKey::Enter);
    assert!(browsing.shows("a file or folder with this name exists"), "{:?}", browsing.driver.ids());
}

#[test]
fn a_path_typed_as_the_name_goes_there() {
    let mut browsing = Browsing::new("path-name", PathPurpose::SaveAs);
    browsing.text("models/tree");
    browsing.key(UiKey::Enter);
    let saved = browsing
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Save { path, .. } if path.ends_with("models/tree.wad")));
    assert!(saved, "{:?}", browsing.effects);
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let mut browsing = Browsing::new("locked", PathPurpose::Open);
    let models = browsing.folder.join("models");
    fs::set_permissions(&models, fs::Permissions::from_mode(0o000)).unwrap();
    let is_refused = fs::read_dir(&models).is_err();
    browsing.driver.double_click("file:models");
    browsing.settle();
    let listing = browsing.driver.editor.session.transient.folders.listing(&models).unwrap().clone();
    fs::set_permissions(&models, fs::Permissions::from_mode(0o700)).unwrap();
    // The superuser may read everything.
    assert_eq!(listing.fault.is_some(), is_refused);
    if is_refused {
        assert!(listing.fault.as_ref().unwrap().ends_with("permission denied"), "{:?}", listing.fault);
    }
    browsing.key(UiKey::Backspace);
    assert!(browsing.is_in(&browsing.folder));
}

#[test]
fn of_ten_thousand_files_only_visible_ones_are_drawn() {
    let mut browsing = Browsing::new("many", PathPurpose::Open);
    let entries = (0..10_000).map(|at| Entry::new(format!("{at}.glb"), FileKind::Model)).collect();
    let listing = Listing { folder: browsing.folder.clone(), entries, fault: None, read_at: 0 };
    browsing.driver.update(BrowserAction::Listed(listing.into()));
    browsing.settle();
    assert!((5..60).contains(&browsing.files().len()), "{}", browsing.files().len());
    browsing.key(UiKey::End);
    browsing.driver.frames(3);
    assert_eq!(browsing.files().last().map(String::as_str), Some("9999.glb"));
    browsing.text("777");
    assert!(browsing.files().contains(&"7773.glb".to_owned()));
    browsing.key(UiKey::Enter);
    assert!(browsing.opened().unwrap().ends_with("777.glb"));
}

#[test]
fn the_preview_of_a_broken_file_says_why() {
    let mut browsing = Browsing::new("broken", PathPurpose::Open);
    browsing.driver.preview = FilePreview::Failed("neither an archive nor a model".into());
    browsing.text("knight.wad");
    assert!(browsing.driver.has("preview fault: neither an archive nor a model"));
    browsing.with(UiKey::ModCtrl, UiKey::T);
    assert_eq!(browsing.files(), ["knight.wad"], "also as thumbnails");
}

#[test]
fn the_system_dialog_is_one_click_away() {
    let mut browsing = Browsing::new("system", PathPurpose::Open);
    browsing.click("browser-system");
    let asked = matches!(browsing.effects.as_slice(), [Effect::ShowSystemDialog(PathPurpose::Open, start)] if *start == browsing.folder);
    assert!(asked, "{:?}", browsing.effects);
    browsing.driver.dock.browser.as_mut().unwrap().report("This system has no file dialogs");
    browsing.settle();
    assert!(browsing.is_open() && browsing.shows("browser report: This system has no file dialogs"));
}

#[test]
fn everything_is_reachable_in_a_small_window() {
    let mut browsing = Browsing::new("small", PathPurpose::SaveAs);
    // 1280 × 720 at a scale of 200 %.
    browsing.driver.resize([640.0, 360.0]);
    browsing.settle();
    let widths = ["browser-name", "browser-filter", "browser-path"].map(|id| browsing.driver.place(id).width());
    assert!(widths.iter().all(|width| *width > 150.0), "{widths:?}");
    browsing.with(UiKey::ModCtrl, UiKey::T);
    let (thumbnail, list) = (browsing.driver.place("file:knight.wad"), browsing.driver.place("browser-list"));
    assert!(thumbnail.height() <= list.height(), "{thumbnail:?} is higher than {list:?}");
    browsing.with(UiKey::ModCtrl, UiKey::T);
    browsing.key(UiKey::Escape);
    let start = browsing.folder.join("a.gif");
    browsing.driver.dock.browse(FileBrowser::new(PathPurpose::Image, start));
    browsing.settle();
    browsing.click("export-Poses");
    browsing.click("export-Poses-Pose as PNG");
    let done = browsing.driver.place("browser-done");
    assert!(done.max[0] < 640.0 && done.max[1] < 360.0, "{done:?}");
    browsing.key(UiKey::Enter);
    let is_exported =
        matches!(browsing.effects.last(), Some(Effect::ExportPicture { path, .. }) if path.ends_with("a.png"));
    assert!(is_exported, "{:?} {:?}", browsing.effects, browsing.driver.ids());
}

#[test]
fn the_browser_opens_as_it_was_left() {
    let mut browsing = Browsing::new("memory", PathPurpose::Open);
    browsing.driver.double_click("file:models");
    browsing.settle();
    browsing.with(UiKey::ModCtrl, UiKey::H);
    browsing.key(UiKey::Escape);
    let start = browsing.folder.clone();
    browsing.driver.dock.browse(FileBrowser::new(PathPurpose::Open, start.clone()));
    browsing.settle();
    assert!(browsing.is_in(&browsing.folder.join("models")));
    browsing.key(UiKey::Escape);
    browsing.driver.dock.browse(FileBrowser::new(PathPurpose::Texture, start));
    browsing.settle();
    assert!(browsing.is_in(&browsing.folder), "another purpose");
    assert_eq!(browsing.files(), ["models"], "images only");
}

#[test]
fn closing_the_first_dialog_leaves_the_panels_in_front() {
    let mut driver = Driver::new(arm(), [1280.0, 800.0]);
    let front =
        |driver: &Driver| -> Vec<String> { driver.ids().into_iter().filter(|id| id.starts_with("panel ")).collect() };
    let before = front(&driver);
    assert!(before.contains(&"panel Timeline".to_owned()) && !before.contains(&"panel Log".to_owned()), "{before:?}");
    driver.dock.browse(FileBrowser::new(PathPurpose::Open, std::env::temp_dir()));
    driver.frames(6);
    driver.key(UiKey::Escape);
    driver.frames(6);
    assert_eq!(front(&driver), before);
    // The start screen takes the place of the panels, which come back as they were.
    for (project, shown) in [(Project::default(), Vec::new()), (arm(), before)] {
        driver.update(FileAction::Loaded { project: Box::new(project), origin: Origin::New });
        driver.frames(6);
        assert_eq!(front(&driver), shown);
    }
}

#[test]
fn the_timeline_is_in_front_when_the_start_screen_was_clicked_first() {
    let mut driver = Driver::new(Project::default(), [1280.0, 800.0]);
    driver.frames(4);
    driver.click_at([640.0, 700.0]);
    driver.update(FileAction::Loaded { project: Box::new(arm()), origin: Origin::New });
    driver.frames(6);
    assert!(driver.has("panel Timeline") && !driver.has("panel Log"));
}

/// Scrolls the options to their end.
fn scroll_options(browsing: &mut Browsing) {
    let middle = browsing.driver.place("import-Normals").center();
    browsing.driver.point(middle);
    browsing.driver.wheel(-50.0);
    browsing.settle();
}

#[test]
fn import_options_are_chosen_beside_the_preview_and_kept_for_the_next_import() {
    let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect::<Arc<[String]>>();
    let shown = || {
        FilePreview::Shown(Picture {
            id: None,
            size: [1.0; 2],
            is_bottom_up: false,
            facts: texts(&["1.80 m tall"]),
            meshes: texts(&["Body", "Sword"]),
            clips: texts(&["walk"]),
        })
    };
    let mut browsing = Browsing::new("import-options", PathPurpose::Import);
    browsing.driver.preview = shown();
    browsing.driver.double_click("file:models");
    browsing.settle();
    browsing.click("file:walk9.glb");
    browsing.click("browser-import");
    for (list, choice) in [
        ("import-Up axis", "Z"),
        ("import-Normals", "Flat"),
        ("import-Influences", "4"),
        ("import-Weights", "From 0.01"),
        ("import-Added clips", "Copy rotations"),
    ] {
        browsing.click(list);
        browsing.click(&format!("{list}-{choice}"));
    }
    assert!(browsing.preferences().import_options.is_default(), "nothing is kept before it is used");
    scroll_options(&mut browsing);
    browsing.click("import-Meshes:Sword");
    browsing.click("browser-done");
    let Some(Effect::Import { files, .. }) = browsing.effects.last() else { panic!("{:?}", browsing.effects) };
    assert_eq!(files.len(), 1);
    let kept = words_of(&browsing.preferences().import_options).join(" ");
    assert_eq!(kept, "--up z --skip-mesh Sword --influences 4 --drop-weights 0.01 --normals flat --retarget off");
}

#[test]
fn the_names_of_one_file_are_not_left_out_of_another() {
    let mut browsing = Browsing::new("import-names", PathPurpose::Import);
    let names: Arc<[String]> = ["Body".to_owned()].into_iter().collect();
    browsing.driver.preview = FilePreview::Shown(Picture {
        id: None,
        size: [1.0; 2],
        is_bottom_up: false,
        facts: Arc::default(),
        meshes: names.clone(),
        clips: names,
    });
    browsing.driver.double_click("file:models");
    browsing.settle();
    browsing.click("file:walk9.glb");
    browsing.click("browser-import");
    scroll_options(&mut browsing);
    browsing.click("import-Meshes:Body");
    browsing.click("file:tree.glb");
    browsing.click("import-Clips:Body");
    browsing.click("import-Clips:Body");
    browsing.click("browser-done");
    assert!(browsing.preferences().import_options.is_default());
}

/// Letters that follow Ctrl+L within one slow frame are the path, not the filter that has the keyboard until then.
#[test]
fn letters_right_after_ctrl_l_go_into_the_path() {
    let mut browsing = Browsing::new("at-once", PathPurpose::Open);
    browsing.driver.all_in_one_frame(&[
        (None, UiEvent::Hold(UiKey::ModCtrl, true)),
        struck("Ctrl+L", UiKey::L, None),
        (None, UiEvent::Hold(UiKey::ModCtrl, false)),
        struck("X", UiKey::X, Some('x')),
        struck("Y", UiKey::Y, Some('y')),
    ]);
    browsing.settle();
    assert!(browsing.files().is_empty(), "no name starts with xy: {:?}", browsing.files());
    browsing.driver.escape();
    browsing.settle();
    assert!(
        browsing.is_open() && browsing.files().contains(&"knight.wad".to_owned()),
        "the filter is empty: {:?}",
        browsing.files()
    );
}
