//! The smallest baked form: sampled poses as in [`crate::anim::bake::sampled_poses`], with as many bits per number as
//! the error bound requires, up to
//! 16. [`crate::anim::bake::pack`] chooses the bits and the numbers.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::check;
use crate::anim::bake::form::{BakedForm, FormError, FormKind, expect_count};
use crate::anim::bake::layout::{SampleLayout, write_constant};
use crate::anim::bake::sampled_poses::{blend_corrected, normalize};
use crate::anim::bake::timeline::Timeline;
use crate::anim::clip::LoopMode;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd;
use crate::anim::time::Time;

/// Maximum bits per number.
pub const MAX_BITS: u8 = 16;
/// Numbers are shifted up to end below this bit before they are scaled.
pub const TOP: u8 = 31;
/// Zeros after the last sample, so that 16 bytes can be read from the start of any component.
pub const PADDING: usize = 16;

/// The values of the numbers of one component: `low + step · n · 2³¹⁻ᵇ` for a number n of b bits, bone by bone.
/// Constant bones have a step of 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The value of 0.
    pub low: Lanes,
    /// At least 0.
    pub step: Lanes,
}

/// How one to three components of eight bones are stored in each sample, one after the other: `bits` bits for each bone
/// that is animated in any of them, bone by bone from the lowest bit of the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Offset of the first component in a sample, in bytes.
    pub start: u32,
    /// 0 to [`MAX_BITS`].
    pub bits: u8,
    /// The animated bones, the first in the lowest bit.
    pub lanes: u8,
    /// Size of one component, rounded up to whole bytes.
    pub bytes: u8,
}

/// Poses at sorted times, in as few bits as the error bound allows.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedSamples {
    layout: SampleLayout,
    /// As many as [`widths`] returns.
    parts: Vec<Part>,
    ranges: Vec<Range>,
    /// Sample by sample, component by component, then [`PADDING`] zeros.
    bytes: Vec<u8>,
    /// Bytes per sample.
    stride: usize,
}

/// The number of components of each part of a group: translation, x y z of the rotation, its w, scale; of those that
/// are animated.
pub fn widths(animated: Channels) -> impl Iterator<Item = usize> {
    let parts = [(Channels::TRANSLATION, 3), (Channels::ROTATION, 3), (Channels::ROTATION, 1), (Channels::SCALE, 3)];
    parts.into_iter().filter(move |(channel, _)| animated.has(*channel)).map(|(_, width)| width)
}

impl Range {
    /// The animated bones, the first in the lowest bit.
    fn lanes(&self) -> u8 {
        (0..8).filter(|&lane| self.step.0[lane] != 0.0).fold(0, |lanes, lane| lanes | 1 << lane)
    }
}

/// The bytes that `bits` bits for each of these bones take.
fn bytes_of(lanes: u8, bits: u8) -> usize {
    (lanes.count_ones() as usize * usize::from(bits)).div_ceil(8)
}

/// The bones that are animated in any of the ranges.
pub(super) fn lanes_of(ranges: &[Range]) -> u8 {
    ranges.iter().fold(0, |lanes, range| lanes | range.lanes())
}

/// Appends one component as a [`Part`] stores it. The numbers are below `1 << bits`.
pub(super) fn append(numbers: &[u16; 8], lanes: u8, bits: u8, out: &mut Vec<u8>) {
    let animated = (0..8).rev().filter(|lane| lanes & 1 << lane != 0);
    let all = animated.fold(0_u128, |all, lane| all << bits | u128::from(numbers[lane]));
    out.extend_from_slice(&all.to_le_bytes()[..bytes_of(lanes, bits)]);
}

impl PackedSamples {
    /// Assembles the form from its parts: `bits` per part, `ranges` per animated component, and the bytes of all
    /// samples. `constant` holds the values of constant channels.
    ///
    /// # Errors
    /// If the lengths don't match, or a number has too many bits. The values are not checked.
    pub fn new(
        timeline: Timeline,
        animated: Vec<Channels>,
        constant: &LocalPose,
        bits: &[u8],
        ranges: Vec<Range>,
        mut bytes: Vec<u8>,
    ) -> Result<PackedSamples, FormError> {
        let layout = SampleLayout::new(timeline, animated, constant)?;
        let widths: Vec<usize> = layout.animated.iter().flat_map(|&animated| widths(animated)).collect();
        expect_count("widths", bits.len(), widths.len())?;
        expect_count("ranges", ranges.len(), widths.iter().sum())?;
        if let Some(&bits) = bits.iter().find(|&&bits| bits > MAX_BITS) {
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
        expect_count("bytes of samples", bytes.len(), stride.saturating_mul(layout.timeline.times.len()))?;
        bytes.extend([0; PADDING]);
        bytes.shrink_to_fit();
        Ok(PackedSamples { layout, parts, ranges, bytes, stride })
    }

    /// Times, animated and constant channels.
    #[inline(always)]
    pub fn layout(&self) -> &SampleLayout {
        &self.layout
    }

    /// How the animated channels are stored.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// One for each animated component, in the order of [`crate::anim::bake::sampled_poses::SampledPoses::lanes`].
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// The bytes of all samples, without [`PADDING`].
    pub fn samples(&self) -> &[u8] {
        &self.bytes[..self.bytes.len() - PADDING]
    }

    /// A sample and everything after it: at least [`PADDING`] bytes from the start of any component.
    #[inline(always)]
    pub fn stored(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.stride..]
    }

