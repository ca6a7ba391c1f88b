//! The smallest baked form: sampled poses as in [`crate::anim::bake::sampled_poses`], with as many bits per number as
//! the error bound requires for each bone, up to 16. [`crate::anim::bake::pack`] chooses the bits and the numbers.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::check;
use crate::anim::bake::form::{BakedForm, FormError, expect_count};
use crate::anim::bake::layout::SampleLayout;
use crate::anim::bake::sampled_poses::{blend_corrected, normalize};
use crate::anim::bake::timeline::Timeline;
use crate::anim::bake::wide;
use crate::anim::clip::LoopMode;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::PADDING;
use crate::anim::time::Time;

/// Maximum bits per number.
pub const MAX_BITS: u8 = 16;

/// How one to three components of eight bones are stored in each sample, one after the other: for each bone a number n
/// of its own bits, from the lowest bit of the first byte, and zeros up to a whole byte. Its value is `low · unit + step · n`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Part {
    /// For each bone the upper half of a 32-bit number.
    pub steps: [u16; 8],
    /// For each bone 0 to [`MAX_BITS`]. 0 for constant bones.
    pub bits: [u8; 8],
    /// The upper half of a 32-bit number.
    pub unit: u16,
}

/// The value of 0 of a component of eight bones, in units of its part.
pub type Lows = [i16; 8];

/// Poses at sorted times, in as few bits as the error bound allows.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedSamples {
    layout: SampleLayout,
    /// As many as [`widths`] returns.
    parts: Vec<Part>,
    /// One for each component.
    lows: Vec<Lows>,
    /// Sample by sample, component by component, then [`PADDING`] zeros.
    bytes: Vec<u8>,
    /// Bytes per sample.
    stride: usize,
}

/// The number of components of each part of a group: translation, x y z of the rotation, its w, scale; of those that
/// are animated and stored.
pub fn widths(animated: Channels) -> impl Iterator<Item = usize> {
    let has_w = !animated.has(Channels::DERIVED_W);
    let parts = [
        (Channels::TRANSLATION, true, 3),
        (Channels::ROTATION, true, 3),
        (Channels::ROTATION, has_w, 1),
        (Channels::SCALE, true, 3),
    ];
    parts
        .into_iter()
        .filter(move |&(channel, is_stored, _)| is_stored && animated.has(channel))
        .map(|(_, _, width)| width)
}

/// The 32-bit number with this upper half.
#[inline(always)]
pub fn widened(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// w of a unit rotation that has none below 0.
pub(super) fn derived_w([x, y, z]: [&Lanes; 3]) -> Lanes {
    let square = |part: &Lanes, lane: usize| part.0[lane] * part.0[lane];
    Lanes(std::array::from_fn(|lane| {
        (1.0 - ((square(x, lane) + square(y, lane)) + square(z, lane))).clamp(0.0, 1.0).sqrt()
    }))
}

impl Part {
    /// For each bone, in one byte of the result, where its bits end.
    #[inline(always)]
    pub fn ends(&self) -> u64 {
        // Each byte of the product is the sum of the factor's bytes up to it: at most 8 × 16.
        u64::from_le_bytes(self.bits).wrapping_mul(0x0101_0101_0101_0101)
    }

    /// Size of one component.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        ((self.ends() >> 56) as usize + 7) >> 3
    }

    /// The value of 0 of each bone.
    fn zeros(&self, lows: &Lows) -> Lanes {
        let unit = widened(self.unit);
        Lanes(lows.map(|low| f32::from(low) * unit))
    }

    /// The steps of each bone times a factor.
    fn steps(&self, factor: f32) -> Lanes {
        Lanes(self.steps.map(|step| widened(step) * factor))
    }

    /// Appends one component. The numbers have no more bits than their bones.
    pub(super) fn append(&self, numbers: &[u16; 8], out: &mut Vec<u8>) {
        let lanes = numbers.iter().zip(self.bits).rev();
        let all = lanes.fold(0_u128, |all, (&number, bits)| all << bits | u128::from(number));
        out.extend_from_slice(&all.to_le_bytes()[..self.bytes()]);
    }

    /// The numbers of a component whose first byte is the first of `stored`.
    fn numbers(&self, stored: &[u8]) -> Lanes {
        let bytes = stored.first_chunk::<PADDING>().copied().unwrap_or_default();
        let mut left = u128::from_le_bytes(bytes);
        Lanes(self.bits.map(|bits| {
            let number = left as u32 & ((1 << bits) - 1);
            left >>= bits;
            number as f32
        }))
    }
}

