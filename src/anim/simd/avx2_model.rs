//! Local to model space: the matrices of eight bones at a time, then each times its parent's. No unsafe code beyond what
//! [`crate::anim::simd::avx2`] offers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use glam::Vec4;

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::TransformLanes;
use crate::anim::simd::avx2::load;
use crate::anim::skeleton::BoneIndex;

/// As the portable [`crate::anim::pose::ModelPose::compute`], to 1e-6 of the largest component a chain of parents.
#[target_feature(enable = "avx2,fma")]
pub fn model_pose(parents: &[BoneIndex], local: &[TransformLanes], bones: &mut [Mat3x4]) {
    for ((group, local), parents) in local.iter().enumerate().zip(parents.chunks(8)) {
        let [x, y, z] = matrices(local);
        let [x, y, z] = [turned(x), turned(y), turned(z)];
        for (lane, &parent) in parents.iter().enumerate() {
            let (before, rest) = bones.split_at_mut((group * 8 + lane).min(bones.len()));
            let Some(bone) = rest.first_mut() else { return };
            let both = |row: &[__m256; 4]| match lane < 4 {
                true => _mm256_permute2f128_ps::<0x00>(row[lane % 4], row[lane % 4]),
                false => _mm256_permute2f128_ps::<0x11>(row[lane % 4], row[lane % 4]),
            };
            let rows = [both(&x), both(&y), both(&z)];
            match before.get(usize::from(parent)) {
                Some(parent) => chain(parent, rows, bone),
                None => bone.rows = rows.map(|row| Vec4::from(_mm256_castps256_ps128(row))),
            }
        }
    }
}

/// The twelve components of eight matrices, row by row.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn matrices(local: &TransformLanes) -> [[__m256; 4]; 3] {
    let [x, y, z, w] = [0, 1, 2, 3].map(|part| load(&local.rotation[part]));
    let [sx, sy, sz] = [0, 1, 2].map(|part| load(&local.scale[part]));
    let [tx, ty, tz] = [0, 1, 2].map(|part| load(&local.translation[part]));
    let one = _mm256_set1_ps(1.0);
    let (x2, y2, z2) = (_mm256_add_ps(x, x), _mm256_add_ps(y, y), _mm256_add_ps(z, z));
    let (wx, wy, wz) = (_mm256_mul_ps(w, x2), _mm256_mul_ps(w, y2), _mm256_mul_ps(w, z2));
    let xx = _mm256_fnmadd_ps(x, x2, one);
    let yy = _mm256_mul_ps(y, y2);
    let of = |value, scale| _mm256_mul_ps(value, scale);
    [
        [
            of(_mm256_fnmadd_ps(z, z2, _mm256_sub_ps(one, yy)), sx),
            of(_mm256_fmsub_ps(x, y2, wz), sy),
            of(_mm256_fmadd_ps(x, z2, wy), sz),
            tx,
        ],
        [
            of(_mm256_fmadd_ps(x, y2, wz), sx),
            of(_mm256_fnmadd_ps(z, z2, xx), sy),
            of(_mm256_fmsub_ps(y, z2, wx), sz),
            ty,
        ],
        [of(_mm256_fmsub_ps(x, z2, wy), sx), of(_mm256_fmadd_ps(y, z2, wx), sy), of(_mm256_sub_ps(xx, yy), sz), tz],
    ]
}

/// One row of eight matrices out of its components: of bones 0 and 4, of 1 and 5, of 2 and 6, of 3 and 7.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn turned([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}

/// Each joint's bone times its matrix.
#[target_feature(enable = "avx2,fma")]
pub fn palette(joints: &[BoneIndex], bones: &[Mat3x4], palette: &mut [Mat3x4]) {
    for (matrix, &joint) in palette.iter_mut().zip(joints) {
        if let Some(bone) = bones.get(usize::from(joint)) {
            let rows = matrix.rows.map(__m128::from);
            chain(bone, [0, 1, 2].map(|row| _mm256_set_m128(rows[row], rows[row])), matrix);
        }
    }
}

/// `out` = the parent times the matrix of these rows, each twice.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn chain(parent: &Mat3x4, [x, y, z]: [__m256; 3], out: &mut Mat3x4) {
    // SAFETY: a matrix is twelve floats; the first eight are two rows. Neither load asks for alignment to 32 bytes.
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
