//! The handles of each tool.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use crate::editor::gesture::gizmo::frame::Frame;
use crate::editor::gesture::gizmo::{FAR_OPACITY, Form, NEUTRAL, Shape, axis_color};
use crate::editor::ops::limb::Limb;
use crate::editor::session::Session;
use crate::editor::session::pointer::Axis;
use crate::editor::session::tool::{Constraint, Handle, TransformKind};
use crate::editor::view::View;
use crate::render::frame::color::Color;

/// The number of straight pieces of a ring.
const SEGMENTS: usize = 72;
/// An axis points at the eye if its cosine with the line of sight is at least this.
const END_ON: f32 = 0.985;
/// The colour of a pole's handle.
const POLE: Color = Color::hex(0xc78bff);
/// Half the width of a pole's handle, in points of the display.
const POLE_POINTS: f32 = 8.0;
/// Half the width of an arrow head or a box, relative to its length.
const HEAD_WIDTH: f32 = 0.42;

/// An arrow per axis, a square per plane, and a disc for free movement.
pub(super) fn movement(frame: &Frame, kind: TransformKind) -> Vec<Shape> {
    let mut shapes = planes(frame, kind);
    for axis in frame.axes_by_depth() {
        let Some(Shaft { start, neck, tip }) = shaft(frame, axis) else { continue };
        let across = (tip - neck).perp() * HEAD_WIDTH;
        let head = vec![neck + across, tip, neck - across];
        shapes.extend(arm(frame, kind, axis, [start, neck], head));
    }
    shapes.extend(disc(frame, kind, 0.12));
    shapes
}

/// A box per axis, a square per plane, and a disc for all axes.
pub(super) fn scale(frame: &Frame) -> Vec<Shape> {
    let kind = TransformKind::Scale;
    let mut shapes = planes(frame, kind);
    for axis in frame.axes_by_depth() {
        let Some(Shaft { start, neck, tip }) = shaft(frame, axis) else { continue };
        let along = (tip - neck) * HEAD_WIDTH;
        let (middle, across) = ((neck + tip) / 2.0, along.perp());
        let corners = [along + across, across - along, -along - across, along - across];
        let head = corners.map(|corner| middle + corner).to_vec();
        shapes.extend(arm(frame, kind, axis, [start, neck], head));
    }
    shapes.extend(disc(frame, kind, 0.16));
    shapes
}

/// A ring per axis, and an outer one about the line of sight.
pub(super) fn rotation(frame: &Frame) -> Vec<Shape> {
    let (right, up) = frame.screen.camera.right_and_up();
    let outer = Handle { kind: TransformKind::Rotate, constraint: Constraint::Free };
    let points = circle(frame, right, up, 1.18).iter().filter_map(|point| frame.pixel(*point)).collect();
    let mut shapes: Vec<Shape> = Shape::line(Some(outer), points, 2.0, NEUTRAL).into_iter().collect();
    shapes.extend(Axis::ALL.into_iter().flat_map(|axis| ring(frame, axis)));
    // The near halves are drawn last, over everything.
    shapes.sort_by_key(|shape| shape.color.a > FAR_OPACITY);
    shapes
}

/// The line from the middle joint to the pole of the moved bone's limb, and the pole's handle.
pub(super) fn pole(session: &Session, view: &View, frame: &Frame) -> Vec<Shape> {
    let limb = view.model.as_deref().and_then(|model| {
        let limb = Limb::above(model, frame.bone, session.workspace.chain_joints)?;
        let middle = view.pose.get(limb.middle()?).translation();
        Some((frame.pixel(middle)?, frame.pixel(limb.pole(&model.skeleton, &view.local)?)?))
    });
    let Some((middle, pole)) = limb else { return Vec::new() };
    let radius = POLE_POINTS * session.workspace.pixels_per_point.max(0.5);
    let corners = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|side| pole + side * radius);
    let handle = Handle { kind: TransformKind::Pole, constraint: Constraint::Free };
    let line = Shape::line(None, vec![middle, pole], 1.5, POLE.with_alpha(0.55));
    line.into_iter().chain([Shape::area(handle, corners.to_vec(), POLE)]).collect()
}

/// The shaft and the head of an axis.
fn arm(frame: &Frame, kind: TransformKind, axis: Axis, shaft: [Vec2; 2], head: Vec<Vec2>) -> Vec<Shape> {
    let handle = Handle { kind, constraint: Constraint::Axis(axis) };
    let color = faded(frame, axis);
    let line = Shape::line(Some(handle), shaft.to_vec(), 3.0, color);
    line.into_iter().chain([Shape::area(handle, head, color)]).collect()
}

