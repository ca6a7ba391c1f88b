//! Drawing of the graph's nodes, dots and grid.

use glam::Vec2;

use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::graph_view::{ANY, Badge, Drawn, GraphUse, GraphView, Node, PICTURE, STEP};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::Picked;
use keypose::anim::machine::parts::{Motion, StateDef, TransitionDef, TransitionSource};
use keypose::assets::machine::Graph;

pub(super) fn draw_grid(ui: &Ui<'_>, graph_view: &GraphView, area: Rect) {
    let step = graph_view.zooms() * STEP * 2.0;
    let color = faded(ui.theme.line, 0.75);
    let first = |axis: usize| area.min[axis] + graph_view.pan[axis].rem_euclid(step[axis]);
    let (mut y, list) = (first(1), ui.draw());
    while y < area.max[1] {
        let mut x = first(0);
        while x < area.max[0] {
            list.add_rect([x, y], [x + 1.0, y + 1.0], color).filled(true).build();
            x += step.x;
        }
        y += step.y;
    }
}

/// Draws a node. Returns its badge, if the state is entered from any state.
pub(super) fn draw_node(ui: &Ui<'_>, graph: &Graph, node: &Node, to: GraphUse, is_hovered: bool) -> Option<Badge> {
    let is_edited = to == GraphUse::Editing;
    let is_over = is_edited && is_hovered && node.rect.contains(ui.io().mouse_pos);
    let state = node.state.map(|at| &graph.def.parts().states[at]);
    let preview = ui.session.transient.pose.machine().map(|preview| &preview.machine);
    let playing = preview.filter(|machine| state.is_some_and(|state| machine.state_name() == state.name));
    node_ground(ui, node.rect, state, is_over, playing.is_some());
    let kind = if is_edited { "state" } else { "proposed" };
    ui.mark(|| format!("{kind}-{}", state.map_or("any", |state| &state.name)), node.rect);
    let badge = match state {
        None => {
            ui.text_in(node.rect.trim_left(12.0).trim_right(12.0), Align::Left, ui.theme.quiet, ANY);
            None
        }
        Some(state) => node_text(ui, graph, node.rect, state),
    };
    if let Some(machine) = playing {
        let part = machine.loops().rem_euclid(1.0) as f32;
        let line = node.rect.inset(6.0, 3.0);
        ui.line([line.min[0], line.max[1]], [line.min[0] + line.width() * part, line.max[1]], ui.theme.text, 2.0);
    }
    if is_edited {
        draw_dot(ui, node.rect, is_over);
    }
    badge
}

/// Draws the background of a node, which is filled while the preview plays it.
fn node_ground(ui: &Ui<'_>, rect: Rect, state: Option<&StateDef>, is_over: bool, is_playing: bool) {
    let theme = ui.theme;
    let is_picked = match (&ui.session.focus.machine, state) {
        (Picked::Any, None) => true,
        (Picked::State(name), Some(state)) => *name == state.name,
        _ => false,
    };
    let rounding = if state.is_some() { 6.0 } else { rect.height() / 2.0 };
    let ground = match (is_playing, is_picked, is_over) {
        (true, ..) => mixed(theme.panel, theme.accent, 0.5),
        (_, true, _) => theme.row,
        (_, _, true) => theme.field_hovered,
        _ => theme.field,
    };
    ui.fill(rect, ground, rounding);
    let is_strong = is_picked || is_playing;
    let edge = if is_strong { theme.selected } else { mixed(theme.line, theme.dim, 0.6) };
    ui.outline(rect, edge, rounding, if is_strong { 1.6 } else { 1.0 });
}

/// The name of a state, with a sign if it is the first one.
pub(super) fn title(state: &StateDef, is_start: bool) -> String {
    if is_start { format!("{} {}", icon(Icon::Play), state.name) } else { state.name.clone() }
}

/// The text below the name of a state: that it is entered from any state, or else what it plays if its name doesn't say so.
pub(super) fn below(graph: &Graph, state: &StateDef) -> String {
    let is_any = graph.def.parts().transitions.iter().any(|it| it.from == TransitionSource::Any && it.to == state.name);
    match described(&state.motion) {
        _ if is_any => ANY.to_owned(),
        clip if clip == state.name => String::new(),
        clip => clip,
    }
}

