//! How the rotations of bones are read as angles: the same in the inspector, in the curves and in scripts.

use crate::editor::ops::curves::Reading;
use crate::editor::session::Session;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// The order of a bone's angles.
pub fn order(model: &Model, bone: BoneIndex) -> EulerOrder {
    model.skeleton.get(bone).map_or_else(EulerOrder::default, |bone| model.rig.order(&bone.name))
}

/// The reading of a bone in a clip, or in the rest pose.
pub fn reading(model: &Model, session: &Session, clip: Option<ClipId>, bone: BoneIndex) -> Reading {
    Reading { order: order(model, bone), entered: session.focus.entered_angles.of(clip, bone) }
}
