//! Archives with patches, as files: opens them together, and writes patches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use keypose::assets::character::Character;
use keypose::wad::archive::Archive;
use keypose::wad::{self, overlay};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::state::action::Origin;

use crate::app::files::derived_clips::with_derived_clips;
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
    let (kind, referred, unmatched) = (FileKind::Archive, Vec::new(), Vec::new());
    Ok(Opened { project, characters, report: findings, kind, digest, referred, unmatched })
}

/// The origin of a document that was opened from these files.
pub fn origin(files: &[PathBuf], kind: FileKind) -> Origin {
    match (files, kind) {
        ([], _) => Origin::New,
        ([path, ..], FileKind::Imported) => Origin::Imported(path.clone()),
        ([below @ .., path], FileKind::Archive) => Origin::Archive { below: below.to_vec(), path: path.clone() },
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

/// Opens archives from the bytes of their files.
pub fn open_all<'a>(files: &[PathBuf], bytes: &'a [Vec<u8>]) -> Result<Vec<Archive<'a>>, String> {
    let open = |(file, bytes): (&PathBuf, &'a Vec<u8>)| {
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
