//! Tangents that follow from the neighbours of a key are left out of a text.

use glam::Vec4;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, HandleKind, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::tangent::resolve_tangents;

/// The tangents of all keys of a clip as the editor computes them.
pub struct Computed(Clip);

impl Computed {
    /// Computes them.
    pub fn of(clip: &Clip) -> Computed {
        let mut resolved = clip.clone();
        resolve_tangents(&mut resolved);
        Computed(resolved)
    }

    /// The tangents of a key: in and out.
    fn tangents(&self, keyframe: usize, at: usize, key: &Key) -> [Vec4; 2] {
        let resolved = &self.0.keyframes[keyframe].keys[at];
        // A rotation that was negated is the same one; the text has the value as it was.
        let sign = if same_bits(resolved.value, key.value) { 1.0 } else { -1.0 };
        [resolved.in_tangent * sign, resolved.out_tangent * sign]
    }

    /// Whether a key has the tangents that it gets if its text has none.
    pub fn has(&self, keyframe: usize, at: usize, key: &Key) -> bool {
        let [before, after] = match key.handles {
            HandleKind::Auto | HandleKind::Flat | HandleKind::Vector => self.tangents(keyframe, at, key),
            // Those of the user: a new key has zero.
            HandleKind::Aligned | HandleKind::Free => [Vec4::ZERO; 2],
        };
        same_bits(before, key.in_tangent) && same_bits(after, key.out_tangent)
    }
}

fn same_bits(a: Vec4, b: Vec4) -> bool {
    a.to_array().map(f32::to_bits) == b.to_array().map(f32::to_bits)
}

/// Computes the tangents of the keys of a clip whose text has none, by keyframe, bone and channel.
pub fn compute(clip: &mut Clip, without: &[(usize, BoneIndex, Channel)]) {
    let computed = Computed::of(clip);
    for &(keyframe, bone, channel) in without {
        let keys = &mut clip.keyframes[keyframe].keys;
        let Ok(at) = keys.binary_search_by_key(&(bone, channel), Key::address) else { continue };
        let [before, after] = computed.tangents(keyframe, at, &keys[at]);
        let key = &mut keys[at];
        (key.in_tangent, key.out_tangent) = (before, after);
    }
}
