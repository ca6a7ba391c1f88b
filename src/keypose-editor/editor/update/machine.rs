//! The state machine: edits, selection and preview.

use std::sync::Arc;

use crate::editor::commands::needs;
use crate::editor::document::edit::ModelEdit;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::session::machine::{MachineAction, Picked};
use crate::editor::session::machine_preview::Preview;
use crate::editor::session::scene::PoseSource;
use crate::editor::state::Editor;
use crate::editor::update::{error, info, modes, step};
use keypose::assets::machine::{AnimationTable, Graph};
use keypose::assets::playable::default_graph;

/// Handles a state machine action.
pub fn act(editor: &mut Editor, action: MachineAction) {
    match action {
        MachineAction::Edit(edit) => self::edit(editor, &edit),
        MachineAction::Pick(picked) => {
            editor.session.focus.machine = picked;
            tidy(editor);
        }
        MachineAction::Preview => toggle_preview(editor),
        MachineAction::Set(name, value) => set(editor, &name, value),
        MachineAction::AddState => add_state(editor),
        MachineAction::DeletePicked => delete_picked(editor),
    }
}

fn edit(editor: &mut Editor, edit: &MachineEdit) {
    let Some(model) = editor.model().cloned() else { return };
    let graph = match (edit, &model.machine.graph) {
        (MachineEdit::Make, None) => Ok(Some(default_graph(&model))),
        (MachineEdit::Make, Some(_)) => return info(editor, needs::HAS_MACHINE),
        (MachineEdit::Drop, _) => Ok(None),
        (_, None) => return info(editor, needs::NO_MACHINE),
        (edit, Some(graph)) => edit.apply(graph).map(Some),
    };
    let graph = match graph {
        Ok(graph) => graph,
        Err(reason) => return error(editor, reason),
    };
    let picked = picked_after(edit, graph.as_ref());
    let machine = AnimationTable { graph, ..model.machine.clone() };
    step(editor, edit.label(), ModelEdit::SetMachine { model: editor.session.focus.model, machine });
    if let Some(picked) = picked {
        editor.session.focus.machine = picked;
    }
    tidy(editor);
}

/// The selection after an edit: the item that was added or renamed. `None` keeps it.
fn picked_after(edit: &MachineEdit, graph: Option<&Graph>) -> Option<Picked> {
    let parts = graph?.def.parts();
    match edit {
        MachineEdit::AddState { .. } => parts.states.last().map(|state| Picked::State(state.name.clone())),
        MachineEdit::AddTransition { .. } => Some(Picked::Transition(parts.transitions.len() - 1)),
        MachineEdit::RenameState { to, .. } => Some(Picked::State(to.clone())),
        MachineEdit::MoveTransition { to, .. } => Some(Picked::Transition((*to).min(parts.transitions.len() - 1))),
        MachineEdit::AddLayer(_) => parts.layers.last().map(|layer| Picked::Layer(layer.name.clone())),
        MachineEdit::RenameLayer { to, .. } => Some(Picked::Layer(to.clone())),
        MachineEdit::DeleteState(_) | MachineEdit::DeleteTransition(_) | MachineEdit::DeleteLayer(_) => {
            Some(Picked::Nothing)
        }
        _ => None,
    }
}

fn toggle_preview(editor: &mut Editor) {
    if editor.session.transient.pose.machine().is_some() {
        return modes::show_preview(editor, PoseSource::default());
    }
    match editor.model().and_then(Preview::new) {
        Some(preview) => modes::show_preview(editor, PoseSource::Machine(Box::new(preview))),
        None => info(editor, needs::NO_MACHINE),
    }
}

/// Starts the preview if it is off, and sets one of its parameters.
fn set(editor: &mut Editor, name: &str, value: f32) {
    if editor.session.transient.pose.machine().is_none() {
        toggle_preview(editor);
    }
    if let PoseSource::Machine(preview) = &mut editor.session.transient.pose {
        preview.set(name, value);
    }
}

/// Deletes the selected state, transition or layer.
fn delete_picked(editor: &mut Editor) {
    match editor.session.focus.machine.clone() {
        Picked::State(name) => edit(editor, &MachineEdit::DeleteState(name)),
        Picked::Transition(at) => edit(editor, &MachineEdit::DeleteTransition(at)),
        Picked::Layer(name) => edit(editor, &MachineEdit::DeleteLayer(name)),
        Picked::Nothing | Picked::Any => {}
    }
}

/// Adds a state that plays the active clip.
fn add_state(editor: &mut Editor) {
    let clip = editor.clip().map(|slot| slot.clip.name.clone()).unwrap_or_default();
    let Some(graph) = editor.model().and_then(|model| model.machine.graph.clone()) else {
        return info(editor, needs::NO_MACHINE);
    };
    let edit = new_state(&graph, &editor.session.focus.machine, &clip);
    self::edit(editor, &edit);
}

/// A new state below the selected one, or below all.
fn new_state(graph: &Graph, picked: &Picked, clip: &str) -> MachineEdit {
    use keypose::anim::machine::parts::{Motion, StateDef};
    let beside = match picked {
        Picked::State(name) => graph.def.state(name).map(|at| graph.places[at]),
        _ => graph.places.iter().copied().max_by(|a, b| a.y.total_cmp(&b.y)),
    };
    let place = beside.unwrap_or_default() + glam::Vec2::new(0.0, 6.0);
    let name = if clip.is_empty() { "state" } else { clip };
    MachineEdit::AddState { state: Box::new(StateDef::new(name, Motion::Clip(clip.to_owned()))), place }
}

/// Removes missing items from the selection and the preview.
pub fn tidy(editor: &mut Editor) {
    let model: Option<Arc<_>> = editor.model().cloned();
    let graph = model.as_ref().and_then(|model| model.machine.graph.as_ref());
    editor.session.focus.machine.tidy(graph);
}
