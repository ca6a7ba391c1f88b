//! The compact form of a baked clip: columns as in [`crate::anim::bake::columns`], each number in as many bits as the bound
//! asks for, up to 16. How many, and which numbers, [`crate::anim::bake::fewest`] finds out.

use std::cell::Cell;

use crate::anim::bake::columns::{Moving, PACED, Timeline, normalise, paced};
use crate::anim::bake::form::FormError;
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

/// How a component of eight bones is stored in each column: `bits` bits for each bone that moves, one bone after the other
/// from the lowest bit of the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it starts in a column.
    pub start: u32,
    /// 0 to [`MOST_BITS`].
    pub bits: u8,
    /// Which bones move, the first in the lowest bit.
    pub lanes: u8,
}

/// Poses at sorted times, in few bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Compact {
    timeline: Timeline,
    moving: Vec<Moving>,
    still: LocalPose,
    /// Of each component that moves, in the order of [`crate::anim::bake::columns::Columns::lanes`].
    parts: Vec<Part>,
    /// As many.
    ranges: Vec<Range>,
    /// Column after column, component after component, then [`PAST`] zeros.
    bytes: Vec<u8>,
    /// Bytes of one column.
    stride: usize,
}

/// Components of eight bones that move.
pub fn components(moving: Moving) -> usize {
    [3, 4, 3].iter().enumerate().filter(|(channel, _)| moving & (1 << channel) != 0).map(|(_, count)| count).sum()
}

impl Range {
    /// Which bones move, the first in the lowest bit.
    pub fn lanes(&self) -> u8 {
        (0..8).filter(|&lane| self.step.0[lane] != 0.0).fold(0, |lanes, lane| lanes | 1 << lane)
    }
}

/// Bytes for so many bits of each of these bones.
fn bytes_of(lanes: u8, bits: u8) -> usize {
    (lanes.count_ones() as usize * usize::from(bits)).div_ceil(8)
}

/// Writes whole numbers below `1 << bits` the way a [`Part`] is stored.
pub(super) fn put(numbers: &[u16; 8], lanes: u8, bits: u8, out: &mut Vec<u8>) {
    let moving = (0..8).rev().filter(|lane| lanes & 1 << lane != 0);
    let all = moving.fold(0_u128, |all, lane| all << bits | u128::from(numbers[lane]));
    out.extend_from_slice(&all.to_le_bytes()[..bytes_of(lanes, bits)]);
}

impl Compact {
    /// The form of these parts; `bits` and `ranges` are of each component that moves, `columns` is all columns' bytes.
    ///
    /// # Errors
    /// Where they are not as many as they must be. What the numbers are nobody checks.
    pub fn new(
        timeline: Timeline,
        moving: Vec<Moving>,
        still: LocalPose,
        bits: &[u8],
        ranges: Vec<Range>,
        columns: Vec<u8>,
    ) -> Result<Compact, FormError> {
        let count = |what, found, wanted| match found == wanted {
            true => Ok(()),
            false => Err(FormError::Count { what, found, wanted }),
        };
        let wanted = moving.iter().map(|&moving| components(moving)).sum();
        count("groups of bones", moving.len(), still.lanes().len())?;
        count("widths", bits.len(), wanted)?;
        count("ranges", ranges.len(), wanted)?;
        if let Some(&bits) = bits.iter().find(|&&bits| bits > MOST_BITS) {
            return Err(FormError::Bits { bits });
        }
        let mut stride = 0;
        let part = |(range, &bits): (&Range, &u8)| {
            let part = Part { start: stride as u32, bits, lanes: range.lanes() };
            stride += bytes_of(part.lanes, bits);
            part
        };
        let parts = ranges.iter().zip(bits).map(part).collect();
        count("bytes of columns", columns.len(), stride.saturating_mul(timeline.times.len()))?;
        let mut bytes = columns;
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
    pub fn still(&self) -> &LocalPose {
        &self.still
    }

    /// How each component that moves is stored.
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

    /// A column and what follows it: from the start of every part at least [`PAST`] bytes.
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
        pose.copy_from(&self.still);
        let (from, to, fraction) = self.place(time);
        let (from, to) = (self.column(from), self.column(to));
        let component = Cell::new(0);
        let next_two = || {
            let (part, range) = (&self.parts[component.get()], &self.ranges[component.get()]);
            component.set(component.get() + 1);
            ([from, to].map(|column| numbers(column, part)), range)
        };
        let next = || {
            let ([from, to], range) = next_two();
            let mixed = |lane: usize| from.0[lane] + (to.0[lane] - from.0[lane]) * fraction;
            value(&Lanes(std::array::from_fn(mixed)), range)
        };
        for (group, &moving) in pose.lanes_mut().iter_mut().zip(&self.moving) {
            if moving & 1 != 0 {
                group.translation = std::array::from_fn(|_| next());
            }
            if moving & 2 != 0 {
                group.rotation = match moving & PACED {
                    0 => std::array::from_fn(|_| next()),
                    _ => {
                        let both: [_; 4] = std::array::from_fn(|_| {
                            let ([from, to], range) = next_two();
                            (value(&from, range), value(&to, range))
                        });
                        paced(&both.map(|two| two.0), &both.map(|two| two.1), fraction)
                    }
                };
                normalise(&mut group.rotation);
            }
            if moving & 4 != 0 {
                group.scale = std::array::from_fn(|_| next());
            }
        }
    }

    /// A component of eight bones in one column.
    pub fn exactly(&self, column: usize, component: usize) -> Lanes {
        value(&numbers(self.column(column), &self.parts[component]), &self.ranges[component])
    }
}

/// The numbers of eight bones, moved up to [`TOP`]; 0 for those that keep still.
fn numbers(column: &[u8], part: &Part) -> Lanes {
    let bytes = column.get(part.start as usize..).and_then(|bytes| bytes.first_chunk::<PAST>());
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
