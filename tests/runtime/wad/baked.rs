//! Baked clips in the archive: used if they match, baked again if they don't.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use keypose::anim::bake::quantized_samples::CONSTANT;
use keypose::anim::bake::{BakedClip, FormKind, bake};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::{Ease, Key};
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::kind::Kind;
use keypose::wad::overlay::decode_layers;
use keypose::wad::pack::{Lump, pack};
use keypose::wad::{Decoded, decode, edit};

use crate::sample::{characters, encode, every_form, patch_to, play, rich, skeleton, small};

/// A model of 11 bones with nine clips, three for each loop mode, with all eases.
pub fn swinging() -> Project {
    let key = |bone: u16, at: u16| {
        let angle = f32::from(at * (bone + 1)) * 0.02;
        let rotation = Key::rotation(bone, Quat::from_rotation_y(angle) * Quat::from_rotation_x(0.3));
        let mut moved = Key::translation(bone, Vec3::new(angle, -0.5, 0.0));
        moved.ease = Ease::ALL[usize::from(bone + at) % Ease::ALL.len()];
        (moved.in_tangent, moved.out_tangent) = (Vec4::new(0.02, 0.0, 0.01, 0.0), Vec4::new(-0.03, 0.04, 0.0, 0.0));
        vec![moved, rotation]
    };
    let keyframe = |at: u16| Keyframe {
        duration: Time(Time::SECOND.0 / 7 * i64::from(at + 1)),
        keys: (0..11).filter(|bone| bone % 4 != 1).flat_map(|bone| key(bone, at)).collect(),
        ..Keyframe::default()
    };
    let clip = |at: usize| Clip {
        loop_mode: LoopMode::ALL[at / 3],
        keyframes: (0..4).map(keyframe).collect(),
        ..Clip::new(format!("swing {at}"))
    };
    let clips = (0..9).map(|at| ClipSlot { id: ClipId(0), clip: Arc::new(clip(at)) });
    let mut project = Project::default();
    project.add_model(Model {
        name: "dancer".into(),
        skeleton: skeleton(11),
        clips: clips.collect(),
        ..Model::default()
    });
    project
}

fn lumps(bytes: &[u8]) -> Vec<Lump> {
    Archive::open(bytes).unwrap().to_lumps().unwrap()
}

fn bytes_of<'a>(lumps: &'a mut [Lump], kind: Kind, name: &str) -> &'a mut Vec<u8> {
    lumps.iter_mut().find(|lump| lump.kind == kind && lump.name == name).unwrap().bytes.as_mut().unwrap()
}

fn clip_of<'a>(decoded: &'a Decoded, name: &str) -> &'a BakedClip {
    decoded.characters.iter().find_map(|character| character.clip_named(name)).unwrap()
}

/// Asserts that both have the same poses, bit for bit.
fn assert_same_motion(a: &BakedClip, b: &BakedClip) {
    let (mut left, mut right) = (LocalPose::default(), LocalPose::default());
    for step in 0..=50 {
        let time = Time(a.length.0 / 50 * step);
        a.sample_portable(time, &mut left);
        b.sample_portable(time, &mut right);
        assert_eq!(left, right, "{} at {time}", a.name);
    }
}

#[test]
fn every_form_is_read_as_it_was_written() {
    for project in [swinging(), rich(), small()] {
        let (bytes, before) = every_form(&project, 0);
        for codec in [Codec::Store, Codec::Lz4] {
            let mut lumps = lumps(&bytes);
            edit::recode(&mut lumps, codec);
            let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
            assert_eq!(decoded.findings, Vec::<String>::new());
            for (before, after) in before.iter().zip(&decoded.characters) {
                assert_eq!(before.clips, after.clips);
                before.clips.iter().zip(&after.clips).for_each(|(a, b)| assert_same_motion(a, b));
                play(after);
            }
        }
        let decoded = decode(&bytes).unwrap();
        assert!(wad::encode(&decoded.project, &decoded.characters).unwrap() == bytes, "the same bytes again");
    }
    let forms: Vec<_> = every_form(&swinging(), 0).1[0].clips.iter().map(|clip| clip.report().form).collect();
    let all = [FormKind::SampledPoses, FormKind::QuantizedSamples, FormKind::PackedSamples, FormKind::CurveWindows];
    assert_eq!(forms, all.repeat(3)[..9]);
}

