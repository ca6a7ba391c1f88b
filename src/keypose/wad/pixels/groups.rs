//! Groups of 32 differences, all with the same number of bits. Four words of eight bytes hold a group.
//!
//! A number of bits is a sum of 1, 2, 4 and 8; each of them is a part. A part of `p` bits has 4 · `p` bytes: value `i` is in byte
//! `i mod 4p`, from bit `p · (i div 4p)` on. So a word of a part is unpacked by one shift and one mask.

/// The values of a group.
pub const VALUES: usize = 32;

/// Eight values in each of four words.
pub type Words = [u64; 4];

/// The maximum number of bits.
pub const MAX_BITS: u8 = 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const TWO_BITS: u64 = 0x0303_0303_0303_0303;
const FOUR_BITS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
const LOW_ONES: u64 = 0x0101_0101;
const HIGH_ONES: u64 = 0x0101_0101_0000_0000;

/// The bytes of a group.
pub fn bytes_of(bits: u8) -> usize {
    usize::from(bits).saturating_mul(4)
}

/// Small positive and negative differences as small numbers: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, …
#[inline(always)]
pub fn folded(difference: u8) -> u8 {
    let sign = if difference < 0x80 { 0 } else { 0xff };
    (difference << 1) ^ sign
}

/// The opposite of [`folded`], for each byte of a word.
#[inline(always)]
fn unfolded(word: u64) -> u64 {
    ((word >> 1) & (ONES.wrapping_mul(0x7f))) ^ (word & ONES).wrapping_mul(0xff)
}

/// Appends a group of values that have no more than this number of bits.
#[inline(always)]
pub fn pack(bits: u8, words: &Words, out: &mut Vec<u8>) {
    let [a, b, c, d] = *words;
    if bits >= MAX_BITS {
        words.iter().for_each(|word| out.extend(word.to_le_bytes()));
        return;
    }
    if bits & 1 != 0 {
        let halves = |word: u64| (word & LOW_ONES) | ((word & HIGH_ONES) >> 31);
        let part = halves(a) | halves(b) << 2 | halves(c) << 4 | halves(d) << 6;
        out.extend(part.to_le_bytes().first_chunk::<4>().copied().unwrap_or_default());
    }
    if bits & 2 != 0 {
        let two = |word: u64| word.wrapping_shr(u32::from(bits & 1)) & TWO_BITS;
        out.extend((two(a) | two(b) << 2 | two(c) << 4 | two(d) << 6).to_le_bytes());
    }
    if bits & 4 != 0 {
        let four = |word: u64| word.wrapping_shr(u32::from(bits & 3)) & FOUR_BITS;
        out.extend((four(a) | four(c) << 4).to_le_bytes());
        out.extend((four(b) | four(d) << 4).to_le_bytes());
    }
}

/// Unpacks a group to differences; also returns the remaining bytes.
#[inline(always)]
pub fn unpack(bits: u8, from: &[u8]) -> Option<(Words, &[u8])> {
    match bits {
        0 => Some(([0; 4], from)),
        1 => unpack_bits::<1>(from),
        2 => unpack_bits::<2>(from),
        3 => unpack_bits::<3>(from),
        4 => unpack_bits::<4>(from),
        5 => unpack_bits::<5>(from),
        6 => unpack_bits::<6>(from),
        7 => unpack_bits::<7>(from),
        MAX_BITS => {
            let (words, rest) = take::<4>(from)?;
            Some((words.map(unfolded), rest))
        }
        _ => None,
    }
}

#[inline(always)]
fn unpack_bits<const BITS: u8>(from: &[u8]) -> Option<(Words, &[u8])> {
    let (mut words, mut left) = ([0; 4], from);
    if BITS & 1 != 0 {
        let (bytes, rest) = left.split_first_chunk::<4>()?;
        let part = u64::from(u32::from_le_bytes(*bytes));
        let both = part | part << 32;
        words = [both, both >> 2, both >> 4, both >> 6].map(|word| (word & LOW_ONES) | ((word >> 1) & HIGH_ONES));
        left = rest;
    }
    if BITS & 2 != 0 {
        let ([part], rest) = take::<1>(left)?;
        join(&mut words, [part, part >> 2, part >> 4, part >> 6].map(|word| word & TWO_BITS), BITS & 1);
        left = rest;
    }
    if BITS & 4 != 0 {
        let ([a, b], rest) = take::<2>(left)?;
        join(&mut words, [a, b, a >> 4, b >> 4].map(|word| word & FOUR_BITS), BITS & 3);
        left = rest;
    }
    Some((words.map(unfolded), left))
}

/// Adds a part above the bits that are there.
#[inline(always)]
fn join(words: &mut Words, part: Words, shift: u8) {
    words.iter_mut().zip(part).for_each(|(word, part)| *word |= part.wrapping_shl(u32::from(shift)));
}

#[inline(always)]
fn take<const N: usize>(from: &[u8]) -> Option<([u64; N], &[u8])> {
    let (chunks, rest) = from.as_chunks::<8>();
    let words = chunks.first_chunk::<N>()?.map(u64::from_le_bytes);
    let after = from.get(N.wrapping_mul(8)..).unwrap_or(rest);
    Some((words, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes.try_into().unwrap())
    }

    #[test]
    fn every_number_of_bits_is_unpacked_to_the_same_differences() {
        for bits in 0..=MAX_BITS {
            let (limit, mut number) = ((1_i32 << bits) / 2, 0);
            let differences: [u8; VALUES] = std::array::from_fn(|_| {
                let value = (number % (2 * limit).max(1)) - limit;
                number += 37;
                value.to_le_bytes()[0]
            });
            let folded = differences.map(folded);
            assert!(folded.iter().all(|&value| u32::from(value) < 1 << bits), "{bits}: {folded:?}");
            let words: Words = std::array::from_fn(|at| word(&folded[at * 8..][..8]));
            let mut packed = Vec::new();
            pack(bits, &words, &mut packed);
            assert_eq!(packed.len(), bytes_of(bits));
            let (unpacked, rest) = unpack(bits, &packed).unwrap();
            assert_eq!((unpacked.map(u64::to_le_bytes).concat(), rest), (differences.to_vec(), &[][..]), "{bits}");
            assert!(bits == 0 || unpack(bits, &packed[1..]).is_none());
        }
        assert!(unpack(9, &[0; 64]).is_none());
    }

    #[test]
    fn a_part_holds_each_value_where_the_format_says() {
        let values: [u8; VALUES] = std::array::from_fn(|at| (at % 7) as u8);
        let words: Words = std::array::from_fn(|at| word(&values[at * 8..][..8]));
        let mut packed = Vec::new();
        pack(7, &words, &mut packed);
        for (at, value) in values.into_iter().enumerate() {
            let mut offset = 0;
            let part = |bits: usize, offset: usize| {
                (packed[offset + at % (4 * bits)] >> (bits * (at / (4 * bits)))) & ((1 << bits) - 1)
            };
            let one = part(1, offset);
            offset += 4;
            let two = part(2, offset);
            offset += 8;
            assert_eq!(one | two << 1 | part(4, offset) << 3, value);
        }
    }
}
