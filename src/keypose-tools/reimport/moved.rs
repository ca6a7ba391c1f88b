//! Bones that have another length, place or parent at rest in the changed model: their keys follow, so that a longer arm stays longer
//! while it moves, and a bone moves with its new parent as it did with the old one.

use std::collections::BTreeSet;

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::anim::key::{Channel, Key};
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::reimport::bones::{FoundBy, heads, size};

/// Bones shorter than this part of their skeleton have no length to compare, such as a root near the origin.
const MIN_PART: f32 = 0.02;
/// Units and axes that differ by less are the same.
const SAME: f32 = 1e-3;
/// A bone that turned by less in the model, in radians, lies as before.
const SAME_ANGLE: f32 = 0.02;

/// Change of a bone's rest pose, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// From the space of the old parent at rest to that of the new one, if that is another bone; or of the same parent, as far as its
    /// units changed but not the size of the model, and its axes but not those of the bone.
    pub space: Option<Transform>,
    /// Whether its parent is another bone.
    pub is_reparented: bool,
    from: Vec3,
    to: Vec3,
    /// New length divided by the old one.
    pub ratio: f32,
    /// New scale divided by the old one.
    scale: Vec3,
}

/// Both skeletons at rest, in model space.
struct Rests {
    poses: [ModelPose; 2],
    sizes: [f32; 2],
    /// Units of the bones' parents.
    parents: [Vec<f32>; 2],
}

/// For each bone before, how its rest pose changed; `None` if it did not, or if the bone is gone. `keyed` has the bones and channels
/// that have keys.
pub fn moved(
    skeletons: [&Skeleton; 2],
    found: &[Option<(BoneIndex, FoundBy)>],
    keyed: &BTreeSet<(usize, Channel)>,
) -> Vec<Option<Moved>> {
    let rests = Rests::of(skeletons);
    let [before, changed] = skeletons;
    let of = |(bone, other): (BoneIndex, &Option<(BoneIndex, FoundBy)>)| {
        let other = (*other)?.0;
        let parents = [before.parent(bone), changed.parent(other)];
        let found = |parent: BoneIndex| found.get(usize::from(parent)).copied().flatten().map(|(bone, _)| bone);
        let is_reparented = parents[0].map(found) != parents[1].map(Some);
        let is_turned = parents[0].is_some_and(|parent| keyed.contains(&(usize::from(parent), Channel::Rotation)));
        let space =
            if is_reparented { rests.space(parents) } else { rests.same_parent([bone, other], parents, is_turned) };
        let [old, new] = [before.get(bone)?.rest, changed.get(other)?.rest];
        let from = space.map_or(old.translation, |space| space.to_mat4().transform_point3(old.translation));
        let to = new.translation;
        let units = [&rests.parents[0][usize::from(bone)], &rests.parents[1][usize::from(other)]];
        let lengths = [from.length() * units[usize::from(space.is_some())], to.length() * units[1]];
        let has_length = lengths.iter().zip(rests.sizes).all(|(length, size)| size > 0.0 && *length > MIN_PART * size);
        let ratio = if has_length { to.length() / from.length() } else { 1.0 };
        let has_size = [old.scale, new.scale].iter().all(|scale| scale.abs().min_element() > 1e-9);
        let scale = if has_size { new.scale / old.scale } else { Vec3::ONE };
        let is_moved = space.is_some() || from != to || scale != Vec3::ONE;
        (is_moved && ratio.is_finite()).then_some(Moved { space, is_reparented, from, to, ratio, scale })
    };
    before.indices().zip(found).map(of).collect()
}

/// For each bone before, its unit divided by that of the changed bone: points in its space are multiplied by it. 1 if the model became
/// larger with it.
pub fn units(skeletons: [&Skeleton; 2], found: &[Option<(BoneIndex, FoundBy)>]) -> Vec<f32> {
    let rests = Rests::of(skeletons);
    let [before, changed] = skeletons.map(Skeleton::bone_scales);
    let of = |(old, other): (f32, &Option<(BoneIndex, FoundBy)>)| {
        let new = other.map_or(old, |(other, _)| changed[usize::from(other)]);
        if rests.has_other_unit([old, new]) { old / new } else { 1.0 }
    };
    before.into_iter().zip(found).map(of).collect()
}

