//! What must happen outside: the app does it and answers with an action.

use crate::editor::session::notice::Notice;
use std::path::PathBuf;

use crate::editor::document::Document;
use crate::editor::state::export_options::ExportOptions;

/// What a path is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Answered with `FileAction::Export`.
    Picture,
    /// Answered with `FileAction::Open`.
    Open,
    /// Answered with `FileAction::Import`.
    Import,
    /// Answered with `FileAction::SaveAs`.
    SaveAs,
    /// Answered with `FileAction::SavePatch`.
    SavePatch,
    /// Answered with `MaterialAction::SwapImage`.
    Image,
    /// Answered with `MaterialAction::AddReference`.
    Reference,
}

/// What an image is read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImagePlace {
    /// Which of the editor's documents.
    pub opened: u32,
    /// The name of a model.
    pub model: String,
    /// What there.
    pub purpose: ImagePurpose,
}

/// What an image of a model is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImagePurpose {
    /// The texture of the material of this name.
    Texture(String),
    /// To pose by.
    Reference,
}

/// What must happen outside.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Show a file dialog, and a path field where there is none.
    AskPath(Ask),
    /// Read a file; answer with `FileAction::Loaded`, or with a notice.
    Open(PathBuf),
    /// Read a file; answer with `FileAction::LoadedToAdd`, or with a notice.
    Import(PathBuf),
    /// Write the document there, atomically; answer with `FileAction::Saved`, or with a notice.
    Save {
        /// What to write. A value: it may be written while editing goes on.
        document: Document,
        /// Where to.
        path: PathBuf,
        /// The base archive and the patches over it, where only what differs from them is to be written; else empty.
        below: Vec<PathBuf>,
    },
    /// Play this document in the game mode.
    PlayTest(Document),
    /// Draw the model and write a film or a picture; tell how it went.
    ExportPicture {
        /// Where to; the ending fits what is wanted.
        path: PathBuf,
        /// What is wanted.
        options: ExportOptions,
    },
    /// Read a PNG or JPEG; answer with `MaterialAction::ImageRead`, or with a notice.
    ReadImage {
        /// Which.
        path: PathBuf,
        /// What for.
        place: ImagePlace,
    },
    /// What is read or exported is not wanted any more.
    CancelJob,
    /// Read the demo archive; answer with `FileAction::Loaded`, or with a notice.
    OpenDemo,
    /// Put the document back as its file has it, and empty the journal.
    DiscardRecovered,
    /// Show a notice for a while; it is in the log already.
    Notice(Notice),
    /// End the program: nothing is lost.
    Quit,
}
