//! The memory that reading an archive needs, counted by the allocator: at most a small multiple of its size, even if its
//! contents are forged.

use keypose::wad::decode;

use crate::{allocator, alone, checksums, sample};

/// The peak memory of reading, in bytes.
fn peak_of_reading(bytes: &[u8]) -> usize {
    let (_, peak) = allocator::peak_of_all(|| decode(bytes));
    peak.max(0) as usize
}

/// serde believes a length up to this many bytes before it has seen the elements.
const PREALLOCATED: usize = 4 << 20;

#[test]
fn reading_takes_a_small_multiple_of_the_bytes() {
    let _alone = alone();
    let mut worst = 0;
    let (small, rich) = (sample::encode(&sample::small()), sample::encode(&sample::rich()));
    let is_full = std::env::var_os("KEYPOSE_FULL").is_some();
    // LZ4 can't unpack to more than 255 times its bytes.
    for (good, factor, step) in [(small, 32, 3), (rich, 32, 11), (sample::compressed(), 300, 11)] {
        let step = if is_full { 3 } else { step };
        let bound = PREALLOCATED + factor * good.len();
        for (round, at) in (0..good.len() - 8).step_by(step).enumerate() {
            // Each place takes one of five windows, the next place another.
            let windows = [(1, 0xff), (4, 0xff), (4, 0x7f), (8, 0x00), (3, 0xff)];
            let (width, fill) = windows[round % windows.len()];
            let mut bytes = good.clone();
            bytes[at..at + width].fill(fill);
            checksums::forge(&mut bytes);
            let peak = peak_of_reading(&bytes);
            worst = worst.max(peak);
            assert!(peak <= bound, "{peak} bytes of memory for {} bytes, byte {at}", bytes.len());
        }
    }
    println!("at most {worst} bytes at once");
}
