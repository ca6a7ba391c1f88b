//! Samples packed poses: unpacks one component of eight bones from the bits of two samples.
#![allow(unsafe_code)]

use crate::anim::bake::channels::Channels;
use crate::anim::bake::packed_samples::{MAX_BITS, PADDING, PackedSamples, Part, PartsLeft, Range, TOP};
use crate::anim::pose::LocalPose;
use crate::anim::simd::loops::rounding::{mul_add, normalized};
use crate::anim::simd::loops::sampled_poses::{blend_corrected, write_constant};
use crate::anim::simd::registers::eight::{Eight, all, load, store, sub};
use crate::anim::simd::registers::integer;
use crate::anim::time::Time;

/// Equals the portable loop to 5e-7 of a unit rotation; if `EXACT`, bit by bit.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample<const EXACT: bool>(samples: &PackedSamples, time: Time, pose: &mut LocalPose) {
    let (pair, fraction) = samples.pair(time);
    let mut rest = PartsLeft { parts: samples.parts(), ranges: samples.ranges() };
    let fraction = all(fraction);
    pose.fit(samples.layout().constant.bones());
    let mut constant = samples.layout().constant.lanes();
    for (out, &animated) in pose.lanes_mut().iter_mut().zip(&samples.layout().animated) {
        if animated.has(Channels::TRANSLATION) {
            let Some((part, ranges)) = rest.take() else { return };
            let values = blend::<EXACT, 3>(pair, part, ranges, fraction);
            out.translation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            write_constant(&mut out.translation, &mut constant);
        }
        if animated.has(Channels::ROTATION) {
            let (Some((xyz, ranges)), Some((w, range))) = (rest.take(), rest.take()) else { return };
            let values = if !animated.has(Channels::SLERP_CORRECTED) {
                let ([x, y, z], [w]) =
                    (blend::<EXACT, 3>(pair, xyz, ranges, fraction), blend::<EXACT, 1>(pair, w, range, fraction));
                [x, y, z, w]
            } else {
                let [from, to] = pair.map(|sample| {
                    let ([x, y, z], [w]) =
                        (stored::<EXACT, 3>(sample, xyz, ranges), stored::<EXACT, 1>(sample, w, range));
                    [x, y, z, w]
                });
                blend_corrected::<EXACT>(from, to, 1.0, fraction)
            };
            out.rotation.iter_mut().zip(normalized::<EXACT>(values)).for_each(|(out, value)| store(out, value));
        } else {
            write_constant(&mut out.rotation, &mut constant);
        }
        if animated.has(Channels::SCALE) {
            let Some((part, ranges)) = rest.take() else { return };
            let values = blend::<EXACT, 3>(pair, part, ranges, fraction);
            out.scale.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            write_constant(&mut out.scale, &mut constant);
        }
    }
}

/// Blends the components of a part.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn blend<const EXACT: bool, const N: usize>(
    pair: [&[u8]; 2],
    part: &Part,
    ranges: &[Range; N],
    fraction: Eight,
) -> [Eight; N] {
    let (from, to) = (numbers::<N>(pair[0], part), numbers::<N>(pair[1], part));
    let mut out = from;
    for (out, to) in out.iter_mut().zip(to) {
        *out = mul_add::<EXACT>(sub(to, *out), fraction, *out);
    }
    values::<EXACT, N>(out, part, ranges)
}

/// The components of a part in one sample.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn stored<const EXACT: bool, const N: usize>(sample: &[u8], part: &Part, ranges: &[Range; N]) -> [Eight; N] {
    values::<EXACT, N>(numbers::<N>(sample, part), part, ranges)
}

/// The values of stored numbers, which are those of the animated bones, one after the other.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn values<const EXACT: bool, const N: usize>(mut numbers: [Eight; N], part: &Part, ranges: &[Range; N]) -> [Eight; N] {
    let is_in_place = part.lanes & part.lanes.wrapping_add(1) == 0;
    if !is_in_place {
        numbers
            .iter_mut()
            .for_each(|numbers| *numbers = integer::scattered(*numbers, &ORDERS[usize::from(part.lanes)]));
    }
    for (numbers, range) in numbers.iter_mut().zip(ranges) {
        *numbers = mul_add::<EXACT>(*numbers, load(&range.step), load(&range.low));
    }
    numbers
}

/// For each mask and lane, the number of lanes before it that are in the mask.
static ORDERS: [[u8; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut lane = 1;
        while lane < 8 {
            orders[mask][lane] = orders[mask][lane - 1] + (mask >> (lane - 1) & 1) as u8;
            lane += 1;
        }
        mask += 1;
    }
    orders
};

/// The numbers of a part's components in a sample, shifted up to [`TOP`].
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn numbers<const N: usize>(sample: &[u8], part: &Part) -> [Eight; N] {
    let spread = &SPREADS[usize::from(part.bits.min(MAX_BITS))];
    let mut out = [all(0.0); N];
    for (at, out) in out.iter_mut().enumerate() {
        let start = part.start as usize + usize::from(part.bytes) * at;
        debug_assert!(start + PADDING <= sample.len());
        // SAFETY: `PackedSamples::stored` returns at least 16 bytes from the start of any component:
        // `PackedSamples::new` checks the number of bytes of all samples and appends as many.
        let bytes = unsafe { &*sample.as_ptr().add(start).cast::<[u8; PADDING]>() };
        *out = integer::unpacked(bytes, spread);
    }
    out
}

/// How eight packed numbers are unpacked to eight lanes: the bytes of each lane, how far it is shifted to the left, and
/// which bits belong to the number.
#[repr(C, align(32))]
pub struct Spread {
    pub places: [u8; 32],
    pub left: [i32; 8],
    pub mask: i32,
}

/// Indexed by the number of bits.
static SPREADS: [Spread; MAX_BITS as usize + 1] = {
    const NOTHING: u8 = 0x80;
    let mut spreads = [const { Spread { places: [NOTHING; 32], left: [0; 8], mask: 0 } }; MAX_BITS as usize + 1];
    let mut bits = 1;
    while bits <= MAX_BITS as usize {
        let mut lane = 0;
        while lane < 8 {
            let (first, inside) = (lane * bits / 8, lane * bits % 8);
            let mut byte = 0;
            while byte < 4 && first + byte < PADDING {
                spreads[bits].places[lane * 4 + byte] = (first + byte) as u8;
                byte += 1;
            }
            spreads[bits].left[lane] = (TOP as usize - bits - inside) as i32;
            lane += 1;
        }
        spreads[bits].mask = ((1 << bits) - 1) << (TOP as usize - bits);
        bits += 1;
    }
    spreads
};
