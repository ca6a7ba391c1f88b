//! Files read to memory.

use std::fs::File;
use std::path::Path;

use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose_app::app::files::buffer::read;

/// A file of one test.
fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("buffer-{name}-{}", std::process::id()))
}

#[test]
fn a_file_is_loaded_whole_and_aligned() {
    let path = file("buffer");
    for length in [0, 1, 63, 64, 65, 10_000, (9 << 20) + 7] {
        let written: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        std::fs::write(&path, &written).unwrap();
        let loaded = read(&File::open(&path).unwrap(), length).unwrap().bytes;
        assert_eq!(*loaded, *written);
        assert!(length == 0 || (loaded.as_ptr() as usize).is_multiple_of(64));
        assert!(read(&File::open(&path).unwrap(), length + 1).is_err(), "{length}");
    }
    std::fs::remove_file(path).unwrap();
}

/// An archive of lumps of these lengths.
fn archive_of(lengths: &[usize]) -> Vec<u8> {
    let lump = |(name, &length): (usize, &usize)| Lump {
        kind: Kind(*b"xTRA"),
        name: format!("{name:03}"),
        version: 1,
        codec: Codec::Store,
        bytes: Some((0..length).map(|at| (at % 251 + name) as u8).collect()),
    };
    pack(lengths.iter().enumerate().map(lump).collect(), None).unwrap()
}

/// The hashes computed while reading are those of the directory, whatever the archive's layout.
#[test]
fn an_archive_is_hashed_while_it_is_read() {
    let path = file("sums");
    for lengths in [vec![], vec![0, 1, 63, 300_000], vec![9 << 20, 5, 1 << 20, 6 << 20], vec![1000; 99]] {
        let bytes = archive_of(&lengths);
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let loaded = read(&File::open(&path).unwrap(), bytes.len()).unwrap();
        assert!(*loaded.bytes == *bytes);
        let archive = Archive::open_shared(&loaded.bytes, &loaded.sums).unwrap();
        for entry in archive.entries() {
            let sum = loaded.sums.of(&(entry.offset..entry.offset + entry.stored_bytes));
            assert!(sum.is_none_or(|sum| sum == entry.hash), "{lengths:?} {}", entry.name);
            let is_summed = cfg!(unix) && (1..4 << 20).contains(&entry.stored_bytes);
            assert!(sum.is_some() || !is_summed, "{lengths:?} {}", entry.name);
        }
        std::fs::write(&path, &damaged).unwrap();
        let loaded = read(&File::open(&path).unwrap(), bytes.len()).unwrap();
        let refused = Archive::open_shared(&loaded.bytes, &loaded.sums).unwrap_err();
        assert_eq!(refused, Archive::open(&damaged).unwrap_err());
        std::fs::remove_file(&path).unwrap();
    }
}
