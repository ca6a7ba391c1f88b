//! Reads from a font file which characters it has: the table `cmap` of its first font (OpenType 1.9.1, chapters "otff" and
//! "cmap"). Fonts that the editor can't draw, such as bitmaps, have none.

/// Reads a part of a file: from an offset, this many bytes; fewer only at its end.
pub trait ReadAt {
    fn read_at(&mut self, from: u64, length: usize) -> std::io::Result<Vec<u8>>;
}

impl ReadAt for &[u8] {
    fn read_at(&mut self, from: u64, length: usize) -> std::io::Result<Vec<u8>> {
        let from = usize::try_from(from).unwrap_or(usize::MAX).min(self.len());
        Ok(self[from..from.saturating_add(length).min(self.len())].to_vec())
    }
}

/// Maximum size of the table `cmap`, in bytes; those of fonts with every script have about 1 MB.
const MAX_TABLE: u32 = 8 << 20;
/// Maximum number of tables in a font.
const MAX_TABLES: u16 = 256;

/// The characters of a font.
#[derive(Debug)]
pub struct Coverage {
    /// The subtable of the table `cmap`.
    table: Vec<u8>,
}

impl Coverage {
    /// Reads a font file. Returns `None` if it is damaged, or of a kind that can't be drawn.
    pub fn read(file: &mut dyn ReadAt) -> Option<Coverage> {
        let head = file.read_at(0, 16).ok()?;
        let start = if head.get(..4)? == b"ttcf" { be32(&head, 12)? } else { 0 };
        let head = file.read_at(u64::from(start), 12).ok()?;
        if ![&b"\0\x01\0\0"[..], b"OTTO", b"true"].contains(&head.get(..4)?) {
            return None;
        }
        let count = be16(&head, 4)?.min(MAX_TABLES);
        let directory = file.read_at(u64::from(start) + 12, 16 * usize::from(count)).ok()?;
        let find = |tag: &[u8; 4]| directory.chunks_exact(16).find(|entry| entry[..4] == tag[..]);
        let has = |tags: &[&[u8; 4]]| tags.iter().all(|tag| find(tag).is_some());
        let is_drawable = has(&[b"glyf", b"loca"]) || has(&[b"CFF "]);
        if !is_drawable || !has(&[b"head", b"hhea", b"hmtx", b"maxp"]) {
            return None;
        }
        let cmap = find(b"cmap")?;
        let length = be32(cmap, 12)?.min(MAX_TABLE) as usize;
        let mut table = file.read_at(u64::from(be32(cmap, 8)?), length).ok()?;
        let subtable = unicode_subtable(&table)?;
        table.drain(..subtable);
        Some(Coverage { table })
    }

    /// Whether the font has a glyph for a character.
    pub fn has(&self, letter: char) -> bool {
        let code = u32::from(letter);
        let glyph = match be16(&self.table, 0) {
            Some(4) => u16::try_from(code).ok().and_then(|code| self.glyph_of_segments(code)),
            Some(12) => self.glyph_of_groups(code),
            _ => None,
        };
        glyph.is_some_and(|glyph| glyph != 0)
    }

    /// Format 4: segments of the first 65,536 characters.
    fn glyph_of_segments(&self, code: u16) -> Option<u32> {
        let table = &self.table;
        let doubled = usize::from(be16(table, 6)?);
        let (ends, starts) = (14, 16 + doubled);
        let (deltas, offsets) = (starts + doubled, starts + 2 * doubled);
        let at = (0..doubled / 2).find(|at| be16(table, ends + 2 * at).is_some_and(|end| end >= code))?;
        let first = be16(table, starts + 2 * at).filter(|first| *first <= code)?;
        let (delta, offset) = (be16(table, deltas + 2 * at)?, be16(table, offsets + 2 * at)?);
        if offset == 0 {
            return Some(u32::from(code.wrapping_add(delta)));
        }
        let glyph = be16(table, offsets + 2 * at + usize::from(offset) + 2 * usize::from(code - first))?;
        Some(if glyph == 0 { 0 } else { u32::from(glyph.wrapping_add(delta)) })
    }

