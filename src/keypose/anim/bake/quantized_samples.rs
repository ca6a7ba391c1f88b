//! The default baked form: sampled poses of 16-bit numbers, half the size of [`crate::anim::bake::sampled_poses`]. Two
//! samples are blended as whole numbers by multiply-add instructions. [`crate::anim::bake::quantize`] chooses the
//! numbers.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::check;
use crate::anim::bake::form::{BakedForm, FormError, expect_count};
use crate::anim::bake::layout::SampleLayout;
use crate::anim::bake::sampled_poses::{blend_corrected, normalize};
use crate::anim::bake::timeline::Timeline;
use crate::anim::bake::wide;
use crate::anim::clip::LoopMode;
use crate::anim::key::Channel;
pub use crate::anim::lanes::Block;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;

/// The number that represents 1 in a component of a rotation, and the sum of the weights of two samples.
pub const ONE: i16 = i16::MAX;

/// The number of a bone whose value is constant, in a component that is animated for other bones of its group.
pub const CONSTANT: i16 = 1 << 14;

/// Bones per block of [`SparseChannel`]s.
pub const SPARSE_PER_BLOCK: usize = 4;

/// A channel that is animated for few of its eight bones, and is therefore stored bone by bone after the groups of a
/// sample: in blocks of four bones, each bone as x, y, z, 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseChannel {
    /// The index in the skeleton.
    pub bone: BoneIndex,
    /// Translation or scale.
    pub channel: Channel,
}

/// Poses at sorted times, quantized to 16 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedSamples {
    layout: SampleLayout,
    sparse: Vec<SparseChannel>,
    scales: Vec<Lanes>,
    blocks: Vec<Block>,
    /// Blocks per sample.
    stride: usize,
    is_slerp_corrected: bool,
}

impl Block {
    /// Interleaves two components.
    pub fn new(first: [i16; 8], second: [i16; 8]) -> Block {
        let from = |at: usize| if at & 4 == 0 { first } else { second };
        Block(std::array::from_fn(|at| from(at)[at % 4 + at / 8 * 4]))
    }

    /// The two components.
    pub fn components(&self) -> [[i16; 8]; 2] {
        deinterleaved(&self.0)
    }
}

/// The two components of a [`Block`].
#[inline(always)]
fn deinterleaved<T: Copy>(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[T; 16]) -> [[T; 8]; 2] {
    [[a, b, c, d, i, j, k, l], [e, f, g, h, m, n, o, p]]
}

/// The number of blocks per sample for the rotation of a group, and for its translation and scale.
pub fn blocks_of(animated: Channels) -> (usize, usize) {
    let vectors = match animated.vectors() {
        Channels::NONE => 0,
        Channels::VECTORS => 3,
        _ => 2,
    };
    (if animated.has(Channels::ROTATION) { 2 } else { 0 }, vectors)
}

/// The weights of two samples for a fraction of the way between them, as multiples of 1 / [`ONE`].
#[inline(always)]
pub fn weights(fraction: f32) -> [i16; 2] {
    let second = (fraction * f32::from(ONE) + 0.5) as i16;
    [ONE - second, second]
}

impl QuantizedSamples {
    /// Assembles the form from its parts. `constant` holds the values of constant channels.
    ///
    /// # Errors
    /// If the lengths don't match, or a sparse channel is a rotation or of no bone. The values are not checked.
    pub fn new(
        timeline: Timeline,
        animated: Vec<Channels>,
        constant: &LocalPose,
        sparse: Vec<SparseChannel>,
        scales: Vec<Lanes>,
        blocks: Vec<Block>,
    ) -> Result<QuantizedSamples, FormError> {
        let counts = animated.iter().map(|&animated| blocks_of(animated));
        let (rotations, vectors) = counts.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let scaled = vectors + sparse.len().div_ceil(SPARSE_PER_BLOCK);
        let stride = rotations + scaled;
        let layout = SampleLayout::new(timeline, animated, constant)?;
        expect_count("scales", scales.len(), scaled * 2)?;
        expect_count("blocks", blocks.len(), stride.saturating_mul(layout.timeline.times.len()))?;
        for &SparseChannel { bone, channel } in &sparse {
            if usize::from(bone) >= constant.len() {
                return Err(FormError::Bone { bone, bones: constant.len() });
            }
            if channel == Channel::Rotation {
                return Err(FormError::SparseRotation { bone });
            }
        }
        let is_slerp_corrected = layout.animated.iter().any(|animated| animated.has(Channels::SLERP_CORRECTED));
        Ok(QuantizedSamples { layout, sparse, scales, blocks, stride, is_slerp_corrected })
    }

    /// Times, animated and constant channels.
    #[inline(always)]
    pub fn layout(&self) -> &SampleLayout {
        &self.layout
    }

    /// Whether any rotation is blended with [`Channels::SLERP_CORRECTED`].
    pub fn is_slerp_corrected(&self) -> bool {
        self.is_slerp_corrected
    }

    /// The channels that are stored bone by bone.
    pub fn sparse(&self) -> &[SparseChannel] {
        &self.sparse
    }

    /// For each component of translations and scales, in the order of the blocks and including unused halves: the value is
    /// this times the number times [`ONE`].
    pub fn scales(&self) -> &[Lanes] {
        &self.scales
    }

