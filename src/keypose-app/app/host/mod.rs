//! The editor in the window: the editor, its panels, and the effects that it requests.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use imgui::TextureId;
use winit::event_loop::EventLoopProxy;

use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose::assets::named_pose::NamedPose;
use keypose::assets::project::Project;
use keypose_editor::editor::document::Document;
use keypose_editor::editor::panels::sprites::SpriteInputs;
use keypose_editor::editor::panels::ui::Pictures;
use keypose_editor::editor::panels::ui::figures::age;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::view::pixels::PixelPicture;
use keypose_editor::editor::panels::view::toast::ToastClock;
use keypose_editor::editor::panels::window::browser::preview::FileVersion;
use keypose_editor::editor::panels::window::dock::{Dock, FrameInputs};
use keypose_editor::editor::panels::window::status_bar::Figures;
use keypose_editor::editor::session::file_view::FileView;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::{ModelFiles, Prefer};
use keypose_editor::editor::session::shortcuts::TypedStroke;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, ClipboardAction, DocumentAction, FileAction, Origin, ProgramAction, ViewAction,
};
use keypose_editor::editor::view::{pixels, scene};
use keypose_editor::render::frame::Frame;
use keypose_tools::unplayed_clip::UnplayedClip;

use crate::app::files::folders;
use crate::app::files::views::{self, StoredView};
use crate::app::files::{self, Opened};
use crate::app::follow::sender::Sender;
use crate::app::host::message::Message;
use crate::app::play::sound::Speaker;
use crate::app::preferences::Layout;
use crate::app::previews::files::FilePreviews;
use crate::app::window::clipboard::PoseClipboard;
use crate::app::window::desktop::{Start, StartMode};
use crate::app::window::frame_meter::FrameMeter;
use crate::app::work::list::millis;
use crate::app::work::recorder::Recorder;
use keypose_editor::image_previews::ImagePreviews;
use keypose_editor::thumbnails::Thumbnails;

pub(crate) mod chores;
mod effects;
mod jobs;
pub(crate) mod message;
mod messages;
pub(crate) mod sheets;
mod unsaved;
pub(crate) mod workers;

use chores::Chores;
use jobs::Jobs;
use sheets::Sheets;

/// Time between two frames of the line that shows how long a notice stays.
const TOAST_FRAME: Duration = Duration::from_millis(50);

/// Maximum time by which a frame advances playback.
const MAX_TICK: Duration = Duration::from_secs(1);

/// Images that the panels show.
pub struct PanelImages<'a> {
    /// The textures of the viewport and of the view from beside.
    pub viewport: [Option<TextureId>; 2],
    /// The pose on screen as a sprite.
    pub pixels: Option<Result<PixelPicture, &'a str>>,
    /// The chosen image of the sprite sheet.
    pub atlas: Option<TextureId>,
    /// Thumbnails of keyframes, of saved poses and of clips.
    pub thumbnails: &'a [Thumbnails; 4],
    /// Small pictures of textures and of frames of films.
    pub images: &'a ImagePreviews,
    /// Thumbnails of files.
    pub files: &'a FilePreviews,
}

