//! The difference between two states of a project as lumps, and its application. Only a journal holds it: of a changed clip it
//! may hold a lump of the kind `KEYS`, which depends on the clip before.

use std::sync::Arc;

use crate::assets::project::Project;
use crate::wad::directory::Codec;
use crate::wad::encode::parts_of;
use crate::wad::error::WadError;
use crate::wad::journal::clip_change::ClipChange;
use crate::wad::kind::Kind;
use crate::wad::pack::Lump;
use crate::wad::part::{Part, Parts};
use crate::wad::record::{Input, clip_change};

/// A change of the clip of the same name.
pub const CLIP_CHANGE: Kind = Kind(*b"KEYS");
const VERSION: u16 = 1;

/// The difference between two states of a project, as lumps and tombstones. Takes time in proportion to the parts that they
/// don't share; checks nothing.
pub fn delta(before: &Project, after: &Project) -> Result<Vec<Lump>, WadError> {
    let (old, new) = (parts_of(before), parts_of(after));
    let removed = old.keys().filter(|key| !new.contains_key(*key));
    let mut lumps: Vec<Lump> = removed.map(tombstone).collect();
    for (key, part) in &new {
        match old.get(key) {
            Some(before) if before.is_same(part) => {}
            Some(before) => lumps.push(change(key, before, part)?),
            None => lumps.push(part.to_lump(key)?),
        }
    }
    Ok(lumps)
}

/// A changed part: its keys that changed, or the whole.
fn change(key: &(Kind, String), before: &Part, after: &Part) -> Result<Lump, WadError> {
    let (Part::Clip(old), Part::Clip(new)) = (before, after) else { return after.to_lump(key) };
    let Some(change) = ClipChange::between(old, new) else { return after.to_lump(key) };
    let (kind, name) = (CLIP_CHANGE, key.1.clone());
    let content = |reason| WadError::Content { place: format!("lump {kind}/{name}"), reason };
    let bytes = Some(clip_change::write(&change).map_err(content)?);
    Ok(Lump { kind, name, version: VERSION, codec: Codec::Lz4, bytes })
}

fn tombstone((kind, name): &(Kind, String)) -> Lump {
    let version = kind.newest_version().unwrap_or(1);
    Lump { kind: *kind, name: name.clone(), version, codec: Codec::Store, bytes: None }
}

/// Applies a lump or tombstone of a difference.
pub fn apply(parts: &mut Parts, lump: &Lump) -> Result<(), WadError> {
    let Lump { kind, name, version, bytes, .. } = lump;
    if *kind == CLIP_CHANGE {
        return apply_change(parts, name, *version, bytes.as_deref());
    }
    let own = |part: &[u8]| part.to_vec().into();
    match bytes {
        Some(bytes) => drop(parts.insert((*kind, name.clone()), Part::read(*kind, *version, name, bytes, own)?)),
        None => drop(parts.remove(&(*kind, name.clone()))),
    }
    Ok(())
}

fn apply_change(parts: &mut Parts, name: &str, version: u16, bytes: Option<&[u8]>) -> Result<(), WadError> {
    let title = format!("{CLIP_CHANGE}/{name}");
    let content = |reason: String| WadError::Content { place: format!("lump {title}"), reason };
    let (VERSION, Some(bytes)) = (version, bytes) else {
        return Err(WadError::Unknown {
            lump: title,
            offset: None,
            what: format!("version {version} of the kind {CLIP_CHANGE}"),
        });
    };
    let key = (Kind::CLIP, name.to_owned());
    let Some(Part::Clip(old)) = parts.get(&key) else {
        return Err(content("the clip that it changes is missing".into()));
    };
    let change = clip_change::read(Input::new(bytes)).map_err(|fault| fault.in_lump(title.clone()))?;
    let clip = change.apply(old).map_err(content)?;
    parts.insert(key, Part::Clip(Arc::new(clip)));
    Ok(())
}
