//! Cloth: the pleated red skirt of the tunic, the long panels before and behind, and the steel tassets over it.

use glam::DVec3;

use crate::geometry::loft::{Section, section, section_at, sheet};
use crate::geometry::part::Part;
use crate::geometry::shape::{Around, Frame, Shape};
use crate::knight::palette::{GOLD, RED, RED_DARK, RED_LIGHT, STEEL, STEEL_LIGHT};
use crate::maths::{mix, smoothstep, turn};
use crate::rig::{Bind, Rig};

/// How many points lie around the hem; every other one is a fold.
const FOLDS: usize = 20;
/// Where the hem hangs.
const HEM: f64 = 0.655;

/// The skirt and both panels.
pub fn parts(rig: &Rig) -> Vec<Part> {
    vec![skirt(rig), panel(rig, 1.0), panel(rig, -1.0), lozenge(rig)]
}

/// The cloth before the left thigh.
pub fn left(rig: &Rig) -> Vec<Part> {
    let sections = [
        section(0.900, 0.190, 0.160, 0.165),
        section(0.900, 0.203, 0.172, 0.165),
        section(0.830, 0.222, 0.191, 0.165),
        section(0.757, 0.233, 0.205, 0.165),
        section(0.735, 0.226, 0.200, 0.165),
        section(0.735, 0.214, 0.188, 0.165),
    ];
    let bind = Bind::By(&|at: DVec3| {
        let part = 0.75 * smoothstep(0.93, 0.76, at.y);
        vec![("hips", 1.0 - part), ("thigh.L", part)]
    });
    let shape = sheet(&sections, [18.0, 70.0], 4);
    vec![rig.part(shape, STEEL, &bind).painted(STEEL_LIGHT, |at| at.y < 0.757)]
}

fn outline() -> [Section; 6] {
    [
        section(1.020, 0.150, 0.109, 0.109),
        section(0.960, 0.164, 0.124, 0.128),
        section(0.900, 0.182, 0.143, 0.148),
        section(0.800, 0.207, 0.168, 0.178),
        section(0.710, 0.226, 0.188, 0.202),
        section(HEM, 0.236, 0.197, 0.212),
    ]
}

fn skirt(rig: &Rig) -> Part {
    let outline = outline();
    // The outside, then a lining from the hem half way up.
    let rows = [(0.0, 0.0), (0.45, 0.0), (0.925, 0.0), (1.0, 0.0), (1.0, -0.008), (0.45, -0.008)];
    let at = |u: f64, v: f64| {
        let (v, lining) = rows[(v * 5.0).round() as usize];
        let y = mix(0.985, HEM, v);
        let column = (u * FOLDS as f64).round() as i64;
        let fold = if column % 2 == 0 { 1.0 } else { -1.0 } * mix(0.001, 0.012, v);
        section_at(&outline, y).grown(fold + lining).point(u * 360.0)
    };
    let shape = Shape::grid(FOLDS, 5, Around::Closed, at);
    let bind = Bind::By(&|at: DVec3| {
        let part = 0.80 * smoothstep(0.95, 0.66, at.y);
        let left = smoothstep(-0.10, 0.10, at.x);
        vec![("hips", 1.0 - part), ("thigh.L", part * left), ("thigh.R", part * (1.0 - left))]
    });
    let part = rig.part(shape, RED, &bind);
    inside(part.painted(GOLD, |at| at.y < HEM + 0.02))
}

/// A strip from the belt nearly to the knee, before (1) or behind (−1), with a gold edge and a pointed end.
fn panel(rig: &Rig, to: f64) -> Part {
    let outline = outline();
    // The outside, then the lining behind it.
    let columns = [(0.0_f64, 0.0), (0.15, 0.0), (0.5, 0.0), (0.85, 0.0), (1.0, 0.0), (1.0, -0.008), (0.0, -0.008)];
    let at = |u: f64, v: f64| {
        let (u, lining) = columns[(u * 7.0).round() as usize];
        let v = [0.0, 0.2, 0.45, 0.68, 0.88, 1.0][(v * 5.0).round() as usize];
        let end = mix(0.55, 0.505, 1.0 - (2.0 * u - 1.0).abs());
        let y = mix(0.992, end, v);
        let half = mix(0.070, 0.098, v) * (2.0 * u - 1.0);
        let here = section_at(&outline, y);
        let depth = if to > 0.0 { here.front } else { here.back };
        let round = (1.0 - (half / here.side) * (half / here.side)).sqrt();
        let fall = 0.014 + 0.018 * smoothstep(1.0, 0.95, y) + 0.02 * smoothstep(0.70, 0.50, y);
        DVec3::new(half, y, to * (depth * round + fall + lining))
    };
    let mut shape = Shape::grid(7, 5, Around::Closed, at);
    if shape.face_normal(&shape.faces[1]).z * to < 0.0 {
        shape.faces.iter_mut().for_each(|face| face.reverse());
    }
    let edge = |at: DVec3| at.x.abs() > mix(0.098, 0.070, (at.y - 0.5) / 0.5) * 0.72 || at.y < 0.575;
    let weights = panel_weights(to);
    let part = rig.part(shape, RED_LIGHT, &Bind::By(&weights));
    inside(part.painted(GOLD, edge))
}

/// Fast to the hips at the belt, then the panel's upper bone, then its lower one.
fn panel_weights(to: f64) -> impl Fn(DVec3) -> Vec<(&'static str, f64)> {
    let front = to > 0.0;
    let upper = if front { "tabard_front" } else { "tabard_back" };
    let lower = if front { "tabard_front_tip" } else { "tabard_back_tip" };
    move |at: DVec3| {
        let (part, tip) = (smoothstep(1.00, 0.90, at.y), smoothstep(0.80, 0.68, at.y));
        vec![("hips", 1.0 - part), (upper, part * (1.0 - tip)), (lower, part * tip)]
    }
}

/// A gold lozenge on the front panel.
fn lozenge(rig: &Rig) -> Part {
    let frame = Frame::at(0.0, 0.790, 0.204).turned(turn(DVec3::X, -12.0));
    let around = |half: f64, depth: f64| {
        [[1.0, 0.0], [0.0, 1.6], [-1.0, 0.0], [0.0, -1.6]].map(|[x, y]| DVec3::new(x * half, y * half, depth))
    };
    let points = [around(0.034, 0.002), around(0.022, 0.009)].concat();
    let side = |low: usize, at: usize| vec![low + at, low + (at + 1) % 4, low + 4 + (at + 1) % 4, low + 4 + at];
    let mut faces: Vec<_> = (0..4).map(|at| side(0, at)).collect();
    faces.push(vec![4, 5, 6, 7]);
    let weights = panel_weights(1.0);
    rig.part(Shape { points, faces }.placed(&frame).outward(), GOLD, &Bind::By(&weights))
}

/// Paints the faces that look inwards as lining.
fn inside(mut part: Part) -> Part {
    for (face, swatch) in part.shape.faces.iter().zip(&mut part.swatches) {
        let middle = face.iter().map(|&at| part.shape.points[at]).sum::<DVec3>() / face.len() as f64;
        let normal = part.shape.face_normal(face);
        if normal.dot(DVec3::new(middle.x * 0.2, 0.0, middle.z)) < 0.0 {
            *swatch = RED_DARK;
        }
    }
    part
}
