//! POSL: the pose library of a model. Bones go by their names.

use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::assets::saved_pose::{self, SavedBone, SavedPose};
use crate::wad::error::Fault;
use crate::wad::record::{Record, finite, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct PosesRecordV1 {
    poses: Vec<PoseRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct PoseRecordV1 {
    name: String,
    bones: Vec<PoseBoneRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct PoseBoneRecordV1 {
    bone: String,
    translation: Option<[f32; 3]>,
    /// x, y, z, w.
    rotation: Option<[f32; 4]>,
    scale: Option<[f32; 3]>,
}

impl Record for PosesRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

pub fn write(poses: &[Arc<SavedPose>]) -> Result<Vec<u8>, String> {
    let bone = |saved: &SavedBone| {
        let numbers = |value: Option<Vec3>| value.map(|value| finite(value.to_array(), "pose")).transpose();
        let rotation = saved.rotation.map(|value| finite(value.to_array(), "pose")).transpose()?;
        let (translation, scale) = (numbers(saved.translation)?, numbers(saved.scale)?);
        Ok(PoseBoneRecordV1 { bone: saved.bone.clone(), translation, rotation, scale })
    };
    let pose = |saved: &Arc<SavedPose>| {
        let bones = saved.bones.iter().map(bone).collect::<Result<_, String>>()?;
        Ok(PoseRecordV1 { name: saved.name.clone(), bones })
    };
    let poses = poses.iter().map(pose).collect::<Result<_, String>>()?;
    join(&to_bytes(&PosesRecordV1 { poses })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Vec<Arc<SavedPose>>, Fault> {
    let parts = split(bytes)?;
    let record: PosesRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let bone = |record: PoseBoneRecordV1| SavedBone {
        bone: record.bone,
        translation: record.translation.map(Vec3::from_array),
        rotation: record.rotation.map(Quat::from_array),
        scale: record.scale.map(Vec3::from_array),
    };
    let pose = |record: PoseRecordV1| {
        Arc::new(SavedPose { name: record.name, bones: record.bones.into_iter().map(bone).collect() })
    };
    let poses: Vec<Arc<SavedPose>> = record.poses.into_iter().map(pose).collect();
    saved_pose::check(poses.iter().map(|pose| &**pose)).map_err(Fault::from)?;
    Ok(poses)
}
