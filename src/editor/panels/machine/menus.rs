//! The context menus of the graph: of a state, of a transition, of the ground between them.

use glam::Vec2;

use crate::anim::machine::parts::{Motion, StateDef, TransitionSource};
use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::canvas::Canvas;
use crate::editor::panels::machine::edit;
use crate::editor::panels::machine::naming::{Named, Naming};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::session::command::Command;

/// The popup's id.
pub const ID: &str = "##graph-menu";

/// What a menu is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Menu {
    /// A state.
    State(String),
    /// The node of any state.
    Any,
    /// A transition.
    Transition(usize),
    /// A place of the grid.
    Ground(Vec2),
}

/// The menu that is open, if one is.
pub fn menus_ui(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    graph: &Graph,
    canvas: &mut Canvas,
    naming: &mut Option<Naming>,
    out: &mut Out,
) {
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup(ID) else { return };
    match &canvas.menu {
        Some(Menu::State(name)) => of_state(kit, seen, graph, name, naming, out),
        Some(Menu::Any) => transitions_to(kit, graph, &TransitionSource::Any, out),
        Some(Menu::Transition(at)) => of_transition(kit, seen, *at, out),
        Some(Menu::Ground(place)) => of_ground(kit, seen, *place, out),
        None => {}
    }
}

fn of_transition(kit: &Kit<'_>, seen: &Seen<'_>, at: usize, out: &mut Out) {
    if menu::item(kit, "Delete the transition", &seen.key_of(Command::DeleteInMachine)) {
        edit(out, MachineEdit::DeleteTransition(at));
    }
}

fn of_state(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, name: &str, naming: &mut Option<Naming>, out: &mut Out) {
    transitions_to(kit, graph, &TransitionSource::State(name.to_owned()), out);
    menu::separator(kit);
    if menu::item(kit, "Rename", "") {
        *naming = Some(Naming::new(Named::State, name));
    }
    if menu::choice(kit, "The machine begins here", graph.def.parts().start == name) {
        edit(out, MachineEdit::SetStart(name.to_owned()));
    }
    if menu::item(kit, "Delete the state", &seen.key_of(Command::DeleteInMachine)) {
        edit(out, MachineEdit::DeleteState(name.to_owned()));
    }
}

fn transitions_to(kit: &Kit<'_>, graph: &Graph, from: &TransitionSource, out: &mut Out) {
    if let Some(_list) = kit.begin_menu("Add a transition to") {
        for state in &graph.def.parts().states {
            if menu::item(kit, &format!("{}##to", state.name), "") {
                edit(out, MachineEdit::AddTransition { from: from.clone(), to: state.name.clone() });
            }
        }
    }
}

fn of_ground(kit: &Kit<'_>, seen: &Seen<'_>, place: Vec2, out: &mut Out) {
    let Some(_list) = kit.begin_menu("Add a state") else { return };
    let clips = seen.model().map(|model| model.clips.as_slice()).unwrap_or_default();
    let mut add = |name: &str, clip: &str| {
        let state = Box::new(StateDef::new(name, Motion::Clip(clip.to_owned())));
        edit(out, MachineEdit::AddState { state, place: (place * 2.0).round() / 2.0 });
    };
    if menu::item(kit, "without a clip", "") {
        add("state", "");
    }
    for slot in clips {
        if menu::item(kit, &format!("{}##clip{}", slot.clip.name, slot.id.0), "") {
            add(&slot.clip.name, &slot.clip.name);
        }
    }
}
