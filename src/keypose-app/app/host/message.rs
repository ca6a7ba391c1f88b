//! Messages of other threads to the event loop.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use keypose::assets::character::Character;
use keypose_editor::editor::document::Document;
use keypose_editor::editor::ops::rigging::{Made, RigWork};
use keypose_editor::editor::panels::ui::fonts::ExtraFonts;
use keypose_editor::editor::session::dropped::Refused;
use keypose_editor::editor::state::action::{Action, MaterialAction};
use keypose_editor::editor::state::effect::{Adding, PathPurpose};
use keypose_editor::editor::view::films::{Decoded, ToShow};
use keypose_editor::editor::view::measures::Measures;
use keypose_editor::editor::view::sprite_sheet::SheetView;
use keypose_editor::game::reload::NewData;
use keypose_tools::clip_library::Fitted;
use keypose_tools::rig::RigError;

use crate::app::files::Opened;
use crate::app::files::exports::ExportReport;
use crate::app::files::progress::Progress;
use crate::app::files::watch::Change;
use crate::app::host::chores::Done;
use crate::app::host::sheets::SheetSource;
use crate::app::previews::files::ReadPreview;
use crate::app::window::dialogs::Outcome;

/// A message to the event loop.
#[derive(Debug)]
pub enum Message {
    /// Fonts were searched for characters that the built-in ones don't have.
    Fonts(ExtraFonts),
    /// A file dialog was closed.
    Picked {
        /// The dialog's purpose.
        purpose: PathPurpose,
        /// The path at which it started.
        start: PathBuf,
        /// How it ended.
        outcome: Outcome,
    },
    /// A file was read for its thumbnail.
    Preview(Box<ReadPreview>),
    /// Files were read to be added.
    Imported {
        /// Paths and contents.
        files: Vec<(PathBuf, Opened)>,
        /// The files that could not be read.
        refused: Vec<Refused>,
        /// The clips of their libraries, on the active model.
        fitted: Fitted,
        /// The parts of the files that are added.
        adding: Adding,
        /// Whether it was cancelled.
        progress: Progress,
    },
    /// Files were read.
    Read {
        /// The archive and its patches.
        files: Vec<PathBuf>,
        /// Whether it was cancelled.
        progress: Progress,
        /// The content, or the error.
        opened: Result<Box<Opened>, String>,
        /// The measures of its models.
        measures: Vec<Measures>,
    },
    /// An image was read.
    Image {
        /// Whether it was cancelled.
        progress: Progress,
        /// The action with the image or film, or the error.
        read: Result<MaterialAction, String>,
    },
    /// An action, whatever document is open.
    Update(Action),
    /// An effect of the document of this number, counted by `Editor::opened`, was performed.
    #[allow(missing_docs)]
    Answer { opened: u32, actions: Vec<Action> },
    /// A sprite sheet was made.
    Sheet {
        /// The document and the recipe that the sheet shows.
        source: SheetSource,
        /// Whether it was cancelled.
        progress: Progress,
        /// The sheet, or the error.
        made: Box<Result<SheetView, String>>,
    },
    /// An export finished.
    Exported {
        /// The path of the file.
        path: PathBuf,
        /// Whether it was cancelled.
        progress: Progress,
        /// A report of the export, or the error.
        done: Result<ExportReport, String>,
    },
    /// The work of a chore is finished.
    ChoreDone(Done),
    /// Frames of films were decoded.
    FilmFrames(Vec<(ToShow, Decoded)>),
    /// Markers or weights were computed.
    RigWork(Box<RigWork>, Result<Made, RigError>),
    /// The file that the active model was imported from is newer than the archive.
    SourceChanged {
        /// The file that has to be read.
        file: PathBuf,
        /// When it was written.
        written: SystemTime,
    },
    /// Follow mode has news: a pose for the game, or another count of followers for the editor.
    Followed,
    /// The files of the running game changed.
    Changed {
        /// The new content.
        change: Change,
        /// The game's data made from it.
        next: Option<NewData>,
    },
    /// A save finished.
    Written {
        /// The number of the document, counted by `Editor::opened`: another one may be open when the save finishes.
        opened: u32,
        /// The path of the file.
        path: PathBuf,
        /// The saved document.
        document: Document,
        /// The models with baked clips.
        characters: Vec<Arc<Character>>,
        /// The archives below it, if it is a patch.
        below: Vec<PathBuf>,
        /// The error, if any.
        done: Result<(), String>,
    },
}
