//! Dragging end effectors and poles: the limbs when the drag began, and their pose after a move of the mouse. The
//! result is plain rotations.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::editor::ops::limb::{Limb, MAX_JOINTS};
use crate::editor::ops::pose::{model_pose, rotation_in};
use crate::editor::ops::posed::Posed;
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;

/// Limbs that are dragged, in the pose in which the drag began.
#[derive(Clone, Debug)]
pub struct LimbDrag {
    model: Arc<Model>,
    local: LocalPose,
    effectors: Vec<Effector>,
    joints: usize,
    keeps_rotation: bool,
}

#[derive(Clone, Debug)]
struct Effector {
    limb: Limb,
    position: Vec3,
    rotation: Quat,
    pole: Option<Vec3>,
    keeps_rotation: bool,
}

impl LimbDrag {
    /// The limbs above `bones`, with at most `joints` joints each. Bones without a limb are left out. With `keeps_rotation`, end
    /// effectors keep their rotation in model space; otherwise a hand follows its forearm, and a foot stays flat on the ground.
    pub fn new(
        model: Arc<Model>,
        local: LocalPose,
        bones: &[BoneIndex],
        joints: usize,
        keeps_rotation: bool,
    ) -> LimbDrag {
        let skeleton = &*model.skeleton;
        let pose = model_pose(skeleton, &local);
        let effector = |&bone: &BoneIndex| {
            let limb = Limb::above(&model, bone, joints)?;
            Some(Effector {
                position: pose.get(bone).translation(),
                rotation: rotation_in(&pose, bone),
                pole: limb.pole(skeleton, &local),
                keeps_rotation: keeps_rotation || limb.is_leg(skeleton),
                limb,
            })
        };
        let effectors = bones.iter().filter_map(effector).collect();
        LimbDrag { model, local, effectors, joints, keeps_rotation }
    }

    /// The same drag with another number of joints above each end effector.
    pub fn with_joints(&self, joints: usize) -> LimbDrag {
        let bones: Vec<BoneIndex> = self.effectors.iter().map(|effector| effector.limb.end()).collect();
        let joints = joints.clamp(1, MAX_JOINTS);
        LimbDrag::new(self.model.clone(), self.local.clone(), &bones, joints, self.keeps_rotation)
    }

    /// The requested number of joints; a short limb has fewer.
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// Whether a bone is one of the end effectors.
    pub fn has(&self, bone: BoneIndex) -> bool {
        self.effectors.iter().any(|effector| effector.limb.end() == bone)
    }

    /// The pole of the last limb when the drag began.
    pub fn pole(&self) -> Option<Vec3> {
        self.effectors.last()?.pole
    }

    /// The pose with every end effector moved by `offset` in model space.
    pub fn moved(&self, offset: Vec3) -> Vec<Posed> {
        self.solved(|effector| (effector.position + offset, None))
    }

    /// The pose with every pole moved by `offset` in model space. The end effectors stay in place.
    pub fn bent(&self, offset: Vec3) -> Vec<Posed> {
        self.solved(|effector| (effector.position, effector.pole.map(|pole| pole + offset)))
    }

    fn solved(&self, goal: impl Fn(&Effector) -> (Vec3, Option<Vec3>)) -> Vec<Posed> {
        let (mut local, skeleton) = (self.local.clone(), &*self.model.skeleton);
        for effector in &self.effectors {
            let (target, pole) = goal(effector);
            if effector.keeps_rotation {
                effector.limb.solve_holding(skeleton, &mut local, effector.rotation, target, pole)
            } else {
                effector.limb.solve(skeleton, &mut local, target, pole)
            };
        }
        // Two limbs may share joints: each bone appears once, with its final rotation.
        let mut posed: Vec<Posed> = self.effectors.iter().flat_map(|effector| effector.limb.posed(&local)).collect();
        posed.sort_by_key(|one| one.bone);
        posed.dedup_by_key(|one| one.bone);
        posed
    }
}
