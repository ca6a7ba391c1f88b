//! Edits of a state machine. Each returns a new graph that was checked as a whole, or an error.

use std::sync::Arc;

use glam::Vec2;

use crate::editor::ops::machine_places::arranged;
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::layer_def::LayerDef;
use keypose::anim::machine::parts::{
    Fade, MachineParts, Motion, ParameterDef, StateDef, TransitionDef, TransitionSource, Value,
};
use keypose::assets::machine::Graph;
use keypose::assets::project::unique_name;

/// The fade of a new transition, in seconds.
const NEW_FADE_SECS: f32 = 0.12;

/// An edit of a state machine.
#[derive(Clone, Debug, PartialEq)]
pub enum MachineEdit {
    /// Replaces the animation table by a machine made from the table and the names of the clips.
    Make,
    /// Replaces the machine by the animation table.
    Drop,
    /// Adds a state at a position. A number is added to a name that is taken.
    AddState { state: Box<StateDef>, place: Vec2 },
    /// Renames a state, in its transitions too.
    RenameState { name: String, to: String },
    /// Deletes a state and its transitions.
    DeleteState(String),
    /// Replaces everything of a state but its name.
    SetState(Box<StateDef>),
    /// Sets the start state.
    SetStart(String),
    /// Moves a state on the canvas.
    Place { name: String, place: Vec2 },
    /// Moves all states into columns.
    Arrange,
    /// Adds a transition at the end of the list. It is taken at the end of the clip until it has conditions.
    AddTransition { from: TransitionSource, to: String },
    /// Replaces a transition.
    SetTransition { at: usize, transition: Box<TransitionDef> },
    /// Moves a transition in the list. Earlier ones have priority.
    MoveTransition { from: usize, to: usize },
    /// The transitions after it move up.
    DeleteTransition(usize),
    /// Adds a parameter. A number is added to a name that is taken.
    AddParameter(ParameterDef),
    /// Renames a parameter, in conditions and blends too.
    RenameParameter { name: String, to: String },
    /// Sets the initial value of a parameter.
    SetParameter { name: String, value: Value },
    /// Deletes a parameter that is not used.
    DeleteParameter(String),
    /// Adds a layer on top. A number is added to a name that is taken.
    AddLayer(Box<LayerDef>),
    /// A taken name is an error.
    RenameLayer { name: String, to: String },
    /// Replaces everything of a layer but its name.
    SetLayer(Box<LayerDef>),
    /// Moves a layer in the list. Later ones are over earlier ones.
    MoveLayer { name: String, to: usize },
    /// The layers above it move down.
    DeleteLayer(String),
}

impl MachineEdit {
    /// The name of the undo step.
    pub fn label(&self) -> &'static str {
        match self {
            MachineEdit::Make => "Create state machine",
            MachineEdit::Drop => "Remove state machine",
            MachineEdit::AddState { .. } => "Add state",
            MachineEdit::RenameState { .. } => "Rename state",
            MachineEdit::DeleteState(_) => "Delete state",
            MachineEdit::SetState(_) => "Edit state",
            MachineEdit::SetStart(_) => "Set start state",
            MachineEdit::Place { .. } => "Move state",
            MachineEdit::Arrange => "Arrange states",
            MachineEdit::AddTransition { .. } => "Add transition",
            MachineEdit::SetTransition { .. } => "Edit transition",
            MachineEdit::MoveTransition { .. } => "Reorder transitions",
            MachineEdit::DeleteTransition(_) => "Delete transition",
            MachineEdit::AddParameter(_) => "Add parameter",
            MachineEdit::RenameParameter { .. } => "Rename parameter",
            MachineEdit::SetParameter { .. } => "Set parameter",
            MachineEdit::DeleteParameter(_) => "Delete parameter",
            MachineEdit::AddLayer(_) => "Add layer",
            MachineEdit::RenameLayer { .. } => "Rename layer",
            MachineEdit::SetLayer(_) => "Edit layer",
            MachineEdit::MoveLayer { .. } => "Reorder layers",
            MachineEdit::DeleteLayer(_) => "Delete layer",
        }
    }

    /// The graph with the change. `Make` and `Drop` change nothing here.
    pub fn apply(&self, graph: &Graph) -> Result<Graph, String> {
        let (mut parts, mut places) = (graph.def.parts().clone(), graph.places.clone());
        self.change(&mut parts, &mut places)?;
        if parts == *graph.def.parts() {
            return Ok(Graph { def: graph.def.clone(), places });
        }
        let def = MachineDef::new(parts).map_err(|error| format!("The change makes the machine invalid: {error}"))?;
        Ok(Graph { def: Arc::new(def), places })
    }

    fn change(&self, parts: &mut MachineParts, places: &mut Vec<Vec2>) -> Result<(), String> {
        match self {
            MachineEdit::Make | MachineEdit::Drop => {}
            MachineEdit::AddState { state, place } => {
                let name = unique_name(&state.name, |name| parts.states.iter().any(|state| state.name == name));
                parts.states.push(StateDef { name, ..StateDef::clone(state) });
                places.push(*place);
            }
            MachineEdit::RenameState { name, to } => rename_state(parts, name, to)?,
            MachineEdit::DeleteState(name) => {
                let at = state_at(parts, name)?;
                parts.states.remove(at);
                places.remove(at);
                let names = |transition: &TransitionDef| {
                    transition.to == *name || transition.from == TransitionSource::State(name.clone())
                };
                parts.transitions.retain(|transition| !names(transition));
                if let (true, Some(first)) = (parts.start == *name, parts.states.first()) {
                    parts.start = first.name.clone();
                }
            }
            MachineEdit::SetState(state) => {
                let at = state_at(parts, &state.name)?;
                parts.states[at] = StateDef::clone(state);
                if let Motion::Line(line) = &mut parts.states[at].motion {
                    line.points.sort_by(|a, b| a.at.total_cmp(&b.at));
                }
            }
            MachineEdit::SetStart(name) => parts.start = name.clone(),
            MachineEdit::Arrange => *places = arranged(parts),
            MachineEdit::Place { name, place } => places[state_at(parts, name)?] = *place,
            MachineEdit::AddTransition { from, to } => {
                let exit_time = Some(1.0);
                let fade = Fade::cross(NEW_FADE_SECS);
                let new = TransitionDef { exit_time, fade, ..TransitionDef::new(from.clone(), to.clone()) };
                parts.transitions.push(new);
            }
            MachineEdit::SetTransition { at, transition } => {
                *transition_at(parts, *at)? = TransitionDef::clone(transition);
            }
            MachineEdit::MoveTransition { from, to } => {
                transition_at(parts, *from)?;
                let moved = parts.transitions.remove(*from);
                parts.transitions.insert((*to).min(parts.transitions.len()), moved);
            }
            MachineEdit::DeleteTransition(at) => {
                transition_at(parts, *at)?;
                parts.transitions.remove(*at);
            }
            MachineEdit::AddParameter(parameter) => {
                let is_taken = |name: &str| parts.parameters.iter().any(|parameter| parameter.name == name);
                let name = unique_name(&parameter.name, is_taken);
                parts.parameters.push(ParameterDef { name, value: parameter.value });
            }
            MachineEdit::RenameParameter { name, to } => rename_parameter(parts, name, to)?,
            MachineEdit::SetParameter { name, value } => parameter_at(parts, name)?.value = *value,
            MachineEdit::DeleteParameter(name) => {
                parameter_at(parts, name)?;
                parts.parameters.retain(|parameter| parameter.name != *name);
            }
            edit => return edit.change_layers(&mut parts.layers),
        }
        Ok(())
    }
}

