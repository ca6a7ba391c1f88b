//! The bytes of a file in memory, aligned for everything that an archive holds: read once, or mapped (feature `map`).

use std::fs::File;
use std::io;

use crate::assets::bytes::Bytes;

/// A file's first `length` bytes. Fails where there are fewer.
#[cfg(not(feature = "map"))]
pub fn load(file: File, length: usize) -> io::Result<Bytes> {
    // Memory of nothing is an error on some systems.
    if length == 0 {
        return Ok(Bytes::default());
    }
    let mut memory = memmap2::MmapMut::map_anon(length)?;
    // In pages of 2 MiB memory is had three times as fast; a system without them gives the usual ones.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    fill(file, &mut memory)?;
    Ok(Bytes::new(memory))
}

/// Several threads read, for most of the time goes into copying and into new pages.
#[cfg(all(not(feature = "map"), unix))]
fn fill(file: File, memory: &mut [u8]) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    use std::sync::{Mutex, PoisonError};
    use std::thread;

    const PART: usize = 4 << 20;
    const MOST_THREADS: usize = 4;

    let threads = thread::available_parallelism().map_or(1, |threads| threads.get().min(MOST_THREADS));
    let threads = threads.min(memory.len().div_ceil(PART));
    let parts = Mutex::new((0..).step_by(PART).zip(memory.chunks_mut(PART)));
    let read = || loop {
        let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        match part {
            Some((at, part)) => file.read_exact_at(part, at)?,
            None => return Ok(()),
        }
    };
    thread::scope(|scope| {
        // Where the system gives no thread, the others do its share.
        let helpers = (1..threads).map(|_| thread::Builder::new().spawn_scoped(scope, read));
        let helpers: Vec<_> = helpers.filter_map(Result::ok).collect();
        helpers.into_iter().fold(read(), |done, helper| {
            done.and(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })
}

#[cfg(all(not(feature = "map"), not(unix)))]
fn fill(mut file: File, memory: &mut [u8]) -> io::Result<()> {
    io::Read::read_exact(&mut file, memory)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_whole_and_aligned() {
        let path = std::env::temp_dir().join(format!("keypose-buffer-{}", std::process::id()));
        for length in [0, 1, 63, 64, 65, 10_000, (9 << 20) + 7] {
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
