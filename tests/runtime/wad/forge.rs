//! Forged archives: bytes are changed and every checksum is corrected, so that only the parser can refuse them. No input may
//! cause a panic, a hang or unbounded memory; accepted ones must be valid projects.

use keypose::wad::decode;

use super::fixtures::{has_offset, is_full};
use crate::checksums::{forge, put};
use crate::sample::{compressed, encode, every_form, play, rich, small};

/// Decodes forged bytes. An accepted project is valid, and can be saved and read again.
fn try_forged(bytes: &mut [u8], tried: &mut Tried) {
    forge(bytes);
    tried.all += 1;
    let decoded = match decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => return assert!(has_offset(&error), "{error}"),
    };
    tried.accepted += 1;
    for model in &decoded.project.models {
        for keyframes in model.clips.iter().map(|slot| &slot.clip.keyframes) {
            let (count, length) = (keyframes.len(), keyframes.length());
            // The first access decodes the keys.
            assert_eq!((keyframes.iter().count(), keyframes.length()), (count, length));
        }
        model.check().unwrap();
    }
    // A finding means that a clip was baked, of keys that may be at the limits of f32.
    if decoded.findings.is_empty() {
        decoded.characters.iter().for_each(|character| play(character));
    }
    // Images are decoded where their pixels are needed.
    let mut images = decoded.project.models.iter().flat_map(|model| &model.textures);
    let are_whole = images.all(|image| image.file().is_some() || image.pixels().is_ok());
    if are_whole && tried.accepted.is_multiple_of(64) {
        let again = encode(&decoded.project);
        assert_eq!(decode(&again).unwrap().project, decoded.project);
    }
}

/// Archives, and the step between the bytes that are changed: `step` for the small one, more for large ones.
/// `KEYPOSE_FULL=1` changes every byte.
fn samples(step: usize) -> Vec<(Vec<u8>, usize)> {
    let [step, large] = if is_full() { [1; 2] } else { [step, 101] };
    let mut samples = vec![
        (encode(&small()), step),
        (encode(&rich()), large),
        (compressed(), large),
        (every_form(&rich(), 0).0, large),
    ];
    if is_full() {
        samples.push((every_form(&rich(), 1).0, large));
    }
    samples
}

#[derive(Default)]
struct Tried {
    all: u64,
    accepted: u64,
}

#[test]
fn no_forged_byte_panics() {
    let mut tried = Tried::default();
    for (good, step) in samples(1) {
        // Of a large archive, each byte takes a third of the values, the next one another third.
        let share = if step > 1 { 3 } else { 1 };
        for (round, at) in (0..good.len()).step_by(step).enumerate() {
            let old = good[at];
            let nearby = [0, 255, old.wrapping_add(1), old.wrapping_sub(1)];
            let values = nearby.into_iter().chain((0..8).map(|bit| old ^ (1 << bit)));
            for new in values.skip(round % share).step_by(share).filter(|&new| new != old) {
                let mut bytes = good.clone();
                bytes[at] = new;
                try_forged(&mut bytes, &mut tried);
            }
        }
    }
    assert!(tried.accepted > 0 && tried.accepted < tried.all, "{} of {}", tried.accepted, tried.all);
}

#[test]
fn no_forged_window_panics() {
    let mut tried = Tried::default();
    for (good, step) in samples(5) {
        for at in (0..good.len() - 8).step_by(step) {
            for (width, fill) in [(4, 0xff), (4, 0x7f), (8, 0xff), (8, 0)] {
                let mut bytes = good.clone();
                bytes[at..at + width].fill(fill);
                try_forged(&mut bytes, &mut tried);
            }
        }
    }
    assert!(tried.accepted < tried.all);
}

#[test]
fn no_forged_truncation_panics() {
    let good = encode(&small());
    for length in 0..good.len() {
        let mut bytes = good[..length].to_vec();
        put(&mut bytes, 24, length as u64);
        forge(&mut bytes);
        assert!(decode(&bytes).is_err(), "{length}");
    }
}
