//! Samples 16-bit poses: sixteen numbers of two samples at a time, times their weights. No unsafe code.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::loops::sampled_poses::{blend_corrected, write_constant, write_constant_scale};
use crate::anim::bake::quantized_samples::{Block, ONE, QuantizedSamples, SPARSE_PER_BLOCK, weights};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::loops::rounding::normalized;
use crate::anim::simd::registers::eight::{Eight, all, load, mul, store};
use crate::anim::simd::registers::integer::{self, Weights};
use crate::anim::time::Time;

/// The factor from the result of [`rotation`] to unit length.
const UNIT: f32 = 1.0 / (ONE as f32 * 65_536.0);

/// Equals the portable loop to 5e-7 of a unit rotation; if `EXACT`, bit by bit.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample<const EXACT: bool>(samples: &QuantizedSamples, time: Time, pose: &mut LocalPose) {
    match samples.is_slerp_corrected() {
        true => sample_as::<EXACT, true>(samples, time, pose),
        false => sample_as::<EXACT, false>(samples, time, pose),
    }
}

/// Without `CORRECTED` no rotation is [`Channels::SLERP_CORRECTED`], which makes the loop shorter.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn sample_as<const EXACT: bool, const CORRECTED: bool>(samples: &QuantizedSamples, time: Time, pose: &mut LocalPose) {
    let (from, to, fraction) = samples.pair(time);
    let mut blocks = Blocks { from, to, scales: samples.scales(), weights: integer::weights(weights(fraction)) };
    let fraction = all(fraction);
    let mut constant = samples.layout().constant.lanes();
    pose.fit(samples.layout().constant.bones());
    for (out, &animated) in pose.lanes_mut().iter_mut().zip(&samples.layout().animated) {
        let blend_rotation = |(from, to): (&[Block; 2], &[Block; 2]), blocks: &Blocks<'_>| {
            normalized::<EXACT>(if CORRECTED && animated.has(Channels::SLERP_CORRECTED) {
                corrected::<EXACT>(from, to, fraction)
            } else {
                let [[x, y], [z, w]] = blocks.blend(from, to);
                [x, y, z, w]
            })
        };
        let blend_vectors = |translation: &mut [Lanes; 3], scale: &mut [Lanes; 3], blocks: &mut Blocks<'_>| {
            let Some([[tx, ty], [tz, sx], [sy, sz]]) = blocks.scaled() else { return };
            translation.iter_mut().zip([tx, ty, tz]).for_each(|(out, value)| store(out, value));
            scale.iter_mut().zip([sx, sy, sz]).for_each(|(out, value)| store(out, value));
        };
        if animated.has(Channels::ALL) {
            let Some(rotations) = blocks.take() else { return };
            blend_vectors(&mut out.translation, &mut out.scale, &mut blocks);
            let rotation = blend_rotation(rotations, &blocks);
            out.rotation.iter_mut().zip(rotation).for_each(|(out, value)| store(out, value));
            continue;
        }
        if !animated.has(Channels::TRANSLATION) {
            write_constant(&mut out.translation, &mut constant);
        }
        if animated.has(Channels::ROTATION) {
            let Some(rotations) = blocks.take() else { return };
            let rotation = blend_rotation(rotations, &blocks);
            out.rotation.iter_mut().zip(rotation).for_each(|(out, value)| store(out, value));
        } else {
            write_constant(&mut out.rotation, &mut constant);
        }
        if !animated.has(Channels::SCALE) {
            write_constant_scale(&samples.layout().constant, &mut out.scale, &mut constant);
        }
        match animated.vectors() {
            Channels::NONE => {}
            Channels::VECTORS => blend_vectors(&mut out.translation, &mut out.scale, &mut blocks),
            one => {
                let Some([[x, y], [z, _]]) = blocks.scaled() else { return };
                let out = if one == Channels::TRANSLATION { &mut out.translation } else { &mut out.scale };
                out.iter_mut().zip([x, y, z]).for_each(|(out, value)| store(out, value));
            }
        }
    }
    for channels in samples.sparse().chunks(SPARSE_PER_BLOCK) {
        let Some([values]) = blocks.scaled() else { return };
        let mut bones = [Lanes([0.0; 8]); 2];
        bones.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        for (at, channel) in channels.iter().enumerate() {
            channel.write(&bones[at / 2].0[at % 2 * 4..], pose);
        }
    }
}

/// The rest of two samples, and of the scales that belong to them.
struct Blocks<'c> {
    from: &'c [Block],
    to: &'c [Block],
    scales: &'c [Lanes],
    /// The weights of the two samples.
    weights: Weights,
}

impl<'c> Blocks<'c> {
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn take<const N: usize>(&mut self) -> Option<(&'c [Block; N], &'c [Block; N])> {
        let ((from, from_rest), (to, to_rest)) = (self.from.split_first_chunk()?, self.to.split_first_chunk()?);
        (self.from, self.to) = (from_rest, to_rest);
        Some((from, to))
    }

    /// Blends the components of each block. The values are multiples of 1 / [`ONE`]².
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn blend<const N: usize>(&self, from: &[Block; N], to: &[Block; N]) -> [[Eight; 2]; N] {
        let mut out = [[all(0.0); 2]; N];
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = integer::blend(from, to, self.weights);
        }
        out
    }

    /// The values of the next blocks.
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn scaled<const N: usize>(&mut self) -> Option<[[Eight; 2]; N]> {
        let (from, to) = self.take()?;
        let mut out = self.blend(from, to);
        for components in &mut out {
            let (scales, rest) = self.scales.split_first_chunk::<2>()?;
            self.scales = rest;
            *components = [mul(components[0], load(&scales[0])), mul(components[1], load(&scales[1]))];
        }
        Some(out)
    }
}

/// Blends rotations with [`Channels::SLERP_CORRECTED`]. Their length is left as it becomes.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn corrected<const EXACT: bool>(from: &[Block; 2], to: &[Block; 2], fraction: Eight) -> [Eight; 4] {
    if EXACT {
        blend_corrected::<EXACT>(units(from), units(to), 1.0, fraction)
    } else {
        blend_corrected::<EXACT>(rotation(from), rotation(to), UNIT * UNIT, fraction)
    }
}

/// The rotations of one sample with a length of 1 / [`UNIT`]: every number is in the upper half of 32 bits.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn rotation(blocks: &[Block; 2]) -> [Eight; 4] {
    let [[x, y], [z, w]] = [integer::shifted(&blocks[0]), integer::shifted(&blocks[1])];
    [x, y, z, w]
}

/// The rotations of one sample with unit length, rounded as in the portable loop.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn units(blocks: &[Block; 2]) -> [Eight; 4] {
    rotation(blocks).map(|part| mul(mul(part, all(1.0 / 65_536.0)), all(1.0 / ONE as f32)))
}
