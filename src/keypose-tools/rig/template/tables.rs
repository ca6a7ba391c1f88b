//! The tables of all templates.

use super::Sides::{Both, Middle};
use super::Snap::{Depth, Section, Stay};
use super::{Marker, Place, Sides, Snap, Template, TemplateBone};

/// All templates, in display order.
pub const TEMPLATES: &[Template] = &[
    Template { name: "humanoid", title: "Humanoid", markers: HUMANOID.0, bones: HUMANOID.1 },
    Template { name: "humanoid-fingers", title: "Humanoid with fingers", markers: FINGERS.0, bones: FINGERS.1 },
    Template { name: "biped-tail", title: "Biped with tail", markers: TAILED.0, bones: TAILED.1 },
    Template { name: "quadruped", title: "Quadruped", markers: QUADRUPED.0, bones: QUADRUPED.1 },
    Template { name: "bird", title: "Bird", markers: BIRD.0, bones: BIRD.1 },
    Template { name: "snake", title: "Snake", markers: SNAKE.0, bones: SNAKE.1 },
    Template { name: "sword", title: "Sword", markers: SWORD.0, bones: SWORD.1 },
    Template { name: "chain", title: "Chain", markers: CHAIN.0, bones: CHAIN.1 },
];

type Table = (&'static [Marker], &'static [TemplateBone]);

const fn at(name: &'static str, sides: Sides, place: [f32; 3]) -> Marker {
    Marker { name, sides, place: Place::Box(place) }
}

const fn along(name: &'static str, fraction: f32) -> Marker {
    Marker { name, sides: Middle, place: Place::Along(fraction) }
}

const fn bone(
    name: &'static str,
    parent: &'static str,
    sides: Sides,
    snap: Snap,
    joint: &'static [(&'static str, f32)],
) -> TemplateBone {
    TemplateBone { name, parent, sides, joint, snap }
}

const BODY: [Marker; 9] = [
    at("head", Middle, [0.0, 1.0, 0.0]),
    at("chin", Middle, [0.0, 0.87, 0.0]),
    at("shoulder", Both, [0.2, 0.8, 0.0]),
    at("elbow", Both, [0.55, 0.75, 0.0]),
    at("wrist", Both, [0.8, 0.72, 0.0]),
    at("hip", Both, [0.11, 0.51, 0.0]),
    at("knee", Both, [0.12, 0.28, 0.0]),
    at("ankle", Both, [0.12, 0.06, -0.2]),
    at("toe", Both, [0.12, 0.02, 0.9]),
];

const BODY_BONES: [TemplateBone; 14] = [
    bone("hips", "", Middle, Depth, &[("hip.L", 0.46), ("hip.R", 0.46), ("chin", 0.08)]),
    bone("spine", "hips", Middle, Depth, &[("hip.L", 0.39), ("hip.R", 0.39), ("chin", 0.22)]),
    bone("chest", "spine", Middle, Depth, &[("hip.L", 0.295), ("hip.R", 0.295), ("chin", 0.41)]),
    bone("upper_chest", "chest", Middle, Depth, &[("hip.L", 0.195), ("hip.R", 0.195), ("chin", 0.61)]),
    bone("neck", "upper_chest", Middle, Depth, &[("shoulder.L", 0.35), ("shoulder.R", 0.35), ("chin", 0.3)]),
    bone("head", "neck", Middle, Stay, &[("chin", 1.0)]),
    bone("shoulder", "upper_chest", Both, Stay, &[("shoulder", 0.62), ("-shoulder", 0.38)]),
    bone("upper_arm", "shoulder", Both, Section, &[("shoulder", 1.0)]),
    bone("forearm", "upper_arm", Both, Section, &[("elbow", 1.0)]),
    bone("hand", "forearm", Both, Section, &[("wrist", 1.0)]),
    bone("thigh", "hips", Both, Depth, &[("hip", 1.0)]),
    bone("shin", "thigh", Both, Depth, &[("knee", 1.0)]),
    bone("foot", "shin", Both, Stay, &[("ankle", 1.0)]),
    bone("toe", "foot", Both, Stay, &[("ankle", 0.35), ("toe", 0.65)]),
];

const HUMANOID: Table = (&BODY, &BODY_BONES);

const fn joined<T: Copy, const A: usize, const B: usize, const N: usize>(one: [T; A], other: [T; B]) -> [T; N] {
    let (mut all, mut at) = ([one[0]; N], 0);
    while at < N {
        all[at] = if at < A { one[at] } else { other[at - A] };
        at += 1;
    }
    all
}

