//! Mixing two poses eight bones at a time. No unsafe code beyond what [`crate::anim::simd::avx2`] offers.

use std::arch::x86_64::*;

use crate::anim::pose::{Lanes, TransformLanes};
use crate::anim::simd::avx2::{load, store};
use crate::anim::simd::avx2_sample::normalise;

/// `weight` of `to` over `from`, into `out`; as many as the shortest of the three has.
#[target_feature(enable = "avx2,fma")]
pub fn mix(from: &[TransformLanes], to: &[TransformLanes], weight: f32, out: &mut [TransformLanes]) {
    let weight = _mm256_set1_ps(weight);
    for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
        group(from, to, weight, out);
    }
}

/// As [`mix`], in place.
#[target_feature(enable = "avx2,fma")]
pub fn mix_onto(pose: &mut [TransformLanes], to: &[TransformLanes], weight: f32) {
    let weight = _mm256_set1_ps(weight);
    for (out, to) in pose.iter_mut().zip(to) {
        let from = *out;
        group(&from, to, weight, out);
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn group(from: &TransformLanes, to: &TransformLanes, weight: __m256, out: &mut TransformLanes) {
    let straight = |from: __m256, to: &Lanes| _mm256_fnmadd_ps(_mm256_sub_ps(from, load(to)), weight, from);
    for axis in 0..3 {
        store(&mut out.translation[axis], straight(load(&from.translation[axis]), &to.translation[axis]));
        store(&mut out.scale[axis], straight(load(&from.scale[axis]), &to.scale[axis]));
    }
    let [ax, ay, az, aw] = [0, 1, 2, 3].map(|part| load(&from.rotation[part]));
    let [bx, by, bz, bw] = [0, 1, 2, 3].map(|part| load(&to.rotation[part]));
    let xy = _mm256_fmadd_ps(ax, bx, _mm256_mul_ps(ay, by));
    let dot = _mm256_add_ps(xy, _mm256_fmadd_ps(az, bz, _mm256_mul_ps(aw, bw)));
    // Of `to` and its negative the nearer: the sign of the product goes to its weight.
    let signed = _mm256_xor_ps(weight, _mm256_and_ps(dot, _mm256_set1_ps(-0.0)));
    let rest = _mm256_sub_ps(_mm256_set1_ps(1.0), weight);
    let near = |from: __m256, to: __m256| _mm256_fmadd_ps(to, signed, _mm256_mul_ps(from, rest));
    let unit = normalise([near(ax, bx), near(ay, by), near(az, bz), near(aw, bw)]);
    out.rotation.iter_mut().zip(unit).for_each(|(out, value)| store(out, value));
}
