//! The file browser: asks for the path of a file to open, to add or to write. It works on every system; the folders that it shows
//! are read by the app.

mod footer;
mod keys;
mod list;
mod path_bar;
mod places;
pub mod preview;
pub mod preview_pane;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::browser::footer::Asking;
use crate::editor::panels::window::browser::list::ListView;
use crate::editor::panels::window::browser::path_bar::{Caret, PathBar};
use crate::editor::panels::window::browser::preview::{FilePreview, FileVersion};
use crate::editor::session::browser::entry::{Entry, Listing};
use crate::editor::session::browser::{BrowserAction, paths};
use crate::editor::session::preferences::Prefer;
use crate::editor::session::sounds::SoundAction;
use crate::editor::session::sprites::{PaletteUse, SpriteAction};
use crate::editor::state::effect::PathPurpose;
use crate::editor::state::export_options::ExportOptions;
use keypose::assets::import_options::ImportOptions;

/// Maximum size of the window.
const SIZE: [f32; 2] = [1080.0, 680.0];
/// Width of the column of places.
const PLACES: f32 = 190.0;
/// Width of the preview.
const PREVIEW: f32 = 250.0;
/// Minimum width of the list.
const MIN_LIST: f32 = 400.0;
/// Height of the path bar, of the header and of the footer.
const BAR: f32 = 28.0;

/// A text field of the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Path,
    Filter,
    Name,
}

/// The state that the browser keeps between two uses.
#[derive(Clone, Debug, Default)]
pub struct BrowserMemory {
    list: ListView,
    /// The folder in which files for a purpose were last chosen.
    folders: Vec<(PathPurpose, PathBuf)>,
    /// Whether the pane showed the options of an import.
    shows_options: bool,
}

/// The open browser.
#[derive(Clone, Debug, Default)]
pub struct FileBrowser {
    /// The purpose of the path.
    pub purpose: PathPurpose,
    pub options: ExportOptions,
    pub import_options: ImportOptions,
    /// The file whose meshes and clips are chosen.
    adjusted: Option<PathBuf>,
    /// Whether the pane shows the options of an import.
    shows_options: bool,
    /// Whether a list of choices is open.
    is_choosing: bool,
    /// Names of the meshes and clips of the file under the cursor.
    names: (Arc<[String]>, Arc<[String]>),
    /// The folder of the open file.
    pub current: Option<PathBuf>,
    folder: PathBuf,
    back: Vec<PathBuf>,
    forward: Vec<PathBuf>,
    path: PathBar,
    /// Words that the shown names contain.
    filter: String,
    /// The name of the file to be written.
    name: String,
    list: ListView,
    /// The row under the cursor.
    cursor: Option<OsString>,
    /// The rows that are chosen, if several can be.
    chosen: BTreeSet<OsString>,
    /// The row where a range of rows begins.
    anchor: Option<OsString>,
    asking: Asking,
    /// The problem that is shown, or empty.
    report: String,
    /// The field that gets the keyboard in the next frame.
    focus: Option<Field>,
    /// The folder that was asked for last.
    requested: Option<PathBuf>,
    /// Whether the chosen path is confirmed when its folder is read.
    is_confirming: bool,
}

/// The result of a frame.
#[derive(Debug)]
enum Touch {
    Open,
    Cancelled,
    Chosen(Vec<PathBuf>),
}

impl FileBrowser {
    /// A browser that starts in a folder or, to write a file, with its path.
    pub fn new(purpose: PathPurpose, start: PathBuf) -> FileBrowser {
        let name = if purpose.is_save() { start.file_name() } else { None };
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let folder = match &name {
            Some(_) => start.parent().unwrap_or(Path::new("")).to_owned(),
            None => start,
        };
        let (path, name) = (PathBar::of(&folder), name.unwrap_or_default());
        FileBrowser { purpose, path, folder, name, ..FileBrowser::default() }
    }

