//! Patches: merges a base archive with patches, and makes patches. A lump of a later archive replaces the one of the same kind
//! and name; a tombstone deletes it. See docs/wad-format.md, "Patches".

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::assets::character::Character;
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::decode::{Decoded, decode};
use crate::wad::directory::{Codec, Entry};
use crate::wad::encode::lumps;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::pack::{Lump, pack};

/// The result of merging archives.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// The remaining lumps, sorted by kind and name.
    pub lumps: Vec<Lump>,
    /// Notes for the user, one sentence each.
    pub findings: Vec<String>,
}

/// The effect of one archive on a lump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The archive has the lump, with this checksum of the stored bytes.
    Holds(u64),
    /// The archive deletes the lump.
    Deletes,
}

/// Merges archives, the base first.
pub fn merge(layers: &[Archive<'_>]) -> Result<Merged, WadError> {
    let mut winners: BTreeMap<(Kind, &str), (&Archive<'_>, &Entry)> = BTreeMap::new();
    let mut findings = Vec::new();
    let base = layers.first().ok_or_else(|| error("no archive to read"))?;
    if base.header().base.is_some() {
        let reason = "the first archive is a patch; a patch needs a base archive";
        return Err(base.header().refuse_flags(reason));
    }
    for (number, layer) in (1_u32..).zip(layers) {
        if layer.header().base.is_some_and(|wanted| wanted != base.header().hash) {
            findings
                .push(format!("archive {number} is a patch for another state of the base; the result may be wrong"));
        }
        for entry in layer.entries() {
            match (entry.tombstone, winners.contains_key(&entry.key())) {
                (false, _) => drop(winners.insert(entry.key(), (layer, entry))),
                (true, true) => drop(winners.remove(&entry.key())),
                (true, false) => {
                    findings.push(format!("archive {number} deletes {}, which does not exist", entry.title()));
                }
            }
        }
    }
    let lumps = winners.values().map(|(layer, entry)| layer.to_lump(entry)).collect::<Result<_, _>>()?;
    Ok(Merged { lumps, findings })
}

/// Decodes a base archive with patches.
pub fn decode_layers(files: &[&[u8]]) -> Result<Decoded, WadError> {
    if let [file] = files {
        return decode(file);
    }
    let layers = files.iter().map(|bytes| Archive::open(bytes)).collect::<Result<Vec<_>, _>>()?;
    let merged = merge(&layers)?;
    let mut decoded = decode(&pack(merged.lumps, None)?)?;
    decoded.findings.splice(0..0, merged.findings);
    Ok(decoded)
}

/// The effect of each archive on a lump. The last one decides.
pub fn why(layers: &[Archive<'_>], kind: Kind, name: &str) -> Vec<Option<Claim>> {
    let claim = |entry: &Entry| if entry.tombstone { Claim::Deletes } else { Claim::Holds(entry.hash) };
    layers.iter().map(|layer| layer.find(kind, name).map(claim)).collect()
}

/// The patch that turns the base into `lumps`: new and changed lumps, and tombstones for removed ones.
pub fn patch(base: &Archive<'_>, lumps: Vec<Lump>) -> Result<Vec<u8>, WadError> {
    pack(difference(base, lumps)?, Some(base.header().hash))
}

fn difference(base: &Archive<'_>, lumps: Vec<Lump>) -> Result<Vec<Lump>, WadError> {
    let kept: BTreeSet<_> = lumps.iter().map(|lump| (lump.kind, lump.name.as_str())).collect();
    let removed = base.entries().iter().filter(|entry| !entry.tombstone && !kept.contains(&entry.key()));
    let tombstone = |entry: &Entry| {
        let (kind, name, version) = (entry.kind, entry.name.clone(), entry.version);
        Lump { kind, name, version, codec: Codec::Store, bytes: None }
    };
    let mut out: Vec<Lump> = removed.map(tombstone).collect();
    for lump in lumps {
        let is_same = match base.find(lump.kind, &lump.name) {
            Some(entry) => entry.version == lump.version && Some(&*base.lump(entry)?) == lump.bytes.as_deref(),
            None => false,
        };
        if !is_same {
            out.push(lump);
        }
    }
    Ok(out)
}

/// The patch that turns a base archive, and the patches over it, into a project: the editor's "Save only what changed". It must be
/// applied last, and records the base as each of the others does.
pub fn encode_patch(
    below: &[Archive<'_>],
    project: &Project,
    characters: &[Arc<Character>],
) -> Result<Vec<u8>, WadError> {
    let base = below.first().ok_or_else(|| error("a patch needs a base archive"))?;
    let lumps = lumps(project, characters)?;
    if below.len() == 1 {
        return patch(base, lumps);
    }
    let together = pack(merge(below)?.lumps, None)?;
    pack(difference(&Archive::open(&together)?, lumps)?, Some(base.header().hash))
}

fn error(reason: &str) -> WadError {
    WadError::Content { place: "overlay".into(), reason: reason.to_owned() }
}
