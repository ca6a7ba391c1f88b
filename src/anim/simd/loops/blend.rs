//! Blends two poses, eight bones at a time. No unsafe code.

use crate::anim::pose::{Lanes, TransformLanes};
use crate::anim::simd::registers::eight::{
    Eight, add, all, load, mul, mul_add, neg_mul_add, rsqrt, signed, store, sub,
};

/// Blends `from` and `to` with `weight` for `to` into `out`, for as many groups as the shortest of the three has.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn blend(from: &[TransformLanes], to: &[TransformLanes], weight: f32, out: &mut [TransformLanes]) {
    let weight = all(weight);
    for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
        group(from, to, weight, out);
    }
}

/// Like [`blend`], in place.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn blend_onto(pose: &mut [TransformLanes], to: &[TransformLanes], weight: f32) {
    let weight = all(weight);
    for (out, to) in pose.iter_mut().zip(to) {
        let from = *out;
        group(&from, to, weight, out);
    }
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn group(from: &TransformLanes, to: &TransformLanes, weight: Eight, out: &mut TransformLanes) {
    let straight = |from: Eight, to: &Lanes| neg_mul_add(sub(from, load(to)), weight, from);
    for axis in 0..3 {
        store(&mut out.translation[axis], straight(load(&from.translation[axis]), &to.translation[axis]));
        store(&mut out.scale[axis], straight(load(&from.scale[axis]), &to.scale[axis]));
    }
    let [ax, ay, az, aw] = [0, 1, 2, 3].map(|part| load(&from.rotation[part]));
    let [bx, by, bz, bw] = [0, 1, 2, 3].map(|part| load(&to.rotation[part]));
    let dot = add(mul_add(ax, bx, mul(ay, by)), mul_add(az, bz, mul(aw, bw)));
    // Of `to` and its negative the nearer one: the sign of the dot product is applied to its weight.
    let near_weight = signed(weight, dot);
    let rest = sub(all(1.0), weight);
    let near = |from: Eight, to: Eight| mul_add(to, near_weight, mul(from, rest));
    let unit = normalized([near(ax, bx), near(ay, by), near(az, bz), near(aw, bw)]);
    out.rotation.iter_mut().zip(unit).for_each(|(out, value)| store(out, value));
}

/// Normalizes rotations.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn normalized([x, y, z, w]: [Eight; 4]) -> [Eight; 4] {
    let recip = rsqrt(add(mul_add(x, x, mul(y, y)), mul_add(z, z, mul(w, w))));
    [x, y, z, w].map(|part| mul(part, recip))
}
