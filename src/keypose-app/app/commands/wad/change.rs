//! Commands that write archives: add, remove, merge, patch, salvage, repack. Every result is verified before it is
//! saved atomically.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::verify::{Depth, verify};
use keypose::wad::{edit, overlay, salvage};

use keypose_editor::editor::document::follow::generate_again;

use super::add_models::add_models;
use super::extract::unescaped;
use super::output::Output;
use super::{Title, hash, parse_title, read, read_all};
use crate::app::commands::{Target, in_file};
use crate::app::console::path_text;
use crate::app::files;
use crate::app::files::derived_clips::with_derived_clips;
use crate::app::files::layers::open_all;
use crate::app::files::own_files::canonical;

/// The archive that a command changes.
#[derive(clap::Args)]
struct Changed {
    /// The archive to change (.wad)
    file: PathBuf,
    /// Write to this file instead of changing FILE
    #[arg(short, long)]
    output: Option<PathBuf>,
}

impl Changed {
    /// Locks the file to write, and reads the lumps.
    fn open(&self, out: &Output) -> Result<(Target<'_>, Vec<Lump>), String> {
        let target = Target::hold(self.output.as_ref().unwrap_or(&self.file))?;
        Ok((target, lumps_of(&self.file, out)?))
    }

    /// Adds the file to an error.
    fn failed<E: ToString>(&self) -> impl Fn(E) -> String {
        in_file(&self.file)
    }
}

#[derive(clap::Args)]
pub struct Add {
    #[command(flatten)]
    changed: Changed,
    /// Names of models of --from; by default all
    #[arg(requires = "from")]
    models: Vec<String>,
    /// The archive to take models from
    #[arg(long)]
    from: Option<PathBuf>,
    /// A lump written by `extract`: .../KIND/NAME.lump; replaces the lump of that name
    #[arg(long)]
    lump: Vec<PathBuf>,
    /// The model of a new clip or mesh of --lump
    #[arg(long, requires = "lump")]
    owner: Option<String>,
    /// Add clips of --lump even if their skeleton differs or is unknown
    #[arg(long, requires = "lump")]
    any_skeleton: bool,
}

#[derive(clap::Args)]
pub struct Remove {
    #[command(flatten)]
    changed: Changed,
    /// Lumps to remove: KIND/NAME
    #[arg(required = true, value_parser = parse_title)]
    lumps: Vec<Title>,
}

