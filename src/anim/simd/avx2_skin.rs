//! Linear blend skinning: the matrices of a vertex's influences, summed two columns at a time.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use glam::{Vec3, Vec4};

use crate::anim::skin::cpu::{InfluenceSet, Influences, LineMat4, Skinned, Source};

/// Two times two columns of a blended matrix.
type Blend = [__m256; 2];

/// Skins every vertex. `columns` ends with an identity; every set is as long as the positions, `out` fits the source.
#[target_feature(enable = "avx2,fma")]
pub fn skin(influences: &Influences<'_>, columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned) {
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
fn each(columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned, blended: impl Fn(&[LineMat4], usize) -> Blend) {
    let count = source.positions.len();
    let has_normals = out.normals.len() == count && source.normals.len() == count;
    if columns.is_empty() || count == 0 || out.positions.len() != count {
        return;
    }
    for vertex in 0..count {
        let matrix = blended(columns, vertex);
        if vertex + 1 < count {
            // SAFETY: all four are as long as the positions, and this vertex is not the last.
            unsafe {
                put4(&mut out.positions, vertex, apply(matrix, load4(source.positions, vertex), _mm256_set1_ps(1.0)));
                if has_normals {
                    put4(&mut out.normals, vertex, apply(matrix, load4(source.normals, vertex), _mm256_setzero_ps()));
                }
            }
        } else {
            out.positions[vertex] = apply3(matrix, source.positions[vertex], _mm256_set1_ps(1.0));
            if has_normals {
                out.normals[vertex] = apply3(matrix, source.normals[vertex], _mm256_setzero_ps());
            }
        }
        if let (Some(tangent), Some(out)) = (source.tangents.get(vertex), out.tangents.get_mut(vertex)) {
            let turned = apply(matrix, __m128::from(*tangent), _mm256_setzero_ps());
            *out = Vec4::from(_mm_blend_ps::<0b1000>(turned, __m128::from(*tangent)));
        }
    }
}

/// Adds the first `N` slots of a vertex. `columns` is not empty.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn blend<const N: usize>(columns: &[LineMat4], set: &InfluenceSet, vertex: usize, sum: Blend) -> Blend {
    let (joints, weights) = (&set.joints[vertex], &set.weights[vertex]);
    let last = _mm_set1_epi16((columns.len() - 1).min(usize::from(u16::MAX)) as u16 as i16);
    // SAFETY: four numbers of 16 bits are the 64 bits that are read.
    let joints = unsafe { _mm_loadl_epi64((&raw const *joints).cast()) };
    let joints = _mm_cvtsi128_si64(_mm_min_epu16(joints, last)) as u64;
    let [mut left, mut right] = sum;
    for (slot, weight) in weights[..N].iter().enumerate() {
        let weight = _mm256_broadcast_ss(weight);
        let joint = (joints >> (16 * slot)) as usize & usize::from(u16::MAX);
        // SAFETY: the joint is brought down to the last matrix above. A matrix is sixteen floats, aligned to 64
        // bytes.
        let (xy, zw) = unsafe {
            let start: *const f32 = columns.as_ptr().add(joint).cast();
            (_mm256_load_ps(start), _mm256_load_ps(start.add(8)))
        };
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

/// As [`apply`], without a look beyond the vertex.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn apply3(matrix: Blend, xyz: Vec3, w: __m256) -> Vec3 {
    Vec4::from(apply(matrix, _mm_setr_ps(xyz.x, xyz.y, xyz.z, 0.0), w)).truncate()
}

/// x, y, z and the next x.
///
/// # Safety
/// `vertex` is not the last one, nor beyond.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub unsafe fn load4(from: &[Vec3], vertex: usize) -> __m128 {
    debug_assert!(vertex + 1 < from.len());
    // SAFETY: two vectors are there, six floats, of which four are read.
    unsafe { _mm_loadu_ps(from.as_ptr().add(vertex).cast()) }
}

/// Writes x, y, z, and anything over the next x, which has yet to be written.
///
/// # Safety
/// `vertex` is not the last one, nor beyond.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub unsafe fn put4(out: &mut [Vec3], vertex: usize, xyz: __m128) {
    debug_assert!(vertex + 1 < out.len());
    // SAFETY: two vectors are there, six floats, of which four are written.
    unsafe { _mm_storeu_ps(out.as_mut_ptr().add(vertex).cast(), xyz) }
}
