//! The rows of a strip: differences from what the neighbours let expect. Rows of each channel are stored one after the
//! other; red and blue may be stored as their difference from green.

use crate::anim::simd::{Work, widened};
use crate::wad::pixels::groups::{self, MAX_BITS, VALUES, Words};

/// How a row is predicted, as it is stored. The byte before the first one of a row is the first one above it.
const NOTHING: u8 = 0;
const ABOVE: u8 = 1;
const LEFT: u8 = 2;
/// Left + above − above left.
const SLOPE: u8 = 3;
const PREDICTIONS: [u8; 4] = [ABOVE, SLOPE, LEFT, NOTHING];
/// The row is as predicted; nothing follows.
const EXACT: u8 = 0x80;

/// Whether red and blue are relative to green, as it is stored.
const ABSOLUTE: u8 = 0;
const FROM_GREEN: u8 = 1;
/// One row of this many is compared.
const TRIED_ROWS: usize = 8;

/// A row of each channel: green, red, blue, alpha. Rows are padded to whole groups.
type Planes = [Vec<u8>; 4];

fn planes(width: usize) -> Option<Planes> {
    let plane = vec![0; width.checked_next_multiple_of(VALUES)?];
    Some([plane.clone(), plane.clone(), plane.clone(), plane])
}

/// The maximum number of bytes that the differences of a strip take.
pub fn max_bytes(pixel_bytes: usize, width: usize) -> Option<usize> {
    let padded = width.checked_next_multiple_of(VALUES)?;
    let widths = (padded / VALUES).div_ceil(2);
    let row = padded.checked_add(widths)?.checked_add(1)?.checked_mul(4)?;
    row.checked_mul(pixel_bytes.checked_div(width.checked_mul(4)?)?)?.checked_add(1)
}

/// Packs the pixels of a strip.
pub fn pack(pixels: &[u8], width: usize) -> Vec<u8> {
    widened(Packing { pixels, width }).unwrap_or_default()
}

/// Unpacks all pixels of a strip; `None` if the bytes are no such strip.
pub fn unpack(bytes: &[u8], width: usize, pixels: &mut [u8]) -> Option<()> {
    widened(Unpacking { bytes, width, pixels })
}

struct Unpacking<'a> {
    bytes: &'a [u8],
    width: usize,
    pixels: &'a mut [u8],
}

impl Work for Unpacking<'_> {
    type Output = Option<()>;

    #[inline(always)]
    fn run(self) -> Option<()> {
        let (&relation, mut left) = self.bytes.split_first()?;
        let from_green = match relation {
            ABSOLUTE => 0,
            FROM_GREEN => 0xff,
            _ => return None,
        };
        let (mut rows, mut above) = (planes(self.width)?, planes(self.width)?);
        for line in self.pixels.chunks_exact_mut(self.width.checked_mul(4)?) {
            for (row, above) in rows.iter_mut().zip(&above) {
                left = unpack_row(left, row, above)?;
            }
            interleave(&rows, from_green, line);
            std::mem::swap(&mut rows, &mut above);
        }
        left.is_empty().then_some(())
    }
}

/// Unpacks a row of a channel; returns the remaining bytes.
#[inline(always)]
fn unpack_row<'a>(from: &'a [u8], row: &mut [u8], above: &[u8]) -> Option<&'a [u8]> {
    let (&prediction, mut left) = from.split_first()?;
    if prediction & EXACT == 0 {
        let (all, _) = row.as_chunks_mut::<VALUES>();
        let (widths, mut rest) = left.split_at_checked(all.len().div_ceil(2))?;
        for (pair, widths) in all.chunks_mut(2).zip(widths) {
            for (group, bits) in pair.iter_mut().zip([widths & 15, widths >> 4]) {
                let (words, after) = groups::unpack(bits, rest)?;
                store(words, group);
                rest = after;
            }
        }
        left = rest;
    } else {
        row.fill(0);
    }
    match prediction & !EXACT {
        NOTHING => {}
        ABOVE => add(row, above),
        LEFT => sum_up(row, above.first().copied().unwrap_or(0)),
        SLOPE => {
            sum_up(row, 0);
            add(row, above);
        }
        _ => return None,
    }
    Some(left)
}

