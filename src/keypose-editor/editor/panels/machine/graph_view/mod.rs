//! The graph: states are draggable nodes, transitions are arrows. It pans and zooms; the preview's current state
//! glows.

use glam::Vec2;
use imgui::MouseButton;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::arrows::Arrow;
use crate::editor::panels::machine::menus;
use crate::editor::panels::machine::menus::Menu;
use crate::editor::panels::machine::naming::{Named, Naming};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::sys;
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::anim::machine::parts::TransitionSource;
use keypose::assets::machine::Graph;

mod drawn;
pub mod still;

pub use drawn::described;
use drawn::{dot_of, draw_grid, draw_link, draw_node, hover};

/// Size of a grid step in points, unzoomed.
const STEP: f32 = 10.0;
/// Size of a node, in steps.
const NODE: Vec2 = Vec2::new(13.0, 4.2);
/// Distance after which a press becomes a drag, in points.
const STILL: f32 = 4.0;
/// Radius around a node's dot in which a drag makes a transition, in points.
const REACH: f32 = 10.0;
/// Distance of the node "any state" from the other nodes, in steps.
const ANY_LEFT: f32 = 18.0;

/// The view of the graph, and the mouse drag in it.
#[derive(Debug)]
pub struct GraphView {
    /// Origin of the grid relative to the panel's top left, in points.
    pan: Vec2,
    zoom: f32,
    /// The number of states and the panel size when the view was last fitted.
    fitted: Option<(usize, [f32; 2])>,
    drag: Option<Drag>,
    /// The target of the context menu.
    pub menu: Option<Menu>,
}

impl Default for GraphView {
    fn default() -> GraphView {
        GraphView { pan: Vec2::ZERO, zoom: 1.0, fitted: None, drag: None, menu: None }
    }
}

#[derive(Clone, Debug)]
struct Drag {
    what: Dragged,
    from: Vec2,
    is_moving: bool,
    /// Whether it began with a double click.
    is_double: bool,
}

#[derive(Clone, Debug)]
enum Dragged {
    View { pan: Vec2 },
    Node { name: String, place: Vec2 },
    Link { from: TransitionSource },
}

/// A node on the screen.
pub struct Node {
    /// The state; `None` for "any state".
    pub state: Option<usize>,
    pub rect: Rect,
}

/// Draws the graph and handles the mouse.
pub fn graph_ui(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, naming: &mut Option<Naming>) {
    let area = Rect::at(ui.cursor_screen_pos(), ui.content_region_avail());
    let (count, size) = (graph.places.len(), area.size());
    if graph_view.fitted.is_none_or(|fitted| fitted.1 != size) && size[0] > 32.0 {
        graph_view.fit(graph, size);
        graph_view.fitted = Some((count, size));
    }
    sys::ground_button(ui.imgui, "##graph", size);
    ui.item("graph");
    let (is_hovered, is_pressed) = (ui.is_item_hovered(), ui.is_item_clicked());
    ui.fill(area, ui.theme.ground, 6.0);
    let nodes = graph_view.nodes(graph, area);
    let arrows = arrows::of(graph, &nodes);
    let mouse = Vec2::from(ui.io().mouse_pos);
    draw_grid(ui, graph_view, area);
    for arrow in &arrows {
        arrows::draw(ui, graph, arrow, graph_view.zoom);
    }
    for node in &nodes {
        draw_node(ui, graph, node, mouse, is_hovered);
    }
    if let Some(Drag { what: Dragged::Link { from }, is_moving: true, .. }) = &graph_view.drag {
        draw_link(ui, graph, &nodes, from, mouse);
    }
    if is_hovered && graph_view.drag.is_none() {
        hover(ui, graph, &nodes, &arrows, mouse);
        zoom(ui, graph_view, area, mouse);
    }
    if is_pressed {
        let what = press(ui, graph, (&nodes, &arrows), mouse, graph_view.pan);
        graph_view.drag = Some(Drag { what, from: mouse, is_moving: false, is_double: false });
    }
    let is_double = is_hovered && ui.is_mouse_double_clicked(MouseButton::Left);
    if let Some(drag) = &mut graph_view.drag {
        drag.is_double |= is_double;
    }
    if is_hovered && ui.is_mouse_clicked(MouseButton::Right) {
        graph_view.menu = Some(menu_at(graph, (&nodes, &arrows), mouse, graph_view.place_of(mouse, area)));
        ui.open_popup(menus::ID);
    }
    if let Some(name) = drag(ui, graph, graph_view, &nodes, mouse) {
        *naming = Some(Naming::new(Named::State, &name));
    }
    menus::menus_ui(ui, graph, graph_view, naming);
    fit_button(ui, graph, graph_view, area);
}

