//! Integers in AVX2 registers, and their conversion to [`Eight`]s. `neon/integer.rs` has the same functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::lanes::Block;
use crate::anim::simd::PADDING;
use crate::anim::simd::avx2::eight::Eight;

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

/// How eight packed numbers are unpacked to eight lanes: the bytes of each lane, and which bits of them belong to the
/// number.
pub struct Spread {
    places: __m256i,
    mask: __m256i,
    /// The inverse of the unit of each number.
    pub units: Eight,
}

/// For numbers of at most 16 bits. `ends` is where the bits of each
/// end, in one byte each.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn spread(bits: &[u8; 8], ends: u64) -> Spread {
    let wide = |bytes: u64| _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bytes as i64));
    let (bits, starts) = (wide(u64::from_le_bytes(*bits)), wide(ends << 8));
    // The first byte of each lane four times, then the three that follow.
    let fourfold = _mm256_broadcastsi128_si256(_mm_set_epi32(0x0c0c_0c0c, 0x0808_0808, 0x0404_0404, 0));
    let first = _mm256_shuffle_epi8(_mm256_srli_epi32::<3>(starts), fourfold);
    let inside = _mm256_and_si256(starts, _mm256_set1_epi32(7));
    let above = |bit| _mm256_sllv_epi32(_mm256_set1_epi32(-1), bit);
    let exponents = _mm256_sub_epi32(_mm256_set1_epi32(127), inside);
    Spread {
        places: _mm256_add_epi32(first, _mm256_set1_epi32(0x0302_0100)),
        mask: _mm256_xor_si256(above(inside), above(_mm256_add_epi32(inside, bits))),
        units: _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponents)),
    }
}

/// Unpacks eight numbers from bytes, each times a power of two.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn unpacked(bytes: &[u8; PADDING], spread: &Spread) -> Eight {
    // SAFETY: `bytes` is 16 bytes.
    let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    let spread_out = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), spread.places);
    _mm256_cvtepi32_ps(_mm256_and_si256(spread_out, spread.mask))
}

/// Eight whole numbers.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn floats(numbers: &[i16; 8]) -> Eight {
    // SAFETY: eight numbers are 16 bytes.
    _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(unsafe { _mm_loadu_si128(numbers.as_ptr().cast()) }))
}

/// The eight 32-bit numbers with these upper halves.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn widened(halves: &[u16; 8]) -> Eight {
    // SAFETY: eight halves are 16 bytes.
    let halves = _mm256_cvtepu16_epi32(unsafe { _mm_loadu_si128(halves.as_ptr().cast()) });
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(halves))
}
