//! Where the knight can be hit. What his attacks hit is in the texts of their clips.

use keypose::assets::combat::Volume;

use crate::volumes::{capsule, sphere};

/// Spheres on head and hips, capsules on trunk and legs.
pub fn hurt() -> Vec<Volume> {
    let mut volumes = vec![
        sphere("head", "head", [0.0, 0.14, 0.01], 0.16),
        capsule("trunk", "chest", [0.0, -0.06, 0.0], [0.0, 0.12, 0.0], 0.19),
        sphere("hips", "hips", [0.0, 0.0, 0.0], 0.18),
    ];
    for side in ["L", "R"] {
        let bone = |stem: &str| format!("{stem}.{side}");
        volumes.push(capsule(&bone("thigh"), &bone("thigh"), [0.0, 0.06, 0.0], [0.0, 0.38, 0.0], 0.10));
        volumes.push(capsule(&bone("shin"), &bone("shin"), [0.0, 0.02, 0.0], [0.0, 0.36, 0.0], 0.08));
    }
    volumes
}