/// The menu of what is under the mouse; `place` is the mouse in grid steps.
fn menu_at(graph: &Graph, (nodes, arrows): (&[Node], &[Arrow]), mouse: Vec2, place: Vec2) -> Menu {
    match (node_at(nodes, mouse), arrow_at(arrows, mouse)) {
        (Some(Node { state: Some(at), .. }), _) => Menu::State(graph.def.parts().states[*at].name.clone()),
        (Some(_), _) => Menu::Any,
        (None, Some(arrow)) => Menu::Transition(arrow.transition),
        (None, None) => Menu::Ground(place),
    }
}

impl GraphView {
    /// Fits all nodes into the panel.
    fn fit(&mut self, graph: &Graph, size: [f32; 2]) {
        let (low, high) = extent(graph);
        let whole = (high - low) * STEP;
        let room = (Vec2::from(size) - Vec2::splat(28.0)).max(Vec2::splat(8.0));
        self.zoom = (room / whole.max(Vec2::splat(1.0))).min_element().clamp(0.45, 1.15);
        self.pan = (Vec2::from(size) - whole * self.zoom) * 0.5 - low * STEP * self.zoom;
    }

    fn screen(&self, place: Vec2, area: Rect) -> Vec2 {
        Vec2::from(area.min) + self.pan + place * STEP * self.zoom
    }

    fn place_of(&self, at: Vec2, area: Rect) -> Vec2 {
        (at - Vec2::from(area.min) - self.pan) / (STEP * self.zoom)
    }

    /// The nodes: first "any state", then the states.
    fn nodes(&self, graph: &Graph, area: Rect) -> Vec<Node> {
        let node = |state, place: Vec2| {
            let size = NODE * STEP * self.zoom;
            Node { state, rect: Rect::at((self.screen(place, area) - size * 0.5).round().to_array(), size.to_array()) }
        };
        let any = std::iter::once(node(None, any_place(graph)));
        any.chain(graph.places.iter().enumerate().map(|(at, place)| node(Some(at), *place))).collect()
    }
}

/// The position of the node "any state": left of all others.
fn any_place(graph: &Graph) -> Vec2 {
    let low = graph.places.iter().copied().reduce(Vec2::min).unwrap_or_default();
    let high = graph.places.iter().copied().reduce(Vec2::max).unwrap_or_default();
    Vec2::new(low.x - ANY_LEFT, (low.y + high.y) * 0.5)
}

/// The corners of the area of all nodes, in steps.
fn extent(graph: &Graph) -> (Vec2, Vec2) {
    let any = any_place(graph);
    // Leaves room above for the arrow from a state to itself.
    let low = graph.places.iter().copied().fold(any, Vec2::min) - NODE * 0.5 - Vec2::new(0.0, 1.6);
    let high = graph.places.iter().copied().fold(any, Vec2::max) + NODE * 0.5;
    (low, high)
}

fn node_at(nodes: &[Node], at: Vec2) -> Option<&Node> {
    nodes.iter().rev().find(|node| node.rect.contains(at.to_array()))
}

