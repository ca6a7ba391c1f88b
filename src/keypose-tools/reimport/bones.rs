//! Finds the bones of a model in the changed one: by name, then by place under the same parent.

use glam::Vec3;

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::{MatchedBy, match_names};

/// Criterion by which a bone was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// Equal names.
    Name,
    /// Names that are equal without prefix, case and separators.
    PlainName,
    /// A new bone under the same parent, where the bone was at rest.
    Place,
}

/// The maximum distance of a bone from where it was, as a fraction of the skeleton's size.
const SAME_PLACE: f32 = 0.01;

/// For each bone before, the bone of the changed skeleton. No two have the same.
pub fn match_changed(before: &Skeleton, changed: &Skeleton) -> Vec<Option<(BoneIndex, FoundBy)>> {
    let by_name = |found: Option<(BoneIndex, MatchedBy)>| match found? {
        (bone, MatchedBy::Name) => Some((bone, FoundBy::Name)),
        (bone, MatchedBy::PlainName) => Some((bone, FoundBy::PlainName)),
        // The same part of a body may be another bone of the same rig.
        (_, MatchedBy::PartName | MatchedBy::Shape | MatchedBy::Hand | MatchedBy::Declared) => None,
    };
    let mut found: Vec<_> = match_names(before.into(), changed.into()).into_iter().map(by_name).collect();
    let mut is_free = vec![true; changed.len()];
    found.iter().flatten().for_each(|(bone, _)| is_free[usize::from(*bone)] = false);
    let (old, new) = (heads(before), heads(changed));
    let limit = SAME_PLACE * size(&old);
    // Parents come first, so a renamed chain is followed to its end.
    for bone in 0..before.len() {
        if found[bone].is_some() {
            continue;
        }
        let parent = before.bones()[bone].parent;
        let above = parent.map(|parent| found[usize::from(parent)].map(|(above, _)| above));
        // The parent is gone, and with it the place.
        if above == Some(None) {
            continue;
        }
        let is_candidate =
            |other: &BoneIndex| is_free[usize::from(*other)] && changed.parent(*other) == above.flatten();
        let distance = |other: BoneIndex| old[bone].distance(new[usize::from(other)]);
        let near = changed.indices().filter(is_candidate).filter(|other| distance(*other) <= limit);
        if let Some(near) = near.min_by(|a, b| distance(*a).total_cmp(&distance(*b))) {
            found[bone] = Some((near, FoundBy::Place));
            is_free[usize::from(near)] = false;
        }
    }
    found
}

/// Returns the rest positions of bones in model space.
pub fn heads(skeleton: &Skeleton) -> Vec<Vec3> {
    skeleton.rest_model_pose().bones.iter().map(|bone| bone.translation()).collect()
}

/// The diagonal of the box around them.
pub fn size(heads: &[Vec3]) -> f32 {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (min, max) = heads.iter().fold(start, |(min, max), head| (min.min(*head), max.max(*head)));
    if heads.is_empty() { 0.0 } else { min.distance(max) }
}
