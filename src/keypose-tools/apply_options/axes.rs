//! Turns a model so that its up axis is +Y and its front +Z.

use std::sync::Arc;

use glam::{Quat, Vec4};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::assets::import_options::axes::Axes;
use crate::assets::model::Model;

/// Turns a model about its origin: its topmost bones, and their keys. All else is relative to them.
pub fn turn(model: &mut Model, axes: Axes) {
    let rotation = axes.rotation();
    if rotation.is_near_identity() {
        return;
    }
    let before = model.skeleton.clone();
    let is_top = |bone: BoneIndex| before.get(bone).is_some_and(|bone| bone.parent.is_none());
    let turned = |bone, rest: Transform| if is_top(bone) { turned_rest(&rest, rotation) } else { rest };
    let Ok(skeleton) = before.with_rests(turned) else { return };
    for slot in &mut model.clips {
        slot.clip = Arc::new(turned_clip(&slot.clip, rotation, is_top));
    }
    model.skeleton = Arc::new(skeleton);
}

fn turned_rest(rest: &Transform, rotation: Quat) -> Transform {
    let translation = rotation * rest.translation;
    Transform { translation, rotation: (rotation * rest.rotation).normalize(), ..*rest }
}

fn turned_clip(clip: &Clip, rotation: Quat, is_top: impl Fn(BoneIndex) -> bool) -> Clip {
    let mut clip = clip.clone();
    for keyframe in clip.keyframes.iter_mut() {
        if keyframe.keys.iter().any(|key| is_top(key.bone)) {
            let keys = keyframe.keys.iter().map(|key| if is_top(key.bone) { turned_key(key, rotation) } else { *key });
            keyframe.keys = keys.collect();
        }
    }
    clip
}

fn turned_key(key: &Key, rotation: Quat) -> Key {
    let moved = |value: Vec4| (rotation * value.truncate()).extend(0.0);
    // The product is linear in the key, so tangents are turned as values are.
    let turned = |value: Vec4| Vec4::from(rotation * Quat::from_vec4(value));
    match key.channel {
        Channel::Translation => key.mapped(moved, moved),
        Channel::Rotation => key.mapped(|value| turned(value).normalize_or(Channel::Rotation.neutral()), turned),
        Channel::Scale | Channel::Scalar(_) => *key,
    }
}
