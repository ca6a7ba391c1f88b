//! Bad archives named by their fault: each is refused with a sentence that names the place and the reason.

use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};

use crate::checksums::{forge, put};
use crate::round_trip::lumps_of;
use crate::sample::{encode, rich, small};

/// Where the parts of `small` lie: its lumps are ANIM/arm/wave, BAKE/arm/wave where there is one, MODL/arm, SKEL/arm.
const ENTRIES: usize = 64;

type Damage = fn(&mut Vec<u8>);
type LumpDamage = fn(&mut Vec<Lump>);

/// Changes bytes of the small archive and makes the checksums fit.
const CONTAINERS: &[(&str, Damage, &str)] = &[
    ("more_lumps_than_bytes", |bytes| put(bytes, 16, 1_000_000), "do not fit into"),
    ("more_lumps_than_possible", |bytes| put(bytes, 16, u64::MAX), "header, offset 16"),
    ("flags_of_the_future", |bytes| bytes[12] = 4, "flags 0x4"),
    ("base_without_patch", |bytes| bytes[40] = 1, "not a patch"),
    ("reserved_header_bytes", |bytes| bytes[48] = 1, "header, offset 48"),
    ("kind_not_letters", |bytes| bytes[ENTRIES] = b' ', "not four letters"),
    ("unknown_codec", |bytes| bytes[ENTRIES + 6] = 9, "flags 0x9"),
    ("tombstone_outside_a_patch", |bytes| bytes[ENTRIES + 7] = 1, "directory entry 0"),
    ("lump_out_of_bounds", |bytes| put(bytes, ENTRIES + 8, 1 << 40), "lumps before it end elsewhere"),
    ("lump_longer_than_the_file", |bytes| [16, 24].map(|at| put(bytes, ENTRIES + at, 1 << 40)).fill(()), "bytes left"),
    ("raw_length_apart", |bytes| put(bytes, ENTRIES + 24, 1 << 40), "directory entry 0"),
    ("overlapping_lumps", |bytes| put(bytes, ENTRIES + 128 + 8, 64), "lumps before it end elsewhere"),
    ("name_too_long", |bytes| bytes[ENTRIES + 48] = 80, "longer than 79"),
    ("name_not_utf8", |bytes| bytes[ENTRIES + 50] = 0xff, "not UTF-8"),
    ("name_with_control_character", |bytes| bytes[ENTRIES + 50] = 7, "control character"),
    ("name_with_two_dots", |bytes| bytes[ENTRIES + 50..ENTRIES + 52].fill(b'.'), "two dots"),
    ("name_not_zero_padded", |bytes| bytes[ENTRIES + 127] = 1, "not zero"),
    ("directory_out_of_order", |bytes| bytes[ENTRIES] = b'Z', "out of order"),
];

