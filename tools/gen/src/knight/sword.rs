//! The sword: a prop of its own, the grip at the origin, the blade along +y, flat towards ±x.

use std::sync::Arc;

use glam::DVec3;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::mesh::Binding;
use keypose::assets::model::{MeshSlot, Model, Visibility};

use crate::geometry::finish::mesh;
use crate::geometry::loft::{End, ball, band, circle, loft, section, tube};
use crate::geometry::part::Part;
use crate::geometry::shape::{Around, Frame, Shape};
use crate::knight::palette::{BLADE, BLADE_DARK, GOLD, LEATHER, RED, material, texture};
use crate::maths::{mix, turn};

/// From the guard to the point.
const BLADE_LENGTH: f64 = 0.78;
/// Where the blade leaves the guard.
const GUARD: f64 = 0.068;

/// The sword.
pub fn model() -> Model {
    let mesh = mesh("sword", &parts(), Binding::Bone(0));
    let bone = Bone { name: "sword".into(), parent: None, rest: Transform::IDENTITY };
    Model {
        name: "sword".into(),
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap_or_default()),
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(material())],
        textures: vec![Arc::new(texture())],
        ..Model::default()
    }
}

fn parts() -> Vec<Part> {
    let grip = [
        circle(-0.082, 0.0125),
        section(-0.040, 0.0135, 0.017, 0.017),
        section(0.000, 0.0135, 0.018, 0.018),
        section(0.056, 0.0125, 0.015, 0.015),
    ];
    let wraps = [-0.06, -0.03, 0.0, 0.03].map(|y| Part::new(band(&grip, [y, y + 0.008], 0.003, 8), RED));
    let pommel = Frame::at(0.0, -0.104, 0.0).turned(turn(DVec3::Z, 90.0));
    let pommel = ball(DVec3::new(0.028, 0.016, 0.028), 12, 6).placed(&pommel);
    let mut parts = vec![
        Part::new(blade(), BLADE).soft(0.97).painted(BLADE_DARK, |at| at.z.abs() < 0.009 && at.y < 0.60),
        Part::new(loft(&grip, 8, [End::Cap(0.0), End::Cap(0.0)]), LEATHER),
        Part::new(pommel, GOLD),
        Part::new(guard(), GOLD),
    ];
    parts.extend(wraps);
    parts
}

/// Eight points around: two edges, and on each flat a bevel on either side of the fuller.
fn blade() -> Shape {
    let rows = [(0.0, 1.0), (0.02, 1.0), (0.45, 0.90), (0.68, 0.84), (0.88, 0.70), (0.955, 0.42), (1.0, 0.02)];
    let around = [
        [0.0, 1.0],
        [0.85, 0.40],
        [0.45, 0.12],
        [0.45, -0.12],
        [0.85, -0.40],
        [0.0, -1.0],
        [-0.85, -0.40],
        [-0.45, -0.12],
        [-0.45, 0.12],
        [-0.85, 0.40],
    ];
    let at = |u: f64, v: f64| {
        let (along, width): (f64, f64) = rows[(v * 6.0).round() as usize];
        let [x, z]: [f64; 2] = around[(u * 10.0).round() as usize % 10];
        // The fuller runs out before the point.
        let hollow = if x.abs() < 0.5 && along > 0.6 { 0.85 / 0.45 } else { 1.0 };
        let thick = 0.0085 * mix(1.0, 0.75, along) * width.sqrt();
        DVec3::new(x * hollow * thick, GUARD + along * BLADE_LENGTH, z * 0.031 * width)
    };
    let mut shape = Shape::grid(10, 6, Around::Closed, at);
    shape.cap(60, 10, DVec3::Y * 0.004);
    shape.outward()
}

/// A cross-guard that bends towards the blade.
fn guard() -> Shape {
    let half = |side: f64| {
        let nodes = [
            (DVec3::new(0.0, GUARD - 0.004, 0.0), 0.016, 0.014),
            (DVec3::new(0.0, GUARD - 0.002, side * 0.045), 0.013, 0.011),
            (DVec3::new(0.0, GUARD + 0.006, side * 0.088), 0.012, 0.009),
            (DVec3::new(0.0, GUARD + 0.020, side * 0.112), 0.014, 0.012),
        ];
        tube(&nodes, DVec3::X, 8, 0.006)
    };
    half(1.0).and(half(-1.0))
}