    /// Continues as the browser was left: the order of the list, and the folder for this purpose.
    pub fn recall(&mut self, memory: &BrowserMemory) {
        self.list = memory.list.clone();
        self.shows_options = memory.shows_options;
        let last = memory.folders.iter().find(|(purpose, _)| *purpose == self.purpose);
        if !self.purpose.is_save()
            && let Some((_, folder)) = last
        {
            self.folder.clone_from(folder);
            self.path = PathBar::of(folder);
        }
    }

    fn store(&self, memory: &mut BrowserMemory) {
        memory.list = self.list.clone();
        memory.shows_options = self.shows_options;
        memory.folders.retain(|(purpose, _)| *purpose != self.purpose);
        memory.folders.push((self.purpose, self.folder.clone()));
    }

    /// Shows a message in the browser.
    pub fn report(&mut self, text: impl Into<String>) {
        self.report = text.into();
    }

    /// Whether the browser shows the content of this folder.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.folder == folder
    }

    /// The text of the path field.
    pub fn path_text(&self) -> &str {
        &self.path.text
    }

    /// The field that has the keyboard unless the user chose another one.
    fn default_field(&self) -> Field {
        match self.purpose.is_save() {
            _ if self.path.is_typing => Field::Path,
            true => Field::Name,
            false => Field::Filter,
        }
    }

    /// The folder whose content is listed: while a path is typed, the folder that it is in.
    fn listed_folder(&self, ui: &Ui<'_>) -> PathBuf {
        if self.path.is_typing { self.typed(ui).0 } else { self.folder.clone() }
    }

    /// The folder of the typed path, and the start of a name in it.
    fn typed(&self, ui: &Ui<'_>) -> (PathBuf, String) {
        let path = self.folder.join(paths::typed_path(&self.path.text, ui.session.transient.folders.home()));
        paths::split(&path, &self.path.text)
    }

    fn listing<'a>(&self, ui: &Ui<'a>) -> Option<&'a Arc<Listing>> {
        ui.session.transient.folders.listing(&self.listed_folder(ui))
    }

    fn entry<'a>(&self, ui: &Ui<'a>, name: &OsString) -> Option<&'a Entry> {
        self.listing(ui)?.find(Path::new(name))
    }

    /// Goes to a folder. The way back leads to the current one.
    fn go(&mut self, folder: PathBuf) {
        if folder != self.folder {
            self.back.push(std::mem::replace(&mut self.folder, folder));
            self.forward.clear();
        }
        self.arrive();
    }

    fn go_back(&mut self) {
        if let Some(folder) = self.back.pop() {
            self.forward.push(std::mem::replace(&mut self.folder, folder));
            self.arrive();
        }
    }

    fn go_forward(&mut self) {
        if let Some(folder) = self.forward.pop() {
            self.back.push(std::mem::replace(&mut self.folder, folder));
            self.arrive();
        }
    }

    /// Goes to the folder above, with the cursor on the current one.
    fn go_up(&mut self, ui: &Ui<'_>) {
        let folder = self.listed_folder(ui);
        let name = folder.file_name().map(ToOwned::to_owned);
        if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty()).map(Path::to_owned) {
            self.go(above);
            self.cursor = name;
            self.list.scrolls_to_cursor = true;
        }
    }

    fn arrive(&mut self) {
        self.path = PathBar::of(&self.folder);
        self.filter.clear();
        self.report.clear();
        self.asking = Asking::Nothing;
        self.unchoose();
        self.requested = None;
        self.focus = Some(self.default_field());
        self.list.scrolls_to_top = true;
    }

    fn unchoose(&mut self) {
        (self.cursor, self.anchor) = (None, None);
        self.chosen.clear();
    }

    /// Asks for folders that are not read yet, and again when the browser comes to a folder.
    fn request(&mut self, ui: &Ui<'_>) {
        if self.requested.is_none() && ui.session.transient.folders.places.is_empty() {
            ui.send(BrowserAction::FindPlaces);
        }
        let folder = self.listed_folder(ui);
        if self.requested.as_ref() != Some(&folder) {
            ui.send(BrowserAction::List(folder.clone()));
            self.requested = Some(folder);
        }
    }

    /// Draws the browser.
    fn ui(&mut self, ui: &Ui<'_>, preview: &dyn Fn(&FileVersion) -> FilePreview) -> Touch {
        self.request(ui);
        let display = ui.io().display_size;
        let size = [SIZE[0].min(display[0] - 32.0), SIZE[1].min(display[1] - 48.0)];
        let id = "##file-browser";
        ui.open_popup(id);
        let _padding = ui.push_style_var(StyleVar::WindowPadding([16.0, 14.0]));
        sys::place_next(ui.imgui, display.map(|side| side / 2.0), [0.5; 2]);
        sys::size_next(ui.imgui, size);
        let popup = ui.modal_popup_config(id).resizable(false).movable(false).title_bar(false).save_settings(false);
        let touch = popup.scroll_bar(false).scrollable(false).build(|| self.body(ui, preview));
        touch.unwrap_or(Touch::Open)
    }

    fn body(&mut self, ui: &Ui<'_>, preview: &dyn Fn(&FileVersion) -> FilePreview) -> Touch {
        self.list.was_unfiltered = self.filter.is_empty();
        let had_field = self.asking.has_field();
        // Enter and Escape also close a list of choices.
        let had_list = std::mem::take(&mut self.is_choosing);
        let mut rest = ui.rest();
        let mut touch = self.title_ui(ui, rest.cut_top(24.0, 8.0));
        self.path_bar_ui(ui, rest.cut_top(BAR, 8.0));
        let (footer, report) = (rest.bottom(BAR), rest.bottom(BAR + 8.0 + 20.0).top(20.0));
        rest = rest.trim_bottom(BAR + 8.0 + 20.0 + 4.0);
        if rest.width() >= PLACES + MIN_LIST {
            self.places_ui(ui, rest.cut_left(PLACES, 12.0), &mut touch);
        }
        let has_preview = rest.width() >= PREVIEW + MIN_LIST || self.purpose == PathPurpose::Image;
        if has_preview {
            self.preview_ui(ui, rest.cut_right(PREVIEW, 12.0), preview);
        }
        self.list_ui(ui, rest, preview, &mut touch);
        if matches!(&self.asking, Asking::Overwrite(path) if *path != self.target()) {
            // A click, a key or an option chose another file.
            self.asking = Asking::Nothing;
        }
        self.report_ui(ui, report);
        self.footer_ui(ui, footer, &mut touch);
        // Enter and Escape in the field of a question are its answer.
        if !had_field && !had_list && !self.is_choosing {
            self.keys(ui, &mut touch);
        }
        if self.path.is_entered {
            self.enter_path(ui, &mut touch);
        }
        if self.is_confirming {
            self.confirm(ui, &mut touch);
        }
        self.keep_focus(ui);
        touch
    }

    /// Whether a field is about to get the keyboard.
    pub fn moves_focus(&self) -> bool {
        self.focus.is_some()
    }

    /// Gives the keyboard back to a field, so that typing always has an effect.
    fn keep_focus(&mut self, ui: &Ui<'_>) {
        let is_calm =
            !sys::is_typing_now(ui.imgui) && !ui.is_any_mouse_down() && !self.asking.has_field() && !self.is_choosing;
        if self.focus.is_none() && is_calm {
            self.focus = Some(self.default_field());
            self.path.caret = self.path.is_typing.then_some(Caret::End);
        }
    }

    /// Opens a folder, or chooses a file.
    fn activate(&mut self, ui: &Ui<'_>, name: &OsString, touch: &mut Touch) {
        let Some(entry) = self.entry(ui, name) else { return };
        let path = self.listed_folder(ui).join(name);
        if entry.is_folder() {
            return self.go(path);
        }
        if self.path.is_typing {
            self.go(self.listed_folder(ui));
        }
        if self.purpose.is_save() {
            self.name.clone_from(&entry.shown);
            self.is_confirming = true;
        } else {
            *touch = Touch::Chosen(vec![path]);
        }
    }

    /// Confirms the typed name or the chosen files; an existing file is asked about first.
    fn confirm(&mut self, ui: &Ui<'_>, touch: &mut Touch) {
        self.is_confirming = false;
        if self.purpose.is_save() {
            return self.confirm_name(ui, touch);
        }
        if self.purpose.is_folder() {
            let folder = self.listed_folder(ui);
            let chosen = self.cursor.iter().find(|name| self.entry(ui, name).is_some_and(|entry| entry.is_folder()));
            *touch = Touch::Chosen(vec![chosen.map_or(folder.clone(), |name| folder.join(name))]);
            return;
        }
        let is_file = |name: &&OsString| self.entry(ui, name).is_some_and(|entry| !entry.is_folder());
        let mut names: Vec<&OsString> = self.chosen.iter().filter(is_file).collect();
        if names.is_empty() {
            names.extend(self.cursor.iter());
        }
        let folder = self.listed_folder(ui);
        match names.as_slice() {
            [] => self.report("Choose a file first."),
            [name] => self.activate(ui, &(*name).clone(), touch),
            names => *touch = Touch::Chosen(names.iter().map(|name| folder.join(name)).collect()),
        }
    }
}

