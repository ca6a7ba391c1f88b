//! The bytes of a section sorted so that they compress well: columns instead of rows, differences from the row before in the same
//! series instead of numbers, and the first byte of all differences before the second one.

use std::ops::Range;

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
    /// The number of rows in this many bytes; `None` if they are not whole rows, if there is none, or if the shape is not supported.
    pub fn rows(self, bytes: usize) -> Option<usize> {
        let row = self.word_bytes.checked_mul(self.columns).filter(|_| matches!(self.word_bytes, 2 | 4))?;
        let rows = bytes.checked_div(row).filter(|rows| *rows > 0)?;
        (bytes.checked_rem(row)? == 0).then_some(rows)
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
    if order.len().checked_mul(columns)? != words.len() {
        return None;
    }
    let mut column = 0_usize;
    while let Some(left @ 1..) = columns.checked_sub(column) {
        let done = match left {
            TILE.. => sort_columns::<W, TILE>(words, (column, columns), order, out)?,
            _ => sort_columns::<W, 1>(words, (column, columns), order, out)?,
        };
        column = column.wrapping_add(done);
    }
    Some(())
}

/// Sorts the `T` columns of each row from `column` on. Returns their number.
fn sort_columns<const W: usize, const T: usize>(
    words: &[[u8; W]],
    (column, columns): (usize, usize),
    order: &Order,
    out: &mut [u8],
) -> Option<usize> {
    let rows = order.len();
    let mut planes: [[&mut [u8]; W]; T] = std::array::from_fn(|_| std::array::from_fn(|_| <&mut [u8]>::default()));
    for (byte, plane) in out.chunks_exact_mut(words.len()).enumerate() {
        let of_columns = plane.get_mut(column.checked_mul(rows)?..)?.chunks_exact_mut(rows);
        for (planes, own) in planes.iter_mut().zip(of_columns) {
            *planes.get_mut(byte)? = own;
        }
    }
    for series in order.series() {
        let (first, mut before) = (series.start, [0_u32; T]);
        for place in series {
            let at = order.row(place)?.wrapping_mul(columns).wrapping_add(column);
            let row = words.get(at..at.wrapping_add(T))?;
            for ((planes, before), bytes) in planes.iter_mut().zip(&mut before).zip(row) {
                let word = word(bytes);
                let stored = if place == first { word } else { folded::<W>(word.wrapping_sub(*before)) };
                for (plane, byte) in planes.iter_mut().zip(highest_first::<W>(stored)) {
                    *plane.get_mut(place)? = byte;
                }
                *before = word;
            }
        }
    }
    Some(T)
}

/// How many columns are sorted at once: as many words of a row are read or written.
const TILE: usize = 4;
/// How many rows of these columns are read at once.
const BLOCK: usize = 1024;

fn unsort<const W: usize>(sorted: &[u8], columns: usize, order: &Order, section: &mut [u8]) -> Option<()> {
    let (words, _) = section.as_chunks_mut::<W>();
    let (rows, count) = (order.len(), words.len());
    if rows.checked_mul(columns)? != count || sorted.len() != count.checked_mul(W)? {
        return None;
    }
    let mut planes = [&[][..]; W];
    planes.iter_mut().zip(sorted.chunks_exact(count.max(1))).for_each(|(plane, all)| *plane = all);
    let (mut four, mut one) = ([[0; BLOCK]; TILE], [[0; BLOCK]; 1]);
    let mut column = 0_usize;
    while let Some(left @ 1..) = columns.checked_sub(column) {
        let rows = Rows { words: &mut *words, column, columns };
        column = column.wrapping_add(match left {
            TILE.. => rows.read(planes, order, &mut four)?,
            _ => rows.read(planes, order, &mut one)?,
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
    fn read<const T: usize>(
        mut self,
        planes: [&[u8]; W],
        order: &Order,
        block: &mut [[u32; BLOCK]; T],
    ) -> Option<usize> {
        let rows = order.len();
        let mut loaded = 0..0;
        for mut series in order.series() {
            let mut values = [0_u32; T];
            let first = series.start;
            while !series.is_empty() {
                if series.start >= loaded.end {
                    loaded = series.start..series.start.checked_add(BLOCK)?.min(rows);
                    self.load(planes, rows, &loaded, block)?;
                }
                let run = series.start..series.end.min(loaded.end);
                let offset = run.start.checked_sub(loaded.start)?;
                let mut of_run = [&[][..]; T];
                for (one, all) in of_run.iter_mut().zip(&*block) {
                    *one = all.get(offset..)?.get(..run.len())?;
                }
                for (number, place) in run.clone().enumerate() {
                    for (value, all) in values.iter_mut().zip(of_run) {
                        let stored = *all.get(number)?;
                        *value = if place == first { stored } else { value.wrapping_add(unfolded(stored)) };
                    }
                    self.write(order.row(place)?, values)?;
                }
                series.start = run.end;
            }
        }
        Some(T)
    }

    /// Joins the bytes of the words at some places of the order.
    fn load<const T: usize>(
        &self,
        planes: [&[u8]; W],
        rows: usize,
        places: &Range<usize>,
        block: &mut [[u32; BLOCK]; T],
    ) -> Option<()> {
        for (tile, words) in block.iter_mut().enumerate() {
            let before = self.column.checked_add(tile)?.checked_mul(rows)?;
            let words = words.get_mut(..places.len())?;
            words.fill(0);
            for plane in planes {
                let bytes = plane.get(before.checked_add(places.start)?..before.checked_add(places.end)?)?;
                for (word, &byte) in words.iter_mut().zip(bytes) {
                    *word = *word << 8 | u32::from(byte);
                }
            }
        }
        Some(())
    }

    fn write<const T: usize>(&mut self, row: usize, values: [u32; T]) -> Option<()> {
        let at = row.wrapping_mul(self.columns).wrapping_add(self.column);
        let words = self.words.get_mut(at..at.wrapping_add(T))?;
        for (word, value) in words.iter_mut().zip(values) {
            word.copy_from_slice(value.to_le_bytes().get(..W)?);
        }
        Some(())
    }
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
