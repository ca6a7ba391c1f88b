//! The graph: states are draggable nodes, transitions are arrows. It pans and zooms; the preview's current state
//! glows.

use glam::Vec2;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::arrows::Arrow;
use crate::editor::panels::machine::menus;
use crate::editor::panels::machine::menus::Menu;
use crate::editor::panels::machine::naming::MachineItem;
use crate::editor::panels::ui::prelude::*;
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
    /// The size of the area when the view was last fitted.
    fitted_to: Option<[f32; 2]>,
    drag: Option<Drag>,
    menu: ContextMenu<Menu>,
}

impl Default for GraphView {
    fn default() -> GraphView {
        GraphView { pan: Vec2::ZERO, zoom: 1.0, fitted_to: None, drag: None, menu: ContextMenu::default() }
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

/// The purpose for which a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphUse {
    Editing,
    /// To show a machine that isn't created yet.
    Proposal,
}

/// The nodes and arrows on the screen.
struct Drawn {
    nodes: Vec<Node>,
    arrows: Vec<Arrow>,
}

impl Drawn {
    /// Draws a graph.
    fn ui(ui: &Ui<'_>, graph: &Graph, view: &GraphView, area: Rect, to: GraphUse, is_hovered: bool) -> Drawn {
        ui.fill(area, ui.theme.ground, 6.0);
        let nodes = view.nodes(graph, area);
        let arrows = arrows::of(graph, &nodes);
        draw_grid(ui, view, area);
        for arrow in &arrows {
            arrows::draw(ui, graph, arrow, view.zoom);
        }
        for node in &nodes {
            draw_node(ui, graph, node, to, is_hovered);
        }
        Drawn { nodes, arrows }
    }

    fn node_at(&self, at: Vec2) -> Option<&Node> {
        self.nodes.iter().rev().find(|node| node.rect.contains(at.to_array()))
    }

    fn dot_at(&self, at: Vec2) -> Option<&Node> {
        self.nodes.iter().rev().find(|node| dot_of(node.rect).distance(at) < REACH)
    }

    fn arrow_at(&self, at: Vec2) -> Option<&Arrow> {
        let near = self.arrows.iter().map(|arrow| (arrow, arrow.distance(at)));
        near.filter(|(_, distance)| *distance < 7.0).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(arrow, _)| arrow)
    }
}

/// Draws the graph and handles the mouse.
pub fn graph_ui(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, naming: &mut Naming<MachineItem>) {
    let area = ui.rest();
    let size = area.size();
    if graph_view.fitted_to != Some(size) && size[0] > 32.0 {
        graph_view.fit(graph, size);
    }
    sys::ground_button(ui.imgui, "##graph", size);
    ui.item("graph");
    let (is_hovered, is_pressed) = (ui.is_item_hovered(), ui.is_item_clicked());
    let drawn = Drawn::ui(ui, graph, graph_view, area, GraphUse::Editing, is_hovered);
    let mouse = Vec2::from(ui.io().mouse_pos);
    if let Some(Drag { what: Dragged::Link { from }, is_moving: true, .. }) = &graph_view.drag {
        draw_link(ui, graph, &drawn, from, mouse);
    }
    if is_hovered && graph_view.drag.is_none() {
        hover(ui, graph, &drawn, mouse);
        zoom(ui, graph_view, area, mouse);
    }
    if is_pressed {
        let what = press(ui, graph, &drawn, mouse, graph_view.pan);
        graph_view.drag = Some(Drag { what, from: mouse, is_moving: false, is_double: false });
    }
    let is_double = is_hovered && ui.is_mouse_double_clicked(MouseButton::Left);
    if let Some(drag) = &mut graph_view.drag {
        drag.is_double |= is_double;
    }
    if is_hovered && ui.is_mouse_clicked(MouseButton::Right) {
        graph_view.menu.open(menu_at(graph, &drawn, mouse, graph_view.place_of(mouse, area)));
    }
    if let Some(name) = drag(ui, graph, graph_view, &drawn, mouse) {
        naming.start(ui, MachineItem::State(name.clone()), &name);
    }
    if let Some((of, _popup)) = graph_view.menu.begin(ui, "##graph-menu") {
        menus::entries(ui, graph, &of, naming);
    }
    fit_button(ui, graph, graph_view, area);
}

/// The menu of what is under the mouse; `place` is the mouse in grid steps.
fn menu_at(graph: &Graph, drawn: &Drawn, mouse: Vec2, place: Vec2) -> Menu {
    match (drawn.node_at(mouse), drawn.arrow_at(mouse)) {
        (Some(Node { state: Some(at), .. }), _) => Menu::State(graph.def.parts().states[*at].name.clone()),
        (Some(_), _) => Menu::Any,
        (None, Some(arrow)) => Menu::Transition(arrow.transition),
        (None, None) => Menu::Ground(place),
    }
}

impl GraphView {
    /// The view that fits all nodes into an area of this size.
    fn fitted(graph: &Graph, size: [f32; 2]) -> GraphView {
        let mut view = GraphView::default();
        view.fit(graph, size);
        view
    }

    /// Fits all nodes into an area of this size.
    fn fit(&mut self, graph: &Graph, size: [f32; 2]) {
        self.fitted_to = Some(size);
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

fn zoom(ui: &Ui<'_>, graph_view: &mut GraphView, area: Rect, mouse: Vec2) {
    let notches = ui.io().mouse_wheel;
    if notches != 0.0 {
        let under = graph_view.place_of(mouse, area);
        graph_view.zoom = (graph_view.zoom * 1.12_f32.powf(notches)).clamp(0.35, 2.0);
        graph_view.pan = mouse - Vec2::from(area.min) - under * STEP * graph_view.zoom;
    }
}

/// Picks what is under the mouse. Returns what a drag from there moves.
fn press(ui: &Ui<'_>, graph: &Graph, drawn: &Drawn, mouse: Vec2, pan: Vec2) -> Dragged {
    let states = &graph.def.parts().states;
    let pick = |picked| ui.send(MachineAction::Pick(picked));
    if let Some(node) = drawn.dot_at(mouse) {
        let from = node.state.map_or(TransitionSource::Any, |at| TransitionSource::State(states[at].name.clone()));
        Dragged::Link { from }
    } else if let Some(node) = drawn.node_at(mouse) {
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
        pick(drawn.arrow_at(mouse).map_or(Picked::Nothing, |arrow| Picked::Transition(arrow.transition)));
        Dragged::View { pan }
    }
}

/// Continues a drag. Returns the state to rename when a double click ends without one.
fn drag(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, drawn: &Drawn, mouse: Vec2) -> Option<String> {
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
            let touch = Touch { is_begun: begins, is_changed: true, is_ended: !is_held, ..Default::default() };
            super::gesture(ui, graph, touch, &edit);
        }
        Dragged::Link { from } if !is_held => {
            if drag.is_moving
                && let Some(Node { state: Some(at), .. }) = drawn.node_at(mouse)
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
    let place = area.inset(6.0, 6.0).right(26.0).top(24.0);
    if widgets::icon_button_at(ui, place, "fit-graph", Icon::Maximize2, Tone::Bare) {
        graph_view.fit(graph, area.size());
    }
    ui.tip("Fit the whole state machine", "");
}
