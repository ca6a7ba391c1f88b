//! The fast form of a baked clip: whole poses at sorted times, eight bones at a time; what never changes is left out.
//!
//! A sample is one search for the column before and one interpolation of two columns. Seeking costs what playing costs.

use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::simd;
use crate::anim::time::Time;

/// Components of a [`TransformLanes`] by channel: where each channel starts, and where the last ends.
const CHANNELS: [std::ops::Range<usize>; 3] = [0..3, 3..7, 7..10];

/// Which channels of eight neighbouring bones move, as bits: 1 translation, 2 rotation, 4 scale; and [`PACED`].
pub type Moving = u8;

/// Bit of [`Moving`]: rotations turn so far from column to column that a plain mix would run ahead of slerp and fall
/// behind; [`pace`] corrects its fraction, bone by bone.
pub const PACED: Moving = 8;

/// Of the correction of a fraction `t` for quaternions with the product 1 − x: t + t (t − ½) (t − 1) · x (2/3 + x (this[0] +
/// this[1] (t − ½)²)). The first term is the series of the exact one, the others are fitted up to turns of 115°.
pub const PACE: [f32; 3] = [2.0 / 3.0, 0.14, 0.6];

/// The fraction that lets a normalised mix of two rotations keep the pace of slerp.
#[inline(always)]
fn pace(dot: f32, fraction: f32) -> f32 {
    let (half, apart) = (fraction - 0.5, 1.0 - dot);
    let bend = apart * (PACE[0] + apart * (PACE[1] + PACE[2] * half * half));
    fraction + fraction * half * (fraction - 1.0) * bend
}

/// The times of columns, and a guess where each lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Ascending, at least one; where a value jumps, one time stands twice: the pose that the jump leaves, then the one
    /// it comes to.
    pub times: Vec<Time>,
    /// What [`Timeline::find`] guesses by.
    per_flick: f64,
}

/// Poses at sorted times.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// When each column is.
    pub timeline: Timeline,
    /// One for each eight bones.
    pub moving: Vec<Moving>,
    /// What does not move; what moves is written over it.
    pub still: LocalPose,
    /// Column after column, of each the moving channels of each eight bones, in [`TransformLanes`] order. Rotations of
    /// neighbouring columns lie in one hemisphere.
    pub lanes: Vec<Lanes>,
    /// Lanes in one column.
    pub stride: usize,
}

/// Two neighbouring columns and the way between them.
pub struct Place<'c> {
    /// The moving lanes at or before the time.
    pub from: &'c [Lanes],
    /// The moving lanes after it, or the same at the end.
    pub to: &'c [Lanes],
    /// In 0..1.
    pub fraction: f32,
}

impl Timeline {
    /// At least one time, ascending.
    pub fn new(times: Vec<Time>) -> Timeline {
        let per_flick = match times[..] {
            [first, .., last] if last > first => (times.len() - 1) as f64 / (last - first).0 as f64,
            _ => 0.0,
        };
        Timeline { times, per_flick }
    }

    /// The last index whose time is at or before `time` (0 where none is), and how far towards the next, in 0..=1.
    ///
    /// Tries first where the index would be if the times were even, which they mostly are.
    #[inline(always)]
    pub fn find(&self, time: Time) -> (usize, f32) {
        let times = &self.times[..];
        let last = times.len() - 1;
        if last == 0 || time >= times[last] || time <= times[0] {
            return (if time >= times[last] { last } else { 0 }, 0.0);
        }
        let guess = (((time - times[0]).0 as f64 * self.per_flick) as usize).min(last - 1);
        let fits = times[guess] <= time && time < times[guess + 1];
        let before = if fits { guess } else { self.search(time) };
        let (gone, whole) = ((time - times[before]).0, (times[before + 1] - times[before]).0);
        (before, gone as f32 / whole as f32)
    }

    /// The last index whose time is at or before `time`, of all but the last. Out of the way of what is inlined.
    #[inline(never)]
    fn search(&self, time: Time) -> usize {
        self.times.partition_point(|at| *at <= time).saturating_sub(1).min(self.times.len() - 2)
    }
}

impl Columns {
    /// Columns of poses in order of time; `poses` and `times` are equally many, at least one, and all poses as long as
    /// `still`.
    pub fn new(times: Vec<Time>, poses: &[LocalPose], moving: Vec<Moving>, still: LocalPose) -> Columns {
        let stride = stride(&moving);
        let mut lanes = Vec::with_capacity(stride * poses.len());
        for pose in poses {
            for (group, moving) in pose.lanes().iter().zip(&moving) {
                let parts = parts(group);
                let kept = CHANNELS.iter().enumerate().filter(|(channel, _)| moving & (1 << channel) != 0);
                lanes.extend(kept.flat_map(|(_, range)| parts[range.clone()].iter().copied()));
            }
        }
        Columns { timeline: Timeline::new(times), moving, still, lanes, stride }
    }

