//! Salvage returns every complete lump of a damaged archive, and never a wrong one.

use std::fs;

use keypose::assets::model::ClipSlot;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::directory::{Codec, Entry};
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::salvage::{decode_salvaged, salvage};
use xxhash_rust::xxh3::xxh3_64;

use crate::root::root;
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
    let (all, end) = (lumps(&whole), |entry: &Entry| entry.offset + entry.stored_bytes);
    let near = entries.iter().flat_map(|entry| [end(entry) - 1, end(entry), end(entry) + 1]);
    for length in (0..whole.len()).step_by(41).chain(near.filter(|length| *length <= whole.len())) {
        let salvaged = salvage(&whole[..length]);
        let inside = |entry: &&Entry| end(entry) <= length;
        let expected = if length >= directory_end { entries.iter().filter(inside).count() } else { 0 };
        assert_eq!(salvaged.lumps.len(), expected, "{length} bytes");
        assert!(salvaged.lumps.iter().all(|lump| all.contains(lump)));
    }
}

/// As soon as models and skeletons are whole, the names of bones and the hierarchy come back.
#[test]
fn a_cut_demo_keeps_bones_and_clips_with_their_names() {
    let whole = fs::read(root().join("data/demo.wad")).unwrap();
    let project = decode(&whole).unwrap().project;
    let entries = Archive::open(&whole).unwrap().entries().to_vec();
    let end = |entry: &Entry| entry.offset + entry.stored_bytes;
    let last = |kinds: &[Kind]| entries.iter().filter(|entry| kinds.contains(&entry.kind)).map(end).max().unwrap();
    let (bones, clips) = (last(&[Kind::MODEL, Kind::SKELETON]), last(&[Kind::CLIP]));
    assert!(bones * 100 < whole.len() * 2 && clips * 100 < whole.len() * 25, "{bones}, {clips} of {}", whole.len());
    let project_clips: usize = project.models.iter().map(|model| model.clips.len()).sum();
    // Clips without their baked form are baked again, which takes its time: a clip, and a third of the file.
    for (length, kept) in [(bones, 0), (end(&entries[0]), 1), (whole.len() / 3, project_clips)] {
        let decoded = decode_salvaged(&salvage(&whole[..length])).unwrap();
        let (found, models) = (&decoded.project.models, &project.models);
        assert_eq!(found.len(), models.len(), "{length} bytes: {:?}", decoded.findings);
        for (found, model) in found.iter().zip(models) {
            assert_eq!((&found.name, &found.skeleton), (&model.name, &model.skeleton), "{length} bytes");
            let is_kept = |slot: &&ClipSlot| model.clips.iter().any(|one| one.clip == slot.clip);
            assert_eq!(found.clips.iter().filter(is_kept).count(), found.clips.len(), "{length} bytes: a clip differs");
        }
        assert_eq!(found.iter().map(|model| model.clips.len()).sum::<usize>(), kept, "{length} bytes");
        if kept == project_clips {
            assert_eq!(decoded.project.levels, project.levels);
            assert!(found.iter().map(|model| &model.machine).eq(models.iter().map(|model| &model.machine)));
        }
    }
}

/// A directory of 10,000 entries that all claim the same bytes costs no more than the file.
#[test]
fn lumps_that_overlap_are_taken_once() {
    let lumps = (0..10_000).map(|number| Lump {
        kind: Kind(*b"xTRA"),
        name: format!("{number:05}"),
        version: 1,
        codec: Codec::Lz4,
        bytes: Some(if number == 0 { vec![0; 4 << 20] } else { Vec::new() }),
    });
    let mut bytes = pack(lumps.collect(), None).unwrap();
    let first = bytes[64 + 6..64 + 48].to_vec();
    for number in 1..10_000 {
        bytes[64 + 128 * number + 6..][..first.len()].copy_from_slice(&first);
    }
    let salvaged = salvage(&bytes);
    assert_eq!((salvaged.lumps.len(), salvaged.lost.len()), (1, 9_999));
    assert!(salvaged.lost.iter().all(|sentence| sentence.contains("overlaps")));
}

