//! Dragging the ends of limbs, and the poles of their joints: where they stood when the drag began, and the pose that a
//! movement of the mouse becomes. What it turns are plain rotations.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::editor::ops::limb::{Limb, MOST_JOINTS, model_pose, rotation_in};
use crate::editor::ops::posed::Posed;

/// What becomes of the turn of an end that is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndTurn {
    /// It turns as it did in the model.
    Held,
    /// A hand goes along with its forearm; a foot stays flat on the ground.
    Natural,
}

/// Limbs that are dragged, as they stood when the drag began.
#[derive(Clone, Debug)]
pub struct Reach {
    skeleton: Arc<Skeleton>,
    local: LocalPose,
    ends: Vec<End>,
    joints: usize,
    turn: EndTurn,
}

#[derive(Clone, Debug)]
struct End {
    limb: Limb,
    at: Vec3,
    held: Quat,
    pole: Option<Vec3>,
    is_held: bool,
}

impl Reach {
    /// The limbs of bones; those without one are left out.
    pub fn new(skeleton: Arc<Skeleton>, local: LocalPose, bones: &[BoneIndex], joints: usize, turn: EndTurn) -> Reach {
        let pose = model_pose(&skeleton, &local);
        let end = |&bone: &BoneIndex| {
            let limb = Limb::above(&skeleton, bone, joints)?;
            let pole = limb.pole(&skeleton, &local);
            let is_held = turn == EndTurn::Held || limb.is_leg(&skeleton);
            Some(End { limb, at: pose.get(bone).translation(), held: rotation_in(&pose, bone), pole, is_held })
        };
        let ends = bones.iter().filter_map(end).collect();
        Reach { skeleton, local, ends, joints, turn }
    }

    /// The same with so many joints above each end.
    pub fn with_joints(&self, joints: usize) -> Reach {
        let bones: Vec<BoneIndex> = self.ends.iter().map(|end| end.limb.end()).collect();
        Reach::new(self.skeleton.clone(), self.local.clone(), &bones, joints.clamp(1, MOST_JOINTS), self.turn)
    }

    /// The joints that were asked for; a short limb has fewer.
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// True for a bone whose limb is dragged.
    pub fn has(&self, bone: BoneIndex) -> bool {
        self.ends.iter().any(|end| end.limb.end() == bone)
    }

    /// Where the pole of the last bone's limb stood.
    pub fn pole(&self) -> Option<Vec3> {
        self.ends.last()?.pole
    }

    /// The pose with every end moved by `offset` in model space.
    pub fn moved(&self, offset: Vec3) -> Vec<Posed> {
        self.solved(|end| (end.at + offset, None))
    }

    /// The pose with every end where it stood and every pole moved by `offset`.
    pub fn bent(&self, offset: Vec3) -> Vec<Posed> {
        self.solved(|end| (end.at, end.pole.map(|pole| pole + offset)))
    }

    fn solved(&self, goal: impl Fn(&End) -> (Vec3, Option<Vec3>)) -> Vec<Posed> {
        let mut local = self.local.clone();
        for end in &self.ends {
            let (target, pole) = goal(end);
            match end.is_held {
                true => end.limb.solve_holding(&self.skeleton, &mut local, end.held, (target, pole)),
                false => end.limb.solve(&self.skeleton, &mut local, target, pole),
            };
        }
        // Two ends may share joints: each bone once, as it stands in the end.
        let mut posed: Vec<Posed> = self.ends.iter().flat_map(|end| end.limb.posed(&local)).collect();
        posed.sort_by_key(|one| one.bone);
        posed.dedup_by_key(|one| one.bone);
        posed
    }
}
