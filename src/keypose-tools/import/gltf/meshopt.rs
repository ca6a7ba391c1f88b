//! EXT_meshopt_compression, also by its ratified name KHR_meshopt_compression: decodes compressed buffer views, version 0 of the
//! codec of attributes, version 1 of the codec of indices.

use gltf::json::buffer::View;
use serde_json::Value;

use crate::import::gltf::meshopt_filters::filter;

/// A compressed view.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    /// The buffer with the compressed bytes.
    pub buffer: usize,
    pub offset: u64,
    pub length: u64,
    stride: usize,
    count: usize,
    mode: &'a str,
    filter: &'a str,
}

/// The names of the extension; the first is the ratified one.
pub const NAMES: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// The first byte of attributes in version 1 of their codec, which only the ratified extension has.
const ATTRIBUTES_1: u8 = 0xA1;

/// Maximum size of an element.
const MAX_STRIDE: usize = 256;
/// Values of a byte that are packed together.
const GROUP: usize = 16;

impl<'a> Packed<'a> {
    /// The extension of a view. `None` if it has none.
    pub fn of(view: &'a View) -> Option<Result<Packed<'a>, String>> {
        let others = &view.extensions.as_ref()?.others;
        let (name, json) = NAMES.into_iter().find_map(|name| Some((name, others.get(name)?)))?;
        Some(Packed::parse(json).ok_or_else(|| format!("{name} lacks a property or has an invalid one")))
    }

    fn parse(json: &'a Value) -> Option<Packed<'a>> {
        let number = |name: &str| json.get(name).and_then(Value::as_u64);
        let size = |name: &str| number(name).and_then(|number| usize::try_from(number).ok());
        Some(Packed {
            buffer: size("buffer")?,
            offset: number("byteOffset").unwrap_or(0),
            length: number("byteLength")?,
            stride: size("byteStride").filter(|stride| (1..=MAX_STRIDE).contains(stride))?,
            count: size("count")?,
            mode: json.get("mode").and_then(Value::as_str)?,
            filter: json.get("filter").map_or(Some("NONE"), Value::as_str)?,
        })
    }

    /// The number of decoded bytes.
    pub fn size(&self) -> usize {
        self.count.saturating_mul(self.stride)
    }

    /// Decodes the view.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        if self.mode == "ATTRIBUTES" && bytes.first() == Some(&ATTRIBUTES_1) {
            return Err("version 1 of the codec of attributes is not supported; compress with version 0".into());
        }
        let decoded = match (self.mode, self.stride) {
            ("ATTRIBUTES", stride) if stride.is_multiple_of(4) => attributes(bytes, self.count, stride),
            ("TRIANGLES", 2 | 4) => triangles(bytes, self.count).map(|indices| self.indices(&indices)),
            ("INDICES", 2 | 4) => sequence(bytes, self.count).map(|indices| self.indices(&indices)),
            _ => return Err(format!("meshopt mode {} with a stride of {} is unknown", self.mode, self.stride)),
        };
        let mut decoded = decoded.ok_or("the compressed bytes are invalid")?;
        if self.mode == "ATTRIBUTES" {
            filter(self.filter, self.stride, &mut decoded)?;
        }
        Ok(decoded)
    }

    fn indices(&self, indices: &[u32]) -> Vec<u8> {
        let bytes = indices.iter().map(|index| index.to_le_bytes());
        bytes.flat_map(|four| four.into_iter().take(self.stride)).collect()
    }
}

