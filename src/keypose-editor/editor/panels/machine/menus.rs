//! The context menus of the graph: of a state, a transition and the background.

use glam::Vec2;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::edit;
use crate::editor::panels::machine::naming::MachineItem;
use crate::editor::panels::ui::form::list_in_menu;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{Motion, StateDef, TransitionSource};
use keypose::assets::machine::Graph;

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

/// Draws the entries of a menu.
pub fn entries(ui: &Ui<'_>, graph: &Graph, menu: &Menu, naming: &mut Naming<MachineItem>) {
    match menu {
        Menu::State(name) => of_state(ui, graph, name, naming),
        Menu::Any => transitions_to(ui, graph, &TransitionSource::Any),
        Menu::Transition(at) => of_transition(ui, *at),
        Menu::Ground(place) => of_ground(ui, *place),
    }
}

fn of_transition(ui: &Ui<'_>, at: usize) {
    if menu::item(ui, "Delete transition", &ui.key_of(Command::DeleteInMachine)) {
        edit(ui, MachineEdit::DeleteTransition(at));
    }
}

fn of_state(ui: &Ui<'_>, graph: &Graph, name: &str, naming: &mut Naming<MachineItem>) {
    transitions_to(ui, graph, &TransitionSource::State(name.to_owned()));
    menu::separator(ui);
    if menu::item(ui, "Rename", "") {
        naming.start(ui, MachineItem::State(name.to_owned()), name);
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
        let names: Vec<&str> = graph.def.parts().states.iter().map(|state| state.name.as_str()).collect();
        if let Some(at) = list_in_menu(ui, "to-state", &names) {
            edit(ui, MachineEdit::AddTransition { from: from.clone(), to: names[at].to_owned() });
        }
    }
}

fn of_ground(ui: &Ui<'_>, place: Vec2) {
    let Some(_list) = ui.begin_menu("Add state") else { return };
    let clips = ui.model().map(|model| model.clips.as_slice()).unwrap_or_default();
    let names: Vec<&str> = clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let add = |name: &str, clip: &str| {
        let state = Box::new(StateDef::new(name, Motion::Clip(clip.to_owned())));
        edit(ui, MachineEdit::AddState { state, place: (place * 2.0).round() / 2.0 });
    };
    if menu::item(ui, "Without a clip", "") {
        add("state", "");
    }
    if let Some(at) = list_in_menu(ui, "state-of-clip", &names) {
        add(names[at], names[at]);
    }
}
