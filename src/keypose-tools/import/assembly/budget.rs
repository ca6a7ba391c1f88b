//! A budget of memory: small files can ask for much by sharing one mesh or one list of numbers.

use crate::anim::key::Key;
use crate::anim::time::Time;

/// Bytes that each part of an import may use, and how many more for each byte of the file.
const MIN_MEMORY: usize = 48 << 20;
const MEMORY_FACTOR: usize = 32;
/// Approximate bytes of a corner of a face.
const BYTES_PER_CORNER: usize = 128;
/// Bytes of a key with its time.
pub const BYTES_PER_KEY: usize = size_of::<(Time, Key)>();

/// Bytes that may still be used.
#[derive(Clone, Copy, Debug)]
pub struct Budget(usize);

impl Budget {
    /// The budget for a file of this size.
    pub fn of(input: usize) -> Budget {
        Budget(memory(input))
    }

    /// The budget with another minimum.
    pub fn with_minimum(input: usize, min: usize) -> Budget {
        Budget(input.saturating_mul(MEMORY_FACTOR).saturating_add(min))
    }

    /// The bytes that are left.
    pub fn left(&self) -> usize {
        self.0
    }

    /// Uses bytes. Returns false if there are not enough.
    pub fn take(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }

    /// Uses the bytes of keys, this many for each. The error is the reason if there are not enough.
    pub fn take_keys(&mut self, count: usize, bytes: usize) -> Result<(), &'static str> {
        let is_enough = self.take(count.saturating_mul(bytes));
        is_enough.then_some(()).ok_or("the animations have far more keys than the file holds")
    }

    /// Uses the bytes of corners of faces.
    pub fn take_corners(&mut self, count: usize) -> bool {
        self.take(count.saturating_mul(BYTES_PER_CORNER))
    }
}

/// Bytes that a part of the import may use, for a file of this size.
pub fn memory(input: usize) -> usize {
    input.saturating_mul(MEMORY_FACTOR).saturating_add(MIN_MEMORY)
}
