//! Measures over all vertices of a model. The thread that reads a file measures its models, so that the first frame that shows them
//! reads no vertices.

use std::sync::Arc;

use crate::editor::view::root_speed::Proportions;
use crate::render::frame::bounds::{ModelBounds, Shape};
use keypose::anim::bake::measure::Reach;
use keypose::assets::mesh_reach::{ReachParts, reach};
use keypose::assets::model::Model;

/// The measures of a model.
#[derive(Clone, Debug)]
pub struct Measures {
    /// The parts of the model that they follow from.
    pub(super) shape: Shape,
    pub(super) bounds: Arc<ModelBounds>,
    pub(super) proportions: Proportions,
    pub(super) reach: (ReachParts, Arc<Reach>),
}

impl Measures {
    /// Reads every vertex of the model.
    pub fn of(model: &Model) -> Measures {
        let bounds = Arc::new(ModelBounds::of(model));
        let reach = (ReachParts::of(model), Arc::new(reach(model)));
        Measures { shape: Shape::of(model), bounds, proportions: Proportions::of(model), reach }
    }
}
