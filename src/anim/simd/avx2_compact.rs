//! Sampling the compact form: a component of eight bones out of the bits of each of two columns.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::anim::bake::columns::PACED;
use crate::anim::bake::compact::{Compact, MOST_BITS, PAST, Part, Range, TOP};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::avx2::{load, store};
use crate::anim::simd::avx2_sample::{copy, normalise, paced};
use crate::anim::time::Time;

/// As [`Compact::sample_portable`], to 5e-7 of a unit rotation.
#[target_feature(enable = "avx2,fma")]
pub fn sample(compact: &Compact, time: Time, pose: &mut LocalPose) {
    let (from, to, fraction) = compact.place(time);
    let columns = [compact.column(from), compact.column(to)];
    let (mut parts, mut ranges) = (compact.parts(), compact.ranges());
    let fraction = _mm256_set1_ps(fraction);
    pose.match_len(compact.still());
    let groups = pose.lanes_mut().iter_mut().zip(compact.still().lanes()).zip(compact.moving());
    for ((out, still), &moving) in groups {
        if moving & 1 != 0 {
            let Some((parts, ranges)) = take::<3>(&mut parts, &mut ranges) else { return };
            mixed(columns, parts, ranges, fraction, &mut out.translation);
        } else {
            copy(&mut out.translation, &still.translation);
        }
        if moving & 2 != 0 {
            let Some((parts, ranges)) = take::<4>(&mut parts, &mut ranges) else { return };
            let [x, y, z, w] = &mut out.rotation;
            let values = if moving & PACED == 0 {
                let mut rotation = [Lanes([0.0; 8]); 4];
                mixed(columns, parts, ranges, fraction, &mut rotation);
                [load(&rotation[0]), load(&rotation[1]), load(&rotation[2]), load(&rotation[3])]
            } else {
                let (mut from, mut to) = ([_mm256_setzero_ps(); 4], [_mm256_setzero_ps(); 4]);
                for (at, (part, range)) in parts.iter().zip(ranges).enumerate() {
                    let [a, b] = both(columns, part);
                    (from[at], to[at]) = (value(a, part, range), value(b, part, range));
                }
                paced(from, to, fraction)
            };
            let [a, b, c, d] = normalise(values);
            store(x, a);
            store(y, b);
            store(z, c);
            store(w, d);
        } else {
            copy(&mut out.rotation, &still.rotation);
        }
        if moving & 4 != 0 {
            let Some((parts, ranges)) = take::<3>(&mut parts, &mut ranges) else { return };
            mixed(columns, parts, ranges, fraction, &mut out.scale);
        } else {
            copy(&mut out.scale, &still.scale);
        }
    }
}

/// What the next components are stored by.
#[inline]
fn take<'c, const N: usize>(
    parts: &mut &'c [Part],
    ranges: &mut &'c [Range],
) -> Option<(&'c [Part; N], &'c [Range; N])> {
    let ((a, parts_rest), (b, ranges_rest)) = (parts.split_first_chunk()?, ranges.split_first_chunk()?);
    (*parts, *ranges) = (parts_rest, ranges_rest);
    Some((a, b))
}

/// Components on the way from one column to the other.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn mixed<const N: usize>(
    columns: [&[u8]; 2],
    parts: &[Part; N],
    ranges: &[Range; N],
    fraction: __m256,
    out: &mut [Lanes; N],
) {
    for ((out, part), range) in out.iter_mut().zip(parts).zip(ranges) {
        let [from, to] = both(columns, part);
        store(out, value(_mm256_fmadd_ps(_mm256_sub_ps(to, from), fraction, from), part, range));
    }
}

/// The values of whole numbers as they are stored: of the bones that move, one after the other.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn value(numbers: __m256, part: &Part, range: &Range) -> __m256 {
    let is_in_place = part.lanes & part.lanes.wrapping_add(1) == 0;
    let numbers = if is_in_place { numbers } else { scattered(numbers, part.lanes) };
    _mm256_fmadd_ps(numbers, load(&range.step), load(&range.low))
}

/// Numbers of the bones that move, each to the lane of its bone.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn scattered(numbers: __m256, lanes: u8) -> __m256 {
    // SAFETY: an order is eight bytes.
    let order = unsafe { _mm_loadl_epi64(ORDERS[usize::from(lanes)].as_ptr().cast()) };
    _mm256_permutevar8x32_ps(numbers, _mm256_cvtepu8_epi32(order))
}

/// For each lane how many before it are in the mask.
static ORDERS: [[u8; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut lane = 1;
        while lane < 8 {
            orders[mask][lane] = orders[mask][lane - 1] + (mask >> (lane - 1) & 1) as u8;
            lane += 1;
        }
        mask += 1;
    }
    orders
};

/// The whole numbers of a component in both columns.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn both([from, to]: [&[u8]; 2], part: &Part) -> [__m256; 2] {
    let spread = &SPREADS[usize::from(part.bits.min(MOST_BITS))];
    [numbers(from, part, spread), numbers(to, part, spread)]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn numbers(column: &[u8], part: &Part, spread: &Spread) -> __m256 {
    debug_assert!(part.start as usize + PAST <= column.len());
    // SAFETY: from the start of every part of a column there are 16 bytes (`Compact::column`; `Compact::new` counts the
    // bytes of all columns and puts as many behind the last).
    let bytes = unsafe { _mm_loadu_si128(column.as_ptr().add(part.start as usize).cast()) };
    // SAFETY: both are 32 bytes, aligned to as many.
    let (places, left) = unsafe {
        let (places, left) = ((&raw const spread.places).cast(), (&raw const spread.left).cast());
        (_mm256_load_si256(places), _mm256_load_si256(left))
    };
    let numbers = _mm256_sllv_epi32(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), places), left);
    _mm256_cvtepi32_ps(_mm256_and_si256(numbers, _mm256_set1_epi32(spread.mask)))
}

/// How eight numbers of so many bits come to eight lanes, each up to [`TOP`]: which bytes go where, how far each lane is
/// shifted, and which bits are the number's.
#[repr(C, align(32))]
struct Spread {
    places: [u8; 32],
    left: [u32; 8],
    mask: i32,
}

/// One for each number of bits.
static SPREADS: [Spread; MOST_BITS as usize + 1] = {
    const NOTHING: u8 = 0x80;
    let mut spreads = [const { Spread { places: [NOTHING; 32], left: [0; 8], mask: 0 } }; MOST_BITS as usize + 1];
    let mut bits = 1;
    while bits <= MOST_BITS as usize {
        let mut lane = 0;
        while lane < 8 {
            let (first, inside) = (lane * bits / 8, lane * bits % 8);
            let mut byte = 0;
            while byte < 4 && first + byte < PAST {
                spreads[bits].places[lane * 4 + byte] = (first + byte) as u8;
                byte += 1;
            }
            spreads[bits].left[lane] = (TOP as usize - bits - inside) as u32;
            lane += 1;
        }
        spreads[bits].mask = ((1 << bits) - 1) << (TOP as usize - bits);
        bits += 1;
    }
    spreads
};
