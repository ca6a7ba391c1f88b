//! SKEL: the bones of a model, parents before children. Version 2 has scalars. See docs/wad-format.md, "SKEL".

use serde::{Deserialize, Serialize};

use crate::anim::scalar::{Scalar, ScalarKind};
use crate::anim::skeleton::{Bone, Skeleton};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::transform::TransformRecordV1;
use crate::wad::record::{Input, Record, to_bytes, write_value};
use crate::wad::sections::join;

record! {
    struct BoneRecordV1 of Bone { name: String, parent: Option<u16>, rest: TransformRecordV1 }
}

impl Record for Vec<BoneRecordV1> {
    const MAX_BYTES: usize = 0x100_0000;
}

impl Stored<Vec<BoneRecordV1>> for Skeleton {
    fn to_record(&self) -> Result<Vec<BoneRecordV1>, Invalid> {
        self.bones().to_vec().to_record()
    }

    fn from_record(record: Vec<BoneRecordV1>) -> Result<Skeleton, Invalid> {
        Skeleton::new(Vec::from_record(record)?).map_err(|error| Invalid::new(error.to_string()))
    }
}

#[derive(Serialize, Deserialize)]
struct SkeletonRecordV2 {
    bones: Vec<BoneRecordV1>,
    scalars: Vec<ScalarRecordV2>,
}

record! { enum ScalarKindRecordV2 of ScalarKind { Weight, Property, Visibility } }

record! {
    struct ScalarRecordV2 of Scalar { name: String, bone: u16, kind: ScalarKindRecordV2, default: f32 }
}

impl Record for SkeletonRecordV2 {
    const MAX_BYTES: usize = 0x100_0000;
}

/// The version that stores a skeleton.
pub fn version_of(skeleton: &Skeleton) -> u16 {
    if skeleton.scalars().is_empty() { 1 } else { 2 }
}

pub fn write(skeleton: &Skeleton) -> Result<Vec<u8>, String> {
    if version_of(skeleton) == 1 {
        return write_value::<Vec<BoneRecordV1>>(skeleton);
    }
    let record = || {
        let scalars = skeleton.scalars().to_vec().to_record().map_err(|error| error.within("scalars"))?;
        Ok::<_, Invalid>(SkeletonRecordV2 { bones: skeleton.bones().to_vec().to_record()?, scalars })
    };
    join(&to_bytes(&record().map_err(|error| error.to_string())?)?, &[] as &[Vec<u8>])
}

pub fn read(input: Input<'_>) -> Result<Skeleton, Fault> {
    if input.version == 1 {
        return input.value::<Vec<BoneRecordV1>, _>();
    }
    let SkeletonRecordV2 { bones, scalars } = input.record()?;
    let scalars = Vec::from_record(scalars).map_err(|error: Invalid| error.within("scalars"))?;
    let skeleton = Skeleton::from_record(bones)?.with_scalars(scalars);
    skeleton.map_err(|error| Fault::from(error.to_string()))
}
