//! Verification: what `keypose wad verify` promises. Every lump is decompressed and its record read by the rules of the reader,
//! in patches as well. On request the baked clips are compared with their keys.

use crate::anim::parallel;
use crate::wad::archive::Archive;
use crate::wad::bakes;
use crate::wad::decode::{is_image, read, read_part};
use crate::wad::directory::Entry;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::part::Part;

/// How much is verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Checksums and records.
    #[default]
    Records,
    /// Also compares each baked clip with its keys, over the whole length of the clip.
    Bakes,
}

/// A receiver of the finished fraction.
pub type Reached<'a> = dyn Fn(f32) + Sync + 'a;

/// The contents of an undamaged archive, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// The numbers of its models and levels.
    #[allow(missing_docs)]
    Project { models: usize, levels: usize },
    /// A patch: the number of its lumps, and the header hash of its base.
    #[allow(missing_docs)]
    Patch { lumps: usize, base: u64 },
}

/// The result for an undamaged archive.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The counted contents.
    pub contents: Contents,
    /// Faults that a reader repairs or ignores, one sentence each.
    pub findings: Vec<String>,
}

/// Verifies an archive. A patch is verified without its base: its records alone.
///
/// # Errors
/// The first fault, also of a baked clip, which a reader would bake again.
pub fn verify(bytes: &[u8], depth: Depth) -> Result<Verified, WadError> {
    verify_watched(bytes, depth, &|_| ())
}

/// As [`verify`]. Calls `reached` with the fraction of the baked clips that were compared, from any thread.
///
/// # Errors
/// As [`verify`].
pub fn verify_watched(bytes: &[u8], depth: Depth, reached: &Reached<'_>) -> Result<Verified, WadError> {
    let archive = Archive::open(bytes)?;
    let present = || archive.entries().iter().filter(|entry| !entry.tombstone);
    present().try_for_each(|entry| archive.lump(entry).map(drop))?;
    check_images(&archive)?;
    let mut findings = Vec::new();
    let contents = match archive.header().base {
        Some(base) => {
            present().try_for_each(|entry| verify_alone(&archive, entry, &mut findings))?;
            Contents::Patch { lumps: archive.entries().len(), base }
        }
        None => {
            let assembled = read(&archive)?;
            findings.extend(assembled.findings);
            let is_baked = |entry: &&Entry| entry.kind == Kind::BAKED;
            present().filter(is_baked).try_for_each(|entry| verify_alone(&archive, entry, &mut findings))?;
            bakes::verify(&archive, (&assembled.project, &assembled.models), (depth, reached), &mut findings)?;
            Contents::Project { models: assembled.project.models.len(), levels: assembled.project.levels.len() }
        }
    };
    findings.sort();
    Ok(Verified { contents, findings: super::decode::lines(&findings) })
}

/// Decodes the images, which reading leaves to their first use.
fn check_images(archive: &Archive<'_>) -> Result<(), WadError> {
    let images: Vec<&Entry> = archive.entries().iter().filter(|entry| is_image(entry) && !entry.tombstone).collect();
    let check = |entry: &&Entry| match read_part(archive, entry)? {
        Part::Texture(image) | Part::ReferenceImage(image) => {
            let place = || format!("lump {}", entry.title());
            image.pixels().map(drop).map_err(|reason| WadError::Content { place: place(), reason })
        }
        _ => Ok(()),
    };
    parallel::map(&images, archive.file_bytes(), check).into_iter().collect()
}

/// Reads the record of one lump.
fn verify_alone(archive: &Archive<'_>, entry: &Entry, findings: &mut Vec<String>) -> Result<(), WadError> {
    if entry.kind == Kind::BAKED {
        bakes::verify_alone(archive, entry, findings)
    } else {
        read_part(archive, entry).map(drop)
    }
}
