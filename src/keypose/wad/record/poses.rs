//! POSL: the pose library of a model. Bones and scalars are identified by name. See docs/wad-format.md, "POSL".

use std::sync::Arc;

use crate::anim::shared_list::SharedList;
use crate::assets::saved_pose::{self, SavedBone, SavedPose};
use crate::wad::error::Fault;
use crate::wad::record::stored::record;
use crate::wad::record::{Input, value};

record! { struct PoseRecordV1 of SavedPose { name: String, bones: Vec<PoseBoneRecordV1> } }

record! {
    struct PoseBoneRecordV1 of SavedBone {
        bone: String,
        translation: Option<[f32; 3]>,
        /// x, y, z, w.
        rotation: Option<[f32; 4]>,
        scale: Option<[f32; 3]>,
        scalars: Vec<(String, f32)>,
    }
}

pub fn read(input: Input<'_>) -> Result<SharedList<Arc<SavedPose>>, Fault> {
    let poses: SharedList<Arc<SavedPose>> = value::<Vec<PoseRecordV1>, _>(input)?;
    saved_pose::check(&poses)?;
    Ok(poses)
}

/// Whether two libraries hold the same poses; shared ones are not compared.
pub fn is_same(a: &SharedList<Arc<SavedPose>>, b: &SharedList<Arc<SavedPose>>) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
}
