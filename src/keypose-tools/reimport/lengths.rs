//! Bones that have another length or place at rest in the changed model: keys of their positions follow, so that a longer arm stays
//! longer while it moves.

use glam::{Vec3, Vec4};

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::reimport::bones::FoundBy;

/// Shorter bones have no length to compare.
const MIN_LENGTH: f32 = 1e-6;

/// Change of a bone's rest position, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    from: Vec3,
    to: Vec3,
    /// New length divided by the old one.
    pub ratio: f32,
}

/// For each bone before, how its rest position changed; `None` if it did not, or if the bone is gone.
pub fn moved(before: &Skeleton, changed: &Skeleton, found: &[Option<(BoneIndex, FoundBy)>]) -> Vec<Option<Moved>> {
    let of = |(bone, found): (BoneIndex, &Option<(BoneIndex, FoundBy)>)| {
        let (from, to) = (before.get(bone)?.rest.translation, changed.get((*found)?.0)?.rest.translation);
        let has_length = from.length() > MIN_LENGTH && to.length() > MIN_LENGTH;
        let ratio = if has_length { to.length() / from.length() } else { 1.0 };
        (from != to && ratio.is_finite()).then_some(Moved { from, to, ratio })
    };
    before.indices().zip(found).map(of).collect()
}

impl Moved {
    /// A key of the bone: a position keeps its way from rest, in proportion.
    pub fn key(&self, key: &Key) -> Key {
        if key.channel != Channel::Translation {
            return *key;
        }
        let moved = |value: Vec4| (self.to + (value.truncate() - self.from) * self.ratio).extend(0.0);
        let slope = |value: Vec4| value * self.ratio;
        Key { value: moved(key.value), in_tangent: slope(key.in_tangent), out_tangent: slope(key.out_tangent), ..*key }
    }
}
