//! Baked clips in the archive. Each has the name of its clip and the hashes of the lumps that it was made from; a reader uses
//! it if they match, and bakes the clip again otherwise. See docs/wad-format.md, "BAKE".

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::xxh3_64;

use crate::anim::bake::difference::{Difference, difference};
use crate::anim::bake::form::Form;
use crate::anim::bake::measure::Reach;
use crate::anim::bake::{BakedClip, bake_reaching};
use crate::anim::clip::Clip;
use crate::anim::parallel;
use crate::anim::skeleton::Skeleton;
use crate::assets::character::Character;
use crate::assets::mesh_reach::{bake_clip, reach};
use crate::assets::model::{ClipSlot, Model};
use crate::assets::project::Project;
use crate::wad::archive::Archive;
use crate::wad::assemble::{Assembled, ModelLumps};
use crate::wad::decode::read;
use crate::wad::directory::{Codec, Entry};
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::Kind;
use crate::wad::pack::{Lump, pack_sorted};
use crate::wad::record::bake as record;
use crate::wad::record::bake::Origin;
use crate::wad::verify::{Depth, Reached};

/// The lumps of all baked clips, uncompressed if `authored` has no lump that is. `authored` are all other lumps, sorted. Clips that `known` lacks
/// are baked here. Baked clips that can't be stored (numbers near the limits of f32) are left out; every reader bakes them.
pub fn lumps(project: &Project, models: &[ModelLumps], known: &[Arc<Character>], authored: &[Lump]) -> Vec<Lump> {
    let find = |kind, name: &str| {
        let at = authored.binary_search_by(|lump| (lump.kind, lump.name.as_str()).cmp(&(kind, name))).ok()?;
        let lump = authored.get(at)?;
        Some(xxh3_64(lump.bytes.as_deref()?))
    };
    let is_plain = authored.iter().all(|lump| lump.codec == Codec::Store);
    let codec = if is_plain { Codec::Store } else { Kind::BAKED.codec() };
    let lump = |bake: &Bake| Some(Lump { codec, ..bake.to_lump(find).ok()? });
    of(project, models, known).iter().filter_map(lump).collect()
}

/// A baked clip to be stored.
#[derive(Clone, Debug)]
pub struct Bake {
    /// The lump names of its clip and its skeleton.
    pub clip: String,
    skeleton: String,
    of: (Arc<Clip>, Arc<Skeleton>),
    baked: Arc<BakedClip>,
}

impl Bake {
    /// Whether all its numbers can be stored.
    pub fn can_be_written(&self) -> bool {
        record::write(&self.stored(), self.baked.report(), Origin { clip: 0, skeleton: 0 }).is_ok()
    }

    fn stored(&self) -> Cow<'_, Form> {
        let (clip, skeleton) = &self.of;
        self.baked.stored_form(clip, skeleton)
    }

    /// Encodes the lump. `raw` has the hashes of the lumps that it was made from.
    pub fn to_lump(&self, raw: impl Fn(Kind, &str) -> Option<u64>) -> Result<Lump, WadError> {
        let stored = self.stored();
        let (kind, name) = (Kind::BAKED, self.clip.clone());
        let content = |reason: String| WadError::Content { place: format!("lump {kind}/{name}"), reason };
        let missing = || content("its clip or skeleton is missing".into());
        let skeleton = raw(Kind::SKELETON, &self.skeleton).ok_or_else(missing)?;
        let clip = raw(Kind::CLIP, &self.clip).ok_or_else(missing)?;
        let bytes = Some(record::write(&stored, self.baked.report(), Origin { clip, skeleton }).map_err(content)?);
        Ok(Lump { kind, name, version: kind.newest_version().unwrap_or(1), codec: kind.codec(), bytes })
    }
}

/// The sound baked clips of all models. Clips that `known` lacks are baked here.
pub fn of(project: &Project, models: &[ModelLumps], known: &[Arc<Character>]) -> Vec<Bake> {
    let characters = Character::bake_all(&project.models, known);
    let mut out = Vec::new();
    for ((model, character), names) in project.models.iter().zip(&characters).zip(models) {
        for ((slot, baked), name) in model.clips.iter().zip(&character.clips).zip(&names.clips) {
            let stored = baked.stored_form(&slot.clip, &model.skeleton);
            if stored.check(model.skeleton.len(), slot.clip.length(), slot.clip.loop_mode).is_ok() {
                let (name, owner) = (name.clone(), names.owner.clone());
                let (of, baked) = ((slot.clip.clone(), model.skeleton.clone()), baked.clone());
                out.push(Bake { clip: name, skeleton: owner, of, baked });
            }
        }
    }
    out
}

