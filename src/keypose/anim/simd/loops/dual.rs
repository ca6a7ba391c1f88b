//! Dual quaternion skinning of joints without scale: eight vertices at a time, component by component.
#![allow(unsafe_code)]

use glam::{Vec3, Vec4};

use crate::anim::simd::loops::skin::{load4, put4};
use crate::anim::simd::registers::eight::{
    Eight, Four, add, all, below, differs, either, either_by, exact_rsqrt, first_half, mul, mul_add, mul_sub,
    neg_mul_add, only, pair, second_half, signed, turned, without,
};
use crate::anim::skin::cpu::{InfluenceSet, Influences, Skinned, Source};
use crate::anim::skin::dual::DualQuat;

/// x, y, z of eight vertices.
type Vectors = [Eight; 3];
/// x, y, z, w of eight quaternions.
type Quats = [Eight; 4];

/// A rotation and a dual part for each of eight vertices.
#[derive(Clone, Copy)]
struct Duals {
    real: Quats,
    dual: Quats,
}

/// The transforms of eight vertices.
struct Blend {
    /// The sums of the weights: 1, except for invalid sets.
    whole: Eight,
    /// The rigid part, of unit length.
    rigid: Duals,
}

/// Skins groups of eight vertices and returns their number; at least one vertex is left. Every set is as long as the
/// positions, `out` has the lengths of the source, no joint scales.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
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
        // SAFETY: there are vertices `first` to `first + 8`, and normals as well if there are any.
        unsafe {
            let turned = turn(&blend, load_eight(source.positions, first));
            put_eight(&mut out.positions, first, moved(&blend.rigid, turned));
            if has_normals {
                put_eight(&mut out.normals, first, turn(&blend, load_eight(source.normals, first)));
            }
        }
        if has_tangents {
            let from = &source.tangents[first..first + 8];
            let [x, y, z, side] = turned([0, 1, 2, 3].map(|at| pair(from[at].into(), from[at + 4].into())));
            let [x, y, z] = turn(&blend, [x, y, z]);
            for (at, both) in turned([x, y, z, side]).into_iter().enumerate() {
                out.tangents[first + at] = Vec4::from(first_half(both));
                out.tangents[first + at + 4] = Vec4::from(second_half(both));
            }
        }
        first += 8;
    }
    first
}

/// The transforms of eight vertices, of unit length; see [`crate::anim::skin::dual::DualPalette::blended`].
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn blended(influences: &Influences<'_>, rigid: &[DualQuat], first: usize) -> Blend {
    let zero = all(0.0);
    let (mut sum, mut pivot) = (Duals { real: [zero; 4], dual: [zero; 4] }, [zero; 4]);
    let (mut has_pivot, mut whole) = (zero, zero);
    for set in influences.sets {
        let weights = weights(set, first);
        for (slot, &weight) in weights.iter().enumerate().take(influences.per_vertex) {
            let part = joints(set, rigid, first, slot);
            let counts = differs(weight, zero);
            let is_pivot = without(counts, has_pivot);
            for (pivot, real) in pivot.iter_mut().zip(part.real) {
                *pivot = either_by(is_pivot, real, *pivot);
            }
            has_pivot = either(has_pivot, counts);
            whole = add(whole, weight);
            // Of a rotation and its negative the one nearer to the pivot: the sign of the dot product is applied to the
            // weight.
            let side = signed(weight, only(all(-0.0), below(dot(&pivot, &part.real), zero)));
            for (sum, part) in sum.real.iter_mut().zip(part.real) {
                *sum = mul_add(only(part, counts), side, *sum);
            }
            for (sum, part) in sum.dual.iter_mut().zip(part.dual) {
                *sum = mul_add(only(part, counts), side, *sum);
            }
        }
    }
    unit(sum, whole)
}

/// Normalizes; an identity if the length is 0.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn unit(Duals { mut real, mut dual }: Duals, whole: Eight) -> Blend {
    let one = all(1.0);
    let recip = exact_rsqrt(dot(&real, &real));
    let is_sound = below(recip, all(f32::INFINITY));
    for part in real.iter_mut().chain(&mut dual) {
        *part = only(mul(*part, recip), is_sound);
    }
    real[3] = either_by(is_sound, real[3], one);
    Blend { whole: either_by(is_sound, whole, one), rigid: Duals { real, dual } }
}

