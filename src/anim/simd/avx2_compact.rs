//! Sampling the compact form: two components of eight bones at a time, mixed as whole numbers.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::compact::{Compact, Pair, Range, WHOLE};
use crate::anim::pose::LocalPose;
use crate::anim::simd::avx2::{load, store};
use crate::anim::simd::avx2_sample::{copy, normalise};
use crate::anim::time::Time;

/// As [`Compact::sample_portable`], to 5e-7 of a unit rotation.
#[target_feature(enable = "avx2,fma")]
pub fn sample(compact: &Compact, time: Time, pose: &mut LocalPose) {
    let (from, to, weight) = compact.place(time);
    let mut pairs = from.iter().zip(to).zip(compact.ranges.as_chunks::<2>().0);
    let weights = _mm256_set1_epi32(i32::from(weight) << 16 | i32::from(WHOLE - weight));
    pose.match_len(&compact.still);
    let groups = pose.lanes_mut().iter_mut().zip(compact.still.lanes()).zip(&compact.moving);
    for ((out, still), &moving) in groups {
        let mut spare = None;
        let mut next = || match spare.take() {
            Some(value) => value,
            None => {
                let Some(((from, to), ranges)) = pairs.next() else { return _mm256_setzero_ps() };
                let [first, second] = mix(from, to, ranges, weights);
                spare = Some(second);
                first
            }
        };
        if moving & 1 != 0 {
            let values = [next(), next(), next()];
            out.translation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.translation, &still.translation);
        }
        if moving & 2 != 0 {
            let values = normalise([next(), next(), next(), next()]);
            out.rotation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.rotation, &still.rotation);
        }
        if moving & 4 != 0 {
            let values = [next(), next(), next()];
            out.scale.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            copy(&mut out.scale, &still.scale);
        }
    }
}

/// Both components of a pair.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn mix(from: &Pair, to: &Pair, ranges: &[Range; 2], weights: __m256i) -> [__m256; 2] {
    // SAFETY: a pair is sixteen numbers of 16 bits, aligned to 32 bytes.
    let (from, to) =
        unsafe { (_mm256_load_si256((&raw const *from).cast()), _mm256_load_si256((&raw const *to).cast())) };
    let value = |both: __m256i, range: &Range| {
        let sum = _mm256_cvtepi32_ps(_mm256_madd_epi16(both, weights));
        _mm256_fmadd_ps(sum, load(&range.step), load(&range.middle))
    };
    [value(_mm256_unpacklo_epi16(from, to), &ranges[0]), value(_mm256_unpackhi_epi16(from, to), &ranges[1])]
}
