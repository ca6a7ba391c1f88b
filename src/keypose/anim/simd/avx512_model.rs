//! Local to model space with AVX-512: the matrices of sixteen bones at a time, then each one, whole in one register, times
//! its parent's. Otherwise like [`crate::anim::simd::loops::model`].
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use crate::anim::lanes::{Lanes, TransformLanes};
use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::Skeleton;

/// Maximum bones: their matrices are on the stack as well, each in a line of 64 bytes.
pub const MAX_MATRICES: usize = 511;

/// A matrix by rows, and a row without meaning.
#[repr(C, align(64))]
struct Line([f32; 16]);

/// The rows of sixteen matrices: the four numbers of row `r` of bone `n` start at `(r · 4 + n mod 4) · 16 + n / 4 · 4`.
#[repr(C, align(64))]
struct Rows([f32; 192]);

/// Computes the first `bones.len()` bones. At most [`MAX_MATRICES`], no more than the skeleton or the local transforms have.
///
/// The rows of the next sixteen are written between the products of these: the processor does both at once, for each level
/// of the chain waits for the one before it.
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
pub fn model_pose(skeleton: &Skeleton, local: &[TransformLanes], bones: &mut [Mat3x4]) {
    let (count, parents) = (bones.len(), skeleton.parent_offsets());
    assert!(count <= MAX_MATRICES && parents.len() >= count && local.len() * 8 >= count);
    let mut lines = MaybeUninit::<[Line; MAX_MATRICES + 1]>::uninit();
    let mut rows = MaybeUninit::<[Rows; 2]>::uninit();
    let (lines, rows): (*mut f32, *mut f32) = (lines.as_mut_ptr().cast(), rows.as_mut_ptr().cast());
    let out: *mut f32 = bones.as_mut_ptr().cast();
    let identity = _mm512_setr_ps(1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0.);
    // SAFETY: the first line, the parent of roots; the first and second `Rows`.
    let (mut rows, mut next_rows) = unsafe {
        _mm512_store_ps(lines, identity);
        (rows, rows.add(192))
    };
    for (row, parts) in matrices(local).into_iter().enumerate() {
        // SAFETY: `rows` is a `Rows`.
        unsafe { put_row(parts, row, rows) };
    }
    let whole = count.saturating_sub(1) / 16;
    for group in 0..whole {
        let (parents, next) = (&parents[group * 16..group * 16 + 16], matrices(&local[group * 2 + 2..]));
        // SAFETY: `rows` is written, for the first sixteen above and for others in the step before, and `next_rows` is a
        // `Rows`. Line `n + 1` belongs to bone `n`, and a skeleton's parents precede their children, so a parent's line is
        // written before it is read. A store of 64 bytes reaches 16 bytes into the next matrix of `out`, which is written
        // later: a bone follows these sixteen.
        unsafe {
            let (line, out) = (lines.add((group * 16 + 1) * 16), out.add(group * 16 * 12));
            macro_rules! each {
                ($($lane:literal)*) => { $( {
                    let matrix = chained(lines, *parents.get_unchecked($lane), rows, $lane);
                    _mm512_store_ps(line.add($lane * 16), matrix);
                    _mm512_storeu_ps(out.add($lane * 12), matrix);
                } )* };
            }
            each!(0 1 2 3);
            put_row(next[0], 0, next_rows);
            each!(4 5 6 7);
            put_row(next[1], 1, next_rows);
            each!(8 9 10 11);
            put_row(next[2], 2, next_rows);
            each!(12 13 14 15);
        }
        (rows, next_rows) = (next_rows, rows);
    }
    for (lane, &parent) in parents[whole * 16..count].iter().enumerate() {
        let bone = whole * 16 + lane;
        // SAFETY: as above; 48 bytes are one matrix of `out`.
        unsafe {
            let matrix = chained(lines, parent, rows, lane);
            _mm512_store_ps(lines.add((bone + 1) * 16), matrix);
            _mm512_mask_storeu_ps(out.add(bone * 12), 0x0fff, matrix);
        }
    }
}

/// The matrix of the parent, which starts at this offset, times the matrix of a lane.
///
/// # Safety
/// The parent's line is written, `rows` is a written [`Rows`], and `lane` is below 16.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
unsafe fn chained(lines: *const f32, parent: u32, rows: *const f32, lane: usize) -> __m512 {
    // SAFETY: as above.
    unsafe {
        let parent = _mm512_load_ps(lines.add(parent as usize));
        let row = |row: usize| _mm512_broadcast_f32x4(_mm_load_ps(rows.add((row * 4 + lane % 4) * 16 + lane / 4 * 4)));
        let sum = _mm512_maskz_mov_ps(0b1000_1000_1000, parent);
        let sum = _mm512_fmadd_ps(_mm512_permute_ps::<0>(parent), row(0), sum);
        let sum = _mm512_fmadd_ps(_mm512_permute_ps::<0b01_01_01_01>(parent), row(1), sum);
        _mm512_fmadd_ps(_mm512_permute_ps::<0b10_10_10_10>(parent), row(2), sum)
    }
}

