//! Sampling columns eight bones at a time. No unsafe code beyond what [`crate::anim::simd::avx2::eight`] offers.

use std::arch::x86_64::*;

use crate::anim::bake::columns::{Columns, PACE, PACED, Place};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::avx2::eight::{load, store};
use crate::anim::simd::loops::blend::normalised;
use crate::anim::time::Time;

/// All channels of [`crate::anim::bake::columns::Moving`].
const ALL: u8 = 7;

/// As [`Columns::sample_portable`], to 5e-7 of a unit rotation.
#[target_feature(enable = "avx2,fma")]
pub fn sample(columns: &Columns, time: Time, pose: &mut LocalPose) {
    let Place { mut from, mut to, fraction } = columns.place(time);
    let fraction = _mm256_set1_ps(fraction);
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

#[inline]
#[target_feature(enable = "avx2,fma")]
fn mix<const N: usize>(from: &[Lanes; N], to: &[Lanes; N], fraction: __m256) -> [__m256; N] {
    let mut out = [_mm256_setzero_ps(); N];
    for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
        // The second is subtracted out of memory: one instruction less than the other way round.
        let from = load(from);
        *out = _mm256_fnmadd_ps(_mm256_sub_ps(from, load(to)), fraction, from);
    }
    out
}

/// Rotations at the pace of slerp ([`PACED`]); `square` times the square of their length is 1.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn paced(from: [__m256; 4], to: [__m256; 4], square: f32, fraction: __m256) -> [__m256; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (from, to);
    let xy = _mm256_fmadd_ps(ax, bx, _mm256_mul_ps(ay, by));
    let dot = _mm256_add_ps(xy, _mm256_fmadd_ps(az, bz, _mm256_mul_ps(aw, bw)));
    let [one, first, second, third] = [1.0, PACE[0], PACE[1], PACE[2]].map(|number| _mm256_set1_ps(number));
    let (half, apart) =
        (_mm256_sub_ps(fraction, _mm256_set1_ps(0.5)), _mm256_fnmadd_ps(dot, _mm256_set1_ps(square), one));
    let bend = _mm256_fmadd_ps(_mm256_mul_ps(third, half), half, second);
    let bend = _mm256_mul_ps(apart, _mm256_fmadd_ps(apart, bend, first));
    let way = _mm256_mul_ps(_mm256_mul_ps(fraction, half), _mm256_sub_ps(fraction, one));
    let fraction = _mm256_fmadd_ps(way, bend, fraction);
    let mix = |a, b| _mm256_fmadd_ps(_mm256_sub_ps(b, a), fraction, a);
    [mix(ax, bx), mix(ay, by), mix(az, bz), mix(aw, bw)]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn copy<const N: usize>(out: &mut [Lanes; N], still: &[Lanes; N]) {
    out.iter_mut().zip(still).for_each(|(out, still)| store(out, load(still)));
}

/// Writes a channel that does not move; `still` goes on to the next.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn keep<const N: usize>(out: &mut [Lanes; N], still: &mut &[Lanes]) {
    if let Some((own, rest)) = still.split_first_chunk::<N>() {
        copy(out, own);
        *still = rest;
    }
}
