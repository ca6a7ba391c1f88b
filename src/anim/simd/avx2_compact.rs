//! Sampling the compact form: one component of eight bones at a time out of two columns, mixed as whole numbers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::columns::PACED;
use crate::anim::bake::compact::{Compact, Pair, Range, WHOLE, pairs};
use crate::anim::pose::LocalPose;
use crate::anim::simd::avx2::{load, store};
use crate::anim::simd::avx2_sample::{copy, normalise, paced};
use crate::anim::time::Time;

/// The pairs of eight bones in two columns, and the ranges of their components.
#[derive(Clone, Copy)]
struct Group<'c> {
    from: &'c [Pair],
    to: &'c [Pair],
    ranges: &'c [Range],
}

/// As [`Compact::sample_portable`], to 5e-7 of a unit rotation.
#[target_feature(enable = "avx2,fma")]
pub fn sample(compact: &Compact, time: Time, pose: &mut LocalPose) {
    let (mut from, mut to, weight) = compact.place(time);
    let mut ranges = &compact.ranges[..];
    let both = |first: i16, second: i16| _mm256_set1_epi32(i32::from(second) << 16 | i32::from(first));
    let (mixed, only_from, only_to) = (both(WHOLE - weight, weight), both(WHOLE, 0), both(0, WHOLE));
    let fraction = _mm256_set1_ps(f32::from(weight) / f32::from(WHOLE));
    pose.match_len(&compact.still);
    let groups = pose.lanes_mut().iter_mut().zip(compact.still.lanes()).zip(&compact.moving);
    for ((out, still), &moving) in groups {
        let count = pairs(moving);
        let (Some(a), Some(b), Some(c)) =
            (from.split_at_checked(count), to.split_at_checked(count), ranges.split_at_checked(count * 2))
        else {
            return;
        };
        (from, to, ranges) = (a.1, b.1, c.1);
        let group = Group { from: a.0, to: b.0, ranges: c.0 };
        let mut at = 0;
        if moving & 1 != 0 {
            let values = [value(group, at, mixed), value(group, at + 1, mixed), value(group, at + 2, mixed)];
            out.translation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
            at += 3;
        } else {
            copy(&mut out.translation, &still.translation);
        }
        if moving & 2 != 0 {
            let four = |weights| {
                [
                    value(group, at, weights),
                    value(group, at + 1, weights),
                    value(group, at + 2, weights),
                    value(group, at + 3, weights),
                ]
            };
            let values = normalise(match moving & PACED {
                0 => four(mixed),
                _ => paced(four(only_from), four(only_to), fraction),
            });
            out.rotation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
            at += 4;
        } else {
            copy(&mut out.rotation, &still.rotation);
        }
        if moving & 4 != 0 {
            let values = [value(group, at, mixed), value(group, at + 1, mixed), value(group, at + 2, mixed)];
            out.scale.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.scale, &still.scale);
        }
    }
}

/// The component `at` of the group, by the weights of both columns.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn value(group: Group<'_>, at: usize, weights: __m256i) -> __m256 {
    let (from, to, range) = (&group.from[at / 2], &group.to[at / 2], &group.ranges[at]);
    // SAFETY: a pair is sixteen numbers of 16 bits, aligned to 32 bytes.
    let (from, to) =
        unsafe { (_mm256_load_si256((&raw const *from).cast()), _mm256_load_si256((&raw const *to).cast())) };
    let both = if at % 2 == 0 { _mm256_unpacklo_epi16(from, to) } else { _mm256_unpackhi_epi16(from, to) };
    let sum = _mm256_cvtepi32_ps(_mm256_madd_epi16(both, weights));
    _mm256_fmadd_ps(sum, load(&range.step), load(&range.middle))
}
