//! The bytes of a file in memory, aligned for everything that an archive holds: read once, or mapped (feature `map`).

use std::fs::File;
use std::io;
#[cfg(not(feature = "map"))]
use std::io::Read;

use crate::assets::bytes::Bytes;

/// A file's first `length` bytes. Fails where there are fewer.
#[cfg(not(feature = "map"))]
pub fn load(mut file: File, length: usize) -> io::Result<Bytes> {
    let mut blocks: Vec<Block> = bytemuck::zeroed_vec(length.div_ceil(size_of::<Block>()));
    file.read_exact(&mut bytemuck::cast_slice_mut(&mut blocks)[..length])?;
    Ok(Bytes::new(Aligned { blocks, length }))
}

/// A file's first `length` bytes, mapped: its pages come when they are looked at. Fails where there are fewer.
#[cfg(feature = "map")]
#[allow(unsafe_code)]
pub fn load(file: File, length: usize) -> io::Result<Bytes> {
    if file.metadata()?.len() < length as u64 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // A map of nothing is an error on some systems.
    if length == 0 {
        return Ok(Bytes::default());
    }
    // SAFETY: no program may write to the file while it is mapped, which nobody can promise: whoever builds with this
    // feature does. Keypose itself replaces archives by renaming, and what it keeps of a map are pixels, of which any
    // byte is valid.
    Ok(Bytes::new(unsafe { memmap2::MmapOptions::new().len(length).map(&file) }?))
}

/// What every lump starts at a multiple of.
#[cfg(not(feature = "map"))]
#[repr(C, align(64))]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Block([u8; 64]);

#[cfg(not(feature = "map"))]
struct Aligned {
    blocks: Vec<Block>,
    length: usize,
}

#[cfg(not(feature = "map"))]
impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.blocks)[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_whole_and_aligned() {
        let path = std::env::temp_dir().join(format!("keypose-buffer-{}", std::process::id()));
        for length in [0, 1, 63, 64, 65, 10_000] {
            let written: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &written).unwrap();
            let read = load(File::open(&path).unwrap(), length).unwrap();
            assert_eq!(*read, *written);
            assert!(length == 0 || (read.as_ptr() as usize).is_multiple_of(64));
            assert!(load(File::open(&path).unwrap(), length + 1).is_err(), "{length}");
        }
        std::fs::remove_file(path).unwrap();
    }
}