/// The editor and everything around it.
pub struct EditorHost {
    /// The state of the editor.
    pub editor: Editor,
    /// The state of the panels.
    pub dock: Dock,
    /// A document to play in the game.
    pub play_test: Option<(Document, Option<UnplayedClip>)>,
    /// The models with the bakes of the last read, save or game. The next bake reuses their unchanged clips.
    pub characters: Vec<Arc<Character>>,
    /// Whether the viewport must be drawn again.
    pub is_viewport_stale: bool,
    /// The fraction of a new model that the viewport shows; `None` if it is whole.
    pub upload: Option<f32>,
    /// Whether the program must quit.
    pub is_done: bool,
    /// Plays sounds, of the editor and of the game.
    pub speaker: Speaker,
    figures: Figures,
    meter: FrameMeter,
    /// Duration of a frame of the screen.
    refresh: Duration,
    proxy: EventLoopProxy<Message>,
    recorder: Option<Recorder>,
    /// The origin of the document that is about to be loaded.
    arriving: Option<Origin>,
    /// The digest of what the last document was read from.
    digest: Option<u64>,
    /// The number of the editor's document that is recorded.
    opened: Option<u32>,
    /// The last error of the recorder, which is reported once.
    record_error: Option<String>,
    chores: Chores,
    jobs: Jobs,
    sheets: Sheets,
    clipboard: PoseClipboard,
    /// The file of the document, also if it was imported.
    origin_file: Option<PathBuf>,
    /// Files that were closed or saved, and what was shown of them, to be stored with the layout of the panels.
    pub left: Vec<(PathBuf, FileView)>,
    /// The layout of the panels that belongs to the file that was just opened.
    pub layout_before: Option<Layout>,
    /// Messages to report after the first document is loaded, which clears earlier ones.
    notes: Vec<String>,
    /// Whether the command line allows imported models to refer to any file.
    allows_any_file: bool,
    toast: ToastClock,
    /// The document before crash recovery.
    unrecovered: Option<(Arc<Project>, Origin)>,
    /// False if the program was started to play, until the document is edited. Without editing nothing is recorded, so
    /// that another editor can open the file.
    is_editing: bool,
    /// The changed source that was offered last, and when it was written.
    source_seen: Option<(PathBuf, SystemTime)>,
    /// The sender of follow mode, and the pose that it sent last.
    sender: Option<(Sender, NamedPose)>,
}

impl EditorHost {
    /// Starts with an empty document and reads the files of the command line. `refresh` is the duration of a frame of
    /// the screen.
    pub fn new(start: &Start, refresh: Duration, proxy: EventLoopProxy<Message>) -> EditorHost {
        let mut editor = Editor::new(Project::default(), &Origin::New);
        editor.session.workspace.preferences = start.saved.preferences.clone();
        editor.session.workspace.bindings = start.saved.bindings.clone();
        editor.caches.defer();
        let dock = Dock::default();
        dock.checks.defer();
        let mut host = EditorHost {
            editor,
            dock,
            play_test: None,
            characters: Vec::new(),
            is_viewport_stale: true,
            upload: None,
            is_done: false,
            speaker: speaker(&proxy),
            figures: Figures::default(),
            meter: FrameMeter::default(),
            refresh,
            proxy,
            recorder: None,
            arriving: None,
            digest: None,
            opened: None,
            record_error: None,
            chores: Chores::default(),
            jobs: Jobs::default(),
            sheets: Sheets::default(),
            clipboard: PoseClipboard::new(),
            origin_file: None,
            left: Vec::new(),
            layout_before: None,
            toast: ToastClock::default(),
            notes: start.notes.clone(),
            allows_any_file: start.model_files == ModelFiles::Anywhere,
            unrecovered: None,
            is_editing: start.mode == StartMode::Edit,
            sender: None,
            source_seen: None,
        };
        let is_demo = start.files.is_empty() && matches!(start.mode, StartMode::Play(_));
        let files = if is_demo { vec![files::DEMO.into()] } else { start.files.clone() };
        if !files.is_empty() {
            host.opened = Some(host.editor.opened);
            host.editor.update(ProgramAction::SetAwaiting(true));
            host.read(files);
        }
        if start.files.is_empty() {
            host.report_notes();
            // The new document begins before the first action.
            host.record();
        } else {
            host.find_recent();
        }
        host
    }

    /// Cancels the drag in progress, because the window no longer receives the mouse and the keyboard.
    pub fn lose_focus(&mut self) {
        if self.dock.cancel() || self.editor.gesture.is_some() || self.editor.session.transient.pointer.press.is_some()
        {
            self.update(DocumentAction::Cancel);
        }
    }

    /// Whether a job is running, whose progress changes.
    pub fn is_busy(&self) -> bool {
        self.jobs.is_busy() || self.sheets.progress().is_some()
    }

    /// When a text changes without an event: the line of a notice runs down, or the time since the last record grows.
    pub fn text_changes_at(&self) -> Option<Instant> {
        let written = self.recorder.as_ref().and_then(Recorder::written);
        let older = written.map(|written| written + Duration::from_secs(age(written.elapsed().as_secs()).1));
        let runs_down = self.toast.is_running().then(|| Instant::now() + TOAST_FRAME);
        let has_ages = self.dock.has_ages(&self.editor);
        let ages = has_ages.then(|| Instant::now() + Duration::from_secs(10));
        [runs_down, older, ages].into_iter().flatten().min()
    }

