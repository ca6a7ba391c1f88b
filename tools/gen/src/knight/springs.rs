//! The knight's springs: his plume swings, and the panels of his tabard, which stay out of his thighs.

use glam::Vec3;
use keypose::anim::spring::Swing;
use keypose::assets::spring_notes::{Spring, SpringNotes, SpringTip};

use crate::volumes::capsule;

/// Stiff feathers on the helmet.
const PLUME: Swing = Swing { stiffness: 2.0, drag: 0.16, gravity: Vec3::ZERO, radius: 0.0 };
/// Heavy cloth.
const TABARD: Swing = Swing { stiffness: 1.3, drag: 0.18, gravity: Vec3::new(0.0, -0.1, 0.0), radius: 0.02 };

/// The springs and colliders.
pub fn notes() -> SpringNotes {
    let thighs = ["thigh.L", "thigh.R"];
    let collider = |thigh: &str| capsule(thigh, thigh, [0.0, 0.06, 0.0], [0.0, 0.38, 0.0], 0.09);
    let mut notes = SpringNotes { colliders: thighs.map(collider).to_vec(), ..SpringNotes::default() };
    let chains = [
        ("plume", PLUME, 0.2, &[][..]),
        ("tabard_front", TABARD, 0.2, &thighs[..]),
        ("tabard_back", TABARD, 0.2, &thighs[..]),
    ];
    for (bone, swing, length, colliders) in chains {
        let tip = format!("{bone}_tip");
        let spring = |tip| Spring {
            swing,
            tip,
            center: None,
            colliders: colliders.iter().map(|name| (*name).to_owned()).collect(),
        };
        notes.bones.insert(bone.to_owned(), spring(SpringTip::Bone(tip.clone())));
        notes.bones.insert(tip, spring(SpringTip::Point(Vec3::Y * length)));
    }
    notes
}
