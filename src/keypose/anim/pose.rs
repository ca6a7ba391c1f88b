//! Poses: the local transform of every bone ([`LocalPose`]), and its transform in model space ([`ModelPose`]).

use glam::Vec4;

use crate::anim::key::{BoneIndex, Channel, ScalarIndex};
pub use crate::anim::lanes::{Lanes, TransformLanes};
use crate::anim::mat34::Mat3x4;
use crate::anim::simd;
use crate::anim::skeleton::Skeleton;
use crate::anim::transform::Transform;

/// The local transform of every bone of one character, in skeleton order, laid out for eight bones at a time; and the value of
/// every scalar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    lanes: Vec<TransformLanes>,
    len: usize,
    scalars: Vec<f32>,
    /// The scalars that switch in a blend ([`ScalarKind::is_stepped`](crate::anim::scalar::ScalarKind::is_stepped)).
    stepped: Vec<ScalarIndex>,
}

impl LocalPose {
    /// `len` bones, each identity.
    pub fn identity(len: usize) -> LocalPose {
        let lanes = vec![TransformLanes::IDENTITY; len.div_ceil(8)];
        LocalPose { lanes, len, ..LocalPose::default() }
    }

    /// `len` bones from their lanes. `None` if there are too few or too many lanes, or lanes past the last bone are not
    /// identity.
    pub fn from_lanes(lanes: Vec<TransformLanes>, len: usize) -> Option<LocalPose> {
        let past = len..lanes.len() * 8;
        let at_rest = |bone: usize| lanes[bone / 8].get(bone % 8) == Transform::IDENTITY;
        let is_right = lanes.len() == len.div_ceil(8) && past.into_iter().all(at_rest);
        is_right.then_some(LocalPose { lanes, len, ..LocalPose::default() })
    }

    /// A pose of these transforms, in skeleton order.
    pub fn from_transforms(transforms: impl IntoIterator<Item = Transform>) -> LocalPose {
        let mut pose = LocalPose::default();
        for transform in transforms {
            if pose.len.is_multiple_of(8) {
                pose.lanes.push(TransformLanes::IDENTITY);
            }
            pose.len += 1;
            pose.set(pose.len - 1, &transform);
        }
        pose
    }

    /// The number of bones.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no bones.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The local transform of a bone.
    ///
    /// # Panics
    /// If `bone` is not below [`LocalPose::len`].
    pub fn get(&self, bone: usize) -> Transform {
        assert!(bone < self.len, "bone {bone} of a pose of {}", self.len);
        self.lanes[bone / 8].get(bone % 8)
    }

    /// Replaces the local transform of a bone.
    ///
    /// # Panics
    /// If `bone` is not below [`LocalPose::len`].
    pub fn set(&mut self, bone: usize, transform: &Transform) {
        assert!(bone < self.len, "bone {bone} of a pose of {}", self.len);
        self.lanes[bone / 8].set(bone % 8, transform);
    }

    /// The value of a channel of a bone or of a scalar; w is 0 except for rotations. 0 if there is no such scalar.
    ///
    /// # Panics
    /// If the channel is one of a bone that is not below [`LocalPose::len`].
    pub fn value(&self, bone: BoneIndex, channel: Channel) -> Vec4 {
        match channel {
            Channel::Scalar(scalar) => Vec4::X * self.scalar(scalar),
            _ => channel.of(&self.get(usize::from(bone))),
        }
    }

    /// Replaces the value of a channel of a bone or of a scalar. Does nothing if there is no such bone or scalar.
    pub fn put(&mut self, bone: BoneIndex, channel: Channel, value: Vec4) {
        if let Channel::Scalar(scalar) = channel {
            if let Some(place) = self.scalars.get_mut(usize::from(scalar)) {
                *place = value.x;
            }
        } else if usize::from(bone) < self.len {
            let mut transform = self.get(usize::from(bone));
            channel.put(&mut transform, value);
            self.set(usize::from(bone), &transform);
        }
    }

    /// The value of a scalar; 0 if there is no such scalar.
    pub fn scalar(&self, scalar: ScalarIndex) -> f32 {
        self.scalars.get(usize::from(scalar)).copied().unwrap_or(0.0)
    }

    /// The values of all scalars, in the skeleton's order.
    pub fn scalars(&self) -> &[f32] {
        &self.scalars
    }

    /// The values of all scalars, mutable.
    pub fn scalars_mut(&mut self) -> &mut Vec<f32> {
        &mut self.scalars
    }

    /// Whether a scalar switches in a blend.
    #[inline]
    pub(super) fn is_stepped(&self, scalar: usize) -> bool {
        self.stepped.iter().any(|&stepped| usize::from(stepped) == scalar)
    }

    /// Replaces the list of scalars that switch in a blend; allocates only if it has less capacity.
    #[inline]
    pub(super) fn set_stepped(&mut self, stepped: &[ScalarIndex]) {
        self.stepped.clear();
        self.stepped.extend_from_slice(stepped);
    }

    /// Blends the scalars towards those of another pose. One that the other pose lacks keeps its value.
    #[inline]
    pub(super) fn blend_scalars(&mut self, to: &LocalPose, weight: impl Fn(usize) -> f32) {
        for at in 0..self.scalars.len().min(to.scalars.len()) {
            let difference = to.scalars[at] - self.scalars[at];
            self.add_to_scalar(at, difference, weight(at));
        }
    }

    /// Adds a difference times a weight to a scalar; to one that switches all of it or nothing.
    #[inline]
    pub(super) fn add_to_scalar(&mut self, at: usize, difference: f32, weight: f32) {
        let weight = if self.is_stepped(at) { f32::from(u8::from(weight > 0.5)) } else { weight };
        self.scalars[at] += difference * weight;
    }

