//! Keys, drafts, saved poses and joint limits of bones whose parents changed: their transforms relative to the parent follow.

use std::collections::BTreeSet;

use glam::{Mat3, Mat4, Quat, Vec3, Vec4};

use keypose::anim::key::{BoneIndex, Channel, Key};
use keypose::anim::transform::Transform;
use keypose::assets::clip_notes::LayerBlend;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose_tools::bone_data::{change_keys, change_keys_of, change_saved_bones, moved_saved};

/// Moves bones relative to their parents: `before[bone]` is applied after their local transforms, to rest transforms by the caller, here to
/// keys, drafts, saved poses and joint limits.
pub fn move_in_parents(model: &mut Model, before: &[Option<Transform>]) {
    if before.iter().all(Option::is_none) {
        return;
    }
    let by = |bone: BoneIndex| before.get(usize::from(bone)).copied().flatten();
    let moved = |key: &Key| Some(by(key.bone).map_or(*key, |by| moved_key(&by, key)));
    change_keys(model, moved);
    let skeleton = model.skeleton.clone();
    change_saved_bones(model, |saved| {
        if let Some(bone) = skeleton.find(&saved.bone).filter(|bone| by(*bone).is_some()) {
            *saved = moved_saved(saved, bone, moved);
        }
    });
    for (name, limit) in &mut model.rig.limits {
        if let Some(by) = skeleton.find(name).and_then(by) {
            (limit.zero, limit.axis) = (turned(&by, limit.zero), by.mirrored_axis(limit.axis));
        }
    }
}

/// Keeps what layers that are added do to a bone, whose rest transform changes: their keys are the rest pose and the difference.
pub fn move_added_layers(model: &mut Model, bone: BoneIndex, [from, to]: [Transform; 2]) {
    let layers = model.clip_notes.values().filter_map(|notes| notes.derived?.how.layer());
    let added: BTreeSet<ClipId> =
        layers.filter(|layer| layer.blend == LayerBlend::Add).map(|layer| layer.clip).collect();
    let ratio = to.scale / from.scale;
    let by = Transform {
        translation: to.translation - from.translation,
        rotation: to.rotation * from.rotation.inverse(),
        scale: Vec3::select(ratio.is_finite_mask(), ratio, Vec3::ONE),
    };
    change_keys_of(
        model,
        |clip| added.contains(&clip),
        |key| {
            let by = match key.channel {
                _ if key.bone != bone => return Some(*key),
                Channel::Translation => Transform::from_translation(by.translation),
                Channel::Rotation => Transform::from_rotation(by.rotation),
                Channel::Scale | Channel::Scalar(_) => by,
            };
            Some(moved_key(&by, key))
        },
    );
}

/// The transform of a bone in another parent; `by` is from the space of the old parent to that of the new one. Shear is lost.
pub fn in_parent(by: &Mat4, local: &Transform) -> Transform {
    // A flattened or mirrored bone stays so along its own axes, as its keys do.
    let place = Transform::from_mat4(*by * Mat4::from_rotation_translation(local.rotation, local.translation));
    Transform { scale: place.scale * local.scale, ..place }
}

/// Whether a matrix scales all directions alike, mirrored or not: nothing is sheared, and channels follow it one by one.
pub fn is_even(matrix: &Mat4) -> bool {
    let linear = Mat3::from_mat4(*matrix);
    let squared = linear.transpose() * linear;
    let size = squared.x_axis.x;
    squared.abs_diff_eq(Mat3::from_diagonal(Vec3::splat(size)), 1e-3 * size)
}

/// A local rotation in another parent. Linear, so it also holds for tangents.
fn turned(by: &Transform, rotation: Quat) -> Quat {
    by.rotation * Quat::from_vec4(by.mirrored_axis(rotation.xyz()).extend(rotation.w))
}

fn moved_key(by: &Transform, key: &Key) -> Key {
    let vector = |value: Vec4| (by.rotation * (by.scale * value.truncate())).extend(0.0);
    let turned = |value: Vec4| Vec4::from(turned(by, Quat::from_vec4(value)));
    let scaled = |value: Vec4| (by.scale * value.truncate()).extend(0.0);
    match key.channel {
        Channel::Translation => key.mapped(|value| vector(value) + by.translation.extend(0.0), vector),
        Channel::Rotation => key.mapped(turned, turned),
        Channel::Scale => key.mapped(scaled, scaled),
        Channel::Scalar(_) => *key,
    }
}
