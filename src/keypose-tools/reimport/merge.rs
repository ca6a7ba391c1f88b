//! The skeleton of a re-import: the bones of the changed model, and missing bones that are still used.

use std::collections::{BTreeMap, BTreeSet};

use crate::anim::key::{Channel, Key};
use crate::anim::scalar::{Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::transform::Transform;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;
use crate::assets::project::{UsedNames, unique_name};
use crate::reimport::bones::FoundBy;
use crate::reimport::moved::{Moved, moved, spaces};
use crate::reimport::posed::posed_as_before;
use crate::reimport::table::keyed;
use crate::reimport::weights::{self, Found};

/// A merged skeleton, with the indices of both models' bones.
pub struct Merged {
    pub skeleton: Skeleton,
    /// For each bone before; `None` if it is gone and unused.
    pub of_before: Vec<Option<BoneIndex>>,
    /// For each bone of the changed model.
    pub of_changed: Vec<BoneIndex>,
    /// For each scalar before; `None` if its bone is gone and unused. Those of the changed model come first, in their order.
    scalars_before: Vec<Option<ScalarIndex>>,
    /// Scalar of the changed model for each scalar before.
    pub found_scalars: Found,
    /// The changed skeleton as it is compared with the one before.
    pub posed: Skeleton,
    /// For each bone before, how its rest position changed.
    pub moved: Vec<Option<Moved>>,
    /// For each bone before, the map of points in its space.
    pub spaces: Vec<Transform>,
}

/// A bone before it has its place in the order.
struct Loose {
    bone: Bone,
    parent: Option<usize>,
}

/// Merges two skeletons. `uses` lists the users of each bone in the model before.
pub fn merge(
    before: &Model,
    changed: &Model,
    found: &[Option<(BoneIndex, FoundBy)>],
    uses: &[Vec<String>],
) -> Result<Merged, String> {
    let loose = |bone: &Bone| Loose { bone: bone.clone(), parent: bone.parent.map(usize::from) };
    let mut all: Vec<Loose> = changed.skeleton.bones().iter().map(loose).collect();
    let mut places: Vec<Option<usize>> = found.iter().map(|found| found.map(|(bone, _)| usize::from(bone))).collect();
    let mut names = UsedNames::default();
    all.iter().for_each(|loose| drop(names.take(&loose.bone.name)));
    let posed = posed_as_before(before, changed, found);
    let skeletons: [&Skeleton; 2] = [&before.skeleton, &posed];
    let spaces = spaces(skeletons, found, &keyed(before));
    let mut moved = moved(skeletons, found, &spaces);
    for at in kept_bones(before, found, uses) {
        let bone = &before.skeleton.bones()[at];
        let parent = bone.parent.and_then(|parent| places[usize::from(parent)]);
        places[at] = Some(all.len());
        let space = bone.parent.map_or(Transform::IDENTITY, |parent| spaces[usize::from(parent)]);
        moved[at] = (space != Transform::IDENTITY).then(|| Moved::staying(&bone.rest, space));
        let rest = moved[at].map_or(bone.rest, |moved| moved.rest(&bone.rest));
        all.push(Loose { bone: Bone { name: names.take(&bone.name), rest, ..bone.clone() }, parent });
    }
    let parents: Vec<Option<usize>> = all.iter().map(|loose| loose.parent).collect();
    let mut order = Skeleton::level_order(&parents).ok_or("the bones form a cycle")?;
    // Root motion is that of the first bone, which stays the first if it is topmost.
    let first = places.first().copied().flatten().filter(|first| parents[*first].is_none());
    if let Some(at) = order.iter().position(|loose| Some(*loose) == first) {
        order[..=at].rotate_right(1);
    }
    let mut place_of = vec![0; all.len()];
    order.iter().enumerate().for_each(|(place, loose)| place_of[*loose] = place);
    let index = |at: usize| place_of[at] as BoneIndex;
    let bones = order.iter().map(|at| Bone { parent: all[*at].parent.map(index), ..all[*at].bone.clone() });
    let skeleton = Skeleton::new(bones.collect()).map_err(|error| error.to_string())?;
    let of_changed: Vec<BoneIndex> = (0..changed.skeleton.len()).map(index).collect();
    let of_before: Vec<Option<BoneIndex>> = places.into_iter().map(|place| place.map(index)).collect();
    let found_scalars = weights::found([&before.skeleton, &changed.skeleton], &of_before, &of_changed);
    let (scalars, scalars_before) = merged_scalars(before, changed, (&of_before, &of_changed), &found_scalars);
    let skeleton = skeleton.with_scalars(scalars).map_err(|error| error.to_string())?;
    Ok(Merged { skeleton, of_before, of_changed, scalars_before, found_scalars, posed, moved, spaces })
}

/// The scalars of the changed model, then those of the model before that it lacks: properties, visibilities, and weights that have
/// keys.
fn merged_scalars(
    before: &Model,
    changed: &Model,
    (of_before, of_changed): (&[Option<BoneIndex>], &[BoneIndex]),
    found: &Found,
) -> (Vec<Scalar>, Vec<Option<ScalarIndex>>) {
    let placed = |scalar: &Scalar| Scalar { bone: of_changed[usize::from(scalar.bone)], ..scalar.clone() };
    let mut all: Vec<Scalar> = changed.skeleton.scalars().iter().map(placed).collect();
    let keyed = keyed_scalars(before);
    let place = |(index, scalar): (ScalarIndex, &Scalar)| {
        let bone = (*of_before.get(usize::from(scalar.bone))?)?;
        let found = found.get(usize::from(index)).copied().flatten().map(|(other, _)| usize::from(other));
        if found.is_none() && scalar.kind == ScalarKind::Weight && !keyed.contains(&index) {
            return None;
        }
        let at = found.unwrap_or_else(|| {
            let is_taken = |name: &str| all.iter().any(|other| other.bone == bone && other.name == name);
            let name = unique_name(&scalar.name, is_taken);
            all.push(Scalar { bone, name, ..scalar.clone() });
            all.len() - 1
        });
        ScalarIndex::try_from(at).ok()
    };
    let places = (0..).zip(before.skeleton.scalars()).map(place).collect();
    (all, places)
}

/// The scalars that have keys in clips or drafts.
fn keyed_scalars(model: &Model) -> BTreeSet<ScalarIndex> {
    let clips = model.clips.iter().filter(|slot| slot.clip.keyframes.has_scalars());
    let of_clips = clips.flat_map(|slot| slot.clip.keyframes.iter()).flat_map(|keyframe| keyframe.keys.iter());
    let of_drafts = model.drafts.iter().flat_map(|draft| &draft.keys);
    of_clips.chain(of_drafts).filter_map(|key| key.channel.scalar()).collect()
}

/// The bones that are gone but used, and those above them that are gone, too; parents first.
fn kept_bones(before: &Model, found: &[Option<(BoneIndex, FoundBy)>], uses: &[Vec<String>]) -> Vec<usize> {
    let mut is_kept: Vec<bool> =
        uses.iter().zip(found).map(|(uses, found)| !uses.is_empty() && found.is_none()).collect();
    for at in (0..is_kept.len()).rev() {
        let parent = before.skeleton.bones()[at].parent.map(usize::from);
        if let Some(parent) = parent.filter(|parent| is_kept[at] && found[*parent].is_none()) {
            is_kept[parent] = true;
        }
    }
    (0..is_kept.len()).filter(|at| is_kept[*at]).collect()
}

impl Merged {
    /// Whether a scalar before is one of the merged skeleton.
    pub fn keeps_scalar(&self, at: usize) -> bool {
        self.scalars_before.get(at).is_some_and(Option::is_some)
    }

    /// A scalar of the model before; `None` if it is gone.
    pub fn scalar_of_before(&self, scalar: ScalarIndex) -> Option<ScalarIndex> {
        self.scalars_before.get(usize::from(scalar)).copied().flatten()
    }

    /// A key of the model before, with positions of bones that have another length in proportion; `None` if its bone is gone and
    /// unused. Keys of bones that never existed stay so.
    pub fn key_of_before(&self, key: &Key) -> Option<Key> {
        let bone = match self.of_before.get(usize::from(key.bone)) {
            Some(place) => (*place)?,
            None => (key.bone - self.of_before.len() as BoneIndex).saturating_add(self.skeleton.len() as BoneIndex),
        };
        let channel = match key.channel.scalar().filter(|scalar| usize::from(*scalar) < self.scalars_before.len()) {
            Some(scalar) => Channel::Scalar(self.scalar_of_before(scalar)?),
            None => key.channel,
        };
        let moved = self.moved.get(usize::from(key.bone)).copied().flatten();
        let key = moved.map_or(*key, |moved| moved.key(key));
        Some(Key { bone, channel, ..key })
    }

    /// A key of the changed model.
    pub fn key_of_changed(&self, key: &Key) -> Option<Key> {
        self.of_changed.get(usize::from(key.bone)).map(|bone| Key { bone: *bone, ..*key })
    }

    /// A skin of the changed model.
    pub fn skin(&self, skin: &Skin) -> Skin {
        let joints = skin.joints.iter().map(|joint| self.of_changed[usize::from(*joint)]).collect();
        Skin { joints, ..skin.clone() }
    }

    /// A mesh of the changed model.
    pub fn mesh(&self, mesh: &Mesh) -> Mesh {
        let binding = match mesh.binding {
            Binding::Bone(bone) => Binding::Bone(self.of_changed[usize::from(bone)]),
            Binding::Skin(skin) => Binding::Skin(skin),
        };
        Mesh { binding, ..mesh.clone() }
    }

    /// The new names of bones that were renamed, by their names before.
    pub fn renamed<'s>(&self, before: &'s Skeleton) -> BTreeMap<&'s str, String> {
        let pairs = before.bones().iter().zip(&self.of_before);
        let names =
            pairs.filter_map(|(bone, place)| Some((bone.name.as_str(), self.skeleton.get((*place)?)?.name.clone())));
        names.filter(|(old, new)| old != new).collect()
    }
}
