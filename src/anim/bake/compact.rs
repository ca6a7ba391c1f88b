//! The compact form of a baked clip: columns as in [`crate::anim::bake::columns`], each number in 16 bits within the
//! range that it has in the clip. Half the bytes; the error that rounding adds is measured by the bake.

use std::cell::Cell;

use crate::anim::bake::columns::{Columns, Moving, PACED, Timeline, normalise, paced};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd;
use crate::anim::time::Time;

/// The largest whole number of the form, and what the weights of two columns sum to.
pub const WHOLE: i16 = i16::MAX;

/// Two components of eight bones: bones 0 to 3 of both, then bones 4 to 7 of both, so that interleaving two columns
/// gives each component in order.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair(pub [i16; 16]);

/// How whole numbers become values: `middle + step · n`, where n is a sum over two columns weighted to [`WHOLE`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Half the range by `WHOLE` twice.
    pub step: Lanes,
    /// The middle of the range.
    pub middle: Lanes,
}

/// Poses at sorted times, in 16 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Compact {
    /// As of [`Columns`].
    pub timeline: Timeline,
    /// One for each eight bones.
    pub moving: Vec<Moving>,
    /// What does not move.
    pub still: LocalPose,
    /// Column after column; of each eight bones as many as [`pairs`] says.
    pub pairs: Vec<Pair>,
    /// Two for each pair of a column.
    pub ranges: Vec<Range>,
}

/// Pairs of components of eight bones; an odd one is padded.
pub fn pairs(moving: Moving) -> usize {
    components(moving).div_ceil(2)
}

fn components(moving: Moving) -> usize {
    [3, 4, 3].iter().enumerate().filter(|(channel, _)| moving & (1 << channel) != 0).map(|(_, count)| count).sum()
}

impl Compact {
    /// Rounds columns.
    pub fn new(columns: &Columns) -> Compact {
        let per_column: usize = columns.moving.iter().map(|&moving| pairs(moving)).sum();
        let count = columns.timeline.times.len();
        let empty = Range { step: Lanes([0.0; 8]), middle: Lanes([0.0; 8]) };
        let mut out = Compact {
            timeline: columns.timeline.clone(),
            moving: columns.moving.clone(),
            still: columns.still.clone(),
            pairs: vec![Pair([0; 16]); per_column * count],
            ranges: vec![empty; per_column * 2],
        };
        let (mut source, mut target) = (0, 0);
        for &moving in &columns.moving {
            for component in 0..components(moving) {
                let values = |column: usize| &columns.lanes[column * columns.stride + source + component];
                let (pair, side) = (target + component / 2, component % 2);
                let range = range((0..count).map(values));
                out.ranges[pair * 2 + side] = range;
                for column in 0..count {
                    put(&mut out.pairs[column * per_column + pair], side, values(column), &range);
                }
            }
            source += components(moving);
            target += pairs(moving);
        }
        out
    }

    /// Pairs in one column.
    pub fn stride(&self) -> usize {
        self.ranges.len() / 2
    }

    /// What the form holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.timeline.times[..])
            + size_of_val(&self.moving[..])
            + size_of_val(self.still.lanes())
            + size_of_val(&self.pairs[..])
            + size_of_val(&self.ranges[..])
    }

    /// The columns around a time and the weight of the second, of [`WHOLE`].
    #[inline]
    pub fn place(&self, time: Time) -> (&[Pair], &[Pair], i16) {
        let (before, fraction) = self.timeline.find(time);
        let after = (before + 1).min(self.timeline.times.len() - 1);
        let stride = self.stride();
        let column = |at: usize| &self.pairs[at * stride..(at + 1) * stride];
        (column(before), column(after), (fraction * f32::from(WHOLE) + 0.5) as i16)
    }

    /// The pose at a time, by the widest loop of the processor.
    #[inline]
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        if !simd::sample_compact(self, time, pose) {
            self.sample_portable(time, pose);
        }
    }

    /// The pose at a time, with whole numbers and plain `f32` arithmetic: the same bits on every machine.
    pub fn sample_portable(&self, time: Time, pose: &mut LocalPose) {
        pose.copy_from(&self.still);
        let (from, to, weight) = self.place(time);
        let mut at = 0;
        for (group, &moving) in pose.lanes_mut().iter_mut().zip(&self.moving) {
            let component = Cell::new(0);
            let place = || {
                let (pair, side) = (at + component.get() / 2, component.get() % 2);
                component.set(component.get() + 1);
                (pair, side, &self.ranges[pair * 2 + side])
            };
            let next = || {
                let (pair, side, range) = place();
                value(&from[pair], &to[pair], side, weight, range)
            };
            let next_two = || {
                let (pair, side, range) = place();
                (exactly(&from[pair], side, range), exactly(&to[pair], side, range))
            };
            if moving & 1 != 0 {
                group.translation = std::array::from_fn(|_| next());
            }
            if moving & 2 != 0 {
                group.rotation = match moving & PACED {
                    0 => std::array::from_fn(|_| next()),
                    _ => {
                        let both: [(Lanes, Lanes); 4] = std::array::from_fn(|_| next_two());
                        paced(&both.map(|two| two.0), &both.map(|two| two.1), f32::from(weight) / f32::from(WHOLE))
                    }
                };
                normalise(&mut group.rotation);
            }
            if moving & 4 != 0 {
                group.scale = std::array::from_fn(|_| next());
            }
            at += pairs(moving);
        }
    }
}

fn range<'c>(columns: impl Iterator<Item = &'c Lanes>) -> Range {
    let (mut low, mut high) = ([f32::INFINITY; 8], [f32::NEG_INFINITY; 8]);
    for lanes in columns {
        for lane in 0..8 {
            low[lane] = low[lane].min(lanes.0[lane]);
            high[lane] = high[lane].max(lanes.0[lane]);
        }
    }
    let whole = f32::from(WHOLE);
    let step = std::array::from_fn(|lane| (high[lane] * 0.5 - low[lane] * 0.5) / whole / whole);
    let middle = std::array::from_fn(|lane| high[lane] * 0.5 + low[lane] * 0.5);
    Range { step: Lanes(step), middle: Lanes(middle) }
}

/// Where a lane of the first or second component stands in its pair.
fn slot(side: usize, lane: usize) -> usize {
    lane / 4 * 8 + side * 4 + lane % 4
}

fn put(pair: &mut Pair, side: usize, values: &Lanes, range: &Range) {
    let whole = f32::from(WHOLE);
    for lane in 0..8 {
        let count = (values.0[lane] - range.middle.0[lane]) / (range.step.0[lane] * whole);
        pair.0[slot(side, lane)] = count.round().clamp(-whole, whole) as i16;
    }
}

/// A component of eight bones in one column.
pub fn exactly(pair: &Pair, side: usize, range: &Range) -> Lanes {
    value(pair, pair, side, 0, range)
}

fn value(from: &Pair, to: &Pair, side: usize, weight: i16, range: &Range) -> Lanes {
    let (first, second) = (i32::from(WHOLE - weight), i32::from(weight));
    Lanes(std::array::from_fn(|lane| {
        let slot = slot(side, lane);
        let sum = i32::from(from.0[slot]) * first + i32::from(to.0[slot]) * second;
        range.middle.0[lane] + range.step.0[lane] * sum as f32
    }))
}
