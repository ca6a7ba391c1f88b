//! A graph to look at, which can't be changed: its states are laid out for the shape of the panel.

use glam::Vec2;

use crate::editor::panels::machine::arrows;
use crate::editor::panels::machine::graph_view::{Drawn, GraphUse, GraphView, WHOLE_ZOOM, described};
use crate::editor::panels::ui::prelude::*;
use keypose::assets::machine::Graph;

/// Maximum number of columns.
const MAX_COLUMNS: usize = 8;

/// The graph with its states in as many columns as suit an area of this size; `None` if the names have no room in it.
pub fn laid_out(ui: &Ui<'_>, graph: &Graph, size: [f32; 2]) -> Option<Graph> {
    let in_columns = |columns| Graph { places: places(graph.places.len(), columns), ..graph.clone() };
    let all = (1..=MAX_COLUMNS)
        .map(in_columns)
        .map(|graph| (GraphView::fitted(ui, &graph, size).zooms().min_element(), graph));
    let (zoom, best) = all.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (zoom >= WHOLE_ZOOM).then_some(best)
}

/// Positions in rows of columns, every other column half a row lower, so that arrows pass between the states.
fn places(count: usize, columns: usize) -> Vec<Vec2> {
    let lower = |column: usize| if column % 2 == 1 { 3.5 } else { 0.0 };
    let place = |at: usize| {
        let column = at % columns;
        Vec2::new(column as f32 * 18.0, (at / columns) as f32 * 7.0 + lower(column))
    };
    (0..count).map(place).collect()
}

/// Draws the graph in the rest of the window, with tooltips.
pub fn still_ui(ui: &Ui<'_>, graph: &Graph) {
    let area = ui.rest();
    sys::ground_button(ui.imgui, "##still-graph", area.size());
    ui.item("still-graph");
    let is_hovered = ui.is_item_hovered();
    let mut view = GraphView::fitted(ui, graph, area.size());
    let drawn = Drawn::ui(ui, graph, &mut view, area, GraphUse::Proposal, is_hovered);
    let (parts, mouse) = (graph.def.parts(), Vec2::from(ui.io().mouse_pos));
    if !is_hovered {
        return;
    }
    if let Some(node) = drawn.node_at(mouse) {
        let state = node.state.map(|at| &parts.states[at]);
        let text = state.map(|state| format!("{}: plays {}", state.name, described(&state.motion)));
        ui.tip(&text.unwrap_or_else(|| "Transitions from any state".to_owned()), "");
    } else if let Some(arrow) = drawn.arrow_at(mouse) {
        ui.tip(&arrows::text(&parts.transitions[arrow.transition]), "");
    }
}
