//! Opens documents of any supported kind. Errors are one clear sentence.

use std::fs;
use std::io::Read as _;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use keypose::assets::bytes::Bytes;
use keypose::assets::character::Character;
use keypose::assets::import_options::{ImportOptions, words_of};
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::assets::sound::Sound;
use keypose::assets::texture::Texture;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::journal::is_journal;
use keypose::wad::reading::Checksums;
use keypose::wad::salvage;
use keypose_editor::editor::document::template::keep_only;
use keypose_editor::editor::panels::view::start::TEMPLATES;
use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_editor::editor::state::effect::ImagePurpose;
use keypose_editor::editor::view::references::LONGEST_SIDE;
use keypose_tools::apply_options::{Unmatched, apply, unmatched};
use keypose_tools::import::{self, Format, Imported, pixels, sound};

use crate::app::files::buffer::Loaded;
use crate::app::files::model_folder::{ModelFolder, Referred};
use crate::app::files::progress::Progress;
use crate::app::work::list;

pub mod base64;
pub mod buffer;
pub mod derived_clips;
pub mod exports;
pub mod films;
pub mod folder_names;
pub mod folders;
pub mod image_search;
pub(crate) mod import_process;
pub mod layers;
pub mod listing;
mod model_folder;
pub mod own_files;
pub mod progress;
pub mod regular_files;
pub mod save;
pub mod views;
pub mod watch;
pub mod web_page;
pub mod windows_names;

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
    /// The document.
    pub project: Project,
    /// The models with baked clips, in the project's order.
    pub characters: Vec<Arc<Character>>,
    /// Findings, one sentence each; empty if there are no problems.
    pub report: Vec<String>,
    /// Whether saving writes the file.
    pub kind: FileKind,
    /// A digest of the file's bytes, and of those that were read because it refers to them.
    pub digest: u64,
    /// The files that were read because an imported model refers to them, but not by another process.
    pub referred: Vec<PathBuf>,
    /// The patterns of the import options that match nothing in the file.
    pub unmatched: Vec<Unmatched>,
}

/// The path of the built-in demo, which has no file.
pub const DEMO: &str = "built in/demo.wad";

/// Whether a path is that of the demo or of a template, which have no file.
pub fn is_built_in(path: &Path) -> bool {
    let is_known = path == Path::new(DEMO) || TEMPLATES.iter().any(|(template, _)| path == Path::new(template));
    is_known && !path.exists()
}

/// Maximum size of an archive.
const MAX_ARCHIVE_BYTES: u64 = 4 << 30;
/// Maximum size of a file of another program.
const MAX_FOREIGN_BYTES: u64 = 1 << 30;

/// How a file is opened.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The name of an imported model; by default that of the file.
    pub name: Option<String>,
    /// The files that an imported model may refer to.
    pub model_files: ModelFiles,
    /// Changes to an imported model.
    pub options: ImportOptions,
    /// Leaves out the characters of an imported model, for commands that play at most one of its clips.
    pub leaves_clips_unbaked: bool,
    /// Opens the readable part of a damaged archive, as a document without a file.
    pub salvages: bool,
    /// Shows the progress. If it is cancelled, opening ends early with an error.
    pub progress: Progress,
}

/// Opens an archive or a model, depending on its first bytes. Errors contain file, place and reason.
pub fn open(path: &Path) -> Result<Opened, String> {
    open_with(path, &Opening::default())
}

/// Like [`open`], with options.
pub fn open_with(path: &Path, opening: &Opening) -> Result<Opened, String> {
    if is_built_in(path) {
        return if path == Path::new(DEMO) { demo() } else { template(path) };
    }
    open_loaded(path, load(path)?, opening)
}