const FINGERS: Table = (
    &joined::<_, 9, 3, 12>(
        BODY,
        [
            at("thumb_tip", Both, [0.9, 0.69, 0.5]),
            at("middle_tip", Both, [1.0, 0.7, 0.0]),
            at("little_tip", Both, [0.95, 0.69, -0.4]),
        ],
    ),
    &joined::<_, 14, 15, 29>(
        BODY_BONES,
        [
            bone("middle_01", "hand", Both, Stay, &[("wrist", 0.52), ("middle_tip", 0.48)]),
            bone("middle_02", "middle_01", Both, Stay, &[("wrist", 0.27), ("middle_tip", 0.73)]),
            bone("middle_03", "middle_02", Both, Stay, &[("wrist", 0.12), ("middle_tip", 0.88)]),
            bone("index_01", "hand", Both, Stay, &[("wrist", 0.53), ("middle_tip", 0.66), ("little_tip", -0.19)]),
            bone("index_02", "index_01", Both, Stay, &[("wrist", 0.29), ("middle_tip", 0.96), ("little_tip", -0.25)]),
            bone("index_03", "index_02", Both, Stay, &[("wrist", 0.15), ("middle_tip", 1.13), ("little_tip", -0.28)]),
            bone("ring_01", "hand", Both, Stay, &[("wrist", 0.54), ("middle_tip", 0.24), ("little_tip", 0.22)]),
            bone("ring_02", "ring_01", Both, Stay, &[("wrist", 0.29), ("middle_tip", 0.36), ("little_tip", 0.35)]),
            bone("ring_03", "ring_02", Both, Stay, &[("wrist", 0.14), ("middle_tip", 0.43), ("little_tip", 0.43)]),
            bone("little_01", "hand", Both, Stay, &[("wrist", 0.54), ("little_tip", 0.46)]),
            bone("little_02", "little_01", Both, Stay, &[("wrist", 0.31), ("little_tip", 0.69)]),
            bone("little_03", "little_02", Both, Stay, &[("wrist", 0.15), ("little_tip", 0.85)]),
            bone("thumb_01", "hand", Both, Stay, &[("wrist", 0.75), ("thumb_tip", 0.25)]),
            bone("thumb_02", "thumb_01", Both, Stay, &[("wrist", 0.42), ("thumb_tip", 0.58)]),
            bone("thumb_03", "thumb_02", Both, Stay, &[("wrist", 0.2), ("thumb_tip", 0.8)]),
        ],
    ),
);

const TAILED: Table = (
    &joined::<_, 9, 2, 11>(BODY, [at("tail", Middle, [0.0, 0.5, -0.5]), at("tail_tip", Middle, [0.0, 0.3, -1.0])]),
    &joined::<_, 14, 4, 18>(
        BODY_BONES,
        [
            bone("tail_01", "hips", Middle, Stay, &[("tail", 1.0)]),
            bone("tail_02", "tail_01", Middle, Stay, &[("tail", 0.75), ("tail_tip", 0.25)]),
            bone("tail_03", "tail_02", Middle, Stay, &[("tail", 0.5), ("tail_tip", 0.5)]),
            bone("tail_04", "tail_03", Middle, Stay, &[("tail", 0.25), ("tail_tip", 0.75)]),
        ],
    ),
);

const QUADRUPED: Table = (
    &[
        at("nose", Middle, [0.0, 0.75, 1.0]),
        at("head", Middle, [0.0, 0.82, 0.7]),
        at("neck", Middle, [0.0, 0.68, 0.48]),
        at("rump", Middle, [0.0, 0.65, -0.35]),
        at("tail_tip", Middle, [0.0, 0.5, -1.0]),
        at("shoulder", Both, [0.5, 0.55, 0.4]),
        at("elbow", Both, [0.5, 0.36, 0.36]),
        at("wrist", Both, [0.5, 0.1, 0.4]),
        at("hip", Both, [0.5, 0.55, -0.35]),
        at("knee", Both, [0.5, 0.38, -0.28]),
        at("ankle", Both, [0.5, 0.18, -0.42]),
        at("toe", Both, [0.5, 0.03, -0.36]),
    ],
    &[
        bone("hips", "", Middle, Stay, &[("rump", 1.0)]),
        bone("spine", "hips", Middle, Stay, &[("rump", 0.6), ("neck", 0.4)]),
        bone("chest", "spine", Middle, Stay, &[("rump", 0.25), ("neck", 0.75)]),
        bone("neck", "chest", Middle, Stay, &[("neck", 1.0)]),
        bone("head", "neck", Middle, Stay, &[("head", 1.0)]),
        bone("jaw", "head", Middle, Stay, &[("head", 0.55), ("nose", 0.45)]),
        bone("tail_01", "hips", Middle, Stay, &[("rump", 0.8), ("tail_tip", 0.2)]),
        bone("tail_02", "tail_01", Middle, Stay, &[("rump", 0.5), ("tail_tip", 0.5)]),
        bone("tail_03", "tail_02", Middle, Stay, &[("rump", 0.25), ("tail_tip", 0.75)]),
        bone("upper_arm", "chest", Both, Stay, &[("shoulder", 1.0)]),
        bone("forearm", "upper_arm", Both, Depth, &[("elbow", 1.0)]),
        bone("hand", "forearm", Both, Depth, &[("wrist", 1.0)]),
        bone("thigh", "hips", Both, Stay, &[("hip", 1.0)]),
        bone("shin", "thigh", Both, Depth, &[("knee", 1.0)]),
        bone("foot", "shin", Both, Depth, &[("ankle", 1.0)]),
        bone("toe", "foot", Both, Stay, &[("toe", 1.0)]),
    ],
);

