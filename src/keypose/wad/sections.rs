//! The inside of a lump: a record, then sections of plain numbers, each at a multiple of 64.
//!
//! See docs/wad-format.md, "Inside a lump".

use std::borrow::Cow;
use std::ops::Deref;

use bytemuck::Pod;

use crate::wad::bytes::{ALIGNMENT, Cursor, pad};
use crate::wad::error::Fault;

/// The maximum number of sections.
const MAX_SECTIONS: u32 = 64;

/// A lump taken apart.
#[derive(Clone)]
pub struct Parts<'a> {
    pub record: &'a [u8],
    sections: std::vec::IntoIter<Section<'a>>,
}

/// The bytes of a section, and their offset in the lump.
#[derive(Clone, Copy, Default)]
pub struct Section<'a> {
    pub offset: usize,
    pub bytes: &'a [u8],
}

impl Section<'_> {
    /// A fault at one of its bytes.
    pub fn fault(&self, at: usize, reason: impl Into<String>) -> Fault {
        Fault::new(self.offset.saturating_add(at), reason)
    }
}

/// The values of a section; borrowed if the bytes are aligned, as they are in a file.
pub struct Column<'a, T: Pod> {
    section: Section<'a>,
    values: Cow<'a, [T]>,
}

impl<T: Pod> Column<'_, T> {
    /// A fault of one of its values.
    pub fn fault(&self, index: usize, reason: impl Into<String>) -> Fault {
        self.section.fault(index.saturating_mul(size_of::<T>()), reason)
    }
}

impl<T: Pod> Deref for Column<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values
    }
}

/// Assembles a lump.
pub fn join<S: AsRef<[u8]>>(record: &[u8], sections: &[S]) -> Result<Vec<u8>, String> {
    let too_long = |_| "the record is too long".to_owned();
    // With the lengths of the sections, and what aligns them.
    let room = sections.iter().map(|section| section.as_ref().len().saturating_add(8).saturating_add(ALIGNMENT));
    let mut out = Vec::with_capacity(room.fold(record.len().saturating_add(8), usize::saturating_add));
    out.extend(u32::try_from(record.len()).map_err(too_long)?.to_le_bytes());
    out.extend(u32::try_from(sections.len()).map_err(too_long)?.to_le_bytes());
    sections.iter().for_each(|section| out.extend((section.as_ref().len() as u64).to_le_bytes()));
    out.extend(record);
    for section in sections {
        pad(&mut out);
        out.extend(section.as_ref());
    }
    Ok(out)
}

/// The offset of the record in a lump; 0 if the lump is too short.
pub fn record_offset(bytes: &[u8]) -> usize {
    let mut cursor = Cursor::new(bytes);
    let count = cursor.u32().and_then(|_| cursor.u32()).ok().and_then(|count| usize::try_from(count).ok());
    count.and_then(|count| count.checked_mul(8)?.checked_add(8)).filter(|at| *at < bytes.len()).unwrap_or(0)
}

/// Takes a lump apart. Every byte must belong to a part.
pub fn split(bytes: &[u8]) -> Result<Parts<'_>, Fault> {
    let mut cursor = Cursor::new(bytes);
    let record_bytes = cursor.u32()?;
    let count = cursor.u32()?;
    if count > MAX_SECTIONS {
        return Err(Fault::new(4, format!("{count} sections, more than the maximum of {MAX_SECTIONS}")));
    }
    let lengths = (0..count).map(|_| cursor.size()).collect::<Result<Vec<_>, _>>()?;
    let record_bytes = usize::try_from(record_bytes).map_err(|_| Fault::new(0, "the record is too long"))?;
    let record = cursor.take(record_bytes)?;
    let mut sections = Vec::with_capacity(lengths.len());
    for length in lengths {
        cursor.align()?;
        sections.push(Section { offset: cursor.offset(), bytes: cursor.take(length)? });
    }
    if cursor.offset() != bytes.len() {
        let left = bytes.len().saturating_sub(cursor.offset());
        return Err(Fault::new(cursor.offset(), format!("{left} unexpected bytes at the end")));
    }
    Ok(Parts { record, sections: sections.into_iter() })
}

/// The record of a lump with one section, and the length of that section, from the bytes before it.
pub fn split_head(head: &[u8]) -> Result<(&[u8], u64), Fault> {
    let mut cursor = Cursor::new(head);
    let (record_bytes, count, length) = (cursor.u32()?, cursor.u32()?, cursor.u64()?);
    if count != 1 {
        return Err(Fault::new(4, format!("{count} sections instead of one")));
    }
    let record_bytes = usize::try_from(record_bytes).map_err(|_| Fault::new(0, "the record is too long"))?;
    let record = cursor.take(record_bytes)?;
    cursor.align()?;
    match cursor.left() {
        0 => Ok((record, length)),
        left => Err(Fault::new(cursor.offset(), format!("{left} unexpected bytes before the section"))),
    }
}

impl<'a> Parts<'a> {
    /// The values of the next section.
    ///
    /// # Errors
    /// If there is none, or its length is not a multiple of the size of a value.
    pub fn values<T: Pod>(&mut self, what: &str) -> Result<Vec<T>, Fault> {
        self.column(what).map(|column| column.values.into_owned())
    }

    /// The values of the next section, borrowed if possible.
    pub fn column<T: Pod>(&mut self, what: &str) -> Result<Column<'a, T>, Fault> {
        let section = self.whole::<T>(what)?;
        let unaligned =
            || section.bytes.chunks_exact(size_of::<T>().max(1)).map(bytemuck::pod_read_unaligned).collect();
        let values = bytemuck::try_cast_slice(section.bytes).map_or_else(|_| Cow::Owned(unaligned()), Cow::Borrowed);
        Ok(Column { section, values })
    }

    /// The next section's values, each made into something else.
    pub fn map<T: Pod, U>(&mut self, what: &str, of: impl Fn(&T) -> U) -> Result<Vec<U>, Fault> {
        Ok(self.column(what)?.iter().map(of).collect())
    }

    /// The next section, which must be whole values.
    fn whole<T>(&mut self, what: &str) -> Result<Section<'a>, Fault> {
        let section = self.section(what)?;
        let size = size_of::<T>().max(1);
        if !section.bytes.len().is_multiple_of(size) {
            let reason = format!("{} bytes of {what} are not whole values of {size} bytes", section.bytes.len());
            return Err(Fault::new(section.offset, reason));
        }
        Ok(section)
    }

    /// The next section's bytes.
    pub fn section(&mut self, what: &str) -> Result<Section<'a>, Fault> {
        self.sections.next().ok_or_else(|| Fault::new(4, format!("the section {what} is missing")))
    }

    /// The number of sections that are left.
    pub fn left(&self) -> usize {
        self.sections.len()
    }

    /// Expects that no section is left.
    pub fn end(self) -> Result<(), Fault> {
        match self.sections.len() {
            0 => Ok(()),
            left => Err(Fault::new(4, format!("{left} unexpected sections"))),
        }
    }
}

/// The bytes of floating-point numbers, with -0 as 0.
///
/// # Errors
/// If a number is not finite.
pub fn floats<T: Pod>(values: &[T], what: &str) -> Result<Vec<u8>, String> {
    let mut bytes = bytemuck::cast_slice::<T, u8>(values).to_vec();
    for chunk in bytes.as_chunks_mut::<4>().0 {
        let value = f32::from_le_bytes(*chunk);
        if !value.is_finite() {
            return Err(format!("a number of the {what} is not finite"));
        }
        if value == 0.0 {
            *chunk = [0; 4];
        }
    }
    Ok(bytes)
}
