//! Edits the lumps of an archive one by one and keeps the lists of its models consistent. For the command line; the
//! editor edits projects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::bakes::{self, Refreshed};
use crate::wad::directory::Codec;
use crate::wad::error::WadError;
use crate::wad::kind::{Kind, List, Role};
use crate::wad::pack::Lump;
use crate::wad::part::Part;
use crate::wad::record::bake;
use crate::wad::record::model::ModelLists;

/// Removes a lump. A clip or mesh is removed from its model's list as well, a model with all its parts. A lump that other
/// parts need is an error.
pub fn remove(lumps: &mut Vec<Lump>, kind: Kind, name: &str) -> Result<(), WadError> {
    let title = format!("{kind}/{name}");
    let error = |reason: String| Err(WadError::Content { place: format!("lump {title}"), reason });
    if !lumps.iter().any(|lump| lump.kind == kind && lump.name == name) {
        return error("no such lump".into());
    }
    if kind == Kind::MODEL {
        return remove_model(lumps, name);
    }
    if kind == Kind::MESH {
        remove_from_sources(lumps, name)?;
    }
    for lump in lumps.iter_mut().filter(|lump| lump.kind == Kind::MODEL) {
        let mut lists = lists_of(lump)?;
        let before = (lists.clips.len(), lists.meshes.len());
        match kind {
            Kind::CLIP => lists.clips.retain(|part| part != name),
            Kind::MESH => lists.meshes.retain(|(part, _)| part != name),
            _ => {}
        }
        let is_needed = match kind.role() {
            Some(Role::Listed(list)) => list.is_indexed() && lists.names(list).iter().any(|part| *part == name),
            Some(Role::Required) => lump.name == name,
            _ => false,
        };
        if is_needed {
            return error(format!("the model {} needs it", lists.name));
        }
        if before != (lists.clips.len(), lists.meshes.len()) {
            put_lists(lump, lists)?;
        }
    }
    let is_gone = |of| kind == of || (kind == Kind::CLIP && of == Kind::BAKED);
    lumps.retain(|lump| !is_gone(lump.kind) || lump.name != name);
    Ok(())
}

/// Removes a mesh from the sources of its models, which are in the order of their meshes.
fn remove_from_sources(lumps: &mut [Lump], mesh: &str) -> Result<(), WadError> {
    let mut kept = BTreeMap::new();
    for lump in lumps.iter().filter(|lump| lump.kind == Kind::MODEL) {
        let is_kept = |(part, _): &(String, _)| part != mesh;
        kept.insert(lump.name.clone(), lists_of(lump)?.meshes.iter().map(is_kept).collect::<Vec<bool>>());
    }
    for lump in lumps.iter_mut().filter(|lump| lump.kind == Kind::SOURCE) {
        let Some(kept) = kept.get(&lump.name).filter(|kept| kept.contains(&false)) else { continue };
        let Part::Source(mut source) = part_of(lump)? else { continue };
        let mut kept = kept.iter();
        Arc::make_mut(&mut source).meshes.retain(|_| kept.next().copied().unwrap_or(true));
        lump.bytes = Part::Source(source).to_lump(&(lump.kind, lump.name.clone()))?.bytes;
    }
    Ok(())
}

fn remove_model(lumps: &mut Vec<Lump>, name: &str) -> Result<(), WadError> {
    let Some(model) = lumps.iter().find(|lump| lump.kind == Kind::MODEL && lump.name == name) else { return Ok(()) };
    let lists = lists_of(model)?;
    let names = |list| lists.names(list).into_iter().map(move |name| (list, name));
    let listed: BTreeSet<(List, &String)> = List::ALL.into_iter().flat_map(names).collect();
    let is_listed = |list, lump: &Lump| listed.contains(&(list, &lump.name));
    let of_model = format!("{name}/");
    lumps.retain(|lump| match lump.kind.role() {
        Some(Role::Model | Role::Required | Role::Optional) => lump.name != name,
        Some(Role::Listed(list)) => !is_listed(list, lump),
        Some(Role::Baked) => !is_listed(List::Clips, lump),
        Some(Role::ReferenceImage) => !lump.name.starts_with(&of_model),
        Some(Role::Level | Role::Sound) | None => true,
    });
    Ok(())
}

