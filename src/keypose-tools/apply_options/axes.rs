//! Turns a model so that its up axis is +Y and its front +Z.

use std::sync::Arc;

use glam::{Quat, Vec4};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::assets::import_options::axes::Axes;
use crate::assets::model::Model;

/// Turns a model about its origin: its topmost bones, and their keys. All else is relative to them.
pub fn turn(model: &mut Model, axes: Axes) {
    let rotation = axes.rotation();
    if rotation.is_near_identity() {
        return;
    }
    let bones = model.skeleton.bones().iter().map(|bone| turned_bone(bone, rotation)).collect();
    // The hierarchy is the same, so it is valid.
    let scalars = model.skeleton.scalars().to_vec();
    let Ok(skeleton) = Skeleton::new(bones).and_then(|skeleton| skeleton.with_scalars(scalars)) else { return };
    let is_top = |bone: BoneIndex| skeleton.get(bone).is_some_and(|bone| bone.parent.is_none());
    for slot in &mut model.clips {
        slot.clip = Arc::new(turned_clip(&slot.clip, rotation, is_top));
    }
    model.skeleton = Arc::new(skeleton);
}

fn turned_bone(bone: &Bone, rotation: Quat) -> Bone {
    let mut bone = bone.clone();
    if bone.parent.is_none() {
        bone.rest.translation = rotation * bone.rest.translation;
        bone.rest.rotation = (rotation * bone.rest.rotation).normalize();
    }
    bone
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
