//! The doors to the AVX2 loops, and what those share: loading, storing and the reciprocal square root.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::columns::Columns;
use crate::anim::bake::compact::Compact;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::simd::{avx2_blend, avx2_compact, avx2_dual, avx2_model, avx2_sample, avx2_skin, is_available};
use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::cpu::{Influences, LineMat4, Skinned, Source};
use crate::anim::skin::dual::DualQuat;
use crate::anim::time::Time;

/// See [`crate::anim::simd::sample`].
#[inline]
pub fn sample(columns: &Columns, time: Time, pose: &mut LocalPose) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_sample::sample(columns, time, pose) }
}

/// See [`crate::anim::simd::sample_compact`].
#[inline]
pub fn sample_compact(compact: &Compact, time: Time, pose: &mut LocalPose) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_compact::sample(compact, time, pose) }
}

/// See [`crate::anim::simd::mix`].
#[inline]
pub fn mix(from: &[TransformLanes], to: &[TransformLanes], weight: f32, out: &mut [TransformLanes]) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_blend::mix(from, to, weight, out) }
}

/// See [`crate::anim::simd::mix_onto`].
#[inline]
pub fn mix_onto(pose: &mut [TransformLanes], to: &[TransformLanes], weight: f32) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_blend::mix_onto(pose, to, weight) }
}

/// See [`crate::anim::simd::model_pose`].
#[inline]
pub fn model_pose(parents: &[BoneIndex], local: &[TransformLanes], bones: &mut [Mat3x4]) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_model::model_pose(parents, local, bones) }
}

/// See [`crate::anim::simd::palette`].
#[inline]
pub fn palette(joints: &[BoneIndex], bones: &[Mat3x4], palette: &mut [Mat3x4]) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_model::palette(joints, bones, palette) }
}

/// See [`crate::anim::simd::skin`].
#[inline]
pub fn skin(influences: &Influences<'_>, columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned) {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_skin::skin(influences, columns, source, out) }
}

/// See [`crate::anim::simd::skin_dual`].
#[inline]
pub fn skin_dual(influences: &Influences<'_>, rigid: &[DualQuat], source: &Source<'_>, out: &mut Skinned) -> usize {
    debug_assert!(is_available());
    // SAFETY: the only caller asks for AVX2 and FMA first.
    unsafe { avx2_dual::skin(influences, rigid, source, out) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn load(lanes: &Lanes) -> __m256 {
    // SAFETY: `Lanes` is eight floats, aligned to 32 bytes.
    unsafe { _mm256_load_ps(lanes.0.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn store(lanes: &mut Lanes, value: __m256) {
    // SAFETY: `Lanes` is eight floats, aligned to 32 bytes.
    unsafe { _mm256_store_ps(lanes.0.as_mut_ptr(), value) }
}

/// `1 / √x` to 3e-7 of itself: the processor's estimate of 12 bits and one step of Newton's.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn rsqrt(x: __m256) -> __m256 {
    let estimate = _mm256_rsqrt_ps(x);
    let square = _mm256_mul_ps(_mm256_mul_ps(x, estimate), estimate);
    let step = _mm256_fnmadd_ps(square, _mm256_set1_ps(0.5), _mm256_set1_ps(1.5));
    _mm256_mul_ps(estimate, step)
}