/// Adds a lump, or replaces the one of its kind and name. A new clip or mesh is added to the list of the model `owner`;
/// without an owner it must replace one.
pub fn put(lumps: &mut Vec<Lump>, lump: Lump, owner: Option<&str>) -> Result<(), WadError> {
    let (kind, name) = (lump.kind, lump.name.clone());
    let is_part = matches!(kind.role(), Some(Role::Listed(list)) if !list.is_indexed());
    let is_new = !lumps.iter().any(|old| old.kind == kind && old.name == name);
    if is_part && is_new {
        let error = |reason: String| WadError::Content { place: format!("lump {kind}/{name}"), reason };
        let owner = owner.ok_or_else(|| error("the lump is new; name the model that it belongs to".into()))?;
        let is_owner = |lump: &&mut Lump| lump.kind == Kind::MODEL && lump.name == owner;
        let model = lumps.iter_mut().find(is_owner).ok_or_else(|| error(format!("no model {owner}")))?;
        let mut lists = lists_of(model)?;
        match kind {
            Kind::CLIP => lists.clips.push(name.clone()),
            _ => lists.meshes.push((name.clone(), Default::default())),
        }
        put_lists(model, lists)?;
    }
    lumps.retain(|old| old.kind != kind || old.name != name);
    lumps.push(lump);
    Ok(())
}

/// Checks that a clip was made for the skeleton of the model that gets it: `owner`, or the model that lists it. `bake` is the baked
/// form that was extracted with the clip.
pub fn check_skeleton(lumps: &[Lump], clip: &str, owner: Option<&str>, bake: &[u8]) -> Result<(), WadError> {
    let error = |reason: String| WadError::Content { place: format!("lump {}/{clip}", Kind::CLIP), reason };
    let lists_it = |lump: &&Lump| {
        lump.kind == Kind::MODEL && lists_of(lump).is_ok_and(|lists| lists.clips.iter().any(|name| name == clip))
    };
    let owner = owner.or_else(|| lumps.iter().find(lists_it).map(|lump| lump.name.as_str()));
    let skeleton = lumps.iter().find(|lump| lump.kind == Kind::SKELETON && Some(lump.name.as_str()) == owner);
    let hash = skeleton.and_then(|lump| Some(xxh3_64(lump.bytes.as_deref()?)));
    let (Ok(origin), Some(hash), Some(owner)) = (bake::origin(bake), hash, owner) else { return Ok(()) };
    if origin.skeleton == hash {
        Ok(())
    } else {
        Err(error(format!(
            "it was made for another skeleton than that of {owner}; `keypose import` adds clips by the names of bones"
        )))
    }
}

/// Bakes the clips whose baked form is missing or out of date.
pub fn rebake(lumps: &mut Vec<Lump>) -> Result<(), WadError> {
    bakes::refresh(lumps, Refreshed::All)
}

/// Bakes the clips again whose baked form is invalid or out of date. Missing ones stay missing.
pub fn rebake_invalid(lumps: &mut Vec<Lump>) -> Result<(), WadError> {
    bakes::refresh(lumps, Refreshed::Present)
}

/// Sets the codec of every lump: by its kind, or `others` if the kind has none.
pub fn recode(lumps: &mut [Lump], others: Codec) {
    for lump in lumps {
        lump.codec = if lump.kind.codec() == Codec::Store { others } else { lump.kind.codec() };
    }
}

/// Leaves every lump uncompressed.
pub fn uncompress(lumps: &mut [Lump]) {
    lumps.iter_mut().for_each(|lump| lump.codec = Codec::Store);
}

fn lists_of(lump: &Lump) -> Result<ModelLists, WadError> {
    match part_of(lump)? {
        Part::Model(lists) => Ok(lists),
        _ => Ok(ModelLists::default()),
    }
}

fn put_lists(lump: &mut Lump, lists: ModelLists) -> Result<(), WadError> {
    lump.bytes = Part::Model(lists).to_lump(&(lump.kind, lump.name.clone()))?.bytes;
    Ok(())
}

fn part_of(lump: &Lump) -> Result<Part, WadError> {
    let bytes = lump.bytes.as_deref().unwrap_or_default();
    Part::read(lump.kind, lump.version, &lump.name, bytes, |part| part.to_vec().into())
}
