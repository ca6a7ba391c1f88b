//! The axis ball at the top right of the viewport, which shows the view direction. A click looks along an axis, a drag
//! orbits.

use glam::{Quat, Vec2, Vec3};

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::camera::Look;

/// From the centre to the letters, in points.
const REACH: f32 = 30.0;
/// Radius of an axis's end.
const KNOB: f32 = 9.5;

/// One end of an axis on the screen.
struct End {
    axis: usize,
    is_positive: bool,
    at: Vec2,
    /// Larger is closer to the camera.
    depth: f32,
}

/// Draws the ball. Returns whether the mouse is over it.
pub fn axis_ball(ui: &Ui<'_>, center: [f32; 2]) -> bool {
    let whole = Rect::around(center, [(REACH + KNOB) * 2.0; 2]);
    ui.button_in("axis-ball", whole);
    let (is_hovered, is_held) = (ui.is_item_hovered(), ui.is_item_active());
    let ends = ends(ui.session.focus.camera.rotation(), Vec2::from(center));
    let mouse = Vec2::from(ui.io().mouse_pos);
    let under = ends.iter().rev().find(|end| end.at.distance(mouse) <= KNOB + 2.0);
    let moved = ui.io().mouse_delta;
    if is_held && (moved[0] != 0.0 || moved[1] != 0.0) {
        ui.send(ViewAction::Orbit(Vec2::from(moved)));
    }
    let is_click = ui.is_item_deactivated() && Vec2::from(ui.mouse_drag_delta()).length() < 4.0;
    if let (true, Some(end)) = (is_click, under) {
        ui.send(ViewAction::LookFrom(look(end)));
    }
    if is_hovered || is_held {
        let ground = faded(ui.theme.field_hovered, 0.45);
        ui.draw().add_circle(center, REACH + KNOB, ground).filled(true).num_segments(48).build();
    }
    for end in &ends {
        draw_end(ui, center, end, is_hovered && under.is_some_and(|under| std::ptr::eq(under, end)));
    }
    if let (true, Some(end)) = (is_hovered && !is_held, under) {
        ui.tip_command(command(look(end)));
    }
    is_hovered || is_held
}

/// All six ends, the farthest first.
fn ends(camera: Quat, center: Vec2) -> Vec<End> {
    let end = |axis: usize, is_positive: bool| {
        let direction = Vec3::AXES[axis] * if is_positive { 1.0 } else { -1.0 };
        let turned = camera.inverse() * direction;
        End { axis, is_positive, at: center + Vec2::new(turned.x, -turned.y) * REACH, depth: turned.z }
    };
    let mut ends: Vec<End> = (0..3).flat_map(|axis| [end(axis, true), end(axis, false)]).collect();
    ends.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    ends
}

/// The command of a view direction.
fn command(look: Look) -> Command {
    match look {
        Look::Front => Command::LookFront,
        Look::Back => Command::LookBack,
        Look::Right => Command::LookRight,
        Look::Left => Command::LookLeft,
        Look::Top => Command::LookTop,
        Look::Bottom => Command::LookBottom,
        Look::Game => Command::LookGame,
    }
}

fn look(end: &End) -> Look {
    match (end.axis, end.is_positive) {
        (0, true) => Look::Right,
        (0, false) => Look::Left,
        (1, true) => Look::Top,
        (1, false) => Look::Bottom,
        (_, true) => Look::Front,
        (_, false) => Look::Back,
    }
}

fn draw_end(ui: &Ui<'_>, center: [f32; 2], end: &End, is_hovered: bool) {
    let theme = ui.theme;
    // Far ends fade into the background.
    let strength = 0.72 + 0.28 * (end.depth * 0.5 + 0.5);
    let color = mixed(theme.ground, theme.axes[end.axis], strength);
    let at = end.at.to_array();
    if end.is_positive {
        ui.line(center, at, color, 2.5);
        ui.draw().add_circle(at, KNOB, color).filled(true).num_segments(24).build();
    } else {
        ui.draw().add_circle(at, KNOB - 2.5, faded(color, 0.35)).filled(true).num_segments(24).build();
        ui.draw().add_circle(at, KNOB - 2.5, color).thickness(1.5).num_segments(24).build();
    }
    if is_hovered {
        ui.draw().add_circle(at, KNOB, theme.text).thickness(1.5).num_segments(24).build();
    }
    if end.is_positive || is_hovered {
        let (letter, rect) = (["X", "Y", "Z"][end.axis], Rect::around(at, [KNOB * 2.0; 2]));
        let ink = if end.is_positive { theme.ground } else { theme.text };
        ui.text_in_font(ui.fonts.small_bold, rect, Align::Center, ink, letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_that_points_at_the_eye_is_drawn_last() {
        let ends = ends(Quat::IDENTITY, Vec2::ZERO);
        let last = ends.last().unwrap();
        assert_eq!((last.axis, last.is_positive), (2, true));
        let right = ends.iter().find(|end| end.axis == 0 && end.is_positive).unwrap();
        assert!(right.at.x > 0.0);
        let up = ends.iter().find(|end| end.axis == 1 && end.is_positive).unwrap();
        assert!(up.at.y < 0.0);
    }
}
