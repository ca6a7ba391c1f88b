//! Changes of bytes and of words: random ones, and every one of a kind.

use crate::editor_kit::dice::Dice;

/// Longer inputs find nothing more and take longer.
const MAX_BYTES: usize = 1 << 16;

/// One to four changes of bytes, numbers, ranges or the length.
pub fn bytes(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(4) {
        if bytes.is_empty() {
            return bytes.push(dice.below(256) as u8);
        }
        let at = dice.below(bytes.len());
        let width = [1, 2, 4, 8][dice.below(4)].min(bytes.len() - at);
        let value = match dice.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => dice.below(300) as u64,
            _ => dice.roll(),
        };
        match dice.below(8) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes[at] = bytes[at].wrapping_add(1),
            2 => bytes[at] = bytes[at].wrapping_sub(1),
            3..=5 => bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]),
            6 => {
                let (from, length) = (dice.below(bytes.len()), dice.below(64));
                let length = length.min(bytes.len() - at).min(bytes.len() - from);
                bytes.copy_within(from..from + length, at);
            }
            _ if dice.below(4) == 0 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, value as u8),
        }
    }
}

/// One to four words become others, come twice, go, or take a number of trouble.
pub fn words(dice: &mut Dice, bytes: &mut Vec<u8>, dictionary: &[&str]) {
    for _ in 0..=dice.below(4) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut parts: Vec<&str> = text.split_inclusive(|letter: char| !letter.is_alphanumeric()).collect();
        if parts.is_empty() || text.len() > MAX_BYTES {
            return;
        }
        let at = dice.below(parts.len());
        let end: String = parts[at].chars().last().filter(|letter| !letter.is_alphanumeric()).into_iter().collect();
        let number = TROUBLE[dice.below(TROUBLE.len())];
        let word = if dice.below(2) == 0 { number } else { dictionary[dice.below(dictionary.len())] };
        let word = format!("{word}{end}");
        let other = dice.below(parts.len());
        match dice.below(6) {
            0 => drop(parts.remove(at)),
            1 => parts.insert(at, parts[other]),
            2 => parts.swap(at, other),
            3 => parts.insert(at, &word),
            _ => parts[at] = &word,
        }
        *bytes = parts.concat().into_bytes();
    }
}

/// Numbers that are read wrongly where numbers are read wrongly at all.
const TROUBLE: [&str; 18] = [
    "0",
    "-1",
    "1",
    "2",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "1e9",
    "18446744073709551615",
    "1e300",
    "-1e300",
    "1e-300",
    "NaN",
    "inf",
];

/// The head of one input and the tail of another.
pub fn crossed(dice: &mut Dice, a: &[u8], b: &[u8]) -> Vec<u8> {
    let (head, tail) = (dice.below(a.len() + 1), dice.below(b.len() + 1));
    let mut out = [&a[..head], &b[tail..]].concat();
    out.truncate(MAX_BYTES);
    out
}

/// Every truncation, and at every `step`th byte: 0, 255, one more, one less, and four bytes of ones.
pub fn every(good: &[u8], step: usize, mut each: impl FnMut(Vec<u8>)) {
    for at in (0..good.len()).step_by(step) {
        each(good[..at].to_vec());
        let old = good[at];
        for new in [0, 255, old.wrapping_add(1), old.wrapping_sub(1)] {
            let mut bytes = good.to_vec();
            bytes[at] = new;
            each(bytes);
        }
        let mut bytes = good.to_vec();
        bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = 255);
        each(bytes);
    }
}
