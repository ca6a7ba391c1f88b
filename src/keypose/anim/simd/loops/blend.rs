//! Blends two poses, or layers of them, eight bones at a time. No unsafe code.

use crate::anim::lanes::{Lanes, MIN_SQUARED_LENGTH, TransformLanes};
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
pub fn layers<'a>(mut shares: impl Iterator<Item = (&'a [TransformLanes], f32)>, out: &mut [TransformLanes]) {
    let Some((first, mut total)) = shares.next() else { return };
    for (sum, lanes) in out.iter_mut().zip(first) {
        scale(lanes, all(total), sum);
    }
    for (lanes, share) in shares {
        total += share;
        for ((sum, lanes), first) in out.iter_mut().zip(lanes).zip(first) {
            add_near(lanes, first, all(share), sum);
        }
    }
    for (sum, first) in out.iter_mut().zip(first) {
        finish(first, all(1.0 / total), sum);
    }
}

/// `sum` = `lanes` · `share`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn scale(lanes: &TransformLanes, share: Eight, sum: &mut TransformLanes) {
    for axis in 0..3 {
        store(&mut sum.translation[axis], mul(load(&lanes.translation[axis]), share));
        store(&mut sum.scale[axis], mul(load(&lanes.scale[axis]), share));
    }
    for part in 0..4 {
        store(&mut sum.rotation[part], mul(load(&lanes.rotation[part]), share));
    }
}

/// `sum` += `lanes` · `share`, with rotations in the hemisphere of `first`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn add_near(lanes: &TransformLanes, first: &TransformLanes, share: Eight, sum: &mut TransformLanes) {
    let straight = |lanes: &Lanes, sum: &Lanes| mul_add(load(lanes), share, load(sum));
    for axis in 0..3 {
        let (translation, scale) = (&lanes.translation[axis], &lanes.scale[axis]);
        let moved = [straight(translation, &sum.translation[axis]), straight(scale, &sum.scale[axis])];
        store(&mut sum.translation[axis], moved[0]);
        store(&mut sum.scale[axis], moved[1]);
    }
    let (near, turn) = (rotation_of(first), rotation_of(lanes));
    let share = signed(share, dot(near, turn));
    for (turn, sum) in turn.into_iter().zip(&mut sum.rotation) {
        store(sum, mul_add(turn, share, load(sum)));
    }
}

/// Divides a sum of layers by its weight and normalizes its rotations; a rotation that vanishes becomes `first`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn finish(first: &TransformLanes, recip: Eight, sum: &mut TransformLanes) {
    for axis in 0..3 {
        let average = [mul(load(&sum.translation[axis]), recip), mul(load(&sum.scale[axis]), recip)];
        store(&mut sum.translation[axis], average[0]);
        store(&mut sum.scale[axis], average[1]);
    }
    let rotation = rotation_of(sum);
    let vanishes = below(dot(rotation, rotation), all(MIN_SQUARED_LENGTH));
    let unit = normalized(rotation);
    for ((unit, first), sum) in unit.into_iter().zip(&first.rotation).zip(&mut sum.rotation) {
        store(sum, either_by(vanishes, load(first), unit));
    }
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn rotation_of(lanes: &TransformLanes) -> [Eight; 4] {
    let [x, y, z, w] = &lanes.rotation;
    [load(x), load(y), load(z), load(w)]
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
