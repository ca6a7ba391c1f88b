//! Archives with patches, as files: opens them together, and writes patches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use keypose::assets::character::Character;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::error::WadError;
use keypose::wad::kind::Kind;
use keypose::wad::{self, overlay};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::document::follow::generate_again;
use keypose_editor::editor::state::action::Origin;

use crate::app::files::{self, FileKind, Opened, Opening, read};

/// Opens a file, or a base archive with patches, in order. The error names the invalid file.
pub fn open(files: &[PathBuf], opening: &Opening) -> Result<Opened, String> {
    let [base, _, ..] = files else {
        return files::open_with(files.first().ok_or("no file to open")?, opening);
    };
    let bytes = read_all(files)?;
    let layers = open_all(files, &bytes)?;
    check(files, &layers)?;
    let digest = digest(&hashes(&layers));
    drop(layers);
    let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let decoded = overlay::decode_layers(&slices).map_err(|error| {
        let over: Vec<String> = files[1..].iter().map(|path| path.display().to_string()).collect();
        format!("{} with {} on top: {error}", base.display(), over.join(", "))
    })?;
    let wad::Decoded { project: merged, mut characters, mut findings, .. } = decoded;
    let (project, kept) = with_derived_clips(merged.clone(), &slices).map_err(|error| error.to_string())?;
    if project.models != merged.models {
        characters = Character::bake_all(&project.models, &characters);
    }
    findings.extend(kept);
    Ok(Opened { project, characters, report: findings, kind: FileKind::Archive, digest, unmatched: Vec::new() })
}

/// The project of archives whose derived clips are generated again: an archive may change the source of a clip of another one. A clip that
/// follows nothing in the archive that its keys come from keeps them; there is a finding for it.
pub fn with_derived_clips(mut project: Project, files: &[&[u8]]) -> Result<(Project, Vec<String>), WadError> {
    let layers = files.iter().map(|bytes| Archive::open(bytes)).collect::<Result<Vec<_>, _>>()?;
    let mut findings = Vec::new();
    for at in 1..layers.len() {
        let comes_from_it = |model: &Model, slot: &ClipSlot| {
            let name = format!("{}/{}", model.name, slot.clip.name);
            layers.iter().rposition(|layer| layer.find(Kind::CLIP, &name).is_some()) == Some(at)
        };
        let followers = project.models.iter().enumerate().flat_map(|(index, model)| {
            let is_one = |slot: &&ClipSlot| model.derived(slot.id).is_some() && comes_from_it(model, slot);
            model.clips.iter().filter(is_one).map(move |slot| (index, slot.clone())).collect::<Vec<_>>()
        });
        let followers: Vec<(usize, ClipSlot)> = followers.collect();
        if followers.is_empty() {
            continue;
        }
        // Ids are others there.
        let then = overlay::decode_layers(&files[..=at])?.project;
        for (index, ClipSlot { id, clip }) in followers {
            let model = &mut project.models[index];
            let same = then.models.iter().find(|same| same.name == model.name);
            let own = same.and_then(|same| Some((same, same.clips.iter().find(|slot| slot.clip.name == clip.name)?)));
            if own.is_some_and(|(same, slot)| same.derived(slot.id).is_none()) {
                let archive = at + 1;
                findings.push(format!(
                    "clip {} has keys of its own in archive {archive}, so it follows no other clip",
                    clip.name
                ));
                Arc::make_mut(model).note(id, |notes| notes.derived = None);
            }
        }
    }
    findings.extend(generate_again(&mut project));
    Ok((project, findings))
}

/// The origin of a document that was opened from these files.
pub fn origin(files: &[PathBuf], kind: FileKind) -> Origin {
    match (files, kind) {
        ([], _) => Origin::New,
        ([path], FileKind::Archive) => Origin::Archive(path.clone()),
        ([path, ..], FileKind::Imported) => Origin::Imported(path.clone()),
        ([below @ .., path], FileKind::Archive) => Origin::Patch { below: below.to_vec(), path: path.clone() },
    }
}

/// The digest of a document by the header hashes of its archives: of a single one, that hash.
pub fn digest(hashes: &[u64]) -> u64 {
    match hashes {
        [hash] => *hash,
        hashes => xxh3_64(&hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect::<Vec<u8>>()),
    }
}

fn hashes(layers: &[Archive<'_>]) -> Vec<u64> {
    layers.iter().map(|layer| layer.header().hash).collect()
}

/// Encodes the patch that turns a base and its existing patches into a document. Returns the header hashes of the archives below, too.
pub fn encode_over(
    below: &[PathBuf],
    path: &Path,
    document: &Document,
    characters: &[Arc<Character>],
) -> Result<(Vec<u8>, Vec<u64>), String> {
    let same = |other: &PathBuf| std::fs::canonicalize(other).ok() == std::fs::canonicalize(path).ok();
    if path.exists() && below.iter().any(same) {
        return Err(format!("{}: a patch can't replace an archive that it is based on", path.display()));
    }
    let bytes = read_all(below)?;
    let layers = open_all(below, &bytes)?;
    check(below, &layers)?;
    let patch = overlay::encode_patch(&layers, document.project(), characters);
    let patch = patch.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((patch, hashes(&layers)))
}

fn read_all(files: &[PathBuf]) -> Result<Vec<Vec<u8>>, String> {
    files.iter().map(|file| read(file)).collect()
}

fn open_all<'a>(files: &[PathBuf], bytes: &'a [Vec<u8>]) -> Result<Vec<Archive<'a>>, String> {
    let open = |(file, bytes): (&PathBuf, &'a Vec<u8>)| {
        if !wad::is_archive(bytes) {
            return Err(format!("{}: not an archive; only archives can be patched", file.display()));
        }
        Archive::open(bytes).map_err(|error| format!("{}: {error}", file.display()))
    };
    files.iter().zip(bytes).map(open).collect()
}

/// Checks that the first is not a patch, and that every patch was made for it.
fn check(files: &[PathBuf], layers: &[Archive<'_>]) -> Result<(), String> {
    let mut both = files.iter().zip(layers);
    let Some((base, archive)) = both.next() else { return Ok(()) };
    if archive.header().base.is_some() {
        return Err(format!("{}: this is a patch; put its base archive before it", base.display()));
    }
    let hash = archive.header().hash;
    for (file, layer) in both {
        if let Some(wanted) = layer.header().base.filter(|&wanted| wanted != hash) {
            return Err(format!(
                "{}: it is a patch for another archive, or for another state of {}: it was made for {wanted:016x}, this \
                 is {hash:016x}. Make it again, or give the base as it was",
                file.display(),
                base.display()
            ));
        }
    }
    Ok(())
}
