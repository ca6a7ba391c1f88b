//! Chooses the sample times of a clip and measures the error: one sample at each key, two if a value jumps there, and
//! more where a track bends away from the straight line between two samples. Blocks of time are refined independently, in
//! threads; what they choose doesn't depend on how many there are.

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::anim::bake::measure::Reach;
use crate::anim::bake::sampled_poses::blend_group;
use crate::anim::bezier::to_hermite;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::parallel;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The places between two samples at which the error is measured, in percent: slerp deviates most at the outer two, a cubic in the
/// middle or anywhere.
const TESTS: [i64; 3] = [21, 50, 79];
/// The share of the bound that refining aims at, so that the times between [`TESTS`] keep the bound, too.
const MARGIN: f32 = 0.75;
/// Key times that are tried before all are searched.
const MAX_STEPS: usize = 4;
/// A span between two keys is cut where a Hermite curve would deviate more, as a fraction of the change in it.
const STEEP: f32 = 1e-2;
/// Up to as many pieces between two keys, more of them are tried even if the last ones didn't help: half of an S-curve deviates as
/// much as the whole. Beyond, it is the rounding of numbers that remains.
const FEW_PIECES: i64 = 8;
/// Maximum pieces between two keys.
const MAX_PIECES: i64 = 256;

/// Times, poses and the maximum measured error, in model units.
#[derive(Debug, Default)]
pub struct Refined {
    pub times: Vec<Time>,
    pub poses: Vec<LocalPose>,
    pub error: f32,
}

/// The interpolation between two keys that is hardest to approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bend {
    Straight,
    Slerp,
    Cubic,
}

/// The jumps and bends at and after a key time.
#[derive(Clone, Copy)]
pub struct Moment {
    /// Whether any value jumps at it.
    jumps: bool,
    /// The interpolation up to the next.
    bend: Bend,
}

/// Bytes of poses that are computed together, so that they stay in the cache while each track is visited once.
const BLOCK_BYTES: usize = 256 << 10;
/// Key times that are refined together: enough that finding the first keys of each track doesn't count, and that threads share
/// the work.
const BLOCK_TIMES: RangeInclusive<usize> = 8..=128;

/// The motion that samples approximate, and how they do.
#[derive(Clone, Copy)]
pub struct Motion<'b> {
    pub skeleton: &'b Skeleton,
    pub reach: &'b Reach,
    /// The constant channels.
    pub constant: &'b LocalPose,
    /// The animated channels, of bones that are in the skeleton.
    pub tracks: &'b [&'b Track],
    /// See [`key_times`].
    pub key_times: &'b [Time],
    /// See [`moments`].
    pub moments: &'b [Moment],
    /// Whether rotations are blended with [`crate::anim::bake::channels::Channels::SLERP_CORRECTED`].
    pub is_slerp_corrected: bool,
}

impl Motion<'_> {
    /// Samples from zero to the length of the clip whose error is at most `bound` (model units), or what rounding leaves. Returns
    /// `None` if that takes more than `most` samples, or more than [`MAX_PIECES`] between two keys.
    pub fn samples(&self, bound: f32, most: usize) -> Option<Refined> {
        let last = self.key_times.len() - 1;
        let pose_bytes = size_of_val(self.constant.lanes()).max(1);
        let step = (BLOCK_BYTES / pose_bytes).clamp(*BLOCK_TIMES.start(), *BLOCK_TIMES.end());
        let blocks: Vec<Range<usize>> = (0..last).step_by(step).map(|start| start..last.min(start + step)).collect();
        let limit = Limit { samples: AtomicUsize::new(1), most };
        let refined = parallel::map(&blocks, pose_bytes * last, |block| {
            let ends = block.start..=block.end;
            Refiner::new(self).block(&self.key_times[ends.clone()], &self.moments[ends], bound, &limit)
        });
        let mut out =
            Refined { times: vec![Time::ZERO], poses: Refiner::new(self).poses(&[(Time::ZERO, Side::At)]), error: 0.0 };
        for block in refined {
            let Refined { times, poses, error } = block?;
            out.times.extend(times);
            out.poses.extend(poses);
            out.error = out.error.max(error);
        }
        align_all(&mut out.poses);
        Some(out)
    }
}

