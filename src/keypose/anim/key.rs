//! A key: the value of one channel of one bone in one keyframe, with the interpolation to the channel's next key.

use glam::{Quat, Vec3, Vec4};

use crate::anim::bezier;
use crate::anim::choice::choice;
use crate::anim::transform::Transform;

/// The index of a bone in its skeleton.
pub type BoneIndex = u16;

/// The index of a scalar in its skeleton.
pub type ScalarIndex = u16;

/// Maximum number of scalars of a skeleton. Every index fits the numbers of archives.
pub const MAX_SCALARS: usize = 4096;

/// The target of a key: a part of a bone's transform, or a scalar of the skeleton. A channel is always keyed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// x, y, z in the parent's units.
    Translation,
    /// A unit quaternion x, y, z, w.
    Rotation,
    /// x, y, z factors.
    Scale,
    /// One number, x: the value of a [`Scalar`](crate::anim::scalar::Scalar) that belongs to the bone.
    Scalar(ScalarIndex),
}

impl Channel {
    /// The channels of a transform, in order.
    pub const ALL: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

    /// The number of components of a value: 3, 4, or 1 for a scalar.
    pub fn width(self) -> usize {
        match self {
            Channel::Translation | Channel::Scale => 3,
            Channel::Rotation => 4,
            Channel::Scalar(_) => 1,
        }
    }

    /// The number of curves that show it: one for each axis, or one.
    pub fn axes(self) -> usize {
        self.width().min(3)
    }

    /// The index of the scalar; `None` for a part of a transform.
    pub fn scalar(self) -> Option<ScalarIndex> {
        match self {
            Channel::Scalar(scalar) => Some(scalar),
            Channel::Translation | Channel::Rotation | Channel::Scale => None,
        }
    }

    /// The name for panels and reports.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Translation => "position",
            Channel::Rotation => "rotation",
            Channel::Scale => "scale",
            Channel::Scalar(_) => "value",
        }
    }

    /// The channel's value in a transform; w is 0 except for rotations. 0 for a scalar, which is no part of a transform: see
    /// [`LocalPose::value`](crate::anim::pose::LocalPose::value).
    pub fn of(self, transform: &Transform) -> Vec4 {
        match self {
            Channel::Translation => transform.translation.extend(0.0),
            Channel::Rotation => Vec4::from(transform.rotation),
            Channel::Scale => transform.scale.extend(0.0),
            Channel::Scalar(_) => Vec4::ZERO,
        }
    }

    /// Writes the channel's value into a transform, unchanged. Does nothing for a scalar.
    pub fn put(self, transform: &mut Transform, value: Vec4) {
        match self {
            Channel::Translation => transform.translation = value.truncate(),
            Channel::Rotation => transform.rotation = Quat::from_vec4(value),
            Channel::Scale => transform.scale = value.truncate(),
            Channel::Scalar(_) => {}
        }
    }

    /// The largest difference of any component of two values. Rotations are compared up to their sign.
    pub fn difference(self, a: Vec4, b: Vec4) -> f32 {
        let apart = |other: Vec4| (a - other).abs().max_element();
        match self {
            Channel::Rotation => apart(b).min(apart(-b)),
            Channel::Translation | Channel::Scale | Channel::Scalar(_) => apart(b),
        }
    }

    /// The value of an identity transform: translation 0, no rotation, scale 1.
    pub fn neutral(self) -> Vec4 {
        self.of(&Transform::IDENTITY)
    }
}

choice! {
    /// How a channel is interpolated from one key to the next.
    #[derive(Default, Hash)]
    pub enum Ease {
        /// Keeps the value until the next key.
        Step = "step",
        /// Linear; rotations by slerp on the shortest path.
        #[default]
        Linear = "linear",
        /// A cubic Bézier curve with this key's out-handle and the next key's in-handle ([`crate::anim::bezier`]); with handles of
        /// a third a Hermite curve of their tangents. Rotations are interpolated by component, then normalized (glTF 2.0,
        /// appendix C).
        Cubic = "cubic",
    }
}

impl Ease {
    /// Whether the value jumps at the next key.
    pub fn jumps(self) -> bool {
        match self {
            Ease::Step => true,
            Ease::Linear | Ease::Cubic => false,
        }
    }

    /// Whether the out-handle of the key and the in-handle of the next one shape the curve. Rotations then follow the
    /// signs of their quaternions; otherwise they take the shorter path.
    pub fn has_tangents(self) -> bool {
        match self {
            Ease::Cubic => true,
            Ease::Step | Ease::Linear => false,
        }
    }

    /// Whether rotations are interpolated by slerp.
    pub fn slerps(self) -> bool {
        match self {
            Ease::Linear => true,
            Ease::Step | Ease::Cubic => false,
        }
    }
}