    /// The local transforms of all bones, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Transform> + '_ {
        (0..self.len).map(|bone| self.get(bone))
    }

    /// The transforms of eight bones each. Lanes past the last bone are identity and must stay so.
    pub fn lanes(&self) -> &[TransformLanes] {
        &self.lanes
    }

    /// The transforms of eight bones each, mutable. Lanes past the last bone must stay identity.
    pub fn lanes_mut(&mut self) -> &mut [TransformLanes] {
        &mut self.lanes
    }

    /// Resizes to `len` bones. The caller overwrites all values.
    #[inline]
    pub(crate) fn fit(&mut self, len: usize) {
        if self.len != len {
            self.lanes.clear();
            self.lanes.resize(len.div_ceil(8), TransformLanes::IDENTITY);
            self.len = len;
        }
    }

    /// Copies the scalars of another pose; allocates only if this one has less capacity.
    pub(crate) fn copy_scalars_from(&mut self, other: &LocalPose) {
        self.scalars.clear();
        self.scalars.extend_from_slice(&other.scalars);
        self.set_stepped(&other.stepped);
    }

    /// Copies another pose; allocates only if this one has less capacity.
    pub fn copy_from(&mut self, other: &LocalPose) {
        self.lanes.clear();
        self.lanes.extend_from_slice(&other.lanes);
        self.len = other.len;
        self.copy_scalars_from(other);
    }
}

/// The model-space transform of every bone of one character, and the value of every scalar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPose {
    /// Model from bone, in skeleton order.
    pub bones: Vec<Mat3x4>,
    /// The values of all scalars, in the skeleton's order.
    pub scalars: Vec<f32>,
}

impl ModelPose {
    /// Computes model space from local space. Bones that the pose lacks get their rest transform.
    ///
    /// Uses the widest registers of the processor; see [`ModelPose::compute_portable`].
    pub fn compute(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.bones.resize(skeleton.len(), Mat3x4::IDENTITY);
        let covers = local.len() >= skeleton.len();
        self.copy_scalars(local);
        if !(covers && simd::model_pose(skeleton, local.lanes(), &mut self.bones)) {
            self.compute_portable(skeleton, local);
        }
    }

    /// Like [`ModelPose::compute`], but with the same bits on every machine. The two agree to 1e-6 of the largest
    /// component per level of the hierarchy.
    pub fn compute_portable(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.copy_scalars(local);
        self.bones.clear();
        self.bones.reserve(skeleton.len());
        for (index, bone) in skeleton.bones().iter().enumerate() {
            let transform = if index < local.len() { local.get(index) } else { bone.rest };
            let parent_from_bone = transform.to_mat34();
            let model_from_bone = match bone.parent {
                Some(parent) => self.bones[usize::from(parent)] * parent_from_bone,
                None => parent_from_bone,
            };
            self.bones.push(model_from_bone);
        }
    }

    fn copy_scalars(&mut self, local: &LocalPose) {
        self.scalars.clear();
        self.scalars.extend_from_slice(&local.scalars);
    }

    /// The value of a scalar; 0 if there is no such scalar.
    pub fn scalar(&self, scalar: ScalarIndex) -> f32 {
        self.scalars.get(usize::from(scalar)).copied().unwrap_or(0.0)
    }

    /// Model from bone; identity if there is no such bone.
    pub fn get(&self, bone: BoneIndex) -> Mat3x4 {
        self.bones.get(usize::from(bone)).copied().unwrap_or_default()
    }
}

impl Skeleton {
    /// The rest transform of every bone, and the default of every scalar.
    pub fn rest_pose(&self) -> LocalPose {
        let mut pose = LocalPose::from_transforms(self.bones().iter().map(|bone| bone.rest));
        pose.scalars_mut().extend(self.scalars().iter().map(|scalar| scalar.default));
        pose.stepped.extend(self.stepped_scalars());
        pose
    }

    /// How large the space of each bone is in the model, at rest; 1 if it has no size.
    pub fn bone_scales(&self) -> Vec<f32> {
        let scale = |bone: &Mat3x4| {
            let matrix = bone.to_mat4();
            let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.length());
            let scale = axes.into_iter().fold(0.0, f32::max);
            if scale.is_finite() && scale > 1e-9 { scale } else { 1.0 }
        };
        self.rest_model_pose().bones.iter().map(scale).collect()
    }

    /// By how much translations of each bone are larger in the model than in the space of its parent, at rest.
    pub fn parent_scales(&self) -> Vec<f32> {
        let scales = self.bone_scales();
        self.bones().iter().map(|bone| bone.parent.map_or(1.0, |parent| scales[usize::from(parent)])).collect()
    }

    /// The rest pose in model space: the same bits on every machine.
    pub fn rest_model_pose(&self) -> ModelPose {
        let mut model = ModelPose::default();
        model.compute_portable(self, &self.rest_pose());
        model
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;

    #[test]
    fn a_pose_returns_the_transforms_that_were_set() {
        let transforms = (0..19).map(|index| {
            let index = index as f32;
            Transform {
                translation: Vec3::new(index, -index, 0.5),
                rotation: Quat::from_xyzw(index, 1.0, 2.0, 3.0).normalize(),
                scale: Vec3::splat(index),
            }
        });
        let transforms: Vec<_> = transforms.collect();
        let pose = LocalPose::from_transforms(transforms.iter().copied());
        assert_eq!(pose.iter().collect::<Vec<_>>(), transforms);
        assert_eq!(pose.lanes().len(), 3);
        assert_eq!(pose.lanes()[2].get(7), Transform::IDENTITY);
    }
}
