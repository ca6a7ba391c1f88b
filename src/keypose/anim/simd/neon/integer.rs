//! Integers in NEON registers, and their conversion to [`Eight`]s. `avx2/integer.rs` has the same functions.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use crate::anim::lanes::Block;
use crate::anim::simd::PADDING;
use crate::anim::simd::neon::eight::Eight;

/// The weights of two samples.
pub type Weights = [i16; 2];

#[inline]
#[target_feature(enable = "neon")]
pub fn weights(weights: [i16; 2]) -> Weights {
    weights
}

/// The weighted sum of two blocks: the lower halves of either eight, then the upper ones.
#[inline]
#[target_feature(enable = "neon")]
pub fn blend(from: &Block, to: &Block, [first, second]: Weights) -> [Eight; 2] {
    let ([a, b], [c, d]) = (loaded(from), loaded(to));
    let lower = |from, to| vcvtq_f32_s32(vmlal_n_s16(vmull_n_s16(vget_low_s16(from), first), vget_low_s16(to), second));
    let upper = |from, to| vcvtq_f32_s32(vmlal_high_n_s16(vmull_high_n_s16(from, first), to, second));
    [Eight(lower(a, c), lower(b, d)), Eight(upper(a, c), upper(b, d))]
}

/// The numbers of a block times 65,536, in the order of [`blend`].
#[inline]
#[target_feature(enable = "neon")]
pub fn shifted(block: &Block) -> [Eight; 2] {
    let [a, b] = loaded(block);
    let raised = |number| vcvtq_f32_s32(vshlq_n_s32::<16>(number));
    let (lower, upper) = (|eight| raised(vmovl_s16(vget_low_s16(eight))), |eight| raised(vmovl_high_s16(eight)));
    [Eight(lower(a), lower(b)), Eight(upper(a), upper(b))]
}

#[inline]
#[target_feature(enable = "neon")]
fn loaded(block: &Block) -> [int16x8_t; 2] {
    let start = block.0.as_ptr();
    // SAFETY: `Block` is sixteen numbers of 16 bits.
    unsafe { [vld1q_s16(start), vld1q_s16(start.add(8))] }
}

/// How eight packed numbers are unpacked to eight lanes: the bytes of each lane, and which bits of them belong to the
/// number.
pub struct Spread {
    places: [uint8x16_t; 2],
    mask: [uint32x4_t; 2],
    /// The inverse of the unit of each number.
    pub units: Eight,
}

/// For numbers of at most 16 bits. `ends` is where the bits of each
/// end, in one byte each.
#[inline]
#[target_feature(enable = "neon")]
pub fn spread(bits: &[u8; 8], ends: u64) -> Spread {
    let halves = |bytes: u64| {
        let wide = vmovl_u8(vcreate_u8(bytes));
        [vmovl_u16(vget_low_u16(wide)), vmovl_high_u16(wide)]
    };
    let ([a, b], [c, d]) = (halves(u64::from_le_bytes(*bits)), halves(ends << 8));
    // The first byte of each lane four times, then the three that follow.
    let places =
        |starts| vreinterpretq_u8_u32(vmlaq_n_u32(vdupq_n_u32(0x0302_0100), vshrq_n_u32::<3>(starts), 0x0101_0101));
    let inside = |starts| vandq_u32(starts, vdupq_n_u32(7));
    let above = |bit| vshlq_u32(vdupq_n_u32(u32::MAX), vreinterpretq_s32_u32(bit));
    let mask = |bits, starts| veorq_u32(above(inside(starts)), above(vaddq_u32(inside(starts), bits)));
    let unit = |starts| vreinterpretq_f32_u32(vshlq_n_u32::<23>(vsubq_u32(vdupq_n_u32(127), inside(starts))));
    Spread { places: [places(c), places(d)], mask: [mask(a, c), mask(b, d)], units: Eight(unit(c), unit(d)) }
}

/// Unpacks eight numbers from bytes, each times a power of two.
#[inline]
#[target_feature(enable = "neon")]
pub fn unpacked(bytes: &[u8; PADDING], spread: &Spread) -> Eight {
    // SAFETY: `bytes` is 16 bytes.
    let bytes = unsafe { vld1q_u8(bytes.as_ptr()) };
    let half = |at: usize| {
        let spread_out = vreinterpretq_u32_u8(vqtbl1q_u8(bytes, spread.places[at]));
        vcvtq_f32_u32(vandq_u32(spread_out, spread.mask[at]))
    };
    Eight(half(0), half(1))
}

/// Eight whole numbers.
#[inline]
#[target_feature(enable = "neon")]
pub fn floats(numbers: &[i16; 8]) -> Eight {
    // SAFETY: eight numbers are 16 bytes.
    let numbers = unsafe { vld1q_s16(numbers.as_ptr()) };
    Eight(vcvtq_f32_s32(vmovl_s16(vget_low_s16(numbers))), vcvtq_f32_s32(vmovl_high_s16(numbers)))
}

/// The eight 32-bit numbers with these upper halves.
#[inline]
#[target_feature(enable = "neon")]
pub fn widened(halves: &[u16; 8]) -> Eight {
    // SAFETY: eight halves are 16 bytes.
    let halves = unsafe { vld1q_u16(halves.as_ptr()) };
    let half = |half| vreinterpretq_f32_u32(vshlq_n_u32::<16>(half));
    Eight(half(vmovl_u16(vget_low_u16(halves))), half(vmovl_high_u16(halves)))
}