#[inline(always)]
fn store(words: Words, group: &mut [u8; VALUES]) {
    let (chunks, _) = group.as_chunks_mut::<8>();
    for (chunk, word) in chunks.iter_mut().zip(words) {
        *chunk = word.to_le_bytes();
    }
}

#[inline(always)]
fn add(row: &mut [u8], above: &[u8]) {
    for (byte, above) in row.iter_mut().zip(above) {
        *byte = byte.wrapping_add(*above);
    }
}

/// Replaces each byte by the sum of all up to it, eight at a time: a product adds up the pairs of a word.
#[inline(always)]
fn sum_up(row: &mut [u8], first: u8) {
    const ONES: u64 = 0x0001_0001_0001_0001;
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let mut sum = u64::from(first);
    for chunk in row.as_chunks_mut::<8>().0 {
        let word = u64::from_le_bytes(*chunk);
        let (even, odd) = (word & EVEN, (word >> 8) & EVEN);
        let pairs = even.wrapping_add(odd).wrapping_mul(ONES);
        // No number of 16 bits overflows: at most 255 + 4 · 510.
        let odd_sums = pairs.wrapping_add(sum.wrapping_mul(ONES));
        let even_sums = odd_sums.wrapping_sub(odd);
        *chunk = ((odd_sums & EVEN) << 8 | (even_sums & EVEN)).to_le_bytes();
        sum = sum.wrapping_add(pairs >> 48) & 0xff;
    }
}

#[inline(always)]
fn interleave([green, red, blue, alpha]: &Planes, from_green: u8, line: &mut [u8]) {
    let channels = green.iter().zip(red).zip(blue).zip(alpha);
    for (pixel, (((green, red), blue), alpha)) in line.as_chunks_mut::<4>().0.iter_mut().zip(channels) {
        let base = green & from_green;
        *pixel = [red.wrapping_add(base), *green, blue.wrapping_add(base), *alpha];
    }
}

struct Packing<'a> {
    pixels: &'a [u8],
    width: usize,
}

impl Work for Packing<'_> {
    type Output = Option<Vec<u8>>;

    #[inline(always)]
    fn run(self) -> Option<Vec<u8>> {
        let row_bytes = self.width.checked_mul(4)?;
        let relation = better_relation(self.pixels, self.width)?;
        let (mut rows, mut above, mut scratch) = (planes(self.width)?, planes(self.width)?, planes(self.width)?);
        let mut out = vec![relation];
        for line in self.pixels.chunks_exact(row_bytes) {
            separate(line, relation, &mut rows);
            for (row, above) in rows.iter().zip(&above) {
                let (prediction, at) = best_prediction(row, above, self.width, &mut scratch);
                pack_row(prediction, scratch.get(at)?, &mut out);
            }
            std::mem::swap(&mut rows, &mut above);
        }
        Some(out)
    }
}

/// The relation of the channels that takes fewer bytes in some of the rows.
#[inline(always)]
fn better_relation(pixels: &[u8], width: usize) -> Option<u8> {
    let (mut rows, mut above, mut scratch) = (planes(width)?, planes(width)?, planes(width)?);
    let mut cost = |relation: u8| -> Option<usize> {
        let mut sum = 0_usize;
        for pair in pixels.chunks_exact(width.checked_mul(8)?).step_by(TRIED_ROWS / 2) {
            let (first, second) = pair.split_at_checked(pair.len() / 2)?;
            separate(first, relation, &mut above);
            separate(second, relation, &mut rows);
            for (row, above) in rows.iter().zip(&above) {
                let (_, at) = best_prediction(row, above, width, &mut scratch);
                sum = sum.saturating_add(bytes_of(scratch.get(at)?));
            }
        }
        Some(sum)
    };
    Some(if cost(FROM_GREEN)? < cost(ABSOLUTE)? { FROM_GREEN } else { ABSOLUTE })
}

