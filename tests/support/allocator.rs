//! The system's allocator, which notes what each thread and all of them have at most, and how often a thread asks.

#![allow(unsafe_code, dead_code)] // Each test asks for one of the figures.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

static ALL_NOW: AtomicIsize = AtomicIsize::new(0);
static ALL_PEAK: AtomicIsize = AtomicIsize::new(0);

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = layout.size() as isize;
        ALL_PEAK.fetch_max(ALL_NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
        // A thread that ends has nothing to note it in.
        let _ = NOW.try_with(|now| {
            now.set(now.get() + bytes);
            let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
            let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        });
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let bytes = layout.size() as isize;
        ALL_NOW.fetch_sub(bytes, Relaxed);
        let _ = NOW.try_with(|now| now.set(now.get() - bytes));
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many bytes more than before this thread had at most while `work` ran.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let before = NOW.get();
    PEAK.set(before);
    let done = work();
    (done, PEAK.get() - before)
}

/// As [`peak_of`], of all threads together: nothing else may run meanwhile.
pub fn peak_of_all<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let before = ALL_NOW.load(Relaxed);
    ALL_PEAK.store(before, Relaxed);
    let done = work();
    (done, ALL_PEAK.load(Relaxed) - before)
}

/// How often this thread asked for memory while `work` ran.
pub fn allocations_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.get();
    let done = work();
    (done, COUNT.get() - before)
}
