//! The graph: states are draggable nodes, transitions are arrows. It pans and zooms; the preview's current state
//! glows.

use glam::Vec2;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::ops::sentence::has_words;
use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::arrows::{Arrow, Arrows};
use crate::editor::panels::machine::menus;
use crate::editor::panels::machine::menus::Menu;
use crate::editor::panels::machine::naming::MachineItem;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::anim::machine::parts::{StateDef, TransitionSource};
use keypose::assets::machine::Graph;

mod drawn;
pub mod still;

pub use drawn::described;
use drawn::{dot_of, draw_grid, draw_link, draw_node, hover};

/// Size of a grid step in points, unzoomed.
const STEP: f32 = 10.0;
/// Height of a node, in points.
const NODE_HEIGHT: f32 = 42.0;
/// Width and height of the picture in a node.
const PICTURE: f32 = 28.0;
/// Nodes keep their size down to this zoom, so that their names are whole.
const WHOLE_ZOOM: f32 = 0.7;
/// The maximum of [`GraphView::stretch`].
const MAX_STRETCH: f32 = 2.0;
/// Width of the search field.
const SEARCH: f32 = 170.0;
/// Distance after which a press becomes a drag, in points.
const STILL: f32 = 4.0;
/// Radius around a node's dot in which a drag makes a transition, in points.
const REACH: f32 = 10.0;

/// The view of the graph, and the mouse drag in it.
#[derive(Debug)]
pub struct GraphView {
    /// Origin of the grid relative to the panel's top left, in points.
    pan: Vec2,
    zoom: f32,
    /// How much wider than high a step is: a low panel has more room for names than for rows.
    stretch: f32,
    /// The size of the area when the view was last fitted.
    fitted_to: Option<[f32; 2]>,
    drag: Option<Drag>,
    menu: ContextMenu<Menu>,
    arrows: Arrows,
    /// The text of the search field.
    sought: String,
}

impl Default for GraphView {
    fn default() -> GraphView {
        let (menu, arrows, sought) = (ContextMenu::default(), Arrows::default(), String::new());
        GraphView { pan: Vec2::ZERO, zoom: 1.0, stretch: 1.0, fitted_to: None, drag: None, menu, arrows, sought }
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
    /// The state; `None` for the sign of "any state", which is fixed in the corner.
    pub state: Option<usize>,
    pub rect: Rect,
}

/// A badge that a state is entered from any state, by one transition or several.
struct Badge {
    rect: Rect,
    transitions: Vec<usize>,
}

/// The purpose for which a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphUse {
    Editing,
    /// To show a machine that isn't created yet.
    Proposal,
}

/// The nodes and arrows on the screen.
struct Drawn<'a> {
    nodes: Vec<Node>,
    badges: Vec<Badge>,
    arrows: &'a Arrows,
}

impl<'a> Drawn<'a> {
    /// Draws a graph.
    fn ui(
        ui: &Ui<'_>,
        graph: &Graph,
        view: &'a mut GraphView,
        area: Rect,
        to: GraphUse,
        is_hovered: bool,
    ) -> Drawn<'a> {
        ui.fill(area, ui.theme.ground, 6.0);
        let nodes = view.nodes(ui, graph, area);
        view.arrows.find(graph, &nodes);
        draw_grid(ui, view, area);
        for arrow in &view.arrows.all {
            arrows::draw(ui, graph, arrow, view.zoom);
        }
        let badges = nodes.iter().filter_map(|node| draw_node(ui, graph, node, to, is_hovered)).collect();
        for node in nodes.iter().filter(|node| !is_found(graph, node, &view.sought)) {
            ui.fill(node.rect.shrunk(-1.0), faded(ui.theme.ground, 0.72), 6.0);
        }
        Drawn { nodes, badges, arrows: &view.arrows }
    }

    fn badge_at(&self, at: Vec2) -> Option<&Badge> {
        self.badges.iter().find(|badge| badge.rect.contains(at.to_array()))
    }

    fn node_at(&self, at: Vec2) -> Option<&Node> {
        self.nodes.iter().rev().find(|node| node.rect.contains(at.to_array()))
    }

    fn dot_at(&self, at: Vec2) -> Option<&Node> {
        self.nodes.iter().rev().find(|node| dot_of(node.rect).distance(at) < REACH)
    }

    fn arrow_at(&self, at: Vec2) -> Option<&'a Arrow> {
        self.arrows.at(at)
    }
}

