//! Linear blend skinning with AVX-512: a whole matrix in one register. Otherwise like
//! [`crate::anim::simd::loops::skin`].
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use glam::Vec4;

use crate::anim::simd::avx2::matrix::{up_to, with_w};
use crate::anim::simd::loops::skin::{Slots, load4, put4};
use crate::anim::skin::cpu::{Influences, LineMat4, Skinned, Source};

/// The columns of a matrix, one after the other.
type Sum = __m512;

/// Skins all vertices but the last and returns their number. `columns` ends with an identity; every set is as long as
/// the positions, `out` has the lengths of the source.
#[target_feature(enable = "avx512f")]
pub fn skin(influences: &Influences<'_>, columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned) -> usize {
    let count = source.positions.len();
    if columns.is_empty() || count == 0 || out.positions.len() != count {
        return 0;
    }
    let zero = _mm512_setzero_ps();
    match (influences.per_vertex, influences.sets) {
        (slots, [set]) => {
            let set = (&set.joints[..count], &set.weights[..count]);
            match slots {
                1 => each(source, out, |vertex| summed::<1>(columns, set, vertex, zero)),
                2 => each(source, out, |vertex| summed::<2>(columns, set, vertex, zero)),
                _ => each(source, out, |vertex| summed::<4>(columns, set, vertex, zero)),
            }
        }
        (_, [first, second]) => {
            let first = (&first.joints[..count], &first.weights[..count]);
            let second = (&second.joints[..count], &second.weights[..count]);
            each(source, out, |vertex| summed::<4>(columns, second, vertex, summed::<4>(columns, first, vertex, zero)))
        }
        _ => 0,
    }
}

/// There is at least one position, and `out` has as many.
#[inline]
#[target_feature(enable = "avx512f")]
fn each(source: &Source<'_>, out: &mut Skinned, summed: impl Fn(usize) -> Sum) -> usize {
    let last = source.positions.len() - 1;
    let has_normals = out.normals.len() > last && source.normals.len() > last;
    let has_tangents = out.tangents.len() > last && source.tangents.len() > last;
    for vertex in 0..last {
        let sum = summed(vertex);
        // SAFETY: this vertex is not the last of the positions, nor of the normals if there are any.
        unsafe {
            let xyz = load4(source.positions, vertex);
            if has_normals {
                let [xyz, normal] = point_and_direction(sum, xyz, load4(source.normals, vertex));
                put4(&mut out.positions, vertex, xyz);
                put4(&mut out.normals, vertex, normal);
            } else {
                put4(&mut out.positions, vertex, point(sum, xyz));
            }
        }
        if has_tangents {
            let tangent = __m128::from(source.tangents[vertex]);
            out.tangents[vertex] = Vec4::from(with_w(direction(sum, tangent), tangent));
        }
    }
    last
}

/// Adds the first `N` slots of a vertex. `columns` is not empty.
#[inline]
#[target_feature(enable = "avx512f")]
fn summed<const N: usize>(columns: &[LineMat4], (joints, weights): Slots<'_>, vertex: usize, mut sum: Sum) -> Sum {
    let (joints, weights) = (&joints[vertex], &weights[vertex]);
    let joints = up_to((columns.len() - 1).min(usize::from(u16::MAX)) as u16, joints);
    for (slot, &weight) in weights[..N].iter().enumerate() {
        let joint = (joints >> (16 * slot)) as usize & usize::from(u16::MAX);
        debug_assert!(joint < columns.len());
        // SAFETY: the joint is clamped to the last matrix above; a matrix is sixteen floats with an alignment of 64
        // bytes.
        let matrix = unsafe { _mm512_load_ps(columns.as_ptr().add(joint).cast()) };
        sum = _mm512_fmadd_ps(matrix, _mm512_set1_ps(weight), sum);
    }
    sum
}

/// x four times, y four times, z four times, w four times.
#[inline]
#[target_feature(enable = "avx512f")]
fn axes() -> __m512i {
    _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
}

/// Transforms the point x, y, z.
#[inline]
#[target_feature(enable = "avx512f")]
fn point(sum: Sum, xyz: __m128) -> __m128 {
    added(point_columns(sum, xyz))
}

/// Transforms the direction x, y, z.
#[inline]
#[target_feature(enable = "avx512f")]
fn direction(sum: Sum, xyz: __m128) -> __m128 {
    added(direction_columns(sum, xyz))
}

/// Transforms a point and a direction, whose columns are added side by side.
#[inline]
#[target_feature(enable = "avx512f")]
fn point_and_direction(sum: Sum, point: __m128, direction: __m128) -> [__m128; 2] {
    let (point, direction) = (point_columns(sum, point), direction_columns(sum, direction));
    // The first and third column of both, and the second and fourth, in turns.
    let first = _mm512_mask_shuffle_f32x4::<0b10_10_00_00>(point, 0xf0f0, direction, direction);
    let second = _mm512_mask_shuffle_f32x4::<0b11_11_01_01>(
        _mm512_shuffle_f32x4::<0b11_11_01_01>(point, point),
        0xf0f0,
        direction,
        direction,
    );
    let halves = _mm512_add_ps(first, second);
    let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(halves)));
    let both = _mm256_add_ps(_mm512_castps512_ps256(halves), upper);
    [_mm256_castps256_ps128(both), _mm256_extractf128_ps::<1>(both)]
}

/// The columns of a sum times x, y, z and 1.
#[inline]
#[target_feature(enable = "avx512f")]
fn point_columns(sum: Sum, xyz: __m128) -> __m512 {
    let xyz1 = _mm512_mask_permutexvar_ps(_mm512_set1_ps(1.0), 0x0fff, axes(), _mm512_castps128_ps512(xyz));
    _mm512_mul_ps(sum, xyz1)
}

/// The columns of a sum times x, y, z and 0.
#[inline]
#[target_feature(enable = "avx512f")]
fn direction_columns(sum: Sum, xyz: __m128) -> __m512 {
    // Not by multiplying with zero: a translation that is not finite must not show.
    _mm512_maskz_mul_ps(0x0fff, sum, _mm512_permutexvar_ps(axes(), _mm512_castps128_ps512(xyz)))
}

/// The sum of the four columns.
#[inline]
#[target_feature(enable = "avx512f")]
fn added(columns: __m512) -> __m128 {
    let two = _mm256_add_ps(
        _mm512_castps512_ps256(columns),
        _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(columns))),
    );
    _mm_add_ps(_mm256_castps256_ps128(two), _mm256_extractf128_ps::<1>(two))
}
