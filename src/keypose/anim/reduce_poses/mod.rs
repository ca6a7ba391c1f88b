//! Pose reduction: fewer keyframes, each a whole pose, with the largest error in model space.
//!
//! An imported clip often has a keyframe at every frame. The reduction keeps the first, the last, the extremes and the breakdowns,
//! then adds the keyframe at which the motion is worst, again and again. Between the kept ones each channel is a step, a line or a least-squares
//! cubic. [`crate::anim::fit`] removes keys channel by channel instead and keeps most keyframes.

use glam::Vec4;

use crate::anim::bezier::HERMITE;
use crate::anim::clip::{Clip, Keyframe};
use crate::anim::curve::{Segment, free_tangents, split};
use crate::anim::fit::{distance, least_squares};
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::keys::Keys;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// Values that differ by no more are one value; translations as seen in the model.
const SAME: f32 = 1e-5;
/// How much smaller the error of a cubic must be before it replaces a line, as a ratio.
const CURVED: f32 = 0.8;

mod grid;
mod search;

use crate::anim::reduce_poses::grid::Grid;
pub use search::PoseSearch;

/// All reductions of a clip, from the fewest poses to all keyframes, as [`PoseSearch`] finds them.
#[derive(Clone, Debug)]
pub struct PoseReduction {
    clip: Clip,
    grid: Grid,
    channels: Vec<Samples>,
    /// The keyframes in the order in which they are added.
    order: Vec<usize>,
    /// How many of them every reduction keeps.
    least: usize,
    /// The largest error with that many, one more, … of them, in model units.
    errors: Vec<f32>,
}

/// A channel that moves: its values at all sample times, rotations in one hemisphere.
#[derive(Clone, Debug)]
struct Samples {
    track: Track,
    values: Vec<Vec4>,
    /// Values that differ by no more are one value.
    same: f32,
}

impl PoseReduction {
    /// The number of keyframes of the clip.
    pub fn most(&self) -> usize {
        self.order.len()
    }

    /// The minimum number of poses: the first, the last, the extremes and the breakdowns.
    pub fn least(&self) -> usize {
        self.least
    }

    /// The largest error with a number of poses, in model units.
    pub fn error(&self, poses: usize) -> f32 {
        let at = poses.clamp(self.least(), self.most()) - self.least();
        self.errors.get(at).copied().unwrap_or(0.0)
    }

    /// The minimum number of poses whose error is at most `max_error`, in model units.
    pub fn poses_within(&self, max_error: f32) -> usize {
        (self.least()..self.most()).find(|&poses| self.error(poses) <= max_error).unwrap_or(self.most())
    }

    /// The clip with a number of poses; with all keyframes it is unchanged. Its length and events stay.
    pub fn clip(&self, poses: usize) -> Clip {
        let poses = poses.clamp(self.least(), self.most());
        if poses == self.most() {
            return self.clip.clone();
        }
        let mut kept: Vec<usize> = self.order[..poses].to_vec();
        kept.sort_unstable();
        let ends = kept[1..].iter().map(|&at| self.grid.start(at)).chain([self.clip.length()]);
        let keyframe = |(&at, end)| {
            let kind = self.clip.keyframes[at].kind;
            Keyframe { duration: end - self.grid.start(at), keys: Keys::default(), kind }
        };
        let keyframes = kept.iter().zip(ends).map(keyframe);
        let mut clip = Clip { keyframes: keyframes.collect(), ..self.clip.clone() };
        for channel in &self.channels {
            channel.put(&kept, &self.grid, &mut clip);
        }
        clip
    }
}

impl Samples {
    /// With the [scales of parents](crate::anim::skeleton::Skeleton::parent_scales).
    fn new(track: Track, times: &[Time], parent_scales: &[f32]) -> Samples {
        let mut values: Vec<Vec4> = times.iter().map(|&time| track.sample(time)).collect();
        if track.channel == Channel::Rotation {
            for at in 1..values.len() {
                if values[at].dot(values[at - 1]) < 0.0 {
                    values[at] = -values[at];
                }
            }
        }
        let is_place = track.channel == Channel::Translation;
        let scale = parent_scales.get(usize::from(track.bone)).filter(|scale| is_place && **scale > 0.0);
        let same = SAME / scale.copied().unwrap_or(1.0);
        Samples { track, values, same }
    }

    fn is_constant(&self) -> bool {
        self.values.iter().all(|value| distance(self.track.channel, self.values[0], *value) <= self.same)
    }

