//! Invalid archives, named by their fault. Each is refused with an error that names place and reason.

use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::directory::Codec;
use keypose::wad::error::WadError;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};

use super::round_trip::lumps_of;
use crate::checksums::{forge, put};
use crate::sample::{encode, patch_to, rich, small};

/// The offset of the directory. The lumps of `small` are ANIM/arm/wave, BAKE/arm/wave, MODL/arm and SKEL/arm.
const ENTRIES: usize = 64;

type Damage = fn(&mut Vec<u8>);
type LumpDamage = fn(&mut Vec<Lump>);

/// Changes bytes of the small archive and corrects the checksums.
const CONTAINERS: &[(&str, Damage, &str)] = &[
    ("more_lumps_than_bytes", |bytes| put(bytes, 16, 1_000_000), "lumps need more than"),
    ("more_lumps_than_possible", |bytes| put(bytes, 16, u64::MAX), "header, offset 16"),
    ("flags_of_the_future", |bytes| bytes[12] = 4, "flags 0x4"),
    ("base_without_patch", |bytes| bytes[40] = 1, "not a patch"),
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
    ("too_many_sections", |lumps| bytes_of(lumps, Kind::MESH)[4] = 255, "the maximum of 64"),
    ("a_section_missing", |lumps| bytes_of(lumps, Kind::SKIN)[4] = 1, "lump SKIN/knight/body"),
    ("lump_with_a_tail", |lumps| bytes_of(lumps, Kind::TEXTURE).push(0), "1 unexpected bytes"),
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
        "key_infinite",
        |lumps| replace(lumps, Kind::CLIP, &2_f32.to_le_bytes(), &f32::INFINITY.to_le_bytes()),
        "keyframe 0: the position key of bone 1 is not finite",
    ),
    (
        "key_of_no_channel",
        |lumps| replace(lumps, Kind::CLIP, &[2, 1, 0, 0], &[255, 1, 0, 0]),
        "unknown key modes: channel 255",
    ),
    (
        "keys_out_of_order",
        |lumps| replace(lumps, Kind::CLIP, &999_u16.to_le_bytes(), &0_u16.to_le_bytes()),
        "keyframe 0: its keys are not sorted",
    ),
    (
        "frame_rate_zero",
        |lumps| replace(lumps, Kind::CLIP, &1001_u32.to_le_bytes(), &0_u32.to_le_bytes()),
        "frame rate",
    ),
    ("pixels_do_not_fit", |lumps| replace(lumps, Kind::TEXTURE, &[3, 0, 0, 0, 2], &[255; 5]), "pixels"),
    ("box_without_area", |lumps| replace(lumps, Kind::LEVEL, &2_f32.to_le_bytes(), &(-9_f32).to_le_bytes()), "no area"),
    (
        "sound_too_slow",
        |lumps| replace(lumps, Kind::SOUND, &8000_u32.to_le_bytes(), &7_u32.to_le_bytes()),
        "its rate is 7 Hz",
    ),
    ("group_without_a_name", |lumps| replace(lumps, Kind::RIG, b"arm", b"   "), "is empty or already used"),
    ("a_part_missing", |lumps| replace(lumps, Kind::MODEL, b"knight/cape", b"knight/toro"), "missing"),
    ("a_part_used_twice", |lumps| replace(lumps, Kind::MODEL, b"knight/skin", b"knight/body"), "is used twice"),
    ("unknown_kind", |lumps| bytes_of_kind(lumps, *b"XYZW"), "lump XYZW/knight/walk, offset"),
    ("unknown_version", |lumps| lumps[0].version = 7, "version 7 of the kind ANIM is not known"),
];

fn find(lumps: &mut [Lump], kind: Kind) -> &mut Lump {
    lumps.iter_mut().filter(|lump| lump.kind == kind).max_by_key(|lump| lump.bytes.as_ref().map(Vec::len)).unwrap()
}

/// The bytes of the first lump of a kind.
fn bytes_of(lumps: &mut [Lump], kind: Kind) -> &mut Vec<u8> {
    lumps.iter_mut().find(|lump| lump.kind == kind).unwrap().bytes.as_mut().unwrap()
}

/// Replaces the last occurrence of bytes in the largest lump of a kind.
fn replace(lumps: &mut [Lump], kind: Kind, from: &[u8], to: &[u8]) {
    let bytes = find(lumps, kind).bytes.as_mut().unwrap();
    let at = bytes.windows(from.len()).rposition(|window| window == from).expect("the bytes to replace");
    bytes[at..at + from.len()].copy_from_slice(to);
}

fn last_skin(lumps: &mut [Lump], joint: &[u8]) {
    let bytes = find(lumps, Kind::SKIN).bytes.as_mut().unwrap();
    bytes[64..66].copy_from_slice(joint);
}

