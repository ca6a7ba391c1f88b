//! The bat: two wings on a ball of fur, large ears, and a bite that comes down from the air.

use glam::DVec3;
use keypose::anim::clip::Clip;
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parts::Pace;
use keypose::assets::combat::{Hit, Lanes, Range, Strike};
use keypose::assets::machine::Graph;
use keypose::assets::model::Model;
use keypose::assets::playable::default_graph;

use super::goblin_palette::{BLACK, BONE, EYE, MOUTH, RAG, material, texture};
use crate::clips::pose::Pose;
use crate::clips::script::Script;
use crate::geometry::loft::{End, ball, circle, loft, thick};
use crate::geometry::part::Part;
use crate::geometry::shape::{Around, Frame, Shape};
use crate::maths::turn;
use crate::rig::{Bind, Joint, Rig};
use crate::volumes::{set_lanes, sphere};

const UP: [f64; 3] = [0.0, 1.0, 0.0];
const JOINTS: &[Joint] = &[
    ("root", "", [0.0, 0.0, 0.0], UP),
    ("hips", "root", [0.0, 0.34, 0.0], UP),
    ("head", "hips", [0.0, 0.52, 0.12], UP),
    ("ear.L", "head", [0.09, 0.74, 0.12], UP),
    ("wing.L", "hips", [0.14, 0.46, -0.02], [1.0, 0.2, 0.0]),
    ("wing_tip.L", "wing.L", [0.62, 0.46, -0.04], [1.0, 0.2, 0.0]),
];

/// The bat with its clips.
pub fn model() -> Model {
    let rig = Rig::new(JOINTS);
    let clips: Vec<Clip> = [idle(), fly(), fall(), attack(), hurt(), die()].map(|script| script.clip(&rig)).to_vec();
    let mut model = super::model("bat", &rig, &parts(&rig), clips, (material(), texture()));
    model.combat_mut().hurt =
        vec![sphere("body", "hips", [0.0, 0.04, 0.0], 0.24), sphere("head", "head", [0.0, 0.08, 0.02], 0.22)];
    let strike =
        Strike { damage: 12, angle: 30.0, knockback: 3.4, growth: 0.0, stop: 6, stun: 18, ..Strike::default() };
    let bite = sphere("bite", "head", [0.0, 0.04, 0.16], 0.26);
    let hit = Hit { range: Range::of_ticks(26, 40), volumes: vec![bite], strike, ..Hit::default() };
    set_lanes(&mut model, "attack", Lanes { hits: vec![hit], ..Lanes::default() });
    model.machine.graph = Some(graph(&model));
    model
}

/// The usual machine, but its wings beat by time, not by the distance that it flies.
fn graph(model: &Model) -> Graph {
    let usual = default_graph(model);
    let mut parts = usual.def.parts().clone();
    parts.states.iter_mut().for_each(|state| state.pace = Pace::default());
    let def = MachineDef::new(parts).unwrap_or_else(|error| panic!("the bat's machine: {error}"));
    Graph { def: def.into(), places: usual.places }
}

/// Wings raised by degrees, the tips after them; the body bobs against the wings.
fn beat(wing: f64, tip: f64, up: f64, pitch: f64) -> Pose {
    Pose::default()
        .hips(0.0, up, 0.0)
        .turn("hips", [pitch, 0.0, 0.0])
        .turn("head", [-pitch, 0.0, 0.0])
        .turn("wing.L", [0.0, 0.0, wing])
        .turn("wing.R", [0.0, 0.0, -wing])
        .turn("wing_tip.L", [0.0, 0.0, tip])
        .turn("wing_tip.R", [0.0, 0.0, -tip])
}

fn ears(pose: Pose, back: f64) -> Pose {
    pose.turn("ear.L", [-back, 0.0, 0.0]).turn("ear.R", [-back, 0.0, 0.0])
}

fn idle() -> Script {
    Script::looping("idle")
        .pose(3, ears(beat(42.0, -14.0, -0.03, 8.0), 0.0))
        .pose(3, ears(beat(4.0, 26.0, 0.0, 8.0), 4.0))
        .pose(3, ears(beat(-38.0, 18.0, 0.05, 8.0), 8.0))
        .pose(3, ears(beat(2.0, -34.0, 0.02, 8.0), 3.0))
}

fn fly() -> Script {
    Script::looping("walk")
        .pose(2, ears(beat(50.0, -10.0, -0.03, 26.0), 14.0))
        .pose(2, ears(beat(4.0, 34.0, 0.0, 26.0), 20.0))
        .pose(3, ears(beat(-46.0, 20.0, 0.05, 26.0), 22.0))
        .pose(2, ears(beat(2.0, -40.0, 0.02, 26.0), 16.0))
}

fn fall() -> Script {
    let limp = |roll: f64| beat(60.0, 34.0, 0.0, -20.0).turn("hips", [-20.0, 0.0, roll]);
    Script::looping("fall").pose(5, limp(18.0)).pose(5, limp(-18.0))
}