    /// Sample by sample. Each group starts with two blocks for the rotation (xy, zw), if it is animated. Then come
    /// translation and scale: both in three blocks (t.xy, t.z s.x, s.yz), one of them in two (xy, z and an unused
    /// half). Sparse channels follow all groups.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks of one sample.
    #[inline(always)]
    pub fn stored(&self, index: usize) -> &[Block] {
        &self.blocks[index * self.stride..(index + 1) * self.stride]
    }

    /// The samples before and after a time, and the fraction of the way between them.
    #[inline(always)]
    pub fn pair(&self, time: Time) -> (&[Block], &[Block], f32) {
        let (before, after, fraction) = self.layout.timeline.pair(time);
        (self.stored(before), self.stored(after), fraction)
    }
}

impl BakedForm for QuantizedSamples {
    fn sample_count(&self) -> usize {
        self.layout.timeline.times.len()
    }

    fn bytes(&self) -> usize {
        self.layout.bytes()
            + size_of_val(&self.sparse[..])
            + size_of_val(&self.scales[..])
            + size_of_val(&self.blocks[..])
    }

    #[inline]
    fn sample_wide<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) -> bool {
        wide::quantized_samples::<EXACT>(self, time, pose)
    }

    fn sample_lanes(&self, time: Time, pose: &mut LocalPose) {
        let (from, to, fraction) = self.pair(time);
        let mut pairs = from.iter().zip(to);
        let weights = weights(fraction);
        let mut scales = self.scales.as_chunks::<2>().0.iter();
        let mut constant = self.layout.constant.lanes();
        pose.fit(self.layout.constant.bones());
        for (group, &animated) in pose.lanes_mut().iter_mut().zip(&self.layout.animated) {
            self.layout.constant.write(group, animated, &mut constant);
            if animated.has(Channels::ROTATION) {
                let (Some(xy), Some(zw)) = (pairs.next(), pairs.next()) else { return };
                let mut blended = if animated.has(Channels::SLERP_CORRECTED) {
                    blend_corrected(&rotation(xy.0, zw.0), &rotation(xy.1, zw.1), fraction)
                } else {
                    let ([x, y], [z, w]) = (blend(xy, weights), blend(zw, weights));
                    [x, y, z, w]
                };
                normalize(&mut blended);
                group.rotation = blended;
            }
            let mut next = || Some(scaled(blend(pairs.next()?, weights), scales.next()?));
            match animated.vectors() {
                Channels::NONE => {}
                Channels::VECTORS => {
                    let (Some([tx, ty]), Some([tz, sx]), Some([sy, sz])) = (next(), next(), next()) else { return };
                    (group.translation, group.scale) = ([tx, ty, tz], [sx, sy, sz]);
                }
                one => {
                    let (Some([x, y]), Some([z, _])) = (next(), next()) else { return };
                    *(if one == Channels::TRANSLATION { &mut group.translation } else { &mut group.scale }) = [x, y, z];
                }
            }
        }
        for channels in self.sparse.chunks(SPARSE_PER_BLOCK) {
            let (Some(pair), Some(scales)) = (pairs.next(), scales.next()) else { return };
            let values = scaled(blend(pair, weights), scales);
            for (at, channel) in channels.iter().enumerate() {
                channel.write(&values[at / 2].0[at % 2 * 4..], pose);
            }
        }
    }

    fn check(&self, bones: usize, length: Time, _: LoopMode) -> Result<(), FormError> {
        check::quantized_samples(self, bones, length)
    }
}

impl SparseChannel {
    /// Writes x, y, z of the channel.
    #[inline(always)]
    pub fn write(&self, values: &[f32], pose: &mut LocalPose) {
        let (group, lane) = (usize::from(self.bone) / 8, usize::from(self.bone) % 8);
        let Some(group) = pose.lanes_mut().get_mut(group) else { return };
        let components = if self.channel == Channel::Scale { &mut group.scale } else { &mut group.translation };
        components.iter_mut().zip(values).for_each(|(component, &value)| component.0[lane] = value);
    }
}

/// Blends two blocks. The values are multiples of 1 / [`ONE`]².
#[inline(always)]
fn blend((from, to): (&Block, &Block), [first, second]: [i16; 2]) -> [Lanes; 2] {
    let mut sums = [0.0; 16];
    for ((sum, &from), &to) in sums.iter_mut().zip(&from.0).zip(&to.0) {
        *sum = (i32::from(from) * i32::from(first) + i32::from(to) * i32::from(second)) as f32;
    }
    deinterleaved(&sums).map(Lanes)
}

/// The rotation that two blocks of one sample hold.
pub fn rotation(xy: &Block, zw: &Block) -> [Lanes; 4] {
    let unit =
        |block: &Block| block.components().map(|component| Lanes(component.map(|n| f32::from(n) * (1.0 / ONE as f32))));
    let ([x, y], [z, w]) = (unit(xy), unit(zw));
    [x, y, z, w]
}

#[inline(always)]
fn scaled(mut values: [Lanes; 2], scales: &[Lanes; 2]) -> [Lanes; 2] {
    for (values, scales) in values.iter_mut().zip(scales) {
        values.0.iter_mut().zip(&scales.0).for_each(|(value, scale)| *value *= scale);
    }
    values
}