/// From the space of the parent of a bone that is gone to that of the same parent now: in its unit, with axes as for the other bones below
/// it. `None` if both are as before.
pub fn space_of_gone(
    before: &Skeleton,
    (moved, units): (&[Option<Moved>], &[f32]),
    bone: BoneIndex,
) -> Option<Transform> {
    let parent = before.parent(bone)?;
    let others = before.children(parent).filter_map(|other| moved[usize::from(other)]);
    let beside = others.filter(|other| !other.is_reparented).find_map(|other| other.space);
    let rotation = beside.map_or(Quat::IDENTITY, |space| space.rotation);
    let space = Transform { translation: Vec3::ZERO, rotation, scale: Vec3::splat(units[usize::from(parent)]) };
    (space.distance(&Transform::IDENTITY) > SAME).then_some(space)
}

impl Rests {
    fn of(skeletons: [&Skeleton; 2]) -> Rests {
        Rests {
            poses: skeletons.map(Skeleton::rest_model_pose),
            sizes: skeletons.map(|skeleton| size(&heads(skeleton))),
            parents: skeletons.map(Skeleton::parent_scales),
        }
    }

    /// From the space of a bone before to that of a changed one, in the model.
    fn space(&self, bones: [Option<BoneIndex>; 2]) -> Option<Transform> {
        let model_of = |at: usize| bones[at].map_or(Mat4::IDENTITY, |bone| self.poses[at].get(bone).to_mat4());
        let space = Transform::from_mat4(model_of(1).inverse() * model_of(0));
        space.is_finite().then_some(space)
    }

    /// The space of the same parent, if keys don't fit it as they are. `is_turned` if keys of the parent bring its old axes back.
    fn same_parent(
        &self,
        [bone, other]: [BoneIndex; 2],
        parents: [Option<BoneIndex>; 2],
        is_turned: bool,
    ) -> Option<Transform> {
        let (space, own) = (self.space(parents)?, self.space([Some(bone), Some(other)])?);
        let units = [self.parents[0][usize::from(bone)], self.parents[1][usize::from(other)]];
        let scale = if self.has_other_unit(units) { space.scale } else { Vec3::ONE };
        let is_still = own.rotation.angle_between(Quat::IDENTITY) < SAME_ANGLE && !is_turned;
        let rotation = if is_still { space.rotation } else { Quat::IDENTITY };
        let space = Transform { translation: Vec3::ZERO, rotation, scale };
        (space.distance(&Transform::IDENTITY) > SAME).then_some(space)
    }

    /// Whether units differ, and the size of the models less: another unit of a model that became as much larger is no change.
    fn has_other_unit(&self, [old, new]: [f32; 2]) -> bool {
        let (unit, grown) = ((new / old).ln(), (self.sizes[1] / self.sizes[0]).ln());
        unit.abs() > SAME && grown.abs() < (unit - grown).abs()
    }
}

impl Moved {
    /// A bone that stays where it was in the model, though the space of its parent changed.
    pub fn staying(rest: &Transform, space: Transform) -> Moved {
        let to = space.rotation * (rest.translation * space.scale);
        Moved { space: Some(space), is_reparented: false, from: to, to, ratio: 1.0, scale: space.scale }
    }

    /// The rest pose of a bone that [stays](Moved::staying).
    pub fn rest(&self, rest: &Transform) -> Transform {
        let turn = self.space.map_or(Quat::IDENTITY, |space| space.rotation);
        Transform { translation: self.to, rotation: turn * rest.rotation, scale: rest.scale * self.scale }
    }

    /// A key of the bone: it keeps its way from rest, a position in proportion.
    pub fn key(&self, key: &Key) -> Key {
        let space = self.space.unwrap_or(Transform::IDENTITY);
        match key.channel {
            Channel::Translation => {
                let turned = |value: Vec4| (space.rotation * (value.truncate() * space.scale)).extend(0.0);
                let there = |value: Vec4| space.translation + turned(value).truncate();
                let moved = |value: Vec4| (self.to + (there(value) - self.from) * self.ratio).extend(0.0);
                changed(key, moved, |slope| turned(slope) * self.ratio)
            }
            Channel::Rotation => {
                let turned = |value: Vec4| Vec4::from(space.rotation * Quat::from_vec4(value));
                changed(key, turned, turned)
            }
            Channel::Scale => {
                let scaled = |value: Vec4| (value.truncate() * self.scale).extend(0.0);
                changed(key, scaled, scaled)
            }
            Channel::Scalar(_) => *key,
        }
    }
}

fn changed(key: &Key, value: impl Fn(Vec4) -> Vec4, slope: impl Fn(Vec4) -> Vec4) -> Key {
    Key { value: value(key.value), in_tangent: slope(key.in_tangent), out_tangent: slope(key.out_tangent), ..*key }
}
