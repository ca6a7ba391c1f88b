//! Performs the effects that the editor requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose_editor::editor::panels::window::browser::FileBrowser;
use keypose_editor::editor::session::browser::BrowserAction;
use keypose_editor::editor::session::preferences::FileDialogs;
use keypose_editor::editor::state::action::{Action, FileAction, MaterialAction};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};

use crate::app::files::{self, image_search, listing};
use crate::app::host::EditorHost;
use crate::app::host::message::Message;
use crate::app::host::workers;
use crate::app::host::workers::Destination;
use crate::app::window::dialogs;
use crate::app::work::list;
use crate::app::work::recorder::Recorder;

impl EditorHost {
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::AskPath(purpose) => self.ask_path(purpose),
            Effect::ShowSystemDialog(purpose, start) => dialogs::ask(purpose, start, &self.proxy),
            Effect::ListFolder(folder) => {
                self.update_later(move || BrowserAction::Listed(Arc::new(listing::list(&folder))))
            }
            Effect::MakeFolder(folder) => self.update_later(move || {
                let done = listing::make_folder(&folder);
                BrowserAction::FolderMade(folder, done)
            }),
            Effect::FindPlaces => self.update_later(|| BrowserAction::PlacesFound(listing::places())),
            Effect::FindUnsavedWork => workers::find_unsaved_work(&self.proxy),
            Effect::DiscardUnsavedWork(steps) => self.update_later(move || {
                // The list shows whether it is gone.
                let _ = list::discard(&steps);
                FileAction::UnsavedWorkListed(list::rows())
            }),
            Effect::SortDropped(items) => self.update_later(move || FileAction::Dropped(listing::sort_dropped(&items))),
            Effect::Open(path) => self.read(vec![path]),
            Effect::OpenSalvaged(path) => self.read_salvaged(path),
            Effect::Import { files, refused, adding } => self.import(files, refused, adding),
            Effect::ReadImage { path, place } => self.read_image(path, place),
            Effect::Save { document, path, below } => {
                self.jobs.saving += 1;
                let work = self.recorder.as_ref().map(Recorder::work);
                let to = Destination { path, below, work, digest: None };
                let (document, known) = ((self.editor.opened, document), self.characters.clone());
                let before = self.jobs.last_save.take();
                self.jobs.last_save = Some(workers::write(to, document, known, before, &self.proxy));
            }
            Effect::ExportPicture { path, options } => self.export(path, options),
            Effect::ExportModel { path, model } => self.export_model(path, model),
            Effect::ExportSprites { path } => self.export_sprites(path),
            Effect::ReadPalette { path, purpose } => self.answer(move || vec![workers::read_palette(&path, purpose)]),
            Effect::FindImages { folder, search } => self.answer(move || {
                let found = image_search::find(&folder, &search.names, |_| Ok(()));
                vec![MaterialAction::ImagesFound { search, found }.into()]
            }),
            Effect::ReadSounds(paths) => self.answer(move || workers::read_sounds(&paths)),
            Effect::PlaySound(sound) => self.speaker.preview(&sound),
            Effect::Copy(text) => self.clipboard.copy(&text),
            Effect::CancelJob => self.cancel_job(),
            Effect::OpenDemo => self.read(vec![files::DEMO.into()]),
            Effect::DiscardRecovered => self.discard_recovered(),
            Effect::PlayTest { document, unplayed } => self.play_test = Some((document, unplayed)),
            // The log and the banner read notices from the session.
            Effect::Notice(_) => {}
            Effect::Quit => {
                self.close();
                self.is_done = true;
            }
        }
    }

    /// Does work in another thread. Its actions are for the document that is open now.
    fn answer(&self, work: impl FnOnce() -> Vec<Action> + Send + 'static) {
        let opened = self.editor.opened;
        workers::answer(&self.proxy, move || Message::Answer { opened, actions: work() });
    }

    /// Does work in another thread. Its action is for the document that is open when it ends.
    fn update_later<A: Into<Action>>(&self, work: impl FnOnce() -> A + Send + 'static) {
        workers::answer(&self.proxy, move || Message::Update(work().into()));
    }

    /// Shows the file browser, or the system's dialog if the user prefers it. The options of an export are chosen in the browser.
    fn ask_path(&mut self, purpose: PathPurpose) {
        let start = self.start_path(purpose);
        let dialogs = self.editor.session.workspace.preferences.dialogs;
        if dialogs == FileDialogs::System && purpose != PathPurpose::Image {
            return dialogs::ask(purpose, start, &self.proxy);
        }
        self.browse(purpose, start);
    }

    /// Shows the file browser, starting in a folder or with a file.
    pub(super) fn browse(&mut self, purpose: PathPurpose, start: PathBuf) {
        let file = self.editor.file.as_ref().and_then(|file| std::path::absolute(file).ok());
        let current = file.and_then(|file| Some(file.parent()?.to_owned()));
        let mut browser = FileBrowser::new(purpose, start);
        browser.current = current;
        browser.import_options = self.editor.session.workspace.preferences.import_options.clone();
        self.dock.browse(browser);
    }

    /// The path at which the browser starts: a folder, or a file to be written.
    fn start_path(&self, ask: PathPurpose) -> PathBuf {
        let held = self.editor.locked.as_ref().map(|held| {
            let stem = held.path.file_stem().unwrap_or_default().to_string_lossy();
            held.path.with_file_name(format!("{stem} copy.wad"))
        });
        let file = self.editor.file.clone().or(held).map(|file| std::path::absolute(&file).unwrap_or(file));
        let path = match ask {
            PathPurpose::Image => {
                let name = self
                    .editor
                    .clip()
                    .map(|slot| slot.clip.name.as_str())
                    .or(self.editor.model().map(|model| &*model.name));
                folder_of(file).join(safe(name.unwrap_or("image"))).with_extension("gif")
            }
            PathPurpose::Export => self.export_path(file),
            PathPurpose::Sprites => self.export_path(file).with_extension("png"),
            PathPurpose::SaveAs => file.unwrap_or_else(|| {
                let stem = Path::new(&self.editor.title).file_stem().unwrap_or_default().to_owned();
                let folder = std::env::current_dir().unwrap_or_default();
                folder.join(stem).with_extension("wad")
            }),
            PathPurpose::SavePatch => {
                let base = self.editor.patch_base().cloned().unwrap_or_default();
                let stem = base.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                base.with_file_name(format!("{stem}-patch.wad"))
            }
            PathPurpose::Open
            | PathPurpose::Import
            | PathPurpose::Clips
            | PathPurpose::Changed
            | PathPurpose::Texture
            | PathPurpose::TextureFolder
            | PathPurpose::Reference
            | PathPurpose::Film
            | PathPurpose::Palette
            | PathPurpose::PaletteSwap
            | PathPurpose::Sounds => folder_of(file),
        };
        std::path::absolute(&path).unwrap_or(path)
    }

    /// The proposed path of an export: beside the document and named after the model, but never the file it was imported from.
    fn export_path(&self, file: Option<PathBuf>) -> PathBuf {
        let model = self.editor.model();
        let name = safe(model.map_or("model", |model| model.name.as_str()));
        let is_source = model.is_some_and(|model| model.source.file.eq_ignore_ascii_case(&format!("{name}.glb")));
        let name = if is_source { format!("{name} export.glb") } else { format!("{name}.glb") };
        folder_of(file).join(name)
    }
}

/// A name for files: other letters than alphanumeric ones, "-", "_" and spaces become "_".
fn safe(name: &str) -> String {
    name.chars().map(|letter| if letter.is_alphanumeric() || "-_ ".contains(letter) { letter } else { '_' }).collect()
}

/// The folder of a file, or else the current one.
fn folder_of(file: Option<PathBuf>) -> PathBuf {
    let folder = file.and_then(|file| Some(file.parent()?.to_owned()));
    folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
