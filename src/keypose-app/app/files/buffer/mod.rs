//! Loads a file to memory with the alignment that archives need.

use std::fs::File;
use std::io;

use keypose::assets::bytes::Bytes;
use keypose::wad::reading::Checksums;

#[cfg(unix)]
mod threads;
#[cfg(unix)]
use threads::fill;

/// A file in memory. For an archive, with the checksums of the lumps that were hashed while reading.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub bytes: Bytes,
    pub sums: Checksums,
}

/// Reads the first `length` bytes of a file. Returns an error if it is shorter.
pub fn read(file: &File, length: usize) -> io::Result<Loaded> {
    // Some systems refuse empty allocations.
    if length == 0 {
        return Ok(Loaded::default());
    }
    let mut memory = memmap2::MmapMut::map_anon(length)?;
    // Pages of 2 MiB are allocated three times as fast; systems without them return the usual ones.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    let sums = fill(file, &mut memory)?;
    Ok(Loaded { bytes: Bytes::new(memory), sums })
}

#[cfg(not(unix))]
fn fill(mut file: &File, memory: &mut [u8]) -> io::Result<Checksums> {
    io::Read::read_exact(&mut file, memory).map(|()| Checksums::default())
}