/// Draws the graph and handles the mouse.
pub fn graph_ui(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, naming: &mut Naming<MachineItem>) {
    let area = ui.rest();
    let size = area.size();
    if graph_view.fitted_to != Some(size) && size[0] > 32.0 {
        graph_view.fit(ui, graph, size);
    }
    sys::ground_button(ui.imgui, "##graph", size);
    ui.item("graph");
    let (is_hovered, is_pressed) = (ui.is_item_hovered(), ui.is_item_clicked());
    let mouse = Vec2::from(ui.io().mouse_pos);
    if is_hovered && graph_view.drag.is_none() {
        zoom(ui, graph_view, area, mouse);
    }
    let (mut dragged, pan) = (graph_view.drag.take(), graph_view.pan);
    let place = graph_view.place_of(mouse, area);
    let drawn = Drawn::ui(ui, graph, graph_view, area, GraphUse::Editing, is_hovered);
    if let Some(Drag { what: Dragged::Link { from }, is_moving: true, .. }) = &dragged {
        draw_link(ui, graph, &drawn, from, mouse);
    }
    if is_hovered && dragged.is_none() {
        hover(ui, graph, &drawn, mouse);
    }
    if is_pressed {
        let what = press(ui, graph, &drawn, mouse, pan);
        dragged = Some(Drag { what, from: mouse, is_moving: false, is_double: false });
    }
    let is_menu = is_hovered && ui.is_mouse_clicked(MouseButton::Right);
    let menu = is_menu.then(|| menu_at(graph, &drawn, mouse, place));
    let target = drawn.node_at(mouse).and_then(|node| node.state);
    graph_view.drag = dragged;
    let is_double = is_hovered && ui.is_mouse_double_clicked(MouseButton::Left);
    if let Some(drag) = &mut graph_view.drag {
        drag.is_double |= is_double;
    }
    if let Some(menu) = menu {
        graph_view.menu.open(menu);
    }
    if let Some(name) = drag(ui, graph, graph_view, target, mouse) {
        naming.start(ui, MachineItem::State(name.clone()), &name);
    }
    if let Some((of, _popup)) = graph_view.menu.begin(ui, "##graph-menu") {
        menus::entries(ui, graph, &of, naming);
    }
    buttons(ui, graph, graph_view, area);
}

/// Whether a search finds a node: it is a state whose name has the words.
fn is_found(graph: &Graph, node: &Node, sought: &str) -> bool {
    sought.is_empty() || node.state.is_some_and(|at| has_words(&graph.def.parts().states[at].name, sought))
}

/// The menu of what is under the mouse; `place` is the mouse in grid steps.
fn menu_at(graph: &Graph, drawn: &Drawn<'_>, mouse: Vec2, place: Vec2) -> Menu {
    match (drawn.node_at(mouse), drawn.arrow_at(mouse)) {
        (Some(Node { state: Some(at), .. }), _) => Menu::State(graph.def.parts().states[*at].name.clone()),
        (Some(_), _) => Menu::Any,
        (None, Some(arrow)) => Menu::Transition(arrow.transition),
        (None, None) => Menu::Ground(place),
    }
}

impl GraphView {
    /// The view that fits all nodes into an area of this size.
    fn fitted(ui: &Ui<'_>, graph: &Graph, size: [f32; 2]) -> GraphView {
        let mut view = GraphView::default();
        view.fit(ui, graph, size);
        view
    }