    /// The interpolation between two keyframes that is nearest to the samples between them; the exact one if the second follows the first.
    fn way(&self, grid: &Grid, from: usize, to: usize) -> Segment {
        let [first, last] = [from, to].map(|at| grid.sample_of(at));
        let secs = (grid.start(to) - grid.start(from)).secs();
        if to == from + 1 {
            let [a, b] = self.piece(grid.start(from), grid.start(to));
            let is_far = self.track.channel == Channel::Rotation && a.value.dot(self.values[first]) < 0.0;
            let [a, b] = [a, b].map(|key| if is_far { key.negated() } else { key });
            return Segment::between(&a, &b, secs as f32);
        }
        let along = || (first..=last).map(|at| (grid.fraction(at, from, to), self.values[at]));
        let ends = (self.values[first], self.values[last]);
        let segment = |ease, (out_tangent, in_tangent)| Segment {
            channel: self.track.channel,
            ease,
            from: ends.0,
            out_tangent,
            to: ends.1,
            in_tangent,
            secs: secs as f32,
            lengths: HERMITE,
        };
        let straight = |ease| segment(ease, (Vec4::ZERO, Vec4::ZERO));
        let error = |way: &Segment, until: usize| {
            let samples = along().take(until).map(|(fraction, exact)| {
                let value = value_of(way, fraction as f32);
                distance(self.track.channel, value, exact)
            });
            samples.fold(0.0, f32::max)
        };
        let count = last - first + 1;
        let line = straight(Ease::Linear);
        let line_error = error(&line, count);
        let step = straight(Ease::Step);
        if line_error > self.same && error(&step, count - 1) <= self.same {
            return step;
        }
        let cubic = least_squares(ends, secs, along());
        let cubic = cubic.map(|tangents| segment(Ease::Cubic, tangents));
        cubic.filter(|cubic| error(cubic, count) < CURVED * line_error && line_error > self.same).unwrap_or(line)
    }

    /// Writes keys to the kept keyframes; only to the first one if the value never changes.
    fn put(&self, kept: &[usize], grid: &Grid, clip: &mut Clip) {
        let Track { bone, channel, keys, seam } = &self.track;
        let key = |at: usize| Key::new(*bone, *channel, self.values[grid.sample_of(at)]);
        if self.is_constant() {
            return clip.keyframes[0].set(key(0));
        }
        let mut made: Vec<Key> = kept.iter().map(|&at| key(at)).collect();
        // The way across the seam of a loop stays.
        let ends = seam.map(|length| self.piece(grid.start(grid.keyframes() - 1), length));
        let [last, first] = ends.unwrap_or([keys[keys.len() - 1].1, keys[0].1]);
        let first = first.towards(&made[0]);
        (made[0].in_tangent, made[0].in_length) = (first.in_tangent, first.in_length);
        if let Some(end) = made.last_mut() {
            let last = last.towards(end);
            (end.ease, end.out_tangent, end.out_length) = (last.ease, last.out_tangent, last.out_length);
        }
        for (at, pair) in kept.windows(2).enumerate() {
            let Segment { ease, out_tangent, in_tangent, lengths, .. } = self.way(grid, pair[0], pair[1]);
            (made[at].ease, made[at].out_tangent, made[at].out_length) = (ease, out_tangent, lengths[0]);
            (made[at + 1].in_tangent, made[at + 1].in_length) = (in_tangent, lengths[1]);
        }
        for (keyframe, mut key) in clip.keyframes.iter_mut().zip(made) {
            free_tangents(&mut key);
            keyframe.set(key);
        }
    }

    /// Two keys between which the channel moves as in the clip, without a key of the clip between them.
    fn piece(&self, start: Time, end: Time) -> [Key; 2] {
        let Track { bone, channel, keys, seam } = &self.track;
        let (first, last) = (keys[0], keys[keys.len() - 1]);
        let after = keys.partition_point(|(at, _)| *at <= start);
        let before = after.checked_sub(1).map(|at| keys[at]).or(seam.map(|length| (last.0 - length, last.1)));
        let behind = keys.get(after).copied().or(seam.map(|length| (first.0 + length, first.1)));
        let (Some(mut from), Some(mut to)) = (before, behind) else {
            return [Key::new(*bone, *channel, if after == 0 { first } else { last }.1.value); 2];
        };
        if after == 0 || after == keys.len() {
            to.1 = to.1.towards(&from.1);
        }
        let cut = |from: &mut (Time, Key), to: &mut (Time, Key), at: Time| {
            let whole = to.0 - from.0;
            (at, split(&mut from.1, &mut to.1, whole.secs() as f32, (at - from.0).fraction_of(whole) as f32))
        };
        if from.0 < start {
            from = cut(&mut from, &mut to, start);
        }
        if end < to.0 {
            to = cut(&mut from, &mut to, end);
        }
        [from.1, to.1]
    }
}

