//! The actions about files and about the program itself.

use std::path::PathBuf;

use crate::editor::document::Document;
use crate::editor::session::command::Command;
use crate::editor::session::dropped::{DroppedFiles, Refused};
use crate::editor::session::file_view::FileView;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::recent_file::RecentFile;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::session::unsaved_work::UnsavedWork;
use crate::editor::session::{Answer, Popup};
use crate::editor::state::action::Origin;
use crate::editor::state::effect::Adding;
use crate::editor::state::export_options::ExportOptions;
use keypose::assets::project::Project;
use keypose_tools::clip_library::Fitted;
use keypose_tools::reimport::SameClips;

/// Files that were read to be added.
#[derive(Clone, Debug, Default)]
pub struct ReadFiles {
    pub projects: Vec<(PathBuf, Project)>,
    /// The files that could not be read.
    pub refused: Vec<Refused>,
    /// The clips of their libraries that are converted already.
    pub fitted: Fitted,
}

/// Files, the game mode, quitting.
#[derive(Clone, Debug)]
pub enum FileAction {
    /// An empty document; asks first if there are unsaved changes.
    New,
    /// Asks for a path if none is given, and first if there are unsaved changes.
    Open(Option<PathBuf>),
    /// The readable part of a damaged archive, as a document without a file; asks first if there are unsaved changes.
    OpenSalvaged(PathBuf),
    /// A file could not be read. Offers to salvage a damaged archive.
    NotLoaded {
        error: String,
        damaged: Option<PathBuf>,
    },
    /// The demo archive, as a document without a file; asks first if there are unsaved changes.
    OpenDemo,
    /// Adds the models of files to the document; asks for paths if there are none.
    Import(Vec<PathBuf>),
    /// Adds the clips of files to the active model; asks for paths if there are none.
    AddClips(Vec<PathBuf>),
    /// Imports a changed model in place of the active one, after a question; asks for a path if none is given.
    Reimport(Option<PathBuf>),
    /// Shows the unsaved work that crashes left, and lists it again.
    FindUnsavedWork,
    /// The answer to `Effect::FindUnsavedWork`, which the start screen shows, too.
    UnsavedWorkListed(Vec<UnsavedWork>),
    /// Closes the list, and opens one of its files, if any.
    ChooseUnsavedWork(Option<PathBuf>),
    /// Deletes the unsaved work whose steps are in a file.
    DiscardUnsavedWork(PathBuf),
    /// The answer to the question about a re-import.
    AnswerReimport(ReimportAnswer),
    /// The file that the active model was imported from was changed after the document was saved.
    SourceChanged(PathBuf),
    /// Files, folders and URLs were dropped on the window.
    Drop(Vec<PathBuf>),
    /// The answer to `Effect::SortDropped`.
    Dropped(DroppedFiles),
    /// The answer to the question about dropped archives.
    AnswerDrop(DropAnswer),
    Save,
    /// Asks for a path if none is given.
    SaveAs(Option<PathBuf>),
    /// Writes only what differs from the base archive; asks for a path if none is given.
    SavePatch(Option<PathBuf>),
    /// Exports a GIF or PNG; asks for a path if none is given.
    Export(Option<(PathBuf, ExportOptions)>),
    /// Exports the active model for other programs; asks for a path if none is given.
    ExportModel(Option<PathBuf>),
    /// Cancels the running import or export.
    CancelJob,
    PlayTest,
    /// Asks first if there are unsaved changes.
    Quit,
    /// The answer to the question about unsaved changes.
    Answer(Answer),
    /// A file was read (after `Effect::Open`).
    Loaded {
        project: Box<Project>,
        origin: Origin,
    },
    /// The document is shown as its file was shown before.
    ShowAsBefore(Box<FileView>),
    /// Files were read to be added (after `Effect::Import`).
    LoadedToAdd {
        read: ReadFiles,
        adding: Adding,
    },
    /// The document was written (after `Effect::Save`).
    Saved {
        document: Document,
        path: PathBuf,
        /// The archives below it if it is a patch, else empty.
        below: Vec<PathBuf>,
    },
    /// This many unsaved steps of an earlier session were restored.
    Recovered(usize),
    /// Keeps the restored steps; closes the question if it is open.
    KeepRecovered,
    /// Discards the restored steps: the first time asks, the second time does it.
    DiscardRecovered,
}

/// An answer to the question about a re-import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReimportAnswer {
    /// Does it.
    Apply,
    /// Chooses which clips stay; the question stays open.
    SameClips(SameClips),
    /// Nothing.
    Cancel,
}

/// The use of dropped archives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropAnswer {
    /// Opens one of them.
    Open(PathBuf),
    /// Adds their models, and the other dropped models, to the document.
    Add,
    Nothing,
}

/// Popups, keys, notices.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramAction {
    /// Opens a popup, or closes the open one.
    ShowPopup(Option<Popup>),
    /// Opens the manual at the page about the panel under the mouse.
    ShowManual,
    /// Opens the clip check, which starts checking.
    CheckClips,
    Bind {
        command: Command,
        strokes: Vec<Stroke>,
    },
    /// Every command gets its default keys.
    ResetKeys,
    /// Whether a document that the program was started with is still being read.
    SetAwaiting(bool),
    /// The recent files with their sizes and times.
    RecentFiles(Vec<RecentFile>),
    /// Shows the first steps from the beginning, or closes them.
    ShowFirstSteps(bool),
    GoToFirstStep(usize),
    /// Shows a message and logs it.
    Notice(NoticeKind, String),
    /// Logs the findings of an import, the worst first, and shows the first.
    Report(Vec<String>),
    /// Accepts the offer of the message.
    AcceptOffer,
    /// The panels did what they were asked to ([`crate::editor::session::transient::Request`]).
    RequestsHandled,
    /// Hides the message; the log keeps it.
    DismissNotice,
}