#[test]
fn stored_samples_are_played_without_baking() {
    let mut lumps = lumps(&every_form(&swinging(), 1).0);
    let walk = bytes_of(&mut lumps, Kind::BAKED, "dancer/swing 0");
    // In the last sample a bone that is always 0.5 below its parent.
    let mut fixed = walk.rchunks(2).enumerate().filter(|(_, two)| *two == CONSTANT.to_le_bytes());
    // The last number is the z of the bone, which is 0; its y precedes it.
    let at = walk.len() - 2 * (fixed.nth(1).unwrap().0 + 1);
    walk[at..at + 2].copy_from_slice(&(CONSTANT / 2).to_le_bytes());
    let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
    assert_eq!(decoded.findings, Vec::<String>::new());
    let mut pose = LocalPose::default();
    let clip = clip_of(&decoded, "swing 0");
    clip.sample(clip.length, &mut pose);
    assert!(pose.iter().any(|transform| transform.translation.y == -0.25), "the stored samples were not used");
}

#[test]
fn an_outdated_baked_clip_is_baked_again_with_a_finding() {
    let project = swinging();
    let mut changed = project.clone();
    let model = Arc::make_mut(&mut changed.models[0]);
    Arc::make_mut(&mut model.clips[2].clip).keyframes[0].duration = Time(999);
    let mut lumps = lumps(&encode(&project));
    let newer = Archive::open(&encode(&changed)).unwrap().to_lumps().unwrap();
    let newer = newer.into_iter().find(|lump| lump.kind == Kind::CLIP && lump.name == "dancer/swing 2").unwrap();
    edit::put(&mut lumps, newer, None).unwrap();
    let decoded = decode(&pack(lumps.clone(), None).unwrap()).unwrap();
    let [finding] = &decoded.findings[..] else { panic!("{:?}", decoded.findings) };
    assert!(finding.contains("dancer") && finding.contains("swing 2") && finding.contains("baked again"), "{finding}");
    assert_eq!(clip_of(&decoded, "swing 2"), &bake(&changed.models[0].clips[2].clip, &changed.models[0].skeleton));
    edit::rebake(&mut lumps).unwrap();
    let bytes = pack(lumps, None).unwrap();
    assert!(bytes == encode(&changed), "the same bytes as a save of the changed project");
}

#[test]
fn another_skeleton_makes_every_baked_clip_stale() {
    let project = swinging();
    let mut lumps = lumps(&encode(&project));
    let bytes = bytes_of(&mut lumps, Kind::SKELETON, "dancer");
    let at = bytes.windows(4).rposition(|four| four == 0.5_f32.to_le_bytes()).unwrap();
    bytes[at..at + 4].copy_from_slice(&0.75_f32.to_le_bytes());
    let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
    assert_eq!(decoded.findings.len(), 1, "one line for the model: {:?}", decoded.findings);
    assert!((0..9).all(|at| decoded.findings[0].contains(&format!("swing {at}"))));
    let model = &decoded.project.models[0];
    assert_eq!(clip_of(&decoded, "swing 5"), &bake(&model.clips[5].clip, &model.skeleton));
}

#[test]
fn a_missing_baked_clip_is_baked_without_a_finding() {
    let project = swinging();
    let mut lumps = lumps(&encode(&project));
    lumps.retain(|lump| lump.kind != Kind::BAKED);
    let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
    assert_eq!(decoded.findings, Vec::<String>::new());
    assert_eq!(decoded.characters[0].clips, characters(&project)[0].clips);
}

