//! Bones that have another length, place or parent at rest in the changed model: their keys follow, so that a longer arm stays longer
//! while it moves, and a bone moves with its new parent as it did with the old one.

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::reimport::bones::{FoundBy, heads, size};

/// Bones shorter than this part of their skeleton have no length to compare, such as a root near the origin.
const MIN_PART: f32 = 0.02;

/// Change of a bone's rest pose, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// From the space of the old parent at rest to that of the new one, if it is another bone.
    pub space: Option<Transform>,
    from: Vec3,
    to: Vec3,
    /// New length divided by the old one.
    pub ratio: f32,
}

/// For each bone before, how its rest pose changed; `None` if it did not, or if the bone is gone.
pub fn moved(before: &Skeleton, changed: &Skeleton, found: &[Option<(BoneIndex, FoundBy)>]) -> Vec<Option<Moved>> {
    let rests = [before, changed].map(Skeleton::rest_model_pose);
    let sizes = [before, changed].map(|skeleton| size(&heads(skeleton)));
    let model_of = |at: usize, parent: Option<BoneIndex>| match parent {
        Some(parent) => rests[at].bones[usize::from(parent)].to_mat4(),
        None => Mat4::IDENTITY,
    };
    let of = |(bone, other): (BoneIndex, &Option<(BoneIndex, FoundBy)>)| {
        let other = (*other)?.0;
        let parents = [before.parent(bone), changed.parent(other)];
        let found = |parent: BoneIndex| found.get(usize::from(parent)).copied().flatten().map(|(bone, _)| bone);
        let is_same = parents[0].map(found) == parents[1].map(Some);
        let space = Transform::from_mat4(model_of(1, parents[1]).inverse() * model_of(0, parents[0]));
        let space = (!is_same && space.is_finite()).then_some(space);
        let own = before.get(bone)?.rest.translation;
        let from = space.map_or(own, |space| space.to_mat4().transform_point3(own));
        let to = changed.get(other)?.rest.translation;
        let has_length = [from, to].iter().zip(sizes).all(|(at, size)| size > 0.0 && at.length() > MIN_PART * size);
        let ratio = if has_length { to.length() / from.length() } else { 1.0 };
        let is_moved = space.is_some() || from != to;
        (is_moved && ratio.is_finite()).then_some(Moved { space, from, to, ratio })
    };
    before.indices().zip(found).map(of).collect()
}

impl Moved {
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
                let size = space.scale.element_sum() / 3.0;
                changed(key, |value| value * size, |slope| slope * size)
            }
            Channel::Scalar(_) => *key,
        }
    }
}

fn changed(key: &Key, value: impl Fn(Vec4) -> Vec4, slope: impl Fn(Vec4) -> Vec4) -> Key {
    Key { value: value(key.value), in_tangent: slope(key.in_tangent), out_tangent: slope(key.out_tangent), ..*key }
}
