//! The goblin: short legs, a big head with horns, and a club.

use glam::DVec3;
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::layer_def::{LayerDef, LayerKind};
use keypose::anim::machine::parts::{Condition, ParameterDef, Value};
use keypose::assets::combat::{Hit, Lanes, Range, Strike};
use keypose::assets::default_machine::{DEAD, HIT, HURT};
use keypose::assets::machine::Graph;
use keypose::assets::model::Model;
use keypose::assets::playable::default_graph;

use super::goblin_palette::{
    BLACK, BONE, EYE, IRON, LEATHER, MOUTH, RAG, SKIN, SKIN_DARK, SKIN_LIGHT, WOOD, material, texture,
};
use crate::foes::goblin_clips;
use crate::geometry::loft::{End, ball, band, circle, loft, section, tube};
use crate::geometry::part::Part;
use crate::geometry::shape::{Frame, Shape};
use crate::maths::turn;
use crate::rig::{Bind, Joint, Rig};
use crate::volumes::{capsule, set_lanes, sphere};

const UP: [f64; 3] = [0.0, 1.0, 0.0];
const DOWN: [f64; 3] = [0.0, -1.0, 0.0];
const JOINTS: &[Joint] = &[
    ("root", "", [0.0, 0.0, 0.0], UP),
    ("hips", "root", [0.0, 0.46, 0.0], UP),
    ("chest", "hips", [0.0, 0.64, 0.0], UP),
    ("head", "chest", [0.0, 0.98, 0.05], UP),
    ("upper_arm.L", "chest", [0.29, 0.90, 0.0], [0.55, -0.83, 0.0]),
    ("forearm.L", "upper_arm.L", [0.44, 0.67, 0.0], [0.25, -0.95, 0.16]),
    ("hand.L", "forearm.L", [0.50, 0.44, 0.04], [0.1, -0.98, 0.16]),
    ("weapon", "hand.R", [-0.51, 0.37, 0.06], [0.0, 0.25, 0.97]),
    ("thigh.L", "hips", [0.14, 0.43, 0.0], DOWN),
    ("shin.L", "thigh.L", [0.15, 0.25, 0.02], DOWN),
    ("foot.L", "shin.L", [0.15, 0.08, -0.01], [0.05, -0.4, 0.9]),
];

/// The goblin with his clips.
pub fn model() -> Model {
    let rig = Rig::new(JOINTS);
    let clips = goblin_clips::all(&rig);
    let mut model = super::model("goblin", &rig, &parts(&rig), clips, (material(), texture()));
    model.combat_mut().hurt = vec![
        sphere("head", "head", [0.0, 0.16, 0.04], 0.26),
        capsule("trunk", "hips", [0.0, 0.02, 0.02], [0.0, 0.34, 0.02], 0.27),
        capsule("legs", "hips", [0.0, -0.32, 0.0], [0.0, -0.1, 0.0], 0.16),
    ];
    let strike =
        Strike { damage: 20, angle: 40.0, knockback: 4.6, growth: 0.0, stop: 7, stun: 24, ..Strike::default() };
    let club = capsule("club", "weapon", [0.0, 0.16, 0.0], [0.0, 0.52, 0.0], 0.15);
    let hit = Hit { range: Range::of_ticks(29, 36), volumes: vec![club], strike, ..Hit::default() };
    set_lanes(&mut model, "attack", Lanes { hits: vec![hit.clone()], ..Lanes::default() });
    let strike = Strike { damage: 25, angle: 50.0, knockback: 6.4, ..strike };
    let sweep = Hit { range: Range::of_ticks(32, 46), strike, ..hit };
    set_lanes(&mut model, "stab", Lanes { hits: vec![sweep], ..Lanes::default() });
    model.machine.graph = Some(graph(&model));
    model
}

/// The usual machine, and a flinch over it for blows that don't stop him.
fn graph(model: &Model) -> Graph {
    let usual = default_graph(model);
    let mut parts = usual.def.parts().clone();
    parts.parameters.push(ParameterDef::new(HIT, Value::Trigger));
    parts.layers.push(LayerDef {
        kind: LayerKind::Add,
        conditions: vec![
            Condition::Fired { parameter: HIT.into() },
            Condition::Off { parameter: HURT.into() },
            Condition::Off { parameter: DEAD.into() },
        ],
        fade_secs: 0.03,
        ..LayerDef::new("flinch", "flinch")
    });
    let def = MachineDef::new(parts).unwrap_or_else(|error| panic!("the goblin's machine: {error}"));
    Graph { def: def.into(), places: usual.places }
}