impl PackedSamples {
    /// Assembles the form from its parts, the `lows` of each component, and the bytes of all samples. `constant` holds
    /// the values of constant channels.
    ///
    /// # Errors
    /// If the lengths don't match, or a number has too many bits. The values are not checked.
    pub fn new(
        timeline: Timeline,
        animated: Vec<Channels>,
        constant: &LocalPose,
        parts: Vec<Part>,
        lows: Vec<Lows>,
        mut bytes: Vec<u8>,
    ) -> Result<PackedSamples, FormError> {
        let layout = SampleLayout::new(timeline, animated, constant)?;
        let widths: Vec<usize> = layout.animated.iter().flat_map(|&animated| widths(animated)).collect();
        expect_count("parts", parts.len(), widths.len())?;
        expect_count("lows", lows.len(), widths.iter().sum())?;
        if let Some(&bits) = parts.iter().flat_map(|part| &part.bits).find(|&&bits| bits > MAX_BITS) {
            return Err(FormError::Bits { bits });
        }
        let stride = parts.iter().zip(widths).map(|(part, width)| part.bytes() * width).sum::<usize>();
        expect_count("bytes of samples", bytes.len(), stride.saturating_mul(layout.timeline.times.len()))?;
        bytes.extend([0; PADDING]);
        bytes.shrink_to_fit();
        Ok(PackedSamples { layout, parts, lows, bytes, stride })
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

    /// One for each animated component that is stored, in the order of [`Channels::components`].
    pub fn lows(&self) -> &[Lows] {
        &self.lows
    }

    /// The bytes of all samples, without [`PADDING`].
    pub fn samples(&self) -> &[u8] {
        &self.bytes[..self.bytes.len() - PADDING]
    }

    /// All components, none of which is reached yet.
    #[inline(always)]
    pub fn unread(&self) -> Unread<'_> {
        Unread { parts: &self.parts, lows: &self.lows, at: 0 }
    }

    /// The components from the first of each group on.
    pub(super) fn groups(&self) -> Vec<Unread<'_>> {
        let mut unread = self.unread();
        let start = |&animated: &Channels| {
            let start = unread;
            widths(animated).for_each(|width| unread.skip(width));
            start
        };
        self.layout.animated.iter().map(start).collect()
    }

    /// Writes the animated components of a group in a sample, w included. The group is one of [`PackedSamples::groups`].
    pub(super) fn write_group(&self, group: usize, mut unread: Unread<'_>, sample: usize, out: &mut [Lanes; 10]) {
        let (animated, sample) = (self.layout.animated[group], self.stored(sample));
        let mut write = |first: usize, lanes: &[Lanes]| out[first..first + lanes.len()].copy_from_slice(lanes);
        if animated.has(Channels::TRANSLATION)
            && let Some(block) = unread.take::<3>()
        {
            write(0, &block.stored(sample));
        }
        if animated.has(Channels::ROTATION)
            && let Some([rotation]) = unread.take_rotation(animated, [sample])
        {
            write(3, &rotation);
        }
        if animated.has(Channels::SCALE)
            && let Some(block) = unread.take::<3>()
        {
            write(7, &block.stored(sample));
        }
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
}

impl BakedForm for PackedSamples {
    fn sample_count(&self) -> usize {
        self.layout.timeline.times.len()
    }

    fn bytes(&self) -> usize {
        self.layout.bytes() + size_of_val(&self.parts[..]) + size_of_val(&self.lows[..]) + self.bytes.len()
    }

