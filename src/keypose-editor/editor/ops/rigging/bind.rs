//! Weights of all meshes of a model, for its skeleton as it is.

use keypose::assets::model::Model;
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::rig::RigError;
use keypose_tools::rig::bind::bound;
use keypose_tools::rig::segments;
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::weights::{Options, automatic, mixed, proposed, rigid};

/// How the connected parts of meshes are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// All blended between bones.
    Smooth,
    /// Parts that don't bend by one bone each, the others blended.
    Proposed,
    /// Each by one bone.
    Rigid,
}

/// The model with automatic weights. Bones that are named as helpers, such as targets of IK, get none.
///
/// # Errors
/// If there is nothing to bind, or no bone to bind it to.
pub fn with_weights(model: &Model, options: &Options, parts: Parts) -> Result<Model, RigError> {
    let surface = Surface::of(model)?;
    // Without their weights, bones without any take part, too.
    let deforms = segments::deforming(&Model { meshes: Vec::new(), ..model.clone() });
    let is_deforming = |bone| deforms.get(usize::from(bone)).copied().unwrap_or_default();
    let segments = segments::of_pose(&model.skeleton, &bind_pose(model), is_deforming);
    let smooth = automatic(&surface, &segments, options)?;
    let weights = match parts {
        Parts::Smooth => smooth,
        Parts::Proposed => {
            let methods = proposed(&surface, &smooth);
            mixed(&surface, smooth, &methods)
        }
        Parts::Rigid => rigid(&surface, &smooth),
    };
    bound(model, &surface, &weights)
}
