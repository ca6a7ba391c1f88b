//! Springs: bones that swing behind the pose of a clip, such as hair, cloth and tails. The model is that of VRM's spring bones
//! (specification [VRMC_springBone 1.0]): the tip of each bone is a particle, moved by Verlet integration (Jakobsen: "Advanced
//! Character Physics", 2001), pulled towards its place in the pose, kept at the bone's length and outside of colliders. A bone that
//! no clip moves swings as in VRM, where the pose is the rest pose.
//!
//! Steps are of fixed length ([`STEP_SECS`]), without an allocation, and have the same bits on every machine if the poses have them.
//!
//! [VRMC_springBone 1.0]: https://github.com/vrm-c/vrm-specification/blob/master/specification/VRMC_springBone-1.0/README.md

mod step;

use std::collections::BTreeMap;

use glam::{Mat3, Quat, Vec3};

use crate::anim::skeleton::{BoneIndex, Skeleton};

/// The length of a step in seconds: a tick of the game.
pub const STEP_SECS: f32 = 1.0 / 60.0;

/// How a bone swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// How fast the tip is pulled towards the pose, in units of the model per second. 0 or more; VRM's models use 0 to 4.
    pub stiffness: f32,
    /// The part of its speed that the tip loses in each step, 0..=1.
    pub drag: f32,
    /// How fast, and where to, the tip is pulled in the world, in units per second; y is up.
    pub gravity: Vec3,
    /// The radius of the tip for colliders, in units of the model; 0 or more.
    pub radius: f32,
}

impl Swing {
    /// Checks that all numbers are finite and in range.
    pub fn check(&self) -> Result<(), &'static str> {
        let is_length = |value: f32| (0.0..=1e6).contains(&value);
        if !is_length(self.stiffness) || !is_length(self.radius) {
            Err("its stiffness or radius is negative or too large")
        } else if !(0.0..=1.0).contains(&self.drag) {
            Err("its drag is not between 0 and 1")
        } else if !self.gravity.is_finite() || self.gravity.abs().max_element() > 1e6 {
            Err("its gravity is not finite or too large")
        } else {
            Ok(())
        }
    }
}

/// The point of a bone that swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tip {
    /// The joint of a descendant.
    Bone(BoneIndex),
    /// A point in the bone's own space.
    Point(Vec3),
}

/// A bone with a spring.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The bone that rotates.
    pub bone: BoneIndex,
    /// The point that swings. A bone without a length to its tip keeps its pose.
    pub tip: Tip,
    /// Mostly equal in a chain.
    pub swing: Swing,
    /// The bone in whose space the tip moves: its movement swings nothing. `None` for the world.
    pub center: Option<BoneIndex>,
    /// Indices of colliders that the tip doesn't enter, in the order in which they push.
    pub colliders: Vec<u16>,
}

/// A sphere (both ends are the same point) or capsule on a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// The bone with which it moves.
    pub bone: BoneIndex,
    /// The ends of its axis in the space of the bone.
    pub ends: [Vec3; 2],
    /// In units of the model; the scale of the bone is ignored.
    pub radius: f32,
}

/// Where a model is in the world, in units of the model: its scale is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// A unit quaternion.
    pub rotation: Quat,
    /// In units of the model.
    pub translation: Vec3,
}

impl Place {
    /// The model's space is the world.
    pub const ORIGIN: Place = Place { rotation: Quat::IDENTITY, translation: Vec3::ZERO };
}

/// The springs of a skeleton, in the order in which they are computed. Shared by all characters with this model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Springs {
    joints: Vec<Joint>,
    colliders: Vec<Collider>,
    /// The bones that a spring moves: those with springs, and all below. Parents come first.
    moved: Vec<Moved>,
    /// Wind in the world, in units per second: added to the gravity of each bone.
    wind: Vec3,
    /// A model that moves farther in a step, in units, has been put elsewhere.
    teleport: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Moved {
    bone: BoneIndex,
    parent: Option<BoneIndex>,
    joint: Option<u16>,
}

/// The state of one character's springs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Swinging {
    /// Empty before the first step: the tips then start where the pose has them.
    tips: Vec<Particle>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Particle {
    /// Where the tip is and was a step before, in the world or in the space of its center.
    now: Vec3,
    before: Vec3,
    /// Where the joint was in the world after the last step.
    joint: Vec3,
}

impl Swinging {
    /// Lets all tips start at their places in the next pose, without speed.
    pub fn reset(&mut self) {
        self.tips.clear();
    }
}

impl Springs {
    /// The springs of a skeleton. Leaves out joints and colliders of bones that it lacks, or whose numbers are invalid; of several
    /// for a bone the first one counts.
    pub fn new(skeleton: &Skeleton, joints: Vec<Joint>, colliders: Vec<Collider>, wind: Vec3) -> Springs {
        let is_there = |bone: BoneIndex| usize::from(bone) < skeleton.len();
        let mut by_bone = BTreeMap::new();
        for mut joint in joints {
            let is_sound = |at: &u16| {
                colliders.get(usize::from(*at)).is_some_and(|collider| {
                    let [from, to] = collider.ends;
                    is_there(collider.bone) && from.is_finite() && to.is_finite() && collider.radius.is_finite()
                })
            };
            joint.colliders.retain(is_sound);
            joint.center = joint.center.filter(|center| is_there(*center));
            let has_tip = match joint.tip {
                Tip::Bone(tip) => is_there(tip) && tip != joint.bone && skeleton.is_below(tip, joint.bone),
                Tip::Point(point) => point.is_finite(),
            };
            if has_tip && is_there(joint.bone) && joint.swing.check().is_ok() {
                by_bone.entry(joint.bone).or_insert(joint);
            }
        }
        let joints: Vec<Joint> = by_bone.into_values().collect();
        let wind = if wind.is_finite() { wind } else { Vec3::ZERO };
        Springs { moved: moved_by(skeleton, &joints), joints, colliders, wind, teleport: teleport(skeleton) }
    }

    /// Returns true if nothing swings.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// In ascending order of their bones.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All colliders, of bones that don't exist, too.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// The bones with springs, in ascending order.
    pub fn bones(&self) -> impl ExactSizeIterator<Item = BoneIndex> + '_ {
        self.joints.iter().map(|joint| joint.bone)
    }
}

fn moved_by(skeleton: &Skeleton, joints: &[Joint]) -> Vec<Moved> {
    let mut is_moved = vec![false; skeleton.len()];
    let mut moved = Vec::new();
    for bone in skeleton.indices() {
        let joint = joints.binary_search_by_key(&bone, |joint| joint.bone).ok();
        let parent = skeleton.parent(bone);
        is_moved[usize::from(bone)] = joint.is_some() || parent.is_some_and(|parent| is_moved[usize::from(parent)]);
        if is_moved[usize::from(bone)] {
            moved.push(Moved { bone, parent, joint: joint.map(|at| at as u16) });
        }
    }
    moved
}

/// Twice the extent of the joints at rest; of a single one, any distance.
fn teleport(skeleton: &Skeleton) -> f32 {
    let rest = skeleton.rest_model_pose();
    let places = || rest.bones.iter().map(|bone| bone.translation());
    let [low, high] = [places().fold(Vec3::INFINITY, Vec3::min), places().fold(Vec3::NEG_INFINITY, Vec3::max)];
    let extent = (high - low).max_element() * 2.0;
    if extent > 0.0 { extent } else { f32::MAX }
}

/// The matrix of a unit quaternion, with the same bits on every machine.
fn matrix(rotation: Quat) -> Mat3 {
    Mat3::from_quat(rotation)
}
