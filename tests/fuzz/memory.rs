//! The system's allocator, which notes how much each thread has at most.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = NOW.try_with(|now| {
            now.set(now.get() + layout.size() as isize);
            let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
        });
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let _ = NOW.try_with(|now| now.set(now.get() - layout.size() as isize));
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many bytes more than before were taken at most while `work` ran.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let before = NOW.get();
    PEAK.set(before);
    let done = work();
    (done, PEAK.get() - before)
}
