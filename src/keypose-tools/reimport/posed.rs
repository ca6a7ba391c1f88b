//! Files that rest in another pose: the nodes of many are exported in the current frame of a clip. Bones that the skins of both models bind
//! in the same place are compared in the rest pose before.

use std::collections::BTreeMap;

use glam::{Mat4, Vec3};

use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::model::Model;
use crate::reimport::bones::FoundBy;

/// Binds that differ by less are the same, relative to their size.
const SAME: f32 = 1e-3;

/// Where a bone was bound.
#[derive(Clone, Copy, Debug, Default)]
struct Bind {
    /// From the space of a skin to that of the bone.
    own: Option<Mat4>,
    /// From the bone to its parent, if a skin binds both.
    local: Option<Mat4>,
}

/// The changed skeleton in the rest pose of the one before, as far as bones were bound as before.
pub fn posed_as_before(before: &Model, changed: &Model, found: &[Option<(BoneIndex, FoundBy)>]) -> Skeleton {
    let skeletons: [&Skeleton; 2] = [&before.skeleton, &changed.skeleton];
    let ([old, new], units) = ([before, changed].map(binds), skeletons.map(Skeleton::parent_scales));
    let mut bones = changed.skeleton.bones().to_vec();
    let mut counterparts: Vec<Option<usize>> = vec![None; bones.len()];
    for (at, (other, _)) in found.iter().enumerate().filter_map(|(at, found)| Some((at, (*found)?))) {
        counterparts[usize::from(other)] = Some(at);
    }
    // In model space; parents come before their children.
    let mut places: [Vec<Mat4>; 2] =
        [skeletons[0].rest_model_pose().bones.iter().map(Mat3x4::to_mat4).collect(), vec![]];
    for (other, counterpart) in counterparts.into_iter().enumerate() {
        let parent = bones[other].parent;
        let above = |places: &[Mat4], parent: Option<BoneIndex>| {
            parent.map_or(Mat4::IDENTITY, |parent| places[usize::from(parent)])
        };
        if let Some(at) = counterpart {
            let bone = &skeletons[0].bones()[at];
            let is_found = |parent: BoneIndex| found[usize::from(parent)].map(|(bone, _)| bone);
            let is_regular = bone.parent.map(is_found) == parent.map(Some);
            let has_same_unit = (units[1][other] / units[0][at]).ln().abs() < SAME;
            let is_bound_as_before = match [old[at].local, new[other].local] {
                [Some(old), Some(new)] => is_same(old, new),
                _ => {
                    let is_same_bind = old[at].own.zip(new[other].own).is_some_and(|(old, new)| is_same(old, new));
                    is_same_bind && is_same(above(&places[0], bone.parent), above(&places[1], parent))
                }
            };
            if is_regular && has_same_unit && is_bound_as_before {
                bones[other].rest = bone.rest;
            }
        }
        let place = above(&places[1], parent) * bones[other].rest.to_mat4();
        places[1].push(place);
    }
    Skeleton::new(bones).unwrap_or_else(|_| Skeleton::clone(&changed.skeleton))
}

/// Where the skins bind each bone. One that binds all bones in the same place says nothing.
fn binds(model: &Model) -> Vec<Bind> {
    let mut binds = vec![Bind::default(); model.skeleton.len()];
    let says_nothing = |inverses: &[Mat4]| inverses.windows(2).all(|pair| pair[0] == pair[1]);
    for skin in model.skins.iter().filter(|skin| !says_nothing(&skin.inverse_binds)) {
        let inverses: BTreeMap<BoneIndex, Mat4> =
            skin.joints.iter().copied().zip(skin.inverse_binds.iter().copied()).collect();
        for (bone, inverse) in &inverses {
            let above = model.skeleton.parent(*bone).and_then(|parent| inverses.get(&parent));
            let bind = &mut binds[usize::from(*bone)];
            bind.own = bind.own.or(Some(*inverse));
            bind.local = bind.local.or(above.map(|above| *above * inverse.inverse()));
        }
    }
    binds
}

fn is_same(a: Mat4, b: Mat4) -> bool {
    let is_near = |a: Vec3, b: Vec3| a.distance(b) <= SAME * a.length().max(b.length());
    (0..4).all(|at| is_near(a.col(at).truncate(), b.col(at).truncate()))
}
