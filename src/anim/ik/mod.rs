//! Inverse kinematics: turns bones of a pose so that a hand, a foot or a gaze meets its target. Changes local rotations
//! (and the pelvis's translation for [`foot`]), never lengths or scales. Targets are points in model space.
//!
//! What is defined for every solver: a target that is not finite, bones that do not form a limb, and a pose that is not
//! finite leave the pose as it was ([`Outcome::Unchanged`]). A target out of reach stretches the limb towards it. A
//! target on the limb's own root, a bone of no length, and a limb in one line have an answer of their own each, which is
//! always finite and of unit rotations.
//!
//! ```
//! use glam::Vec3;
//! use keypose::anim::ik::{self, two_bone::{Goal, TwoBone}};
//! use keypose::anim::skeleton::{Bone, Skeleton};
//! use keypose::anim::transform::Transform;
//!
//! let bone = |name: &str, parent, offset| Bone {
//!     name: name.into(), parent, rest: Transform::from_translation(offset),
//! };
//! let arm = vec![bone("upper", None, Vec3::ZERO), bone("lower", Some(0), Vec3::X), bone("hand", Some(1), Vec3::X)];
//! let skeleton = Skeleton::new(arm).unwrap();
//! let mut pose = skeleton.rest_pose();
//! let limb = TwoBone::ending_in(&skeleton, 2).unwrap();
//! let outcome = ik::two_bone::solve(&skeleton, &mut pose, limb, &Goal::at(Vec3::new(1.0, 1.0, 0.0)));
//! assert_eq!(outcome, ik::Outcome::Reached);
//! ```

pub mod ccd;
pub mod chain;
pub mod fabrik;
pub mod foot;
pub mod grip;
pub mod limit;
pub mod look;
mod rig;
#[cfg(test)]
mod test_limb;
pub mod two_bone;

/// How near a solver came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// To within a ten-thousandth of the limb's length, or the tolerance that was asked for.
    Reached,
    /// As near as it can or as its iterations went: so many model units are left.
    Short {
        /// From the tip to the target.
        distance: f32,
    },
    /// The question had no answer; the pose is as it was.
    Unchanged,
}

impl Outcome {
    /// By the distance that is left.
    fn of(distance: f32, tolerance: f32) -> Outcome {
        if distance <= tolerance { Outcome::Reached } else { Outcome::Short { distance } }
    }
}
