//! Dual quaternion skinning of joints that do not stretch: eight vertices at a time, component by component.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use glam::Vec4;

use crate::anim::simd::avx2_model::turned;
use crate::anim::simd::avx2_skin::{load4, put4};
use crate::anim::skin::cpu::{InfluenceSet, Influences, Skinned, Source};
use crate::anim::skin::dual::DualQuat;

/// x, y, z of eight vertices.
type Three = [__m256; 3];
/// x, y, z, w of eight quaternions.
type Four = [__m256; 4];

/// A rotation and a dual part for each of eight vertices.
#[derive(Clone, Copy)]
struct Eight {
    real: Four,
    dual: Four,
}

/// What eight vertices are moved by.
struct Blend {
    /// The sums of the weights: 1 but for sets that are not sound.
    whole: __m256,
    /// Of unit length.
    rigid: Eight,
}

/// Skins whole eights of vertices and says how many that were; at least one is left. Every set is as long as the positions,
/// `out` fits the source, no joint stretches.
#[target_feature(enable = "avx2,fma")]
pub fn skin(influences: &Influences<'_>, rigid: &[DualQuat], source: &Source<'_>, out: &mut Skinned) -> usize {
    let count = source.positions.len();
    let has_normals = out.normals.len() == count && source.normals.len() == count;
    let has_tangents = out.tangents.len() == count && source.tangents.len() == count;
    let mut first = 0;
    if out.positions.len() != count {
        return 0;
    }
    while first + 8 < count {
        let blend = blended(influences, rigid, first);
        // SAFETY: vertices `first` to `first + 8` are there, of normals as well where there are any.
        unsafe {
            let turned = turn(&blend, load_eight(source.positions, first));
            put_eight(&mut out.positions, first, moved(&blend.rigid, turned));
            if has_normals {
                put_eight(&mut out.normals, first, turn(&blend, load_eight(source.normals, first)));
            }
        }
        if has_tangents {
            let from = &source.tangents[first..first + 8];
            let pair = |at: usize| _mm256_set_m128(from[at + 4].into(), from[at].into());
            let [x, y, z, side] = turned([pair(0), pair(1), pair(2), pair(3)]);
            let [x, y, z] = turn(&blend, [x, y, z]);
            for (at, pair) in turned([x, y, z, side]).into_iter().enumerate() {
                out.tangents[first + at] = Vec4::from(_mm256_castps256_ps128(pair));
                out.tangents[first + at + 4] = Vec4::from(_mm256_extractf128_ps::<1>(pair));
            }
        }
        first += 8;
    }
    first
}

/// What each of eight vertices is moved by, of unit length; see [`crate::anim::skin::dual::DualPalette::blended`].
#[inline]
#[target_feature(enable = "avx2,fma")]
fn blended(influences: &Influences<'_>, rigid: &[DualQuat], first: usize) -> Blend {
    let zero = _mm256_setzero_ps();
    let (mut sum, mut pivot) = (Eight { real: [zero; 4], dual: [zero; 4] }, [zero; 4]);
    let (mut has_pivot, mut whole) = (zero, zero);
    for set in influences.sets {
        let weights = weights(set, first);
        for (slot, &weight) in weights.iter().enumerate().take(influences.per_vertex) {
            let part = joints(set, rigid, first, slot);
            let counts = _mm256_cmp_ps::<_CMP_NEQ_UQ>(weight, zero);
            let is_pivot = _mm256_andnot_ps(has_pivot, counts);
            for (pivot, real) in pivot.iter_mut().zip(part.real) {
                *pivot = _mm256_blendv_ps(*pivot, real, is_pivot);
            }
            has_pivot = _mm256_or_ps(has_pivot, counts);
            whole = _mm256_add_ps(whole, weight);
            // Of a rotation and its negative the nearer to the pivot: the sign of the product goes to the weight.
            let below = _mm256_cmp_ps::<_CMP_LT_OQ>(dot(&pivot, &part.real), zero);
            let side = _mm256_xor_ps(weight, _mm256_and_ps(below, _mm256_set1_ps(-0.0)));
            for (sum, part) in sum.real.iter_mut().zip(part.real) {
                *sum = _mm256_fmadd_ps(_mm256_and_ps(part, counts), side, *sum);
            }
            for (sum, part) in sum.dual.iter_mut().zip(part.dual) {
                *sum = _mm256_fmadd_ps(_mm256_and_ps(part, counts), side, *sum);
            }
        }
    }
    unit(sum, whole)
}

/// Of unit length; where there is none what leaves everything where it is.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn unit(Eight { mut real, mut dual }: Eight, whole: __m256) -> Blend {
    let one = _mm256_set1_ps(1.0);
    let recip = _mm256_div_ps(one, _mm256_sqrt_ps(dot(&real, &real)));
    let is_sound = _mm256_cmp_ps::<_CMP_LT_OQ>(recip, _mm256_set1_ps(f32::INFINITY));
    for part in real.iter_mut().chain(&mut dual) {
        *part = _mm256_and_ps(_mm256_mul_ps(*part, recip), is_sound);
    }
    real[3] = _mm256_blendv_ps(one, real[3], is_sound);
    Blend { whole: _mm256_blendv_ps(one, whole, is_sound), rigid: Eight { real, dual } }
}

