//! Chooses the column times of a clip and measures the error: a column wherever a key stands, two where a value jumps,
//! and more between where a curve bends away from the straight line between two columns.

use crate::anim::bake::columns::mix_group;
use crate::anim::bake::measure::Reach;
use crate::anim::key::{Channel, Ease};
use crate::anim::pose::{Lanes, LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// Where in a piece between two columns the error is measured while refining: slerp strays most at the outer two, a
/// cubic in the middle or anywhere.
const TESTS: [i64; 3] = [21, 50, 79];
/// What refining aims at, as a share of the bound, so that times that were not tested keep it too.
const MARGIN: f32 = 0.75;
/// More pieces than this between two keys are never made.
const MOST_PIECES: i64 = 256;

/// Times, poses and the largest error that was measured, in model units.
#[derive(Debug, Default)]
pub struct Refined {
    pub times: Vec<Time>,
    pub poses: Vec<LocalPose>,
    pub error: f32,
}

/// How tracks go between two keys, the worst of them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bend {
    Straight,
    Slerp,
    Cubic,
}

/// What refining works on.
pub struct Refiner<'b> {
    skeleton: &'b Skeleton,
    reach: &'b Reach,
    /// The pose of everything that does not move.
    still: &'b LocalPose,
    /// What moves.
    tracks: &'b [Track],
    exact: ModelPose,
    mixed: ModelPose,
    errors: Vec<f32>,
    /// Rotations between columns keep the pace of slerp.
    is_paced: bool,
}

