//! The editor with what a page can do for it: files that the user picks or drops are kept in memory by name, files that are written are
//! downloads. No page and no GL.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::bytes::Bytes;
use keypose::assets::character::Character;
use keypose::assets::import_options::ImportOptions;
use keypose::assets::project::Project;
use keypose::assets::sound::Sound;
use keypose::wad;
use keypose_editor::editor::commands::stored::{self, Reader};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::document::template::keep_only;
use keypose_editor::editor::panels::sprites::SpriteInputs;
use keypose_editor::editor::panels::ui::Pictures;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::view::start::TEMPLATES;
use keypose_editor::editor::panels::view::toast::ToastClock;
use keypose_editor::editor::panels::window::browser::answer;
use keypose_editor::editor::panels::window::browser::preview::FilePreview;
use keypose_editor::editor::panels::window::dock::{Dock, FrameInputs};
use keypose_editor::editor::panels::window::status_bar::Figures;
use keypose_editor::editor::session::browser::kinds::PathPurpose;
use keypose_editor::editor::session::dropped::{DroppedFiles, Refused};
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::Preferences;
use keypose_editor::editor::session::shortcuts::{Bindings, TypedStroke};
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, ClipboardAction, FileAction, FoundImages, MaterialAction, Origin, ProgramAction, ReadFiles, ViewAction,
};
use keypose_editor::editor::state::effect::{Adding, Effect};
use keypose_editor::editor::state::export_options::ExportOptions;
use keypose_editor::editor::view::films::Projector;
use keypose_editor::editor::view::scene;
use keypose_editor::image_previews::ImagePreviews;
use keypose_editor::render::frame::Frame;
use keypose_editor::thumbnails::Thumbnails;
use keypose_tools::apply_options::apply;
use keypose_tools::clip_library::{Fitted, is_library, libraries};
use keypose_tools::export::gltf::{self, GlbOptions};
use keypose_tools::import;
use keypose_tools::unplayed_clip::shown_in;

use given_files::GivenFiles;

/// Maximum time by which a picture advances playback, in seconds.
const MAX_TICK_SECS: f64 = 1.0;
/// Time after a change until unsaved work is stored, in seconds.
const STORE_AFTER_SECS: f64 = 1.0;
/// The path of the demo, which has no file.
const DEMO: &str = "built in/demo.wad";

/// Something that the page must do.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Let the user pick files with one of the extensions `accepts`, or any; answer with [`PageEditor::picked`].
    Pick { accepts: String, takes_many: bool },
    /// Give the user a file.
    Download { name: String, bytes: Vec<u8> },
    /// Play an archive; the page returns to the editor afterwards.
    Play { bytes: Vec<u8> },
    /// Store unsaved work until the next request; without bytes, forget it.
    Store { name: String, bytes: Vec<u8> },
    /// Play a sound once, or end it if it plays.
    Hear { sound: Arc<Sound> },
    /// Store preferences and shortcuts until the next request; give them to [`PageEditor::prefer`] at the next visit.
    Prefer { text: String },
}

/// The editor with the files, the clipboard and the requests of its page.
pub struct PageEditor {
    pub editor: Editor,
    pub dock: Dock,
    /// The text of the clipboard, as far as the page knows it.
    pub clipboard: Rc<RefCell<String>>,
    /// The open films.
    projector: Projector,
    demo: Bytes,
    files: GivenFiles,
    characters: Vec<Arc<Character>>,
    figures: Figures,
    toast: ToastClock,
    /// The purpose of the files that the user picks.
    picking: Option<PathPurpose>,
    requests: Vec<Request>,
    /// Seconds since the document changed; `None` if that is stored.
    unstored_secs: Option<f64>,
    shown: Document,
    /// The preferences and shortcuts that the page has.
    preferred: (Preferences, Bindings),
}

/// A document that was read.
struct Opened {
    project: Project,
    characters: Vec<Arc<Character>>,
    report: Vec<String>,
    is_archive: bool,
}

impl PageEditor {
    /// Starts with an empty document. `demo` is the demo archive.
    pub fn new(demo: Vec<u8>) -> PageEditor {
        let editor = Editor::new(Project::default(), &Origin::New);
        PageEditor {
            shown: editor.document.clone(),
            preferred: Default::default(),
            editor,
            dock: Dock::default(),
            clipboard: Rc::default(),
            projector: Projector::default(),
            demo: Bytes::new(demo),
            files: GivenFiles::default(),
            characters: Vec::new(),
            figures: Figures::default(),
            toast: ToastClock::default(),
            picking: None,
            requests: Vec::new(),
            unstored_secs: None,
        }
    }

