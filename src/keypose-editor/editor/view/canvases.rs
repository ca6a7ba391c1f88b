//! Surfaces for the brush of the rig mode, kept while positions and triangles stay: weights may change.

use std::cell::RefCell;
use std::sync::Arc;

use keypose::anim::pose::ModelPose;
use keypose::assets::model::Model;
use keypose_tools::rig::RigError;
use keypose_tools::rig::paint::{Canvas, Shape};

/// The canvas of the active model, and its shape on screen.
#[derive(Clone, Debug, Default)]
pub struct Canvases {
    made: RefCell<Option<(Arc<Model>, Arc<Canvas>)>>,
    posed: RefCell<Option<Posed>>,
}

/// The shape of a canvas for a model with its weights, in a pose.
#[derive(Clone, Debug)]
struct Posed {
    model: Arc<Model>,
    pose: ModelPose,
    shape: Arc<Shape>,
}

impl Canvases {
    /// The canvas of a model. For 100,000 vertices it takes some tenths of a second to make, once.
    ///
    /// # Errors
    /// As [`Canvas::of`].
    pub fn of(&self, model: &Arc<Model>) -> Result<Arc<Canvas>, RigError> {
        let mut made = self.made.borrow_mut();
        if let Some((of, canvas)) = &mut *made
            && (Arc::ptr_eq(of, model) || canvas.is_of(of, model))
        {
            *of = model.clone();
            return Ok(canvas.clone());
        }
        let canvas = Arc::new(Canvas::of(model)?);
        self.posed.replace(None);
        *made = Some((model.clone(), canvas.clone()));
        Ok(canvas)
    }

    /// The shape of a canvas of a model in a pose.
    pub fn posed(&self, canvas: &Canvas, model: &Arc<Model>, pose: &ModelPose) -> Arc<Shape> {
        let mut posed = self.posed.borrow_mut();
        if let Some(known) = &*posed
            && Arc::ptr_eq(&known.model, model)
            && known.pose == *pose
        {
            return known.shape.clone();
        }
        let shape = Arc::new(canvas.posed(model, pose));
        *posed = Some(Posed { model: model.clone(), pose: pose.clone(), shape: shape.clone() });
        shape
    }
}