fn dot_at(nodes: &[Node], at: Vec2) -> Option<&Node> {
    nodes.iter().rev().find(|node| dot_of(node.rect).distance(at) < REACH)
}

fn arrow_at(arrows: &[Arrow], at: Vec2) -> Option<&Arrow> {
    let near = arrows.iter().map(|arrow| (arrow, arrow.distance(at)));
    near.filter(|(_, distance)| *distance < 7.0).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(arrow, _)| arrow)
}

fn zoom(ui: &Ui<'_>, graph_view: &mut GraphView, area: Rect, mouse: Vec2) {
    let notches = ui.io().mouse_wheel;
    if notches != 0.0 {
        let under = graph_view.place_of(mouse, area);
        graph_view.zoom = (graph_view.zoom * 1.12_f32.powf(notches)).clamp(0.35, 2.0);
        graph_view.pan = mouse - Vec2::from(area.min) - under * STEP * graph_view.zoom;
    }
}

/// Picks what is under the mouse. Returns what a drag from there moves.
fn press(ui: &Ui<'_>, graph: &Graph, (nodes, arrows): (&[Node], &[Arrow]), mouse: Vec2, pan: Vec2) -> Dragged {
    let states = &graph.def.parts().states;
    let pick = |picked| ui.send(MachineAction::Pick(picked));
    if let Some(node) = dot_at(nodes, mouse) {
        let from = node.state.map_or(TransitionSource::Any, |at| TransitionSource::State(states[at].name.clone()));
        Dragged::Link { from }
    } else if let Some(node) = node_at(nodes, mouse) {
        match node.state {
            Some(at) => {
                pick(Picked::State(states[at].name.clone()));
                Dragged::Node { name: states[at].name.clone(), place: graph.places[at] }
            }
            None => {
                pick(Picked::Any);
                Dragged::View { pan }
            }
        }
    } else {
        pick(arrow_at(arrows, mouse).map_or(Picked::Nothing, |arrow| Picked::Transition(arrow.transition)));
        Dragged::View { pan }
    }
}

/// Continues a drag. Returns the state to rename when a double click ends without one.
fn drag(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, nodes: &[Node], mouse: Vec2) -> Option<String> {
    let mut drag = graph_view.drag.take()?;
    let by = mouse - drag.from;
    let begins = !drag.is_moving && by.length() > STILL;
    drag.is_moving |= begins;
    let is_held = ui.is_mouse_down(MouseButton::Left);
    match &drag.what {
        Dragged::View { pan } if drag.is_moving => graph_view.pan = *pan + by,
        Dragged::Node { name, place } if drag.is_moving => {
            // Snapping to half steps keeps rows and columns straight.
            let place = ((*place + by / (STEP * graph_view.zoom)) * 2.0).round() / 2.0;
            let edit = MachineEdit::Place { name: name.clone(), place };
            let touch = widgets::Touch { is_begun: begins, is_changed: true, is_ended: !is_held, ..Default::default() };
            super::gesture(ui, graph, touch, &edit);
        }
        Dragged::Link { from } if !is_held => {
            if drag.is_moving
                && let Some(Node { state: Some(at), .. }) = node_at(nodes, mouse)
            {
                let to = graph.def.parts().states[*at].name.clone();
                super::edit(ui, MachineEdit::AddTransition { from: from.clone(), to });
            }
        }
        _ => {}
    }
    if is_held {
        graph_view.drag = Some(drag);
        return None;
    }
    match drag {
        Drag { what: Dragged::Node { name, .. }, is_moving: false, is_double: true, .. } => Some(name),
        _ => None,
    }
}

fn fit_button(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, area: Rect) {
    ui.set_cursor_screen_pos([area.max[0] - 32.0, area.min[1] + 6.0]);
    if widgets::icon_button(ui, "fit-graph", Icon::Maximize2, [26.0, 24.0], Tone::Bare) {
        graph_view.fit(graph, area.size());
    }
    ui.tip("Fit the whole state machine", "");
}
