//! The knight's joints in the bind pose: 1.8 m tall, facing +z, his left at +x, arms hanging a little away.

use glam::DVec3;

use crate::knight::GRIP;
use crate::maths::turn;
use crate::rig::{Joint, Rig};

/// The way down an arm.
const ARM: [f64; 3] = [0.44, -0.9, 0.0];
/// The way down a forearm: a little forwards, so that it is plain which way an elbow bends.
const FOREARM: [f64; 3] = [0.40, -0.9, 0.12];
const UP: [f64; 3] = [0.0, 1.0, 0.0];
const DOWN: [f64; 3] = [0.0, -1.0, 0.0];

const JOINTS: &[Joint] = &[
    ("root", "", [0.0, 0.0, 0.0], UP),
    ("hips", "root", [0.0, 0.90, 0.0], UP),
    ("spine", "hips", [0.0, 1.00, 0.0], UP),
    ("chest", "spine", [0.0, 1.14, 0.0], UP),
    ("neck", "chest", [0.0, 1.39, -0.015], UP),
    ("head", "neck", [0.0, 1.44, -0.005], UP),
    ("plume", "head", [0.0, 1.79, 0.00], [0.0, 0.5, -0.9]),
    ("plume_tip", "plume", [0.0, 1.83, -0.16], [0.0, -0.6, -0.8]),
    ("shoulder.L", "chest", [0.055, 1.345, 0.0], [1.0, 0.05, 0.0]),
    ("upper_arm.L", "shoulder.L", [0.205, 1.335, -0.005], ARM),
    ("forearm.L", "upper_arm.L", [0.322, 1.096, -0.005], FOREARM),
    ("hand.L", "forearm.L", [0.419, 0.878, 0.024], FOREARM),
    ("thigh.L", "hips", [0.105, 0.875, 0.0], DOWN),
    ("shin.L", "thigh.L", [0.112, 0.485, 0.012], DOWN),
    ("foot.L", "shin.L", [0.117, 0.105, -0.015], [0.05, -0.5, 0.85]),
    ("toe.L", "foot.L", [0.125, 0.03, 0.115], [0.0, 0.0, 1.0]),
    ("tabard_front", "hips", [0.0, 0.955, 0.125], DOWN),
    ("tabard_back", "hips", [0.0, 0.955, -0.125], DOWN),
    ("tabard_front_tip", "tabard_front", [0.0, 0.74, 0.20], DOWN),
    ("tabard_back_tip", "tabard_back", [0.0, 0.74, -0.21], DOWN),
    ("scabbard", "chest", [-0.17, 1.45, -0.165], [0.44, -0.86, -0.06]),
];

/// How small the sword is that is not in use: in the hand while he climbs, on his back at all other times.
pub const PUT_AWAY: f64 = 0.001;

/// The knight's bones: those of the list, and his weapon, which stands forwards out of the right fist, a little raised.
pub fn rig() -> Rig {
    let hand = Rig::new(JOINTS).frame("hand.R");
    let grip = hand.point(DVec3::new(-GRIP.x, GRIP.y, GRIP.z));
    let along = hand.rotation * turn(DVec3::X, 8.0 - 90.0) * DVec3::Y;
    let mut joints = JOINTS.to_vec();
    joints.push(("weapon", "hand.R", grip.to_array(), along.to_array()));
    let mut rig = Rig::new(&joints);
    let scabbard = rig.bone("scabbard");
    rig.rest_scales[scabbard] = PUT_AWAY;
    rig
}