/// The weights of eight vertices by slot.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn weights(set: &InfluenceSet, first: usize) -> Quats {
    let of = &set.weights[first..first + 8];
    let four = |at: usize| Four::from(Vec4::from_array(of[at]));
    turned([0, 1, 2, 3].map(|at| pair(four(at), four(at + 4))))
}

/// The dual quaternions of one slot of eight vertices; an identity for joints past the palette.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn joints(set: &InfluenceSet, rigid: &[DualQuat], first: usize, slot: usize) -> Duals {
    let mut of = [&DualQuat::IDENTITY; 8];
    for (of, joints) in of.iter_mut().zip(&set.joints[first..first + 8]) {
        *of = rigid.get(usize::from(joints[slot])).unwrap_or(&DualQuat::IDENTITY);
    }
    let real = [0, 1, 2, 3].map(|at| pair(of[at].real.into(), of[at + 4].real.into()));
    let dual = [0, 1, 2, 3].map(|at| pair(of[at].dual.into(), of[at + 4].dual.into()));
    Duals { real: turned(real), dual: turned(dual) }
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn dot([ax, ay, az, aw]: &Quats, [bx, by, bz, bw]: &Quats) -> Eight {
    add(mul_add(*ax, *bx, mul(*ay, *by)), mul_add(*az, *bz, mul(*aw, *bw)))
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn cross([ax, ay, az]: Vectors, [bx, by, bz]: Vectors) -> Vectors {
    [mul_sub(ay, bz, mul(az, by)), mul_sub(az, bx, mul(ax, bz)), mul_sub(ax, by, mul(ay, bx))]
}

/// `v + 2 a × (a × v + w v)`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn turn(blend: &Blend, [x, y, z]: Vectors) -> Vectors {
    let [ax, ay, az, w] = blend.rigid.real;
    let [x, y, z] = [mul(x, blend.whole), mul(y, blend.whole), mul(z, blend.whole)];
    let [cx, cy, cz] = cross([ax, ay, az], [x, y, z]);
    let inner = [mul_add(w, x, cx), mul_add(w, y, cy), mul_add(w, z, cz)];
    let [cx, cy, cz] = cross([ax, ay, az], inner);
    let two = all(2.0);
    [mul_add(two, cx, x), mul_add(two, cy, y), mul_add(two, cz, z)]
}

/// Translates rotated points: `2 (w d − d_w r + r × d)`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn moved(duals: &Duals, [x, y, z]: Vectors) -> Vectors {
    let ([rx, ry, rz, rw], [dx, dy, dz, dw]) = (duals.real, duals.dual);
    let [cx, cy, cz] = cross([rx, ry, rz], [dx, dy, dz]);
    let two = all(2.0);
    let part = |c, d, r, to| mul_add(two, mul_add(rw, d, neg_mul_add(dw, r, c)), to);
    [part(cx, dx, rx, x), part(cy, dy, ry, y), part(cz, dz, rz, z)]
}

/// Eight vectors by component.
///
/// # Safety
/// There are `first + 8` vectors and one more.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
unsafe fn load_eight(from: &[Vec3], first: usize) -> Vectors {
    // SAFETY: the last one that is loaded is `first + 7`, and there is one more.
    let both = |at: usize| unsafe { pair(load4(from, first + at), load4(from, first + at + 4)) };
    let [x, y, z, _] = turned([both(0), both(1), both(2), both(3)]);
    [x, y, z]
}

/// Writes eight vectors, and overwrites the x of the next one, which must be written later.
///
/// # Safety
/// See [`load_eight`].
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
unsafe fn put_eight(out: &mut [Vec3], first: usize, [x, y, z]: Vectors) {
    let pairs = turned([x, y, z, z]);
    for (at, pair) in pairs.iter().enumerate() {
        // SAFETY: there is one more vector after the last one that is written. They are written in order.
        unsafe { put4(out, first + at, first_half(*pair)) };
    }
    for (at, pair) in pairs.iter().enumerate() {
        // SAFETY: as above.
        unsafe { put4(out, first + at + 4, second_half(*pair)) };
    }
}