/// Like [`open_with`], of a file that was loaded.
fn open_loaded(path: &Path, loaded: Loaded, opening: &Opening) -> Result<Opened, String> {
    let Loaded { bytes, sums } = loaded;
    let Opening { name, model_files, options, leaves_clips_unbaked, salvages, progress } = opening;
    progress.reach(0.2)?;
    if wad::is_archive(&bytes) && *salvages {
        return salvaged(&bytes).map_err(|error| format!("{}: {error}", path.display()));
    }
    if wad::is_archive(&bytes) {
        return archive(&bytes, &sums, FileKind::Archive).map_err(|error| format!("{}: {error}", path.display()));
    }
    if is_journal(&bytes) {
        return unsaved_work(path);
    }
    let (mut imported, referred) = import_model(path, &bytes, *model_files, progress)?;
    progress.reach(0.7)?;
    if let Some(name) = name {
        imported.model.name.clone_from(name);
    }
    let unmatched = unmatched(options, &imported.model);
    let (model, changes) = apply(options, imported.model);
    let mut report = imported.report;
    if !options.is_default() {
        report.push(format!("imported with {}", words_of(options).join(" ")));
    }
    report.extend(unmatched.iter().map(|one| one.sentence.clone()).chain(changes));
    let mut project = Project::default();
    project.add_model(model);
    let characters = if *leaves_clips_unbaked { Vec::new() } else { Character::bake_all(&project.models, &[]) };
    let (kind, digest) = (FileKind::Imported, xxh3_64(&bytes) ^ referred.digest);
    Ok(Opened { project, characters, report, kind, digest, referred: referred.files, unmatched })
}

/// The content of a file without the baked clips of an imported one, for its preview.
pub fn project(path: &Path, progress: &Progress) -> Result<Project, String> {
    let opening = Opening { leaves_clips_unbaked: true, progress: progress.clone(), ..Opening::default() };
    open_with(path, &opening).map(|opened| opened.project)
}

/// The demo: a built-in archive. It has no file, so saving asks for a name.
fn demo() -> Result<Opened, String> {
    let bytes = Bytes::new(include_bytes!("../../demo.wad"));
    archive(&bytes, &Checksums::default(), FileKind::Imported).map_err(|error| format!("{DEMO}: {error}"))
}

/// A document with one character of the demo. It has no file, either.
fn template(path: &Path) -> Result<Opened, String> {
    let mut opened = demo()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    keep_only(&mut opened.project, &name).ok_or_else(|| format!("{DEMO}: no model {name:?}"))?;
    opened.characters = Character::bake_all(&opened.project.models, &opened.characters);
    opened.digest = xxh3_64(name.as_bytes());
    Ok(opened)
}

fn archive(bytes: &Bytes, sums: &Checksums, kind: FileKind) -> Result<Opened, wad::WadError> {
    let archive = Archive::open_shared(bytes, sums)?;
    let wad::Decoded { project, characters, findings, .. } = wad::decode_archive(&archive)?;
    // The header's hash covers all bytes, which were verified.
    let (digest, referred, unmatched) = (archive.header().hash, Vec::new(), Vec::new());
    Ok(Opened { project, characters, report: findings, kind, digest, referred, unmatched })
}

/// The readable part of a damaged archive, with a sentence about each loss.
fn salvaged(bytes: &Bytes) -> Result<Opened, wad::WadError> {
    let salvaged = salvage::salvage(bytes);
    let wad::Decoded { project, characters, findings, .. } = salvage::decode_salvaged(&salvaged)?;
    let report = salvaged.lost.into_iter().chain(findings).collect();
    let (kind, digest) = (FileKind::Imported, xxh3_64(bytes));
    Ok(Opened { project, characters, report, kind, digest, referred: Vec::new(), unmatched: Vec::new() })
}

/// Whether a file begins like an archive.
pub fn begins_as_archive(path: &Path) -> bool {
    let mut head = [0; 64];
    let read = regular_files::open(path, u64::MAX).and_then(|(mut file, _)| file.read(&mut head));
    read.is_ok_and(|count| wad::is_archive(&head[..count]))
}

/// Fails unless a file is an archive, empty or not there: a typing error must not cost a model.
pub fn require_archive(path: &Path) -> Result<(), String> {
    let is_free = fs::metadata(path).map_or(true, |about| about.len() == 0);
    if is_free || begins_as_archive(path) {
        Ok(())
    } else {
        Err(format!("{}: an existing file that is not an archive is not replaced by one", path.display()))
    }
}