choice! {
    /// How the handles of a key are set. Automatic, flat and vector ones are computed, with lengths of a third
    /// ([`crate::anim::tangent::resolve_tangents`]).
    #[derive(Default, Hash)]
    pub enum HandleKind {
        /// Tangents from the neighbours, flat at extremes.
        #[default]
        Auto = "auto",
        /// Tangents of zero.
        Flat = "flat",
        /// Towards the neighbouring keys.
        Vector = "vector",
        /// Set by the user: one tangent for both sides, a length for each.
        Aligned = "aligned",
        /// Set by the user, separately for each side.
        Free = "free",
    }
}

/// The value of one channel of one bone. Its time is the start of its keyframe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// The index of the bone in the skeleton.
    pub bone: BoneIndex,
    /// The part of the transform, or the scalar.
    pub channel: Channel,
    /// Finite. Rotations are unit quaternions x, y, z, w; for other channels w is 0. Of scalars only x counts.
    pub value: Vec4,
    /// The interpolation to the channel's next key.
    pub ease: Ease,
    /// Units per second; used if the segment before the key is cubic.
    pub in_tangent: Vec4,
    /// Units per second; used if the segment after the key is cubic.
    pub out_tangent: Vec4,
    /// The length of the handle before the key: a fraction of the time to the key before it, in [`bezier::LENGTHS`]; used if the
    /// segment before the key is cubic.
    pub in_length: f32,
    /// The length of the handle after the key: a fraction of the time to the next key, in [`bezier::LENGTHS`]; used if the segment
    /// after the key is cubic.
    pub out_length: f32,
    /// How tangents and lengths are set.
    pub handles: HandleKind,
}

impl Key {
    /// A linear key with automatic tangents, which are zero until [`crate::anim::tangent::resolve_tangents`] sets them.
    pub fn new(bone: BoneIndex, channel: Channel, value: Vec4) -> Key {
        let (ease, handles, zero) = (Ease::Linear, HandleKind::Auto, Vec4::ZERO);
        let (in_length, out_length) = (bezier::THIRD, bezier::THIRD);
        Key { bone, channel, value, ease, in_tangent: zero, out_tangent: zero, in_length, out_length, handles }
    }

    /// The key with the sign of its rotation that is nearer to that of another key; both signs are the same rotation.
    pub fn towards(self, other: &Key) -> Key {
        let is_far = self.channel == Channel::Rotation && other.value.dot(self.value) < 0.0;
        if is_far { self.negated() } else { self }
    }

    /// The key with a negated quaternion, which is the same rotation.
    pub fn negated(self) -> Key {
        Key { value: -self.value, in_tangent: -self.in_tangent, out_tangent: -self.out_tangent, ..self }
    }

    /// The key with its value changed by one function and its tangents by another one.
    pub fn mapped(&self, value: impl Fn(Vec4) -> Vec4, tangent: impl Fn(Vec4) -> Vec4) -> Key {
        let [in_tangent, out_tangent] = [self.in_tangent, self.out_tangent].map(tangent);
        Key { value: value(self.value), in_tangent, out_tangent, ..*self }
    }

    /// A linear translation key.
    pub fn translation(bone: BoneIndex, value: Vec3) -> Key {
        Key::new(bone, Channel::Translation, value.extend(0.0))
    }

    /// A linear rotation key of a unit quaternion.
    pub fn rotation(bone: BoneIndex, value: Quat) -> Key {
        Key::new(bone, Channel::Rotation, Vec4::from(value))
    }

    /// A linear scale key.
    pub fn scale(bone: BoneIndex, value: Vec3) -> Key {
        Key::new(bone, Channel::Scale, value.extend(0.0))
    }

    /// A linear key of a scalar that belongs to a bone.
    pub fn scalar(bone: BoneIndex, scalar: ScalarIndex, value: f32) -> Key {
        Key::new(bone, Channel::Scalar(scalar), Vec4::X * value)
    }

    /// The sort key within a keyframe, in which it is unique.
    pub fn address(&self) -> (BoneIndex, Channel) {
        (self.bone, self.channel)
    }

    /// Returns true if value and tangents are finite, the lengths of the handles in their range, and a rotation has unit length (to
    /// 1e-3).
    pub fn is_valid(&self) -> bool {
        let finite = self.value.is_finite() && self.in_tangent.is_finite() && self.out_tangent.is_finite();
        let is_known = !matches!(self.channel, Channel::Scalar(at) if usize::from(at) >= MAX_SCALARS);
        let has_lengths = [self.in_length, self.out_length].iter().all(|length| bezier::LENGTHS.contains(length));
        is_known
            && finite
            && has_lengths
            && (self.channel != Channel::Rotation || (self.value.length_squared() - 1.0).abs() < 1e-3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_differ_up_to_their_sign() {
        let (a, b) = (Vec4::W, Vec4::new(0.1, 0.0, 0.0, -1.0));
        assert_eq!(Channel::Rotation.difference(a, b), 0.1);
        assert_eq!(Channel::Translation.difference(a, b), 2.0);
    }
}
