//! Drawing of the graph's nodes, dots and grid.

use glam::Vec2;

use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::graph_view::{Drawn, GraphUse, GraphView, Node, STEP};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::Picked;
use keypose::anim::machine::parts::{Motion, StateDef, TransitionSource};
use keypose::assets::machine::Graph;

pub(super) fn draw_grid(ui: &Ui<'_>, graph_view: &GraphView, area: Rect) {
    let step = STEP * 2.0 * graph_view.zoom;
    let color = faded(ui.theme.line, 0.75);
    let first = |axis: usize| area.min[axis] + graph_view.pan[axis].rem_euclid(step);
    let (mut y, list) = (first(1), ui.draw());
    while y < area.max[1] {
        let mut x = first(0);
        while x < area.max[0] {
            list.add_rect([x, y], [x + 1.0, y + 1.0], color).filled(true).build();
            x += step;
        }
        y += step;
    }
}

pub(super) fn draw_node(ui: &Ui<'_>, graph: &Graph, node: &Node, to: GraphUse, is_hovered: bool) {
    let is_edited = to == GraphUse::Editing;
    let is_over = is_edited && is_hovered && node.rect.contains(ui.io().mouse_pos);
    let state = node.state.map(|at| &graph.def.parts().states[at]);
    let preview = ui.session.transient.pose.machine().map(|preview| &preview.machine);
    let playing = preview.filter(|machine| state.is_some_and(|state| machine.state_name() == state.name));
    node_ground(ui, node.rect, state, is_over, playing.is_some());
    let kind = if is_edited { "state" } else { "proposed" };
    ui.mark(|| format!("{kind}-{}", state.map_or("any", |state| &state.name)), node.rect);
    match state {
        None => ui.text_in(inner(node.rect), Align::Center, ui.theme.quiet, "any state"),
        Some(state) => node_text(ui, node.rect, state, graph.def.parts().start == state.name),
    }
    if let Some(machine) = playing {
        let part = machine.loops().rem_euclid(1.0) as f32;
        let line = node.rect.inset(6.0, 3.0);
        ui.line([line.min[0], line.max[1]], [line.min[0] + line.width() * part, line.max[1]], ui.theme.keyed, 2.0);
    }
    if is_edited {
        draw_dot(ui, node.rect, is_over);
    }
}

/// The text's part of a node.
fn inner(rect: Rect) -> Rect {
    rect.trim_left(9.0).trim_right(12.0)
}

/// Draws the background of a node, which glows while the preview plays it.
fn node_ground(ui: &Ui<'_>, rect: Rect, state: Option<&StateDef>, is_over: bool, is_playing: bool) {
    let theme = ui.theme;
    let is_picked = match (&ui.session.focus.machine.picked, state) {
        (Picked::Any, None) => true,
        (Picked::State(name), Some(state)) => *name == state.name,
        _ => false,
    };
    let rounding = if state.is_some() { 6.0 } else { rect.height() / 2.0 };
    if is_playing {
        for (by, alpha) in [(-7.0, 0.10), (-4.5, 0.16), (-2.5, 0.25)] {
            ui.fill(rect.shrunk(by), faded(theme.keyed, alpha), rounding - by);
        }
    }
    let ground = match (is_picked, is_over) {
        (true, _) => theme.row,
        (_, true) => theme.field_hovered,
        _ => theme.field,
    };
    ui.fill(rect, ground, rounding);
    let edge = match (is_playing, is_picked) {
        (true, _) => theme.keyed,
        (_, true) => theme.selected,
        _ => mixed(theme.line, theme.dim, 0.6),
    };
    ui.outline(rect, edge, rounding, if is_picked || is_playing { 1.6 } else { 1.0 });
}

/// Draws the name of a state and, if there is room, its motion.
fn node_text(ui: &Ui<'_>, rect: Rect, state: &StateDef, is_start: bool) {
    let inner = inner(rect);
    let has_room = rect.height() > 34.0;
    let half = inner.center()[1];
    let name = if has_room { inner.with_y(inner.min[1], half + 3.0) } else { inner };
    let mark = if is_start { format!("{} ", icon(Icon::Play)) } else { String::new() };
    ui.text_in_font(ui.fonts.bold, name, Align::Left, ui.theme.text, &format!("{mark}{}", state.name));
    if has_room {
        let below = inner.with_y(half, inner.max[1]);
        ui.text_in_font(ui.fonts.small, below, Align::Left, ui.theme.quiet, &described(&state.motion));
    }
}

/// Draws the dot from which transitions are dragged.
fn draw_dot(ui: &Ui<'_>, rect: Rect, is_over: bool) {
    let at = dot_of(rect).to_array();
    let color = if is_over { ui.theme.accent } else { ui.theme.dim };
    ui.dot(at, if is_over { 5.0 } else { 3.5 }, color);
}

pub(super) fn dot_of(rect: Rect) -> Vec2 {
    Vec2::new(rect.max[0], rect.center()[1])
}

/// A one-line description of a motion.
pub fn described(motion: &Motion) -> String {
    match motion {
        Motion::Clip(clip) if clip.is_empty() => "rest pose".into(),
        Motion::Clip(clip) => clip.clone(),
        Motion::Line(line) => format!("{} clips by {}", line.points.len(), line.parameter),
        Motion::Plane(plane) => {
            format!("{} clips by {}, {}", plane.points.len(), plane.parameters[0], plane.parameters[1])
        }
    }
}

pub(super) fn draw_link(ui: &Ui<'_>, graph: &Graph, drawn: &Drawn, from: &TransitionSource, mouse: Vec2) {
    let is_from = |node: &&Node| match (from, node.state) {
        (TransitionSource::Any, state) => state.is_none(),
        (TransitionSource::State(name), Some(at)) => graph.def.parts().states[at].name == *name,
        (TransitionSource::State(_), None) => false,
    };
    let Some(node) = drawn.nodes.iter().find(is_from) else { return };
    ui.line(dot_of(node.rect).to_array(), mouse.to_array(), ui.theme.drop, 2.0);
    if let Some(Node { state: Some(_), rect }) = drawn.node_at(mouse) {
        ui.outline(rect.shrunk(-2.0), ui.theme.drop, 8.0, 2.0);
    }
}

pub(super) fn hover(ui: &Ui<'_>, graph: &Graph, drawn: &Drawn, mouse: Vec2) {
    if drawn.dot_at(mouse).is_some() {
        ui.tip("Drag to another state to add a transition", "");
    } else if drawn.node_at(mouse).is_none()
        && let Some(arrow) = drawn.arrow_at(mouse)
    {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
        ui.tip(&arrows::text(&graph.def.parts().transitions[arrow.transition]), "");
    }
}