/// The value at a fraction of 0..=1, normalized.
fn value_of(way: &Segment, fraction: f32) -> Vec4 {
    let value = if fraction < 1.0 { way.at(fraction) } else { way.to };
    if way.channel == Channel::Rotation { value.normalize_or(way.from) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::bake::measure::Reach;
    use crate::anim::clip::{KeyframeKind, LoopMode};
    use crate::anim::pose::ModelPose;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::transform::Transform;
    use glam::{Quat, Vec3};

    /// An arm of two bones that swings, with a keyframe at each of 41 ticks.
    fn swing() -> (Clip, Skeleton) {
        let bone = |name: &str, parent, x| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::new(x, 0.0, 0.0)),
        };
        let skeleton = Skeleton::new(vec![bone("arm", None, 0.0), bone("hand", Some(0), 1.0)]).unwrap();
        let keyframe = |at: usize| {
            let turn = |by: f32| Quat::from_rotation_z((at as f32 * 0.15).sin() * by);
            let keys = vec![Key::rotation(0, turn(1.0)), Key::scale(0, Vec3::ONE), Key::rotation(1, turn(-0.5))];
            Keyframe {
                duration: if at < 40 { Time::TICK } else { Time::ZERO },
                keys: keys.into(),
                ..Keyframe::default()
            }
        };
        let keyframes = (0..41).map(keyframe).collect();
        (Clip { keyframes, loop_mode: LoopMode::Once, ..Clip::new("swing") }, skeleton)
    }

    fn reduction_of(clip: &Clip, skeleton: &Skeleton) -> PoseReduction {
        let mut search = PoseSearch::new(clip, skeleton);
        while !search.advance(usize::MAX) {}
        search.into_reduction()
    }

    /// The largest distance of two clips, at eight places per tick.
    fn apart(a: &Clip, b: &Clip, skeleton: &Skeleton) -> f32 {
        let pose = |tracks: &[Track], time: Time| {
            let (mut local, mut model) = (skeleton.rest_pose(), ModelPose::default());
            for track in tracks {
                let mut transform = local.get(usize::from(track.bone));
                track.channel.put(&mut transform, track.sample(time));
                local.set(usize::from(track.bone), &transform);
            }
            model.compute(skeleton, &local);
            model
        };
        let (reach, [of_a, of_b]) = (Reach::of(skeleton), [a, b].map(Track::all_of));
        let times = (0..=8 * 40).map(|at| Time(a.length().0 / 320 * at));
        times.map(|time| reach.distance(&pose(&of_a, time), &pose(&of_b, time))).fold(0.0, f32::max)
    }

    #[test]
    fn few_poses_keep_a_smooth_motion_within_the_stated_error() {
        let (clip, skeleton) = swing();
        let reduction = reduction_of(&clip, &skeleton);
        assert_eq!((reduction.least(), reduction.most()), (2, 41));
        for poses in [2, 4, 6, 12, 30] {
            let reduced = reduction.clip(poses);
            assert_eq!((reduced.keyframes.len(), reduced.length()), (poses, clip.length()));
            reduced.check().unwrap();
            let (stated, measured) = (reduction.error(poses), apart(&clip, &reduced, &skeleton));
            assert!(measured <= stated * 1.1 + 1e-3, "{poses} poses: {measured} instead of {stated}");
        }
        let poses = reduction.poses_within(0.02);
        assert!(poses <= 10, "{poses} poses");
        assert!(reduction.error(poses) <= 0.02 && reduction.error(poses - 1) > 0.02);
        assert_eq!(reduction.clip(41), clip);
    }

    /// Durations from a tick to 23, and cubics.
    #[test]
    fn keyframes_of_any_duration_are_compared_at_their_times() {
        let (mut clip, skeleton) = swing();
        for (at, keyframe) in clip.keyframes.iter_mut().enumerate().take(40) {
            keyframe.duration = Time::TICK * (1 + (at as i64 * 7) % 23);
            keyframe.keys.iter_mut().for_each(|key| key.ease = Ease::Cubic);
        }
        crate::anim::tangent::resolve_tangents(&mut clip);
        let reduction = reduction_of(&clip, &skeleton);
        for poses in [2, 6, 12, 30, 40] {
            let (stated, measured) = (reduction.error(poses), apart(&clip, &reduction.clip(poses), &skeleton));
            assert!(measured <= stated * 1.1 + 1e-3, "{poses} poses: {measured} instead of {stated}");
        }
        let most = reduction.clip(40);
        let removed = reduction.order[40];
        for at in (0..40).filter(|at| !(removed - 1..=removed).contains(at)) {
            let middle = clip.start_of(at) + clip.keyframes[at].duration / 2;
            let [a, b] = [&clip, &most].map(|clip| Track::of(clip, 1, Channel::Rotation).unwrap().sample(middle));
            assert!(a.distance(b) < 1e-6, "{at}: what keeps its keyframes keeps its curve");
        }
    }

    #[test]
    fn what_moves_little_below_a_large_scale_is_kept() {
        let (mut clip, skeleton) = swing();
        let mut bones = skeleton.bones().to_vec();
        bones[0].rest.scale = Vec3::splat(1000.0);
        let skeleton = Skeleton::new(bones).unwrap();
        for (at, keyframe) in clip.keyframes.iter_mut().enumerate() {
            keyframe.set(Key::scale(0, Vec3::splat(1000.0)));
            keyframe.set(Key::translation(1, Vec3::new(1e-5 * (at as f32 * 0.2).sin(), 0.0, 0.0)));
        }
        let reduced = reduction_of(&clip, &skeleton).clip(12);
        assert!(Track::of(&reduced, 1, Channel::Translation).unwrap().keys.len() > 6, "1 cm");
    }

    #[test]
    fn each_pose_is_whole_and_what_never_changes_is_keyed_once() {
        let (clip, skeleton) = swing();
        let reduced = reduction_of(&clip, &skeleton).clip(5);
        let counts: Vec<usize> = reduced.keyframes.iter().map(|keyframe| keyframe.keys.len()).collect();
        assert_eq!(counts, [3, 2, 2, 2, 2]);
        let starts: Vec<Time> = clip.starts().collect();
        assert!(reduced.starts().all(|start| starts.contains(&start)), "poses stay at their times");
    }

    /// ```text
    /// keyframe  0 ─────── 8 ────── 20 ────── 32 ─── 40 ── end
    /// keys                1         2         3
    /// ```
    #[test]
    fn a_channel_without_keys_at_the_seam_of_a_loop_keeps_its_way_across() {
        let (mut clip, skeleton) = swing();
        clip.loop_mode = LoopMode::Loop;
        clip.keyframes[40].duration = Time::TICK * 8;
        for (at, y) in [(8, 0.1), (20, 0.2), (32, 0.3)] {
            let (in_tangent, out_tangent) = (Vec4::Y * 2.0, Vec4::X * 3.0);
            let key = Key::translation(1, Vec3::new(1.0, y, 0.0));
            clip.keyframes[at].set(Key { ease: Ease::Cubic, in_tangent, out_tangent, ..key });
        }
        let reduced = reduction_of(&clip, &skeleton).clip(6);
        for step in 0..=8 {
            let time = clip.start_of(40) + Time::TICK * step;
            let [a, b] = [&clip, &reduced].map(|clip| Track::of(clip, 1, Channel::Translation).unwrap().sample(time));
            assert!(a.distance(b) < 1e-5, "{a} and {b} at {time}");
        }
    }

    #[test]
    fn marked_poses_are_the_last_to_go() {
        let (mut clip, skeleton) = swing();
        (clip.keyframes[13].kind, clip.keyframes[29].kind) = (KeyframeKind::Extreme, KeyframeKind::Breakdown);
        let reduced = reduction_of(&clip, &skeleton).clip(4);
        let marks: Vec<_> = reduced.starts().zip(&reduced.keyframes).map(|(start, it)| (start, it.kind)).collect();
        assert_eq!(marks[1..3], [(Time::TICK * 13, KeyframeKind::Extreme), (Time::TICK * 29, KeyframeKind::Breakdown)]);
    }

    #[test]
    fn slices_of_any_size_find_the_same_and_report_their_progress() {
        let (clip, skeleton) = swing();
        let whole = reduction_of(&clip, &skeleton);
        for work in [1, 50, 1000] {
            let mut search = PoseSearch::new(&clip, &skeleton);
            let mut slices = 0;
            let mut progress = search.progress();
            while !search.advance(work) {
                slices += 1;
                assert!((progress..=1.0).contains(&search.progress()));
                progress = search.progress();
            }
            assert!(slices > 0, "{work}");
            let found = search.into_reduction();
            assert_eq!((&found.order, &found.errors), (&whole.order, &whole.errors), "{work}");
        }
    }

    #[test]
    fn short_clips_are_kept() {
        let (mut clip, skeleton) = swing();
        for count in [1, 2] {
            clip.keyframes.truncate(count);
            let reduction = reduction_of(&clip, &skeleton);
            assert_eq!((reduction.most(), reduction.clip(1)), (count, clip.clone()));
            clip = swing().0;
        }
    }
}
