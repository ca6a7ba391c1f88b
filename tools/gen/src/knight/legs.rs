//! The left leg: hose of mail, cuisse, poleyn, greave and the pointed sabaton.

use glam::{DMat3, DQuat, DVec3};

use crate::geometry::loft::{End, Section, ball, cord, lames, loft, section, sheet};
use crate::geometry::part::Part;
use crate::geometry::shape::{Frame, Shape};
use crate::knight::palette::{GOLD, LEATHER, MAIL, STEEL, STEEL_DARK, STEEL_LIGHT};
use crate::maths::smoothstep;
use crate::rig::{Bind, Rig};

const LEG: Bind<'_> = Bind::Chain(&["hips", "thigh.L", "shin.L", "foot.L"], 0.07);

/// The parts of the left leg.
pub fn left(rig: &Rig) -> Vec<Part> {
    let mut parts = vec![rig.part(hose(), MAIL, &LEG), cuisse(rig)];
    parts.extend(poleyn(rig));
    parts.extend(greave(rig));
    parts.extend(sabaton(rig));
    parts
}

fn hose() -> Shape {
    let sections = [
        section(0.880, 0.078, 0.086, 0.094).at(0.094, 0.0),
        section(0.780, 0.081, 0.084, 0.090).at(0.104, 0.0),
        section(0.620, 0.068, 0.070, 0.072).at(0.110, 0.006),
        section(0.510, 0.057, 0.061, 0.055).at(0.112, 0.012),
        section(0.440, 0.055, 0.056, 0.055).at(0.112, 0.008),
        section(0.390, 0.054, 0.053, 0.060).at(0.113, 0.003),
    ];
    loft(&sections, 8, [End::Open, End::Open])
}

fn cuisse(rig: &Rig) -> Part {
    let sections = [
        section(0.800, 0.088, 0.094, 0.094).at(0.105, 0.002),
        section(0.720, 0.087, 0.093, 0.090).at(0.107, 0.003),
        section(0.640, 0.079, 0.084, 0.080).at(0.109, 0.006),
        section(0.590, 0.075, 0.080, 0.075).at(0.110, 0.009),
        section(0.582, 0.062, 0.068, 0.060).at(0.111, 0.010),
    ];
    rig.part(loft(&sections, 10, [End::Open, End::Open]), STEEL, &Bind::Chain(&["hips", "thigh.L"], 0.06))
}

/// The knee: a cup with a ridge, a fan at the outer side, a lame above and one below.
fn poleyn(rig: &Rig) -> Vec<Part> {
    let knee = Frame::at(0.112, 0.485, 0.012);
    let cup = ball(DVec3::new(0.077, 0.080, 0.086), 10, 5).map(|at| {
        let ridge = 0.014 * smoothstep(0.02, 0.07, at.z) * smoothstep(0.05, 0.0, at.x.abs());
        DVec3::new(at.x, at.y, (at.z + ridge).max(-0.035 + at.z * 0.3))
    });
    let fan = ball(DVec3::new(0.015, 0.060, 0.062), 8, 3).placed(&knee.moved(0.073, 0.0, -0.004));
    let lame = |y: [f64; 3], grow: f64| {
        let ring = |y: f64, grow: f64| section(y, 0.077 + grow, 0.083 + grow, 0.05).at(0.112, 0.010);
        // Its edges are turned in.
        let rings = [ring(y[0], -0.012), ring(y[0], 0.0), ring(y[1], grow), ring(y[2], -0.004)];
        sheet(&rings, [-10.0, 190.0], 7)
    };
    vec![
        rig.part(cup.placed(&knee), STEEL_LIGHT, &Bind::To("shin.L")),
        rig.part(fan, STEEL, &Bind::To("shin.L")).round(),
        rig.part(lame([0.606, 0.575, 0.530], 0.003), STEEL_DARK, &Bind::To("thigh.L")).round(),
        rig.part(lame([0.446, 0.415, 0.388], -0.004), STEEL_DARK, &Bind::To("shin.L")).round(),
    ]
}

fn greave_sections() -> [Section; 6] {
    [
        section(0.425, 0.060, 0.062, 0.060).at(0.113, 0.006).keel(0.004),
        section(0.350, 0.062, 0.061, 0.073).at(0.113, 0.000).keel(0.008),
        section(0.290, 0.060, 0.057, 0.072).at(0.114, -0.004).keel(0.008),
        section(0.165, 0.046, 0.047, 0.050).at(0.116, -0.013).keel(0.004),
        section(0.118, 0.049, 0.052, 0.053).at(0.117, -0.014),
        section(0.105, 0.053, 0.056, 0.057).at(0.117, -0.014),
    ]
}

fn greave(rig: &Rig) -> Vec<Part> {
    let bind = Bind::To("shin.L");
    let shell = loft(&greave_sections(), 10, [End::Open, End::Open]);
    let rising: Vec<_> = greave_sections().into_iter().rev().collect();
    let strap = cord(&rising, [0.198, 0.224], 0.006, 10);
    let rim = cord(&rising, [0.402, 0.422], 0.006, 10);
    vec![rig.part(shell, STEEL, &bind), rig.part(strap, LEATHER, &bind).round(), rig.part(rim, GOLD, &bind).round()]
}

/// Overlapping plates from the heel to a point, flat below.
fn sabaton(rig: &Rig) -> Vec<Part> {
    // Built upright: y is forwards, z is up.
    let frame = Frame { origin: DVec3::new(0.118, 0.034, 0.0), rotation: forwards() };
    let ring = |z: f64, wide: f64, top: f64, x: f64| section(z, wide, top - 0.034, 0.034).square(0.55).at(-x, 0.0);
    let heel = [
        ring(-0.080, 0.030, 0.072, 0.0),
        ring(-0.058, 0.045, 0.112, 0.0),
        ring(0.000, 0.051, 0.132, 0.001),
        ring(0.040, 0.054, 0.108, 0.003),
        ring(0.080, 0.058, 0.086, 0.005),
        ring(0.118, 0.058, 0.074, 0.007),
        ring(0.158, 0.051, 0.062, 0.008),
        ring(0.200, 0.034, 0.050, 0.006),
        ring(0.240, 0.006, 0.038, 0.003),
    ];
    let plates = lames(&heel[3..], &[0.080, 0.118, 0.158], -0.006);
    let mut sections = heel[..3].to_vec();
    // Without the lip of the last plate, which ends in a point.
    sections.extend(&plates[..plates.len() - 1]);
    let shape = loft(&sections, 7, [End::Cap(0.006), End::Cap(0.004)]).placed(&frame);
    let shape = shape.map(|at| DVec3::new(at.x, at.y.max(0.0), at.z));
    let bind = Bind::Chain(&["foot.L", "toe.L"], 0.025);
    vec![rig.part(shape, STEEL, &bind)]
}

/// The y axis forwards, the z axis up.
fn forwards() -> DQuat {
    DQuat::from_mat3(&DMat3::from_cols(-DVec3::X, DVec3::Z, DVec3::Y))
}
