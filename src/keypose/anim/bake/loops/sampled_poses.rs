//! Samples 32-bit poses, eight bones at a time. No unsafe code.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::layout::ConstantChannels;
use crate::anim::bake::sampled_poses::{PosePair, SLERP_CORRECTION, SampledPoses};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::loops::rounding::{mul_add, neg_mul_add, normalized};
use crate::anim::simd::registers::eight::{Eight, add, all, load, mul, store, sub};
use crate::anim::time::Time;

/// Equals the portable loop to 5e-7 of a unit rotation; if `EXACT`, bit by bit.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample<const EXACT: bool>(samples: &SampledPoses, time: Time, pose: &mut LocalPose) {
    let PosePair { mut from, mut to, fraction } = samples.pair(time);
    let fraction = all(fraction);
    pose.fit(samples.constant.len());
    let groups = pose.lanes_mut().iter_mut().zip(samples.constant.lanes()).zip(&samples.animated);
    for ((out, constant), &animated) in groups {
        if animated == Channels::ALL {
            let Some((a, b)) = take::<10>(&mut from, &mut to) else { return };
            let [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz] = blend::<EXACT, 10>(a, b, fraction);
            out.translation.iter_mut().zip([tx, ty, tz]).for_each(|(out, value)| store(out, value));
            out.rotation
                .iter_mut()
                .zip(normalized::<EXACT>([rx, ry, rz, rw]))
                .for_each(|(out, value)| store(out, value));
            out.scale.iter_mut().zip([sx, sy, sz]).for_each(|(out, value)| store(out, value));
            continue;
        }
        if animated.has(Channels::TRANSLATION) {
            let Some((a, b)) = take(&mut from, &mut to) else { return };
            out.translation
                .iter_mut()
                .zip(blend::<EXACT, 3>(a, b, fraction))
                .for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.translation, &constant.translation);
        }
        if animated.has(Channels::ROTATION) {
            let Some((a, b)) = take(&mut from, &mut to) else { return };
            let unit = normalized::<EXACT>(if animated.has(Channels::SLERP_CORRECTED) {
                blend_corrected::<EXACT>(
                    a.each_ref().map(|part| load(part)),
                    b.each_ref().map(|part| load(part)),
                    1.0,
                    fraction,
                )
            } else {
                blend::<EXACT, 4>(a, b, fraction)
            });
            out.rotation.iter_mut().zip(unit).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.rotation, &constant.rotation);
        }
        if animated.has(Channels::SCALE) {
            let Some((a, b)) = take(&mut from, &mut to) else { return };
            out.scale.iter_mut().zip(blend::<EXACT, 3>(a, b, fraction)).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.scale, &constant.scale);
        }
    }
}

/// The next lanes of both poses.
#[inline]
fn take<'c, const N: usize>(from: &mut &'c [Lanes], to: &mut &'c [Lanes]) -> Option<(&'c [Lanes; N], &'c [Lanes; N])> {
    let ((a, from_rest), (b, to_rest)) = (from.split_first_chunk()?, to.split_first_chunk()?);
    (*from, *to) = (from_rest, to_rest);
    Some((a, b))
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn blend<const EXACT: bool, const N: usize>(from: &[Lanes; N], to: &[Lanes; N], fraction: Eight) -> [Eight; N] {
    let mut out = [all(0.0); N];
    for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
        let from = load(from);
        // The second operand is subtracted from memory: one instruction fewer than the other way round, which is exact for
        // negative zeros as well.
        *out = if EXACT {
            mul_add::<EXACT>(sub(load(to), from), fraction, from)
        } else {
            neg_mul_add::<EXACT>(sub(from, load(to)), fraction, from)
        };
    }
    out
}

/// Blends rotations with [`Channels::SLERP_CORRECTED`]. `square` times their squared length is 1.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn blend_corrected<const EXACT: bool>(
    from: [Eight; 4],
    to: [Eight; 4],
    square: f32,
    fraction: Eight,
) -> [Eight; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (from, to);
    let xy = mul_add::<EXACT>(ax, bx, mul(ay, by));
    let dot = add(xy, mul_add::<EXACT>(az, bz, mul(aw, bw)));
    let [c0, c1, c2] = SLERP_CORRECTION;
    let [one, first, second, third] = [1.0, c0, c1, c2].map(|number| all(number));
    let (half, apart) = (sub(fraction, all(0.5)), neg_mul_add::<EXACT>(dot, all(square), one));
    let bend = mul_add::<EXACT>(mul(third, half), half, second);
    let bend = mul(apart, mul_add::<EXACT>(apart, bend, first));
    let way = mul(mul(fraction, half), sub(fraction, one));
    let weight = mul_add::<EXACT>(way, bend, fraction);
    let blend = |a, b| mul_add::<EXACT>(sub(b, a), weight, a);
    [blend(ax, bx), blend(ay, by), blend(az, bz), blend(aw, bw)]
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn copy<const N: usize>(out: &mut [Lanes; N], constant: &[Lanes; N]) {
    out.iter_mut().zip(constant).for_each(|(out, constant)| store(out, load(constant)));
}

/// Writes a constant channel and advances `constant` past it.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn write_constant<const N: usize>(out: &mut [Lanes; N], constant: &mut &[Lanes]) {
    if let Some((own, rest)) = constant.split_first_chunk::<N>() {
        copy(out, own);
        *constant = rest;
    }
}

/// [`write_constant`] for scales, which may not be stored.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn write_constant_scale(channels: &ConstantChannels, out: &mut [Lanes; 3], constant: &mut &[Lanes]) {
    if channels.has_scales() {
        write_constant(out, constant);
    } else {
        out.iter_mut().for_each(|out| store(out, all(1.0)));
    }
}