/// The attack: the bat rears up for all to see, holds, and shoots forwards with folded wings.
fn attack() -> Script {
    let rear = |more: f64| {
        ears(beat(58.0 * more, 30.0 * more, 0.10 * more, -44.0 * more).turn("head", [18.0 * more, 0.0, 0.0]), -10.0)
    };
    let dart = |fold: f64| {
        ears(beat(-18.0 * fold, -58.0 * fold, -0.02, 62.0 * fold), 40.0).turn("head", [-66.0 * fold, 0.0, 0.0])
    };
    Script::once("attack")
        .pose(2, ears(beat(10.0, 10.0, 0.0, 8.0), 0.0).way(0.0))
        .pose(4, rear(0.8).way(-0.10))
        .pose(3, rear(1.0).way(-0.20))
        .pose(3, rear(1.08).way(-0.24))
        .pose(2, dart(0.9).way(0.55))
        .pose(3, dart(1.0).way(1.75))
        .pose(3, dart(0.8).way(2.45))
        .pose(4, beat(52.0, 20.0, 0.03, -24.0).way(2.75))
        .pose(3, beat(-30.0, 10.0, 0.05, 4.0).way(2.80))
        .pose(0, beat(10.0, 10.0, 0.0, 8.0).way(2.80))
        .event(12, "sound swing")
}

fn hurt() -> Script {
    let back = |most: f64| ears(beat(30.0 * most, 40.0 * most, 0.0, -40.0 * most), 30.0 * most);
    Script::once("hurt").pose(1, back(0.7)).pose(3, back(1.0)).pose(4, back(0.6)).pose(3, back(0.2)).pose(0, back(0.0))
}

fn die() -> Script {
    let down = |at: f64| {
        ears(beat(34.0 * at, -64.0 * at, -0.17 * at, -96.0 * at).turn("head", [20.0 * at, 30.0 * at, 0.0]), 20.0 * at)
    };
    Script::once("die").pose(3, down(0.5)).pose(3, down(1.0)).pose(3, down(0.93)).pose(9, down(1.0)).pose(0, down(1.0))
}

fn at(x: f64, y: f64, z: f64, shape: Shape) -> Shape {
    shape.placed(&Frame::at(x, y, z))
}

fn parts(rig: &Rig) -> Vec<Part> {
    let head = Bind::To("head");
    let mut parts = vec![
        rig.part(at(0.0, 0.38, -0.01, ball(DVec3::new(0.19, 0.22, 0.18), 12, 8)), RAG, &Bind::To("hips")),
        rig.part(at(0.0, 0.58, 0.12, ball(DVec3::new(0.19, 0.17, 0.17), 12, 8)), RAG, &head),
        rig.part(at(0.0, 0.53, 0.27, ball(DVec3::new(0.08, 0.055, 0.05), 10, 6)), MOUTH, &head),
    ];
    let left = [
        rig.part(at(0.085, 0.62, 0.25, ball(DVec3::new(0.05, 0.055, 0.035), 10, 6)), EYE, &head),
        rig.part(at(0.085, 0.615, 0.28, ball(DVec3::new(0.018, 0.030, 0.014), 8, 5)), BLACK, &head),
        rig.part(
            loft(&[circle(0.0, 0.018), circle(0.07, 0.002)], 6, [End::Open, End::Cap(0.0)])
                .placed(&Frame::at(0.04, 0.515, 0.30).turned(turn(DVec3::X, 180.0))),
            BONE,
            &head,
        ),
        rig.part(
            loft(&[circle(0.0, 0.085), circle(0.12, 0.07), circle(0.28, 0.004)], 8, [End::Open, End::Cap(0.0)])
                .placed(&Frame::at(0.09, 0.68, 0.11).turned(turn(DVec3::Z, -16.0))),
            RAG,
            &Bind::To("ear.L"),
        ),
        rig.part(wing(), MOUTH, &Bind::Chain(&["wing.L", "wing_tip.L"], 0.10)),
    ];
    let right: Vec<_> = left.iter().map(|part| part.mirrored(&rig.other_side)).collect();
    parts.extend(left.into_iter().chain(right));
    parts
}

/// A sheet from the shoulder to the tip; its rear edge hangs in three bows between the fingers.
fn wing() -> Shape {
    let sheet = Shape::grid(18, 4, Around::Open, |u, v| {
        let along = 0.10 + 1.05 * u;
        let front = 0.10 + 0.16 * (1.0 - (2.0 * u - 0.9).powi(2)).max(0.0) - 0.10 * u;
        let bow = (u * 3.0).fract() * 2.0 - 1.0;
        let rear = -0.40 * (1.0 - u * 0.85) - 0.05 + 0.10 * (1.0 - bow * bow);
        DVec3::new(along, 0.46 + 0.02 * (1.0 - v), front + (rear - front) * v)
    });
    thick(sheet, 0.02)
}
