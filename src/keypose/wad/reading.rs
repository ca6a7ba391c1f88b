//! Hashing while reading: finds the ranges of an archive's lumps from the first bytes of the file, so that each piece is
//! hashed while it is in the CPU cache. Opening then uses these checksums instead of hashing all bytes again.

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use crate::wad::archive::is_archive;
use crate::wad::directory::{ENTRY_BYTES, Entry, HEADER_BYTES, MAX_ENTRIES};

/// Checksums of ranges of a file, computed while it was read.
#[derive(Clone, Debug, Default)]
pub struct Checksums(Vec<(Range<usize>, u64)>);

impl Checksums {
    /// The checksum of a range; `None` if it was not hashed.
    pub fn of(&self, part: &Range<usize>) -> Option<u64> {
        let at = self.0.binary_search_by_key(&part.start, |(known, _)| known.start).ok()?;
        self.0.get(at).filter(|(known, _)| known == part).map(|(_, hash)| *hash)
    }
}

impl FromIterator<(Range<usize>, u64)> for Checksums {
    fn from_iter<I: IntoIterator<Item = (Range<usize>, u64)>>(parts: I) -> Checksums {
        let mut parts: Vec<_> = parts.into_iter().collect();
        parts.sort_by_key(|(part, _)| part.start);
        Checksums(parts)
    }
}

/// Computes the checksum of bytes that are read in pieces.
#[derive(Clone, Default)]
pub struct Hasher(Xxh3);

impl Hasher {
    /// Adds the next piece.
    pub fn add(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The checksum of all pieces so far.
    pub fn sum(&self) -> u64 {
        self.0.digest()
    }
}

/// The number of bytes that [`lumps`] needs, up to the end of the directory, given the first 64 bytes of a file. `None` if it
/// is no archive.
pub fn head_bytes(start: &[u8]) -> Option<usize> {
    let count = start.get(16..24).filter(|_| is_archive(start))?;
    let count = usize::try_from(u64::from_le_bytes(count.try_into().ok()?));
    Some(count.unwrap_or(usize::MAX).min(MAX_ENTRIES).saturating_mul(ENTRY_BYTES).saturating_add(HEADER_BYTES))
}

/// The ranges of an archive's lumps, sorted and disjoint, given its first [`head_bytes`]. Verifies nothing; opening does.
pub fn lumps(head: &[u8]) -> Vec<Range<usize>> {
    let chunks = head.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(ENTRY_BYTES);
    let range = |entry: Entry| Some(entry.offset..entry.offset.checked_add(entry.stored_bytes)?);
    let mut ranges: Vec<Range<usize>> = chunks.filter_map(|chunk| range(Entry::read(chunk).ok()?)).collect();
    ranges.sort_by_key(|range| range.start);
    let mut end = head.len();
    ranges.retain(|range| {
        let is_next = range.start >= end && !range.is_empty();
        if is_next {
            end = range.end;
        }
        is_next
    });
    ranges
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;
    use crate::wad::directory::Codec;
    use crate::wad::kind::Kind;
    use crate::wad::pack::{Lump, pack};

    #[test]
    fn lumps_are_found_and_hashed_in_pieces() {
        let lump = |name: &str, bytes: Vec<u8>| Lump {
            kind: Kind(*b"xTRA"),
            name: name.into(),
            version: 1,
            codec: Codec::Store,
            bytes: Some(bytes),
        };
        let lumps_in = vec![lump("a", vec![1; 10_000]), lump("b", vec![]), lump("c", (0..=255).collect())];
        // Clips are stored before unknown kinds.
        let clip = Lump { kind: Kind::CLIP, ..lump("z", vec![2; 20]) };
        let other = Lump { kind: Kind(*b"xTRB"), ..lump("z", vec![3; 70]) };
        let bytes = pack([lumps_in, vec![other, clip]].concat(), None).unwrap();
        let head = head_bytes(&bytes).unwrap();
        let found = lumps(&bytes[..head]);
        assert_eq!(found.iter().map(ExactSizeIterator::len).collect::<Vec<_>>(), [20, 10_000, 256, 70]);
        let sum = |part: &Range<usize>| {
            let mut hasher = Hasher::default();
            bytes[part.clone()].chunks(777).for_each(|piece| hasher.add(piece));
            (part.clone(), hasher.sum())
        };
        let sums: Checksums = found.iter().rev().map(sum).collect();
        assert!(found.iter().all(|part| sums.of(part) == Some(xxh3_64(&bytes[part.clone()]))));
        assert_eq!(sums.of(&(found[0].start..found[0].end - 1)), None);
    }

    #[test]
    fn a_file_that_is_no_archive_has_no_lumps() {
        assert_eq!(head_bytes(b"glTF"), None);
        assert_eq!(head_bytes(&[0; 64]), None);
        let good = pack(Vec::new(), None).unwrap();
        assert_eq!(lumps(&good[..head_bytes(&good).unwrap()]), Vec::<Range<usize>>::new());
        let mut endless = good;
        endless[16..24].fill(0xff);
        assert_eq!(head_bytes(&endless), Some(MAX_ENTRIES * ENTRY_BYTES + HEADER_BYTES));
    }
}
