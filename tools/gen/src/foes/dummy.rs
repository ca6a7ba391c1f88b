//! The training dummy: a sack of straw on a post that sways when it is hit.

use glam::DVec3;
use keypose::assets::model::Model;

use crate::clips::pose::Pose;
use crate::clips::script::Script;
use crate::geometry::loft::{End, ball, band, circle, loft, section, slab};
use crate::geometry::part::Part;
use crate::geometry::shape::{Frame, Shape};
use crate::knight::palette::{CLOTH, LEATHER, RED, ROPE, STEEL_DARK, STRAW, WOOD, material, texture};
use crate::maths::turn;
use crate::rig::{Bind, Joint, Rig};
use crate::volumes::{capsule, sphere};

const UP: [f64; 3] = [0.0, 1.0, 0.0];
const JOINTS: &[Joint] = &[
    ("root", "", [0.0, 0.0, 0.0], UP),
    ("hips", "root", [0.0, 0.35, 0.0], UP),
    ("chest", "hips", [0.0, 0.85, 0.0], UP),
    ("head", "chest", [0.0, 1.42, 0.0], UP),
];

/// The dummy with its clips.
pub fn model() -> Model {
    let rig = Rig::new(JOINTS);
    let clips = [idle(), hurt()].map(|script| script.clip(&rig)).to_vec();
    let mut model = super::model("dummy", &rig, &parts(&rig), clips, (material(), texture()));
    model.combat_mut().hurt = vec![
        sphere("head", "head", [0.0, 0.16, 0.0], 0.18),
        capsule("trunk", "chest", [0.0, -0.05, 0.0], [0.0, 0.38, 0.0], 0.26),
        capsule("post", "hips", [0.0, -0.2, 0.0], [0.0, 0.4, 0.0], 0.12),
    ];
    model
}

fn swayed(back: f64, head: f64) -> Pose {
    Pose::default()
        .turn("hips", [-0.6 * back, 0.0, 0.0])
        .turn("chest", [-back, 0.2 * back, 0.0])
        .turn("head", [-head, 0.0, 0.0])
}

fn idle() -> Script {
    Script::looping("idle").pose(40, swayed(0.0, 0.0)).pose(40, swayed(-1.2, -1.5))
}

fn hurt() -> Script {
    Script::once("hurt")
        .pose(1, swayed(8.0, -6.0))
        .pose(2, swayed(20.0, 6.0))
        .pose(3, swayed(12.0, 20.0))
        .pose(4, swayed(-9.0, -8.0))
        .pose(5, swayed(5.0, 5.0))
        .pose(5, swayed(-2.5, -2.5))
        .pose(0, swayed(0.0, 0.0))
}

fn parts(rig: &Rig) -> Vec<Part> {
    let body = [
        section(0.62, 0.13, 0.11, 0.11),
        section(0.72, 0.22, 0.18, 0.18),
        section(0.95, 0.27, 0.21, 0.21),
        section(1.18, 0.28, 0.21, 0.21),
        section(1.32, 0.20, 0.16, 0.16),
        section(1.38, 0.10, 0.09, 0.09),
    ];
    let (post, chest, head) = (Bind::To("hips"), Bind::To("chest"), Bind::To("head"));
    let trunk = Bind::Chain(&["hips", "chest"], 0.18);
    let at = |x: f64, y: f64, z: f64, shape: Shape| shape.placed(&Frame::at(x, y, z));
    let lying = Frame::at(0.0, 1.22, 0.0).turned(turn(DVec3::Z, 90.0));
    let bar = loft(&[circle(-0.62, 0.045), circle(0.62, 0.045)], 8, [End::Cap(0.0), End::Cap(0.0)]).placed(&lying);
    let straw = |side: f64| at(0.58 * side, 1.22, 0.0, ball(DVec3::new(0.10, 0.12, 0.11), 8, 5));
    let target = |radius: f64| {
        let front = Frame::at(0.0, 1.06, 0.19 + 0.02 * (1.0 - radius * 4.0)).turned(turn(DVec3::X, 90.0));
        loft(&[circle(0.0, radius), circle(0.03, radius * 0.96)], 14, [End::Cap(0.0), End::Cap(0.0)]).placed(&front)
    };
    vec![
        rig.part(at(0.0, 0.05, 0.0, slab(DVec3::new(0.42, 0.05, 0.07))), WOOD, &Bind::To("root")),
        rig.part(at(0.0, 0.05, 0.0, slab(DVec3::new(0.07, 0.045, 0.42))), WOOD, &Bind::To("root")),
        rig.part(loft(&[circle(0.05, 0.075), circle(0.70, 0.065)], 8, [End::Cap(0.0), End::Open]), WOOD, &post),
        rig.part(loft(&body, 12, [End::Cap(0.03), End::Cap(0.02)]), STRAW, &trunk).soft(0.6),
        rig.part(band(&body, [0.76, 0.82], 0.012, 12), ROPE, &trunk),
        rig.part(band(&body, [1.26, 1.31], 0.012, 12), ROPE, &trunk),
        rig.part(bar, WOOD, &chest),
        rig.part(straw(1.0), STRAW, &chest),
        rig.part(straw(-1.0), STRAW, &chest),
        rig.part(target(0.16), CLOTH, &chest),
        rig.part(target(0.105), RED, &chest),
        rig.part(target(0.05), CLOTH, &chest),
        rig.part(at(0.0, 1.58, 0.0, ball(DVec3::new(0.155, 0.19, 0.16), 12, 8)), CLOTH, &head),
        rig.part(band(&[circle(1.38, 0.10), circle(1.46, 0.10)], [1.40, 1.45], 0.02, 10), LEATHER, &head),
        rig.part(
            loft(
                &[circle(1.62, 0.19), circle(1.64, 0.27), circle(1.66, 0.20), circle(1.78, 0.13), circle(1.82, 0.05)],
                12,
                [End::Open, End::Cap(0.0)],
            ),
            STEEL_DARK,
            &head,
        ),
    ]
}