/// The lumps of a project, to be packed as they are: offsets of errors are those in the raw lumps.
fn stored(project: &Project) -> Vec<Lump> {
    let mut lumps = lumps_of(&Archive::open(&encode(project)).unwrap());
    lumps.iter_mut().for_each(|lump| lump.codec = Codec::Store);
    lumps
}

/// All invalid archives with their names and a part of the error.
pub fn bad_archives() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let containers = CONTAINERS.iter().map(|(name, damage, reason)| {
        let mut bytes = pack(stored(&small()), None).unwrap();
        damage(&mut bytes);
        forge(&mut bytes);
        (*name, bytes, *reason)
    });
    let lumps = LUMPS.iter().map(|(name, damage, reason)| {
        let mut lumps = stored(&rich());
        damage(&mut lumps);
        (*name, pack(lumps, None).unwrap(), *reason)
    });
    containers.chain(lumps).collect()
}

/// Gives a clip an unknown critical kind.
fn bytes_of_kind(lumps: &mut [Lump], kind: [u8; 4]) {
    let walk = lumps.iter_mut().find(|lump| lump.kind == Kind::CLIP && lump.name == "knight/walk").unwrap();
    walk.kind = Kind(kind);
}

/// Whether everything is tried, not a part of it: `KEYPOSE_FULL=1`.
pub fn is_full() -> bool {
    std::env::var_os("KEYPOSE_FULL").is_some()
}

/// Whether an error has an offset and mentions it in its text.
pub fn has_offset(error: &WadError) -> bool {
    error.offset().is_some_and(|offset| error.to_string().contains(&format!("offset {offset}")))
}

/// One error of every variant, in the order of the enum; a new variant does not compile until it is added here.
#[test]
fn every_variant_of_error_has_an_offset() {
    let sort = |error: &WadError| match error {
        WadError::NotAnArchive { .. } => 0,
        WadError::Version { .. } => 1,
        WadError::CutOff { .. } => 2,
        WadError::Container { .. } => 3,
        WadError::Lump { .. } => 4,
        WadError::Unknown { .. } => 5,
        WadError::Mismatch { .. } => 6,
        // An error about a project, which has no bytes.
        WadError::Content { .. } => 7,
    };
    let mut seen = [0; 8];
    let newer = |mut bytes: Vec<u8>| {
        bytes[8] = 9;
        bytes
    };
    let patch = patch_to(&encode(&small()), &rich());
    let cut_off = encode(&small())[..600].to_vec();
    let more = [
        ("foreign", b"glTF".to_vec(), ""),
        ("newer", newer(encode(&small())), ""),
        ("cut off", cut_off, ""),
        ("patch", patch, ""),
    ];
    for (name, bytes, _) in bad_archives().into_iter().chain(more) {
        let error = decode(&bytes).unwrap_err();
        assert!(has_offset(&error), "{name}: {error}");
        seen[sort(&error)] += 1;
    }
    assert!(seen[..7].iter().all(|&count| count > 0) && seen[7] == 0, "{seen:?}");
}

/// The offset of an error in a lump is that of the faulty value, from the start of the lump.
#[test]
fn the_offset_of_an_error_is_that_of_the_value() {
    let find = |name: &str| bad_archives().into_iter().find(|(found, ..)| *found == name).unwrap().1;
    let bytes = find("unknown_kind");
    let at = usize::try_from(decode(&bytes).unwrap_err().offset().unwrap()).unwrap();
    assert_eq!(&bytes[at..at + 4], b"XYZW");
    let cases = [
        ("key_infinite", [-1_f32, f32::INFINITY].map(f32::to_le_bytes).concat()),
        ("key_of_no_channel", vec![255, 1, 0, 0]),
        ("keys_out_of_order", 0_u16.to_le_bytes().to_vec()),
        ("duration_zero", 0_i64.to_le_bytes().to_vec()),
    ];
    for (name, value) in cases {
        let bytes = find(name);
        let error = decode(&bytes).unwrap_err();
        let archive = Archive::open(&bytes).unwrap();
        let entry = archive.entries().iter().find(|entry| Some(entry.title().as_str()) == error.lump()).unwrap();
        let at = entry.offset + usize::try_from(error.offset().unwrap()).unwrap();
        assert_eq!(bytes[at..at + value.len()], value, "{name}: {error}");
    }
}

#[test]
fn every_bad_archive_is_refused_with_place_and_reason() {
    let mut wrong = Vec::new();
    for (name, bytes, reason) in bad_archives() {
        let error = decode(&bytes).err().map(|error| error.to_string()).unwrap_or_default();
        if !error.contains(reason) || error.contains('\n') {
            wrong.push(format!("{name}: \"{error}\" does not contain \"{reason}\" in one line"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
