//! Lines and triangles over the scene, and builders for shapes: polylines, rings and fans.

use std::f32::consts::TAU;

use glam::{Mat4, Vec3};

use crate::render::frame::color::Color;

/// Occlusion of a line or triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Hidden by the scene in front of it.
    #[default]
    Scene,
    /// Visible through the scene; hidden by nearer items of this layer. For bones.
    OnTop,
    /// Never hidden: drawn last, in the order of the list. For gizmos and labels.
    Above,
}

/// A straight, anti-aliased line whose width doesn't depend on distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The start in world space.
    pub from: Vec3,
    /// The end in world space.
    pub to: Vec3,
    /// Colour at `from`.
    pub from_color: Color,
    /// Colour at `to`.
    pub to_color: Color,
    /// Width in points of the display. The renderer multiplies it by the frame's pixels per point.
    pub width: f32,
    /// Decides what hides it.
    pub layer: Layer,
}

/// A flat triangle that is visible from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Corners in world space.
    pub corners: [Vec3; 3],
    /// Colour, drawn without light.
    pub color: Color,
    /// Decides what hides it.
    pub layer: Layer,
}

/// The style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub color: Color,
    /// Width in points of the display.
    pub width: f32,
    /// Decides what hides it.
    pub layer: Layer,
}

impl Stroke {
    /// A line in the scene.
    pub fn new(color: Color, width: f32) -> Stroke {
        Stroke { color, width, layer: Layer::Scene }
    }
}

/// Lines and triangles. In each layer, triangles are drawn before lines; both in the order of their lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// Lines in world space.
    pub lines: Vec<Line>,
    /// Triangles in world space.
    pub triangles: Vec<Triangle>,
}

impl Overlay {
    /// Segments of a full circle: smooth up to a few hundred pixels.
    pub const RING_SEGMENTS: usize = 48;

    /// Adds a straight line.
    pub fn line(&mut self, from: Vec3, to: Vec3, stroke: Stroke) {
        let Stroke { color, width, layer } = stroke;
        self.lines.push(Line { from, to, from_color: color, to_color: color, width, layer });
    }

    /// Adds lines through all points in order.
    pub fn polyline(&mut self, points: &[Vec3], stroke: Stroke) {
        points.windows(2).for_each(|pair| self.line(pair[0], pair[1], stroke));
    }

    /// Adds a circle around `center`; `across` and `along` are two of its radii, at right angles.
    pub fn ring(&mut self, center: Vec3, across: Vec3, along: Vec3, stroke: Stroke) {
        self.polyline(&circle(center, across, along, Self::RING_SEGMENTS), stroke);
    }

    /// Adds the directions of the axes of a space at a point, in their colours; `length` is in world units.
    pub fn axes(&mut self, origin: Vec3, world_from_local: &Mat4, length: f32, layer: Layer) {
        for (axis, color) in Vec3::AXES.into_iter().zip(Color::AXES) {
            let along = world_from_local.transform_vector3(axis).normalize_or_zero() * length;
            self.line(origin, origin + along, Stroke { color, width: 2.0, layer });
        }
    }

    /// Adds the triangles between a point and the lines of a rim.
    pub fn fan(&mut self, center: Vec3, rim: &[Vec3], color: Color, layer: Layer) {
        let slices = rim.windows(2).map(|pair| [center, pair[0], pair[1]]);
        self.triangles.extend(slices.map(|corners| Triangle { corners, color, layer }));
    }
}

/// The points of a circle; the last is the first. `across` and `along` are two of its radii, at right angles.
pub fn circle(center: Vec3, across: Vec3, along: Vec3, segments: usize) -> Vec<Vec3> {
    let points = (0..=segments).map(|step| {
        let (sin, cos) = (step as f32 / segments as f32 * TAU).sin_cos();
        center + across * cos + along * sin
    });
    points.collect()
}
