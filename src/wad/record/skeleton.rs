//! SKEL: the bones of a model, parents before children. See docs/wad-format.md, "SKEL".

use crate::anim::skeleton::{Bone, Skeleton};
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::transform::TransformRecordV1;
use crate::wad::record::{Input, Record, write_value};

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

pub fn write(skeleton: &Skeleton) -> Result<Vec<u8>, String> {
    write_value::<Vec<BoneRecordV1>>(skeleton)
}

pub fn read(input: Input<'_>) -> Result<Skeleton, Fault> {
    input.value::<Vec<BoneRecordV1>, _>()
}
