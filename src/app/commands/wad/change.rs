//! What writes archives: add, remove, merge, patch, salvage, repack. Every result is read again before it is saved, and
//! saved atomically.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::extract::unescaped;
use super::{Title, in_file, open_all, parse_title, read_all};
use crate::app::files::read;
use crate::app::save::save_atomically;
use crate::assets::project::Project;
use crate::wad;
use crate::wad::archive::Archive;
use crate::wad::directory::Codec;
use crate::wad::kind::Kind;
use crate::wad::pack::{Lump, pack};
use crate::wad::{edit, overlay, salvage};

#[derive(clap::Args)]
pub struct Add {
    /// The archive that is changed
    file: PathBuf,
    /// Models by name: those of --from; without any, all of them
    models: Vec<String>,
    /// Another archive
    #[arg(long)]
    from: Option<PathBuf>,
    /// A lump as `extract` wrote it: .../KIND/NAME.lump; it replaces the one of its name
    #[arg(long)]
    lump: Vec<PathBuf>,
    /// The model that a new clip or mesh of --lump belongs to
    #[arg(long)]
    owner: Option<String>,
    /// Write here instead of changing FILE
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Remove {
    /// The archive that is changed
    file: PathBuf,
    /// KIND/NAME
    #[arg(required = true, value_parser = parse_title)]
    lumps: Vec<Title>,
    /// Write here instead of changing FILE
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Merge {
    /// The base archive, then its patches in order
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Patch {
    /// The archive below
    base: PathBuf,
    /// What base and patch together shall be
    changed: PathBuf,
    /// Where to write
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Salvage {
    /// A damaged archive
    file: PathBuf,
    /// Where to write what is whole
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Repack {
    /// The archive
    file: PathBuf,
    /// Compress lumps where that saves an eighth or more
    #[arg(long)]
    compress: bool,
    /// Write here instead of changing FILE
    #[arg(short, long)]
    output: Option<PathBuf>,
}

pub fn add(arguments: &Add) -> Result<ExitCode, String> {
    let mut lumps = lumps_of(&arguments.file)?;
    for path in &arguments.lump {
        let lump = lump_file(path)?;
        edit::put(&mut lumps, lump, arguments.owner.as_deref()).map_err(in_file(path))?;
    }
    edit::rebake(&mut lumps).map_err(in_file(&arguments.file))?;
    let mut bytes = pack(lumps, None).map_err(in_file(&arguments.file))?;
    if let Some(from) = &arguments.from {
        bytes = with_models(arguments, &bytes, from)?;
    } else if arguments.lump.is_empty() {
        return Err("add what? Give --from OTHER.wad or --lump FILE".into());
    }
    save(arguments.output.as_ref().unwrap_or(&arguments.file), &bytes)
}

/// The archive's bytes with models of another one.
fn with_models(arguments: &Add, bytes: &[u8], from: &Path) -> Result<Vec<u8>, String> {
    let mut project = wad::decode(bytes).map_err(in_file(&arguments.file))?.project;
    let other = wad::decode(&read(from)?).map_err(in_file(from))?.project;
    for name in &arguments.models {
        other.model_named(name).ok_or_else(|| format!("{}: no model \"{name}\"", from.display()))?;
    }
    let is_wanted = |name: &String| arguments.models.is_empty() || arguments.models.contains(name);
    for model in other.models.iter().filter(|model| is_wanted(&model.name)) {
        project.add_model((**model).clone());
    }
    wad::encode(&project, &[]).map_err(in_file(&arguments.file))
}

/// KIND and NAME from the path, schema version the newest.
fn lump_file(path: &Path) -> Result<Lump, String> {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let kind = folder.and_then(Kind::parse).ok_or_else(|| format!("{}: not KIND/NAME.lump", path.display()))?;
    let name = stem.and_then(unescaped).ok_or_else(|| format!("{}: not KIND/NAME.lump", path.display()))?;
    let version = kind.newest_version().unwrap_or(1);
    Ok(Lump { kind, name, version, codec: Codec::Store, bytes: Some(read(path)?) })
}

pub fn remove(arguments: &Remove) -> Result<ExitCode, String> {
    let mut lumps = lumps_of(&arguments.file)?;
    for Title { kind, name } in &arguments.lumps {
        edit::remove(&mut lumps, *kind, name).map_err(in_file(&arguments.file))?;
    }
    let bytes = pack(lumps, None).map_err(in_file(&arguments.file))?;
    save(arguments.output.as_ref().unwrap_or(&arguments.file), &bytes)
}

pub fn merge(arguments: &Merge) -> Result<ExitCode, String> {
    let bytes = read_all(&arguments.files)?;
    let mut merged = overlay::merge(&open_all(&arguments.files, &bytes)?).map_err(|error| error.to_string())?;
    edit::rebake(&mut merged.lumps).map_err(|error| error.to_string())?;
    merged.findings.iter().for_each(|finding| eprintln!("keypose: {finding}"));
    save(&arguments.output, &pack(merged.lumps, None).map_err(|error| error.to_string())?)
}

pub fn patch(arguments: &Patch) -> Result<ExitCode, String> {
    let base = read(&arguments.base)?;
    let base = Archive::open(&base).map_err(in_file(&arguments.base))?;
    let bytes = overlay::patch(&base, lumps_of(&arguments.changed)?).map_err(in_file(&arguments.base))?;
    write(&arguments.output, &bytes)
}

pub fn salvage(arguments: &Salvage) -> Result<ExitCode, String> {
    let salvaged = salvage::salvage(&read(&arguments.file)?);
    salvaged.lost.iter().for_each(|lost| println!("{lost}"));
    println!("{} lumps are whole, {} are lost", salvaged.lumps.len(), salvaged.lost.len());
    let decoded = salvage::decode_salvaged(&salvaged).map_err(in_file(&arguments.file))?;
    decoded.findings.iter().for_each(|finding| println!("{finding}"));
    let (models, levels) = (decoded.project.models.len(), decoded.project.levels.len());
    if decoded.project == Project::default() {
        return Err(format!("{}: nothing could be saved", arguments.file.display()));
    }
    println!("{models} models and {levels} levels could be saved");
    save(&arguments.output, &wad::encode(&decoded.project, &decoded.characters).map_err(in_file(&arguments.file))?)
}

pub fn repack(arguments: &Repack) -> Result<ExitCode, String> {
    let mut lumps = lumps_of(&arguments.file)?;
    edit::recode(&mut lumps, if arguments.compress { Codec::Lz4 } else { Codec::Store });
    let bytes = pack(lumps, None).map_err(in_file(&arguments.file))?;
    save(arguments.output.as_ref().unwrap_or(&arguments.file), &bytes)
}

/// The lumps of a whole archive that is not a patch.
fn lumps_of(file: &Path) -> Result<Vec<Lump>, String> {
    let bytes = read(file)?;
    let archive = Archive::open(&bytes).map_err(in_file(file))?;
    if archive.header().base.is_some() {
        return Err(format!("{}: it is a patch; merge it with its base first", file.display()));
    }
    archive.to_lumps().map_err(in_file(file))
}

/// Saves an archive that can be read.
fn save(path: &Path, bytes: &[u8]) -> Result<ExitCode, String> {
    let decoded = wad::decode(bytes).map_err(|error| format!("not done, the result could not be opened: {error}"))?;
    decoded.findings.iter().for_each(|finding| eprintln!("keypose: {finding}"));
    write(path, bytes)
}

/// What stands under the name is only replaced where it is an archive.
fn write(path: &Path, bytes: &[u8]) -> Result<ExitCode, String> {
    if path.exists() && !wad::is_archive(&read(path)?) {
        return Err(format!("{}: there is a file that is not an archive; it is not replaced", path.display()));
    }
    save_atomically(path, bytes).map_err(|error| error.to_string())?;
    let lumps = Archive::open(bytes).map_err(in_file(path))?.entries().len();
    println!("{}: {lumps} lumps, {} bytes written", path.display(), bytes.len());
    Ok(ExitCode::SUCCESS)
}
