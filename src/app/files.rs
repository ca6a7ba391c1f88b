//! Opening documents: which kind of file it is, what it holds, and one clear sentence where it cannot be read.

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

/// What kind of file a document came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Our archive: saving writes it again.
    Archive,
    /// A foreign file: saving asks for an archive's name.
    Imported,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Everything that it holds.
    pub project: Project,
    /// The project's models with their clips baked, in the same order.
    pub characters: Vec<Arc<Character>>,
    /// What there is to say about it, one sentence a line; empty where all went well.
    pub report: Vec<String>,
    /// What it was.
    pub kind: FileKind,
    /// One number for the bytes that it was read from.
    pub digest: u64,
}

/// The path of the demo, which is no file: the program carries it.
pub const DEMO: &str = "built in/demo.wad";

/// The largest file that is read.
const MOST_BYTES: u64 = 4 << 30;

/// Reads an archive or a glTF file, whichever its first bytes say. The error names file, place and reason.
pub fn open(path: &Path) -> Result<Opened, String> {
    open_as(path, None)
}

/// As [`open`]; an imported model gets the name instead of its file's.
pub fn open_as(path: &Path, name: Option<&str>) -> Result<Opened, String> {
    open_showing(path, name, &Progress::default())
}

/// As [`open_as`], watched: it ends early with an error where it is not wanted any more.
pub fn open_showing(path: &Path, name: Option<&str>, progress: &Progress) -> Result<Opened, String> {
    if path == Path::new(DEMO) {
        return demo();
    }
    let Loaded { bytes, sums } = load(path)?;
    progress.reach(0.2)?;
    if wad::is_archive(&bytes) {
        return archive(&bytes, &sums, FileKind::Archive).map_err(|error| format!("{}: {error}", path.display()));
    }
    if bytes.is_empty() {
        return Err(format!("{}: the file is empty", path.display()));
    }
    if !gltf::looks_like_gltf(&bytes) {
        return Err(format!("{}: it is neither an archive nor glTF", path.display()));
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

/// The demo: an archive that the program carries. It has no file, so saving asks for a name.
fn demo() -> Result<Opened, String> {
    let bytes = Bytes::new(include_bytes!("../../data/demo.wad"));
    archive(&bytes, &Checksums::default(), FileKind::Imported).map_err(|error| format!("{DEMO}: {error}"))
}

fn archive(bytes: &Bytes, sums: &Checksums, kind: FileKind) -> Result<Opened, wad::WadError> {
    let archive = Archive::open_shared(bytes, sums)?;
    let wad::Decoded { project, characters, findings } = wad::decode_archive(&archive)?;
    // The header's hash stands for all bytes, which were verified.
    Ok(Opened { project, characters, report: findings, kind, digest: archive.header().hash })
}

/// Imports a glTF file; what it refers to is read from beside it.
pub fn import_model(path: &Path, bytes: &[u8]) -> Result<gltf::Imported, String> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let imported = gltf::import(&name, bytes, &mut |relative| read(&folder.join(relative)));
    imported.map_err(|error| format!("{}: {}", path.display(), error.fault))
}

/// True for the name of a picture.
pub fn is_image(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["png", "jpg", "jpeg"].iter().any(|known| ending == *known)
}

/// Reads a PNG or JPEG as a texture that is named after its file. One to pose by is kept no larger than is of use.
pub fn image(path: &Path, purpose: &ImagePurpose) -> Result<Texture, String> {
    let bytes = read(path)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let texture = pixels::texture(&name, &bytes).map_err(|reason| format!("{}: {reason}", path.display()))?;
    Ok(match purpose {
        ImagePurpose::Texture(_) => texture,
        ImagePurpose::Reference => pixels::no_larger(texture, LONGEST_SIDE),
    })
}

/// Reads a whole file; the error is a sentence with its name.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    length(path)?;
    fs::read(path).map_err(|error| sentence(path, &error))
}

/// As [`read`], for what is made of the bytes to share them; an archive's lumps are hashed on the way.
pub fn load(path: &Path) -> Result<Loaded, String> {
    let length = length(path)?;
    let loaded = File::open(path).and_then(|file| buffer::load(file, length));
    loaded.map_err(|error| sentence(path, &error))
}

fn sentence(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("{shown}: there is no such file"),
        std::io::ErrorKind::PermissionDenied => format!("{shown}: it may not be read"),
        _ => format!("{shown}: {error}"),
    }
}

/// How long a file is that can be read whole.
fn length(path: &Path) -> Result<usize, String> {
    let shown = path.display();
    let about = fs::metadata(path).map_err(|error| sentence(path, &error))?;
    if about.is_dir() {
        return Err(format!("{shown}: it is a folder, not a file"));
    }
    // Devices and pipes may never end.
    if !about.is_file() {
        return Err(format!("{shown}: it is not a regular file"));
    }
    if about.len() > MOST_BYTES {
        return Err(format!("{shown}: {} bytes, at most {MOST_BYTES} are read", about.len()));
    }
    usize::try_from(about.len()).map_err(|_| format!("{shown}: this machine can't address it"))
}

/// A model of a project by name, the first without one; the error lists what there is.
pub fn model_index(project: &Project, name: Option<&str>, path: &Path) -> Result<usize, String> {
    let shown = path.display();
    let Some(name) = name else {
        return if project.models.is_empty() { Err(format!("{shown}: it holds no model")) } else { Ok(0) };
    };
    project.model_named(name).ok_or_else(|| {
        let names: Vec<&str> = project.models.iter().map(|model: &Arc<Model>| model.name.as_str()).collect();
        format!("{shown}: no model \"{name}\"; it holds: {}", names.join(", "))
    })
}
