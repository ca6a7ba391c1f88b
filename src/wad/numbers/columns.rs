//! The bytes of a section sorted so that they compress well: columns instead of rows, differences from the row before in the same
//! series instead of numbers, and the first byte of all differences before the second one.

use crate::wad::numbers::order::Order;

/// The shape of a section: rows of words.
#[derive(Clone, Copy)]
pub struct Shape {
    /// 2 or 4.
    pub word_bytes: usize,
    /// At least 1.
    pub columns: usize,
}

impl Shape {
    /// The number of rows in this many bytes; `None` if they are not whole rows, or the shape is not supported.
    pub fn rows(self, bytes: usize) -> Option<usize> {
        let row = self.word_bytes.checked_mul(self.columns).filter(|_| matches!(self.word_bytes, 2 | 4))?;
        (bytes.checked_rem(row)? == 0).then(|| bytes.checked_div(row))?
    }
}

/// Sorts the bytes of a section. `None` if the order is not one of its rows.
pub fn sorted(section: &[u8], shape: Shape, order: &Order) -> Option<Vec<u8>> {
    let mut out = vec![0; section.len()];
    match shape.word_bytes {
        2 => sort::<2>(section, shape.columns, order, &mut out),
        _ => sort::<4>(section, shape.columns, order, &mut out),
    }?;
    Some(out)
}

/// The opposite of [`sorted`]: writes every byte of a section of the same length.
pub fn unsorted(sorted: &[u8], shape: Shape, order: &Order, section: &mut [u8]) -> Option<()> {
    match shape.word_bytes {
        2 => unsort::<2>(sorted, shape.columns, order, section),
        _ => unsort::<4>(sorted, shape.columns, order, section),
    }
}

fn sort<const W: usize>(section: &[u8], columns: usize, order: &Order, out: &mut [u8]) -> Option<()> {
    let (words, _) = section.as_chunks::<W>();
    let rows = order.len();
    if rows.checked_mul(columns)? != words.len() {
        return None;
    }
    for column in 0..columns {
        for (start, series) in order.series() {
            let mut before = None;
            let mut at = column.wrapping_mul(rows).wrapping_add(start);
            for &row in series {
                let word = word(words.get(usize::try_from(row).ok()?.wrapping_mul(columns).wrapping_add(column))?);
                let stored = before.map_or(word, |before| folded::<W>(word.wrapping_sub(before)));
                for (plane, byte) in out.chunks_exact_mut(words.len()).zip(highest_first::<W>(stored)) {
                    *plane.get_mut(at)? = byte;
                }
                before = Some(word);
                at = at.wrapping_add(1);
            }
        }
    }
    Some(())
}

/// How many columns are read at once: as many words are written to a row.
const TILE: usize = 4;

fn unsort<const W: usize>(sorted: &[u8], columns: usize, order: &Order, section: &mut [u8]) -> Option<()> {
    let (words, _) = section.as_chunks_mut::<W>();
    let (rows, count) = (order.len(), words.len());
    if rows.checked_mul(columns)? != count || sorted.len() != count.checked_mul(W)? {
        return None;
    }
    let mut planes = [&[][..]; W];
    planes.iter_mut().zip(sorted.chunks_exact(count.max(1))).for_each(|(plane, all)| *plane = all);
    let mut scratch = vec![0; rows.checked_mul(TILE.min(columns))?];
    let mut column = 0_usize;
    while let Some(left @ 1..) = columns.checked_sub(column) {
        let rows = Rows { words: &mut *words, column, columns };
        column = column.wrapping_add(match left {
            TILE.. => rows.read::<TILE>(planes, order, &mut scratch)?,
            _ => rows.read::<1>(planes, order, &mut scratch)?,
        });
    }
    Some(())
}

/// Some columns of the rows of a section.
struct Rows<'a, const W: usize> {
    words: &'a mut [[u8; W]],
    /// The first of the columns.
    column: usize,
    /// How many columns a row has.
    columns: usize,
}

impl<const W: usize> Rows<'_, W> {
    /// Writes `T` columns. Returns their number; `None` if the order is not one of these rows.
    fn read<const T: usize>(mut self, planes: [&[u8]; W], order: &Order, scratch: &mut [u32]) -> Option<usize> {
        let rows = order.len();
        let stored = scratch.get_mut(..rows.checked_mul(T)?)?;
        joined(planes, self.column.checked_mul(rows)?, stored)?;
        let mut of_columns = [&[][..]; T];
        of_columns.iter_mut().zip(stored.chunks_exact(rows.max(1))).for_each(|(one, all)| *one = all);
        for (start, series) in order.series() {
            let mut of_series = [&[][..]; T];
            for (one, all) in of_series.iter_mut().zip(of_columns) {
                *one = all.get(start..)?.get(..series.len())?;
            }
            let mut values = [0_u32; T];
            for (number, &row) in series.iter().enumerate() {
                for (value, all) in values.iter_mut().zip(of_series) {
                    let stored = *all.get(number)?;
                    *value = if number == 0 { stored } else { value.wrapping_add(unfolded(stored)) };
                }
                self.write(row, values)?;
            }
        }
        Some(T)
    }

    fn write<const T: usize>(&mut self, row: u32, values: [u32; T]) -> Option<()> {
        let at = usize::try_from(row).ok()?.wrapping_mul(self.columns).wrapping_add(self.column);
        let words = self.words.get_mut(at..at.wrapping_add(T))?;
        for (word, value) in words.iter_mut().zip(values) {
            word.copy_from_slice(value.to_le_bytes().get(..W)?);
        }
        Some(())
    }
}

/// Joins the bytes of words, of which each plane has one, from a word on.
fn joined<const W: usize>(planes: [&[u8]; W], start: usize, out: &mut [u32]) -> Option<()> {
    out.fill(0);
    for plane in planes {
        for (word, &byte) in out.iter_mut().zip(plane.get(start..)?) {
            *word = *word << 8 | u32::from(byte);
        }
    }
    Some(())
}

fn word<const W: usize>(bytes: &[u8; W]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// The lowest bytes of a word, the most significant first.
fn highest_first<const W: usize>(word: u32) -> impl Iterator<Item = u8> {
    word.to_be_bytes().into_iter().skip(size_of::<u32>().saturating_sub(W))
}

/// Small positive and negative differences of words as small numbers: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, …
fn folded<const W: usize>(difference: u32) -> u32 {
    let unused = size_of::<u32>().saturating_sub(W).wrapping_mul(8);
    // The sign bit is the highest bit of the word.
    let high = difference << unused;
    let sign = if high >> 31 == 0 { 0 } else { u32::MAX };
    ((high << 1) ^ (sign << unused)) >> unused
}

/// The opposite of [`folded`]; the lowest bytes count.
fn unfolded(stored: u32) -> u32 {
    (stored >> 1) ^ (stored & 1).wrapping_neg()
}