/// Elements of `stride` bytes: each byte is the difference to that of the element before.
fn attributes(bytes: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let (&0xA0, bytes) = bytes.split_first()? else { return None };
    // The element before the first is at the end, after zeros if it is short.
    let tail = stride.max(32);
    let mut before = bytes.get(bytes.len().checked_sub(stride)?..)?.to_vec();
    let mut data = bytes.get(..bytes.len().checked_sub(tail)?)?;
    let in_block = (8192_usize.checked_div(stride)? & !15).min(256);
    let mut decoded = Vec::new();
    while decoded.len() < count.checked_mul(stride)? {
        let left = count.saturating_sub(decoded.len().checked_div(stride)?);
        let in_block = in_block.min(left);
        let start = decoded.len();
        decoded.resize(start.checked_add(in_block.checked_mul(stride)?)?, 0);
        let block = decoded.get_mut(start..)?;
        for at in 0..stride {
            let value = before.get_mut(at)?;
            let deltas = column(&mut data, in_block)?;
            for (element, delta) in block.chunks_exact_mut(stride).zip(deltas) {
                *value = value.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                *element.get_mut(at)? = *value;
            }
        }
    }
    data.is_empty().then_some(decoded)
}

/// One byte of each element of a block, in groups of 16 with 0, 2, 4 or 8 bits for each.
fn column(data: &mut &[u8], count: usize) -> Option<Vec<u8>> {
    let groups = count.div_ceil(GROUP);
    let header = take(data, groups.div_ceil(4))?;
    let mut deltas = Vec::with_capacity(groups.saturating_mul(GROUP));
    for group in 0..groups {
        let shift = group.checked_rem(4)?.checked_mul(2)?;
        let mode = header.get(group.checked_div(4)?)?.checked_shr(u32::try_from(shift).ok()?)? & 3;
        match mode {
            0 => deltas.extend([0; GROUP]),
            1 => packed::<2>(data, &mut deltas)?,
            2 => packed::<4>(data, &mut deltas)?,
            _ => deltas.extend(take(data, GROUP)?),
        }
    }
    Some(deltas)
}

/// 16 values of `BITS` bits, the first in the highest bits. The largest value stands for a byte that follows.
fn packed<const BITS: usize>(data: &mut &[u8], deltas: &mut Vec<u8>) -> Option<()> {
    let packed = take(data, BITS.saturating_mul(2))?;
    let mask = 0xFF_u8 >> 8_usize.saturating_sub(BITS);
    for byte in packed {
        for first in (0_usize..8).step_by(BITS) {
            let value = byte.rotate_left(u32::try_from(first.saturating_add(BITS)).ok()?) & mask;
            deltas.push(if value == mask { *take(data, 1)?.first()? } else { value });
        }
    }
    Some(())
}

fn take<'a>(data: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = data.split_at_checked(count)?;
    *data = rest;
    Some(taken)
}

/// The indices of triangles, which refer to recent edges and vertices.
fn triangles(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    let (&0xE1, bytes) = bytes.split_first()? else { return None };
    let (codes, data) = bytes.split_at_checked(count.checked_div(3).filter(|_| count.is_multiple_of(3))?)?;
    let (data, table) = data.split_at_checked(data.len().checked_sub(GROUP)?)?;
    let mut state = Triangles { data, ..Triangles::default() };
    let mut indices = Vec::with_capacity(count);
    for &code in codes {
        indices.extend(state.next(code, table)?);
    }
    state.data.is_empty().then_some(indices)
}

/// The last 16 items.
#[derive(Default)]
struct Recent<T> {
    items: [T; GROUP],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(self.next) {
            *place = item;
        }
        self.next = self.next.wrapping_add(1) % GROUP;
    }

    /// The item that was pushed `back` before the next one: 1 is the last.
    fn get(&self, back: u8) -> Option<T> {
        self.items.get(self.next.wrapping_sub(usize::from(back)) % GROUP).copied()
    }
}

#[derive(Default)]
struct Triangles<'a> {
    data: &'a [u8],
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
    /// The first index that was not used yet.
    next: u32,
    /// The last index that was written out.
    last: u32,
}

