//! Weights of all meshes of a model, for its skeleton as it is.

use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose_tools::rig::bind::bound;
use keypose_tools::rig::problems::weights_of;
use keypose_tools::rig::segments;
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::weights::{Distances, Options, from_distances, limited, mixed, proposed, rigid};
use keypose_tools::rig::{Reach, RigError};

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

/// Meshes or bones for which weights are computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    All,
    /// These bones; the others share the rest as before.
    Bones(Vec<BoneIndex>),
    /// This mesh.
    Mesh(usize),
}

/// The model with automatic weights. Bones that are named as helpers, such as targets of IK, get none.
///
/// # Errors
/// If there is nothing to bind, no bone to bind it to, or `reach` ends the work.
pub fn with_weights(
    model: &Model,
    options: &Options,
    parts: Parts,
    scope: &Scope,
    reach: &mut Reach<'_>,
) -> Result<Model, RigError> {
    let mut surface = Surface::of(model)?;
    let chosen: &[BoneIndex] = if let Scope::Bones(bones) = scope { bones } else { &[] };
    let distances = Distances::new(&surface, &segments::for_new_weights(model, chosen))?;
    let smooth = from_distances(&surface, &distances, options, reach)?;
    let weights = match parts {
        Parts::Smooth => smooth,
        Parts::Proposed => {
            let methods = proposed(&surface, &distances, &smooth);
            mixed(&surface, smooth, &methods)
        }
        Parts::Rigid => rigid(&surface, &smooth),
    };
    let weights = match scope {
        Scope::All => weights,
        Scope::Bones(bones) => {
            let before = weights_of(model, &surface);
            weights.into_iter().zip(before).map(|(new, before)| of_bones(bones, new, before, options)).collect()
        }
        Scope::Mesh(mesh) => {
            surface.meshes.retain(|place| place.mesh == *mesh);
            weights
        }
    };
    bound(model, &surface, &weights)
}

/// New weights of some bones, and those of the others before, which share the rest.
fn of_bones(bones: &[BoneIndex], new: Own, before: Own, options: &Options) -> Own {
    let is_new = |(bone, _): &(BoneIndex, f32)| bones.contains(bone);
    let sum = |own: &Own| own.iter().map(|(_, weight)| weight).sum::<f32>();
    let chosen: Own = new.iter().copied().filter(is_new).collect();
    if chosen.is_empty() && !before.iter().any(is_new) {
        return before;
    }
    let others: Own = before.into_iter().filter(|one| !is_new(one)).collect();
    let (taken, kept) = (sum(&chosen), sum(&others));
    if kept <= 0.0 {
        return new;
    }
    let rest = others.into_iter().map(|(bone, weight)| (bone, weight / kept * (1.0 - taken)));
    limited(chosen.iter().copied().chain(rest).collect(), options)
}

/// The bones of a vertex and their weights.
type Own = Vec<(BoneIndex, f32)>;
