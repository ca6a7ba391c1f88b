//! Weights from another skinned mesh, for clothes and capes: copied where the surfaces match, and filled in between (Abdrashitov et al.
//! 2023, "Robust Skin Weights Transfer via Weight Inpainting"). The filling is harmonic and not biharmonic, so that weights stay between
//! those that are copied: a cape hangs from the shoulders and doesn't swing back.

mod inpaint;
mod matching;

use std::sync::Arc;

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::mesh::Binding;
use crate::assets::model::Model;
use crate::rig::bind::bound;
use crate::rig::fit::with_skeleton;
use crate::rig::problems::weights_of;
use crate::rig::surface::Surface;
use crate::rig::weights::{Options, Weights, limited};
use crate::rig::{Reach, RigError};

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
/// If there are no weights, their number is not that of the vertices, or `reach` ends the work.
pub fn transferred(
    from: &Surface,
    weights: &Weights,
    to: &Surface,
    options: &Options,
    reach: &mut Reach<'_>,
) -> Result<Transferred, RigError> {
    if weights.len() != from.positions.len() {
        return Err(RigError::Count { weights: weights.len(), vertices: from.positions.len() });
    }
    if from.triangles.iter().flatten().all(|vertex| weights[*vertex as usize].is_empty()) {
        return Err(RigError::NoWeights);
    }
    let (known, matched) = matching::known(from, weights, to);
    reach(0.4)?;
    let filled = inpaint::filled(to, known, &mut |part| reach(0.4 + 0.5 * part))?;
    let limited: Weights = filled.into_iter().map(|own| limited(own, options)).collect();
    let weights = to.welded.iter().map(|first| limited[*first as usize].clone()).collect();
    Ok(Transferred { weights, matched })
}

/// The model with the weights of another one that is in the same place. One without a skin gets the skeleton of the other; one with a skin
/// keeps its own, whose bones have the same names; of it, a single mesh can be chosen.
///
/// # Errors
/// If there is nothing to bind, a bone that is needed doesn't exist, or `reach` ends the work.
pub fn onto(
    model: &Model,
    mesh: Option<usize>,
    from: &Model,
    options: &Options,
    reach: &mut Reach<'_>,
) -> Result<(Model, Transferred), RigError> {
    let has_skin = model.is_skinned();
    let surface = match mesh.filter(|_| has_skin) {
        Some(mesh) => Surface::of_meshes(model, |other| other == mesh)?,
        None => Surface::of(model)?,
    };
    if !from.is_skinned() {
        return Err(RigError::NoWeights);
    }
    let source = Surface::of(from)?;
    reach(0.1)?;
    let mut found = transferred(&source, &weights_of(from, &source), &surface, options, reach)?;
    if has_skin {
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
