//! Reads a file with several threads, because copying and new pages take most of the time. The lumps of an archive are
//! hashed piece by piece while they are in the cache.

use std::cmp::Reverse;
use std::fs::File;
use std::io;
use std::num::NonZero;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use keypose::wad::reading::{Checksums, Hasher, head_bytes, lumps};

/// Minimum bytes that a thread takes at a time.
const PART: usize = 4 << 20;
/// Bytes hashed at a time: fits into a core's own cache.
const PIECE: usize = 256 << 10;
const MAX_THREADS: usize = 4;

/// A part of the file, and whether it is a lump, which is hashed.
struct Part<'m> {
    at: usize,
    memory: &'m mut [u8],
    is_lump: bool,
}

/// Reads the first bytes of a file, as many as the memory has.
pub fn fill(file: &File, memory: &mut [u8]) -> io::Result<Checksums> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    let threads = threads.min(memory.len().div_ceil(PART));
    let head = read_head(file, memory)?;
    let lumps = lumps(&memory[..head]);
    let parts = Mutex::new(parts(memory, head, &lumps, threads).into_iter());
    let work = || {
        let mut sums = Vec::new();
        loop {
            let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(part) = part else { return Ok(sums) };
            let range = part.at..part.at + part.memory.len();
            sums.extend(read(file, part)?.map(|sum| (range, sum)));
        }
    };
    let sums: io::Result<Vec<_>> = thread::scope(|scope| {
        // If the system can't create a thread, the others do its share.
        let helpers = (1..threads).map(|_| thread::Builder::new().spawn_scoped(scope, work));
        let helpers: Vec<_> = helpers.filter_map(Result::ok).collect();
        let own = work();
        let join =
            |helper: ScopedJoinHandle<'_, _>| helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        std::iter::once(own).chain(helpers.into_iter().map(join)).collect()
    });
    Ok(sums?.into_iter().flatten().collect())
}

/// Reads an archive's header and directory and returns their length. Other files are recognised by their first bytes.
fn read_head(file: &File, memory: &mut [u8]) -> io::Result<usize> {
    let start = memory.len().min(64);
    file.read_exact_at(&mut memory[..start], 0)?;
    let end = head_bytes(&memory[..start]).unwrap_or(0).min(memory.len());
    if end > start {
        file.read_exact_at(&mut memory[start..end], start as u64)?;
    }
    Ok(end)
}

/// Splits the memory after the head into parts, largest first: whole lumps, except one so large that other threads
/// would idle.
fn parts<'m>(memory: &'m mut [u8], head: usize, lumps: &[Range<usize>], threads: usize) -> Vec<Part<'m>> {
    let (end, longest) = (memory.len(), (memory.len() / threads.max(1)).max(PART));
    let (mut at, mut rest) = (head, memory.split_at_mut(head).1);
    let mut parts = Vec::new();
    let mut cut = |to: usize, step: usize, is_lump: bool| {
        while at < to {
            let length = step.min(to - at);
            let (memory, behind) = std::mem::take(&mut rest).split_at_mut(length);
            parts.push(Part { at, memory, is_lump });
            (at, rest) = (at + length, behind);
        }
    };
    for lump in lumps.iter().filter(|lump| lump.end <= end) {
        cut(lump.start, PART, false);
        let is_short = lump.len() <= longest;
        cut(lump.end, if is_short { longest } else { PART }, is_short);
    }
    cut(end, PART, false);
    parts.sort_by_key(|part| Reverse(part.memory.len()));
    parts
}

/// Reads a part. Returns a lump's checksum.
fn read(file: &File, part: Part<'_>) -> io::Result<Option<u64>> {
    if !part.is_lump {
        return file.read_exact_at(part.memory, part.at as u64).map(|()| None);
    }
    let mut hasher = Hasher::default();
    for (at, piece) in (part.at as u64..).step_by(PIECE).zip(part.memory.chunks_mut(PIECE)) {
        file.read_exact_at(piece, at)?;
        hasher.add(piece);
    }
    Ok(Some(hasher.sum()))
}