    #[inline]
    fn sample_wide<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) -> bool {
        wide::packed_samples::<EXACT>(self, time, pose)
    }

    fn sample_lanes(&self, time: Time, pose: &mut LocalPose) {
        pose.fit(self.layout.constant.bones());
        let mut constant = self.layout.constant.lanes();
        let (pair, fraction) = self.pair(time);
        let mut unread = self.unread();
        for (group, &animated) in pose.lanes_mut().iter_mut().zip(&self.layout.animated) {
            self.layout.constant.write(group, animated, &mut constant);
            if animated.has(Channels::TRANSLATION) {
                let Some(block) = unread.take() else { return };
                group.translation = block.blended(pair, fraction);
            }
            if animated.has(Channels::ROTATION) {
                let Some([from, to]) = unread.take_rotation(animated, pair) else { return };
                group.rotation = if animated.has(Channels::SLERP_CORRECTED) {
                    blend_corrected(&from, &to, fraction)
                } else {
                    std::array::from_fn(|part| between(&from[part], &to[part], fraction))
                };
                normalize(&mut group.rotation);
            }
            if animated.has(Channels::SCALE) {
                let Some(block) = unread.take() else { return };
                group.scale = block.blended(pair, fraction);
            }
        }
    }

    fn check(&self, bones: usize, length: Time, _: LoopMode) -> Result<(), FormError> {
        check::packed_samples(self, bones, length)
    }
}

fn between(from: &Lanes, to: &Lanes, fraction: f32) -> Lanes {
    Lanes(std::array::from_fn(|lane| from.0[lane] + (to.0[lane] - from.0[lane]) * fraction))
}

/// The components that sampling has not reached yet.
#[derive(Clone, Copy)]
pub struct Unread<'c> {
    parts: &'c [Part],
    lows: &'c [Lows],
    /// The offset in a sample, in bytes.
    at: usize,
}

/// The `N` components of a part.
pub struct Block<'c, const N: usize> {
    /// How they are stored.
    pub part: &'c Part,
    /// The low ends, one for each component.
    pub lows: &'c [Lows; N],
    /// The offset of the first in a sample, in bytes.
    pub start: usize,
    /// Size of one component.
    pub bytes: usize,
}

impl<'c> Unread<'c> {
    /// Takes the next part, which has `N` components.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Option<Block<'c, N>> {
        let ((part, parts), (own, lows)) = (self.parts.split_first()?, self.lows.split_first_chunk()?);
        let (start, bytes) = (self.at, part.bytes());
        *self = Unread { parts, lows, at: start + bytes * N };
        Some(Block { part, lows: own, start, bytes })
    }

    fn skip(&mut self, width: usize) {
        let bytes = self.parts.first().map_or(0, Part::bytes);
        (self.parts, self.lows) = (self.parts.get(1..).unwrap_or_default(), self.lows.get(width..).unwrap_or_default());
        self.at += bytes * width;
    }

    /// The next part, a rotation, in each of these samples.
    pub(super) fn take_rotation<const M: usize>(
        &mut self,
        animated: Channels,
        samples: [&[u8]; M],
    ) -> Option<[[Lanes; 4]; M]> {
        let xyz = self.take::<3>()?;
        let w = if animated.has(Channels::DERIVED_W) { None } else { Some(self.take::<1>()?) };
        Some(samples.map(|sample| {
            let [x, y, z] = xyz.stored(sample);
            let w = match &w {
                Some(block) => block.stored(sample)[0],
                None => derived_w([&x, &y, &z]),
            };
            [x, y, z, w]
        }))
    }
}

impl<const N: usize> Block<'_, N> {
    /// The numbers of a component in a sample.
    fn numbers(&self, sample: &[u8], component: usize) -> Lanes {
        self.part.numbers(sample.get(self.start + self.bytes * component..).unwrap_or_default())
    }

    /// The values in a sample.
    fn stored(&self, sample: &[u8]) -> [Lanes; N] {
        let steps = self.part.steps(1.0);
        std::array::from_fn(|at| sum(&self.part.zeros(&self.lows[at]), &steps, &self.numbers(sample, at)))
    }

    /// The values between two samples.
    fn blended(&self, [from, to]: [&[u8]; 2], fraction: f32) -> [Lanes; N] {
        let [first, second] = [1.0 - fraction, fraction].map(|weight| self.part.steps(weight));
        std::array::from_fn(|at| {
            let from = sum(&self.part.zeros(&self.lows[at]), &first, &self.numbers(from, at));
            sum(&from, &second, &self.numbers(to, at))
        })
    }
}

/// `a + b · c`.
fn sum(a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    Lanes(std::array::from_fn(|lane| a.0[lane] + b.0[lane] * c.0[lane]))
}
