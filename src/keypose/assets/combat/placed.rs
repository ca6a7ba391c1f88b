//! Volumes on the bones of a skeleton: found by name once, placed by a pose many times.

use glam::Vec3;

use crate::anim::pose::ModelPose;
use crate::anim::skeleton::Skeleton;
use crate::assets::combat::capsule::Capsule;
use crate::assets::combat::volume::Volume;

/// A volume with the index of its bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundVolume {
    bone: usize,
    from: Vec3,
    to: Vec3,
    radius: f32,
}

impl BoundVolume {
    /// Finds the bone. `None` if the skeleton lacks it.
    pub fn new(volume: &Volume, skeleton: &Skeleton) -> Option<BoundVolume> {
        let Volume { name: _, bone, from, to, radius } = volume;
        let bone = usize::from(skeleton.find(bone)?);
        Some(BoundVolume { bone, from: *from, to: *to, radius: *radius })
    }

    /// The index of its bone.
    pub fn bone(&self) -> usize {
        self.bone
    }

    /// The capsule in model space. The pose has all bones of the skeleton.
    pub fn place(&self, pose: &ModelPose) -> Capsule {
        let bone = &pose.bones[self.bone];
        let [from, to] = [self.from, self.to].map(|end| bone.transform_point(end));
        Capsule { from, to, radius: self.radius }
    }
}
