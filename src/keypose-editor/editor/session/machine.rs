//! The state machine panel: its selection and its preview.

use crate::editor::ops::machine_edit::MachineEdit;
use keypose::assets::machine::Graph;

/// The selected item of the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Picked {
    /// Nothing: the panel shows the machine as a whole.
    #[default]
    Nothing,
    /// The node "any state".
    Any,
    /// A state, by name.
    State(String),
    /// A transition, by index.
    Transition(usize),
    /// A layer, by name.
    Layer(String),
}

impl Picked {
    /// Deselects an item that no longer exists.
    pub fn tidy(&mut self, graph: Option<&Graph>) {
        let parts = graph.map(|graph| graph.def.parts());
        let is_there = parts.is_some_and(|parts| match &*self {
            Picked::Nothing | Picked::Any => true,
            Picked::State(name) => parts.states.iter().any(|state| state.name == *name),
            Picked::Transition(at) => *at < parts.transitions.len(),
            Picked::Layer(name) => parts.layers.iter().any(|layer| layer.name == *name),
        });
        if !is_there {
            *self = Picked::Nothing;
        }
    }
}

/// A change of the state machine panel or of the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum MachineAction {
    /// One undo step.
    Edit(MachineEdit),
    /// Selects an item.
    Pick(Picked),
    /// Starts or ends the preview.
    Preview,
    /// Starts the preview if it is off, and sets one of its parameters: a number, or a switch as 0 or 1. Any number fires a trigger.
    Set(String, f32),
    /// Adds a state that plays the open clip, below the selected one.
    AddState,
    /// Deletes the selected state, transition or layer.
    DeletePicked,
}
