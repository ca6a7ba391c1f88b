//! The editing mode in the window: the editor and its panels, and the effects that it asks for.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use imgui::TextureId;
use winit::event_loop::EventLoopProxy;

use crate::anim::time::Time;
use crate::app::desktop::{Start, StartMode};
use crate::app::files::{self, Opened};
use crate::app::follow::sender::Sender;
use crate::app::frame_meter::FrameMeter;
use crate::app::message::{Message, Reading};
use crate::app::recorder::Recorder;
use crate::app::texture_previews::TexturePreviews;
use crate::app::thumbnails::Thumbnails;
use crate::app::{dialogs, folders, workers};
use crate::assets::character::Character;
use crate::assets::named_pose::NamedPose;
use crate::assets::project::Project;
use crate::editor::document::Document;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::window::dock::{Brought, Desk, desk_ui};
use crate::editor::panels::window::status_bar::Figures;
use crate::editor::session::notice::{Notice, NoticeKind};
use crate::editor::session::shortcuts::Stroke;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, Origin};
use crate::editor::view::scene;
use crate::render::frame::Frame;

mod effects;
mod jobs;
mod messages;

use jobs::Jobs;

/// How long good news stay over the picture.
const NEWS: Duration = Duration::from_secs(6);

/// Time goes on by no more than this in one frame.
const LONGEST_TICK: Duration = Duration::from_secs(1);

/// What was drawn for the panels to show.
pub struct Pictures<'a> {
    /// The model.
    pub viewport: Option<TextureId>,
    /// Of keyframes and of poses of the library.
    pub thumbnails: &'a [Thumbnails; 2],
    /// Of the model's textures.
    pub textures: &'a TexturePreviews,
}

/// The editing mode.
pub struct EditorHost {
    /// What is edited.
    pub editor: Editor,
    /// What the panels keep.
    pub desk: Desk,
    /// The document that the game mode is to play.
    pub play_test: Option<Document>,
    /// The models as they were last baked, by reading, saving or playing: what is baked next shares their clips.
    pub characters: Vec<Arc<Character>>,
    /// Something happened since the picture was drawn.
    pub is_picture_stale: bool,
    /// The program is to end.
    pub is_done: bool,
    figures: Figures,
    meter: FrameMeter,
    /// One frame is due on the screen in that time.
    refresh: Duration,
    proxy: EventLoopProxy<Message>,
    recorder: Option<Recorder>,
    /// Where the document comes from that is about to be the editor's.
    arriving: Option<Origin>,
    /// Which of the editor's documents is recorded.
    opened: Option<u32>,
    /// Why the journal could not be written at the last look.
    trouble: Option<String>,
    jobs: Jobs,
    /// What is told once the first document is there, for that begins without notices.
    notes: Vec<String>,
    /// Good news over the picture, since when.
    news: Option<(Notice, Instant)>,
    /// The document as it was before what a crash left was put back.
    unrecovered: Option<(Arc<Project>, Origin)>,
    /// False while the program was started to play and nothing was edited: then it keeps no journal, so that the editor
    /// beside it has the file.
    is_editing: bool,
    /// Shows the pose in games, and the one that it shows.
    sender: Option<(Sender, NamedPose)>,
}

impl EditorHost {
    /// An empty document; the file that the program was started with is being read. The screen shows a frame every
    /// `refresh`.
    pub fn new(start: &Start, refresh: Duration, proxy: EventLoopProxy<Message>) -> EditorHost {
        let mut editor = Editor::new(Project::default(), &Origin::New);
        editor.session.workspace.preferences = start.saved.preferences.clone();
        editor.session.workspace.bindings = start.saved.bindings.clone();
        let mut host = EditorHost {
            editor,
            desk: Desk::default(),
            play_test: None,
            characters: Vec::new(),
            is_picture_stale: true,
            is_done: false,
            figures: Figures::default(),
            meter: FrameMeter::default(),
            refresh,
            proxy,
            recorder: None,
            arriving: None,
            opened: None,
            trouble: None,
            jobs: Jobs::default(),
            news: None,
            notes: start.notes.clone(),
            unrecovered: None,
            is_editing: start.mode == StartMode::Edit,
            sender: None,
        };
        let is_demo = start.files.is_empty() && matches!(start.mode, StartMode::Play(_));
        let files = if is_demo { vec![files::DEMO.into()] } else { start.files.clone() };
        if !files.is_empty() {
            host.opened = Some(host.editor.opened);
            host.editor.update(Action::Await(true));
            host.read(files, Reading::Open);
        }
        if start.files.is_empty() {
            host.tell_notes();
        }
        host.find_missing();
        host
    }

