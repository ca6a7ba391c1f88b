//! Effects: tasks of the app outside the editor. The app answers with an action. It drops palettes, sounds and found images that arrive
//! after another document was opened.

use crate::editor::session::dropped::Refused;
use crate::editor::session::notice::Notice;
use crate::editor::session::sprites::PaletteUse;
use keypose::assets::model::Model;
use keypose::assets::sound::Sound;
use keypose_tools::unplayed_clip::UnplayedClip;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::document::Document;
use crate::editor::state::export_options::ExportOptions;

pub use crate::editor::session::browser::kinds::PathPurpose;

/// The path of the demo's knight, which has no file.
pub const KNIGHT: &str = "built in/knight.wad";

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

/// A search for images of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSearch {
    /// The name of the model.
    pub model: String,
    /// Names of files; the extension may be another one.
    pub names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImagePurpose {
    /// The texture of the material with this name.
    Texture(String),
    /// A reference image, or a film that is one file.
    Reference,
    /// A reference film. An image is the first of numbered ones.
    Film,
    /// The files of the film of the reference with this name, to keep them.
    FilmFiles(String),
}

/// The parts of a file that are added to the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adding {
    /// All models. One without a mesh, whose bones the active model has, adds its clips to that model instead.
    Models,
    /// The clips of its models, to the active model.
    Clips,
    /// The first model, in place of the active one.
    Changed,
    /// The clips of its models if they have no mesh and the active model has their bones; else it is opened. For a single file
    /// that was dropped.
    ClipsOrOpen,
}

/// Something that the app must do outside the editor.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Show the file browser, or the system's dialog if the user prefers it.
    AskPath(PathPurpose),
    /// Read a file; answer with `FileAction::Loaded`, or with a notice.
    Open(PathBuf),
    /// Read files; answer with `FileAction::LoadedToAdd`.
    Import {
        files: Vec<PathBuf>,
        /// Files that were refused before, to be reported with these.
        refused: Vec<Refused>,
        /// The parts that are added.
        adding: Adding,
    },
    /// Sort the items dropped on the window by kind; answer with `FileAction::Dropped`.
    SortDropped(Vec<PathBuf>),
    /// Read a folder; answer with `BrowserAction::Listed`.
    ListFolder(PathBuf),
    /// Make a folder; answer with `BrowserAction::FolderMade`.
    MakeFolder(PathBuf),
    /// List the unsaved work that crashes left; answer with `FileAction::UnsavedWorkListed`.
    FindUnsavedWork,
    /// Delete the unsaved work whose steps are in a file; answer with `FileAction::UnsavedWorkListed`.
    DiscardUnsavedWork(PathBuf),
    /// Find the places of this computer; answer with `BrowserAction::PlacesFound`.
    FindPlaces,
    /// Show the system's dialog; answer as for [`Effect::AskPath`]. Without one, show the browser and a notice.
    ShowSystemDialog(PathPurpose, PathBuf),
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
    /// Write a model as GLB or JSON, as the extension says; answer with a notice.
    ExportModel {
        /// The path, ending in `.glb` or `.json`.
        path: PathBuf,
        model: Arc<Model>,
    },
    /// Write the sprite sheet of the active model; answer with a notice.
    ExportSprites {
        /// The folder and the start of the names of the files.
        path: PathBuf,
    },
    /// Read a palette; answer with `SpriteAction::Loaded`, or with a notice.
    ReadPalette { path: PathBuf, purpose: PaletteUse },
    /// Read an image or a film; answer with `MaterialAction::ImageRead` or `FilmRead`, or with a notice.
    ReadImage {
        /// The path of the image.
        path: PathBuf,
        /// Where the image will go.
        place: ImagePlace,
    },
    /// Find and read images below a folder; answer with `MaterialAction::ImagesFound`.
    FindImages { folder: PathBuf, search: ImageSearch },
    /// Read WAV files; answer with `SoundAction::Read`, and with a notice for each that can't be read.
    ReadSounds(Vec<PathBuf>),
    /// Play a sound once, or end it if it plays.
    PlaySound(Arc<Sound>),
    /// Put this text on the system's clipboard, and keep it for other windows and later runs.
    Copy(String),
    /// Cancel reading or exporting.
    CancelJob,
    /// Read what is left of a damaged archive; answer with `FileAction::Loaded`, or with a notice.
    OpenSalvaged(PathBuf),
    /// Read the demo archive; answer with `FileAction::Loaded`, or with a notice.
    OpenDemo,
    /// Restore the document from its file and delete the recovered work.
    DiscardRecovered,
    /// Show a notice for a while. The log has it already.
    Notice(Notice),
    /// End the program. There are no unsaved changes.
    Quit,
}

impl Effect {
    /// The files and folders that it reads or writes, by the paths that actions named. A model may refer to more in its folder.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Effect::Open(path)
            | Effect::ListFolder(path)
            | Effect::MakeFolder(path)
            | Effect::DiscardUnsavedWork(path)
            | Effect::OpenSalvaged(path)
            | Effect::ExportPicture { path, .. }
            | Effect::ExportModel { path, .. }
            | Effect::ExportSprites { path }
            | Effect::ReadPalette { path, .. }
            | Effect::ReadImage { path, .. }
            | Effect::FindImages { folder: path, .. } => vec![path],
            Effect::Import { files: paths, .. } | Effect::SortDropped(paths) | Effect::ReadSounds(paths) => {
                paths.iter().map(PathBuf::as_path).collect()
            }
            Effect::Save { path, below, .. } => std::iter::once(path).chain(below).map(PathBuf::as_path).collect(),
            Effect::AskPath(_)
            | Effect::ShowSystemDialog(..)
            | Effect::FindUnsavedWork
            | Effect::FindPlaces
            | Effect::PlayTest { .. }
            | Effect::PlaySound(_)
            | Effect::Copy(_)
            | Effect::CancelJob
            | Effect::OpenDemo
            | Effect::DiscardRecovered
            | Effect::Notice(_)
            | Effect::Quit => Vec::new(),
        }
    }
}
