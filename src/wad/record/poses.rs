//! POSL: the pose library of a model. Bones are identified by name. Version 2 has weights and properties. See
//! docs/wad-format.md, "POSL".

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::anim::shared_list::SharedList;
use crate::assets::saved_pose::{self, SavedBone, SavedPose};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

record! { struct PoseRecordV2 of SavedPose { name: String, bones: Vec<PoseBoneRecordV2> } }

record! {
    struct PoseBoneRecordV2 of SavedBone {
        bone: String,
        translation: Option<[f32; 3]>,
        /// x, y, z, w.
        rotation: Option<[f32; 4]>,
        scale: Option<[f32; 3]>,
        scalars: Vec<(String, f32)>,
    }
}

#[derive(Serialize, Deserialize)]
pub struct PoseRecordV1 {
    name: String,
    bones: Vec<PoseBoneRecordV1>,
}

#[derive(Serialize, Deserialize)]
pub struct PoseBoneRecordV1 {
    bone: String,
    translation: Option<[f32; 3]>,
    /// x, y, z, w.
    rotation: Option<[f32; 4]>,
    scale: Option<[f32; 3]>,
}

impl Stored<PoseRecordV1> for SavedPose {
    fn to_record(&self) -> Result<PoseRecordV1, Invalid> {
        let PoseRecordV2 { name, bones } = self.to_record()?;
        let bone = |PoseBoneRecordV2 { bone, translation, rotation, scale, .. }| PoseBoneRecordV1 {
            bone,
            translation,
            rotation,
            scale,
        };
        Ok(PoseRecordV1 { name, bones: bones.into_iter().map(bone).collect() })
    }

    fn from_record(PoseRecordV1 { name, bones }: PoseRecordV1) -> Result<SavedPose, Invalid> {
        let bone = |PoseBoneRecordV1 { bone, translation, rotation, scale }| PoseBoneRecordV2 {
            bone,
            translation,
            rotation,
            scale,
            scalars: Vec::new(),
        };
        SavedPose::from_record(PoseRecordV2 { name, bones: bones.into_iter().map(bone).collect() })
    }
}

impl Record for Vec<PoseRecordV1> {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Record for Vec<PoseRecordV2> {
    const MAX_BYTES: usize = 0x100_0000;
}

/// The version that stores poses.
pub fn version_of(poses: &SharedList<Arc<SavedPose>>) -> u16 {
    let has_scalars = poses.iter().flat_map(|pose| &pose.bones).any(|bone| !bone.scalars.is_empty());
    if has_scalars { 2 } else { 1 }
}

pub fn write(poses: &SharedList<Arc<SavedPose>>) -> Result<Vec<u8>, String> {
    match version_of(poses) {
        1 => write_value::<Vec<PoseRecordV1>>(poses),
        _ => write_value::<Vec<PoseRecordV2>>(poses),
    }
}

pub fn read(input: Input<'_>) -> Result<SharedList<Arc<SavedPose>>, Fault> {
    let poses: SharedList<Arc<SavedPose>> = match input.version {
        1 => input.value::<Vec<PoseRecordV1>, _>()?,
        _ => input.value::<Vec<PoseRecordV2>, _>()?,
    };
    saved_pose::check(&poses)?;
    Ok(poses)
}

/// Whether two libraries hold the same poses; shared ones are not compared.
pub fn is_same(a: &SharedList<Arc<SavedPose>>, b: &SharedList<Arc<SavedPose>>) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
}
