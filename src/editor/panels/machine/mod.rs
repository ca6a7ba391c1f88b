//! The state machine: parameters with their preview at the left, the graph in the middle, what is picked at the right.

use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::document::edit::Edit;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::blend::PadDrag;
use crate::editor::panels::machine::canvas::Canvas;
use crate::editor::panels::machine::naming::Naming;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Tone, Touch};
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::machine::MachineAction;

mod arrows;
mod blend;
mod canvas;
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
pub struct MachineLocal {
    canvas: Canvas,
    naming: Option<Naming>,
    pad: Option<PadDrag>,
}

impl MachineLocal {
    /// True while a name is typed.
    pub fn is_naming(&self) -> bool {
        self.naming.is_some()
    }
}

/// The panel's contents.
pub fn machine_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut MachineLocal, out: &mut Out) {
    let Some(model) = seen.model() else {
        layout::title(kit, "Machine", "");
        return widgets::empty(kit, "No model is open.", "Its states and what leads from one to the other stand here.");
    };
    let Some(graph) = &model.machine.graph else {
        return offer(kit, seen, out);
    };
    let top = kit.cursor_screen_pos();
    let room = kit.content_region_avail();
    let middle = (room[0] - LEFT - RIGHT - 16.0).max(160.0);
    let columns = [(0.0, LEFT), (LEFT + 8.0, middle), (LEFT + middle + 16.0, RIGHT)];
    for (at, (left, width)) in columns.into_iter().enumerate() {
        kit.set_cursor_screen_pos([top[0] + left, top[1]]);
        let column = kit.child_window(format!("##column{at}")).size([width, room[1]]);
        column.scroll_bar(false).scrollable(false).build(|| match at {
            0 => parameters::parameters_ui(kit, seen, graph, &mut local.naming, out),
            1 => canvas::canvas_ui(kit, seen, graph, &mut local.canvas, &mut local.naming, out),
            _ => picked_ui(kit, seen, model, graph, local, out),
        });
    }
}

/// Without a machine: what one is, and how to get it.
fn offer(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    layout::title(kit, "Machine", "");
    let hint = "The game shows each state by the table in the panel Game. A machine adds what the table can't say: \
                blends between clips, fades, and conditions for each way from state to state.";
    widgets::empty(kit, "The table plays.", hint);
    kit.dummy([0.0, 6.0]);
    if widgets::button(kit, "Make a machine from the table##make-machine", [250.0, 26.0], Tone::On) {
        out.run(Command::MakeMachine);
    }
    kit.tip("It plays as the table does, and can be changed from there", &seen.key_of(Command::MakeMachine));
}

fn picked_ui(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, graph: &Graph, local: &mut MachineLocal, out: &mut Out) {
    use crate::editor::session::machine::Picked;
    match &seen.session.focus.machine.picked {
        Picked::State(name) if graph.def.state(name).is_some() => {
            state::state_ui(kit, seen, (model, graph), name, local, out);
        }
        Picked::Transition(at) if *at < graph.def.parts().transitions.len() => {
            transition::transition_ui(kit, seen, graph, *at, out);
        }
        Picked::Any => transition::any_ui(kit, seen, graph, out),
        _ => nothing_ui(kit, seen, graph, out),
    }
}

fn nothing_ui(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, out: &mut Out) {
    let parts = graph.def.parts();
    let figures = format!("{} states, {} transitions", parts.states.len(), parts.transitions.len());
    layout::title(kit, "Machine", &figures);
    let hint = "Click a state or an arrow to change it. Drag from the dot at a state's right to another state for a \
                transition. A right click offers the rest.";
    widgets::empty(kit, "Nothing is picked.", hint);
    kit.dummy([0.0, 8.0]);
    if widgets::button(kit, "Add a state##add-state", [140.0, 24.0], Tone::Plain) {
        out.run(Command::AddMachineState);
    }
    kit.tip("A state of the open clip", &seen.key_of(Command::AddMachineState));
    kit.same_line();
    if widgets::button(kit, "Back to the table##to-table", [140.0, 24.0], Tone::Bare) {
        out.run(Command::DropMachine);
    }
    kit.tip("Takes the machine away; undo brings it back", &seen.key_of(Command::DropMachine));
}

/// One step at once.
fn edit(out: &mut Out, edit: MachineEdit) {
    out.push(MachineAction::Edit(edit));
}

/// A widget that is dragged or typed into.
fn gesture(out: &mut Out, seen: &Seen<'_>, graph: &Graph, touch: Touch, edit: &MachineEdit) {
    // What can't be, a number out of its range say, leaves the machine as it is.
    let graph = edit.apply(graph).unwrap_or_else(|_| graph.clone());
    out.gesture(touch, edit.label(), || change(seen, graph));
}

/// The change to another graph.
fn change(seen: &Seen<'_>, graph: Graph) -> Change {
    let machine = seen.model().map(|model| model.machine.clone()).unwrap_or_default();
    let machine = crate::assets::machine::AnimationTable { graph: Some(graph), ..machine };
    Change::Edits(vec![Edit::SetMachine { model: seen.session.focus.model, machine }])
}