/// The last state of unsaved work, by the path of its steps. It has no file of its own: saving asks for a name.
fn unsaved_work(path: &Path) -> Result<Opened, String> {
    let (project, left_out) = list::last_state(path).map_err(|reason| format!("{}: {reason}", path.display()))?;
    let characters = Character::bake_all(&project.models, &[]);
    let (kind, report) = (FileKind::Imported, left_out.into_iter().collect());
    Ok(Opened { project, characters, report, kind, digest: 0, referred: Vec::new(), unmatched: Vec::new() })
}

/// Imports a model and the files that it refers to, as far as they are allowed. Code of others runs in a child process.
fn import_model(
    path: &Path,
    bytes: &[u8],
    model_files: ModelFiles,
    progress: &Progress,
) -> Result<(Imported, Referred), String> {
    let format = Format::of(&name_of(path), bytes);
    let imported = if import_process::is_enabled() && format.is_some_and(|format| format.is_risky(bytes)) {
        import_process::import(path, bytes, model_files, progress).map(|imported| (imported, Referred::default()))
    } else {
        import_here(path, bytes, model_files)
    };
    imported.map_err(|reason| format!("{}: {reason}", path.display()))
}

/// Imports a model in this process. The error doesn't name the file.
pub fn import_here(path: &Path, bytes: &[u8], model_files: ModelFiles) -> Result<(Imported, Referred), String> {
    let mut folder = ModelFolder::of(path, model_files);
    let imported = import::import(&name_of(path), bytes, &mut |relative| folder.read(relative));
    imported.map(|imported| (imported, folder.referred)).map_err(|error| error.fault.to_string())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Reads an image file as a texture that is named after its file. Reference images are reduced to a useful size.
pub fn image(path: &Path, purpose: &ImagePurpose) -> Result<Texture, String> {
    let bytes = read(path)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let texture = match purpose {
        ImagePurpose::Texture(_) => pixels::texture(&name, &bytes),
        ImagePurpose::Reference | ImagePurpose::Film | ImagePurpose::FilmFiles(_) => {
            pixels::reference(&name, &bytes, LONGEST_SIDE)
        }
    };
    texture.map_err(|reason| format!("{}: {reason}", path.display()))
}

/// Reads a WAV file as a sound that is named after its file.
pub fn sound(path: &Path) -> Result<Sound, String> {
    let name = sound::name_of(&name_of(path));
    sound::read(&name, &read(path)?).map_err(|reason| format!("{}: {reason}", path.display()))
}

/// Reads a whole file. The error is a sentence with its name.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    regular_files::read(path, max_bytes(path)).map_err(|error| sentence(path, &error))
}

fn max_bytes(path: &Path) -> u64 {
    if begins_as_archive(path) { MAX_ARCHIVE_BYTES } else { MAX_FOREIGN_BYTES }
}

/// Reads a text of at most 16 MiB.
pub fn read_text(path: &Path) -> Result<String, String> {
    regular_files::read_text(path).map_err(|error| sentence(path, &error))
}

/// Like [`read`], for shared bytes. Lumps of an archive are hashed while it is read.
pub fn load(path: &Path) -> Result<Loaded, String> {
    let (file, length) = regular_files::open(path, max_bytes(path)).map_err(|error| sentence(path, &error))?;
    let length = usize::try_from(length).map_err(|_| format!("{}: too large for this machine", path.display()))?;
    buffer::read(&file, length).map_err(|error| sentence(path, &error))
}

fn sentence(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("{shown}: no such file"),
        std::io::ErrorKind::PermissionDenied => format!("{shown}: permission denied"),
        _ => format!("{shown}: {error}"),
    }
}

/// Whether a path is that of a folder as it is written: with a slash at its end.
pub fn ends_as_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(['/', MAIN_SEPARATOR])
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
    let clips = if names.is_empty() {
        "the model has no clips".to_owned()
    } else {
        format!("the clips are: {}", names.join(", "))
    };
    format!("{}: no clip \"{name}\"; {clips}", path.display())
}