    /// True while keys are text, or are about to be.
    pub fn awaits_text(&self) -> bool {
        self.desk.awaits_text(&self.editor.session)
    }

    /// The window does not hear any more how the mouse and the keys go on.
    pub fn lose_focus(&mut self) {
        if self.desk.let_go() || self.editor.gesture.is_some() || self.editor.session.transient.pointer.press.is_some()
        {
            self.update(Action::Cancel);
        }
    }

    /// True while something runs in another thread: how far it is changes by itself.
    pub fn is_busy(&self) -> bool {
        self.jobs.is_busy()
    }

    /// When the good news over the picture go; what is wrong stays until it is dismissed.
    pub fn news_go_at(&self) -> Option<Instant> {
        self.news.as_ref().map(|(_, since)| *since + NEWS)
    }

    fn follow_news(&mut self) {
        let notice = self.editor.session.transient.notice.clone().filter(|notice| notice.kind == NoticeKind::Info);
        let is_known = self.news.as_ref().map(|(known, _)| known) == notice.as_ref();
        if !is_known {
            self.news = notice.map(|notice| (notice, Instant::now()));
        } else if self.news_go_at().is_some_and(|end| end <= Instant::now()) {
            self.news = None;
            self.update(Action::DismissNotice);
        }
    }

    /// True while frames follow each other by themselves.
    pub fn is_moving(&self) -> bool {
        self.editor.session.is_lively() || self.desk.is_checking()
    }

    /// A file was dropped on the window: a picture goes on the model, anything else is opened.
    pub fn drop_file(&mut self, path: PathBuf) {
        self.update(match files::is_image(&path) {
            true => Action::DropImage(path),
            false => Action::Open(Some(path)),
        });
    }

    /// Does what was asked, effects included.
    pub fn update(&mut self, action: Action) {
        self.is_picture_stale = true;
        for effect in self.editor.update(action) {
            self.perform(effect);
        }
        self.record();
    }

    /// Keeps the journal; nothing that was done is shown before it is written down.
    fn record(&mut self) {
        if !self.is_editing {
            return;
        }
        if self.is_new_document() {
            let origin = self.arriving.take().unwrap_or(Origin::New);
            if let Some(recorder) = self.recorder.take() {
                recorder.close();
            }
            self.attach(origin);
        } else if let Some(recorder) = &mut self.recorder {
            let trouble = recorder.observe(&self.editor).err().or_else(|| recorder.trouble());
            // Said once, not at every move of the mouse.
            if trouble.is_some() && trouble != self.trouble {
                let text = trouble.clone().unwrap_or_default();
                self.editor.update(Action::Notice(NoticeKind::Error, text));
            }
            self.trouble = trouble;
        }
    }

    /// Keeps the journal of another document from now on, and puts back what a crash left of it.
    fn attach(&mut self, origin: Origin) {
        let before = self.editor.document.project().clone();
        let (recorder, notes) = Recorder::attach(&mut self.editor, &origin);
        self.recorder = Some(recorder);
        let has_only_recovered = notes.len() == 1;
        for note in notes {
            self.editor.update(Action::Notice(NoticeKind::Warning, note));
        }
        let steps = self.editor.history.undo_count() + self.editor.history.redo_count();
        self.unrecovered = (steps > 0 && self.editor.is_dirty()).then_some((before, origin));
        if self.unrecovered.is_some() {
            self.editor.update(Action::Recovered(steps));
            // The line that offers to throw it away says it already.
            if has_only_recovered {
                self.editor.update(Action::DismissNotice);
            }
        }
    }

    /// A game that the program was started with is left: from now on the document is edited. `latest` is what its files
    /// hold by now, where they changed meanwhile.
    pub fn begin_editing(&mut self, latest: Option<(Vec<PathBuf>, Box<Opened>)>) {
        if std::mem::replace(&mut self.is_editing, true) {
            return;
        }
        match latest {
            Some((files, opened)) => self.loaded(&files, Reading::Open, *opened),
            None => {
                self.opened = None;
                self.record();
            }
        }
    }

