//! The preview of the file under the cursor of the file browser. The app reads files and draws thumbnails.

use std::path::PathBuf;
use std::sync::Arc;

use imgui::TextureId;

use keypose::assets::import_options::ImportOptions;

/// A file as it was when it was listed.
#[derive(Clone, Debug, PartialEq)]
pub struct FileVersion {
    pub path: PathBuf,
    pub bytes: u64,
    /// When it was changed, in milliseconds since 1970 in UTC.
    pub modified: Option<u64>,
    /// The options that it is imported with.
    pub options: ImportOptions,
}

/// The preview of a file, as far as it was read.
#[derive(Clone, Debug)]
pub enum FilePreview {
    /// The file is being read.
    Waiting,
    Shown(Picture),
    /// Why it can't be read.
    Failed(String),
}

/// A thumbnail.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The texture; `None` if there is nothing to draw.
    pub id: Option<TextureId>,
    /// Width and height in pixels.
    pub size: [f32; 2],
    /// Whether its first row of pixels is the lowest one.
    pub is_bottom_up: bool,
    /// Facts about the file, such as the number of bones.
    pub facts: Arc<[String]>,
    /// Names of the meshes of a model that can be imported, before its options are applied.
    pub meshes: Arc<[String]>,
    /// Names of the clips of a model that can be imported, before its options are applied.
    pub clips: Arc<[String]>,
}
