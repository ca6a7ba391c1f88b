//! The state machine: parameters and preview at the left, the graph in the middle, the picked item at the right.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::blend_pad::PadDrag;
use crate::editor::panels::machine::graph_view::GraphView;
use crate::editor::panels::machine::naming::MachineItem;
use crate::editor::panels::machine::proposal::Proposal;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::assets::machine::Graph;

mod arrows;
mod blend;
mod blend_pad;
mod conditions;
mod fields;
pub mod graph_view;
mod layers;
mod menus;
mod naming;
mod parameters;
mod proposal;
mod routes;
mod state;
mod transition;

/// Width of the column of parameters.
const LEFT: f32 = 236.0;
/// Width of the column of the picked item.
const RIGHT: f32 = 304.0;

#[derive(Debug, Default)]
pub struct MachinePanel {
    graph_view: GraphView,
    naming: Naming<MachineItem>,
    pad: Option<PadDrag>,
    proposal: Proposal,
}

impl MachinePanel {
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            return widgets::empty(ui, "No model open.", "Open a model to edit its states and transitions.");
        };
        let Some(graph) = &model.machine.graph else {
            return self.proposal.ui(ui, model);
        };
        let top = ui.cursor_screen_pos();
        let room = ui.content_region_avail();
        let middle = (room[0] - LEFT - RIGHT - 16.0).max(160.0);
        let columns = [(0.0, LEFT), (LEFT + 8.0, middle), (LEFT + middle + 16.0, RIGHT)];
        for (at, (left, width)) in columns.into_iter().enumerate() {
            ui.set_cursor_screen_pos([top[0] + left, top[1]]);
            let column = ui.child_window(format!("##column{at}")).size([width, room[1]]);
            column.scroll_bar(false).scrollable(false).build(|| match at {
                0 => parameters::parameters_ui(ui, graph, &mut self.naming),
                1 => graph_view::graph_ui(ui, graph, &mut self.graph_view, &mut self.naming),
                _ => self.picked_ui(ui, model, graph),
            });
        }
    }

    fn picked_ui(&mut self, ui: &Ui<'_>, model: &Model, graph: &Graph) {
        match &ui.session.focus.machine {
            Picked::State(name) if graph.def.state(name).is_some() => {
                state::state_ui(ui, model, graph, name, self);
            }
            Picked::Transition(at) if *at < graph.def.parts().transitions.len() => {
                transition::transition_ui(ui, graph, *at);
            }
            Picked::Any => transition::any_ui(ui, graph),
            Picked::Layer(name) => layers::layer_ui(ui, model, graph, name, &mut self.naming),
            _ => nothing_ui(ui, model, graph),
        }
    }
}

fn nothing_ui(ui: &Ui<'_>, model: &Model, graph: &Graph) {
    let parts = graph.def.parts();
    let figures = format!("{} states, {} transitions", parts.states.len(), parts.transitions.len());
    widgets::title(ui, &figures, "");
    let hint = "Click a state or an arrow to edit it. Drag from the dot of a state to another state to add a transition. Right-click for more.";
    widgets::empty(ui, "Nothing selected.", hint);
    ui.dummy([0.0, 8.0]);
    let (place, command) = (ui.here([140.0, 24.0]), Command::AddMachineState);
    let tip = "Add a state that plays the active clip";
    widgets::command_button_about(ui, place, "Add state##add-state", Tone::Plain, command, tip);
    ui.same_line();
    let (place, command) = (ui.here([140.0, 24.0]), Command::RemoveStateMachine);
    let tip = "Delete the state machine and use the animation table";
    widgets::command_button_about(ui, place, "Use table##to-table", Tone::Bare, command, tip);
    ui.dummy([0.0, 8.0]);
    widgets::scrolled(ui, "##layers", 0.0, || layers::list_ui(ui, model, graph));
}

/// Makes one undo step.
fn edit(ui: &Ui<'_>, edit: MachineEdit) {
    ui.send(MachineAction::Edit(edit));
}

/// Turns the touch of a widget into a gesture.
fn gesture(ui: &Ui<'_>, graph: &Graph, touch: Touch, edit: &MachineEdit) {
    // An invalid edit, such as a number out of range, leaves the machine unchanged.
    let graph = edit.apply(graph).unwrap_or_else(|_| graph.clone());
    ui.gesture(touch, edit.label(), || change(ui, graph));
}

/// The change to another graph.
fn change(ui: &Ui<'_>, graph: Graph) -> Change {
    let machine = ui.model().map(|model| model.machine.clone()).unwrap_or_default();
    let machine = keypose::assets::machine::AnimationTable { graph: Some(graph), ..machine };
    Change::Edits(vec![ModelEdit::SetMachine { model: ui.session.focus.model, machine }.into()])
}
