//! Transforms of eight neighbouring bones, component by component: what poses consist of and wide registers hold.

use glam::{Quat, Vec3};

use crate::anim::key::Channel;
use crate::anim::transform::Transform;

/// One component of eight neighbouring bones.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lanes(pub [f32; 8]);

/// Two components of eight bones in one sample. The first component is stored at 0..4 (bones 0 to 3) and 8..12 (bones 4
/// to 7), the second in between: interleaving the numbers of two samples then yields one component per register.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block(pub [i16; 16]);

/// The local transforms of eight neighbouring bones, component by component. Lanes past the last bone hold identity.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransformLanes {
    /// x, y, z.
    pub translation: [Lanes; 3],
    /// x, y, z, w of unit quaternions.
    pub rotation: [Lanes; 4],
    /// x, y, z.
    pub scale: [Lanes; 3],
}

impl TransformLanes {
    /// Eight identities.
    pub const IDENTITY: TransformLanes = TransformLanes {
        translation: [Lanes([0.0; 8]); 3],
        rotation: [Lanes([0.0; 8]), Lanes([0.0; 8]), Lanes([0.0; 8]), Lanes([1.0; 8])],
        scale: [Lanes([1.0; 8]); 3],
    };

    /// The ten components: x, y, z of the translation, x, y, z, w of the rotation, x, y, z of the scale.
    pub fn components(&self) -> [&Lanes; 10] {
        let TransformLanes { translation: [tx, ty, tz], rotation: [rx, ry, rz, rw], scale: [sx, sy, sz] } = self;
        [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]
    }

    /// The inverse of [`TransformLanes::components`].
    pub fn from_components([tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]: [Lanes; 10]) -> TransformLanes {
        TransformLanes { translation: [tx, ty, tz], rotation: [rx, ry, rz, rw], scale: [sx, sy, sz] }
    }

    /// The components of one channel; none for a scalar.
    pub fn channel_mut(&mut self, channel: Channel) -> &mut [Lanes] {
        match channel {
            Channel::Translation => &mut self.translation,
            Channel::Rotation => &mut self.rotation,
            Channel::Scale => &mut self.scale,
            Channel::Scalar(_) => &mut [],
        }
    }

    /// The transform in one lane, 0 to 7.
    pub fn get(&self, lane: usize) -> Transform {
        let of = |lanes: &Lanes| lanes.0[lane];
        Transform {
            translation: Vec3::from_array(self.translation.each_ref().map(of)),
            rotation: Quat::from_array(self.rotation.each_ref().map(of)),
            scale: Vec3::from_array(self.scale.each_ref().map(of)),
        }
    }

    /// Sets the transform in one lane, 0 to 7.
    pub fn set(&mut self, lane: usize, transform: &Transform) {
        let put = |lanes: &mut [Lanes], values: &[f32]| {
            lanes.iter_mut().zip(values).for_each(|(lanes, &value)| lanes.0[lane] = value);
        };
        put(&mut self.translation, &transform.translation.to_array());
        put(&mut self.rotation, &transform.rotation.to_array());
        put(&mut self.scale, &transform.scale.to_array());
    }
}

/// Below this squared length a sum of rotations has no direction: nearly all of the weight cancels out.
pub(in crate::anim) const MIN_SQUARED_LENGTH: f32 = 1e-30;
