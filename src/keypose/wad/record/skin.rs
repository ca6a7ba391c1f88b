//! SKIN: joint list and inverse bind matrices. Whether the joints exist is checked with the model. See
//! docs/wad-format.md, "SKIN".

use std::sync::Arc;

use glam::Mat4;
use serde::{Deserialize, Serialize};

use crate::anim::skin::Skin;
use crate::wad::error::Fault;
use crate::wad::record::{Input, to_bytes};
use crate::wad::sections::{floats, join};

#[derive(Serialize, Deserialize)]
struct SkinRecordV1 {
    name: String,
}

pub fn write(skin: &Skin) -> Result<Vec<u8>, String> {
    let joints = bytemuck::cast_slice(&skin.joints).to_vec();
    let binds = floats(&skin.inverse_binds, "inverse bind matrices")?;
    join(&to_bytes(&SkinRecordV1 { name: skin.name.clone() })?, &[joints, binds])
}

pub fn read(input: Input<'_>) -> Result<Arc<Skin>, Fault> {
    let (SkinRecordV1 { name }, mut parts) = input.split()?;
    let joints = parts.values("joints")?;
    let inverse_binds = parts.values::<Mat4>("inverse bind matrices")?;
    parts.end()?;
    Ok(Arc::new(Skin { name, joints, inverse_binds }))
}