impl MachineEdit {
    /// The part of [`MachineEdit::change`] that is about layers.
    fn change_layers(&self, layers: &mut Vec<LayerDef>) -> Result<(), String> {
        match self {
            MachineEdit::AddLayer(layer) => {
                let name = unique_name(&layer.name, |name| layers.iter().any(|layer| layer.name == name));
                layers.push(LayerDef { name, ..LayerDef::clone(layer) });
            }
            MachineEdit::RenameLayer { name, to } => {
                let at = layer_at(layers, name)?;
                layers[at].name = to.clone();
            }
            MachineEdit::SetLayer(layer) => {
                let at = layer_at(layers, &layer.name)?;
                layers[at] = LayerDef::clone(layer);
            }
            MachineEdit::MoveLayer { name, to } => {
                let at = layer_at(layers, name)?;
                let moved = layers.remove(at);
                layers.insert((*to).min(layers.len()), moved);
            }
            MachineEdit::DeleteLayer(name) => {
                let at = layer_at(layers, name)?;
                layers.remove(at);
            }
            _ => {}
        }
        Ok(())
    }
}

fn layer_at(layers: &[LayerDef], name: &str) -> Result<usize, String> {
    layers.iter().position(|layer| layer.name == name).ok_or_else(|| format!("There is no layer \"{name}\""))
}

fn state_at(parts: &MachineParts, name: &str) -> Result<usize, String> {
    let at = parts.states.iter().position(|state| state.name == name);
    at.ok_or_else(|| format!("There is no state \"{name}\""))
}

fn transition_at(parts: &mut MachineParts, at: usize) -> Result<&mut TransitionDef, String> {
    let count = parts.transitions.len();
    parts.transitions.get_mut(at).ok_or_else(|| format!("There is no transition {}; there are {count}", at + 1))
}

fn parameter_at<'a>(parts: &'a mut MachineParts, name: &str) -> Result<&'a mut ParameterDef, String> {
    let found = parts.parameters.iter_mut().find(|parameter| parameter.name == name);
    found.ok_or_else(|| format!("There is no parameter \"{name}\""))
}

fn rename_state(parts: &mut MachineParts, name: &str, to: &str) -> Result<(), String> {
    let at = state_at(parts, name)?;
    parts.states[at].name = to.to_owned();
    for transition in &mut parts.transitions {
        if transition.from == TransitionSource::State(name.to_owned()) {
            transition.from = TransitionSource::State(to.to_owned());
        }
        if transition.to == name {
            transition.to = to.to_owned();
        }
    }
    if parts.start == name {
        parts.start = to.to_owned();
    }
    Ok(())
}

fn rename_parameter(parts: &mut MachineParts, name: &str, to: &str) -> Result<(), String> {
    parameter_at(parts, name)?.name = to.to_owned();
    let of_states = parts.states.iter_mut().flat_map(|state| {
        let blend = state.motion.parameters_mut().iter_mut();
        blend.chain(std::iter::once(state.pace.by_mut()))
    });
    let of_layers = parts.layers.iter_mut().flat_map(|it| &mut it.conditions);
    let of_transitions = parts.transitions.iter_mut().flat_map(|it| &mut it.conditions);
    let of_conditions = of_transitions.chain(of_layers).map(|it| it.parameter_mut());
    of_states.chain(of_conditions).filter(|named| *named == name).for_each(|named| *named = to.to_owned());
    Ok(())
}
