//! The gizmo as plain data: handles in pixels that are drawn and hit. It follows the tool, the orientation and the
//! selection.

mod frame;
mod guides;
mod handles;

use glam::Vec2;

use crate::editor::gesture::Gesture;
use crate::editor::gesture::gizmo::frame::Frame;
use crate::editor::gesture::pick::distance_to_segment;
use crate::editor::session::Session;
use crate::editor::session::pointer::Axis;
use crate::editor::session::tool::{Handle, Tool, TransformKind};
use crate::editor::view::View;
use crate::render::frame::color::Color;

/// The gizmo's radius in points of the display.
pub const RADIUS_POINTS: f32 = 84.0;
/// The distance in points within which a handle is hit.
const HIT_POINTS: f32 = 9.0;
/// The opacity of the far half of a ring.
const FAR_OPACITY: f32 = 0.22;
/// The colour of handles and guides without an axis.
const NEUTRAL: Color = Color::hex(0xd9dce3);

/// The form of a shape, in pixels of the viewport.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A line through all points.
    Line {
        /// At least two.
        points: Vec<Vec2>,
        /// In pixels.
        width: f32,
    },
    /// A filled convex area.
    Area {
        /// At least three, in order around it.
        points: Vec<Vec2>,
    },
}

/// A piece of the gizmo.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The handle that it belongs to; `None` for guides, which can't be dragged.
    pub handle: Option<Handle>,
    pub form: Form,
    /// The far half of a ring has a lower opacity.
    pub color: Color,
}

impl Shape {
    fn line(handle: Option<Handle>, points: Vec<Vec2>, width: f32, color: Color) -> Option<Shape> {
        (points.len() > 1).then_some(Shape { handle, form: Form::Line { points, width }, color })
    }

    fn area(handle: Handle, points: Vec<Vec2>, color: Color) -> Shape {
        Shape { handle: Some(handle), form: Form::Area { points }, color }
    }

    fn highlight(&mut self) {
        self.color = Color::WHITE.mix(self.color, 0.25).with_alpha(self.color.a.max(0.6));
        if let Form::Line { width, .. } = &mut self.form {
            *width += 1.5;
        }
    }

    /// The distance from a pixel: 0 inside an area.
    fn distance(&self, pixel: Vec2) -> f32 {
        let edge = |points: &[Vec2]| {
            points.windows(2).map(|pair| distance_to_segment(pixel, pair[0], pair[1])).fold(f32::INFINITY, f32::min)
        };
        match &self.form {
            Form::Line { points, .. } => edge(points),
            Form::Area { points } if is_inside(points, pixel) => 0.0,
            Form::Area { points } => edge(points),
        }
    }
}

/// Whether a convex area contains a pixel.
fn is_inside(points: &[Vec2], pixel: Vec2) -> bool {
    let next = points.iter().cycle().skip(1);
    let sides = points.iter().zip(next).map(|(from, to)| (*to - *from).perp_dot(pixel - *from));
    let (mut is_left, mut is_right) = (true, true);
    sides.for_each(|side| (is_left, is_right) = (is_left && side >= 0.0, is_right && side <= 0.0));
    is_left || is_right
}

/// The shapes to draw, back to front: the guides of an open transform, otherwise the handles of the tool.
pub fn shapes(gesture: Option<&Gesture>, session: &Session, view: &View) -> Vec<Shape> {
    if let Some(drag) = gesture.and_then(Gesture::transform) {
        return guides::shapes(drag, session);
    }
    // Handles would hide a path that is drawn.
    if gesture.is_some_and(|gesture| gesture.path().is_some()) { Vec::new() } else { handle_shapes(session, view) }
}

/// The handle under a pixel: an area that contains it, otherwise the nearest line.
pub fn hit(session: &Session, view: &View, pixel: Vec2) -> Option<Handle> {
    let reach = HIT_POINTS * session.workspace.pixels_per_point;
    let mut nearest: Option<(f32, Handle)> = None;
    for shape in handle_shapes(session, view).iter().filter(|shape| shape.color.a > FAR_OPACITY) {
        let Some(handle) = shape.handle else { continue };
        let distance = shape.distance(pixel);
        if distance <= reach && nearest.is_none_or(|(before, _)| distance < before) {
            nearest = Some((distance, handle));
        }
    }
    nearest.map(|(_, handle)| handle)
}

/// The handles of the tool, the one under the mouse highlighted.
fn handle_shapes(session: &Session, view: &View) -> Vec<Shape> {
    let Some(frame) = Frame::of(session, view) else { return Vec::new() };
    let mut shapes = tool_shapes(session, view, &frame);
    let hot = session.transient.pointer.hot;
    shapes.iter_mut().filter(|shape| hot.is_some() && shape.handle == hot).for_each(Shape::highlight);
    shapes
}

fn tool_shapes(session: &Session, view: &View, frame: &Frame) -> Vec<Shape> {
    match session.workspace.tool {
        Tool::Select => Vec::new(),
        Tool::Move => handles::movement(frame, TransformKind::Move),
        Tool::Rotate => handles::rotation(frame),
        Tool::Scale => handles::scale(frame),
        Tool::Reach => {
            let mut shapes = handles::pole(session, view, frame);
            shapes.extend(handles::movement(frame, TransformKind::Reach));
            shapes
        }
    }
}

/// The colour of an axis: red, green, blue.
pub fn axis_color(axis: Axis) -> Color {
    Color::AXES[axis as usize]
}
