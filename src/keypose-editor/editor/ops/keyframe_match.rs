//! Which keyframes of a changed clip were there before the change.

use std::collections::BTreeMap;

use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::time::Time;

/// For each of the first `limit` keyframes of a changed clip, the keyframe that it was before: the one with the same pose, and else any, with
/// the same index if their number is the same, or at the same time. Each keyframe is used once.
pub fn before(old: &Clip, new: &Clip, limit: usize) -> Vec<Option<usize>> {
    let (olds, news) = (&old.keyframes, &new.keyframes);
    let is_same = |a: usize, b: usize| olds.get(a).is_some_and(|old| is_same_pose(old, &news[b]));
    let (starts, new_starts): (Vec<Time>, Vec<Time>) = (old.starts().collect(), new.starts().collect());
    let in_its_place = |at: usize| {
        if starts.len() == new_starts.len() { Some(at) } else { starts.binary_search(&new_starts[at]).ok() }
    };
    let mut matched = Matched { of: vec![None; news.len().min(limit)], is_free: vec![true; olds.len()] };
    matched.add(|at, _| in_its_place(at).filter(|&old| is_same(old, at)));
    matched.add(|at, _| Some(at).filter(|&old| is_same(old, at)));
    matched.add(|at, is_free| (0..olds.len().min(limit)).find(|&old| is_free[old] && is_same(old, at)));
    matched.add(|at, _| in_its_place(at));
    matched.of
}

/// Whether the keys are the same but for what their neighbours determine: tangents, and the signs of rotations.
fn is_same_pose(old: &Keyframe, new: &Keyframe) -> bool {
    let own = |key: &Key| (key.address(), key.ease, key.handles);
    let is_same = |(old, new): (&Key, &Key)| own(old) == own(new) && old.value == new.towards(old).value;
    old.keys.is_same(&new.keys) || old.keys.len() == new.keys.len() && old.keys.iter().zip(&new.keys).all(is_same)
}

/// The index of each keyframe of a changed clip that was there before, by its index before.
pub type FoundKeyframes = BTreeMap<usize, usize>;

/// Where the keyframes of a clip are after a change; `None` if all are where they were.
pub fn found(old: &Clip, new: &Clip) -> Option<FoundKeyframes> {
    if old.starts().eq(new.starts()) && old.length() == new.length() {
        return None;
    }
    Some(before(old, new, usize::MAX).into_iter().zip(0..).filter_map(|(old, at)| Some((old?, at))).collect())
}

/// The matches so far.
struct Matched {
    of: Vec<Option<usize>>,
    /// Which of the old keyframes are not used.
    is_free: Vec<bool>,
}

impl Matched {
    /// Matches the rest by a rule, which gets an index and which of the old keyframes are free.
    fn add(&mut self, rule: impl Fn(usize, &[bool]) -> Option<usize>) {
        for (at, of) in self.of.iter_mut().enumerate().filter(|(_, of)| of.is_none()) {
            *of = rule(at, &self.is_free).filter(|&old| self.is_free[old]);
            of.iter().for_each(|&old| self.is_free[old] = false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::tangent::resolve_tangents;
    use keypose::anim::time::FrameRate;

    /// A clip of keyframes of a frame each, with these values.
    fn clip(values: &[f32]) -> Clip {
        let keyframe = |value: &f32| Keyframe {
            duration: FrameRate::FPS_30.frame(),
            keys: vec![Key::translation(0, Vec3::new(*value, 0.0, 0.0))].into(),
            ..Keyframe::default()
        };
        Clip { keyframes: values.iter().map(keyframe).collect(), ..Clip::new("clip") }
    }

    fn matched(old: &[f32], new: &[f32]) -> Vec<Option<usize>> {
        before(&clip(old), &clip(new), 100)
    }

    #[test]
    fn inserted_deleted_and_moved_keyframes_are_found_by_their_keys() {
        assert_eq!(matched(&[1.0, 2.0, 3.0], &[1.0, 9.0, 2.0, 3.0]), [Some(0), None, Some(1), Some(2)]);
        assert_eq!(matched(&[1.0, 2.0, 3.0], &[2.0, 3.0]), [Some(1), Some(2)]);
        assert_eq!(matched(&[1.0, 2.0, 3.0], &[3.0, 1.0, 2.0]), [Some(2), Some(0), Some(1)]);
    }

    #[test]
    fn neighbours_of_a_deleted_keyframe_are_found_although_their_tangents_changed() {
        let [mut old, mut new] = [&[0.0, 1.0, 3.0, 4.0, 8.0][..], &[0.0, 1.0, 4.0, 8.0]].map(clip);
        [&mut old, &mut new].into_iter().for_each(resolve_tangents);
        assert_ne!(old.keyframes[3].keys, new.keyframes[2].keys);
        assert_eq!(before(&old, &new, 100), [Some(0), Some(1), Some(3), Some(4)]);
    }

    #[test]
    fn keyframes_with_the_same_keys_are_found_by_their_places() {
        let (old, mut new) = (clip(&[1.0, 1.0, 1.0]), clip(&[1.0, 9.0, 1.0, 1.0]));
        new.keyframes[0].duration = Time(1);
        new.keyframes[1].duration = FrameRate::FPS_30.frame() - Time(1);
        assert_eq!(before(&old, &new, 100), [Some(0), None, Some(1), Some(2)]);
        let mut longer = old.clone();
        longer.keyframes[0].duration = FrameRate::FPS_30.time_of(2);
        assert_eq!(before(&old, &longer, 100), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn a_changed_pose_keeps_its_place() {
        assert_eq!(matched(&[1.0, 2.0, 3.0], &[1.0, 2.5, 3.0]), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn poses_of_a_reduction_are_found_by_their_times() {
        let old = clip(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let mut new = clip(&[1.1, 3.1, 5.1]);
        let frame = FrameRate::FPS_30.frame();
        (new.keyframes[0].duration, new.keyframes[1].duration) = (frame + frame, frame + frame);
        assert_eq!(before(&old, &new, 100), [Some(0), Some(2), Some(4)]);
        new.keyframes[0].duration = frame + Time(1);
        assert_eq!(before(&old, &new, 100), [Some(0), None, None], "no keyframe was there");
    }

    #[test]
    fn keyframes_behind_the_limit_are_ignored() {
        assert_eq!(before(&clip(&[1.0, 2.0, 3.0]), &clip(&[2.0, 1.0, 3.0]), 1), [Some(0)]);
        assert_eq!(before(&clip(&[]), &clip(&[1.0]), 9), [None]);
    }
}