/// The maximum number of samples in all blocks.
struct Limit {
    samples: AtomicUsize,
    most: usize,
}

impl Limit {
    /// Counts samples. `None` if there are too many.
    fn add(&self, samples: usize) -> Option<()> {
        (self.samples.fetch_add(samples, Ordering::Relaxed) + samples <= self.most).then_some(())
    }
}

/// From where a time is approached: a value can jump at it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    At,
}

/// Chooses the sample times of a block of time.
struct Refiner<'b> {
    motion: &'b Motion<'b>,
    /// Where each track was sampled last: one time follows another, and a search of all keys of long tracks would leave the cache.
    places: Vec<Cell<usize>>,
    exact: ModelPose,
    blended: ModelPose,
    errors: Vec<f32>,
}

impl<'b> Refiner<'b> {
    fn new(motion: &'b Motion<'b>) -> Refiner<'b> {
        let places = vec![Cell::new(0); motion.tracks.len()];
        Refiner { motion, places, exact: ModelPose::default(), blended: ModelPose::default(), errors: vec![] }
    }

    /// The samples after the first of these key times up to the last. Their rotations are in one hemisphere with the first
    /// pose up to the first jump.
    fn block(&mut self, keys: &[Time], moments: &[Moment], bound: f32, limit: &Limit) -> Option<Refined> {
        let mut at = vec![(keys[0], Side::At)];
        for (&time, moment) in keys.iter().zip(moments).skip(1) {
            at.extend(moment.jumps.then_some((time, Side::Before)));
            at.push((time, Side::At));
        }
        let mut poses = self.poses(&at).into_iter();
        let mut out = Refined { times: vec![keys[0]], poses: vec![poses.next()?], error: 0.0 };
        for (pair, moments) in keys.windows(2).zip(moments.windows(2)) {
            let before = out.times.len();
            self.refine((pair[0], pair[1]), moments[0].bend, poses.next()?, bound, limit.most, &mut out)?;
            if moments[1].jumps {
                out.times.push(pair[1]);
                out.poses.push(poses.next()?);
            }
            limit.add(out.times.len() - before)?;
        }
        out.times.remove(0);
        out.poses.remove(0);
        Some(out)
    }

    /// Appends the samples after `span.0`, whose pose is the last in `out`, up to the pose `end` at `span.1`. `None` if there
    /// would be more than `most` in all, or more than [`MAX_PIECES`] here.
    fn refine(
        &mut self,
        span: (Time, Time),
        bend: Bend,
        mut end: LocalPose,
        bound: f32,
        most: usize,
        out: &mut Refined,
    ) -> Option<()> {
        let start = out.poses.last()?;
        align(start, &mut end);
        let is_enough = match bend {
            Bend::Straight => true,
            Bend::Slerp => {
                let Motion { skeleton, reach, is_slerp_corrected, .. } = *self.motion;
                let error = reach.slerp_error(skeleton, (start, &end), is_slerp_corrected, &mut self.errors);
                out.error = if error <= bound { out.error.max(error) } else { out.error };
                error <= bound
            }
            Bend::Cubic => false,
        };
        if is_enough {
            out.times.push(span.1);
            out.poses.push(end);
            return Some(());
        }
        let start = start.clone();
        let (mut pieces, mut before) = (1, f32::INFINITY);
        loop {
            let (times, poses) = self.split(span, (&start, &end), pieces);
            let (error, aim) = match bend {
                Bend::Cubic => (self.error(&times, &poses), bound * MARGIN),
                _ => (self.slerp_error(&poses), bound),
            };
            let next = next_pieces(pieces, error / aim).min((span.1 - span.0).0);
            let helps = error < before * 0.9 || pieces < FEW_PIECES;
            if error > bound && next > MAX_PIECES && helps {
                return None;
            }
            if error <= aim || next <= pieces || next > MAX_PIECES || !helps {
                out.error = out.error.max(error);
                out.times.extend(times.into_iter().skip(1));
                out.poses.extend(poses.into_iter().skip(1));
                return Some(());
            }
            // The number of pieces follows from the error: no need to try them all.
            if out.times.len() + next as usize > most {
                return None;
            }
            (pieces, before) = (next, error);
        }
    }

    /// Evenly spaced exact poses, both ends included.
    fn split(&self, span: (Time, Time), ends: (&LocalPose, &LocalPose), pieces: i64) -> (Vec<Time>, Vec<LocalPose>) {
        let times: Vec<Time> = (0..=pieces).map(|piece| part(span, piece, pieces)).collect();
        let inner: Vec<(Time, Side)> = times[1..times.len() - 1].iter().map(|&time| (time, Side::At)).collect();
        let mut poses = vec![ends.0.clone()];
        poses.extend(self.poses(&inner));
        poses.push(ends.1.clone());
        align_all(&mut poses);
        (times, poses)
    }

    /// The maximum distance between the exact and the blended pose.
    fn error(&mut self, times: &[Time], poses: &[LocalPose]) -> f32 {
        let Motion { skeleton, reach, is_slerp_corrected, .. } = *self.motion;
        let mut blended = LocalPose::default();
        let mut worst = 0.0_f32;
        for (times, poses) in times.windows(2).zip(poses.windows(2)) {
            let at = TESTS.map(|test| (part((times[0], times[1]), test, 100), Side::At));
            for ((time, _), exact) in at.iter().zip(self.poses(&at)) {
                let fraction = (*time - times[0]).fraction_of(times[1] - times[0]) as f32;
                blend(&poses[0], &poses[1], fraction, is_slerp_corrected, &mut blended);
                self.blended.compute_portable(skeleton, &blended);
                self.exact.compute_portable(skeleton, &exact);
                worst = worst.max(reach.distance(&self.blended, &self.exact));
            }
        }
        worst
    }

    /// The maximum estimated error between the poses, which needs no margin.
    fn slerp_error(&mut self, poses: &[LocalPose]) -> f32 {
        let (Motion { skeleton, reach, is_slerp_corrected, .. }, errors) = (*self.motion, &mut self.errors);
        let error = |pair: &[LocalPose]| reach.slerp_error(skeleton, (&pair[0], &pair[1]), is_slerp_corrected, errors);
        poses.windows(2).map(error).fold(0.0, f32::max)
    }

    fn poses(&self, at: &[(Time, Side)]) -> Vec<LocalPose> {
        poses(self.motion.tracks, self.motion.constant, &self.places, at)
    }
}

