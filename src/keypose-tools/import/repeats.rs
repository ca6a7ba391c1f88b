//! The files that a model refers to, read so that one file under many names (`a.bin`, `./a.bin`, links) costs no more than a few.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use crate::assets::printable::printable;
use crate::import::ReadFile;

/// Files with bytes that were read before may have as many bytes as the others, and this many.
const MAX_REPEATED: usize = 16 << 20;

/// Counts the bytes of files that are read.
pub struct Counted<'f, 'r> {
    read: &'f mut ReadFile<'r>,
    /// Digests of the files.
    seen: HashSet<u64>,
    first: usize,
    repeated: usize,
}

impl<'f, 'r> Counted<'f, 'r> {
    /// Counts the files that this function reads.
    pub fn new(read: &'f mut ReadFile<'r>) -> Counted<'f, 'r> {
        Counted { read, seen: HashSet::new(), first: 0, repeated: 0 }
    }

    /// Reads a file.
    pub fn read(&mut self, path: &str) -> Result<Vec<u8>, String> {
        let refused = || {
            let path = printable(path);
            Err(format!("\"{path}\" was not read: too many files have the same bytes as others"))
        };
        let most = self.first.saturating_add(MAX_REPEATED);
        // Reading refused files takes time, too.
        if self.repeated > most.saturating_mul(2) {
            return refused();
        }
        let bytes = (self.read)(path)?;
        if self.seen.insert(xxh3_64(&bytes)) {
            self.first = self.first.saturating_add(bytes.len());
            return Ok(bytes);
        }
        // An empty file costs a call, too.
        self.repeated = self.repeated.saturating_add(bytes.len().max(1 << 10));
        if self.repeated <= most { Ok(bytes) } else { refused() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_under_many_names_is_read_a_few_times() {
        let bytes = vec![7; 4 << 20];
        let mut calls = 0;
        let mut read = |_: &str| {
            calls += 1;
            Ok(bytes.clone())
        };
        let mut counted = Counted::new(&mut read);
        let read = (0..100).take_while(|at| counted.read(&format!("{}a.bin", "./".repeat(*at))).is_ok()).count();
        assert_eq!(read, 6);
        let refused = (0..1000).filter(|at| counted.read(&"a".repeat(*at)).is_err()).count();
        assert_eq!((refused, calls), (1000, 12), "in the end, nothing is read");
    }

    #[test]
    fn different_files_and_small_repeats_are_read() {
        let mut read = |path: &str| Ok(vec![path.len() as u8; if path.starts_with('w') { 300 } else { 1 << 20 }]);
        let mut counted = Counted::new(&mut read);
        assert!((1..100).all(|at| counted.read(&"a".repeat(at)).is_ok()));
        assert!((1..1000).all(|_| counted.read("white.png").is_ok()));
    }
}
