//! Keys, drafts, saved poses and joint limits of bones whose parents changed: their transforms relative to the parent follow.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec3, Vec4};

use keypose::anim::clip::Keyframe;
use keypose::anim::key::{BoneIndex, Channel, Key};
use keypose::anim::transform::Transform;
use keypose::assets::clip_notes::LayerBlend;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose::assets::saved_pose::SavedBone;

/// Replaces the keys of all clips and drafts, or removes those for which there is none. Keyframes without a change are shared.
pub fn change_keys(model: &mut Model, change: impl Fn(&Key) -> Option<Key>) {
    change_keys_of(model, |_| true, change);
}

fn change_keys_of(model: &mut Model, has: impl Fn(ClipId) -> bool, change: impl Fn(&Key) -> Option<Key>) {
    for slot in model.clips.iter_mut().filter(|slot| has(slot.id)) {
        let is_changed =
            slot.clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter()).any(|key| change(key) != Some(*key));
        if !slot.clip.delays.is_empty() {
            Arc::make_mut(&mut slot.clip).move_delays(&change);
        }
        if !is_changed {
            continue;
        }
        let keyframe = |keyframe: &Keyframe| {
            let keys = sorted(keyframe.keys.iter().filter_map(&change));
            if keys == **keyframe.keys { keyframe.clone() } else { Keyframe { keys: keys.into(), ..keyframe.clone() } }
        };
        let keyframes = slot.clip.keyframes.iter().map(keyframe).collect();
        Arc::make_mut(&mut slot.clip).keyframes = keyframes;
    }
    for draft in model.drafts.iter_mut().filter(|draft| draft.clip.is_none_or(&has)) {
        draft.keys = sorted(draft.keys.iter().filter_map(&change));
    }
    model.drafts.retain(|draft| !draft.keys.is_empty());
}

fn sorted(keys: impl Iterator<Item = Key>) -> Vec<Key> {
    let mut keys: Vec<Key> = keys.collect();
    keys.sort_by_key(Key::address);
    keys
}

/// Moves bones relative to their parents: `before[bone]` is applied after their local transforms, to rest transforms by the caller, here to
/// keys, drafts, saved poses and joint limits.
pub fn move_in_parents(model: &mut Model, before: &[Option<Transform>]) {
    if before.iter().all(Option::is_none) {
        return;
    }
    change_keys(model, |key| {
        let by = before.get(usize::from(key.bone)).copied().flatten();
        Some(by.map_or(*key, |by| moved_key(&by, key)))
    });
    let skeleton = model.skeleton.clone();
    let by_name = |name: &str| before.get(usize::from(skeleton.find(name)?)).copied().flatten();
    for pose in model.poses.iter_mut() {
        if pose.bones.iter().any(|saved| by_name(&saved.bone).is_some()) {
            for saved in &mut Arc::make_mut(pose).bones {
                if let Some(by) = by_name(&saved.bone) {
                    *saved = moved_saved(&by, saved);
                }
            }
        }
    }
    for (name, limit) in &mut model.rig.limits {
        if let Some(by) = by_name(name) {
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
    let (value, in_tangent, out_tangent) = match key.channel {
        Channel::Translation => {
            (vector(key.value) + by.translation.extend(0.0), vector(key.in_tangent), vector(key.out_tangent))
        }
        Channel::Rotation => (turned(key.value), turned(key.in_tangent), turned(key.out_tangent)),
        Channel::Scale => (scaled(key.value), scaled(key.in_tangent), scaled(key.out_tangent)),
        Channel::Scalar(_) => (key.value, key.in_tangent, key.out_tangent),
    };
    Key { value, in_tangent, out_tangent, ..*key }
}

fn moved_saved(by: &Transform, saved: &SavedBone) -> SavedBone {
    let translation = saved.translation.map(|value| by.translation + by.rotation * (by.scale * value));
    let rotation = saved.rotation.map(|value| turned(by, value).normalize());
    SavedBone { translation, rotation, scale: saved.scale.map(|value| by.scale * value), ..saved.clone() }
}