impl Triangles<'_> {
    fn next(&mut self, code: u8, table: &[u8]) -> Option<[u32; 3]> {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let (a, b) = self.edges.get(high.saturating_add(1))?;
            let c = match low {
                0 => self.pushed_new(),
                1..=12 => self.vertices.get(low.saturating_add(1))?,
                13 => self.pushed_last(self.last.wrapping_sub(1)),
                14 => self.pushed_last(self.last.wrapping_add(1)),
                _ => self.pushed_free()?,
            };
            self.edges.push((c, b));
            self.edges.push((a, c));
            return Some([a, b, c]);
        }
        let (a, b, c) = match low {
            0..=13 => {
                let code = *table.get(usize::from(low))?;
                let (feb, fec) = (code >> 4, code & 15);
                let a = self.new_index();
                let b = if feb == 0 { self.new_index() } else { self.vertices.get(feb)? };
                let c = if fec == 0 { self.new_index() } else { self.vertices.get(fec)? };
                self.vertices.push(a);
                (feb == 0).then(|| self.vertices.push(b));
                (fec == 0).then(|| self.vertices.push(c));
                (a, b, c)
            }
            _ => self.whole(low == 14)?,
        };
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
        Some([a, b, c])
    }

    /// A triangle without an edge of another, whose code is in the data.
    fn whole(&mut self, is_a_new: bool) -> Option<(u32, u32, u32)> {
        let code = *take(&mut self.data, 1)?.first()?;
        let (feb, fec) = (code >> 4, code & 15);
        if code == 0 {
            self.next = 0;
        }
        let mut a = if is_a_new { self.new_index() } else { 0 };
        let mut b = if feb == 0 { self.new_index() } else { self.vertices.get(feb)? };
        let mut c = if fec == 0 { self.new_index() } else { self.vertices.get(fec)? };
        for (index, is_free) in [(&mut a, !is_a_new), (&mut b, feb == 15), (&mut c, fec == 15)] {
            if is_free {
                self.last = free(&mut self.data, self.last)?;
                *index = self.last;
            }
        }
        self.vertices.push(a);
        matches!(feb, 0 | 15).then(|| self.vertices.push(b));
        matches!(fec, 0 | 15).then(|| self.vertices.push(c));
        Some((a, b, c))
    }

    fn new_index(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    fn pushed_new(&mut self) -> u32 {
        let index = self.new_index();
        self.vertices.push(index);
        index
    }

    fn pushed_last(&mut self, index: u32) -> u32 {
        self.last = index;
        self.vertices.push(index);
        index
    }

    fn pushed_free(&mut self) -> Option<u32> {
        let index = free(&mut self.data, self.last)?;
        Some(self.pushed_last(index))
    }
}

/// Any indices: each is a difference to one of two.
fn sequence(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    let (&0xD1, bytes) = bytes.split_first()? else { return None };
    let mut data = bytes.get(..bytes.len().checked_sub(4)?)?;
    let (mut last, mut indices) = ([0_u32; 2], Vec::with_capacity(count.min(data.len())));
    for _ in 0..count {
        let value = varint(&mut data)?;
        let last = last.get_mut(usize::from(value & 1 == 1))?;
        *last = last.wrapping_add(unzigzag(value >> 1));
        indices.push(*last);
    }
    data.is_empty().then_some(indices)
}

/// An index written as a difference.
fn free(data: &mut &[u8], last: u32) -> Option<u32> {
    Some(last.wrapping_add(unzigzag(varint(data)?)))
}

fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// Seven bits for each byte, the lowest first, at most five bytes.
fn varint(data: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    for shift in (0..35).step_by(7) {
        let byte = *take(data, 1)?.first()?;
        value |= u32::from(byte & 127).wrapping_shl(shift);
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(mode: &'static str, stride: usize, count: usize) -> Packed<'static> {
        Packed { buffer: 0, offset: 0, length: 0, stride, count, mode, filter: "NONE" }
    }

    /// Bytes of the reference encoder (the npm package meshoptimizer) for the same indices.
    #[test]
    fn triangles_of_the_reference_encoder_are_decoded() {
        let bytes = [
            0xe1, 0xf0, 0x10, 0x10, 0xff, 0xfe, 0x1d, 0xff, 0xfe, 0xff, 0x12, 0x01, 0x01, 0x00, 0xff, 0x44, 0x02, 0x03,
            0xff, 0x82, 0x0f, 0xc1, 0x0f, 0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01,
            0x69, 0x00, 0x00,
        ];
        let expected = [0, 1, 2, 2, 1, 3, 3, 1, 4, 9, 8, 7, 0, 1, 2, 2, 1, 6, 40, 41, 39, 3, 1000, 7];
        assert_eq!(triangles(&bytes, 24).unwrap(), expected);
        for end in 0..bytes.len() {
            assert_eq!(triangles(&bytes[..end], 24), None, "{end}");
        }
        assert_eq!(packed("TRIANGLES", 2, 24).decode(&bytes).unwrap()[6..12], [2, 0, 1, 0, 3, 0]);
    }

    #[test]
    fn sequences_of_the_reference_encoder_are_decoded() {
        let bytes = [0xd1, 0x14, 0x04, 0x91, 0x1c, 0x04, 0x05, 0x04, 0x12, 0xed, 0x98, 0x18, 0x00, 0x00, 0x00, 0x00];
        assert_eq!(sequence(&bytes, 8).unwrap(), [5, 6, 900, 7, 901, 8, 3, 100_000]);
        for end in 0..bytes.len() {
            assert_eq!(sequence(&bytes[..end], 8), None, "{end}");
        }
    }

    #[test]
    fn attributes_of_the_reference_encoder_are_decoded() {
        let mut bytes = vec![
            0xa0, 0x05, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa, 0x00, 0x00, 0x00, 0x07, 0x00, 0x4a, 0x4a, 0x4a, 0x4a, 0x4a, 0x4a,
            0x4a, 0x4a, 0x4a, 0x4a, 0x4a, 0x4a, 0x4a, 0x4a, 0x4a, 0xff, 0x00, 0x00, 0x00, 0x4a, 0x4a, 0x4a, 0x4a, 0x00,
            0x05, 0x08, 0x88, 0x88, 0x88, 0x88, 0x00, 0x00, 0x00, 0x06, 0x02, 0x23, 0x22, 0x32, 0x23, 0x22, 0x32, 0x23,
            0xae, 0x00, 0x00, 0x00, 0x03, 0x01, 0x00, 0x0f, 0x00, 0x3c, 0xc6, 0xc5, 0xc6, 0xc5, 0x00, 0x0a, 0x09, 0x99,
            0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99,
        ];
        bytes.extend([0; 32]);
        bytes.extend([0x07, 0x00, 0xc8, 0x00, 0x00, 0xff]);
        let vertex = |at: u8| {
            let rare = if at % 7 == 6 { 99 } else { 0 };
            [at, at.wrapping_mul(37), 7, at / 2, 200 + at % 3, rare, 0, 255 - at * 5]
        };
        let expected: Vec<u8> = (0..20).flat_map(vertex).collect();
        assert_eq!(packed("ATTRIBUTES", 8, 20).decode(&bytes).unwrap(), expected);
        for end in 0..bytes.len() {
            assert!(attributes(&bytes[..end], 20, 8).is_none_or(|decoded| decoded != expected), "{end}");
        }
    }

    #[test]
    fn unknown_modes_and_filters_are_errors() {
        assert!(packed("KEYS", 4, 1).decode(&[0xA0; 99]).unwrap_err().contains("KEYS"));
        assert!(packed("ATTRIBUTES", 3, 1).decode(&[0xA0; 99]).is_err());
        assert!(packed("INDICES", 4, usize::MAX).decode(&[0xD1; 99]).is_err());
        assert!(packed("ATTRIBUTES", 256, usize::MAX).decode(&[0xA0; 999]).is_err());
    }
}
