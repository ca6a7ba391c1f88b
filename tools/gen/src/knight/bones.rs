//! The knight's joints in the bind pose: 1.8 m tall, facing +z, his left at +x, arms hanging a little away.

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
    ("head", "neck", [0.0, 1.47, -0.005], UP),
    ("plume", "head", [0.0, 1.79, 0.00], [0.0, 0.5, -0.9]),
    ("plume_tip", "plume", [0.0, 1.83, -0.16], [0.0, -0.6, -0.8]),
    ("shoulder.L", "chest", [0.055, 1.345, 0.0], [1.0, 0.05, 0.0]),
    ("upper_arm.L", "shoulder.L", [0.205, 1.335, -0.005], ARM),
    ("forearm.L", "upper_arm.L", [0.322, 1.096, -0.005], FOREARM),
    ("hand.L", "forearm.L", [0.419, 0.878, 0.024], FOREARM),
    ("fingers.L", "hand.L", [0.451, 0.806, 0.034], FOREARM),
    ("thigh.L", "hips", [0.105, 0.875, 0.0], DOWN),
    ("shin.L", "thigh.L", [0.112, 0.485, 0.012], DOWN),
    ("foot.L", "shin.L", [0.117, 0.105, -0.015], [0.05, -0.5, 0.85]),
    ("toe.L", "foot.L", [0.125, 0.03, 0.115], [0.0, 0.0, 1.0]),
    ("tabard_front", "hips", [0.0, 0.955, 0.125], DOWN),
    ("tabard_back", "hips", [0.0, 0.955, -0.125], DOWN),
];

/// The knight's bones.
pub fn rig() -> Rig {
    Rig::new(JOINTS)
}
