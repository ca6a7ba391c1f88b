//! Options of an import in an archive: other words are refused.

use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};

use super::round_trip::lumps_of;
use crate::sample::{encode, small};

/// Words, and whether they are options.
const WORDS: &[(&[&str], bool)] = &[
    (&[], true),
    (&["--scale", "0.01", "--up", "z", "--forward", "-y"], true),
    (&["--scale", "1e6"], true),
    (&["--scale", "+.5E-1"], true),
    (&["--scale", "1000001"], false),
    (&["--scale", "1e-7"], false),
    (&["--scale", "1_0"], false),
    (&["--scale", " 1"], false),
    (&["--scale", "nan"], false),
    (&["--scale", "1e39"], false),
    (&["--scale", ""], false),
    (&["--scale"], false),
    (&["scale", "1"], false),
    (&["--up", "+Z"], true),
    (&["--up", "w"], false),
    (&["--forward", "y"], false),
    (&["--forward", "y", "--up", "x"], true),
    (&["--up", "z", "--up", "x", "--forward", "z"], true),
    (&["--mesh", "body*", "--skip-clip", "old*"], true),
    (&["--mesh", ""], false),
    (&["--influences", "4"], true),
    (&["--influences", "+08"], true),
    (&["--influences", "9"], false),
    (&["--influences", "0"], false),
    (&["--influences", "4.0"], false),
    (&["--normals", "smooth:45"], true),
    (&["--normals", "smooth:181"], false),
    (&["--normals", "smooth:"], false),
    (&["--normals", "Flat"], false),
    (&["--frame-rate", "29.97"], true),
    (&["--frame-rate", "240"], true),
    (&["--frame-rate", "241"], false),
    (&["--frame-rate", "12.5"], false),
    (&["--max-error", "0"], true),
    (&["--max-error", "-1"], false),
    (&["--retarget", "off"], true),
    (&["--retarget", "yes"], false),
    (&["--drop-weights", "1"], true),
    (&["--drop-weights", "1.1"], false),
];

/// An archive with such options.
fn with(words: &[&str]) -> Vec<u8> {
    let mut record = (words.len() as u64).to_le_bytes().to_vec();
    for word in words {
        record.extend((word.len() as u64).to_le_bytes());
        record.extend(word.as_bytes());
    }
    let mut bytes = (record.len() as u32).to_le_bytes().to_vec();
    bytes.extend(0_u32.to_le_bytes());
    bytes.extend(record);
    let mut lumps = lumps_of(&Archive::open(&encode(&small())).unwrap());
    let (kind, name) = (Kind(*b"iMPO"), "arm".to_owned());
    lumps.push(Lump { kind, name, version: 1, codec: Codec::Store, bytes: Some(bytes) });
    pack(lumps, None).unwrap()
}

#[test]
fn only_options_with_valid_values_are_read() {
    for &(words, is_valid) in WORDS {
        let read = decode(&with(words)).map(|_| ());
        assert_eq!(read.is_ok(), is_valid, "{words:?}: {read:?}");
    }
}