#[test]
fn an_invalid_baked_clip_is_baked_again_with_place_and_reason() {
    let whole = lumps(&encode(&swinging()));
    type Damage = fn(&mut Lump);
    let cases: &[(&str, Damage, &str)] = &[
        ("newer", |lump| lump.version = 2, "version 2 of the kind BAKE"),
        ("empty", |lump| lump.bytes = Some(vec![]), "0 bytes left"),
        ("short", |lump| lump.bytes.as_mut().unwrap().truncate(500), "bytes left"),
        ("sections", |lump| lump.bytes.as_mut().unwrap()[4] = 2, "BAKE/dancer/swing 0"),
    ];
    for (name, damage, reason) in cases {
        let mut lumps = whole.clone();
        damage(lumps.iter_mut().find(|lump| lump.kind == Kind::BAKED).unwrap());
        let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
        let [finding] = &decoded.findings[..] else { panic!("{name}: {:?}", decoded.findings) };
        assert!(finding.contains(reason) && finding.contains("baked again"), "{name}: {finding}");
        assert_eq!(decoded.characters[0].clips, characters(&swinging())[0].clips, "{name}");
    }
}

#[test]
fn a_baked_clip_without_its_clip_is_a_finding() {
    let mut lumps = lumps(&encode(&small()));
    let lump = lumps.iter().find(|lump| lump.kind == Kind::BAKED).unwrap().clone();
    lumps.push(Lump { name: "arm/gone".into(), ..lump });
    let decoded = decode(&pack(lumps, None).unwrap()).unwrap();
    assert!(decoded.findings[0].contains("BAKE/arm/gone"), "{:?}", decoded.findings);
    assert_eq!(encode(&decoded.project), encode(&small()));
}

#[test]
fn our_patch_holds_its_baked_clips_and_a_hand_made_one_is_a_finding() {
    let base = encode(&swinging());
    let mut changed = swinging();
    let model = Arc::make_mut(&mut changed.models[0]);
    Arc::make_mut(&mut model.clips[1].clip).keyframes[0].duration = Time(999);
    let patch = patch_to(&base, &changed);
    let layers = Archive::open(&patch).unwrap();
    let kinds: Vec<_> = layers.entries().iter().map(|entry| entry.title()).collect();
    assert_eq!(kinds, ["ANIM/dancer/swing 1", "BAKE/dancer/swing 1"]);
    assert_eq!(decode_layers(&[&base, &patch]).unwrap().findings, Vec::<String>::new());
    let mut by_hand = layers.to_lumps().unwrap();
    by_hand.retain(|lump| lump.kind == Kind::CLIP);
    let by_hand = pack(by_hand, layers.header().base).unwrap();
    let decoded = decode_layers(&[&base, &by_hand]).unwrap();
    assert_eq!(decoded.findings.len(), 1, "{:?}", decoded.findings);
    assert_eq!(clip_of(&decoded, "swing 1"), &bake(&changed.models[0].clips[1].clip, &changed.models[0].skeleton));
}

#[test]
fn characters_of_another_state_are_not_stored() {
    let before = characters(&swinging());
    let mut project = swinging();
    let model = Arc::make_mut(&mut project.models[0]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes[1].duration = Time(777);
    assert!(wad::encode(&project, &before).unwrap() == encode(&project));
    assert!(wad::encode(&project, &[]).unwrap() == encode(&project), "missing clips are baked");
}

#[test]
fn numbers_at_the_limits_of_f32_are_saved_without_a_baked_form() {
    let mut project = small();
    let model = Arc::make_mut(&mut project.models[0]);
    let far = |value: f32| Keyframe {
        duration: Time::SECOND,
        keys: vec![Key::translation(0, Vec3::splat(value))].into(),
        ..Keyframe::default()
    };
    Arc::make_mut(&mut model.clips[0].clip).keyframes = [far(3e38), far(-3e38)].into();
    let bytes = encode(&project);
    assert!(Archive::open(&bytes).unwrap().find(Kind::BAKED, "arm/wave").is_none());
    let decoded = decode(&bytes).unwrap();
    assert_eq!((decoded.project, decoded.findings), (project, vec![]));
}