/// Changes lumps of the rich archive and packs them again.
const LUMPS: &[(&str, LumpDamage, &str)] = &[
    ("record_too_short", |lumps| bytes_of(lumps, Kind::MODEL)[0] -= 1, "lump MODL/knight"),
    ("record_too_long", |lumps| bytes_of(lumps, Kind::MATERIAL)[0] += 1, "lump MATL/knight/default"),
    ("too_many_sections", |lumps| bytes_of(lumps, Kind::MESH)[4] = 255, "at most 64"),
    ("a_section_missing", |lumps| bytes_of(lumps, Kind::SKIN)[4] = 1, "lump SKIN/knight/body"),
    ("lump_with_a_tail", |lumps| bytes_of(lumps, Kind::TEXTURE).push(0), "1 bytes too many"),
    ("empty_lump", |lumps| bytes_of(lumps, Kind::SKELETON).clear(), "0 bytes left, 4 needed"),
    ("missing_skeleton", |lumps| lumps.retain(|lump| lump.kind != Kind::SKELETON), "SKEL/knight is missing"),
    ("missing_clip", |lumps| lumps.retain(|lump| lump.name != "knight/walk"), "ANIM/knight/walk is missing"),
    ("index_out_of_range", |lumps| replace(lumps, Kind::MESH, &3_u32.to_le_bytes(), &99_u32.to_le_bytes()), "index"),
    ("joint_out_of_range", |lumps| last_skin(lumps, &7_u16.to_le_bytes()), "bone 7"),
    (
        "weights_not_one",
        |lumps| replace(lumps, Kind::MESH, &0.375_f32.to_le_bytes(), &0.5_f32.to_le_bytes()),
        "weights",
    ),
    ("weight_nan", |lumps| replace(lumps, Kind::MESH, &0.375_f32.to_le_bytes(), &f32::NAN.to_le_bytes()), "NaN"),
    (
        "position_infinite",
        |lumps| replace(lumps, Kind::MESH, &(-1_f32).to_le_bytes(), &f32::INFINITY.to_le_bytes()),
        "not finite",
    ),
    (
        "duration_zero",
        |lumps| replace(lumps, Kind::CLIP, &12_345_i64.to_le_bytes(), &0_i64.to_le_bytes()),
        "keyframe 0",
    ),
    (
        "frame_rate_zero",
        |lumps| replace(lumps, Kind::CLIP, &1001_u32.to_le_bytes(), &0_u32.to_le_bytes()),
        "frame rate",
    ),
    ("pixels_do_not_fit", |lumps| replace(lumps, Kind::TEXTURE, &[3, 0, 0, 0, 2], &[255; 5]), "pixels"),
    ("box_without_area", |lumps| replace(lumps, Kind::LEVEL, &2_f32.to_le_bytes(), &(-9_f32).to_le_bytes()), "no area"),
    ("a_part_used_twice", |lumps| replace(lumps, Kind::MODEL, b"knight/cape", b"knight/toro"), "missing"),
];

fn find(lumps: &mut [Lump], kind: Kind) -> &mut Lump {
    lumps.iter_mut().filter(|lump| lump.kind == kind).max_by_key(|lump| lump.bytes.as_ref().map(Vec::len)).unwrap()
}

/// The bytes of the first lump of a kind.
fn bytes_of(lumps: &mut [Lump], kind: Kind) -> &mut Vec<u8> {
    lumps.iter_mut().find(|lump| lump.kind == kind).unwrap().bytes.as_mut().unwrap()
}

/// Puts other bytes in the place of the last occurrence in the largest lump of a kind.
fn replace(lumps: &mut [Lump], kind: Kind, from: &[u8], to: &[u8]) {
    let bytes = find(lumps, kind).bytes.as_mut().unwrap();
    let at = bytes.windows(from.len()).rposition(|window| window == from).expect("the bytes to replace");
    bytes[at..at + from.len()].copy_from_slice(to);
}

fn last_skin(lumps: &mut [Lump], joint: &[u8]) {
    let bytes = find(lumps, Kind::SKIN).bytes.as_mut().unwrap();
    bytes[64..66].copy_from_slice(joint);
}

/// All bad archives by name, and a part of the sentence that refuses them.
pub fn bad_archives() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let containers = CONTAINERS.iter().map(|(name, damage, reason)| {
        let mut bytes = encode(&small());
        damage(&mut bytes);
        forge(&mut bytes);
        (*name, bytes, *reason)
    });
    let lumps = LUMPS.iter().map(|(name, damage, reason)| {
        let mut lumps = lumps_of(&Archive::open(&encode(&rich())).unwrap());
        damage(&mut lumps);
        (*name, pack(lumps, None).unwrap(), *reason)
    });
    containers.chain(lumps).collect()
}

#[test]
fn every_bad_archive_is_refused_with_place_and_reason() {
    let mut wrong = Vec::new();
    for (name, bytes, reason) in bad_archives() {
        let error = decode(&bytes).err().map(|error| error.to_string()).unwrap_or_default();
        if !error.contains(reason) || error.contains('\n') {
            wrong.push(format!("{name}: \"{error}\" does not say \"{reason}\" in one line"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
