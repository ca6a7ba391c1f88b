//! Salvage returns every complete lump of a damaged archive, and never a wrong one.

use keypose::wad::archive::Archive;
use keypose::wad::kind::Kind;
use keypose::wad::pack::Lump;
use keypose::wad::salvage::{decode_salvaged, salvage};

use crate::sample::{compressed, encode, rich, small};

fn lumps(bytes: &[u8]) -> Vec<Lump> {
    Archive::open(bytes).unwrap().to_lumps().unwrap()
}

#[test]
fn a_whole_archive_is_salvaged_whole() {
    for bytes in [encode(&small()), encode(&rich()), compressed()] {
        let salvaged = salvage(&bytes);
        assert_eq!(salvaged.lost, Vec::<String>::new());
        assert_eq!(salvaged.lumps, lumps(&bytes));
    }
    let decoded = decode_salvaged(&salvage(&encode(&rich()))).unwrap();
    assert_eq!((decoded.project, decoded.findings.len()), (rich(), 0));
}

#[test]
fn a_truncated_archive_keeps_its_complete_lumps() {
    let whole = encode(&rich());
    let entries = Archive::open(&whole).unwrap().entries().to_vec();
    let directory_end = 64 + 128 * entries.len();
    for length in (0..whole.len()).step_by(41) {
        let salvaged = salvage(&whole[..length]);
        let inside = |entry: &&keypose::wad::directory::Entry| entry.offset + entry.stored_bytes <= length;
        let expected = if length >= directory_end { entries.iter().filter(inside).count() } else { 0 };
        assert_eq!(salvaged.lumps.len(), expected, "{length} bytes");
        let all = lumps(&whole);
        assert!(salvaged.lumps.iter().all(|lump| all.contains(lump)));
    }
}

#[test]
fn a_changed_byte_loses_at_most_two_lumps() {
    let whole = encode(&rich());
    let all = lumps(&whole);
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        let salvaged = salvage(&bytes);
        let right = salvaged.lumps.iter().filter(|lump| all.contains(lump)).count();
        // A changed name in the directory is a complete lump with a wrong name; everything else is right or lost.
        let renamed = salvaged.lumps.len() - right;
        let in_directory = (64..64 + 128 * all.len()).contains(&at);
        assert!(renamed == 0 || (renamed == 1 && in_directory), "byte {at}: {renamed} wrong");
        let in_offset = in_directory && (8..16).contains(&((at - 64) % 128));
        assert!(right + 2 >= all.len() || in_offset, "byte {at}: {} lost of {}", all.len() - right, all.len());
    }
}

/// Changes every byte of every name in the directory, one at a time: to other letters, invalid letters, another length.
#[test]
fn a_name_that_is_damaged_in_the_directory_is_restored_from_the_models() {
    let (good, project) = (encode(&rich()), rich());
    let entries = Archive::open(&good).unwrap().entries().to_vec();
    for (number, entry) in entries.iter().enumerate() {
        for at in 48..48 + 1 + entry.name.len() {
            for change in [0x01, 0x55, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[64 + 128 * number + at] ^= change;
                let salvaged = salvage(&bytes);
                let decoded = decode_salvaged(&salvaged).unwrap();
                let place =
                    format!("{}, byte {at} ^ {change:#x}: {:?} {:?}", entry.title(), salvaged.lost, salvaged.renamed);
                assert!(decoded.project.models == project.models, "{place}");
                assert!(decoded.project.levels == project.levels, "{place}");
            }
        }
    }
}

#[test]
fn the_rest_opens_without_any_one_lump() {
    let whole = encode(&rich());
    let salvaged = salvage(&whole);
    for missing in &salvaged.lumps {
        let mut rest = salvaged.clone();
        rest.lumps.retain(|lump| lump != missing);
        let decoded = decode_salvaged(&rest).unwrap();
        assert_eq!(decoded.project.models.len(), 2, "{}/{}: {:?}", missing.kind, missing.name, decoded.findings);
        decoded.project.models.iter().for_each(|model| model.check().unwrap());
        let again = encode(&decoded.project);
        assert_eq!(keypose::wad::decode(&again).unwrap().project, decoded.project);
    }
}

#[test]
fn every_clip_is_kept_without_models_and_skeletons() {
    let mut salvaged = salvage(&encode(&rich()));
    salvaged.lumps.retain(|lump| ![Kind::MODEL, Kind::SKELETON].contains(&lump.kind));
    let decoded = decode_salvaged(&salvaged).unwrap();
    assert!(decoded.findings.iter().any(|finding| finding.contains("lists are lost")), "{:?}", decoded.findings);
    assert!(decoded.findings.iter().any(|finding| finding.contains("skeleton is lost")), "{:?}", decoded.findings);
    let clips = |project: &keypose::assets::project::Project| {
        let all = project.models.iter().flat_map(|model| model.clips.iter().map(|slot| slot.clip.as_ref().clone()));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|a, b| (&a.name, a.keyframes.len()).cmp(&(&b.name, b.keyframes.len())));
        all
    };
    assert!(!clips(&rich()).is_empty());
    assert_eq!(clips(&decoded.project), clips(&rich()));
    decoded.project.models.iter().for_each(|model| model.check().unwrap());
    let again = encode(&decoded.project);
    assert_eq!(keypose::wad::decode(&again).unwrap().project, decoded.project);
}

#[test]
fn foreign_bytes_give_nothing() {
    for bytes in [&b""[..], b"glTF", &[0; 1000], &[0xff; 1000]] {
        assert!(salvage(bytes).lumps.is_empty());
    }
}