/// The lines of a ring: one per run of segments of the same opacity.
fn ring(frame: &Frame, axis: Axis) -> Vec<Shape> {
    let handle = Handle { kind: TransformKind::Rotate, constraint: Constraint::Axis(axis) };
    let normal = frame.axis(axis);
    let across = normal.any_orthonormal_vector();
    let is_flat = frame.towards_eye(axis).abs() > END_ON;
    let to_eye = frame.screen.to_eye(frame.origin);
    let mut shapes: Vec<Shape> = Vec::new();
    for pair in circle(frame, across, normal.cross(across), 1.0).windows(2) {
        let (Some(from), Some(to)) = (frame.pixel(pair[0]), frame.pixel(pair[1])) else { continue };
        let is_near = ((pair[0] + pair[1]) / 2.0 - frame.origin).dot(to_eye) > -frame.radius * 0.02;
        let color = axis_color(axis).with_alpha(if is_near || is_flat { 1.0 } else { FAR_OPACITY });
        match shapes.last_mut().filter(|shape| shape.color == color).map(|shape| &mut shape.form) {
            Some(Form::Line { points, .. }) if points.last() == Some(&from) => points.push(to),
            _ => shapes.extend(Shape::line(Some(handle), vec![from, to], 3.0, color)),
        }
    }
    shapes
}

/// A small square in each plane of two axes, unless the plane is seen edge-on.
fn planes(frame: &Frame, kind: TransformKind) -> Vec<Shape> {
    let square = |axis: Axis| {
        let [along, across] = match axis {
            Axis::X => [Axis::Y, Axis::Z],
            Axis::Y => [Axis::Z, Axis::X],
            Axis::Z => [Axis::X, Axis::Y],
        };
        let (along, across) = (frame.axis(along) * frame.radius, frame.axis(across) * frame.radius);
        let corners = [(0.30, 0.30), (0.52, 0.30), (0.52, 0.52), (0.30, 0.52)];
        let point = |(x, y): (f32, f32)| frame.pixel(frame.origin + along * x + across * y);
        let points: Vec<Vec2> = corners.into_iter().filter_map(point).collect();
        let handle = Handle { kind, constraint: Constraint::Plane(axis) };
        (points.len() == 4).then(|| Shape::area(handle, points, axis_color(axis).with_alpha(0.45)))
    };
    Axis::ALL.into_iter().filter(|&axis| frame.towards_eye(axis).abs() >= 0.2).filter_map(square).collect()
}

/// A small disc at the origin.
fn disc(frame: &Frame, kind: TransformKind, size: f32) -> Option<Shape> {
    let handle = Handle { kind, constraint: Constraint::Free };
    let (right, up) = frame.screen.camera.right_and_up();
    let circle = circle(frame, right, up, size);
    let points: Vec<Vec2> = circle.iter().step_by(6).filter_map(|point| frame.pixel(*point)).collect();
    (points.len() > 2).then(|| Shape::area(handle, points, NEUTRAL.with_alpha(0.85)))
}

/// An arrow on the screen.
struct Shaft {
    start: Vec2,
    neck: Vec2,
    tip: Vec2,
}

/// The arrow of an axis; `None` if it points at the eye.
fn shaft(frame: &Frame, axis: Axis) -> Option<Shaft> {
    let at = |part: f32| frame.pixel(frame.origin + frame.axis(axis) * (frame.radius * part));
    let shaft = Shaft { start: at(0.2)?, neck: at(0.84)?, tip: at(1.05)? };
    (frame.towards_eye(axis).abs() < END_ON).then_some(shaft)
}

/// The colour of an axis, more transparent the more it points at the eye.
fn faded(frame: &Frame, axis: Axis) -> Color {
    let towards = frame.towards_eye(axis).abs();
    axis_color(axis).with_alpha(1.0 - ((towards - 0.9) / 0.085).clamp(0.0, 0.7))
}

/// The points of a circle about the origin.
fn circle(frame: &Frame, across: Vec3, along: Vec3, size: f32) -> Vec<Vec3> {
    let radius = frame.radius * size;
    let point = |step: usize| {
        let (sin, cos) = (step as f32 / SEGMENTS as f32 * TAU).sin_cos();
        frame.origin + (across * cos + along * sin) * radius
    };
    (0..=SEGMENTS).map(point).collect()
}
