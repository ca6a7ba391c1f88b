//! Problems of the weights of the active model, for the panel of the rig mode. The app looks for them in a thread; until it has found them
//! again after an edit, the previous ones are shown.

use std::cell::RefCell;
use std::sync::Arc;

use crate::editor::ops::mirror::Pairs;
use crate::editor::view::cache::Deferred;
use crate::render::frame::bounds::Shape;
use keypose::assets::model::Model;
use keypose_tools::rig::RigError;
use keypose_tools::rig::problems::{Kind, find, weights_of};
use keypose_tools::rig::segments;
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::vertex::VertexRef;
use keypose_tools::rig::weights::Distances;

/// Vertices with the same problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub kind: Kind,
    pub vertices: Vec<VertexRef>,
}

/// The problems of a model, or why they can't be found.
pub type Found = Result<Vec<Listed>, RigError>;

/// A model whose problems are to be found.
#[derive(Clone, Debug)]
pub struct ToFind {
    model: Arc<Model>,
    /// Maximum number of bones of a vertex.
    influences: usize,
}

impl ToFind {
    /// Finds the problems: takes about as long as automatic weights.
    pub fn find(&self) -> Found {
        let model = &*self.model;
        let surface = Surface::of(model)?;
        let distances = Distances::new(&surface, &segments::of_model(model))?;
        let pairs = Pairs::of_model(model);
        let partner = |bone| pairs.partner(bone);
        let problems = find(&surface, &weights_of(model, &surface), &distances, self.influences, partner);
        let vertex = |at: &u32| {
            let at = *at as usize;
            let place = surface.meshes.iter().find(|place| place.vertices.contains(&at))?;
            Some(VertexRef { mesh: place.mesh, vertex: at - place.vertices.start })
        };
        let listed = |problem: keypose_tools::rig::problems::Problem| Listed {
            kind: problem.kind,
            vertices: problem.vertices.iter().filter_map(vertex).collect(),
        };
        Ok(problems.into_iter().map(listed).collect())
    }

    /// Whether both have the same problems.
    fn is_same(&self, other: &ToFind) -> bool {
        let (one, two) = (&self.model, &other.model);
        let is_alike = || one.rig == two.rig && Shape::of(one) == Shape::of(two);
        self.influences == other.influences && (Arc::ptr_eq(one, two) || is_alike())
    }
}

/// The problems that were found last.
#[derive(Clone, Debug, Default)]
pub struct WeightProblems {
    found: RefCell<Option<(ToFind, Arc<Found>)>>,
    deferred: Deferred<ToFind>,
}

impl WeightProblems {
    /// From now on, the app finds them.
    pub fn defer(&self) {
        self.deferred.turn_on();
    }

    /// The model whose problems a frame wanted, if the app finds them: it answers with [`WeightProblems::put`].
    pub fn take_wanted(&self) -> Option<ToFind> {
        self.deferred.take()
    }

    /// Takes what was found.
    pub fn put(&self, wanted: ToFind, found: Found) {
        self.found.replace(Some((wanted, Arc::new(found))));
    }

    /// The problems of a model as they were found last; `None` until they are found.
    pub fn of(&self, model: &Arc<Model>, influences: usize) -> Option<Arc<Found>> {
        let wanted = ToFind { model: model.clone(), influences };
        if !self.found.borrow().as_ref().is_some_and(|(known, _)| known.is_same(&wanted)) {
            if self.deferred.is_on() {
                self.deferred.leave(Some(wanted));
            } else {
                let found = wanted.find();
                self.put(wanted, found);
            }
        }
        let found = self.found.borrow();
        let of_model = |known: &&(ToFind, Arc<Found>)| known.0.model.name == model.name;
        found.as_ref().filter(of_model).map(|(_, found)| found.clone())
    }
}
