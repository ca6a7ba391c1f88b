//! Matrices in AVX2 registers, two rows or two columns in one. `neon/matrix.rs` has the same functions.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use glam::Vec4;

use crate::anim::mat34::Mat3x4;
use crate::anim::simd::avx2::eight::Eight;
use crate::anim::skin::cpu::LineMat4;

/// A row of a matrix, twice.
pub type Row = __m256;

/// A matrix by columns, as it is summed for a vertex: x with y, z with the translation.
pub type Sum = [__m256; 2];

/// A row of a matrix, from [`crate::anim::simd::avx2::eight::turned`].
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn row(turned: &[Eight; 4], lane: usize) -> Row {
    if lane < 4 {
        _mm256_permute2f128_ps::<0x00>(turned[lane % 4], turned[lane % 4])
    } else {
        _mm256_permute2f128_ps::<0x11>(turned[lane % 4], turned[lane % 4])
    }
}

/// The rows of a matrix.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn rows(matrix: &Mat3x4) -> [Row; 3] {
    let rows = matrix.rows.map(__m128::from);
    [0, 1, 2].map(|row| _mm256_set_m128(rows[row], rows[row]))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn put(rows: [Row; 3], out: &mut Mat3x4) {
    out.rows = rows.map(|row| Vec4::from(_mm256_castps256_ps128(row)));
}

/// `out` = the parent times the matrix with these rows.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn put_chained(parent: &Mat3x4, [x, y, z]: [Row; 3], out: &mut Mat3x4) {
    // SAFETY: a matrix is twelve floats; the first eight are two rows. Neither load requires an alignment of 32 bytes.
    let upper = unsafe { _mm256_loadu_ps(parent.rows.as_ptr().cast()) };
    let translation = _mm256_blend_ps::<0b1000_1000>(_mm256_setzero_ps(), upper);
    let sum = _mm256_fmadd_ps(_mm256_permute_ps::<0>(upper), x, translation);
    let sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b01_01_01_01>(upper), y, sum);
    let sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b10_10_10_10>(upper), z, sum);
    let [x, y, z] = [x, y, z].map(|row| _mm256_castps256_ps128(row));
    let lower: &[f32; 4] = parent.rows[2].as_ref();
    let translation = _mm_blend_ps::<0b1000>(_mm_setzero_ps(), __m128::from(parent.rows[2]));
    let last = _mm_fmadd_ps(_mm_broadcast_ss(&lower[0]), x, translation);
    let last = _mm_fmadd_ps(_mm_broadcast_ss(&lower[1]), y, last);
    let last = _mm_fmadd_ps(_mm_broadcast_ss(&lower[2]), z, last);
    // SAFETY: as above, and `out` is borrowed for writing.
    unsafe { _mm256_storeu_ps(out.rows.as_mut_ptr().cast(), sum) };
    out.rows[2] = last.into();
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn nothing() -> Sum {
    [_mm256_setzero_ps(); 2]
}

/// The sum plus the matrix times its weight.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn with(matrix: &LineMat4, weight: &f32, [left, right]: Sum) -> Sum {
    let weight = _mm256_broadcast_ss(weight);
    let start: *const f32 = (&raw const *matrix).cast();
    // SAFETY: a matrix is sixteen floats with an alignment of 64 bytes.
    let (xy, zw) = unsafe { (_mm256_load_ps(start), _mm256_load_ps(start.add(8))) };
    [_mm256_fmadd_ps(xy, weight, left), _mm256_fmadd_ps(zw, weight, right)]
}

/// Transforms the point x, y, z.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn point(matrix: Sum, xyz: __m128) -> __m128 {
    image(matrix, xyz, _mm256_set1_ps(1.0))
}

/// Transforms the direction x, y, z.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn direction(matrix: Sum, xyz: __m128) -> __m128 {
    image(matrix, xyz, _mm256_setzero_ps())
}

/// Transforms x, y, z; `w` in the upper half is 1 for a point, 0 for a direction.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn image([left, right]: Sum, xyz: __m128, w: __m256) -> __m128 {
    let both = _mm256_set_m128(xyz, xyz);
    let xy = _mm256_permutevar_ps(both, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    let zw = _mm256_blend_ps::<0b1111_0000>(_mm256_permute_ps::<0b10_10_10_10>(both), w);
    let sum = _mm256_fmadd_ps(right, zw, _mm256_mul_ps(left, xy));
    _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum))
}

/// Four joints, each clamped to the last one: the first in the lowest 16 bits.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn up_to(last: u16, joints: &[u16; 4]) -> u64 {
    // SAFETY: four numbers of 16 bits are the 64 bits that are read.
    let joints = unsafe { _mm_loadl_epi64((&raw const *joints).cast()) };
    _mm_cvtsi128_si64(_mm_min_epu16(joints, _mm_set1_epi16(last as i16))) as u64
}

/// x, y, z of the first, w of the second.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn with_w(xyz: __m128, w: __m128) -> __m128 {
    _mm_blend_ps::<0b1000>(xyz, w)
}