    /// Format 12: groups of any characters, in ascending order.
    fn glyph_of_groups(&self, code: u32) -> Option<u32> {
        let groups = self.table.get(16..)?;
        let count = (be32(&self.table, 12)? as usize).min(groups.len() / 12);
        let group = |at: usize| groups.get(12 * at..12 * at + 12);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            if be32(group(middle)?, 4)? < code { low = middle + 1 } else { high = middle }
        }
        let first = be32(group(low)?, 0).filter(|first| low < count && *first <= code)?;
        Some(be32(group(low)?, 8)?.wrapping_add(code - first))
    }
}

/// The offset of the subtable with Unicode characters. Of several it is the last one, the largest, which Dear ImGui
/// uses, too.
fn unicode_subtable(table: &[u8]) -> Option<usize> {
    let count = usize::from(be16(table, 2)?);
    let records = table.get(4..)?.chunks_exact(8).take(count);
    let of_unicode = records.filter(|record| match (be16(record, 0), be16(record, 2)) {
        (Some(0), _) => true,
        (Some(3), Some(encoding)) => encoding == 1 || encoding == 10,
        _ => false,
    });
    let offset = be32(of_unicode.last()?, 4)? as usize;
    (offset < table.len()).then_some(offset)
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A `cmap` with one subtable in a file that has the other tables without content.
    fn font(subtable: &[u8]) -> Vec<u8> {
        let tags: [&[u8; 4]; 7] = [b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"];
        let start = 12 + 16 * tags.len() as u32;
        let mut bytes = b"\0\x01\0\0".to_vec();
        bytes.extend((tags.len() as u16).to_be_bytes());
        bytes.extend([0; 6]);
        for tag in tags {
            bytes.extend(tag.iter());
            for value in [0, start, 12 + subtable.len() as u32] {
                bytes.extend(value.to_be_bytes());
            }
        }
        for value in [0_u16, 1, 3, 10, 0, 12] {
            bytes.extend(value.to_be_bytes());
        }
        bytes.extend(subtable);
        bytes
    }

    fn groups() -> Vec<u8> {
        let mut bytes = vec![0, 12, 0, 0];
        let groups = [[0x41, 0x5a, 5], [0x4e00, 0x4e10, 40], [0x1f600, 0x1f601, 0]];
        for value in [16 + 12 * groups.len() as u32, 0, groups.len() as u32] {
            bytes.extend(value.to_be_bytes());
        }
        groups.as_flattened().iter().for_each(|value: &u32| bytes.extend(value.to_be_bytes()));
        bytes
    }

    #[test]
    fn both_forms_of_the_table_are_read() {
        let mut noto = ttf_noto_sans::REGULAR;
        let noto = Coverage::read(&mut noto).unwrap();
        assert!("aßЖΩ→\u{250}".chars().all(|letter| noto.has(letter)));
        assert!("漢한😀".chars().all(|letter| !noto.has(letter)));
        let bytes = font(&groups());
        let other = Coverage::read(&mut &bytes[..]).unwrap();
        assert!("AZ一".chars().all(|letter| other.has(letter)));
        // The last group begins with glyph 0: no glyph.
        assert!("@[丑😀\u{1f602}".chars().all(|letter| !other.has(letter)));
        assert!(other.has('\u{1f601}'));
    }

    #[test]
    fn a_damaged_font_has_no_characters_and_does_no_harm() {
        let whole = font(&groups());
        for length in 0..whole.len() {
            if let Some(coverage) = Coverage::read(&mut &whole[..length]) {
                let _ = coverage.has('一');
            }
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] = 255;
            if let Some(coverage) = Coverage::read(&mut &bytes[..]) {
                let _ = ['A', '一', '\u{1f601}', char::MAX].map(|letter| coverage.has(letter));
            }
        }
        let bitmaps = [&whole[..12], &whole[12..].iter().map(|byte| byte ^ 1).collect::<Vec<u8>>()].concat();
        assert!(Coverage::read(&mut &bitmaps[..]).is_none());
    }
}