/// The exact poses at ascending times, track by track. `places` are where the searches for keys of each track start.
pub fn poses(tracks: &[&Track], constant: &LocalPose, places: &[Cell<usize>], at: &[(Time, Side)]) -> Vec<LocalPose> {
    let mut poses = vec![constant.clone(); at.len()];
    for (track, near) in tracks.iter().zip(places) {
        let (group, lane) = (usize::from(track.bone) / 8, usize::from(track.bone) % 8);
        for (pose, &(time, side)) in poses.iter_mut().zip(at) {
            let value = match side {
                Side::Before => track.sample_before_near(time, near),
                Side::At => track.sample_near(time, near),
            };
            let components = pose.lanes_mut()[group].channel_mut(track.channel).iter_mut();
            components.zip(value.to_array()).for_each(|(component, value)| component.0[lane] = value);
        }
    }
    poses
}

/// The distinct key times, sorted, with zero and `length`.
pub fn key_times(tracks: &[&Track], length: Time) -> Vec<Time> {
    let of = |track: &&Track| track.keys.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    let longest = tracks.iter().max_by_key(|track| track.keys.len()).map(of).unwrap_or_default();
    // Most tracks have the times of the longest one, in one pass over both; only the others have to be sorted.
    let mut others = vec![Time::ZERO, length];
    for track in tracks {
        let mut at = 0;
        for (time, _) in &track.keys {
            while longest.get(at).is_some_and(|other| other < time) {
                at += 1;
            }
            if longest.get(at) != Some(time) {
                others.push(*time);
            }
        }
    }
    let mut times = longest;
    times.append(&mut others);
    times.sort();
    times.dedup();
    times
}