    /// The samples before and after a time, and the fraction of the way between them.
    #[inline(always)]
    pub fn pair(&self, time: Time) -> ([&[u8]; 2], f32) {
        let (before, after, fraction) = self.layout.timeline.pair(time);
        ([self.stored(before), self.stored(after)], fraction)
    }

    /// For each animated component its part, and its index in it.
    pub fn places(&self) -> Vec<(Part, usize)> {
        let widths = self.layout.animated.iter().flat_map(|&animated| widths(animated));
        self.parts.iter().zip(widths).flat_map(|(part, width)| (0..width).map(|at| (*part, at))).collect()
    }

    /// The values of a component in one sample, for its entry in [`PackedSamples::places`].
    pub fn values(&self, index: usize, component: usize, (part, at): &(Part, usize)) -> Lanes {
        value(&numbers(self.stored(index), part, *at), &self.ranges[component])
    }
}

impl BakedForm for PackedSamples {
    const KIND: FormKind = FormKind::PackedSamples;

    fn sample_count(&self) -> usize {
        self.layout.timeline.times.len()
    }

    fn bytes(&self) -> usize {
        self.layout.bytes() + size_of_val(&self.parts[..]) + size_of_val(&self.ranges[..]) + self.bytes.len()
    }

    #[inline]
    fn sample_wide<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) -> bool {
        simd::sample_packed::<EXACT>(self, time, pose)
    }

    fn sample_lanes(&self, time: Time, pose: &mut LocalPose) {
        pose.fit(self.layout.constant.bones());
        let mut constant = self.layout.constant.lanes();
        let ([from, to], fraction) = self.pair(time);
        let mut rest = PartsLeft { parts: &self.parts, ranges: &self.ranges };
        let blend = |part: &Part, at: usize, range: &Range| {
            let (from, to) = (numbers(from, part, at), numbers(to, part, at));
            value(&Lanes(std::array::from_fn(|lane| from.0[lane] + (to.0[lane] - from.0[lane]) * fraction)), range)
        };
        for (group, &animated) in pose.lanes_mut().iter_mut().zip(&self.layout.animated) {
            write_constant(group, animated, &mut constant);
            if animated.has(Channels::TRANSLATION) {
                let Some((part, ranges)) = rest.take::<3>() else { return };
                group.translation = std::array::from_fn(|at| blend(part, at, &ranges[at]));
            }
            if animated.has(Channels::ROTATION) {
                let (Some((xyz, ranges)), Some((w, [range]))) = (rest.take::<3>(), rest.take::<1>()) else { return };
                let of = |at: usize| if at < 3 { (xyz, at, &ranges[at]) } else { (w, 0, range) };
                let stored = |sample: &[u8]| {
                    std::array::from_fn(|at| {
                        let (part, at, range) = of(at);
                        value(&numbers(sample, part, at), range)
                    })
                };
                group.rotation = if animated.has(Channels::SLERP_CORRECTED) {
                    blend_corrected(&stored(from), &stored(to), fraction)
                } else {
                    std::array::from_fn(|at| {
                        let (part, at, range) = of(at);
                        blend(part, at, range)
                    })
                };
                normalize(&mut group.rotation);
            }
            if animated.has(Channels::SCALE) {
                let Some((part, ranges)) = rest.take::<3>() else { return };
                group.scale = std::array::from_fn(|at| blend(part, at, &ranges[at]));
            }
        }
    }

    fn check(&self, bones: usize, length: Time, _: LoopMode) -> Result<(), FormError> {
        check::packed_samples(self, bones, length)
    }
}

/// The parts and ranges that sampling has not reached yet.
pub struct PartsLeft<'c> {
    /// Of the groups to come.
    pub parts: &'c [Part],
    /// Of their components.
    pub ranges: &'c [Range],
}

impl<'c> PartsLeft<'c> {
    /// Takes the next part, which has `N` components.
    #[inline]
    pub fn take<const N: usize>(&mut self) -> Option<(&'c Part, &'c [Range; N])> {
        let ((part, parts), (own, ranges)) = (self.parts.split_first()?, self.ranges.split_first_chunk()?);
        (self.parts, self.ranges) = (parts, ranges);
        Some((part, own))
    }
}

/// The numbers of eight bones, shifted up to [`TOP`]; 0 for constant bones.
fn numbers(sample: &[u8], part: &Part, at: usize) -> Lanes {
    let start = part.start as usize + usize::from(part.bytes) * at;
    let bytes = sample.get(start..).and_then(|bytes| bytes.first_chunk::<PADDING>());
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