/// Compressed bytes that no reader can decompress, with the right checksum: in a baked clip they cost nothing.
#[test]
fn damaged_compression_costs_only_the_lump_that_has_it() {
    let whole = compressed();
    let packed: Vec<Entry> =
        Archive::open(&whole).unwrap().entries().iter().filter(|entry| entry.codec == Codec::Lz4).cloned().collect();
    assert!(packed.iter().any(|entry| entry.kind == Kind::BAKED) && packed.len() > 3);
    for Entry { kind, name, offset, stored_bytes, .. } in packed {
        let mut bytes = whole.clone();
        bytes[offset..offset + stored_bytes].fill(0xff);
        let hash = xxh3_64(&bytes[offset..offset + stored_bytes]);
        let number =
            Archive::open(&whole).unwrap().entries().iter().position(|one| (one.kind, &one.name) == (kind, &name));
        let entry = 64 + 128 * number.unwrap();
        bytes[entry + 32..entry + 40].copy_from_slice(&hash.to_le_bytes());
        let salvaged = salvage(&bytes);
        assert_eq!(salvaged.lost, [format!("lump {kind}/{name} can't be decompressed")]);
        let expected: Vec<Lump> =
            lumps(&whole).into_iter().filter(|lump| (lump.kind, &lump.name) != (kind, &name)).collect();
        assert_eq!(salvaged.lumps, expected);
        let decoded = decode_salvaged(&salvaged).unwrap();
        if kind == Kind::BAKED {
            assert_eq!(decoded.project, rich(), "{name}: it is baked again");
        }
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
        let misnamed = salvaged.lumps.len() - right;
        let in_directory = (64..64 + 128 * all.len()).contains(&at);
        assert!(misnamed == 0 || (misnamed == 1 && in_directory), "byte {at}: {misnamed} wrong");
        let in_offset = in_directory && (8..16).contains(&((at - 64) % 128));
        assert!(right + 2 >= all.len() || in_offset, "byte {at}: {} lost of {}", all.len() - right, all.len());
    }
}

/// Changes every byte of every name in the directory, one at a time: to another letter or an invalid one, or the length.
#[test]
fn a_name_that_is_damaged_in_the_directory_costs_its_clip_at_most() {
    let good = encode(&rich());
    let entries = Archive::open(&good).unwrap().entries().to_vec();
    let clips = |project: &Project| project.models.iter().map(|model| model.clips.len()).sum::<usize>();
    let all = clips(&rich());
    for (number, entry) in entries.iter().enumerate() {
        for at in 48..48 + 1 + entry.name.len() {
            let change = [0x01, 0x80][(number + at) % 2];
            let mut bytes = good.clone();
            bytes[64 + 128 * number + at] ^= change;
            let found = decode_salvaged(&salvage(&bytes)).unwrap().project;
            let kept = all - usize::from(entry.kind == Kind::CLIP);
            assert!(clips(&found) >= kept, "{}, byte {at} ^ {change:#x}: {} clips", entry.title(), clips(&found));
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
        assert_eq!(decode(&again).unwrap().project, decoded.project);
    }
}

#[test]
fn every_clip_is_kept_without_models_and_skeletons() {
    let mut salvaged = salvage(&encode(&rich()));
    salvaged.lumps.retain(|lump| ![Kind::MODEL, Kind::SKELETON].contains(&lump.kind));
    let decoded = decode_salvaged(&salvaged).unwrap();
    assert!(decoded.findings.iter().any(|finding| finding.contains("lists are lost")), "{:?}", decoded.findings);
    assert!(decoded.findings.iter().any(|finding| finding.contains("skeleton is lost")), "{:?}", decoded.findings);
    let clips = |project: &Project| {
        let all = project.models.iter().flat_map(|model| model.clips.iter().map(|slot| slot.clip.as_ref().clone()));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|a, b| (&a.name, a.keyframes.len()).cmp(&(&b.name, b.keyframes.len())));
        all
    };
    assert!(!clips(&rich()).is_empty());
    assert_eq!(clips(&decoded.project), clips(&rich()));
    decoded.project.models.iter().for_each(|model| model.check().unwrap());
    let again = encode(&decoded.project);
    assert_eq!(decode(&again).unwrap().project, decoded.project);
}

#[test]
fn foreign_bytes_give_nothing() {
    for bytes in [&b""[..], b"glTF", &[0; 1000], &[0xff; 1000]] {
        assert!(salvage(bytes).lumps.is_empty());
    }
}
