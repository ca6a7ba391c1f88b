//! Sampling columns eight bones at a time. No unsafe code.

use crate::anim::bake::columns::{Columns, PACE, PACED, Place};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::loops::blend::normalised;
use crate::anim::simd::registers::eight::{Eight, add, all, load, mul, mul_add, neg_mul_add, store, sub};
use crate::anim::time::Time;

/// All channels of [`crate::anim::bake::columns::Moving`].
const ALL: u8 = 7;

/// As [`Columns::sample_portable`], to 5e-7 of a unit rotation.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample(columns: &Columns, time: Time, pose: &mut LocalPose) {
    let Place { mut from, mut to, fraction } = columns.place(time);
    let fraction = all(fraction);
    pose.fit(columns.still.len());
    let groups = pose.lanes_mut().iter_mut().zip(columns.still.lanes()).zip(&columns.moving);
    for ((out, still), &moving) in groups {
        if moving == ALL {
            let Some((a, b)) = take::<10>(&mut from, &mut to) else { return };
            let [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz] = mix(a, b, fraction);
            out.translation.iter_mut().zip([tx, ty, tz]).for_each(|(out, value)| store(out, value));
            out.rotation.iter_mut().zip(normalised([rx, ry, rz, rw])).for_each(|(out, value)| store(out, value));
            out.scale.iter_mut().zip([sx, sy, sz]).for_each(|(out, value)| store(out, value));
            continue;
        }
        if moving & 1 != 0 {
            let Some((a, b)) = take(&mut from, &mut to) else { return };
            out.translation.iter_mut().zip(mix::<3>(a, b, fraction)).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.translation, &still.translation);
        }
        if moving & 2 != 0 {
            let Some((a, b)) = take(&mut from, &mut to) else { return };
            let unit = normalised(match moving & PACED {
                0 => mix::<4>(a, b, fraction),
                _ => paced(a.each_ref().map(|part| load(part)), b.each_ref().map(|part| load(part)), 1.0, fraction),
            });
            out.rotation.iter_mut().zip(unit).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.rotation, &still.rotation);
        }
        if moving & 4 != 0 {
            let Some((a, b)) = take(&mut from, &mut to) else { return };
            out.scale.iter_mut().zip(mix::<3>(a, b, fraction)).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.scale, &still.scale);
        }
    }
}

/// The next lanes of both columns.
#[inline]
fn take<'c, const N: usize>(from: &mut &'c [Lanes], to: &mut &'c [Lanes]) -> Option<(&'c [Lanes; N], &'c [Lanes; N])> {
    let ((a, from_rest), (b, to_rest)) = (from.split_first_chunk()?, to.split_first_chunk()?);
    (*from, *to) = (from_rest, to_rest);
    Some((a, b))
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn mix<const N: usize>(from: &[Lanes; N], to: &[Lanes; N], fraction: Eight) -> [Eight; N] {
    let mut out = [all(0.0); N];
    for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
        // The second is subtracted out of memory: one instruction less than the other way round.
        let from = load(from);
        *out = neg_mul_add(sub(from, load(to)), fraction, from);
    }
    out
}

/// Rotations at the pace of slerp ([`PACED`]); `square` times the square of their length is 1.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn paced(from: [Eight; 4], to: [Eight; 4], square: f32, fraction: Eight) -> [Eight; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (from, to);
    let xy = mul_add(ax, bx, mul(ay, by));
    let dot = add(xy, mul_add(az, bz, mul(aw, bw)));
    let [one, first, second, third] = [1.0, PACE[0], PACE[1], PACE[2]].map(|number| all(number));
    let (half, apart) = (sub(fraction, all(0.5)), neg_mul_add(dot, all(square), one));
    let bend = mul_add(mul(third, half), half, second);
    let bend = mul(apart, mul_add(apart, bend, first));
    let way = mul(mul(fraction, half), sub(fraction, one));
    let fraction = mul_add(way, bend, fraction);
    let mix = |a, b| mul_add(sub(b, a), fraction, a);
    [mix(ax, bx), mix(ay, by), mix(az, bz), mix(aw, bw)]
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn copy<const N: usize>(out: &mut [Lanes; N], still: &[Lanes; N]) {
    out.iter_mut().zip(still).for_each(|(out, still)| store(out, load(still)));
}

/// Writes a channel that does not move; `still` goes on to the next.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn keep<const N: usize>(out: &mut [Lanes; N], still: &mut &[Lanes]) {
    if let Some((own, rest)) = still.split_first_chunk::<N>() {
        copy(out, own);
        *still = rest;
    }
}