    /// Whether frames must be drawn continuously.
    pub fn is_moving(&self) -> bool {
        self.editor.session.is_lively() || self.editor.is_searching() || self.dock.is_checking()
    }

    /// Notes what is printed on a key that was pressed.
    pub fn learn_key(&mut self, place: char, printed: char) {
        if self.editor.session.workspace.preferences.printed_keys.clone().learn(place, printed) {
            self.update(Prefer::Printed { place, printed });
        }
    }

    /// Updates the editor and performs its effects.
    pub fn update(&mut self, action: impl Into<Action>) {
        self.is_viewport_stale = true;
        let action = action.into();
        if action.pastes(&self.editor)
            && let Some(text) = self.clipboard.last()
        {
            self.editor.update(ClipboardAction::Arrived(text));
        }
        let leaves = matches!(action, Action::File(_) | Action::Run(_));
        let (opened, shown) = (self.editor.opened, leaves.then(|| self.shown_file()).flatten());
        let is_saved = matches!(action, Action::File(FileAction::Saved { .. }));
        for effect in self.editor.update(action) {
            self.perform(effect);
        }
        if self.editor.opened != opened {
            self.left.extend(shown);
        } else if is_saved {
            self.left.extend(self.shown_file());
        }
        self.record();
    }

    /// The file of the document and what is shown of it; `None` for a new document.
    pub fn shown_file(&self) -> Option<(PathBuf, FileView)> {
        if !self.is_editing {
            return None;
        }
        Some((self.editor.file.clone().or_else(|| self.origin_file.clone())?, self.editor.file_view()?))
    }

    /// Shows the document as its file was shown when it was closed last.
    fn show_as_before(&mut self, origin: &Origin) {
        self.origin_file = match origin {
            Origin::Archive { path, .. } | Origin::Imported(path) => Some(path.clone()),
            Origin::New => None,
        };
        if let Some(StoredView { view, layout }) = self.origin_file.as_deref().and_then(views::load) {
            self.editor.update(FileAction::ShowAsBefore(Box::new(view)));
            self.layout_before = layout;
        }
    }

    /// Starts editing after a game that the program was started with. `latest` is the content of its files if they
    /// changed during the game.
    pub fn begin_editing(&mut self, latest: Option<(Vec<PathBuf>, Box<Opened>)>) {
        if std::mem::replace(&mut self.is_editing, true) {
            return;
        }
        match latest {
            Some((files, opened)) => self.loaded(&files, *opened),
            None => {
                self.opened = None;
                self.record();
            }
        }
    }

