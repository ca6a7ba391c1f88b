//! A base archive under ordered patches: identity is (kind, name), later wins, a tombstone deletes. Makes patches too.

use std::collections::BTreeMap;
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

/// What several archives are together.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// Every lump that is left, sorted by kind and name.
    pub lumps: Vec<Lump>,
    /// What the user should know, a sentence each.
    pub findings: Vec<String>,
}

/// What one layer says about a lump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It holds the lump; the checksum of its stored bytes.
    Holds(u64),
    /// It deletes the lump.
    Deletes,
}

/// Puts archives over each other, the base first.
pub fn merge(layers: &[Archive<'_>]) -> Result<Merged, WadError> {
    let mut winners: BTreeMap<(Kind, &str), (&Archive<'_>, &Entry)> = BTreeMap::new();
    let mut findings = Vec::new();
    let base = layers.first().ok_or_else(|| trouble("there is no archive to read"))?;
    if base.header().base.is_some() {
        let reason = "the first archive is a patch; it needs the archive that it was made for below it";
        return Err(base.header().refuse_flags(reason));
    }
    for (number, layer) in (1_u32..).zip(layers) {
        if layer.header().base.is_some_and(|wanted| wanted != base.header().hash) {
            findings.push(format!("archive {number} is a patch for another state of the base; it may not fit"));
        }
        for entry in layer.entries() {
            match (entry.tombstone, winners.contains_key(&entry.key())) {
                (false, _) => drop(winners.insert(entry.key(), (layer, entry))),
                (true, true) => drop(winners.remove(&entry.key())),
                (true, false) => {
                    findings.push(format!("archive {number} deletes {}, which is not there", entry.title()));
                }
            }
        }
    }
    let lumps = winners.values().map(|(layer, entry)| layer.to_lump(entry)).collect::<Result<_, _>>()?;
    Ok(Merged { lumps, findings })
}

/// Opens and reads a base under patches.
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

/// What each layer says about a lump; the last that says anything decides.
pub fn why(layers: &[Archive<'_>], kind: Kind, name: &str) -> Vec<Option<Claim>> {
    let claim = |entry: &Entry| if entry.tombstone { Claim::Deletes } else { Claim::Holds(entry.hash) };
    layers.iter().map(|layer| layer.find(kind, name).map(claim)).collect()
}

/// The patch that makes `lumps` out of the base: what is new or other, and tombstones for what is gone.
pub fn patch(base: &Archive<'_>, lumps: Vec<Lump>) -> Result<Vec<u8>, WadError> {
    pack(difference(base, lumps)?, Some(base.header().hash))
}

fn difference(base: &Archive<'_>, lumps: Vec<Lump>) -> Result<Vec<Lump>, WadError> {
    let gone = base.entries().iter().filter(|entry| {
        let same = |lump: &Lump| (lump.kind, lump.name.as_str()) == entry.key();
        !entry.tombstone && !lumps.iter().any(same)
    });
    let tombstone = |entry: &Entry| {
        let (kind, name, version) = (entry.kind, entry.name.clone(), entry.version);
        Lump { kind, name, version, codec: Codec::Store, bytes: None }
    };
    let mut out: Vec<Lump> = gone.map(tombstone).collect();
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

/// The patch that makes a project out of the base: the editor's "save what changed".
pub fn encode_patch(base: &[u8], project: &Project, characters: &[Arc<Character>]) -> Result<Vec<u8>, WadError> {
    patch(&Archive::open(base)?, lumps(project, characters)?)
}

/// The same over a base that has patches already: what differs from all of them together. It lies on top of them and
/// records the base, as each of them does.
pub fn encode_patch_over(
    below: &[Archive<'_>],
    project: &Project,
    characters: &[Arc<Character>],
) -> Result<Vec<u8>, WadError> {
    let base = below.first().ok_or_else(|| trouble("there is no archive below the patch"))?;
    let lumps = lumps(project, characters)?;
    if below.len() == 1 {
        return patch(base, lumps);
    }
    let together = pack(merge(below)?.lumps, None)?;
    pack(difference(&Archive::open(&together)?, lumps)?, Some(base.header().hash))
}

fn trouble(reason: &str) -> WadError {
    WadError::Content { place: "overlay".into(), reason: reason.to_owned() }
}
