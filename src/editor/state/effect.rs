//! Effects: what the app must do outside the editor. It answers with an action.

use crate::assets::unplayed_clip::UnplayedClip;
use crate::editor::session::notice::Notice;
use std::path::PathBuf;

use crate::editor::document::Document;
use crate::editor::state::export_options::ExportOptions;

/// The purpose of a path that the user is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPurpose {
    /// Answered with `FileAction::Export`.
    Image,
    /// Answered with `FileAction::Open`.
    Open,
    /// Answered with `FileAction::Import`.
    Import,
    /// Answered with `FileAction::SaveAs`.
    SaveAs,
    /// Answered with `FileAction::SavePatch`.
    SavePatch,
    /// Answered with `MaterialAction::ReplaceTexture`.
    Texture,
    /// Answered with `MaterialAction::AddReference`.
    Reference,
}

/// Where an image that is being read will go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImagePlace {
    /// The number of the document, counted by [`Editor::opened`](crate::editor::state::Editor::opened).
    pub opened: u32,
    /// The name of the model.
    pub model: String,
    /// The purpose of the image.
    pub purpose: ImagePurpose,
}

/// The purpose of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImagePurpose {
    /// The texture of the material with this name.
    Texture(String),
    /// A reference image.
    Reference,
}

/// Something that the app must do outside the editor.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Show a file dialog, or a path field if there is no dialog.
    AskPath(PathPurpose),
    /// Read a file; answer with `FileAction::Loaded`, or with a notice.
    Open(PathBuf),
    /// Read a file; answer with `FileAction::LoadedToAdd`, or with a notice.
    Import(PathBuf),
    /// Write the document atomically; answer with `FileAction::Saved`, or with a notice.
    Save {
        /// A snapshot, so editing can continue during the write.
        document: Document,
        /// The path of the archive.
        path: PathBuf,
        /// For a patch, the base archive and the patches over it; else empty.
        below: Vec<PathBuf>,
    },
    /// Play this document in the game mode.
    PlayTest {
        /// The document.
        document: Document,
        /// The open clip if no game state plays it: shown while the character stands.
        unplayed: Option<UnplayedClip>,
    },
    /// Draw the model and write a GIF or PNG; answer with a notice.
    ExportPicture {
        /// The path, with the right extension.
        path: PathBuf,
        /// The export options.
        options: ExportOptions,
    },
    /// Read a PNG or JPEG; answer with `MaterialAction::ImageRead`, or with a notice.
    ReadImage {
        /// The path of the image.
        path: PathBuf,
        /// Where the image will go.
        place: ImagePlace,
    },
    /// Put this text on the system's clipboard, and keep it for other windows and later runs.
    Copy(String),
    /// Cancel reading or exporting.
    CancelJob,
    /// Read the demo archive; answer with `FileAction::Loaded`, or with a notice.
    OpenDemo,
    /// Restore the document from its file and empty the journal.
    DiscardRecovered,
    /// Show a notice for a while. The log has it already.
    Notice(Notice),
    /// End the program. There are no unsaved changes.
    Quit,
}
