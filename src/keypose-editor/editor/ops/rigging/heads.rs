//! Joints in the bind pose: where they are, and moving them while meshes, sockets and volumes stay in place.

use std::sync::Arc;

use glam::{Mat3, Mat4, Vec3};

use crate::editor::ops::rigging::keys::move_in_parents;
use crate::editor::ops::rigging::loose::{loosened, rebuilt};
use crate::editor::ops::rigging::name_of;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::Skin;
use keypose::anim::transform::Transform;
use keypose::assets::mesh::Binding;
use keypose::assets::model::Model;
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::bone_data::move_points;
use keypose_tools::rig::bind::moved;
use keypose_tools::symmetry::Plane;

/// The positions of all joints in the bind pose.
pub fn bind_heads(model: &Model) -> Vec<Vec3> {
    bind_pose(model).bones.iter().map(|bone| bone.translation()).collect()
}

/// See [`BoneEdit::Move`](super::BoneEdit::Move).
pub fn move_joints(model: &Model, heads: &[(BoneIndex, Vec3)]) -> Result<Model, String> {
    let bind = bind_pose(model);
    let before = bind_heads(model);
    let mut after = before.clone();
    for (bone, head) in heads {
        name_of(&model.skeleton, *bone)?;
        if !head.is_finite() {
            return Err("a position is not finite".into());
        }
        after[usize::from(*bone)] = *head;
    }
    let mut offsets = vec![None; before.len()];
    let mut list = loosened(&model.skeleton);
    for (at, loose) in list.iter_mut().enumerate() {
        let from_parent = |heads: &[Vec3]| heads[at] - loose.parent.map_or(Vec3::ZERO, |parent| heads[parent]);
        let moved = from_parent(&after) - from_parent(&before);
        if moved != Vec3::ZERO {
            let parent = loose.parent.map_or(Mat3::IDENTITY, |parent| Mat3::from_mat4(bind.bones[parent].to_mat4()));
            let by = Transform::from_translation(parent.inverse() * moved);
            loose.rest.translation += by.translation;
            offsets[at] = Some(by);
        }
    }
    let mut changed = model.clone();
    move_in_parents(&mut changed, &offsets);
    for (at, bone) in bind.bones.iter().enumerate().filter(|(at, _)| before[*at] != after[*at]) {
        let offset = bone.to_mat4().inverse().transform_point3(after[at]);
        move_contents(&mut changed, at as BoneIndex, &Mat4::from_translation(-offset));
    }
    rebuilt(changed, &list)
}

/// Moves what is in the space of a bone, so that it stays in place when the bone moves: inverse bind matrices, rigid meshes, sockets,
/// volumes and the tip of its spring. `new_from_old` is from the space of the bone before to the one after.
pub fn move_contents(model: &mut Model, bone: BoneIndex, new_from_old: &Mat4) {
    for skin in model.skins.iter_mut().filter(|skin| skin.joints.contains(&bone)) {
        let Skin { joints, inverse_binds, .. } = Arc::make_mut(skin);
        let of_bone = joints.iter().zip(inverse_binds).filter(|(joint, _)| **joint == bone);
        of_bone.for_each(|(_, inverse)| *inverse = *new_from_old * *inverse);
    }
    for slot in model.meshes.iter_mut().filter(|slot| slot.mesh.binding == Binding::Bone(bone)) {
        slot.mesh = Arc::new(moved(&slot.mesh, *new_from_old));
    }
    for socket in model.sockets.iter_mut().filter(|socket| socket.bone == bone) {
        socket.transform = Transform::from_mat4(*new_from_old * socket.transform.to_mat4());
    }
    let name = model.skeleton.get(bone).map_or("", |bone| &bone.name).to_owned();
    move_points(model, |bone| (bone == name).then_some(*new_from_old));
}

/// A transform mirrored across a plane.
pub fn mirrored(transform: &Transform, plane: &Plane) -> Transform {
    Transform {
        translation: plane.point(transform.translation),
        rotation: plane.rotation(transform.rotation),
        scale: transform.scale,
    }
}