impl<'b> Refiner<'b> {
    /// The tracks are of bones that the skeleton has.
    pub fn new(
        skeleton: &'b Skeleton,
        reach: &'b Reach,
        still: &'b LocalPose,
        tracks: &'b [Track],
        is_paced: bool,
    ) -> Refiner<'b> {
        Refiner {
            skeleton,
            reach,
            still,
            tracks,
            exact: ModelPose::default(),
            mixed: ModelPose::default(),
            errors: vec![],
            is_paced,
        }
    }

    /// Columns from zero to `length` whose error stays under `bound` (in model units); `None` where that takes more
    /// than `most` columns.
    pub fn columns(&mut self, length: Time, bound: f32, most: usize) -> Option<Refined> {
        let keys = key_times(self.tracks, length);
        if keys.len() > most {
            return None;
        }
        let mut out = Refined { times: vec![Time::ZERO], poses: vec![self.pose(Time::ZERO)], error: 0.0 };
        for pair in keys.windows(2) {
            let jumps = self.tracks.iter().any(|track| jumps(track, pair[1]));
            let end = if jumps { self.pose_before(pair[1]) } else { self.pose(pair[1]) };
            self.refine((pair[0], pair[1]), end, bound, &mut out);
            if jumps {
                out.times.push(pair[1]);
                out.poses.push(self.pose(pair[1]));
            }
            if out.times.len() > most {
                return None;
            }
        }
        align_all(&mut out.poses);
        Some(out)
    }

    /// Adds the columns after `span.0`, whose pose is the last in `out`, up to the pose `end` at `span.1`.
    fn refine(&mut self, span: (Time, Time), mut end: LocalPose, bound: f32, out: &mut Refined) {
        let bend = self.bend(span.0);
        let Some(start) = out.poses.last() else { return };
        align(start, &mut end);
        let is_enough = match bend {
            Bend::Straight => true,
            Bend::Slerp => {
                let error = self.reach.slerp_error(self.skeleton, (start, &end), self.is_paced, &mut self.errors);
                out.error = if error <= bound { out.error.max(error) } else { out.error };
                error <= bound
            }
            Bend::Cubic => false,
        };
        if is_enough {
            out.times.push(span.1);
            out.poses.push(end);
            return;
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
            let helps = error < before * 0.9;
            if error <= aim || next <= pieces || next > MOST_PIECES || !helps {
                out.error = out.error.max(error);
                out.times.extend(times.into_iter().skip(1));
                out.poses.extend(poses.into_iter().skip(1));
                return;
            }
            (pieces, before) = (next, error);
        }
    }

    /// Evenly spaced exact poses, both ends included.
    fn split(&self, span: (Time, Time), ends: (&LocalPose, &LocalPose), pieces: i64) -> (Vec<Time>, Vec<LocalPose>) {
        let times: Vec<Time> = (0..=pieces).map(|piece| part(span, piece, pieces)).collect();
        let inner = times[1..times.len() - 1].iter().map(|&time| self.pose(time));
        let mut poses: Vec<LocalPose> =
            std::iter::once(ends.0.clone()).chain(inner).chain(std::iter::once(ends.1.clone())).collect();
        align_all(&mut poses);
        (times, poses)
    }

    /// The largest distance between the exact pose and the mixed one.
    fn error(&mut self, times: &[Time], poses: &[LocalPose]) -> f32 {
        let mut mixed = LocalPose::default();
        let mut worst = 0.0_f32;
        for (times, poses) in times.windows(2).zip(poses.windows(2)) {
            for test in TESTS {
                let time = part((times[0], times[1]), test, 100);
                let fraction = (time - times[0]).fraction_of(times[1] - times[0]) as f32;
                mix(&poses[0], &poses[1], fraction, self.is_paced, &mut mixed);
                self.mixed.compute_portable(self.skeleton, &mixed);
                self.exact.compute_portable(self.skeleton, &self.pose(time));
                worst = worst.max(self.reach.distance(&self.mixed, &self.exact));
            }
        }
        worst
    }

    /// The largest estimate for the pieces between poses, which needs no margin.
    fn slerp_error(&mut self, poses: &[LocalPose]) -> f32 {
        let mut worst = 0.0_f32;
        for pair in poses.windows(2) {
            worst =
                worst.max(self.reach.slerp_error(self.skeleton, (&pair[0], &pair[1]), self.is_paced, &mut self.errors));
        }
        worst
    }

    /// How the tracks go after `time`.
    fn bend(&self, time: Time) -> Bend {
        let mut bend = Bend::Straight;
        for track in self.tracks {
            let at = track.keys.partition_point(|(at, _)| *at <= time);
            let Some(before) = at.checked_sub(1).or(track.seam.map(|_| track.keys.len() - 1)) else { continue };
            match track.keys[before].1.ease {
                _ if at >= track.keys.len() && track.seam.is_none() => {}
                Ease::Cubic => return Bend::Cubic,
                Ease::Linear if track.channel == Channel::Rotation => bend = Bend::Slerp,
                Ease::Linear | Ease::Step => {}
            }
        }
        bend
    }

    /// The exact pose at a time.
    pub fn pose(&self, time: Time) -> LocalPose {
        self.pose_by(|track| track.sample(time))
    }

    /// The exact pose as time rises to `time`.
    fn pose_before(&self, time: Time) -> LocalPose {
        self.pose_by(|track| track.sample_before(time))
    }

    fn pose_by(&self, value: impl Fn(&Track) -> glam::Vec4) -> LocalPose {
        let mut pose = self.still.clone();
        for track in self.tracks {
            let (value, lane) = (value(track), usize::from(track.bone) % 8);
            let group = &mut pose.lanes_mut()[usize::from(track.bone) / 8];
            let parts: &mut [Lanes] = match track.channel {
                Channel::Translation => &mut group.translation,
                Channel::Rotation => &mut group.rotation,
                Channel::Scale => &mut group.scale,
            };
            for (at, part) in parts.iter_mut().enumerate() {
                part.0[lane] = value[at];
            }
        }
        pose
    }
}

/// Sorted, each once, from zero to `length`.
pub fn key_times(tracks: &[Track], length: Time) -> Vec<Time> {
    let keys = tracks.iter().flat_map(|track| track.keys.iter().map(|(time, _)| *time));
    let mut times: Vec<Time> = keys.chain([Time::ZERO, length]).collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// Slerp's error falls with the third power of the number of pieces, a cubic's with the second. The cube root is found by
/// counting: that of a C library differs from machine to machine.
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

/// True where a key at that time is reached by a jump.
fn jumps(track: &Track, time: Time) -> bool {
    let at = track.keys.partition_point(|(at, _)| *at < time);
    let before = at.checked_sub(1).or(track.seam.map(|_| track.keys.len() - 1));
    let (Some(before), Some((at, to))) = (before, track.keys.get(at)) else { return false };
    let from = &track.keys[before].1;
    *at == time && from.ease == Ease::Step && from.value != to.value
}

/// Turns every pose's rotations into the hemisphere of the pose before, so that mixing takes the short way.
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

fn mix(from: &LocalPose, to: &LocalPose, fraction: f32, is_paced: bool, out: &mut LocalPose) {
    out.copy_from(from);
    for (out, to) in out.lanes_mut().iter_mut().zip(to.lanes()) {
        mix_group(out, to, fraction, is_paced);
    }
}
