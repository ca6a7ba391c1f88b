//! Opens documents of any supported kind. Errors are one clear sentence.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::app::buffer::{self, Loaded};
use crate::app::progress::Progress;
use crate::assets::bytes::Bytes;
use crate::assets::character::Character;
use crate::assets::model::Model;
use crate::assets::project::Project;
use crate::assets::texture::Texture;
use crate::editor::state::effect::ImagePurpose;
use crate::editor::view::references::LONGEST_SIDE;
use crate::import::{gltf, pixels};
use crate::wad;
use crate::wad::archive::Archive;
use crate::wad::reading::Checksums;

/// The kind of a document's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Our archive. Saving writes it.
    Archive,
    /// An imported file. Saving asks for an archive's name.
    Imported,
}

/// An opened file.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its content.
    pub project: Project,
    /// The models with baked clips, in the project's order.
    pub characters: Vec<Arc<Character>>,
    /// Findings, one sentence each; empty if there are no problems.
    pub report: Vec<String>,
    /// Its kind.
    pub kind: FileKind,
    /// A digest of the file's bytes.
    pub digest: u64,
}

/// The path of the built-in demo, which has no file.
pub const DEMO: &str = "built in/demo.wad";

/// Maximum size of a file.
const MAX_BYTES: u64 = 4 << 30;

/// Opens an archive or a glTF file, depending on its first bytes. Errors contain file, place and reason.
pub fn open(path: &Path) -> Result<Opened, String> {
    open_as(path, None)
}

/// Like [`open`], with a name for an imported model.
pub fn open_as(path: &Path, name: Option<&str>) -> Result<Opened, String> {
    open_with_progress(path, name, &Progress::default())
}

/// Like [`open_as`], with progress. Returns an error early if it is cancelled.
pub fn open_with_progress(path: &Path, name: Option<&str>, progress: &Progress) -> Result<Opened, String> {
    if path == Path::new(DEMO) {
        return demo();
    }
    open_loaded(path, name, load(path)?, progress)
}

/// Like [`open_with_progress`], of a file that was loaded.
pub fn open_loaded(path: &Path, name: Option<&str>, loaded: Loaded, progress: &Progress) -> Result<Opened, String> {
    let Loaded { bytes, sums } = loaded;
    progress.reach(0.2)?;
    if wad::is_archive(&bytes) {
        return archive(&bytes, &sums, FileKind::Archive).map_err(|error| format!("{}: {error}", path.display()));
    }
    if bytes.is_empty() {
        return Err(format!("{}: the file is empty", path.display()));
    }
    if !gltf::looks_like_gltf(&bytes) {
        return Err(format!("{}: neither an archive nor a glTF file", path.display()));
    }
    let mut imported = import_model(path, &bytes)?;
    progress.reach(0.7)?;
    if let Some(name) = name {
        imported.model.name = name.to_owned();
    }
    let mut project = Project::default();
    project.add_model(imported.model);
    let characters = Character::bake_all(&project.models, &[]);
    Ok(Opened { project, characters, report: imported.report, kind: FileKind::Imported, digest: xxh3_64(&bytes) })
}

/// The content of a file without the baked clips of an imported one, for its preview.
pub fn project(path: &Path, progress: &Progress) -> Result<Project, String> {
    let Loaded { bytes, .. } = load(path)?;
    progress.reach(0.2)?;
    if wad::is_archive(&bytes) || !gltf::looks_like_gltf(&bytes) {
        return open_with_progress(path, None, progress).map(|opened| opened.project);
    }
    let mut project = Project::default();
    project.add_model(import_model(path, &bytes)?.model);
    Ok(project)
}

/// The demo: a built-in archive. It has no file, so saving asks for a name.
fn demo() -> Result<Opened, String> {
    let bytes = Bytes::new(include_bytes!("../../data/demo.wad"));
    archive(&bytes, &Checksums::default(), FileKind::Imported).map_err(|error| format!("{DEMO}: {error}"))
}

fn archive(bytes: &Bytes, sums: &Checksums, kind: FileKind) -> Result<Opened, wad::WadError> {
    let archive = Archive::open_shared(bytes, sums)?;
    let wad::Decoded { project, characters, findings } = wad::decode_archive(&archive)?;
    // The header's hash covers all bytes, which were verified.
    Ok(Opened { project, characters, report: findings, kind, digest: archive.header().hash })
}

/// Imports a glTF file and the files that it refers to.
pub fn import_model(path: &Path, bytes: &[u8]) -> Result<gltf::Imported, String> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let imported = gltf::import(&name, bytes, &mut |relative| read(&folder.join(relative)));
    imported.map_err(|error| format!("{}: {}", path.display(), error.fault))
}

/// Reads a PNG or JPEG as a texture that is named after its file. Reference images are reduced to a useful size.
pub fn image(path: &Path, purpose: &ImagePurpose) -> Result<Texture, String> {
    let bytes = read(path)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let texture = pixels::texture(&name, &bytes).map_err(|reason| format!("{}: {reason}", path.display()))?;
    Ok(match purpose {
        ImagePurpose::Texture(_) => texture,
        ImagePurpose::Reference => pixels::no_larger(texture, LONGEST_SIDE),
    })
}

/// Reads a whole file. The error is a sentence with its name.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    length(path)?;
    fs::read(path).map_err(|error| sentence(path, &error))
}

/// Like [`read`], for shared bytes. Lumps of an archive are hashed while it is read.
pub fn load(path: &Path) -> Result<Loaded, String> {
    let length = length(path)?;
    let loaded = File::open(path).and_then(|file| buffer::load(&file, length));
    loaded.map_err(|error| sentence(path, &error))
}

fn sentence(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("{shown}: no such file"),
        std::io::ErrorKind::PermissionDenied => format!("{shown}: permission denied"),
        _ => format!("{shown}: {error}"),
    }
}

/// The length of a file, if it can be read.
fn length(path: &Path) -> Result<usize, String> {
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|error| sentence(path, &error))?;
    if metadata.is_dir() {
        return Err(format!("{shown}: this is a folder, not a file"));
    }
    // Devices and pipes may never end.
    if !metadata.is_file() {
        return Err(format!("{shown}: not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(format!("{shown}: {} bytes; the maximum is {MAX_BYTES}", metadata.len()));
    }
    usize::try_from(metadata.len()).map_err(|_| format!("{shown}: too large for this machine"))
}

/// Finds a model of a project by name; without a name the first. The error lists the models.
pub fn model_index(project: &Project, name: Option<&str>, path: &Path) -> Result<usize, String> {
    let shown = path.display();
    let Some(name) = name else {
        return if project.models.is_empty() { Err(format!("{shown}: no models")) } else { Ok(0) };
    };
    project.model_named(name).ok_or_else(|| {
        let names: Vec<&str> = project.models.iter().map(|model: &Arc<Model>| model.name.as_str()).collect();
        format!("{shown}: no model \"{name}\"; the models are: {}", names.join(", "))
    })
}

/// The error that a model has no clip of this name. It lists the clips.
pub fn no_clip(model: &Model, name: &str, path: &Path) -> String {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let clips = match names.is_empty() {
        true => "the model has no clips".to_owned(),
        false => format!("the clips are: {}", names.join(", ")),
    };
    format!("{}: no clip \"{name}\"; {clips}", path.display())
}
