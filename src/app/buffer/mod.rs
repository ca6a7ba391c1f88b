//! Loads a file to memory with the alignment that archives need: read, or mapped (feature `map`).

use std::fs::File;
use std::io;

use crate::assets::bytes::Bytes;
use crate::wad::reading::Checksums;

#[cfg(all(not(feature = "map"), unix))]
mod threads;
#[cfg(all(not(feature = "map"), unix))]
use threads::fill;

/// A file in memory. For an archive, with the checksums of the lumps that were hashed while reading.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub bytes: Bytes,
    pub sums: Checksums,
}

/// Loads the first `length` bytes of a file. Returns an error if it is shorter.
#[cfg(not(feature = "map"))]
pub fn load(file: File, length: usize) -> io::Result<Loaded> {
    // Some systems refuse empty allocations.
    if length == 0 {
        return Ok(Loaded::default());
    }
    let mut memory = memmap2::MmapMut::map_anon(length)?;
    // Pages of 2 MiB are allocated three times as fast; systems without them return the usual ones.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    let sums = fill(&file, &mut memory)?;
    Ok(Loaded { bytes: Bytes::new(memory), sums })
}

#[cfg(all(not(feature = "map"), not(unix)))]
fn fill(mut file: &File, memory: &mut [u8]) -> io::Result<Checksums> {
    io::Read::read_exact(&mut file, memory).map(|()| Checksums::default())
}

/// Maps the first `length` bytes of a file: pages are read on access. Returns an error if it is shorter.
#[cfg(feature = "map")]
#[allow(unsafe_code)]
pub fn load(file: File, length: usize) -> io::Result<Loaded> {
    if file.metadata()?.len() < length as u64 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // Some systems refuse empty maps.
    if length == 0 {
        return Ok(Loaded::default());
    }
    // SAFETY: no program may write to the file while it is mapped. This can't be guaranteed; users of the feature
    // accept that. Keypose replaces archives by renaming, and only keeps pixels, of which any byte is valid, and packed
    // keyframes, which are decoded with checks.
    let bytes = Bytes::new(unsafe { memmap2::MmapOptions::new().len(length).map(&file) }?);
    Ok(Loaded { bytes, sums: Checksums::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wad::archive::Archive;
    use crate::wad::directory::Codec;
    use crate::wad::kind::Kind;
    use crate::wad::pack::{Lump, pack};

    #[test]
    fn a_file_is_loaded_whole_and_aligned() {
        let path = std::env::temp_dir().join(format!("keypose-buffer-{}", std::process::id()));
        for length in [0, 1, 63, 64, 65, 10_000, (9 << 20) + 7] {
            let written: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &written).unwrap();
            let read = load(File::open(&path).unwrap(), length).unwrap().bytes;
            assert_eq!(*read, *written);
            assert!(length == 0 || (read.as_ptr() as usize).is_multiple_of(64));
            assert!(load(File::open(&path).unwrap(), length + 1).is_err(), "{length}");
        }
        std::fs::remove_file(path).unwrap();
    }

    /// The hashes computed while reading are those of the directory, whatever the archive's layout.
    #[test]
    fn an_archive_is_hashed_while_it_is_read() {
        let path = std::env::temp_dir().join(format!("keypose-sums-{}", std::process::id()));
        let lump = |name: usize, length: usize| Lump {
            kind: Kind(*b"xTRA"),
            name: format!("{name:03}"),
            version: 1,
            codec: Codec::Store,
            bytes: Some((0..length).map(|at| (at % 251 + name) as u8).collect()),
        };
        for lengths in [vec![], vec![0, 1, 63, 300_000], vec![9 << 20, 5, 1 << 20, 6 << 20], vec![1000; 99]] {
            let bytes =
                pack(lengths.iter().enumerate().map(|(name, &length)| lump(name, length)).collect(), None).unwrap();
            std::fs::write(&path, &bytes).unwrap();
            let loaded = load(File::open(&path).unwrap(), bytes.len()).unwrap();
            assert!(*loaded.bytes == *bytes);
            let archive = Archive::open_shared(&loaded.bytes, &loaded.sums).unwrap();
            for entry in archive.entries() {
                let sum = loaded.sums.of(&(entry.offset..entry.offset + entry.stored_bytes));
                assert!(sum.is_none_or(|sum| sum == entry.hash), "{lengths:?} {}", entry.name);
                let is_summed = cfg!(unix) && !cfg!(feature = "map") && (1..4 << 20).contains(&entry.stored_bytes);
                assert!(sum.is_some() || !is_summed, "{lengths:?} {}", entry.name);
            }
            let mut damaged = bytes.clone();
            let middle = bytes.len() / 2;
            damaged[middle] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let loaded = load(File::open(&path).unwrap(), bytes.len()).unwrap();
            let refused = Archive::open_shared(&loaded.bytes, &loaded.sums).unwrap_err();
            assert_eq!(refused, Archive::open(&damaged).unwrap_err());
        }
        std::fs::remove_file(path).unwrap();
    }
}