fn parts(rig: &Rig) -> Vec<Part> {
    let both = |parts: Vec<Part>| {
        let right: Vec<_> = parts.iter().map(|part| part.mirrored(&rig.other_side)).collect();
        parts.into_iter().chain(right).collect::<Vec<_>>()
    };
    let mut parts = trunk(rig);
    parts.extend(head(rig));
    parts.extend(both(face(rig)));
    parts.extend(both(limbs(rig)));
    parts.extend(club(rig));
    parts
}

fn at(x: f64, y: f64, z: f64, shape: Shape) -> Shape {
    shape.placed(&Frame::at(x, y, z))
}

fn trunk(rig: &Rig) -> Vec<Part> {
    let body = [
        section(0.36, 0.15, 0.13, 0.15),
        section(0.46, 0.25, 0.24, 0.22),
        section(0.60, 0.29, 0.31, 0.24),
        section(0.76, 0.30, 0.26, 0.23),
        section(0.90, 0.26, 0.17, 0.21),
        section(1.00, 0.14, 0.10, 0.14),
    ];
    let bind = Bind::Chain(&["hips", "chest"], 0.10);
    let skirt = [section(0.28, 0.27, 0.25, 0.24), section(0.40, 0.26, 0.24, 0.23), section(0.50, 0.27, 0.26, 0.23)];
    vec![
        rig.part(loft(&body, 14, [End::Cap(0.03), End::Cap(0.02)]), SKIN, &bind)
            .painted(SKIN_LIGHT, |at| at.z > 0.17 && at.x.abs() < 0.2 && at.y < 0.8),
        rig.part(loft(&skirt, 12, [End::Open, End::Open]), RAG, &Bind::To("hips")).soft(0.4),
        rig.part(band(&body, [0.47, 0.54], 0.022, 14), LEATHER, &Bind::To("hips")),
        rig.part(at(0.0, 0.505, 0.285, ball(DVec3::new(0.06, 0.055, 0.03), 8, 5)), IRON, &Bind::To("hips")),
    ]
}

fn head(rig: &Rig) -> Vec<Part> {
    let bind = Bind::To("head");
    let nose = [
        (DVec3::new(0.0, 1.17, 0.27), 0.035, 0.035),
        (DVec3::new(0.0, 1.12, 0.37), 0.055, 0.05),
        (DVec3::new(0.0, 1.08, 0.41), 0.04, 0.035),
    ];
    vec![
        rig.part(at(0.0, 1.15, 0.06, ball(DVec3::new(0.25, 0.23, 0.25), 14, 9)), SKIN, &bind).soft(0.5),
        rig.part(at(0.0, 1.02, 0.12, ball(DVec3::new(0.19, 0.12, 0.20), 12, 6)), SKIN_LIGHT, &bind).soft(0.5),
        rig.part(at(0.0, 1.03, 0.285, ball(DVec3::new(0.12, 0.03, 0.04), 10, 5)), MOUTH, &bind),
        rig.part(tube(&nose, DVec3::X, 8, 0.02), SKIN_DARK, &bind),
        rig.part(at(0.0, 1.255, 0.235, ball(DVec3::new(0.20, 0.04, 0.07), 10, 5)), SKIN_DARK, &bind),
    ]
}

