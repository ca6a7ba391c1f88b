//! Whole numbers in registers of AVX2, and how they become [`Eight`]s. NEON has a file of the same names.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::compact::PAST;
use crate::anim::bake::short::Block;
use crate::anim::simd::avx2::eight::Eight;
use crate::anim::simd::loops::compact::Spread;

/// The shares of two columns in every pair of numbers.
pub type Shares = __m256i;

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn shares([first, second]: [i16; 2]) -> Shares {
    _mm256_set1_epi32(i32::from(second) << 16 | i32::from(first))
}

/// The numbers of two blocks by their shares, added up.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn mixed(from: &Block, to: &Block, shares: Shares) -> [Eight; 2] {
    let (from, to) = (loaded(from), loaded(to));
    let sum = |pairs| _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, shares));
    [sum(_mm256_unpacklo_epi16(from, to)), sum(_mm256_unpackhi_epi16(from, to))]
}

/// The numbers of a block, each 65,536 times.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn exactly(block: &Block) -> [Eight; 2] {
    let (zero, own) = (_mm256_setzero_si256(), loaded(block));
    [_mm256_unpacklo_epi16(zero, own), _mm256_unpackhi_epi16(zero, own)].map(|numbers| _mm256_cvtepi32_ps(numbers))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn loaded(block: &Block) -> __m256i {
    // SAFETY: `Block` is sixteen numbers of 16 bits, aligned to 32 bytes.
    unsafe { _mm256_load_si256(block.0.as_ptr().cast()) }
}

/// Eight numbers of so many bits out of bytes.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn unpacked(bytes: &[u8; PAST], spread: &Spread) -> Eight {
    let (places, left) = ((&raw const spread.places).cast(), (&raw const spread.left).cast());
    // SAFETY: the first two are 32 bytes, aligned to as many; the bytes are 16.
    let (places, left, bytes) =
        unsafe { (_mm256_load_si256(places), _mm256_load_si256(left), _mm_loadu_si128(bytes.as_ptr().cast())) };
    let spread_out = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), places);
    _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_sllv_epi32(spread_out, left), _mm256_set1_epi32(spread.mask)))
}

/// To each lane the number that the order says.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn scattered(numbers: Eight, order: &[u8; 8]) -> Eight {
    // SAFETY: an order is eight bytes.
    let order = unsafe { _mm_loadl_epi64(order.as_ptr().cast()) };
    _mm256_permutevar8x32_ps(numbers, _mm256_cvtepu8_epi32(order))
}