/// The weights of eight vertices by slot.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn weights(set: &InfluenceSet, first: usize) -> Four {
    let of = &set.weights[first..first + 8];
    let pair = |at: usize| _mm256_set_m128(four(of[at + 4]), four(of[at]));
    turned([pair(0), pair(1), pair(2), pair(3)])
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn four([x, y, z, w]: [f32; 4]) -> __m128 {
    _mm_setr_ps(x, y, z, w)
}

/// The dual quaternions of one slot of eight vertices; a joint past the palette is an identity.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn joints(set: &InfluenceSet, rigid: &[DualQuat], first: usize, slot: usize) -> Eight {
    let mut of = [&DualQuat::IDENTITY; 8];
    for (of, joints) in of.iter_mut().zip(&set.joints[first..first + 8]) {
        *of = rigid.get(usize::from(joints[slot])).unwrap_or(&DualQuat::IDENTITY);
    }
    let real = |at: usize| _mm256_set_m128(of[at + 4].real.into(), of[at].real.into());
    let dual = |at: usize| _mm256_set_m128(of[at + 4].dual.into(), of[at].dual.into());
    Eight { real: turned([real(0), real(1), real(2), real(3)]), dual: turned([dual(0), dual(1), dual(2), dual(3)]) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn dot([ax, ay, az, aw]: &Four, [bx, by, bz, bw]: &Four) -> __m256 {
    let xy = _mm256_fmadd_ps(*ax, *bx, _mm256_mul_ps(*ay, *by));
    let zw = _mm256_fmadd_ps(*az, *bz, _mm256_mul_ps(*aw, *bw));
    _mm256_add_ps(xy, zw)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn cross([ax, ay, az]: Three, [bx, by, bz]: Three) -> Three {
    [
        _mm256_fmsub_ps(ay, bz, _mm256_mul_ps(az, by)),
        _mm256_fmsub_ps(az, bx, _mm256_mul_ps(ax, bz)),
        _mm256_fmsub_ps(ax, by, _mm256_mul_ps(ay, bx)),
    ]
}

/// `v + 2 a × (a × v + w v)`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn turn(blend: &Blend, [x, y, z]: Three) -> Three {
    let [ax, ay, az, w] = blend.rigid.real;
    let [x, y, z] = [_mm256_mul_ps(x, blend.whole), _mm256_mul_ps(y, blend.whole), _mm256_mul_ps(z, blend.whole)];
    let [cx, cy, cz] = cross([ax, ay, az], [x, y, z]);
    let inner = [_mm256_fmadd_ps(w, x, cx), _mm256_fmadd_ps(w, y, cy), _mm256_fmadd_ps(w, z, cz)];
    let [cx, cy, cz] = cross([ax, ay, az], inner);
    let two = _mm256_set1_ps(2.0);
    [_mm256_fmadd_ps(two, cx, x), _mm256_fmadd_ps(two, cy, y), _mm256_fmadd_ps(two, cz, z)]
}

/// Points moved by the translations: `2 (w d − d_w r + r × d)`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn moved(eight: &Eight, [x, y, z]: Three) -> Three {
    let ([rx, ry, rz, rw], [dx, dy, dz, dw]) = (eight.real, eight.dual);
    let [cx, cy, cz] = cross([rx, ry, rz], [dx, dy, dz]);
    let two = _mm256_set1_ps(2.0);
    let part = |c, d, r, to| _mm256_fmadd_ps(two, _mm256_fmadd_ps(rw, d, _mm256_fnmadd_ps(dw, r, c)), to);
    [part(cx, dx, rx, x), part(cy, dy, ry, y), part(cz, dz, rz, z)]
}

/// Eight vectors by component.
///
/// # Safety
/// `first + 8` vectors and one more are there.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn load_eight(from: &[glam::Vec3], first: usize) -> Three {
    // SAFETY: the last that is loaded is `first + 7`, which is not the last that is there.
    let pair = |at: usize| unsafe { _mm256_set_m128(load4(from, first + at + 4), load4(from, first + at)) };
    let [x, y, z, _] = turned([pair(0), pair(1), pair(2), pair(3)]);
    [x, y, z]
}

/// Writes eight vectors, and anything over the x of the next, which has yet to be written.
///
/// # Safety
/// As of [`load_eight`].
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn put_eight(out: &mut [glam::Vec3], first: usize, [x, y, z]: Three) {
    let pairs = turned([x, y, z, z]);
    for (at, pair) in pairs.iter().enumerate() {
        // SAFETY: the last that is written is not the last that is there. They are written in order.
        unsafe { put4(out, first + at, _mm256_castps256_ps128(*pair)) };
    }
    for (at, pair) in pairs.iter().enumerate() {
        // SAFETY: as above.
        unsafe { put4(out, first + at + 4, _mm256_extractf128_ps::<1>(*pair)) };
    }
}
