//! Round trips: a saved project is read unchanged, and the same content gives the same bytes.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use keypose::anim::bezier::HERMITE;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::time::Time;
use keypose::assets::bytes::Bytes;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::assets::texture::{ImageData, Texture};
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::reading::{head_bytes, lumps};
use keypose::wad::verify::{Depth, verify};
use keypose::wad::{self, decode, decode_shared, edit, is_archive};
use proptest::prelude::*;

use crate::cases;
use crate::checksums::{forge, put};
use crate::sample::{encode, painted, rich, skeleton, small};

#[test]
fn a_rich_project_is_read_unchanged() {
    let project = rich();
    let bytes = encode(&project);
    assert!(is_archive(&bytes));
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.findings, Vec::<String>::new());
    assert_eq!(decoded.project, project);
    assert_eq!(decoded.characters.len(), project.models.len());
    assert_eq!(encode(&decoded.project), bytes, "saving again gives the same bytes");
}

#[test]
fn an_empty_project_is_read_unchanged() {
    let bytes = encode(&Project::default());
    assert_eq!(decode(&bytes).unwrap().project, Project::default());
}

#[test]
fn bytes_at_any_alignment_decode() {
    let bytes = encode(&rich());
    let mut shifted = vec![0; 1];
    shifted.extend(&bytes);
    assert_eq!(decode(&shifted[1..]).unwrap().project, rich());
}

#[test]
fn the_bytes_do_not_depend_on_the_order_of_insertion() {
    let bytes = encode(&rich());
    let archive = Archive::open(&bytes).unwrap();
    let mut lumps = lumps_of(&archive);
    let mut state = 1_u64;
    for _ in 0..20 {
        for at in (1..lumps.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            lumps.swap(at, (state >> 33) as usize % (at + 1));
        }
        assert!(pack(lumps.clone(), None).unwrap() == bytes);
    }
}

#[test]
fn minus_zero_is_zero() {
    let clip = |zero: f32| {
        let keys = vec![Key::translation(0, Vec3::new(zero, 1.0, zero))];
        Clip {
            keyframes: vec![Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }].into(),
            ..Clip::new("clip")
        }
    };
    assert_eq!(encode(&with_clip(clip(0.0))), encode(&with_clip(clip(-0.0))));
}

#[test]
fn lumps_start_at_multiples_of_64() {
    let bytes = encode(&rich());
    let archive = Archive::open(&bytes).unwrap();
    assert!(archive.entries().iter().all(|entry| entry.offset.is_multiple_of(64)));
}

/// The archive with its lumps stored in the reverse of the order of the directory.
fn reversed(bytes: &[u8]) -> Vec<u8> {
    let archive = Archive::open(bytes).unwrap();
    let entries = archive.entries();
    let mut out = bytes[..64 + 128 * entries.len()].to_vec();
    for (number, entry) in entries.iter().enumerate().rev() {
        out.resize(out.len().next_multiple_of(64), 0);
        let offset = out.len() as u64;
        put(&mut out, 64 + 128 * number + 8, offset);
        out.extend(archive.stored(entry));
    }
    out.resize(out.len().next_multiple_of(64), 0);
    out.extend(&bytes[bytes.len() - 32..]);
    let length = out.len() as u64;
    put(&mut out, 24, length);
    forge(&mut out);
    out
}

