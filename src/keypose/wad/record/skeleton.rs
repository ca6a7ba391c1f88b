//! SKEL: the bones of a model, parents before children, and its scalars. See docs/wad-format.md, "SKEL".

use serde::{Deserialize, Serialize};

use crate::anim::scalar::{Scalar, ScalarKind, Sheet};
use crate::anim::skeleton::{Bone, Skeleton};
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::transform::TransformRecordV1;

#[derive(Serialize, Deserialize)]
pub struct SkeletonRecordV1 {
    bones: Vec<BoneRecordV1>,
    scalars: Vec<ScalarRecordV1>,
}

record! { struct BoneRecordV1 of Bone { name: String, parent: Option<u16>, rest: TransformRecordV1 } }

record! { struct ScalarRecordV1 of Scalar { name: String, bone: u16, kind: ScalarKindRecordV1, default: f32 } }

record! { enum ScalarKindRecordV1 of ScalarKind { Weight, Property, Visibility, Frame(sheet: SheetRecordV1), LayerWeight } }

record! { struct SheetRecordV1 of Sheet { columns: u8, rows: u8 } }

impl Stored<SkeletonRecordV1> for Skeleton {
    fn to_record(&self) -> Result<SkeletonRecordV1, Invalid> {
        let scalars = self.scalars().to_vec().to_record().map_err(|error| error.within("scalars"))?;
        Ok(SkeletonRecordV1 { bones: self.bones().to_vec().to_record()?, scalars })
    }

    fn from_record(record: SkeletonRecordV1) -> Result<Skeleton, Invalid> {
        let scalars = Vec::from_record(record.scalars).map_err(|error: Invalid| error.within("scalars"))?;
        let skeleton = Skeleton::new(Vec::from_record(record.bones)?).and_then(|bones| bones.with_scalars(scalars));
        skeleton.map_err(|error| Invalid::new(error.to_string()))
    }
}