/// Adds times between keys where handles make a curve steep: spans between samples are cut evenly, which would not find it.
pub fn add_cuts(tracks: &[&Track], times: &mut Vec<Time>) {
    let converted = tracks.iter().filter_map(|track| to_hermite(track, STEEP));
    let cuts: Vec<Time> = converted.flat_map(|it| it.track.keys.into_iter().map(|(time, _)| time)).collect();
    if !cuts.is_empty() {
        times.extend(cuts);
        times.sort();
        times.dedup();
    }
}

/// The number of pieces to try next. Slerp's error falls with the third power of the number of pieces, a cubic's with
/// the second. The cube root is found by counting: `cbrt` of a C library differs from machine to machine.
fn next_pieces(pieces: i64, ratio: f32) -> i64 {
    let cube = |pieces: f64| pieces * pieces * pieces;
    let wanted = cube(pieces as f64 * 1.1) * f64::from(ratio);
    let most = pieces.saturating_mul(16);
    (pieces + 1..most).find(|&next| cube(next as f64) >= wanted).unwrap_or(most)
}

/// `piece / pieces` of the way through a span.
fn part(span: (Time, Time), piece: i64, pieces: i64) -> Time {
    let way = i128::from((span.1 - span.0).0) * i128::from(piece) / i128::from(pieces.max(1));
    span.0 + Time(way as i64)
}

/// The [`Moment`] at each of these times, which include those of all keys. Track by track, so that the keys of all tracks don't
/// have to be in the cache at once.
pub fn moments(tracks: &[&Track], times: &[Time]) -> Vec<Moment> {
    let mut moments = vec![Moment { jumps: false, bend: Bend::Straight }; times.len()];
    for track in tracks {
        let mut at = 0;
        let mut before = track.seam.and_then(|_| track.keys.last());
        for to in &track.keys {
            let from = at;
            // It is usually the next one.
            let near = times[from..].iter().take(MAX_STEPS).position(|time| *time >= to.0);
            at += near.unwrap_or_else(|| times[from..].partition_point(|time| *time < to.0));
            if let Some((_, key)) = before {
                raise(&mut moments[from..at], track.channel, key);
                moments[at].jumps |= key.ease.jumps() && key.value != to.1.value;
            }
            before = Some(to);
        }
        if let (Some(_), Some((_, key))) = (track.seam, before) {
            raise(&mut moments[at..], track.channel, key);
        }
    }
    moments
}

/// Notes the interpolation after a key.
fn raise(moments: &mut [Moment], channel: Channel, key: &Key) {
    let bend = match key.ease {
        Ease::Cubic => Bend::Cubic,
        Ease::Linear if channel == Channel::Rotation => Bend::Slerp,
        Ease::Linear | Ease::Step => Bend::Straight,
    };
    moments.iter_mut().for_each(|moment| moment.bend = moment.bend.max(bend));
}

/// Turns every pose's rotations into the hemisphere of the pose before, so that mixing takes the quantized way.
fn align_all(poses: &mut [LocalPose]) {
    for at in 1..poses.len() {
        let (before, after) = poses.split_at_mut(at);
        align(&before[at - 1], &mut after[0]);
    }
}

fn align(before: &LocalPose, after: &mut LocalPose) {
    for (before, after) in before.lanes().iter().zip(after.lanes_mut()) {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (&before.rotation, &mut after.rotation);
        for lane in 0..8 {
            let xy = ax.0[lane] * bx.0[lane] + ay.0[lane] * by.0[lane];
            let dot = xy + az.0[lane] * bz.0[lane] + aw.0[lane] * bw.0[lane];
            if dot < 0.0 {
                for part in [&mut *bx, &mut *by, &mut *bz, &mut *bw] {
                    part.0[lane] = -part.0[lane];
                }
            }
        }
    }
}

fn blend(from: &LocalPose, to: &LocalPose, fraction: f32, is_slerp_corrected: bool, out: &mut LocalPose) {
    out.copy_from(from);
    for (out, to) in out.lanes_mut().iter_mut().zip(to.lanes()) {
        blend_group(out, to, fraction, is_slerp_corrected);
    }
}
