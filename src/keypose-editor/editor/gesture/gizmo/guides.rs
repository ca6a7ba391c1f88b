//! The guides of an open transform: the axes that it is limited to, and the line from the pivot to the mouse.

use glam::Vec2;

use crate::editor::gesture::gizmo::{NEUTRAL, Shape, axis_color};
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::transform::TransformDrag;
use crate::editor::session::Session;
use crate::editor::session::pointer::Axis;
use crate::editor::session::tool::{Constraint, TransformKind};

/// The guides to draw.
pub(super) fn shapes(drag: &TransformDrag, session: &Session) -> Vec<Shape> {
    let screen = Screen::of(session);
    let Some(pivot) = screen.pixel(drag.pivot) else { return Vec::new() };
    let axes = Axis::ALL.into_iter().filter(|&axis| is_allowed(drag.constraint, axis));
    let mut shapes: Vec<Shape> = axes.filter_map(|axis| axis_line(drag, &screen, axis, pivot)).collect();
    if matches!(drag.kind, TransformKind::Rotate | TransformKind::Scale) {
        shapes.extend(Shape::line(None, vec![pivot, session.transient.pointer.pixel], 1.0, NEUTRAL.with_alpha(0.6)));
    }
    shapes
}

/// Whether a constraint names an axis along which the bones can move.
fn is_allowed(constraint: Constraint, axis: Axis) -> bool {
    match constraint {
        Constraint::Free => false,
        Constraint::Axis(along) => axis == along,
        Constraint::Plane(across) => axis != across,
    }
}

fn axis_line(drag: &TransformDrag, screen: &Screen, axis: Axis, pivot: Vec2) -> Option<Shape> {
    let reach = screen.units_per_pixel(drag.pivot) * screen.size.max_element();
    let along = drag.axis(axis) * reach;
    // An end behind the eye has no pixel: a shorter line is drawn.
    let end =
        |sign: f32| [1.0, 0.5, 0.25, 0.1].iter().find_map(|part| screen.pixel(drag.pivot + along * (part * sign)));
    let points = [end(-1.0), Some(pivot), end(1.0)].into_iter().flatten().collect();
    Shape::line(None, points, 1.5, axis_color(axis).with_alpha(0.8))
}