    /// Fits all nodes into an area of this size, above the sign of "any state".
    fn fit(&mut self, ui: &Ui<'_>, graph: &Graph, size: [f32; 2]) {
        self.fitted_to = Some(size);
        // Below the search field.
        let top = if graph.places.len() < search::MANY { 0.0 } else { 24.0 };
        let size = Vec2::from(size) - Vec2::new(0.0, top);
        let sizes = node_sizes(ui, graph).into_iter().map(|size| size.whole);
        let node = sizes.fold(Vec2::splat(NODE_HEIGHT), Vec2::max);
        let places = || graph.places.iter().copied();
        let (low, high) = (places().reduce(Vec2::min), places().reduce(Vec2::max));
        let (low, high) = (low.unwrap_or_default() * STEP, high.unwrap_or_default() * STEP);
        let whole = (high - low).max(Vec2::splat(1.0));
        // Arrows go around nodes, and loops are above them.
        let room = (size - Vec2::new(56.0, 60.0)).max(Vec2::splat(8.0));
        let (whole_nodes, small_nodes) = ((room - node) / whole, room / (whole + node / WHOLE_ZOOM));
        let zoom = Vec2::select(whole_nodes.cmpge(Vec2::splat(WHOLE_ZOOM)), whole_nodes, small_nodes);
        self.zoom = zoom.min_element().clamp(0.35, 1.5);
        self.stretch = (zoom.x / self.zoom).clamp(1.0, MAX_STRETCH);
        self.pan = (size - Vec2::new(0.0, 18.0) - (low + high) * self.zooms()) * 0.5 + Vec2::new(0.0, top);
    }

    /// The zoom along x and y.
    fn zooms(&self) -> Vec2 {
        Vec2::new(self.zoom * self.stretch, self.zoom)
    }

    fn screen(&self, place: Vec2, area: Rect) -> Vec2 {
        Vec2::from(area.min) + self.pan + place * STEP * self.zooms()
    }

    fn place_of(&self, at: Vec2, area: Rect) -> Vec2 {
        (at - Vec2::from(area.min) - self.pan) / (STEP * self.zooms())
    }

    /// The nodes of the states; then the sign of "any state" in the lower left corner.
    fn nodes(&self, ui: &Ui<'_>, graph: &Graph, area: Rect) -> Vec<Node> {
        let node = |(at, NodeSize { whole, narrow }): (usize, NodeSize)| {
            let size = (whole * (self.zooms() / WHOLE_ZOOM).min(Vec2::ONE)).max(Vec2::new(narrow, 0.0)).round();
            let place = graph.places.get(at).copied().unwrap_or_default();
            let min = (self.screen(place, area) - size * 0.5).round();
            Node { state: Some(at), rect: Rect::at(min.to_array(), size.to_array()) }
        };
        let any = Rect::at([area.min[0] + 8.0, area.max[1] - 32.0], [ui.calc_text_size(ANY)[0] + 30.0, 24.0]);
        let states = node_sizes(ui, graph).into_iter().enumerate().map(node);
        states.chain([Node { state: None, rect: any }]).collect()
    }
}

/// The name of the sign from which transitions from any state are dragged.
const ANY: &str = "any state";

/// The size of a node in points.
struct NodeSize {
    /// Width and height with picture, name and the line below it.
    whole: Vec2,
    /// The width of picture and name, which it keeps however far the view is zoomed out.
    narrow: f32,
}

fn node_sizes(ui: &Ui<'_>, graph: &Graph) -> Vec<NodeSize> {
    let parts = graph.def.parts();
    let width_in = |font, text: &str| {
        let _font = ui.with_font(font);
        ui.calc_text_size(text)[0]
    };
    let size = |state: &StateDef| {
        let name = width_in(ui.fonts.bold, &drawn::title(state, parts.start == state.name));
        let below = width_in(ui.fonts.small, &drawn::below(graph, state)) + 12.0;
        let whole = Vec2::new((name.max(below) + PICTURE + 34.0).ceil(), NODE_HEIGHT);
        NodeSize { whole, narrow: (name + PICTURE + 20.0).ceil() }
    };
    parts.states.iter().map(size).collect()
}