#[inline(always)]
fn separate(line: &[u8], relation: u8, [green, red, blue, alpha]: &mut Planes) {
    let channels = green.iter_mut().zip(red).zip(blue).zip(alpha);
    let mask = if relation == FROM_GREEN { 0xff } else { 0 };
    for ([r, g, b, a], (((green, red), blue), alpha)) in line.as_chunks::<4>().0.iter().zip(channels) {
        let base = g & mask;
        (*green, *red, *blue, *alpha) = (*g, r.wrapping_sub(base), b.wrapping_sub(base), *a);
    }
}

/// The prediction that takes the fewest bytes, and the number of the scratch row that has its folded differences.
#[inline(always)]
fn best_prediction(row: &[u8], above: &[u8], width: usize, scratch: &mut Planes) -> (u8, usize) {
    let mut best = (usize::MAX, ABOVE, 0);
    for (at, (prediction, out)) in PREDICTIONS.into_iter().zip(scratch.iter_mut()).enumerate() {
        differences(prediction, row, above, width, out);
        best = best.min((bytes_of(out), prediction, at));
    }
    (best.1, best.2)
}

/// The folded differences from a prediction, zero for the padding.
#[inline(always)]
fn differences(prediction: u8, row: &[u8], above: &[u8], width: usize, out: &mut [u8]) {
    let (Some(row), Some(above), Some(out)) = (row.get(..width), above.get(..width), out.get_mut(..width)) else {
        return;
    };
    let ([first, here @ ..], [first_above, above_here @ ..], [first_out, out @ ..]) = (row, above, out) else { return };
    *first_out = groups::folded(if prediction == NOTHING { *first } else { first.wrapping_sub(*first_above) });
    // Loops, because what iterators call is not compiled for wide registers.
    let pairs = out.iter_mut().zip(here);
    match prediction {
        LEFT => {
            for ((out, at), left) in pairs.zip(row) {
                *out = groups::folded(at.wrapping_sub(*left));
            }
        }
        SLOPE => {
            for ((((out, at), up), left), corner) in pairs.zip(above_here).zip(row).zip(above) {
                *out = groups::folded(at.wrapping_sub(*up).wrapping_sub(left.wrapping_sub(*corner)));
            }
        }
        ABOVE => {
            for ((out, at), up) in pairs.zip(above_here) {
                *out = groups::folded(at.wrapping_sub(*up));
            }
        }
        _ => {
            for (out, at) in pairs {
                *out = groups::folded(*at);
            }
        }
    }
}

/// The number of bits that the largest value of a group has.
#[inline(always)]
fn bits_of(group: &[u8; VALUES]) -> u8 {
    let mut all = 0_u64;
    for chunk in group.as_chunks::<8>().0 {
        all |= u64::from_le_bytes(*chunk);
    }
    all |= all >> 32;
    all |= all >> 16;
    all |= all >> 8;
    let [low, ..] = all.to_le_bytes();
    MAX_BITS.saturating_sub(u8::try_from(low.leading_zeros()).unwrap_or(0))
}

#[inline(always)]
fn bytes_of(folded: &[u8]) -> usize {
    let mut sum = 0_usize;
    for group in folded.as_chunks::<VALUES>().0 {
        sum = sum.wrapping_add(usize::from(bits_of(group)));
    }
    sum.wrapping_mul(groups::bytes_of(1))
}

#[inline(always)]
fn pack_row(prediction: u8, folded: &[u8], out: &mut Vec<u8>) {
    let (all, _) = folded.as_chunks::<VALUES>();
    if bytes_of(folded) == 0 {
        out.push(prediction | EXACT);
        return;
    }
    out.push(prediction);
    for pair in all.chunks(2) {
        let [first, second] = [0, 1].map(|at| pair.get(at).map_or(0, bits_of));
        out.push(first | second << 4);
    }
    for group in all {
        let mut words = Words::default();
        words.iter_mut().zip(group.as_chunks::<8>().0).for_each(|(word, chunk)| *word = u64::from_le_bytes(*chunk));
        groups::pack(bits_of(group), &words, out);
    }
}
