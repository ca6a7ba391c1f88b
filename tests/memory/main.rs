//! How much memory the runtime uses, counted by an allocator. A binary of its own, because the counter covers every thread.

#[path = "../support/allocator.rs"]
mod allocator;
#[path = "../support/checksums.rs"]
mod checksums;
#[path = "../../benches/shared/generated.rs"]
#[allow(dead_code)]
mod generated;
mod limits;
mod reading;
#[path = "../support/sample.rs"]
#[allow(dead_code)]
mod sample;
mod sampling;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by each test, so that no other one allocates at the same time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
