//! Integers in NEON registers, and their conversion to [`Eight`]s. `avx2/integer.rs` has the same functions.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use crate::anim::bake::packed_samples::PADDING;
use crate::anim::bake::quantized_samples::Block;
use crate::anim::simd::loops::packed_samples::Spread;
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

/// Unpacks eight numbers from bytes.
#[inline]
#[target_feature(enable = "neon")]
pub fn unpacked(bytes: &[u8; PADDING], spread: &Spread) -> Eight {
    let (places, left) = (spread.places.as_ptr(), spread.left.as_ptr().cast());
    // SAFETY: `bytes` is 16 bytes, `places` 32, and `left` eight numbers.
    let (bytes, places, left) = unsafe {
        (
            vld1q_u8(bytes.as_ptr()),
            [vld1q_u8(places), vld1q_u8(places.add(16))],
            [vld1q_s32(left), vld1q_s32(left.add(4))],
        )
    };
    let mask = vdupq_n_s32(spread.mask);
    let half = |places, left| {
        let spread_out = vreinterpretq_s32_u8(vqtbl1q_u8(bytes, places));
        vcvtq_f32_s32(vandq_s32(vshlq_s32(spread_out, left), mask))
    };
    Eight(half(places[0], left[0]), half(places[1], left[1]))
}

/// Moves to each lane the number with the index in `order`.
#[inline]
#[target_feature(enable = "neon")]
pub fn scattered(numbers: Eight, order: &[u8; 8]) -> Eight {
    // SAFETY: an order is eight bytes.
    let order = vmovl_u8(unsafe { vld1_u8(order.as_ptr()) });
    // The four bytes of number n are 4 n, 4 n + 1 and so on.
    let bytes = |number| vreinterpretq_u8_u32(vmlaq_n_u32(vdupq_n_u32(0x0302_0100), number, 0x0404_0404));
    let table = uint8x16x2_t(vreinterpretq_u8_f32(numbers.0), vreinterpretq_u8_f32(numbers.1));
    let half = |number| vreinterpretq_f32_u8(vqtbl2q_u8(table, bytes(number)));
    Eight(half(vmovl_u16(vget_low_u16(order))), half(vmovl_high_u16(order)))
}
