//! Eight numbers in one AVX2 register, and four in half of one: the operations of the loops. `neon/eight.rs` has the
//! same functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::lanes::Lanes;

/// Eight numbers, or eight masks with all bits set or clear.
pub type Eight = __m256;
/// Four numbers.
pub type Four = __m128;

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn load(lanes: &Lanes) -> Eight {
    // SAFETY: `Lanes` is eight floats with an alignment of 32 bytes.
    unsafe { _mm256_load_ps(lanes.0.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn store(lanes: &mut Lanes, value: Eight) {
    // SAFETY: `Lanes` is eight floats with an alignment of 32 bytes.
    unsafe { _mm256_store_ps(lanes.0.as_mut_ptr(), value) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn all(value: f32) -> Eight {
    _mm256_set1_ps(value)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn add(a: Eight, b: Eight) -> Eight {
    _mm256_add_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn sub(a: Eight, b: Eight) -> Eight {
    _mm256_sub_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn mul(a: Eight, b: Eight) -> Eight {
    _mm256_mul_ps(a, b)
}

/// `a · b + c`, rounded once.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn mul_add(a: Eight, b: Eight, c: Eight) -> Eight {
    _mm256_fmadd_ps(a, b, c)
}

/// `a · b − c`, rounded once.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn mul_sub(a: Eight, b: Eight, c: Eight) -> Eight {
    _mm256_fmsub_ps(a, b, c)
}

/// `c − a · b`, rounded once.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn neg_mul_add(a: Eight, b: Eight, c: Eight) -> Eight {
    _mm256_fnmadd_ps(a, b, c)
}

/// Numbers below 0 become 0, above 1 become 1.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn clamped(a: Eight) -> Eight {
    _mm256_min_ps(_mm256_max_ps(a, _mm256_setzero_ps()), _mm256_set1_ps(1.0))
}

/// `1 / √x` to 3e-7 of itself: the processor's 12-bit estimate and one step of Newton's method.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn rsqrt(x: Eight) -> Eight {
    let estimate = _mm256_rsqrt_ps(x);
    let square = _mm256_mul_ps(_mm256_mul_ps(x, estimate), estimate);
    let step = _mm256_fnmadd_ps(square, _mm256_set1_ps(0.5), _mm256_set1_ps(1.5));
    _mm256_mul_ps(estimate, step)
}

/// The rounded square root.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn sqrt(x: Eight) -> Eight {
    _mm256_sqrt_ps(x)
}

/// `1 / √x`, with both operations rounded.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn exact_rsqrt(x: Eight) -> Eight {
    _mm256_div_ps(_mm256_set1_ps(1.0), sqrt(x))
}

/// The numbers where the mask is set, else zero.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn only(numbers: Eight, mask: Eight) -> Eight {
    _mm256_and_ps(numbers, mask)
}

/// Set where either mask is.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn either(a: Eight, b: Eight) -> Eight {
    _mm256_or_ps(a, b)
}

/// Set where `a` is set and `b` is not.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn without(a: Eight, b: Eight) -> Eight {
    _mm256_andnot_ps(b, a)
}

/// `numbers` with the signs of `signs` multiplied in.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn signed(numbers: Eight, signs: Eight) -> Eight {
    _mm256_xor_ps(numbers, _mm256_and_ps(signs, _mm256_set1_ps(-0.0)))
}

/// Set where `a` differs from `b`, or one is NaN.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn differs(a: Eight, b: Eight) -> Eight {
    _mm256_cmp_ps::<_CMP_NEQ_UQ>(a, b)
}

/// Set where `a` is below `b`; not for NaN.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn below(a: Eight, b: Eight) -> Eight {
    _mm256_cmp_ps::<_CMP_LT_OQ>(a, b)
}

/// `yes` where the mask is set, else `no`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn either_by(mask: Eight, yes: Eight, no: Eight) -> Eight {
    _mm256_blendv_ps(no, yes, mask)
}

/// Eight numbers from two times four.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn pair(first: Four, second: Four) -> Eight {
    _mm256_set_m128(second, first)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn first_half(eight: Eight) -> Four {
    _mm256_castps256_ps128(eight)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn second_half(eight: Eight) -> Four {
    _mm256_extractf128_ps::<1>(eight)
}

/// Transposes four vectors of eight numbers to eight of four (the first with the fifth, the second with the sixth, and
/// so on), and back.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn turned([a, b, c, d]: [Eight; 4]) -> [Eight; 4] {
    let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}
