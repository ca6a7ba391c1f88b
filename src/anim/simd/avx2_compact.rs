//! Sampling the compact form: two components of eight bones at a time, mixed as whole numbers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::columns::PACED;
use crate::anim::bake::compact::{Compact, Pair, Range, WHOLE};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::avx2::{load, store};
use crate::anim::simd::avx2_sample::{copy, normalise, paced};
use crate::anim::time::Time;

/// As [`Compact::sample_portable`], to 5e-7 of a unit rotation.
#[target_feature(enable = "avx2,fma")]
pub fn sample(compact: &Compact, time: Time, pose: &mut LocalPose) {
    let (from, to, weight) = compact.place(time);
    let mut pairs = from.iter().zip(to).zip(compact.ranges.as_chunks::<2>().0);
    let weights = |first: i16, second: i16| _mm256_set1_epi32(i32::from(second) << 16 | i32::from(first));
    let (mixed, only_from, only_to) = (weights(WHOLE - weight, weight), weights(WHOLE, 0), weights(0, WHOLE));
    let fraction = _mm256_set1_ps(f32::from(weight) / f32::from(WHOLE));
    pose.match_len(&compact.still);
    let groups = pose.lanes_mut().iter_mut().zip(compact.still.lanes()).zip(&compact.moving);
    for ((out, still), &moving) in groups {
        let mut spare = None;
        let mut next_both = || match spare.take() {
            Some(both) => both,
            None => {
                let Some(((from, to), ranges)) = pairs.next() else { return (_mm256_setzero_si256(), &NOTHING) };
                let [first, second] = interleaved(from, to);
                spare = Some((second, &ranges[1]));
                (first, &ranges[0])
            }
        };
        if moving & 1 != 0 {
            let values = [next_both(), next_both(), next_both()].map(|both| value(both, mixed));
            out.translation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.translation, &still.translation);
        }
        if moving & 2 != 0 {
            let both = [next_both(), next_both(), next_both(), next_both()];
            let values = normalise(match moving & PACED {
                0 => both.map(|both| value(both, mixed)),
                _ => paced(both.map(|both| value(both, only_from)), both.map(|both| value(both, only_to)), fraction),
            });
            out.rotation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.rotation, &still.rotation);
        }
        if moving & 4 != 0 {
            let values = [next_both(), next_both(), next_both()].map(|both| value(both, mixed));
            out.scale.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.scale, &still.scale);
        }
    }
}

/// What stands where a form that does not fit has too few pairs.
const NOTHING: Range = Range { step: Lanes([0.0; 8]), middle: Lanes([0.0; 8]) };

/// Both components of a pair, each with the numbers of the two columns next to each other.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn interleaved(from: &Pair, to: &Pair) -> [__m256i; 2] {
    // SAFETY: a pair is sixteen numbers of 16 bits, aligned to 32 bytes.
    let (from, to) =
        unsafe { (_mm256_load_si256((&raw const *from).cast()), _mm256_load_si256((&raw const *to).cast())) };
    [_mm256_unpacklo_epi16(from, to), _mm256_unpackhi_epi16(from, to)]
}

/// A component by the weights of both columns.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn value((both, range): (__m256i, &Range), weights: __m256i) -> __m256 {
    let sum = _mm256_cvtepi32_ps(_mm256_madd_epi16(both, weights));
    _mm256_fmadd_ps(sum, load(&range.step), load(&range.middle))
}