#[test]
fn lumps_may_be_stored_in_any_order() {
    let bytes = encode(&rich());
    let other = reversed(&bytes);
    assert_ne!(other, bytes);
    let archive = Archive::open(&other).unwrap();
    assert_eq!(lumps_of(&archive), lumps_of(&Archive::open(&bytes).unwrap()));
    assert_eq!(decode(&other).unwrap().project, rich());
    assert_eq!(pack(lumps_of(&archive), None).unwrap(), bytes, "a writer has one order");
    let head = head_bytes(&other).unwrap();
    let ranges = lumps(&other[..head]);
    assert_eq!(ranges.len(), archive.entries().iter().filter(|entry| entry.stored_bytes > 0).count());
    for length in head..other.len() {
        assert!(Archive::open(&other[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn a_nan_is_refused() {
    let mut clip = Clip::new("clip");
    clip.keyframes =
        [Keyframe { duration: Time::SECOND, keys: vec![Key::translation(0, Vec3::NAN)].into(), ..Keyframe::default() }]
            .into();
    let error = keypose::wad::encode(&with_clip(clip), &[]).unwrap_err().to_string();
    assert!(error.contains("clip clip") && error.contains("not finite"), "{error}");
}

#[test]
fn unknown_critical_lumps_are_refused_by_name() {
    let mut lumps = lumps_of(&Archive::open(&encode(&small())).unwrap());
    let name = "some thing".to_owned();
    lumps.push(Lump { kind: Kind(*b"XTRA"), name, version: 1, codec: Codec::Store, bytes: Some(vec![1]) });
    let error = decode(&pack(lumps.clone(), None).unwrap()).unwrap_err().to_string();
    assert!(error.contains("XTRA/some thing"), "{error}");
    lumps.pop();
    lumps.iter_mut().find(|lump| lump.kind == Kind::CLIP).unwrap().version = 77;
    let error = decode(&pack(lumps, None).unwrap()).unwrap_err().to_string();
    assert!(error.contains("ANIM/arm/wave") && error.contains("version 77"), "{error}");
}

pub fn lumps_of(archive: &Archive<'_>) -> Vec<Lump> {
    archive.to_lumps().unwrap()
}

#[test]
fn compressed_lumps_decode_the_same() {
    let mut project = rich();
    let model = Arc::make_mut(&mut project.models[0]);
    let pixels = (0..4 * 64 * 64).map(|at| (at / 256) as u8).collect::<Vec<_>>().into();
    let texture =
        Texture { name: "gradient".into(), width: 64, height: 64, data: pixels, source_format: "generated".into() };
    model.textures.push(Arc::new(texture));
    let mut lumps = lumps_of(&Archive::open(&encode(&project)).unwrap());
    edit::uncompress(&mut lumps);
    let bytes = pack(lumps.clone(), None).unwrap();
    assert!(Archive::open(&bytes).unwrap().entries().iter().all(|entry| entry.codec == Codec::Store));
    lumps.iter_mut().for_each(|lump| lump.codec = Codec::Lz4);
    let packed = pack(lumps, None).unwrap();
    assert!(packed.len() < bytes.len() / 2, "{} of {}", packed.len(), bytes.len());
    assert_eq!(decode(&packed).unwrap().project, project);
}

#[test]
fn images_are_packed_and_decode_the_same() {
    let bytes = encode(&painted());
    let archive = Archive::open(&bytes).unwrap();
    let packed = |name: &str| archive.find(Kind::TEXTURE, name).unwrap();
    for name in ["knight/soft", "knight/few"] {
        assert_eq!(packed(name).codec, Codec::Pixels, "{name}");
        assert!(packed(name).stored_bytes * 2 < packed(name).raw_bytes, "{name}");
    }
    assert_eq!(packed("knight/plate").codec, Codec::Store, "too small to gain by it");
    assert_eq!(decode(&bytes).unwrap().project, painted());
}

#[test]
fn image_files_are_kept_as_they_came() {
    let project = painted();
    let bytes = encode(&project);
    let archive = Archive::open(&bytes).unwrap();
    let texture = project.models[0].textures.last().unwrap();
    let entry = archive.find(Kind::TEXTURE, "knight/kept").unwrap();
    assert!(entry.codec == Codec::Store && archive.lump(entry).unwrap().ends_with(texture.file().unwrap()));
    let with = |change: &dyn Fn(&mut Lump)| {
        let mut lumps = lumps_of(&archive);
        lumps.iter_mut().filter(|lump| lump.name == "knight/kept").for_each(change);
        decode(&pack(lumps, None).unwrap()).unwrap_err().to_string()
    };
    // The record: a length and the name, then width and height.
    let width = |bytes: &mut Vec<u8>| bytes.windows(4).position(|text| text == b"kept").unwrap() + 4;
    let narrower = with(&|lump| {
        let bytes = lump.bytes.as_mut().unwrap();
        let at = width(bytes);
        bytes[at] = 3;
    });
    assert!(narrower.contains("TEXR/knight/kept") && narrower.contains("2 x 1 pixels, not 3 x 1"), "{narrower}");
    let huge = with(&|lump| {
        let bytes = lump.bytes.as_mut().unwrap();
        let at = width(bytes);
        bytes[at..at + 8].copy_from_slice(&[0, 32, 0, 0, 0, 64, 0, 0]);
    });
    assert!(huge.contains("the images decode to 536870912 bytes or more"), "{huge}");
    let other = with(&|lump| lump.bytes.as_mut().map(|bytes| bytes[64] = 0).unwrap());
    assert!(other.contains("no PNG, JPEG or WebP"), "{other}");
    // What only decoding finds is found where the pixels are needed, and by verification.
    let mut lumps = lumps_of(&archive);
    let lump = lumps.iter_mut().find(|lump| lump.name == "knight/kept").and_then(|lump| lump.bytes.as_mut()).unwrap();
    let at = lump.windows(4).position(|text| text == b"IDAT").unwrap() + 8;
    lump[at] ^= 0xff;
    let damaged = pack(lumps, None).unwrap();
    let opened = decode(&damaged).unwrap().project;
    assert!(opened.models[0].textures.last().unwrap().pixels().unwrap_err().contains("cannot be decoded"));
    let found = verify(&damaged, Depth::Records).unwrap_err().to_string();
    assert!(found.contains("TEXR/knight/kept: cannot be decoded"), "{found}");
    let mut long = project.clone();
    let textures = &mut Arc::make_mut(&mut long.models[0]).textures;
    let last = Arc::make_mut(textures.last_mut().unwrap());
    last.data = ImageData::File([&last.file().unwrap()[..], &[0; 4096]].concat().into());
    let mut lumps = lumps_of(&Archive::open(&encode(&long)).unwrap());
    lumps.iter_mut().for_each(|lump| lump.codec = Codec::Lz4);
    let packed = decode(&pack(lumps, None).unwrap()).unwrap_err().to_string();
    assert!(packed.contains("TEXR/knight/kept: a compressed image file"), "{packed}");
}

/// Large enough for several threads.
#[test]
fn pixels_of_a_shared_archive_are_views_of_its_bytes() {
    let mut project = rich();
    let model = Arc::make_mut(&mut project.models[0]);
    let pixels = (0..4 * 640 * 512).map(|at| (at % 253) as u8).collect::<Vec<_>>().into();
    let texture =
        Texture { name: "large".into(), width: 640, height: 512, data: pixels, source_format: "generated".into() };
    model.textures.push(Arc::new(texture));
    for codec in [Codec::Store, Codec::Lz4, Codec::Pixels] {
        let mut lumps = lumps_of(&Archive::open(&encode(&project)).unwrap());
        lumps.iter_mut().for_each(|lump| lump.codec = codec);
        let mut file = Bytes::from(pack(lumps, None).unwrap());
        let decoded = decode_shared(&file).unwrap();
        assert_eq!((&decoded.project, &decoded.findings), (&project, &vec![]));
        let pixels = &decoded.project.models[0].textures[2].pixels().unwrap();
        assert_eq!(file.view(pixels).is_some(), codec == Codec::Store);
        let (kept, copy) = (pixels.clone(), pixels.to_vec());
        let mut damaged = file.to_vec();
        drop((decoded, std::mem::take(&mut file)));
        assert!(*kept == *copy, "a view keeps the bytes");
        let large = Archive::open(&damaged).unwrap().find(Kind::TEXTURE, "knight/large").unwrap().clone();
        damaged[large.offset + large.stored_bytes / 2] ^= 1;
        assert!(decode_shared(&Bytes::from(damaged.clone())).unwrap_err().to_string().contains("checksum"));
        if codec == Codec::Pixels {
            // What a checksum doesn't tell is found where the pixels are needed: by the renderer, by a save, and by verification.
            let head = u32::from_le_bytes(damaged[large.offset..].first_chunk().copied().unwrap()) as usize;
            let form_of_first_strip = large.offset + 8 + 4 * 512 / 128 + head;
            damaged[form_of_first_strip] = 9;
            forge(&mut damaged);
            let opened = decode(&damaged).unwrap().project;
            assert!(opened.models[0].textures[2].pixels().unwrap_err().contains("can't unpack a strip"));
            for error in [wad::encode(&opened, &[]).unwrap_err(), verify(&damaged, Depth::Records).unwrap_err()] {
                assert!(error.to_string().contains("TEXR/knight/large"), "{error}");
            }
        }
    }
}

fn with_clip(clip: Clip) -> Project {
    let clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }];
    let mut project = Project::default();
    project.add_model(Model { name: "model".into(), skeleton: skeleton(3), clips, ..Model::default() });
    project
}

fn any_key() -> impl Strategy<Value = Key> {
    let number = || prop::array::uniform4(-1e6_f32..1e6);
    let modes = (0..3_usize, 0..3_usize, 0..5_usize);
    (0..5_u16, modes, number(), number(), number()).prop_map(|(bone, (channel, ease, kind), value, into, out)| {
        let channel = Channel::ALL[channel];
        let value = Vec4::from_array(value);
        let unit = Vec4::from(Quat::from_vec4(value).normalize());
        let value = if channel == Channel::Rotation && unit.is_finite() { unit } else { value };
        let channel = if unit.is_finite() { channel } else { Channel::Scale };
        let (handles, [in_length, out_length]) =
            (HandleKind::ALL[kind], [HERMITE, HERMITE, HERMITE, [0.001, 1.0], [0.4, 0.7]][kind]);
        let (in_tangent, out_tangent) = (Vec4::from_array(into), Vec4::from_array(out));
        Key { bone, channel, value, ease: Ease::ALL[ease], in_tangent, out_tangent, in_length, out_length, handles }
    })
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let all = (1..1_000_000_000_i64, 0..3_usize, prop::collection::vec(any_key(), 0..8));
    let keyframe = all.prop_map(|(duration, kind, keys)| {
        let kind = KeyframeKind::ALL[kind];
        let mut keyframe = Keyframe { duration: Time(duration), kind, ..Keyframe::default() };
        keys.into_iter().for_each(|key| keyframe.set(key));
        keyframe
    });
    (".{1,90}", 0..3_usize, prop::collection::vec(keyframe, 0..12)).prop_map(|(name, loop_mode, keyframes)| Clip {
        loop_mode: LoopMode::ALL[loop_mode],
        keyframes: keyframes.into(),
        ..Clip::new(name)
    })
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_clip_is_read_unchanged(clip in any_clip()) {
        prop_assume!(!clip.name.trim().is_empty());
        let project = with_clip(clip);
        let decoded = decode(&encode(&project)).unwrap();
        prop_assert_eq!(decoded.findings, Vec::<String>::new());
        prop_assert_eq!(decoded.project, project);
    }
}