/// The action for chosen paths; one, unless the purpose takes several.
pub fn answer(purpose: PathPurpose, options: ExportOptions, paths: Vec<PathBuf>) -> Action {
    let first = paths.first().cloned();
    match purpose {
        PathPurpose::Image => Action::File(FileAction::Export(first.map(|path| (path, options)))),
        PathPurpose::Export => Action::File(FileAction::ExportModel(first)),
        PathPurpose::Open => Action::File(FileAction::Open(first)),
        PathPurpose::Import => Action::File(FileAction::Import(paths)),
        PathPurpose::Clips => Action::File(FileAction::AddClips(paths)),
        PathPurpose::Changed => Action::File(FileAction::Reimport(first)),
        PathPurpose::SaveAs => Action::File(FileAction::SaveAs(first)),
        PathPurpose::SavePatch => Action::File(FileAction::SavePatch(first)),
        PathPurpose::Sounds => Action::Sound(SoundAction::Add(paths)),
        PathPurpose::Palette => Action::Sprites(SpriteAction::Load(PaletteUse::Palette, first)),
        PathPurpose::PaletteSwap => Action::Sprites(SpriteAction::Load(PaletteUse::Swap, first)),
        PathPurpose::Sprites => Action::Sprites(SpriteAction::Export(first)),
        PathPurpose::Texture => Action::Material(MaterialAction::ReplaceTexture(first)),
        PathPurpose::TextureFolder => Action::Material(MaterialAction::FindTextures(first)),
        PathPurpose::Film => Action::Material(MaterialAction::AddFilm(first)),
        PathPurpose::Reference => Action::Material(MaterialAction::AddReference(first)),
    }
}

/// Draws the open browser, and sends what was chosen.
pub fn browser_ui(
    ui: &Ui<'_>,
    open: &mut Option<FileBrowser>,
    memory: &mut BrowserMemory,
    preview: &dyn Fn(&FileVersion) -> FilePreview,
) {
    let Some(browser) = open else { return };
    match browser.ui(ui, preview) {
        Touch::Open => return,
        Touch::Cancelled => {}
        Touch::Chosen(paths) => {
            let is_folder = browser.purpose.is_folder();
            let folder = |path: &PathBuf| if is_folder { Some(path.clone()) } else { Some(path.parent()?.to_owned()) };
            if let Some(folder) = paths.first().and_then(folder) {
                ui.send(Prefer::RememberFolder(folder));
            }
            browser.send_import_options(ui, &paths);
            ui.send(answer(browser.purpose, browser.options, paths));
        }
    }
    browser.store(memory);
    *open = None;
}
