//! Local to model space: the matrices of eight bones at a time, then each times its parent's.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::TransformLanes;
use crate::anim::simd::avx2::load;
use crate::anim::skeleton::BoneIndex;

/// As the portable [`crate::anim::pose::ModelPose::compute`], to 1e-6 of the largest component a chain of parents.
#[target_feature(enable = "avx2,fma")]
pub fn model_pose(parents: &[BoneIndex], local: &[TransformLanes], bones: &mut [Mat3x4]) {
    let count = bones.len();
    for ((group, local), parents) in local.iter().enumerate().zip(parents.chunks(8)) {
        let start = group * 8;
        let rows = matrices(local);
        match bones.get_mut(start..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            Some(out) => put(&rows, out),
            None => {
                let mut padded = [Mat3x4::IDENTITY; 8];
                put(&rows, &mut padded);
                let rest = &mut bones[start..count];
                rest.copy_from_slice(&padded[..rest.len()]);
            }
        }
        for (at, &parent) in (start..count).zip(parents) {
            if usize::from(parent) < at {
                let (before, from) = bones.split_at_mut(at);
                chain(&before[usize::from(parent)], &mut from[0]);
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

/// Turns components of eight bones into eight matrices.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn put(rows: &[[__m256; 4]; 3], out: &mut [Mat3x4; 8]) {
    for (row, &[a, b, c, d]) in rows.iter().enumerate() {
        let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        let pairs = [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ];
        for (bone, pair) in pairs.into_iter().enumerate() {
            out[bone].rows[row] = _mm256_castps256_ps128(pair).into();
            out[bone + 4].rows[row] = _mm256_extractf128_ps::<1>(pair).into();
        }
    }
}

/// Each joint's bone times its matrix.
#[target_feature(enable = "avx2,fma")]
pub fn palette(joints: &[BoneIndex], bones: &[Mat3x4], palette: &mut [Mat3x4]) {
    for (matrix, &joint) in palette.iter_mut().zip(joints) {
        if let Some(bone) = bones.get(usize::from(joint)) {
            chain(bone, matrix);
        }
    }
}

/// `bone = parent * bone`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn chain(parent: &Mat3x4, bone: &mut Mat3x4) {
    let [x, y, z] = bone.rows.map(__m128::from);
    // SAFETY: a matrix is twelve floats; the first eight are two rows. Neither load asks for alignment to 32 bytes.
    let upper = unsafe { _mm256_loadu_ps(parent.rows.as_ptr().cast()) };
    let [wide_x, wide_y, wide_z] = [x, y, z].map(|row| _mm256_set_m128(row, row));
    let translation = _mm256_blend_ps::<0b1000_1000>(_mm256_setzero_ps(), upper);
    let sum = _mm256_fmadd_ps(_mm256_permute_ps::<0>(upper), wide_x, translation);
    let sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b01_01_01_01>(upper), wide_y, sum);
    let sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b10_10_10_10>(upper), wide_z, sum);
    let lower = __m128::from(parent.rows[2]);
    let translation = _mm_blend_ps::<0b1000>(_mm_setzero_ps(), lower);
    let last = _mm_fmadd_ps(_mm_permute_ps::<0>(lower), x, translation);
    let last = _mm_fmadd_ps(_mm_permute_ps::<0b01_01_01_01>(lower), y, last);
    let last = _mm_fmadd_ps(_mm_permute_ps::<0b10_10_10_10>(lower), z, last);
    // SAFETY: as above, and `bone` is borrowed for writing.
    unsafe { _mm256_storeu_ps(bone.rows.as_mut_ptr().cast(), sum) };
    bone.rows[2] = last.into();
}