    /// Whether the document has changes that no file has.
    pub fn has_unsaved_work(&self) -> bool {
        self.editor.is_dirty()
    }

    /// Whether it has such changes that the page was not asked to store yet.
    pub fn has_unstored_work(&self) -> bool {
        self.has_unsaved_work()
            && (self.unstored_secs.is_some() || !Arc::ptr_eq(self.shown.project(), self.editor.document.project()))
    }

    /// Returns what the page must do since the last call.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Keeps a file that the user picks or drops, until [`PageEditor::picked`] or [`PageEditor::dropped`] with those of the same time.
    pub fn keep_file(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.keep(name, bytes);
    }

    /// Keeps the archive that was saved last at an earlier visit, as a recent file: its download may not have arrived.
    pub fn remember(&mut self, name: &str, bytes: Vec<u8>) {
        self.keep_file(name, bytes);
        self.editor.session.workspace.preferences.recent.insert(0, name.into());
    }

    /// Files of these names were picked for the last request. Of a model and the files beside it, the model is opened.
    pub fn picked(&mut self, mut names: Vec<PathBuf>) {
        self.files.end_pick();
        if let Some(purpose) = self.picking.take().filter(|_| !names.is_empty()) {
            if has_files_beside(purpose) && names.iter().any(|name| purpose.suits(name)) {
                names.retain(|name| purpose.suits(name));
            }
            self.update(answer(purpose, ExportOptions::default(), names));
        }
    }

    /// Files of these names were dropped on the page.
    pub fn dropped(&mut self, names: Vec<PathBuf>) {
        self.files.end_pick();
        self.update(FileAction::Drop(names));
    }

    /// Opens work that an earlier visit did not save.
    pub fn recover(&mut self, name: &str, bytes: Vec<u8>) {
        let opened = wad::decode(&bytes).map_err(|error| error.to_string());
        match opened {
            Ok(wad::Decoded { project, characters, .. }) => {
                self.characters = characters;
                let (project, origin) = (Box::new(project), Origin::Imported(name.into()));
                self.update(FileAction::Loaded { project, origin });
                self.notice(NoticeKind::Info, format!("{name} is as you left it here without saving."));
                // No file has it.
                self.editor.saved = Document::default();
            }
            Err(error) => self.notice(NoticeKind::Error, format!("Unsaved work of {name} can't be read: {error}")),
        }
    }

    /// Updates the editor and performs its effects.
    pub fn update(&mut self, action: impl Into<Action>) {
        let action = action.into();
        if action.pastes(&self.editor) {
            self.editor.update(ClipboardAction::Arrived(self.clipboard.borrow().clone()));
        }
        for effect in self.editor.update(action) {
            self.perform(effect);
        }
        if self.editor.session.is_on(Switch::Follow) {
            self.update(ViewAction::Toggle(Switch::Follow));
            self.needs_program("Games that show the pose");
        }
    }

    /// Builds the panels of a picture and performs the user's actions.
    pub fn ui(
        &mut self,
        surface: &Surface<'_>,
        inputs: ([Option<imgui::TextureId>; 2], &[Thumbnails; 4], &ImagePreviews, &[TypedStroke]),
        (secs, now_ms): (f64, u64),
    ) {
        if self.editor.session.is_lively() {
            self.update(Action::Tick(Time::from_secs(secs.min(MAX_TICK_SECS))));
        }
        let notice = self.editor.session.transient.notice.as_ref();
        if self.toast.advance(notice, secs.min(MAX_TICK_SECS), self.dock.viewport.is_over_toast) {
            self.update(ProgramAction::DismissNotice);
        }
        let no_file = |_: &_| FilePreview::Waiting;
        let (pictures_of_view, [of_keyframes, of_poses, of_clips, of_models], images, strokes) = inputs;
        let (thumbnail, pose_picture) = (|at| of_keyframes.id(at), |at| of_poses.id(at));
        let (clip, model) = (|at| of_clips.id(at), |at| of_models.id(at));
        let image = |image: &_| images.id(image);
        let view = self.editor.view();
        let sheets = needs_program("Sprite sheets");
        let inputs = FrameInputs {
            pictures_of_view,
            pixels: None,
            sprites: SpriteInputs { error: Some(&sheets), ..SpriteInputs::default() },
            thumbnail: &thumbnail,
            pose_picture: &pose_picture,
            pictures: Pictures { clip: &clip, model: &model, image: &image },
            file_preview: &no_file,
            strokes,
            figures: &self.figures,
            toast: self.toast.left(),
            now_ms,
        };
        let actions = self.dock.ui(surface, &self.editor, &view, &inputs);
        actions.into_iter().for_each(|action| self.update(action));
        self.store(secs);
        self.store_preferences();
    }

