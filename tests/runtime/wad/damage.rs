//! Damaged archives are refused, and never cause a panic.

use keypose::wad::archive::{Archive, set_id};
use keypose::wad::{decode, is_archive};

use super::fixtures::has_offset;
use crate::sample::{encode, small};

#[test]
fn every_single_bit_flip_is_rejected() {
    let mut good = encode(&small());
    set_id(&mut good, 0x0123_4567_89ab_cdef);
    let mut bytes = good.clone();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            assert!(decode(&bytes).is_err_and(|error| has_offset(&error)), "bit {bit} of byte {at}");
            bytes[at] ^= 1 << bit;
        }
    }
    assert!(bytes == good);
}

#[test]
fn an_id_changes_neither_the_content_nor_its_hash() {
    let without = encode(&small());
    let mut with = without.clone();
    set_id(&mut with, 7);
    let header = |bytes| Archive::open(bytes).unwrap().header().clone();
    let (before, after) = (header(&without), header(&with));
    assert_eq!((before.id, before.document()), (0, before.hash));
    assert_eq!((after.id, after.document(), after.hash), (7, 7, before.hash));
    assert_eq!(decode(&with).unwrap().project, decode(&without).unwrap().project);
    set_id(&mut with, 0);
    assert_eq!(with, without);
}

#[test]
fn every_truncation_and_every_longer_file_is_rejected() {
    let good = encode(&small());
    for length in 0..good.len() {
        assert!(decode(&good[..length]).is_err_and(|error| has_offset(&error)), "{length} bytes");
    }
    for more in [1, 31, 32, 64, 1000] {
        let longer = [&good[..], &vec![0; more]].concat();
        assert!(decode(&longer).is_err(), "{more} bytes more");
    }
}

#[test]
fn foreign_bytes_are_refused_in_one_sentence() {
    let newer = {
        let mut bytes = encode(&small());
        bytes[8] = 9;
        bytes
    };
    let cases: [(&[u8], &str); 5] = [
        (b"", "empty"),
        (b"glTF\x02\0\0\0", "magic"),
        (b"TOOM", "magic"),
        (&newer[..20], "ends within its header"),
        (&newer, "version 9.0"),
    ];
    for (bytes, reason) in cases {
        let error = decode(bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains('\n'));
    }
    assert!(!is_archive(b"glTF"));
}
