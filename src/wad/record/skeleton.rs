//! SKEL: bones in level order.

use serde::{Deserialize, Serialize};

use crate::anim::skeleton::{Bone, Skeleton};
use crate::wad::error::Fault;
use crate::wad::record::transform::TransformRecordV1;
use crate::wad::record::{Record, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct SkeletonRecordV1 {
    bones: Vec<BoneRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct BoneRecordV1 {
    name: String,
    parent: Option<u16>,
    rest: TransformRecordV1,
}

impl Record for SkeletonRecordV1 {
    const MAX_BYTES: usize = 0x100_0000;
}

pub fn write(skeleton: &Skeleton) -> Result<Vec<u8>, String> {
    let bone = |bone: &Bone| {
        let rest =
            TransformRecordV1::from_transform(&bone.rest).map_err(|reason| format!("{}: {reason}", bone.name))?;
        Ok(BoneRecordV1 { name: bone.name.clone(), parent: bone.parent, rest })
    };
    let bones = skeleton.bones().iter().map(bone).collect::<Result<_, String>>()?;
    join(&to_bytes(&SkeletonRecordV1 { bones })?, &[])
}

pub fn read(bytes: &[u8]) -> Result<Skeleton, Fault> {
    let parts = split(bytes)?;
    let record: SkeletonRecordV1 = from_bytes(parts.record)?;
    parts.end()?;
    let bone = |bone: BoneRecordV1| Bone { rest: bone.rest.to_transform(), name: bone.name, parent: bone.parent };
    Skeleton::new(record.bones.into_iter().map(bone).collect()).map_err(|error| Fault::from(error.to_string()))
}