    /// The viewport's frame.
    pub fn viewport_frame(&self) -> Frame {
        scene::frame(self.editor.source(), &self.editor.view())
    }

    /// Whether pictures must be drawn continuously: something moves, or its time is counted by pictures.
    pub fn is_moving(&self) -> bool {
        let is_counting = self.toast.is_running() || self.unstored_secs.is_some();
        self.editor.session.is_lively() || self.editor.is_searching() || is_counting
    }

    /// Shows a warning of the page.
    pub fn warn(&mut self, text: String) {
        self.notice(NoticeKind::Warning, text);
    }

    fn notice(&mut self, kind: NoticeKind, text: impl Into<String>) {
        self.update(ProgramAction::Notice(kind, text.into()));
    }

    /// Takes over the preferences and shortcuts of an earlier visit. Those that can't be read have their defaults.
    pub fn prefer(&mut self, text: &str) {
        match Reader::parse(text.as_bytes()) {
            Ok(mut reader) => self.preferred = reader.preferences(),
            Err(fault) => self.notice(NoticeKind::Warning, format!("The stored preferences can't be read: {fault}.")),
        }
        let workspace = &mut self.editor.session.workspace;
        (workspace.preferences, workspace.bindings) = self.preferred.clone();
    }

    /// Asks the page to store preferences that changed.
    fn store_preferences(&mut self) {
        let workspace = &self.editor.session.workspace;
        if (&workspace.preferences, &workspace.bindings) != (&self.preferred.0, &self.preferred.1) {
            self.preferred = (workspace.preferences.clone(), workspace.bindings.clone());
            // Files are those of one visit.
            let nowhere = Preferences { recent: Vec::new(), folders: Vec::new(), ..self.preferred.0.clone() };
            self.requests.push(Request::Prefer { text: stored::value(&nowhere, &self.preferred.1).to_string() });
        }
    }

    /// Asks the page to store what is not saved.
    pub fn store_at_once(&mut self) {
        self.store(STORE_AFTER_SECS);
    }

