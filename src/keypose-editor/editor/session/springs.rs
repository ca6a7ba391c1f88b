//! Springs of a paused pose: while the pose is edited or the playhead moves, bones swing behind it until they are at rest. Neither saved
//! nor keyed.

use std::sync::Arc;

use glam::Quat;

use crate::editor::ops::springs::difference;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::spring::{Place, Springs, Swinging};
use keypose::anim::time::Time;

/// Bones are at rest if they stay within this difference, in components of quaternions, for [`STILL_STEPS`].
const STILL: f32 = 2e-4;
const STILL_STEPS: u32 = 20;
/// Springs that never come to rest, such as those without drag, stop after this many steps, 10 s.
const MAX_STEPS: u32 = 600;

/// Bones that swing behind a pose.
#[derive(Clone, Debug)]
pub struct LiveSprings {
    skeleton: Arc<Skeleton>,
    springs: Springs,
    /// The pose without springs.
    pose: LocalPose,
    swinging: Swinging,
    /// The local rotations of bones with springs.
    rotations: Vec<Quat>,
    /// The rotations near which they have been for some steps.
    near: Vec<Quat>,
    still_steps: u32,
    /// Steps since the pose changed.
    steps: u32,
    /// Time of less than a step that has passed.
    passed: Time,
}

impl LiveSprings {
    /// Springs behind a pose; they continue from a state.
    pub fn new(skeleton: Arc<Skeleton>, springs: Springs, pose: LocalPose, swinging: Swinging) -> LiveSprings {
        let (rotations, near) = (Vec::new(), Vec::new());
        let (still_steps, steps, passed) = (0, 0, Time::ZERO);
        let mut live = LiveSprings { skeleton, springs, pose, swinging, rotations, near, still_steps, steps, passed };
        live.step();
        live
    }

    /// Continues behind another pose, or with changed springs. Returns false if they are of another skeleton.
    pub fn follow(&mut self, skeleton: &Arc<Skeleton>, springs: Springs, pose: &LocalPose) -> bool {
        if !Arc::ptr_eq(skeleton, &self.skeleton) || !springs.bones().eq(self.springs.bones()) {
            return false;
        }
        if springs != self.springs || *pose != self.pose {
            self.springs = springs;
            self.pose.copy_from(pose);
            (self.still_steps, self.steps) = (0, 0);
        }
        true
    }

    /// Advances the bones that move.
    pub fn tick(&mut self, passed: Time) {
        self.passed += passed;
        while self.passed >= Time::TICK && self.is_moving() {
            self.passed -= Time::TICK;
            self.step();
        }
        if !self.is_moving() {
            self.passed = Time::ZERO;
        }
    }

    /// Whether a bone moves.
    pub fn is_moving(&self) -> bool {
        self.still_steps < STILL_STEPS && self.steps < MAX_STEPS
    }

    /// Rotates the bones with springs in a pose.
    pub fn apply(&self, pose: &mut LocalPose) {
        for (bone, rotation) in self.springs.bones().map(usize::from).zip(&self.rotations) {
            let mut local = pose.get(bone);
            local.rotation = *rotation;
            pose.set(bone, &local);
        }
    }

    fn step(&mut self) {
        let (mut pose, mut placed) = (self.pose.clone(), ModelPose::default());
        placed.compute(&self.skeleton, &pose);
        self.springs.step(&self.skeleton, &Place::ORIGIN, &mut self.swinging, &mut pose, &mut placed);
        self.rotations.clear();
        self.rotations.extend(self.springs.bones().map(|bone| pose.get(usize::from(bone)).rotation));
        self.steps += 1;
        let is_near = |(a, b): (&Quat, &Quat)| difference(*a, *b) <= STILL;
        if self.near.len() == self.rotations.len() && self.near.iter().zip(&self.rotations).all(is_near) {
            self.still_steps += 1;
        } else {
            self.near.clone_from(&self.rotations);
            self.still_steps = 0;
        }
    }
}
