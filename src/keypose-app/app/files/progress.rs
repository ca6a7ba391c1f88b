//! The progress of a background job, and whether cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared by the thread of the job and the one that shows it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// The finished part; 0 while it is unknown.
    permille: AtomicU32,
    is_cancelled: AtomicBool,
}

impl Progress {
    /// Sets the finished part, 0..=1.
    pub fn set(&self, fraction: f32) {
        self.0.permille.store((fraction.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
    }

    /// The finished part, 0..=1; `None` while it is unknown.
    pub fn fraction(&self) -> Option<f32> {
        let permille = self.0.permille.load(Ordering::Relaxed);
        (permille > 0).then_some(permille as f32 / 1000.0)
    }

    /// Cancels the job.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the job was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Sets the finished part. Returns an error if the job was cancelled.
    pub fn reach(&self, fraction: f32) -> Result<(), String> {
        self.set(fraction);
        if self.is_cancelled() { Err("cancelled".into()) } else { Ok(()) }
    }
}
