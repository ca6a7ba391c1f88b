//! Work that takes long, in a thread of its own: how far it is, and whether it is still wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared by the thread that works and the one that shows it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Of what is to be done; 0 while that is not known.
    permille: AtomicU32,
    is_cancelled: AtomicBool,
}

impl Progress {
    /// So much is done, 0..=1.
    pub fn set(&self, fraction: f32) {
        self.0.permille.store((fraction.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
    }

    /// How much is done, 0..=1; `None` while that is not known.
    pub fn fraction(&self) -> Option<f32> {
        let permille = self.0.permille.load(Ordering::Relaxed);
        (permille > 0).then_some(permille as f32 / 1000.0)
    }

    /// Nobody waits for it any more.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// True where nobody waits for it.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// So much is done; an error where the rest is not wanted.
    pub fn reach(&self, fraction: f32) -> Result<(), String> {
        self.set(fraction);
        if self.is_cancelled() { Err("it was cancelled".into()) } else { Ok(()) }
    }
}