    fn tell_notes(&mut self) {
        for note in std::mem::take(&mut self.notes) {
            self.editor.update(Action::Notice(NoticeKind::Warning, note));
        }
    }

    fn discard_recovered(&mut self) {
        let Some((project, origin)) = self.unrecovered.take() else { return };
        self.close();
        self.arriving = Some(origin.clone());
        self.update(Action::Loaded { project: Box::new((*project).clone()), origin });
    }

    fn find_missing(&self) {
        let recent = self.editor.session.workspace.preferences.recent.clone();
        if !recent.is_empty() {
            workers::find_missing(recent, &self.proxy);
        }
    }

    /// True where the document is another one, not the next step of the one before.
    fn is_new_document(&mut self) -> bool {
        let opened = self.editor.opened;
        self.opened.replace(opened) != Some(opened)
    }

    /// The program ends as it was asked to: nothing is to be recovered.
    pub fn close(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            recorder.close();
        }
    }

    /// Builds the panels of a frame and does what the user did in them.
    pub fn ui(&mut self, kit: &Kit<'_>, pictures: &Pictures<'_>, strokes: &[Stroke], elapsed: Duration) {
        self.advance(elapsed);
        self.show_jobs();
        self.follow_news();
        let view = self.editor.view();
        let Pictures { viewport, thumbnails: [of_keyframes, of_poses], textures } = pictures;
        let (thumbnail, pose_picture) = (|at| of_keyframes.id(at), |at| of_poses.id(at));
        let texture = |at| textures.id(at);
        let brought = Brought {
            picture: *viewport,
            texture: &texture,
            thumbnail: &thumbnail,
            pose_picture: &pose_picture,
            strokes,
            figures: &self.figures,
        };
        let actions = desk_ui(kit, &Seen::new(&self.editor, &view), &mut self.desk, &brought);
        actions.into_iter().for_each(|action| self.update(action));
        self.show_in_games();
        if let Some(field) = &mut self.desk.path
            && std::mem::take(&mut field.is_browse_wanted)
        {
            let start = PathBuf::from(&field.text);
            dialogs::ask(field.ask, start, &self.proxy);
        }
    }

    /// Shows the pose in games that follow, while that is switched on.
    fn show_in_games(&mut self) {
        if !self.editor.session.is_on(Switch::Follow) {
            (self.sender, self.figures.followers) = (None, None);
            return;
        }
        if self.sender.is_none() {
            let proxy = self.proxy.clone();
            let told = move || drop(proxy.send_event(Message::Followed));
            let folder =
                folders::state().ok_or("The pose can't be shown: the system names no folder for state.".to_owned());
            match folder.and_then(|folder| Sender::start(&folder, told)) {
                Ok(sender) => {
                    let text = "Games that are started with `keypose play FILE --follow` show this pose now.";
                    self.update(Action::Notice(NoticeKind::Info, text.into()));
                    self.sender = Some((sender, NamedPose::default()));
                }
                Err(error) => {
                    self.update(Action::Toggle(Switch::Follow));
                    self.update(Action::Notice(NoticeKind::Error, error));
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

    /// The picture of the viewport as it is now.
    pub fn picture(&self) -> Frame {
        scene::frame(self.editor.source(), &self.editor.view())
    }

    fn advance(&mut self, elapsed: Duration) {
        if self.editor.session.is_lively() {
            self.meter.draw(Instant::now(), elapsed, self.frame_due());
            // A window that was hidden for long does not make time jump.
            self.update(Action::Tick(Time::from_secs(elapsed.min(LONGEST_TICK).as_secs_f64())));
        } else {
            self.meter.clear();
        }
        (self.figures.frames_per_sec, self.figures.dropped) = (self.meter.frames_per_sec(), self.meter.dropped());
    }

    /// In what time a frame is due while something plays: as the clip has them, as far as the screen can show them.
    fn frame_due(&self) -> Duration {
        let speed = self.editor.session.focus.playhead.speed;
        let clip = self.editor.clip().filter(|_| self.editor.session.focus.playhead.is_playing);
        let of_clip = clip.map(|slot| Duration::from_secs_f64(slot.clip.frame_rate.frame().secs() / speed));
        self.refresh.max(of_clip.unwrap_or_default())
    }
}
