//! Blends two poses, or layers of them, eight bones at a time. No unsafe code.

use crate::anim::blend::{MIN_SQUARED_LENGTH, Shares};
use crate::anim::pose::{Lanes, TransformLanes};
use crate::anim::simd::registers::eight::{
    Eight, add, all, below, either_by, load, mul, mul_add, neg_mul_add, rsqrt, signed, store, sub,
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

/// Replaces each group of `out` by the average of the layers, for as many groups as the shortest of all has.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn layers(shares: &Shares<'_>, out: &mut [TransformLanes]) {
    let weight = shares.iter().fold(0.0, |sum, (_, share)| sum + share);
    for (at, out) in out.iter_mut().enumerate() {
        let mut parts = shares.iter().filter_map(|(pose, share)| Some((pose.lanes().get(at)?, share)));
        let Some((first, share)) = parts.next() else { return };
        layered(first, share, parts, all(1.0 / weight), out);
    }
}

/// The average of `first` and the other `parts`. `recip` is 1 / the sum of the shares.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn layered<'a>(
    first: &TransformLanes,
    share: f32,
    parts: impl Iterator<Item = (&'a TransformLanes, f32)>,
    recip: Eight,
    out: &mut TransformLanes,
) {
    let part = |lanes: &Lanes| mul(load(lanes), all(share));
    let [mut translation, mut scale] = [&first.translation, &first.scale].map(|it| it.each_ref().map(part));
    let mut rotation = first.rotation.each_ref().map(part);
    let nearest = first.rotation.each_ref().map(|lanes| load(lanes));
    for (lanes, share) in parts {
        let share = all(share);
        for axis in 0..3 {
            translation[axis] = mul_add(load(&lanes.translation[axis]), share, translation[axis]);
            scale[axis] = mul_add(load(&lanes.scale[axis]), share, scale[axis]);
        }
        let value = lanes.rotation.each_ref().map(|lanes| load(lanes));
        let near = signed(share, dot(nearest, value));
        (0..4).for_each(|part| rotation[part] = mul_add(value[part], near, rotation[part]));
    }
    for axis in 0..3 {
        store(&mut out.translation[axis], mul(translation[axis], recip));
        store(&mut out.scale[axis], mul(scale[axis], recip));
    }
    let vanishes = below(dot(rotation, rotation), all(MIN_SQUARED_LENGTH));
    let unit = normalized(rotation);
    (0..4).for_each(|part| store(&mut out.rotation[part], either_by(vanishes, nearest[part], unit[part])));
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn dot([ax, ay, az, aw]: [Eight; 4], [bx, by, bz, bw]: [Eight; 4]) -> Eight {
    add(mul_add(ax, bx, mul(ay, by)), mul_add(az, bz, mul(aw, bw)))
}

/// Normalizes rotations.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn normalized([x, y, z, w]: [Eight; 4]) -> [Eight; 4] {
    let recip = rsqrt(add(mul_add(x, x, mul(y, y)), mul_add(z, z, mul(w, w))));
    [x, y, z, w].map(|part| mul(part, recip))
}
