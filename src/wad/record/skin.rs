//! SKIN: the joint list and inverse binds of a mesh. Whether the joints exist is checked with the model.

use glam::Mat4;
use serde::{Deserialize, Serialize};

use crate::anim::skin::Skin;
use crate::wad::error::Fault;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{floats, join, split};

#[derive(Serialize, Deserialize)]
struct SkinRecordV1 {
    name: String,
}

/// Bytes of one value of each section.
pub const SIZES: [usize; 2] = [2, 64];

impl Record for SkinRecordV1 {
    const MAX_BYTES: usize = 0x1_0000;
}

pub fn write(skin: &Skin) -> Result<Vec<u8>, String> {
    let joints = bytemuck::cast_slice(&skin.joints).to_vec();
    let binds = floats(&skin.inverse_binds, "inverse binds")?;
    join(&to_bytes(&SkinRecordV1 { name: skin.name.clone() })?, &[joints, binds])
}

pub fn read(bytes: &[u8]) -> Result<Skin, Fault> {
    let mut parts = split(bytes)?;
    let record: SkinRecordV1 = from_bytes(parts.record)?;
    let joints = parts.values("joints")?;
    let inverse_binds = parts.values::<Mat4>("inverse binds")?;
    parts.end()?;
    Ok(Skin { name: record.name, joints, inverse_binds })
}
