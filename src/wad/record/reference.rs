//! rEFI: where the reference images of a model stand. Their pixels are lumps of their own, rIMG, written as textures are.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::assets::model::Visibility;
use crate::assets::reference::{Depth, Facing, Lock};
use crate::wad::error::Fault;
use crate::wad::record::{Record, finite, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

/// A reference image with its pixels named by their lump.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedReference {
    pub lump: String,
    pub facing: Facing,
    pub depth: Depth,
    pub offset: Vec2,
    pub height: f32,
    pub opacity: f32,
    pub visibility: Visibility,
    pub lock: Lock,
}

#[derive(Serialize, Deserialize)]
struct ReferencesRecordV1 {
    references: Vec<ReferenceRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct ReferenceRecordV1 {
    /// Of its pixels.
    lump: String,
    facing: FacingRecordV1,
    depth: DepthRecordV1,
    offset: [f32; 2],
    height: f32,
    opacity: f32,
    hidden: bool,
    locked: bool,
}

#[derive(Serialize, Deserialize)]
enum FacingRecordV1 {
    Front,
    Side,
}

#[derive(Serialize, Deserialize)]
enum DepthRecordV1 {
    Behind,
    Before,
}

impl Record for ReferencesRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(references: &[NamedReference]) -> Result<Vec<u8>, String> {
    let record = |one: &NamedReference| {
        Ok::<_, String>(ReferenceRecordV1 {
            lump: one.lump.clone(),
            facing: match one.facing {
                Facing::Front => FacingRecordV1::Front,
                Facing::Side => FacingRecordV1::Side,
            },
            depth: match one.depth {
                Depth::Behind => DepthRecordV1::Behind,
                Depth::Before => DepthRecordV1::Before,
            },
            offset: finite(one.offset.to_array(), "offset")?,
            height: finite([one.height], "height")?[0],
            opacity: finite([one.opacity], "opacity")?[0],
            hidden: one.visibility == Visibility::Hidden,
            locked: one.lock == Lock::Locked,
        })
    };
    let references = references.iter().map(record).collect::<Result<_, _>>()?;
    join(&to_bytes(&ReferencesRecordV1 { references })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Vec<NamedReference>, Fault> {
    let parts = split(bytes)?;
    let record: ReferencesRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let named = |one: ReferenceRecordV1| {
        Ok(NamedReference {
            lump: one.lump,
            facing: match one.facing {
                FacingRecordV1::Front => Facing::Front,
                FacingRecordV1::Side => Facing::Side,
            },
            depth: match one.depth {
                DepthRecordV1::Behind => Depth::Behind,
                DepthRecordV1::Before => Depth::Before,
            },
            offset: Vec2::from_array(finite(one.offset, "offset")?),
            height: finite([one.height], "height")?[0],
            opacity: finite([one.opacity], "opacity")?[0],
            visibility: if one.hidden { Visibility::Hidden } else { Visibility::Shown },
            lock: if one.locked { Lock::Locked } else { Lock::Open },
        })
    };
    record.references.into_iter().map(named).collect()
}
