//! A bounds-checked cursor over bytes, and the alignment of lumps.

use crate::wad::error::Fault;

/// Lumps and their sections start at multiples of this many bytes.
pub const ALIGNMENT: usize = 64;

/// The next multiple of [`ALIGNMENT`]; `None` on overflow.
pub fn aligned(offset: usize) -> Option<usize> {
    offset.checked_next_multiple_of(ALIGNMENT)
}

/// Appends zeros up to the next multiple of [`ALIGNMENT`].
pub fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
}

/// Reads little-endian numbers.
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// The current offset.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The number of bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let end = self.at.checked_add(count);
        let Some(found) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            let left = self.left();
            return Err(Fault::new(self.at, format!("{left} bytes left, {count} needed")));
        };
        self.at = self.at.saturating_add(count);
        Ok(found)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let at = self.at;
        self.take(N)?.try_into().map_err(|_| Fault::new(at, "too short"))
    }

    pub fn u16(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A u64 as a size in memory: more than this machine can address is as much as it can, which no file has.
    pub fn size(&mut self) -> Result<usize, Fault> {
        Ok(usize::try_from(self.u64()?).unwrap_or(usize::MAX))
    }

    /// Skips to the next multiple of [`ALIGNMENT`]; the skipped bytes must be zero.
    pub fn align(&mut self) -> Result<(), Fault> {
        let at = self.at;
        let end = aligned(at).ok_or_else(|| Fault::new(at, "too large"))?;
        self.zeros(end.saturating_sub(at))
    }

    /// The next `count` bytes must be zero.
    pub fn zeros(&mut self, count: usize) -> Result<(), Fault> {
        let at = self.at;
        let dirty = self.take(count)?.iter().position(|&byte| byte != 0);
        dirty.map_or(Ok(()), |dirty| Err(Fault::new(at.saturating_add(dirty), "the padding is not zero")))
    }
}
