//! The context menus of the graph: of a state, a transition and the background.

use glam::Vec2;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::edit;
use crate::editor::panels::machine::graph_view::GraphView;
use crate::editor::panels::machine::naming::{Named, Naming};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{Motion, StateDef, TransitionSource};
use keypose::assets::machine::Graph;

/// The popup's id.
pub const ID: &str = "##graph-menu";

/// The target of a menu.
#[derive(Clone, Debug, PartialEq)]
pub enum Menu {
    State(String),
    /// The node "any state".
    Any,
    Transition(usize),
    /// The background, at a position in grid steps.
    Ground(Vec2),
}

/// Draws the open menu.
pub fn menus_ui(ui: &Ui<'_>, graph: &Graph, graph_view: &mut GraphView, naming: &mut Option<Naming>) {
    let Some(_popup) = menu::popup(ui, ID) else { return };
    match &graph_view.menu {
        Some(Menu::State(name)) => of_state(ui, graph, name, naming),
        Some(Menu::Any) => transitions_to(ui, graph, &TransitionSource::Any),
        Some(Menu::Transition(at)) => of_transition(ui, *at),
        Some(Menu::Ground(place)) => of_ground(ui, *place),
        None => {}
    }
}

fn of_transition(ui: &Ui<'_>, at: usize) {
    if menu::item(ui, "Delete transition", &ui.key_of(Command::DeleteInMachine)) {
        edit(ui, MachineEdit::DeleteTransition(at));
    }
}

fn of_state(ui: &Ui<'_>, graph: &Graph, name: &str, naming: &mut Option<Naming>) {
    transitions_to(ui, graph, &TransitionSource::State(name.to_owned()));
    menu::separator(ui);
    if menu::item(ui, "Rename", "") {
        *naming = Some(Naming::new(Named::State, name));
    }
    if menu::choice(ui, "Start state", graph.def.parts().start == name) {
        edit(ui, MachineEdit::SetStart(name.to_owned()));
    }
    if menu::item(ui, "Delete state", &ui.key_of(Command::DeleteInMachine)) {
        edit(ui, MachineEdit::DeleteState(name.to_owned()));
    }
}

fn transitions_to(ui: &Ui<'_>, graph: &Graph, from: &TransitionSource) {
    if let Some(_list) = ui.begin_menu("Add transition to") {
        for state in &graph.def.parts().states {
            if menu::item(ui, &format!("{}##to", state.name), "") {
                edit(ui, MachineEdit::AddTransition { from: from.clone(), to: state.name.clone() });
            }
        }
    }
}

fn of_ground(ui: &Ui<'_>, place: Vec2) {
    let Some(_list) = ui.begin_menu("Add state") else { return };
    let clips = ui.model().map(|model| model.clips.as_slice()).unwrap_or_default();
    let add = |name: &str, clip: &str| {
        let state = Box::new(StateDef::new(name, Motion::Clip(clip.to_owned())));
        edit(ui, MachineEdit::AddState { state, place: (place * 2.0).round() / 2.0 });
    };
    if menu::item(ui, "Without a clip", "") {
        add("state", "");
    }
    for slot in clips {
        if menu::item(ui, &format!("{}##clip{}", slot.clip.name, slot.id.0), "") {
            add(&slot.clip.name, &slot.clip.name);
        }
    }
}