/// The models of an archive with their baked clips. Clips whose baked form is missing, invalid or out of date are baked; the
/// latter two add a finding.
pub fn characters(
    archive: &Archive<'_>,
    project: &Project,
    models: &[ModelLumps],
    findings: &mut Vec<String>,
) -> Vec<Arc<Character>> {
    let pairs = project.models.iter().zip(models);
    let characters = pairs.map(|(model, names)| Arc::new(character(archive, model, names, findings))).collect();
    let used: BTreeSet<&String> = models.iter().flat_map(|names| &names.clips).collect();
    for entry in archive.entries_of(Kind::BAKED).filter(|entry| !used.contains(&entry.name)) {
        findings.push(format!("lump {}: its clip is missing; the next save removes it", entry.title()));
    }
    characters
}

/// The clips whose baked form is made again if it is invalid or out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// All clips: a missing form is added.
    All,
    /// Clips that have a baked form.
    Present,
}

/// Bakes clips of an archive's lumps.
pub fn refresh(lumps: &mut Vec<Lump>, refreshed: Refreshed) -> Result<(), WadError> {
    lumps.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    let bytes = pack_sorted(lumps, None)?;
    let archive = Archive::open(&bytes)?;
    let Assembled { project, models, .. } = read(&archive)?;
    let known = characters(&archive, &project, &models, &mut Vec::new());
    let present: BTreeSet<String> = archive.entries_of(Kind::BAKED).map(|entry| entry.name.clone()).collect();
    lumps.retain(|lump| lump.kind != Kind::BAKED);
    let baked = self::lumps(&project, &models, &known, lumps);
    lumps.extend(baked.into_iter().filter(|lump| refreshed == Refreshed::All || present.contains(&lump.name)));
    Ok(())
}

fn character(archive: &Archive<'_>, model: &Arc<Model>, names: &ModelLumps, findings: &mut Vec<String>) -> Character {
    let skeleton = raw_hash(archive, Kind::SKELETON, &names.owner);
    let pairs: Vec<(&ClipSlot, &String)> = model.clips.iter().zip(&names.clips).collect();
    let measured = OnceLock::new();
    let own_reach = || measured.get_or_init(|| reach(model));
    let (mut clips, mut stale) = (Vec::with_capacity(pairs.len()), Vec::new());
    let made = parallel::map(&pairs, archive.file_bytes(), |(slot, name)| {
        let found =
            skeleton.map_or(Found::Missing, |skeleton| stored(archive, name, skeleton, &slot.clip, &model.skeleton));
        let baked = match &found {
            Found::Valid(baked) => baked.clone(),
            _ => Arc::new(bake_reaching(&slot.clip, &model.skeleton, own_reach(), &model.bake_options())),
        };
        (baked, found)
    });
    for ((slot, _), (baked, found)) in pairs.iter().zip(made) {
        match found {
            Found::Stale => stale.push(slot.clip.name.as_str()),
            Found::Unknown(reason) => findings.push(format!("{reason}; it was baked again")),
            Found::Bad(error) => findings.push(format!("{error}; it was baked again")),
            Found::Valid(_) | Found::Missing => {}
        }
        clips.push(baked);
    }
    if !stale.is_empty() {
        let names = stale.join(", ");
        findings.push(format!("model {}: the baked form of {names} was out of date; it was baked again", model.name));
    }
    Character { model: model.clone(), clips }
}

enum Found {
    Valid(Arc<BakedClip>),
    /// Not in the archive.
    Missing,
    /// Made from another state of the clip or the skeleton.
    Stale,
    /// The version is unknown.
    Unknown(String),
    /// Invalid, with place and reason.
    Bad(WadError),
}

fn stored(archive: &Archive<'_>, name: &str, skeleton: u64, clip: &Clip, bones: &Skeleton) -> Found {
    let Some(entry) = archive.find(Kind::BAKED, name) else { return Found::Missing };
    if let Some(reason) = unknown_version(entry) {
        return Found::Unknown(reason);
    }
    let bytes = match archive.lump(entry) {
        Ok(bytes) => bytes,
        Err(error) => return Found::Bad(error),
    };
    match record::origin(&bytes) {
        Ok(origin) if hash_of_clip(archive, name, clip) != Some(origin.clip) || origin.skeleton != skeleton => {
            return Found::Stale;
        }
        Ok(_) => {}
        Err(fault) => return Found::Bad(fault.in_lump(entry.title())),
    }
    match record::read(&bytes) {
        Ok(record::StoredBake { form, source_bytes, max_error }) => {
            match BakedClip::from_form(clip, bones, form, source_bytes, max_error) {
                Ok(baked) => Found::Valid(Arc::new(baked)),
                Err(error) => Found::Bad(Fault::from(error.to_string()).in_lump(entry.title())),
            }
        }
        Err(fault) => Found::Bad(fault.in_lump(entry.title())),
    }
}