/// The left half of what is on both sides of the head.
fn face(rig: &Rig) -> Vec<Part> {
    let bind = Bind::To("head");
    let ear = [
        (DVec3::new(0.20, 1.16, 0.04), 0.09, 0.03),
        (DVec3::new(0.34, 1.22, 0.00), 0.07, 0.022),
        (DVec3::new(0.50, 1.31, -0.04), 0.012, 0.01),
    ];
    let horn = [
        (DVec3::new(0.12, 1.33, 0.08), 0.055, 0.055),
        (DVec3::new(0.19, 1.42, 0.10), 0.045, 0.045),
        (DVec3::new(0.23, 1.51, 0.16), 0.028, 0.028),
        (DVec3::new(0.23, 1.57, 0.23), 0.006, 0.006),
    ];
    let fang = [(DVec3::new(0.07, 1.03, 0.315), 0.02, 0.02), (DVec3::new(0.075, 1.11, 0.335), 0.004, 0.004)];
    vec![
        rig.part(tube(&ear, DVec3::Y, 8, 0.0), SKIN, &bind),
        rig.part(tube(&horn, DVec3::X, 7, 0.0), BONE, &bind),
        rig.part(tube(&fang, DVec3::X, 6, 0.0), BONE, &bind),
        rig.part(at(0.105, 1.185, 0.265, ball(DVec3::new(0.062, 0.058, 0.04), 10, 6)), EYE, &bind),
        rig.part(at(0.100, 1.18, 0.30, ball(DVec3::new(0.022, 0.034, 0.014), 8, 5)), BLACK, &bind),
    ]
}

/// The left arm and leg.
fn limbs(rig: &Rig) -> Vec<Part> {
    let arm = [
        (DVec3::new(0.24, 0.92, 0.0), 0.085, 0.085),
        (DVec3::new(0.34, 0.83, 0.0), 0.082, 0.08),
        (DVec3::new(0.44, 0.67, 0.0), 0.068, 0.066),
        (DVec3::new(0.48, 0.54, 0.03), 0.082, 0.08),
        (DVec3::new(0.50, 0.44, 0.04), 0.06, 0.06),
    ];
    let wrist = [(DVec3::new(0.487, 0.515, 0.03), 0.090, 0.088), (DVec3::new(0.499, 0.45, 0.038), 0.082, 0.08)];
    let leg = [
        (DVec3::new(0.14, 0.46, 0.0), 0.11, 0.12),
        (DVec3::new(0.15, 0.26, 0.02), 0.085, 0.09),
        (DVec3::new(0.15, 0.08, -0.01), 0.065, 0.065),
    ];
    let foot = [
        (DVec3::new(0.15, 0.07, -0.07), 0.065, 0.06),
        (DVec3::new(0.155, 0.06, 0.06), 0.085, 0.055),
        (DVec3::new(0.16, 0.045, 0.18), 0.075, 0.04),
    ];
    vec![
        rig.part(tube(&arm, DVec3::Z, 9, 0.02), SKIN, &Bind::Chain(&["upper_arm.L", "forearm.L"], 0.06)),
        rig.part(tube(&wrist, DVec3::Z, 9, 0.0), LEATHER, &Bind::To("forearm.L")),
        rig.part(at(0.505, 0.375, 0.055, ball(DVec3::new(0.078, 0.085, 0.085), 9, 6)), SKIN_DARK, &Bind::To("hand.L")),
        rig.part(tube(&leg, DVec3::Z, 8, 0.02), SKIN, &Bind::Chain(&["thigh.L", "shin.L"], 0.06)),
        rig.part(tube(&foot, DVec3::X, 8, 0.02), SKIN_DARK, &Bind::To("foot.L")),
    ]
}

fn club(rig: &Rig) -> Vec<Part> {
    let weapon = rig.frame("weapon");
    let shaft =
        [circle(-0.14, 0.026), circle(0.10, 0.03), circle(0.26, 0.055), circle(0.46, 0.085), circle(0.56, 0.075)];
    let wood = loft(&shaft, 9, [End::Cap(0.01), End::Cap(0.03)]).placed(&weapon);
    let spike = |height: f64, degrees: f64| {
        let frame = weapon.moved(0.0, height, 0.0).turned(turn(DVec3::Y, degrees)).turned(turn(DVec3::Z, -90.0));
        loft(&[circle(0.05, 0.03), circle(0.15, 0.002)], 6, [End::Open, End::Cap(0.0)]).placed(&frame)
    };
    let bind = Bind::To("weapon");
    let mut parts =
        vec![rig.part(wood, WOOD, &bind), rig.part(band(&shaft, [0.32, 0.37], 0.01, 9).placed(&weapon), IRON, &bind)];
    for (height, turned) in [(0.40, 0.0), (0.44, 120.0), (0.48, 240.0), (0.51, 60.0)] {
        parts.push(rig.part(spike(height, turned), IRON, &bind));
    }
    parts
}
