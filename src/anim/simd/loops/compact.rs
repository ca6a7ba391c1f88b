//! Sampling the compact form: a component of eight bones out of the bits of each of two columns.
#![allow(unsafe_code)]

use crate::anim::bake::columns::PACED;
use crate::anim::bake::compact::{Compact, MOST_BITS, PAST, Part, Range, Stored, TOP};
use crate::anim::pose::LocalPose;
use crate::anim::simd::loops::blend::normalised;
use crate::anim::simd::loops::sample::{keep, paced};
use crate::anim::simd::registers::eight::{Eight, all, load, mul_add, store, sub};
use crate::anim::simd::registers::whole;
use crate::anim::time::Time;

/// As [`Compact::sample_portable`], to 5e-7 of a unit rotation.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample(compact: &Compact, time: Time, pose: &mut LocalPose) {
    let (from, to, fraction) = compact.place(time);
    let columns = [compact.column(from), compact.column(to)];
    let mut stored = Stored { parts: compact.parts(), ranges: compact.ranges() };
    let fraction = all(fraction);
    pose.fit(compact.still().bones());
    let mut still = compact.still().lanes();
    for (out, &moving) in pose.lanes_mut().iter_mut().zip(compact.moving()) {
        if moving & 1 != 0 {
            let Some((part, ranges)) = stored.take() else { return };
            let values = mixed::<3>(columns, part, ranges, fraction);
            out.translation.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            keep(&mut out.translation, &mut still);
        }
        if moving & 2 != 0 {
            let (Some((axis, ranges)), Some((w, range))) = (stored.take(), stored.take()) else { return };
            let values = if moving & PACED == 0 {
                let ([x, y, z], [w]) =
                    (mixed::<3>(columns, axis, ranges, fraction), mixed::<1>(columns, w, range, fraction));
                [x, y, z, w]
            } else {
                let [from, to] = columns.map(|column| {
                    let ([x, y, z], [w]) = (exactly::<3>(column, axis, ranges), exactly::<1>(column, w, range));
                    [x, y, z, w]
                });
                paced(from, to, 1.0, fraction)
            };
            out.rotation.iter_mut().zip(normalised(values)).for_each(|(out, value)| store(out, value));
        } else {
            keep(&mut out.rotation, &mut still);
        }
        if moving & 4 != 0 {
            let Some((part, ranges)) = stored.take() else { return };
            let values = mixed::<3>(columns, part, ranges, fraction);
            out.scale.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        } else {
            keep(&mut out.scale, &mut still);
        }
    }
}

/// The components of a part on the way from one column to the other.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn mixed<const N: usize>(columns: [&[u8]; 2], part: &Part, ranges: &[Range; N], fraction: Eight) -> [Eight; N] {
    let (from, to) = (numbers::<N>(columns[0], part), numbers::<N>(columns[1], part));
    let mut out = from;
    for (out, to) in out.iter_mut().zip(to) {
        *out = mul_add(sub(to, *out), fraction, *out);
    }
    values(out, part, ranges)
}

/// The components of a part in one column.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn exactly<const N: usize>(column: &[u8], part: &Part, ranges: &[Range; N]) -> [Eight; N] {
    values(numbers::<N>(column, part), part, ranges)
}

/// The values of whole numbers as they are stored: of the bones that move, one after the other.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn values<const N: usize>(mut numbers: [Eight; N], part: &Part, ranges: &[Range; N]) -> [Eight; N] {
    let is_in_place = part.lanes & part.lanes.wrapping_add(1) == 0;
    if !is_in_place {
        numbers.iter_mut().for_each(|numbers| *numbers = whole::scattered(*numbers, &ORDERS[usize::from(part.lanes)]));
    }
    for (numbers, range) in numbers.iter_mut().zip(ranges) {
        *numbers = mul_add(*numbers, load(&range.step), load(&range.low));
    }
    numbers
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

/// The whole numbers of a part's components in a column, each up to [`TOP`].
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn numbers<const N: usize>(column: &[u8], part: &Part) -> [Eight; N] {
    let spread = &SPREADS[usize::from(part.bits.min(MOST_BITS))];
    let mut out = [all(0.0); N];
    for (at, out) in out.iter_mut().enumerate() {
        let start = part.start as usize + usize::from(part.bytes) * at;
        debug_assert!(start + PAST <= column.len());
        // SAFETY: from the start of every component in a column there are 16 bytes (`Compact::column`; `Compact::new` counts
        // the bytes of all columns and puts as many behind the last).
        let bytes = unsafe { &*column.as_ptr().add(start).cast::<[u8; PAST]>() };
        *out = whole::unpacked(bytes, spread);
    }
    out
}

/// How eight numbers of so many bits come to eight lanes: which bytes go where, how far each lane is
/// shifted, and which bits are the number's.
#[repr(C, align(32))]
pub struct Spread {
    pub places: [u8; 32],
    pub left: [i32; 8],
    pub mask: i32,
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
            spreads[bits].left[lane] = (TOP as usize - bits - inside) as i32;
            lane += 1;
        }
        spreads[bits].mask = ((1 << bits) - 1) << (TOP as usize - bits);
        bits += 1;
    }
    spreads
};
