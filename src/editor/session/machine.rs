//! The state machine in the editor: what is picked of it, how it is changed, and its preview.

use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::session::machine_preview::Preview;

/// What of the machine is selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Picked {
    /// Nothing: the panel shows the machine as a whole.
    #[default]
    Nothing,
    /// The node that stands for any state.
    Any,
    /// A state by its name.
    State(String),
    /// A transition by its place in the list.
    Transition(usize),
}

/// The machine as it is worked on; not saved.
#[derive(Clone, Debug, Default)]
pub struct MachineDesk {
    /// What is selected.
    pub picked: Picked,
    /// The model plays through the machine, in place of the clip.
    pub preview: Option<Box<Preview>>,
}

impl MachineDesk {
    /// Picks nothing that is gone.
    pub fn tidy(&mut self, graph: Option<&Graph>) {
        let parts = graph.map(|graph| graph.def.parts());
        let is_there = parts.is_some_and(|parts| match &self.picked {
            Picked::Nothing | Picked::Any => true,
            Picked::State(name) => parts.states.iter().any(|state| state.name == *name),
            Picked::Transition(at) => *at < parts.transitions.len(),
        });
        if !is_there {
            self.picked = Picked::Nothing;
        }
    }
}

/// What can be asked of the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum MachineAction {
    /// One step.
    Edit(MachineEdit),
    /// Selects.
    Pick(Picked),
    /// Lets the model play through the machine, or no more.
    Preview(Shown),
    /// Sets a parameter of the preview: a number, or a switch as 0 or 1.
    Set(String, f32),
    /// Fires a trigger of the preview.
    Fire(String),
    /// Adds a state that plays the open clip, below the selected one.
    AddState,
    /// Deletes the selected state or transition.
    DeletePicked,
}

/// Whether the preview is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Shown {
    On,
    Off,
}