    /// Asks the page to store what is not saved, a while after a change.
    fn store(&mut self, secs: f64) {
        if !Arc::ptr_eq(self.shown.project(), self.editor.document.project()) {
            self.shown = self.editor.document.clone();
            self.unstored_secs.get_or_insert(0.0);
        }
        let Some(age) = &mut self.unstored_secs else { return };
        *age += secs;
        if *age < STORE_AFTER_SECS || self.editor.gesture.is_some() {
            return;
        }
        self.unstored_secs = None;
        let name = self.editor.title.clone();
        let encoded =
            if self.has_unsaved_work() { wad::encode_authored(self.editor.document.project()) } else { Ok(Vec::new()) };
        match encoded {
            Ok(bytes) => self.requests.push(Request::Store { name, bytes }),
            Err(error) => self.notice(NoticeKind::Warning, format!("Unsaved work is not stored: {error}")),
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::AskPath(purpose) | Effect::ShowSystemDialog(purpose, _) => self.ask_path(purpose),
            Effect::Open(path) => self.open(&path, false),
            Effect::OpenSalvaged(path) => self.open(&path, true),
            Effect::OpenDemo => self.open(Path::new(DEMO), false),
            Effect::Import { files, refused, adding } => self.import(files, refused, adding),
            Effect::SortDropped(items) => {
                let mut dropped = DroppedFiles::default();
                items.into_iter().for_each(|item| dropped.add(item));
                self.update(FileAction::Dropped(dropped));
            }
            Effect::Save { document, path, .. } => self.save(document, path),
            Effect::ExportModel { path, model } => match gltf::encode(&model, GlbOptions::default()) {
                Ok(made) => self.download(&path, made.bytes),
                Err(error) => self.notice(NoticeKind::Error, error.to_string()),
            },
            Effect::ReadImage { path, place } => self.read_image(&path, place),
            Effect::ReadSounds(paths) => self.read_sounds(&paths),
            Effect::ReadPalette { path, purpose } => self.read_palette(&path, purpose),
            Effect::FindImages { search, .. } => {
                self.update(MaterialAction::ImagesFound { search, found: FoundImages::default() });
            }
            Effect::Copy(text) => drop(self.clipboard.replace(text)),
            Effect::PlayTest { document, unplayed } => {
                // While the game runs, no picture of the editor is drawn that would store it.
                self.store_at_once();
                match self.encoded(&shown_in(document.project(), unplayed)) {
                    Ok(bytes) => self.requests.push(Request::Play { bytes }),
                    Err(error) => self.notice(NoticeKind::Error, error),
                }
            }
            Effect::ExportPicture { .. } => self.needs_program("Pictures and films"),
            Effect::ExportSprites { .. } => self.needs_program("Sprite sheets"),
            Effect::FindUnsavedWork => {
                self.update(FileAction::ChooseUnsavedWork(None));
                self.notice(NoticeKind::Info, "Your browser keeps the last unsaved work, and this page opens with it.");
            }
            Effect::PlaySound(sound) => self.requests.push(Request::Hear { sound }),
            Effect::Quit => self.notice(NoticeKind::Info, "Close the tab of your browser: unsaved work stays in it."),
            // A page has no folders and no threads, it keeps one document, and notices are in the session.
            Effect::ListFolder(_)
            | Effect::MakeFolder(_)
            | Effect::FindPlaces
            | Effect::DiscardUnsavedWork(_)
            | Effect::DiscardRecovered
            | Effect::CancelJob
            | Effect::Notice(_) => {}
        }
    }

    fn needs_program(&mut self, what: &str) {
        self.notice(NoticeKind::Info, needs_program(what));
    }

    /// Lets the user pick files, or chooses the name of a download.
    fn ask_path(&mut self, purpose: PathPurpose) {
        let stem = Path::new(&self.editor.title).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let written = match purpose {
            PathPurpose::SaveAs => Some(format!("{stem}.wad")),
            PathPurpose::Export => Some(format!("{}.glb", self.editor.model().map_or("model", |model| &*model.name))),
            PathPurpose::Image => return self.needs_program("Pictures and films"),
            PathPurpose::Sprites => return self.needs_program("Sprite sheets"),
            PathPurpose::SavePatch => return self.needs_program("Patches"),
            PathPurpose::TextureFolder => {
                let text = "A page can't look into folders: open the model together with its images.";
                return self.notice(NoticeKind::Info, text);
            }
            _ => None,
        };
        if let Some(name) = written {
            return self.update(answer(purpose, ExportOptions::default(), vec![name.into()]));
        }
        let extensions: &[&str] = if has_files_beside(purpose) { &[] } else { purpose.files().1 };
        let accepts = extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(",");
        self.picking = Some(purpose);
        let takes_many = purpose.takes_several() || has_files_beside(purpose);
        self.requests.push(Request::Pick { accepts, takes_many });
    }

    fn open(&mut self, path: &Path, salvages: bool) {
        match self.read(path, salvages, &self.preferred_options()) {
            Ok(opened) => {
                let (path, is_archive) = (path.to_owned(), opened.is_archive && !salvages);
                let origin =
                    if is_archive { Origin::Archive { below: Vec::new(), path } } else { Origin::Imported(path) };
                self.characters = opened.characters;
                self.update(FileAction::Loaded { project: Box::new(opened.project), origin });
                self.update(ProgramAction::Report(opened.report));
            }
            Err(error) => {
                self.update(ProgramAction::SetAwaiting(false));
                let is_archive = self.files.get(path).is_ok_and(|bytes| wad::is_archive(&bytes));
                self.update(FileAction::NotLoaded { error, damaged: is_archive.then(|| path.to_owned()) });
            }
        }
    }

    fn preferred_options(&self) -> ImportOptions {
        self.editor.session.workspace.preferences.import_options.for_any_file()
    }