/// Writes one row of sixteen matrices.
///
/// # Safety
/// `rows` is a [`Rows`], and `row` is below 3.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
unsafe fn put_row([a, b, c, d]: [__m512; 4], row: usize, rows: *mut f32) {
    let (ab, ab_high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    let (cd, cd_high) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    let turned = [
        _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ];
    for (at, part) in turned.into_iter().enumerate() {
        // SAFETY: three rows times four parts of sixteen floats are a `Rows`.
        unsafe { _mm512_store_ps(rows.add((row * 4 + at) * 16), part) };
    }
}

/// The twelve components of the first sixteen matrices, row by row; the first eight twice if there are no more, identities
/// if there are none.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
fn matrices(local: &[TransformLanes]) -> [[__m512; 4]; 3] {
    let first = local.first().unwrap_or(&TransformLanes::IDENTITY);
    let second = local.get(1).unwrap_or(first);
    let both = |a: &Lanes, b: &Lanes| {
        // SAFETY: `Lanes` is eight floats with an alignment of 32 bytes.
        let (a, b) = unsafe { (_mm256_load_ps(a.0.as_ptr()), _mm256_load_ps(b.0.as_ptr())) };
        _mm512_insertf32x8::<1>(_mm512_castps256_ps512(a), b)
    };
    let [x, y, z, w] = [0, 1, 2, 3].map(|part| both(&first.rotation[part], &second.rotation[part]));
    let [sx, sy, sz] = [0, 1, 2].map(|part| both(&first.scale[part], &second.scale[part]));
    let [tx, ty, tz] = [0, 1, 2].map(|part| both(&first.translation[part], &second.translation[part]));
    let (add, sub, mul) = (|a, b| _mm512_add_ps(a, b), |a, b| _mm512_sub_ps(a, b), |a, b| _mm512_mul_ps(a, b));
    let mul_add = |a, b, c| _mm512_fmadd_ps(a, b, c);
    let mul_sub = |a, b, c| _mm512_fmsub_ps(a, b, c);
    let neg_mul_add = |a, b, c| _mm512_fnmadd_ps(a, b, c);
    let one = _mm512_set1_ps(1.0);
    let (x2, y2, z2) = (add(x, x), add(y, y), add(z, z));
    let (wx, wy, wz) = (mul(w, x2), mul(w, y2), mul(w, z2));
    let (xx, yy) = (neg_mul_add(x, x2, one), mul(y, y2));
    [
        [mul(neg_mul_add(z, z2, sub(one, yy)), sx), mul(mul_sub(x, y2, wz), sy), mul(mul_add(x, z2, wy), sz), tx],
        [mul(mul_add(x, y2, wz), sx), mul(neg_mul_add(z, z2, xx), sy), mul(mul_sub(y, z2, wx), sz), ty],
        [mul(mul_sub(x, z2, wy), sx), mul(mul_add(y, z2, wx), sy), mul(sub(xx, yy), sz), tz],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::pose::LocalPose;
    use crate::anim::simd::loops;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;
    use glam::{Quat, Vec3};

    /// The loop for AVX2 would run on this processor only if it had no AVX-512.
    #[test]
    fn model_space_agrees_with_the_loop_for_fewer_registers() {
        if !crate::anim::simd::has_avx512() {
            return;
        }
        for count in [1, 2, 15, 16, 17, 31, 32, 33, 67, 256, MAX_MATRICES] {
            let transform = |at: usize| Transform {
                translation: Vec3::new(0.1, at as f32 * 1e-3, -0.2),
                rotation: Quat::from_rotation_y(at as f32 * 0.7) * Quat::from_rotation_x(0.3),
                scale: Vec3::new(1.0, 0.9, 1.1),
            };
            let bone = |at: usize| Bone {
                name: format!("bone{at}"),
                parent: (at > 2).then_some(at as u16 / 3),
                rest: Transform::IDENTITY,
            };
            let skeleton = Skeleton::new((0..count).map(bone).collect()).unwrap();
            let local = LocalPose::from_transforms((0..count).map(transform));
            let (mut wide, mut narrow) = (vec![Mat3x4::IDENTITY; count], vec![Mat3x4::IDENTITY; count]);
            // SAFETY: the processor has AVX-512, AVX2 and FMA.
            unsafe {
                model_pose(&skeleton, local.lanes(), &mut wide);
                loops::model::model_pose(skeleton.parents(), local.lanes(), &mut narrow);
            }
            for (bone, (a, b)) in wide.iter().zip(&narrow).enumerate() {
                let apart = a.rows.iter().zip(b.rows).map(|(a, b)| (*a - b).abs().max_element()).fold(0.0, f32::max);
                assert!(apart < 1e-6, "bone {bone} of {count}: {apart}");
            }
        }
    }
}
