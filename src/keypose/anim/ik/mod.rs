//! Inverse kinematics: rotates bones of a pose so that a hand, foot or gaze reaches its target. Changes local rotations
//! (and the pelvis's translation in [`foot`]), never lengths or scales. Targets are points in model space.
//!
//! Defined for every solver: a target that is not finite, bones that don't form a limb, and a pose that is not finite
//! leave the pose unchanged ([`Outcome::Unchanged`]). A target out of reach straightens the limb towards it. A target
//! at the limb's own root, a bone of length 0, and a straight limb have a defined result that is finite, with unit
//! quaternions.
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

pub mod body;
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

/// The result of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Within a ten-thousandth of the limb's length, or the given tolerance.
    Reached,
    /// As near as possible, or as the iterations allowed.
    Short {
        /// From the tip to the target, in model units.
        distance: f32,
    },
    /// There is no solution; the pose didn't change.
    Unchanged,
}

impl Outcome {
    /// An outcome for the remaining distance.
    fn of(distance: f32, tolerance: f32) -> Outcome {
        if distance <= tolerance { Outcome::Reached } else { Outcome::Short { distance } }
    }
}