fn zoom(ui: &Ui<'_>, graph_view: &mut GraphView, area: Rect, mouse: Vec2) {
    let notches = ui.io().mouse_wheel;
    if notches != 0.0 {
        let under = graph_view.place_of(mouse, area);
        graph_view.zoom = (graph_view.zoom * 1.12_f32.powf(notches)).clamp(0.35, 2.0);
        graph_view.pan = mouse - Vec2::from(area.min) - under * STEP * graph_view.zooms();
    }
}

/// Picks what is under the mouse. Returns what a drag from there moves.
fn press(ui: &Ui<'_>, graph: &Graph, drawn: &Drawn<'_>, mouse: Vec2, pan: Vec2) -> Dragged {
    let states = &graph.def.parts().states;
    let pick = |picked| ui.send(MachineAction::Pick(picked));
    if let Some(badge) = drawn.badge_at(mouse) {
        // Each click picks the next transition from any state.
        let now = badge.transitions.iter().position(|at| ui.session.focus.machine == Picked::Transition(*at));
        let next = now.map_or(0, |now| (now + 1) % badge.transitions.len());
        pick(badge.transitions.get(next).map_or(Picked::Any, |at| Picked::Transition(*at)));
        Dragged::View { pan }
    } else if let Some(node) = drawn.dot_at(mouse) {
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

/// Continues a drag; `target` is the state under the mouse. Returns the state to rename when a double click ends without one.
fn drag(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, target: Option<usize>, mouse: Vec2) -> Option<String> {
    let mut drag = graph_view.drag.take()?;
    let by = mouse - drag.from;
    let begins = !drag.is_moving && by.length() > STILL;
    drag.is_moving |= begins;
    let is_held = ui.is_mouse_down(MouseButton::Left);
    match &drag.what {
        Dragged::View { pan } if drag.is_moving => graph_view.pan = *pan + by,
        Dragged::Node { name, place } if drag.is_moving => {
            // Snapping to half steps keeps rows and columns straight.
            let place = ((*place + by / (STEP * graph_view.zooms())) * 2.0).round() / 2.0;
            let edit = MachineEdit::Place { name: name.clone(), place };
            let touch = Touch { is_begun: begins, is_changed: true, is_ended: !is_held, ..Default::default() };
            super::gesture(ui, graph, touch, &edit);
        }
        Dragged::Link { from } if !is_held => {
            if drag.is_moving
                && let Some(at) = target
            {
                let to = graph.def.parts().states[at].name.clone();
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

/// Draws the button that fits the view, and in a machine of many states the search field, which picks the first state that it finds.
fn buttons(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, area: Rect) {
    let mut line = area.inset(6.0, 6.0).top(24.0);
    if widgets::icon_button_at(ui, line.cut_right(26.0, 4.0), "fit-graph", Icon::Maximize2, Tone::Bare) {
        graph_view.fit(ui, graph, area.size());
    }
    ui.tip("Fit the whole state machine", "");
    let place = line.cut_right(26.0, 4.0);
    if widgets::icon_button_at(ui, place, "arrange-states", Icon::LayoutGrid, Tone::Bare) {
        graph_view.fitted_to = None;
        ui.run(Command::ArrangeStates);
    }
    ui.tip("Arrange the states in columns", "");
    let states = &graph.def.parts().states;
    if states.len() < search::MANY {
        return graph_view.sought.clear();
    }
    ui.set_cursor_screen_pos(line.right(SEARCH).min);
    let hint = format!("Search {} states", states.len());
    if !search::field_in(ui, "graph-search", &hint, SEARCH, &mut graph_view.sought) || graph_view.sought.is_empty() {
        return;
    }
    let nodes = graph_view.nodes(ui, graph, area);
    let Some(node) = nodes.iter().find(|node| is_found(graph, node, &graph_view.sought)) else { return };
    if let Some(at) = node.state {
        ui.send(MachineAction::Pick(Picked::State(states[at].name.clone())));
    }
    let inner = area.shrunk(12.0);
    if !(inner.contains(node.rect.min) && inner.contains(node.rect.max)) {
        graph_view.pan += Vec2::from(area.center()) - Vec2::from(node.rect.center());
    }
}
