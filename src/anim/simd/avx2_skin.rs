//! Linear blend skinning: the matrices of a vertex's influences, summed two columns at a time.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use glam::{Mat4, Vec3, Vec4};

use crate::anim::skin::cpu::{InfluenceSet, Influences, Skinned, Source};

/// Two times two columns of a blended matrix.
type Blend = [__m256; 2];

/// Skins every vertex. `columns` ends with an identity; every set is as long as the positions, `out` fits the source.
#[target_feature(enable = "avx2,fma")]
pub fn skin(influences: &Influences<'_>, columns: &[Mat4], source: &Source<'_>, out: &mut Skinned) {
    match (influences.per_vertex, influences.sets) {
        (1, [set]) => each(columns, source, out, |columns, vertex| blend::<1>(columns, set, vertex, zero())),
        (2, [set]) => each(columns, source, out, |columns, vertex| blend::<2>(columns, set, vertex, zero())),
        (_, [set]) => each(columns, source, out, |columns, vertex| blend::<4>(columns, set, vertex, zero())),
        (_, [first, second]) => each(columns, source, out, |columns, vertex| {
            blend::<4>(columns, second, vertex, blend::<4>(columns, first, vertex, zero()))
        }),
        _ => {}
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn zero() -> Blend {
    [_mm256_setzero_ps(); 2]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn each(columns: &[Mat4], source: &Source<'_>, out: &mut Skinned, blended: impl Fn(&[Mat4], usize) -> Blend) {
    for (vertex, position) in source.positions.iter().enumerate() {
        let matrix = blended(columns, vertex);
        put3(&mut out.positions, vertex, apply(matrix, load3(position), _mm256_set1_ps(1.0)));
        if let Some(normal) = source.normals.get(vertex) {
            put3(&mut out.normals, vertex, apply(matrix, load3(normal), _mm256_setzero_ps()));
        }
        if let (Some(tangent), Some(out)) = (source.tangents.get(vertex), out.tangents.get_mut(vertex)) {
            let turned = apply(matrix, __m128::from(*tangent), _mm256_setzero_ps());
            *out = Vec4::from(_mm_blend_ps::<0b1000>(turned, __m128::from(*tangent)));
        }
    }
}

/// Adds the first `N` slots of a vertex.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn blend<const N: usize>(columns: &[Mat4], set: &InfluenceSet, vertex: usize, sum: Blend) -> Blend {
    let (joints, weights) = (&set.joints[vertex], &set.weights[vertex]);
    let last = columns.len() - 1;
    let [mut left, mut right] = sum;
    for slot in 0..N {
        let weight = _mm256_set1_ps(weights[slot]);
        let matrix = &columns[usize::from(joints[slot]).min(last)];
        let start: *const f32 = std::ptr::from_ref(matrix).cast();
        // SAFETY: a matrix is sixteen floats; neither load asks for alignment to 32 bytes.
        let (xy, zw) = unsafe { (_mm256_loadu_ps(start), _mm256_loadu_ps(start.add(8))) };
        left = _mm256_fmadd_ps(xy, weight, left);
        right = _mm256_fmadd_ps(zw, weight, right);
    }
    [left, right]
}

/// The image of x, y, z; `w` in the upper half is 1 for a point, 0 for a direction.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn apply([left, right]: Blend, xyz: __m128, w: __m256) -> __m128 {
    let both = _mm256_set_m128(xyz, xyz);
    let xy = _mm256_permutevar_ps(both, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    let zw = _mm256_blend_ps::<0b1111_0000>(_mm256_permute_ps::<0b10_10_10_10>(both), w);
    let sum = _mm256_fmadd_ps(right, zw, _mm256_mul_ps(left, xy));
    _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load3(xyz: &Vec3) -> __m128 {
    _mm_setr_ps(xyz.x, xyz.y, xyz.z, 0.0)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn put3(out: &mut [Vec3], vertex: usize, xyz: __m128) {
    if let Some(out) = out.get_mut(vertex) {
        *out = Vec4::from(xyz).truncate();
    }
}