fn unknown_version(entry: &Entry) -> Option<String> {
    let newest = Kind::BAKED.newest_version();
    let is_unknown = newest.is_none_or(|newest| entry.version == 0 || entry.version > newest);
    is_unknown.then(|| format!("lump {}: unknown version {} of the kind {}", entry.title(), entry.version, entry.kind))
}

/// Reads the record of a baked clip without its clip.
pub fn verify_alone(archive: &Archive<'_>, entry: &Entry, findings: &mut Vec<String>) -> Result<(), WadError> {
    if let Some(reason) = unknown_version(entry) {
        findings.push(reason);
        return Ok(());
    }
    let read = record::read(&archive.lump(entry)?);
    read.map(drop).map_err(|fault| fault.in_lump(entry.title()))
}

/// The largest distance of a stored bake from its keys, as a fraction of the model's size, if its report claims no more: twice
/// the error bound of a bake, because the measure itself rounds.
const MAX_DIFFERENCE: f32 = 2e-4;

/// Verifies the baked clips of an archive by the rules of the reader, and with [`Depth::Bakes`] against their keys. Those
/// that are out of date or of an unknown version are findings.
pub fn verify(
    archive: &Archive<'_>,
    (project, models): (&Project, &[ModelLumps]),
    (depth, reached): (Depth, &Reached<'_>),
    findings: &mut Vec<String>,
) -> Result<(), WadError> {
    let (all, done) = (models.iter().map(|names| names.clips.len()).sum::<usize>(), AtomicUsize::new(0));
    let used: BTreeSet<&String> = models.iter().flat_map(|names| &names.clips).collect();
    let unused = archive.entries_of(Kind::BAKED).filter(|entry| !used.contains(&entry.name));
    findings.extend(unused.map(|entry| format!("lump {}: its clip is missing", entry.title())));
    for (model, names) in project.models.iter().zip(models) {
        let Some(skeleton) = raw_hash(archive, Kind::SKELETON, &names.owner) else { continue };
        let pairs: Vec<(&ClipSlot, &String)> = model.clips.iter().zip(&names.clips).collect();
        let measured = OnceLock::new();
        let own_reach = || measured.get_or_init(|| reach(model));
        let verified = parallel::map(&pairs, archive.file_bytes(), |(slot, name)| {
            reached(done.fetch_add(1, Ordering::Relaxed) as f32 / all as f32);
            match stored(archive, name, skeleton, &slot.clip, &model.skeleton) {
                Found::Missing => Ok(None),
                Found::Stale => Ok(Some(format!("lump {}/{name}: out of date; a reader bakes it again", Kind::BAKED))),
                Found::Unknown(reason) => Ok(Some(reason)),
                Found::Bad(error) => Err(error),
                Found::Valid(baked) if depth == Depth::Bakes => {
                    compare(name, &baked, slot, (model, own_reach())).map(|()| None)
                }
                Found::Valid(_) => Ok(None),
            }
        });
        for finding in verified {
            findings.extend(finding?);
        }
    }
    Ok(())
}

/// Compares a stored bake with the keys of its clip.
fn compare(name: &str, baked: &BakedClip, slot: &ClipSlot, (model, reach): (&Model, &Reach)) -> Result<(), WadError> {
    let Difference { largest, at } = difference(baked, &slot.clip, &model.skeleton, reach);
    if largest <= MAX_DIFFERENCE {
        return Ok(());
    }
    // Numbers near the limits of f32 can't be baked more exactly.
    let again = difference(&bake_clip(model, &slot.clip), &slot.clip, &model.skeleton, reach);
    if largest <= again.largest * 2.0 {
        return Ok(());
    }
    let reason = format!("it is not the bake of its clip: at {at} it differs by {largest} of the model's size");
    Err(Fault::from(reason).in_lump(format!("{}/{name}", Kind::BAKED)))
}

/// The hash of the decompressed lump of a clip that was read from it.
fn hash_of_clip(archive: &Archive<'_>, name: &str, clip: &Clip) -> Option<u64> {
    let is_stored = archive.find(Kind::CLIP, name)?.codec == Codec::Store;
    // The clip keeps the bytes, so that they are not decompressed again.
    match clip.keyframes.packed_bytes() {
        Some(bytes) if !is_stored => Some(xxh3_64(bytes)),
        _ => raw_hash(archive, Kind::CLIP, name),
    }
}

/// The hash of a lump's decompressed bytes.
fn raw_hash(archive: &Archive<'_>, kind: Kind, name: &str) -> Option<u64> {
    let entry = archive.find(kind, name)?;
    match entry.codec {
        Codec::Store => Some(entry.hash),
        Codec::Lz4 | Codec::Pixels | Codec::Numbers => archive.lump(entry).ok().map(|bytes| xxh3_64(&bytes)),
    }
}
