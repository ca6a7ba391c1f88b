//! The compact form of a baked clip: columns as in [`crate::anim::bake::columns`], each number in as many bits as the bound
//! asks for, up to 16. How many, and which numbers, [`crate::anim::bake::fewest`] finds out.

use crate::anim::bake::columns::{Moving, PACED, Timeline, normalise, paced};
use crate::anim::bake::form::{FormError, count};
use crate::anim::bake::still::{Still, keep};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd;
use crate::anim::time::Time;

/// More bits than this no number has.
pub const MOST_BITS: u8 = 16;
/// Where numbers end when they become values.
pub const TOP: u8 = 31;
/// Zeros behind the last column, so that 16 bytes can be read wherever a component starts.
pub const PAST: usize = 16;

/// How whole numbers become values, bone by bone: `low + step · n · 2³¹⁻ᵇ`, where b is the bits of the number, so that the
/// highest of them always stands in the same place. A bone that keeps still has a step of 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// At 0.
    pub low: Lanes,
    /// Not negative.
    pub step: Lanes,
}

/// How one to three components of eight bones are stored in each column, one after the other: `bits` bits for each bone
/// that moves in any of them, one bone after the other from the lowest bit of the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where the first component starts in a column.
    pub start: u32,
    /// 0 to [`MOST_BITS`].
    pub bits: u8,
    /// Which bones move, the first in the lowest bit.
    pub lanes: u8,
    /// Whole bytes of one component.
    pub bytes: u8,
}

/// Poses at sorted times, in few bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Compact {
    timeline: Timeline,
    moving: Vec<Moving>,
    still: Still,
    /// As many as [`widths`] says.
    parts: Vec<Part>,
    /// Of each component that moves, in the order of [`crate::anim::bake::columns::Columns::lanes`].
    ranges: Vec<Range>,
    /// Column after column, component after component, then [`PAST`] zeros.
    bytes: Vec<u8>,
    /// Bytes of one column.
    stride: usize,
}

/// How many components each part of eight bones has: translation, the axis of the rotation, its w, scale, where they move.
pub fn widths(moving: Moving) -> impl Iterator<Item = usize> {
    [(1, 3), (2, 3), (2, 1), (4, 3)].into_iter().filter(move |(bit, _)| moving & bit != 0).map(|(_, width)| width)
}

impl Range {
    /// Which bones move, the first in the lowest bit.
    fn lanes(&self) -> u8 {
        (0..8).filter(|&lane| self.step.0[lane] != 0.0).fold(0, |lanes, lane| lanes | 1 << lane)
    }
}

/// Bytes for so many bits of each of these bones.
fn bytes_of(lanes: u8, bits: u8) -> usize {
    (lanes.count_ones() as usize * usize::from(bits)).div_ceil(8)
}

/// Which bones move in any of these.
pub(super) fn lanes_of(ranges: &[Range]) -> u8 {
    ranges.iter().fold(0, |lanes, range| lanes | range.lanes())
}

/// Writes whole numbers below `1 << bits` the way a [`Part`] is stored.
pub(super) fn put(numbers: &[u16; 8], lanes: u8, bits: u8, out: &mut Vec<u8>) {
    let moving = (0..8).rev().filter(|lane| lanes & 1 << lane != 0);
    let all = moving.fold(0_u128, |all, lane| all << bits | u128::from(numbers[lane]));
    out.extend_from_slice(&all.to_le_bytes()[..bytes_of(lanes, bits)]);
}

impl Compact {
    /// The form of these parts; `bits` are of each part, `ranges` of each component that moves, `stored` is all columns' bytes.
    ///
    /// # Errors
    /// Where they are not as many as they must be. What the numbers are nobody checks.
    pub fn new(
        timeline: Timeline,
        moving: Vec<Moving>,
        still: LocalPose,
        bits: &[u8],
        ranges: Vec<Range>,
        stored: Vec<u8>,
    ) -> Result<Compact, FormError> {
        let widths: Vec<usize> = moving.iter().flat_map(|&moving| widths(moving)).collect();
        count("groups of bones", moving.len(), still.lanes().len())?;
        count("widths", bits.len(), widths.len())?;
        count("ranges", ranges.len(), widths.iter().sum())?;
        if let Some(&bits) = bits.iter().find(|&&bits| bits > MOST_BITS) {
            return Err(FormError::Bits { bits });
        }
        let (mut stride, mut rest) = (0, &ranges[..]);
        let part = |(&width, &bits): (&usize, &u8)| {
            let (own, others) = rest.split_at(width);
            let lanes = lanes_of(own);
            let part = Part { start: stride as u32, bits, lanes, bytes: bytes_of(lanes, bits) as u8 };
            (stride, rest) = (stride + usize::from(part.bytes) * width, others);
            part
        };
        let parts = widths.iter().zip(bits).map(part).collect();
        count("bytes of columns", stored.len(), stride.saturating_mul(timeline.times.len()))?;
        let still = Still::new(&still, &moving);
        let mut bytes = stored;
        bytes.extend([0; PAST]);
        bytes.shrink_to_fit();
        Ok(Compact { timeline, moving, still, parts, ranges, bytes, stride })
    }

