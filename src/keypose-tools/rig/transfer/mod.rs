//! Weights from another skinned mesh, for clothes and capes: copied where the surfaces match, and filled in between (Abdrashitov et al.
//! 2023, "Robust Skin Weights Transfer via Weight Inpainting"). The filling is harmonic and not biharmonic, so that weights stay between
//! those that are copied: a cape hangs from the shoulders and doesn't swing back.

mod inpaint;
mod matching;

use std::sync::Arc;

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::mesh::Binding;
use crate::assets::model::Model;
use crate::rig::RigError;
use crate::rig::bind::bound;
use crate::rig::fit::with_skeleton;
use crate::rig::problems::weights_of;
use crate::rig::surface::Surface;
use crate::rig::weights::{Options, Weights, limited};

/// Weights of a surface that are those of another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Transferred {
    /// Bones are those of the other surface.
    pub weights: Weights,
    /// Number of vertices whose weights were copied; those of the others were filled in.
    pub matched: usize,
}

/// Transfers weights between surfaces in the same space. A connected part that matches nowhere follows its nearest place as one piece.
///
/// # Errors
/// If there are no weights, or their number is not that of the vertices.
pub fn transferred(
    from: &Surface,
    weights: &Weights,
    to: &Surface,
    options: &Options,
) -> Result<Transferred, RigError> {
    if weights.len() != from.positions.len() {
        return Err(RigError::Count { weights: weights.len(), vertices: from.positions.len() });
    }
    if from.triangles.iter().flatten().all(|vertex| weights[*vertex as usize].is_empty()) {
        return Err(RigError::NoWeights);
    }
    let (known, matched) = matching::known(from, weights, to);
    let filled = inpaint::filled(to, known);
    let limited: Weights = filled.into_iter().map(|own| limited(own, options)).collect();
    let weights = to.welded.iter().map(|first| limited[*first as usize].clone()).collect();
    Ok(Transferred { weights, matched })
}

/// The model with the weights of another one that is in the same place. One without a skin gets the skeleton of the other; one with a skin
/// keeps its own, whose bones have the same names.
///
/// # Errors
/// If there is nothing to bind, or a bone that is needed doesn't exist.
pub fn onto(model: &Model, from: &Model, options: &Options) -> Result<(Model, Transferred), RigError> {
    let (source, surface) = (Surface::of(from)?, Surface::of(model)?);
    let is_skinned = |model: &Model| model.meshes.iter().any(|slot| matches!(slot.mesh.binding, Binding::Skin(_)));
    if !is_skinned(from) {
        return Err(RigError::NoWeights);
    }
    let mut found = transferred(&source, &weights_of(from, &source), &surface, options)?;
    if is_skinned(model) {
        rename(&mut found.weights, &from.skeleton, &model.skeleton)?;
        return Ok((bound(model, &surface, &found.weights)?, found));
    }
    let bare = with_skeleton(model, &surface, Skeleton::clone(&from.skeleton));
    let surface = Surface::of(&bare)?;
    // The skins of the other model say where its bones are bound, which can differ from where they rest.
    let dressed = Model { skins: from.skins.clone(), rig: from.rig.clone(), ..bare };
    let mut dressed = bound(&dressed, &surface, &found.weights)?;
    dressed.skins.drain(..from.skins.len());
    for slot in &mut dressed.meshes {
        if let Binding::Skin(skin) = slot.mesh.binding {
            Arc::make_mut(&mut slot.mesh).binding = Binding::Skin(skin.saturating_sub(from.skins.len()));
        }
    }
    Ok((dressed, found))
}

/// Replaces the bones of one skeleton by those of another with the same names.
fn rename(weights: &mut Weights, from: &Skeleton, to: &Skeleton) -> Result<(), RigError> {
    let other = |bone: BoneIndex| {
        let name = from.get(bone).map_or("", |bone| bone.name.as_str());
        to.find(name).ok_or_else(|| RigError::NoBoneNamed { name: name.to_owned() })
    };
    for (bone, _) in weights.iter_mut().flatten() {
        *bone = other(*bone)?;
    }
    Ok(())
}