    fn report_notes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.editor.update(ProgramAction::Notice(NoticeKind::Warning, note));
        }
    }

    fn find_recent(&self) {
        let recent = self.editor.session.workspace.preferences.recent.clone();
        if !recent.is_empty() {
            workers::find_recent(recent, &self.proxy);
        }
    }

    /// Builds the panels of a frame and performs the user's actions.
    pub fn ui(&mut self, frame: &Surface<'_>, pictures: &PanelImages<'_>, strokes: &[TypedStroke], elapsed: Duration) {
        self.advance(elapsed);
        self.show_jobs();
        let (notice, secs) = (self.editor.session.transient.notice.as_ref(), elapsed.min(MAX_TICK).as_secs_f64());
        if self.toast.advance(notice, secs, self.dock.viewport.is_over_toast) {
            self.update(ProgramAction::DismissNotice);
        }
        if self.recorder.as_ref().is_some_and(Recorder::has_failed) {
            self.record();
        }
        let written = self.recorder.as_ref().and_then(Recorder::written);
        let unsaved = written.filter(|_| self.editor.is_dirty());
        self.figures.unsaved_secs = unsaved.map(|written| written.elapsed().as_secs());
        let view = self.editor.view();
        let PanelImages { viewport, thumbnails: [of_keyframes, of_poses, of_clips, of_models], images, files, .. } =
            pictures;
        let (thumbnail, pose_picture) = (|at| of_keyframes.id(at), |at| of_poses.id(at));
        let (clip, model) = (|at| of_clips.id(at), |at| of_models.id(at));
        let image = |image: &_| images.id(image);
        let file_preview = |version: &FileVersion| files.of(version);
        let inputs = FrameInputs {
            pictures_of_view: *viewport,
            pixels: pictures.pixels,
            sprites: SpriteInputs { atlas: pictures.atlas, ..self.sheets.inputs() },
            thumbnail: &thumbnail,
            pose_picture: &pose_picture,
            pictures: Pictures { clip: &clip, model: &model, image: &image },
            file_preview: &file_preview,
            strokes,
            figures: &self.figures,
            toast: self.toast.left(),
            now_ms: millis(SystemTime::now()),
        };
        let actions = self.dock.ui(frame, &self.editor, &view, &inputs);
        actions.into_iter().for_each(|action| self.update(action));
        self.show_in_games();
        self.begin_chores();
        self.show_films();
        self.rig_wanted();
        self.make_sheet();
    }

    /// Sends the pose to games in follow mode, if that is on.
    fn show_in_games(&mut self) {
        if !self.editor.session.is_on(Switch::Follow) {
            (self.sender, self.figures.followers) = (None, None);
            return;
        }
        if self.sender.is_none() {
            let proxy = self.proxy.clone();
            let notify = move || drop(proxy.send_event(Message::Followed));
            let folder = folders::state()
                .ok_or("Follow mode is not available: the system has no folder for application state.".to_owned());
            match folder.and_then(|folder| Sender::start(&folder, notify)) {
                Ok(sender) => {
                    let text = "Games started with `keypose play FILE --follow` now show this pose.";
                    self.update(ProgramAction::Notice(NoticeKind::Info, text.into()));
                    self.sender = Some((sender, NamedPose::default()));
                }
                Err(error) => {
                    self.update(ViewAction::Toggle(Switch::Follow));
                    self.update(ProgramAction::Notice(NoticeKind::Error, error));
                }
            }
        }
        let view = self.editor.view();
        let (Some((sender, shown)), Some(model)) = (&mut self.sender, &view.model) else { return };
        self.figures.followers = Some(sender.followers());
        let clip = view.clip.as_ref().map_or("", |clip| &clip.name);
        let pose = NamedPose::of(model, clip, view.time, &view.local);
        if pose != *shown {
            sender.show(&pose);
            *shown = pose;
        }
    }

    /// Whether the viewport shows pixels.
    pub fn shows_pixels(&self) -> bool {
        pixels::is_shown(&self.editor.session) && self.editor.model().is_some()
    }

    /// The viewport's frame.
    pub fn viewport_frame(&self) -> Frame {
        scene::frame(self.editor.source(), &self.editor.view())
    }

    fn advance(&mut self, elapsed: Duration) {
        if self.editor.session.is_lively() {
            self.meter.draw(Instant::now(), elapsed, self.frame_due());
            // After the window was hidden, playback does not jump.
            self.update(Action::Tick(Time::from_secs(elapsed.min(MAX_TICK).as_secs_f64())));
        } else {
            self.meter.clear();
        }
        (self.figures.frames_per_sec, self.figures.dropped) = (self.meter.frames_per_sec(), self.meter.dropped());
    }

    /// The time between two frames during playback: as the clip's frame rate, limited by the screen.
    fn frame_due(&self) -> Duration {
        let speed = self.editor.session.focus.playhead.speed;
        let is_playing = self.editor.session.focus.playhead.is_playing;
        let clip = if is_playing { self.editor.clip() } else { None };
        let of_clip = clip.map(|slot| Duration::from_secs_f64(slot.clip.frame_rate.frame().secs() / speed));
        self.refresh.max(of_clip.unwrap_or_default())
    }
}

/// Reports once if sound is not available.
fn speaker(proxy: &EventLoopProxy<Message>) -> Speaker {
    let proxy = proxy.clone();
    Speaker::new(move |reason| {
        let notice = ProgramAction::Notice(NoticeKind::Info, reason);
        let _ = proxy.send_event(Message::Update(notice.into()));
    })
}
