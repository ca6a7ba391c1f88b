//! How much memory reading an archive takes, counted by the allocator: never more than a small multiple of its bytes,
//! whatever a forger wrote into it. A binary of its own, because the counter sees every thread.

#![allow(unsafe_code)]

#[path = "wad/checksums.rs"]
mod checksums;
#[path = "wad/sample.rs"]
#[allow(dead_code)]
mod sample;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use keypose::wad::decode;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that reading took at once.
fn peak_of_reading(bytes: &[u8]) -> usize {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let _ = decode(bytes);
    PEAK.load(Relaxed).saturating_sub(before)
}

/// serde believes a length up to this many bytes before it has seen the elements.
const PREALLOCATED: usize = 4 << 20;

#[test]
fn reading_takes_a_small_multiple_of_the_bytes() {
    let mut worst = 0;
    let (small, rich) = (sample::encode(&sample::small()), sample::encode(&sample::rich()));
    // LZ4 can't unpack to more than 255 times its bytes.
    for (good, factor) in [(small, 32), (rich, 32), (sample::compressed(), 300)] {
        let bound = PREALLOCATED + factor * good.len();
        for at in (0..good.len() - 8).step_by(7) {
            for (width, fill) in [(1, 0xff), (4, 0xff), (4, 0x7f), (8, 0x00), (3, 0xff)] {
                let mut bytes = good.clone();
                bytes[at..at + width].fill(fill);
                checksums::forge(&mut bytes);
                let peak = peak_of_reading(&bytes);
                worst = worst.max(peak);
                assert!(peak <= bound, "{peak} bytes of memory for {} bytes, byte {at}", bytes.len());
            }
        }
    }
    println!("at most {worst} bytes at once");
}