    /// When each column is.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// One for each eight bones.
    pub fn moving(&self) -> &[Moving] {
        &self.moving
    }

    /// What does not move.
    pub fn still(&self) -> &Still {
        &self.still
    }

    /// How what moves is stored.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Of each component that moves.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// All columns.
    pub fn columns(&self) -> &[u8] {
        &self.bytes[..self.bytes.len() - PAST]
    }

    /// What the form holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.timeline.times[..])
            + size_of_val(&self.moving[..])
            + size_of_val(self.still.lanes())
            + size_of_val(&self.parts[..])
            + size_of_val(&self.ranges[..])
            + self.bytes.len()
    }

    /// A column and what follows it: from the start of every component at least [`PAST`] bytes.
    #[inline(always)]
    pub fn column(&self, at: usize) -> &[u8] {
        &self.bytes[at * self.stride..]
    }

    /// The columns around a time, and how far towards the second.
    #[inline(always)]
    pub fn place(&self, time: Time) -> (usize, usize, f32) {
        let (before, fraction) = self.timeline.find(time);
        (before, (before + 1).min(self.timeline.times.len() - 1), fraction)
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
        pose.fit(self.still.bones());
        let mut still = self.still.lanes();
        let (from, to, fraction) = self.place(time);
        let (from, to) = (self.column(from), self.column(to));
        let mut stored = Stored { parts: &self.parts, ranges: &self.ranges };
        let mixed = |part: &Part, at: usize, range: &Range| {
            let (from, to) = (numbers(from, part, at), numbers(to, part, at));
            value(&Lanes(std::array::from_fn(|lane| from.0[lane] + (to.0[lane] - from.0[lane]) * fraction)), range)
        };
        for (group, &moving) in pose.lanes_mut().iter_mut().zip(&self.moving) {
            keep(group, moving, &mut still);
            if moving & 1 != 0 {
                let Some((part, ranges)) = stored.take::<3>() else { return };
                group.translation = std::array::from_fn(|at| mixed(part, at, &ranges[at]));
            }
            if moving & 2 != 0 {
                let (Some((axis, ranges)), Some((w, [range]))) = (stored.take::<3>(), stored.take::<1>()) else {
                    return;
                };
                let of = |at: usize| if at < 3 { (axis, at, &ranges[at]) } else { (w, 0, range) };
                let exactly = |column: &[u8]| {
                    std::array::from_fn(|at| {
                        let (part, at, range) = of(at);
                        value(&numbers(column, part, at), range)
                    })
                };
                group.rotation = match moving & PACED {
                    0 => std::array::from_fn(|at| {
                        let (part, at, range) = of(at);
                        mixed(part, at, range)
                    }),
                    _ => paced(&exactly(from), &exactly(to), fraction),
                };
                normalise(&mut group.rotation);
            }
            if moving & 4 != 0 {
                let Some((part, ranges)) = stored.take::<3>() else { return };
                group.scale = std::array::from_fn(|at| mixed(part, at, &ranges[at]));
            }
        }
    }

    /// The part of each component that moves, and its place in it.
    pub fn places(&self) -> Vec<(Part, usize)> {
        let widths = self.moving.iter().flat_map(|&moving| widths(moving));
        self.parts.iter().zip(widths).flat_map(|(part, width)| (0..width).map(|at| (*part, at))).collect()
    }

    /// A component of eight bones in one column, by [`Compact::places`].
    pub fn exactly(&self, column: usize, component: usize, (part, at): &(Part, usize)) -> Lanes {
        value(&numbers(self.column(column), part, *at), &self.ranges[component])
    }
}

/// What is left of the parts and ranges of a form that is read in order.
pub struct Stored<'c> {
    /// Of the groups to come.
    pub parts: &'c [Part],
    /// Of their components.
    pub ranges: &'c [Range],
}

impl<'c> Stored<'c> {
    /// The next part, of `N` components.
    #[inline]
    pub fn take<const N: usize>(&mut self) -> Option<(&'c Part, &'c [Range; N])> {
        let ((part, parts), (own, ranges)) = (self.parts.split_first()?, self.ranges.split_first_chunk()?);
        (self.parts, self.ranges) = (parts, ranges);
        Some((part, own))
    }
}

/// The numbers of eight bones, moved up to [`TOP`]; 0 for those that keep still.
fn numbers(column: &[u8], part: &Part, at: usize) -> Lanes {
    let start = part.start as usize + usize::from(part.bytes) * at;
    let bytes = column.get(start..).and_then(|bytes| bytes.first_chunk::<PAST>());
    let (mut left, mask) = (u128::from_le_bytes(bytes.copied().unwrap_or_default()), (1 << part.bits) - 1);
    let mut out = [0.0; 8];
    for (lane, out) in out.iter_mut().enumerate() {
        if part.lanes & 1 << lane != 0 {
            *out = ((left as u32 & mask) << (TOP - part.bits)) as f32;
            left >>= part.bits;
        }
    }
    Lanes(out)
}

fn value(numbers: &Lanes, range: &Range) -> Lanes {
    Lanes(std::array::from_fn(|lane| range.low.0[lane] + range.step.0[lane] * numbers.0[lane]))
}