const BIRD: Table = (
    &[
        at("beak", Middle, [0.0, 0.9, 1.0]),
        at("head", Middle, [0.0, 0.88, 0.6]),
        at("neck", Middle, [0.0, 0.7, 0.4]),
        at("rump", Middle, [0.0, 0.5, -0.2]),
        at("tail_tip", Middle, [0.0, 0.45, -1.0]),
        at("shoulder", Both, [0.12, 0.65, 0.2]),
        at("elbow", Both, [0.4, 0.65, 0.1]),
        at("wrist", Both, [0.7, 0.65, 0.1]),
        at("hip", Both, [0.08, 0.45, 0.0]),
        at("knee", Both, [0.08, 0.25, 0.0]),
        at("ankle", Both, [0.08, 0.05, 0.0]),
    ],
    &[
        bone("hips", "", Middle, Stay, &[("rump", 1.0)]),
        bone("chest", "hips", Middle, Stay, &[("rump", 0.5), ("neck", 0.5)]),
        bone("neck", "chest", Middle, Stay, &[("neck", 1.0)]),
        bone("head", "neck", Middle, Stay, &[("head", 1.0)]),
        bone("beak", "head", Middle, Stay, &[("head", 0.4), ("beak", 0.6)]),
        bone("tail_01", "hips", Middle, Stay, &[("rump", 0.6), ("tail_tip", 0.4)]),
        bone("upper_arm", "chest", Both, Section, &[("shoulder", 1.0)]),
        bone("forearm", "upper_arm", Both, Section, &[("elbow", 1.0)]),
        bone("hand", "forearm", Both, Section, &[("wrist", 1.0)]),
        bone("thigh", "hips", Both, Stay, &[("hip", 1.0)]),
        bone("shin", "thigh", Both, Depth, &[("knee", 1.0)]),
        bone("foot", "shin", Both, Stay, &[("ankle", 1.0)]),
    ],
);

const SNAKE: Table = (
    &[
        along("head", 0.92),
        along("neck", 0.84),
        along("body_1", 0.7),
        along("body_2", 0.56),
        along("body_3", 0.42),
        along("body_4", 0.28),
        along("body_5", 0.14),
        along("tail_tip", 0.0),
    ],
    &[
        bone("body_01", "", Middle, Stay, &[("neck", 1.0)]),
        bone("head", "body_01", Middle, Stay, &[("head", 1.0)]),
        bone("body_02", "body_01", Middle, Stay, &[("neck", 0.5), ("body_1", 0.5)]),
        bone("body_03", "body_02", Middle, Stay, &[("body_1", 1.0)]),
        bone("body_04", "body_03", Middle, Stay, &[("body_1", 0.5), ("body_2", 0.5)]),
        bone("body_05", "body_04", Middle, Stay, &[("body_2", 1.0)]),
        bone("body_06", "body_05", Middle, Stay, &[("body_2", 0.5), ("body_3", 0.5)]),
        bone("body_07", "body_06", Middle, Stay, &[("body_3", 1.0)]),
        bone("body_08", "body_07", Middle, Stay, &[("body_3", 0.5), ("body_4", 0.5)]),
        bone("body_09", "body_08", Middle, Stay, &[("body_4", 1.0)]),
        bone("body_10", "body_09", Middle, Stay, &[("body_4", 0.5), ("body_5", 0.5)]),
        bone("body_11", "body_10", Middle, Stay, &[("body_5", 1.0)]),
        bone("body_12", "body_11", Middle, Stay, &[("body_5", 0.5), ("tail_tip", 0.5)]),
    ],
);

const SWORD: Table = (
    &[along("pommel", 0.0), along("guard", 0.22), along("tip", 1.0)],
    &[
        bone("grip", "", Middle, Stay, &[("pommel", 1.0)]),
        bone("blade_01", "grip", Middle, Stay, &[("guard", 1.0)]),
        bone("blade_02", "blade_01", Middle, Stay, &[("guard", 0.5), ("tip", 0.5)]),
    ],
);

const CHAIN: Table = (
    &[along("start", 0.0), along("middle", 0.5), along("end", 1.0)],
    &[
        bone("link_01", "", Middle, Stay, &[("start", 1.0)]),
        bone("link_02", "link_01", Middle, Stay, &[("start", 0.75), ("middle", 0.25)]),
        bone("link_03", "link_02", Middle, Stay, &[("start", 0.5), ("middle", 0.5)]),
        bone("link_04", "link_03", Middle, Stay, &[("start", 0.25), ("middle", 0.75)]),
        bone("link_05", "link_04", Middle, Stay, &[("middle", 1.0)]),
        bone("link_06", "link_05", Middle, Stay, &[("middle", 0.75), ("end", 0.25)]),
        bone("link_07", "link_06", Middle, Stay, &[("middle", 0.5), ("end", 0.5)]),
        bone("link_08", "link_07", Middle, Stay, &[("middle", 0.25), ("end", 0.75)]),
    ],
);
