//! Axes: turns a model so that its up axis is +Y and its front +Z.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3, Vec4};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::assets::model::Model;

/// A direction along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
    NegativeX,
    NegativeY,
    NegativeZ,
}

/// The axes of a model as its file has them, after what the format says about axes was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The one that points up.
    pub up: Axis,
    /// The one that the front looks along; `None` for [`Axis::usual_forward`].
    pub forward: Option<Axis>,
}

impl Default for Axes {
    fn default() -> Axes {
        Axes { up: Axis::Y, forward: None }
    }
}

impl Axis {
    /// All, in display order.
    pub const ALL: [Axis; 6] = [Axis::X, Axis::Y, Axis::Z, Axis::NegativeX, Axis::NegativeY, Axis::NegativeZ];

    /// The name in panels and options: "z", "-z".
    pub fn name(self) -> &'static str {
        match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
            Axis::NegativeX => "-x",
            Axis::NegativeY => "-y",
            Axis::NegativeZ => "-z",
        }
    }

    /// The axis of a name.
    pub fn named(name: &str) -> Option<Axis> {
        let name = name.strip_prefix('+').unwrap_or(name);
        Axis::ALL.into_iter().find(|axis| axis.name().eq_ignore_ascii_case(name))
    }

    /// The front of models with this up axis: with Z up they look along -Y, as in Blender, else along Z.
    pub fn usual_forward(self) -> Axis {
        match self {
            Axis::X | Axis::Y | Axis::NegativeX => Axis::Z,
            Axis::Z => Axis::NegativeY,
            Axis::NegativeY => Axis::NegativeZ,
            Axis::NegativeZ => Axis::Y,
        }
    }

    /// Whether both are the same axis, in any direction.
    pub fn is_along(self, other: Axis) -> bool {
        self.vector().dot(other.vector()) != 0.0
    }

    fn vector(self) -> Vec3 {
        match self {
            Axis::X => Vec3::X,
            Axis::Y => Vec3::Y,
            Axis::Z => Vec3::Z,
            Axis::NegativeX => Vec3::NEG_X,
            Axis::NegativeY => Vec3::NEG_Y,
            Axis::NegativeZ => Vec3::NEG_Z,
        }
    }
}

impl Axes {
    /// The front.
    pub fn forward(self) -> Axis {
        self.forward.unwrap_or(self.up.usual_forward())
    }

    /// The rotation that brings up to +Y and the front to +Z; the identity if both are the same axis.
    pub fn rotation(self) -> Quat {
        let (up, forward) = (self.up.vector(), self.forward().vector());
        if self.up.is_along(self.forward()) {
            return Quat::IDENTITY;
        }
        Quat::from_mat3(&Mat3::from_cols(up.cross(forward), up, forward).transpose()).normalize()
    }
}

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
    let turned = |value: Vec4| match key.channel {
        Channel::Translation => (rotation * value.truncate()).extend(0.0),
        // The product is linear in the key, so tangents are turned as values are.
        Channel::Rotation => Vec4::from(rotation * Quat::from_vec4(value)),
        Channel::Scale | Channel::Scalar(_) => value,
    };
    let value = match key.channel {
        Channel::Rotation => turned(key.value).normalize_or(Channel::Rotation.neutral()),
        Channel::Translation | Channel::Scale | Channel::Scalar(_) => turned(key.value),
    };
    Key { value, in_tangent: turned(key.in_tangent), out_tangent: turned(key.out_tangent), ..*key }
}
