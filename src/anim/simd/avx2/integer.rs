//! Integers in AVX2 registers, and their conversion to [`Eight`]s. `neon/integer.rs` has the same functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::packed_samples::PADDING;
use crate::anim::bake::quantized_samples::Block;
use crate::anim::simd::avx2::eight::Eight;
use crate::anim::simd::loops::packed_samples::Spread;

/// The weights of two samples, for every pair of numbers.
pub type Weights = __m256i;

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn weights([first, second]: [i16; 2]) -> Weights {
    _mm256_set1_epi32(i32::from(second) << 16 | i32::from(first))
}

/// The weighted sum of two blocks.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn blend(from: &Block, to: &Block, weights: Weights) -> [Eight; 2] {
    let (from, to) = (loaded(from), loaded(to));
    let sum = |pairs| _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, weights));
    [sum(_mm256_unpacklo_epi16(from, to)), sum(_mm256_unpackhi_epi16(from, to))]
}

/// The numbers of a block times 65,536.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn shifted(block: &Block) -> [Eight; 2] {
    let (zero, own) = (_mm256_setzero_si256(), loaded(block));
    [_mm256_unpacklo_epi16(zero, own), _mm256_unpackhi_epi16(zero, own)].map(|numbers| _mm256_cvtepi32_ps(numbers))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn loaded(block: &Block) -> __m256i {
    // SAFETY: `Block` is sixteen numbers of 16 bits, aligned to 32 bytes.
    unsafe { _mm256_load_si256(block.0.as_ptr().cast()) }
}

/// Unpacks eight numbers from bytes.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn unpacked(bytes: &[u8; PADDING], spread: &Spread) -> Eight {
    let (places, left) = ((&raw const spread.places).cast(), (&raw const spread.left).cast());
    // SAFETY: `places` and `left` are 32 bytes with an alignment of 32; `bytes` is 16 bytes.
    let (places, left, bytes) =
        unsafe { (_mm256_load_si256(places), _mm256_load_si256(left), _mm_loadu_si128(bytes.as_ptr().cast())) };
    let spread_out = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), places);
    _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_sllv_epi32(spread_out, left), _mm256_set1_epi32(spread.mask)))
}

/// Moves to each lane the number with the index in `order`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn scattered(numbers: Eight, order: &[u8; 8]) -> Eight {
    // SAFETY: an order is eight bytes.
    let order = unsafe { _mm_loadl_epi64(order.as_ptr().cast()) };
    _mm256_permutevar8x32_ps(numbers, _mm256_cvtepu8_epi32(order))
}
