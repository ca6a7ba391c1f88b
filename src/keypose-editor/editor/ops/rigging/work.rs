//! Work of the rig mode in the volume of meshes: short for a character, seconds for a mesh of a million vertices.

use std::sync::Arc;

use crate::editor::ops::rigging::bind::{Parts, Scope, with_weights};
use crate::editor::ops::rigging::placing::Placing;
use keypose::assets::model::Model;
use keypose_tools::rig::template::Template;
use keypose_tools::rig::transfer::onto;
use keypose_tools::rig::weights::Options;
use keypose_tools::rig::{Reach, RigError};

/// A computation of markers, or of weights, with or without a new skeleton.
#[derive(Clone, Debug)]
pub enum Task {
    /// Weights for the bones as they are.
    Bind(Parts, Scope),
    /// The markers of a template where the meshes propose them.
    Place(&'static Template),
    /// The skeleton of a template, and weights.
    Make(Box<Placing>, Parts),
    /// The weights of another model in the same place, for all meshes or one.
    Transfer { from: Arc<Model>, mesh: Option<usize> },
}

/// The result of a task.
#[derive(Clone, Debug)]
pub enum Made {
    /// The model with new weights.
    Model(Box<Model>),
    /// A template with its markers.
    Markers(Box<Placing>),
}

/// A model and what is computed for it.
#[derive(Clone, Debug)]
pub struct RigWork {
    pub model: Arc<Model>,
    pub options: Options,
    pub task: Task,
}

/// A mesh with more vertices is left to a thread of the app.
const LONG: usize = 20_000;

impl RigWork {
    /// The name of its undo step.
    pub fn label(&self) -> &'static str {
        match self.task {
            Task::Bind(..) => "Bind meshes",
            Task::Place(_) => "Place markers",
            Task::Make(..) => "Make rig",
            Task::Transfer { .. } => "Transfer weights",
        }
    }

    /// Whether it takes longer than a moment.
    pub fn is_long(&self) -> bool {
        self.model.meshes.iter().map(|slot| slot.mesh.positions.len()).sum::<usize>() > LONG
    }

    /// Does the work.
    ///
    /// # Errors
    /// If there is nothing to bind, or nothing to bind it to; or if `reach` ends the work.
    pub fn run(&self, reach: &mut Reach<'_>) -> Result<Made, RigError> {
        let model = match &self.task {
            Task::Place(template) => {
                return Ok(Made::Markers(Box::new(Placing::on(&self.model, template, reach)?)));
            }
            Task::Bind(parts, scope) => with_weights(&self.model, &self.options, *parts, scope, reach)?,
            Task::Make(placing, parts) => placing.rigged(&self.model, &self.options, *parts, reach)?,
            Task::Transfer { from, mesh } => {
                // The mesh itself gives no weights.
                let mut from = Model::clone(from);
                if self.model.name == from.name {
                    let mut at = 0..;
                    from.meshes.retain(|_| at.next() != *mesh);
                }
                onto(&self.model, *mesh, &from, &self.options, reach)?.0
            }
        };
        Ok(Made::Model(Box::new(model)))
    }
}
