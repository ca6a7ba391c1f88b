//! The red plume: a crest over the helmet, made of overlapping feathers, and its gold holder.

use glam::DVec3;

use crate::geometry::loft::{Node, block, tube};
use crate::geometry::part::Part;
use crate::geometry::shape::Frame;
use crate::knight::head::worn;
use crate::knight::palette::{GOLD, RED, RED_DARK, RED_LIGHT};
use crate::maths::turn;
use crate::rig::{Bind, Rig};

const BIND: Bind<'_> = Bind::Chain(&["head", "plume", "plume_tip"], 0.07);

/// The feathers of the plume.
pub fn parts(rig: &Rig) -> Vec<Part> {
    let crest = rig.part(feather(&CREST, 0.0, 1.0), RED, &BIND).round();
    let sides = [1.0, -1.0].map(|side| rig.part(feather(&OUTER, side, 1.0), RED_LIGHT, &BIND).round());
    let low = [1.0, -1.0].map(|side| rig.part(feather(&LOWER, side, 1.0), RED_DARK, &BIND).round());
    let frame = Frame::at(0.0, 1.800, 0.035).turned(turn(DVec3::X, -12.0));
    let holder = rig.part(block(DVec3::new(0.018, 0.022, 0.034), 0.008).placed(&frame), GOLD, &Bind::To("head"));
    [crest].into_iter().chain(sides).chain(low).chain([holder]).map(worn).collect()
}

/// Sideways, up, forwards; half width, half height.
type Quill = [f64; 5];

const CREST: [Quill; 9] = [
    [0.0, 1.792, 0.062, 0.010, 0.010],
    [0.0, 1.836, 0.060, 0.022, 0.026],
    [0.0, 1.872, 0.024, 0.030, 0.044],
    [0.0, 1.884, -0.034, 0.034, 0.056],
    [0.0, 1.868, -0.104, 0.036, 0.062],
    [0.0, 1.822, -0.174, 0.034, 0.060],
    [0.0, 1.750, -0.226, 0.030, 0.050],
    [0.0, 1.672, -0.252, 0.020, 0.034],
    [0.0, 1.602, -0.258, 0.006, 0.008],
];

const OUTER: [Quill; 7] = [
    [0.014, 1.812, 0.045, 0.008, 0.010],
    [0.024, 1.846, 0.010, 0.016, 0.030],
    [0.030, 1.850, -0.060, 0.020, 0.042],
    [0.034, 1.820, -0.130, 0.020, 0.044],
    [0.034, 1.764, -0.186, 0.018, 0.036],
    [0.030, 1.700, -0.218, 0.014, 0.024],
    [0.024, 1.644, -0.226, 0.005, 0.006],
];

const LOWER: [Quill; 5] = [
    [0.010, 1.800, -0.040, 0.010, 0.012],
    [0.016, 1.800, -0.110, 0.018, 0.034],
    [0.018, 1.760, -0.176, 0.020, 0.038],
    [0.018, 1.690, -0.206, 0.016, 0.028],
    [0.014, 1.628, -0.214, 0.005, 0.006],
];

fn feather(quills: &[Quill], side: f64, scale: f64) -> crate::geometry::shape::Shape {
    let node = |&[x, y, z, wide, high]: &Quill| -> Node { (DVec3::new(side * x, y, z), wide * scale, high * scale) };
    let nodes: Vec<_> = quills.iter().map(node).collect();
    tube(&nodes, DVec3::X, 6, 0.008)
}