    /// What the form holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.timeline.times[..])
            + size_of_val(&self.moving[..])
            + size_of_val(self.still.lanes())
            + size_of_val(&self.lanes[..])
    }

    /// The columns around a time, which may lie outside.
    #[inline(always)]
    pub fn place(&self, time: Time) -> Place<'_> {
        let (before, fraction) = self.timeline.find(time);
        let column = |at: usize| &self.lanes[at * self.stride..(at + 1) * self.stride];
        Place { from: column(before), to: column((before + 1).min(self.timeline.times.len() - 1)), fraction }
    }

    /// The pose at a time, by the widest loop of the processor.
    #[inline]
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        if !simd::sample(self, time, pose) {
            self.sample_portable(time, pose);
        }
    }

    /// The pose at a time, with plain `f32` arithmetic: the same bits on every machine.
    pub fn sample_portable(&self, time: Time, pose: &mut LocalPose) {
        self.mixed(&self.place(time), pose);
    }

    /// The pose of one column; of two at one time the one that is asked for.
    pub fn column(&self, at: usize, pose: &mut LocalPose) {
        let lanes = &self.lanes[at * self.stride..(at + 1) * self.stride];
        self.mixed(&Place { from: lanes, to: lanes, fraction: 0.0 }, pose);
    }

    fn mixed(&self, &Place { from, to, fraction }: &Place<'_>, pose: &mut LocalPose) {
        pose.copy_from(&self.still);
        let mut pairs = from.iter().zip(to);
        for (group, &moving) in pose.lanes_mut().iter_mut().zip(&self.moving) {
            if moving & 1 != 0 {
                mix(&mut group.translation, &mut pairs, fraction);
            }
            if moving & 2 != 0 {
                if moving & PACED != 0 {
                    mix_paced(&mut group.rotation, &mut pairs, fraction);
                } else {
                    mix(&mut group.rotation, &mut pairs, fraction);
                }
                normalise(&mut group.rotation);
            }
            if moving & 4 != 0 {
                mix(&mut group.scale, &mut pairs, fraction);
            }
        }
    }
}

/// The components that move, as places among the ten.
pub fn parts_of(moving: Moving) -> impl Iterator<Item = usize> {
    let channels = CHANNELS.into_iter().enumerate();
    channels.filter(move |(channel, _)| moving & (1 << channel) != 0).flat_map(|(_, part)| part)
}

/// Lanes in one column of what moves.
pub fn stride(moving: &[Moving]) -> usize {
    let of = |&moving: &Moving| -> usize {
        let kept = CHANNELS.iter().enumerate().filter(|(channel, _)| moving & (1 << channel) != 0);
        kept.map(|(_, range)| range.len()).sum()
    };
    moving.iter().map(of).sum()
}

fn mix<'c, const N: usize>(
    out: &mut [Lanes; N],
    pairs: &mut impl Iterator<Item = (&'c Lanes, &'c Lanes)>,
    fraction: f32,
) {
    for (out, (from, to)) in out.iter_mut().zip(pairs) {
        for lane in 0..8 {
            out.0[lane] = from.0[lane] + (to.0[lane] - from.0[lane]) * fraction;
        }
    }
}

/// Rotations with the fraction of [`pace`].
fn mix_paced<'c>(out: &mut [Lanes; 4], pairs: &mut impl Iterator<Item = (&'c Lanes, &'c Lanes)>, fraction: f32) {
    let (mut from, mut to) = ([Lanes([0.0; 8]); 4], [Lanes([0.0; 8]); 4]);
    for ((from, to), pair) in from.iter_mut().zip(&mut to).zip(pairs.take(4)) {
        (*from, *to) = (*pair.0, *pair.1);
    }
    *out = paced(&from, &to, fraction);
}

/// Two rotations of eight bones, mixed at the pace of slerp; not of unit length.
pub(super) fn paced(from: &[Lanes; 4], to: &[Lanes; 4], fraction: f32) -> [Lanes; 4] {
    let mut out = [Lanes([0.0; 8]); 4];
    for lane in 0..8 {
        let (a, b) = (from.each_ref().map(|part| part.0[lane]), to.each_ref().map(|part| part.0[lane]));
        let fraction = pace((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]), fraction);
        for part in 0..4 {
            out[part].0[lane] = a[part] + (b[part] - a[part]) * fraction;
        }
    }
    out
}

pub(super) fn normalise([x, y, z, w]: &mut [Lanes; 4]) {
    for lane in 0..8 {
        let (a, b, c, d) = (x.0[lane], y.0[lane], z.0[lane], w.0[lane]);
        let recip = 1.0 / ((a * a + b * b) + (c * c + d * d)).sqrt();
        (x.0[lane], y.0[lane], z.0[lane], w.0[lane]) = (a * recip, b * recip, c * recip, d * recip);
    }
}

/// Eight bones on the way to `to`, as a sample of two columns has them.
pub fn mix_group(group: &mut TransformLanes, to: &TransformLanes, fraction: f32, is_paced: bool) {
    let from = parts(group);
    let to = parts(to);
    let mut pairs = from.iter().zip(&to);
    mix(&mut group.translation, &mut pairs, fraction);
    if is_paced {
        mix_paced(&mut group.rotation, &mut pairs, fraction);
    } else {
        mix(&mut group.rotation, &mut pairs, fraction);
    }
    normalise(&mut group.rotation);
    mix(&mut group.scale, &mut pairs, fraction);
}

/// The ten components in order.
pub(super) fn parts(group: &TransformLanes) -> [Lanes; 10] {
    let [tx, ty, tz] = group.translation;
    let [rx, ry, rz, rw] = group.rotation;
    let [sx, sy, sz] = group.scale;
    [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]
}