#[derive(clap::Args)]
pub struct Merge {
    /// The base archive, then its patches in order
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The archive to write
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Patch {
    /// The base archive
    base: PathBuf,
    /// The changed archive, which base and patch together will equal
    changed: PathBuf,
    /// The archive to write
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Salvage {
    /// A damaged archive
    file: PathBuf,
    /// The archive to write
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(clap::Args)]
pub struct Repack {
    #[command(flatten)]
    changed: Changed,
    /// Compress lumps if that saves at least an eighth
    #[arg(long)]
    compress: bool,
    /// Compress nothing, not even images
    #[arg(long, conflicts_with = "compress")]
    store: bool,
}

pub fn add(arguments: &Add, out: &Output) -> Result<ExitCode, String> {
    if arguments.from.is_none() && arguments.lump.is_empty() {
        return Err("nothing to add; give --from OTHER.wad or --lump FILE".into());
    }
    let (target, mut lumps) = arguments.changed.open(out)?;
    let mut added = Vec::new();
    for path in &arguments.lump {
        let lump = lump_file(path, out)?;
        added.push((lump.kind, lump.name.clone()));
        if !arguments.any_skeleton {
            check_skeleton(&lumps, &lump, path, arguments.owner.as_deref())?;
        }
        edit::put(&mut lumps, lump, arguments.owner.as_deref()).map_err(in_file(path))?;
    }
    edit::rebake(&mut lumps).map_err(arguments.changed.failed())?;
    let mut bytes = pack(lumps, None).map_err(arguments.changed.failed())?;
    let mut findings = Vec::new();
    if !arguments.lump.is_empty() {
        (bytes, findings) =
            with_followers(bytes, |project| Ok(follow_sources(project, &added))).map_err(not_opened(target.path))?;
    }
    if let Some(from) = &arguments.from {
        let mut project = wad::decode(&bytes).map_err(arguments.changed.failed())?.project;
        let other = wad::decode(&read(from, out)?).map_err(in_file(from))?.project;
        let added = add_models(&mut project, &other, &arguments.models).map_err(in_file(from))?;
        findings.extend(added);
        out.stage("packing", &arguments.changed.file);
        bytes = wad::encode(&project, &[]).map_err(arguments.changed.failed())?;
    }
    out.stage("verifying", target.path);
    let decoded = wad::decode(&bytes).map_err(not_opened(target.path))?;
    findings.retain(|finding| !decoded.findings.contains(finding));
    findings.extend(decoded.findings);
    save_verified(&target, &bytes, findings, out)
}

/// A project to which lumps were added, with derived clips that follow them. A finding names each derived clip that was added and isn't
/// what it follows.
fn follow_sources(project: Project, added: &[(Kind, String)]) -> (Project, Vec<String>) {
    let mut again = project.clone();
    let mut findings = generate_again(&mut again, &BTreeSet::new());
    for (model, after) in project.models.iter().zip(&again.models) {
        for (slot, _) in model.clips.iter().zip(&after.clips).filter(|(slot, after)| slot.clip != after.clip) {
            let name = format!("{}/{}", model.name, slot.clip.name);
            if added.contains(&(Kind::CLIP, name)) {
                let name = &slot.clip.name;
                findings.push(format!(
                    "clip {name} follows another one: its keys are made from that, not read from the lump"
                ));
            }
        }
    }
    (again, findings)
}

/// Refuses a clip of another skeleton. The baked form that `extract` writes beside it names its skeleton.
fn check_skeleton(lumps: &[Lump], lump: &Lump, path: &Path, owner: Option<&str>) -> Result<(), String> {
    if lump.kind != Kind::CLIP {
        return Ok(());
    }
    let beside = path.parent().zip(path.file_name());
    let bake = beside.map(|(folder, name)| folder.with_file_name(Kind::BAKED.to_string()).join(name));
    let Some(bake) = bake.filter(|bake| bake.is_file()) else {
        let reason = "BAKE/… beside it is missing, so the clip's skeleton is unknown";
        return Err(format!("{}: {reason}; `extract` writes both, --any-skeleton adds it anyway", path.display()));
    };
    edit::check_skeleton(lumps, &lump.name, owner, &files::read(&bake)?).map_err(in_file(path))
}

/// Reads a lump file. KIND and NAME come from its path; its schema version is the newest.
fn lump_file(path: &Path, out: &Output) -> Result<Lump, String> {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let kind = folder.and_then(Kind::parse).ok_or_else(|| format!("{}: not KIND/NAME.lump", path.display()))?;
    let name = stem.and_then(unescaped).ok_or_else(|| format!("{}: not KIND/NAME.lump", path.display()))?;
    let version = kind.newest_version().unwrap_or(1);
    Ok(Lump { kind, name, version, codec: kind.codec(), bytes: Some(read(path, out)?) })
}

pub fn remove(arguments: &Remove, out: &Output) -> Result<ExitCode, String> {
    let (target, mut lumps) = arguments.changed.open(out)?;
    for Title { kind, name } in &arguments.lumps {
        edit::remove(&mut lumps, *kind, name).map_err(arguments.changed.failed())?;
    }
    let bytes = pack(lumps, None).map_err(arguments.changed.failed())?;
    save_repaired(&target, bytes, out)
}

pub fn merge(arguments: &Merge, out: &Output) -> Result<ExitCode, String> {
    let target = Target::hold(&arguments.output)?;
    let layers = read_all(&arguments.files, out)?;
    let failed = in_file(&arguments.output);
    let archives = open_all(&arguments.files, &layers)?;
    let mut merged = overlay::merge(&archives).map_err(&failed)?;
    merged.findings.extend(replaced(&archives, &arguments.files));
    out.stage("packing", &arguments.output);
    edit::rebake(&mut merged.lumps).map_err(&failed)?;
    let bytes = pack(merged.lumps, None).map_err(&failed)?;
    out.stage("verifying", target.path);
    let slices: Vec<&[u8]> = layers.iter().map(Vec::as_slice).collect();
    let followed = with_followers(bytes, |project| with_derived_clips(project, &slices));
    let (bytes, findings) = followed.map_err(not_opened(target.path))?;
    merged.findings.extend(findings);
    save_verified(&target, &bytes, merged.findings, out)
}

/// A sentence for each lump that several patches have: the last one is taken as a whole. Bakes follow their clips.
fn replaced(layers: &[Archive<'_>], files: &[PathBuf]) -> Vec<String> {
    let mut by_title = BTreeMap::<_, Vec<usize>>::new();
    for (at, layer) in layers.iter().enumerate().skip(1) {
        for entry in layer.entries().iter().filter(|entry| entry.kind != Kind::BAKED) {
            by_title.entry(entry.key()).or_default().push(at);
        }
    }
    let finding = |((kind, name), patches): (&(Kind, &str), &Vec<usize>)| {
        let names: Vec<String> = patches.iter().map(|at| files[*at].display().to_string()).collect();
        let last = names.last().filter(|_| names.len() > 1)?;
        Some(format!("{kind}/{name} is in {}; that of {last} is taken", names.join(" and ")))
    };
    by_title.iter().filter_map(finding).collect()
}

/// An archive with lumps of others, verified, and its findings. `follow` generates derived clips again.
fn with_followers(
    bytes: Vec<u8>,
    follow: impl FnOnce(Project) -> Result<(Project, Vec<String>), wad::WadError>,
) -> Result<(Vec<u8>, Vec<String>), wad::WadError> {
    let wad::Decoded { project, mut findings, .. } = wad::decode(&bytes)?;
    let (again, kept) = follow(project.clone())?;
    findings.extend(kept);
    if again == project {
        return Ok((bytes, findings));
    }
    let lumps_of = |project: &Project| Archive::open(&wad::encode_authored(project)?)?.to_lumps();
    let by_title = |lumps: Vec<Lump>| -> BTreeMap<(Kind, String), Lump> {
        lumps.into_iter().map(|lump| ((lump.kind, lump.name.clone()), lump)).collect()
    };
    let (before, changed) = (by_title(lumps_of(&project)?), by_title(lumps_of(&again)?));
    let mut lumps = Archive::open(&bytes)?.to_lumps()?;
    for lump in &mut lumps {
        let title = (lump.kind, lump.name.clone());
        if let Some(other) = changed.get(&title).filter(|other| before.get(&title) != Some(other)) {
            lump.bytes.clone_from(&other.bytes);
        }
    }
    edit::rebake(&mut lumps)?;
    let bytes = pack(lumps, None)?;
    wad::decode(&bytes)?;
    Ok((bytes, findings))
}

pub fn patch(arguments: &Patch, out: &Output) -> Result<ExitCode, String> {
    let to = canonical(&arguments.output);
    if [&arguments.base, &arguments.changed].into_iter().any(|file| canonical(file) == to) {
        return Err(format!("{}: a patch can't replace an archive that it is made from", arguments.output.display()));
    }
    let target = Target::hold(&arguments.output)?;
    let base = read(&arguments.base, out)?;
    let base = Archive::open(&base).map_err(in_file(&arguments.base))?;
    let bytes = overlay::patch(&base, lumps_of(&arguments.changed, out)?).map_err(in_file(&arguments.base))?;
    out.stage("verifying", target.path);
    verify(&bytes, Depth::Records).map_err(not_opened(target.path))?;
    let report = write(&target, &bytes, out)?;
    out.json(|| report);
    Ok(ExitCode::SUCCESS)
}

pub fn salvage(arguments: &Salvage, out: &Output) -> Result<ExitCode, String> {
    let target = Target::hold(&arguments.output)?;
    let bytes = read(&arguments.file, out)?;
    out.stage("salvaging", &arguments.file);
    let salvaged = salvage::salvage(&bytes);
    salvaged.lost.iter().for_each(|sentence| out.line(sentence));
    let (whole, lost) = (salvaged.lumps.len(), &salvaged.lost);
    out.line(format_args!("{whole} lumps are undamaged, {} are lost", lost.len()));
    let decoded = salvage::decode_salvaged(&salvaged).map_err(in_file(&arguments.file))?;
    decoded.findings.iter().for_each(|finding| out.line(finding));
    let (models, levels) = (decoded.project.models.len(), decoded.project.levels.len());
    if decoded.project == Project::default() {
        return Err(format!("{}: nothing could be recovered", arguments.file.display()));
    }
    out.line(format_args!("{models} models and {levels} levels recovered"));
    let bytes = wad::encode(&decoded.project, &decoded.characters).map_err(in_file(&arguments.file))?;
    wad::decode(&bytes).map_err(not_opened(&arguments.output))?;
    let mut report = write(&target, &bytes, out)?;
    report["whole_lumps"] = whole.into();
    (report["lost"], report["findings"]) = (lost.clone().into(), decoded.findings.into());
    (report["models"], report["levels"]) = (models.into(), levels.into());
    out.json(|| report);
    Ok(ExitCode::SUCCESS)
}

pub fn repack(arguments: &Repack, out: &Output) -> Result<ExitCode, String> {
    let (target, mut lumps) = arguments.changed.open(out)?;
    out.stage("packing", &arguments.changed.file);
    if arguments.store {
        edit::uncompress(&mut lumps)
    } else {
        edit::recode(&mut lumps, if arguments.compress { Codec::Lz4 } else { Codec::Store })
    }
    let bytes = pack(lumps, None).map_err(arguments.changed.failed())?;
    save_repaired(&target, bytes, out)
}

/// The lumps of an archive that is not a patch.
fn lumps_of(file: &Path, out: &Output) -> Result<Vec<Lump>, String> {
    let bytes = read(file, out)?;
    let archive = Archive::open(&bytes).map_err(in_file(file))?;
    if archive.header().base.is_some() {
        return Err(format!("{}: this is a patch; merge it with its base first", file.display()));
    }
    archive.to_lumps().map_err(in_file(file))
}

/// Verifies and saves an archive. Baked clips that are invalid or out of date are baked again.
fn save_repaired(target: &Target<'_>, mut bytes: Vec<u8>, out: &Output) -> Result<ExitCode, String> {
    out.stage("verifying", target.path);
    let failed = not_opened(target.path);
    let decoded = wad::decode(&bytes).map_err(&failed)?;
    if decoded.has_invalid_bakes {
        let mut lumps = Archive::open(&bytes).and_then(|archive| archive.to_lumps()).map_err(&failed)?;
        edit::rebake_invalid(&mut lumps).map_err(&failed)?;
        bytes = pack(lumps, None).map_err(&failed)?;
        wad::decode(&bytes).map_err(&failed)?;
    }
    save_verified(target, &bytes, decoded.findings, out)
}

fn save_verified(target: &Target<'_>, bytes: &[u8], findings: Vec<String>, out: &Output) -> Result<ExitCode, String> {
    out.findings(&findings);
    let mut report = write(target, bytes, out)?;
    report["findings"] = findings.into();
    out.json(|| report);
    Ok(ExitCode::SUCCESS)
}

fn not_opened(path: &Path) -> impl Fn(wad::WadError) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: not written, because the result is invalid: {error}")
}

/// Writes the file and returns its report.
fn write(target: &Target<'_>, bytes: &[u8], out: &Output) -> Result<Value, String> {
    let path = target.path;
    out.stage("writing", path);
    target.save(bytes)?;
    let archive = Archive::open(bytes).map_err(in_file(path))?;
    let (lumps, state) = (archive.entries().len(), hash(archive.header().hash));
    out.line(format_args!("{}: {lumps} lumps, {} bytes written", path.display(), bytes.len()));
    Ok(json!({ "file": path_text(path), "lumps": lumps, "bytes": bytes.len(), "hash": state }))
}