/// Draws the picture of a state's first pose, its name and, if there is room, what is below it. Returns its badge.
fn node_text(ui: &Ui<'_>, graph: &Graph, rect: Rect, state: &StateDef) -> Option<Badge> {
    let mut inner = rect.trim_left(6.0).trim_right(7.0);
    let side = PICTURE.min(rect.height() - 6.0);
    let picture = inner.cut_left(side, 6.0);
    if let Some(clip) = state.motion.clips().next() {
        widgets::clip_picture(ui, clip, Rect::around(picture.center(), [side; 2]));
    }
    let below = below(graph, state);
    let has_room = rect.height() > 34.0 && !below.is_empty();
    let half = inner.center()[1];
    let name = if has_room { inner.with_y(inner.min[1] + 2.0, half + 2.0) } else { inner };
    let title = title(state, graph.def.parts().start == state.name);
    ui.text_in_font(ui.fonts.bold, name, Align::Left, ui.theme.text, &title);
    let line = inner.with_y(half, inner.max[1] - 3.0);
    if below == ANY {
        return Some(badge_ui(ui, graph, state, if has_room { line } else { rect.right(13.0).top(13.0) }));
    }
    if has_room {
        ui.text_in_font(ui.fonts.small, line, Align::Left, ui.theme.quiet, &below);
    }
    None
}

/// Draws the badge of a state that is entered from any state: a pill, or in a low place only a dot.
fn badge_ui(ui: &Ui<'_>, graph: &Graph, state: &StateDef, place: Rect) -> Badge {
    let from_any = |(_, it): &(usize, &TransitionDef)| it.from == TransitionSource::Any && it.to == state.name;
    let transitions: Vec<usize> =
        graph.def.parts().transitions.iter().enumerate().filter(from_any).map(|(at, _)| at).collect();
    let is_picked = transitions.iter().any(|at| ui.session.focus.machine == Picked::Transition(*at));
    let (ground, ink) =
        if is_picked { (ui.theme.accent, ui.theme.on_accent) } else { (ui.theme.panel, ui.theme.quiet) };
    let _font = ui.with_font(ui.fonts.small);
    let width = ui.calc_text_size(ANY)[0] + 10.0;
    let badge = if place.width() < width { place } else { place.left(width).inset(0.0, 1.0) };
    if place.width() < width {
        ui.dot(badge.center(), 3.5, if is_picked { ui.theme.accent } else { ui.theme.quiet });
    } else {
        ui.fill(badge, faded(ground, if is_picked { 1.0 } else { 0.6 }), badge.height() / 2.0);
        ui.text_in(badge.trim_left(5.0), Align::Left, ink, ANY);
    }
    ui.mark(|| format!("badge-{}", state.name), badge);
    Badge { rect: badge, transitions }
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

pub(super) fn draw_link(ui: &Ui<'_>, graph: &Graph, drawn: &Drawn<'_>, from: &TransitionSource, mouse: Vec2) {
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

pub(super) fn hover(ui: &Ui<'_>, graph: &Graph, drawn: &Drawn<'_>, mouse: Vec2) {
    let parts = graph.def.parts();
    if let Some(badge) = drawn.badge_at(mouse) {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
        let texts: Vec<String> = badge.transitions.iter().map(|at| arrows::text(&parts.transitions[*at])).collect();
        ui.tip(&texts.join("\n"), "");
    } else if let Some(node) = drawn.dot_at(mouse) {
        let what = if node.state.is_some() { "" } else { " that is entered from any state" };
        ui.tip(&format!("Drag to another state to add a transition{what}"), "");
    } else if let Some(node) = drawn.node_at(mouse) {
        match node.state.map(|at| &parts.states[at]) {
            Some(state) => ui.tip(&format!("{}: plays {}", state.name, described(&state.motion)), ""),
            None => ui.tip("States with this badge can be entered from every state", ""),
        }
    } else if let Some(arrow) = drawn.arrow_at(mouse) {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::Hand));
        ui.tip(&arrows::text(&parts.transitions[arrow.transition]), "");
    }
}
