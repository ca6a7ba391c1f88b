//! The state machine: parameters with their preview at the left, the graph in the middle, what is picked at the right.

use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::document::edit::Edit;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::blend::PadDrag;
use crate::editor::panels::machine::graph_view::GraphView;
use crate::editor::panels::machine::naming::Naming;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Tone, Touch};
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::machine::MachineAction;

mod arrows;
mod blend;
mod graph_view;
mod menus;
mod naming;
mod parameters;
mod state;
mod transition;

/// Width of the parameters' column.
const LEFT: f32 = 236.0;
/// Width of the column of what is picked.
const RIGHT: f32 = 304.0;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct MachinePanel {
    graph_view: GraphView,
    naming: Option<Naming>,
    pad: Option<PadDrag>,
}

impl MachinePanel {
    /// True while a name is typed.
    pub fn is_naming(&self) -> bool {
        self.naming.is_some()
    }
}

impl MachinePanel {
    /// The panel's contents.
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let Some(model) = ui.model() else {
            layout::title(ui, "Machine", "");
            return widgets::empty(
                ui,
                "No model is open.",
                "Its states and what leads from one to the other stand here.",
            );
        };
        let Some(graph) = &model.machine.graph else {
            return offer(ui);
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
}

/// Without a machine: what one is, and how to get it.
fn offer(ui: &Ui<'_>) {
    layout::title(ui, "Machine", "");
    let hint = "The game shows each state by the table in the panel Game. A machine adds what the table can't say: \
                blends between clips, fades, and conditions for each way from state to state.";
    widgets::empty(ui, "The table plays.", hint);
    ui.dummy([0.0, 6.0]);
    if widgets::button(ui, "Make a machine from the table##make-machine", [250.0, 26.0], Tone::On) {
        ui.run(Command::MakeMachine);
    }
    ui.tip("It plays as the table does, and can be changed from there", &ui.key_of(Command::MakeMachine));
}

impl MachinePanel {
    fn picked_ui(&mut self, ui: &Ui<'_>, model: &Model, graph: &Graph) {
        use crate::editor::session::machine::Picked;
        match &ui.session.focus.machine.picked {
            Picked::State(name) if graph.def.state(name).is_some() => {
                state::state_ui(ui, (model, graph), name, self);
            }
            Picked::Transition(at) if *at < graph.def.parts().transitions.len() => {
                transition::transition_ui(ui, graph, *at);
            }
            Picked::Any => transition::any_ui(ui, graph),
            _ => nothing_ui(ui, graph),
        }
    }
}

fn nothing_ui(ui: &Ui<'_>, graph: &Graph) {
    let parts = graph.def.parts();
    let figures = format!("{} states, {} transitions", parts.states.len(), parts.transitions.len());
    layout::title(ui, "Machine", &figures);
    let hint = "Click a state or an arrow to change it. Drag from the dot at a state's right to another state for a \
                transition. A right click offers the rest.";
    widgets::empty(ui, "Nothing is picked.", hint);
    ui.dummy([0.0, 8.0]);
    if widgets::button(ui, "Add a state##add-state", [140.0, 24.0], Tone::Plain) {
        ui.run(Command::AddMachineState);
    }
    ui.tip("A state of the open clip", &ui.key_of(Command::AddMachineState));
    ui.same_line();
    if widgets::button(ui, "Back to the table##to-table", [140.0, 24.0], Tone::Bare) {
        ui.run(Command::DropMachine);
    }
    ui.tip("Takes the machine away; undo brings it back", &ui.key_of(Command::DropMachine));
}

/// One step at once.
fn edit(ui: &Ui<'_>, edit: MachineEdit) {
    ui.send(MachineAction::Edit(edit));
}

/// A widget that is dragged or typed into.
fn gesture(ui: &Ui<'_>, graph: &Graph, touch: Touch, edit: &MachineEdit) {
    // What can't be, a number out of its range say, leaves the machine as it is.
    let graph = edit.apply(graph).unwrap_or_else(|_| graph.clone());
    ui.gesture(touch, edit.label(), || change(ui, graph));
}

/// The change to another graph.
fn change(ui: &Ui<'_>, graph: Graph) -> Change {
    let machine = ui.model().map(|model| model.machine.clone()).unwrap_or_default();
    let machine = crate::assets::machine::AnimationTable { graph: Some(graph), ..machine };
    Change::Edits(vec![Edit::SetMachine { model: ui.session.focus.model, machine }])
}