    fn read(&self, path: &Path, salvages: bool, options: &ImportOptions) -> Result<Opened, String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        if path == Path::new(DEMO) || TEMPLATES.iter().any(|(template, _)| path == Path::new(template)) {
            let mut opened = read_archive(&self.demo).map_err(|error| named(&error))?;
            opened.is_archive = false;
            if path != Path::new(DEMO) {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                keep_only(&mut opened.project, &name).ok_or_else(|| named(&format!("no model {name:?}")))?;
                opened.characters = Character::bake_all(&opened.project.models, &opened.characters);
            }
            return Ok(opened);
        }
        let bytes = self.files.get(path)?;
        if salvages {
            let salvaged = wad::salvage::salvage(&bytes);
            let decoded = wad::salvage::decode_salvaged(&salvaged).map_err(|error| named(&error))?;
            let report = salvaged.lost.into_iter().chain(decoded.findings).collect();
            let (project, characters) = (decoded.project, decoded.characters);
            return Ok(Opened { project, characters, report, is_archive: false });
        }
        if wad::is_archive(&bytes) {
            return read_archive(&bytes).map_err(|error| named(&error));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut asked = BTreeMap::new();
        let imported = import::import(&name, &bytes, &mut |relative| self.files.beside(path, relative, &mut asked));
        let imported = imported.map_err(|error| named(&error.fault))?;
        let (model, changes) = apply(options, imported.model);
        let mut project = Project::default();
        project.add_model(model);
        let characters = Character::bake_all(&project.models, &[]);
        Ok(Opened {
            project,
            characters,
            report: imported.report.into_iter().chain(changes).collect(),
            is_archive: false,
        })
    }

    fn import(&mut self, files: Vec<PathBuf>, mut refused: Vec<Refused>, adding: Adding) {
        let (mut projects, mut fitted) = (Vec::new(), Fitted::default());
        let target = self.editor.model().cloned();
        let options = match &target {
            Some(model) if adding == Adding::Changed => ImportOptions::clone(&model.import_options),
            _ => self.preferred_options(),
        };
        for path in files {
            match self.read(&path, false, &options) {
                Ok(opened) => {
                    if let Some(target) = target.as_ref().filter(|_| adding != Adding::Changed) {
                        let gives = |model: &&Arc<_>| adding == Adding::Clips || is_library(model);
                        let found = libraries(&opened.project.models).filter(gives);
                        found.for_each(|library| fitted.add(target, library, (&options).into()));
                    }
                    self.update(ProgramAction::Report(opened.report));
                    self.characters.extend(opened.characters);
                    projects.push((path, opened.project));
                }
                Err(reason) => refused.push(Refused { name: path.display().to_string(), reason }),
            }
        }
        self.update(FileAction::LoadedToAdd { read: ReadFiles { projects, refused, fitted }, adding });
    }

    /// An archive with the clips as games play them.
    fn encoded(&mut self, project: &Project) -> Result<Vec<u8>, String> {
        self.characters = Character::bake_all(&project.models, &self.characters);
        wad::encode(project, &self.characters).map_err(|error| error.to_string())
    }

    fn save(&mut self, document: Document, path: PathBuf) {
        match self.encoded(document.project()) {
            Ok(bytes) => {
                self.keep_file(&path.to_string_lossy(), bytes.clone());
                self.download(&path, bytes);
                self.update(FileAction::Saved { document, path, below: Vec::new() });
                self.unstored_secs = Some(0.0);
            }
            Err(error) => self.notice(NoticeKind::Error, format!("{}: {error}", path.display())),
        }
    }

    fn download(&mut self, path: &Path, bytes: Vec<u8>) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.notice(NoticeKind::Info, format!("{name} is a download of your browser."));
        self.requests.push(Request::Download { name, bytes });
    }
}

/// Whether it is a model, which may need the files beside it, of any kind: they must be picked with it.
fn has_files_beside(purpose: PathPurpose) -> bool {
    purpose.has_import_options() || purpose == PathPurpose::Changed
}

fn needs_program(what: &str) -> String {
    format!("{what} need the installed program: save, and open the archive there.")
}

fn read_archive(bytes: &Bytes) -> Result<Opened, wad::WadError> {
    let wad::Decoded { project, characters, findings, .. } = wad::decode_shared(bytes)?;
    Ok(Opened { project, characters, report: findings, is_archive: true })
}

mod given_files;
mod given_media;
#[cfg(test)]
mod tests;
