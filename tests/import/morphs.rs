//! Morph targets: names, defaults and keys of glTF files and of FBX files made in parts, what comes back of an export, and bad input.

use glam::{Vec2, Vec3};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::scalar::{Scalar, ScalarKind, Sheet};
use keypose::anim::tangent::resolve_tangents;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::id::ClipId;
use keypose::assets::material::{Material, UvTransform};
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::texture::Texture;
use keypose_tools::export::gltf::{GlbOptions, encode};
use keypose_tools::import::Imported;
use serde_json::json;
use std::sync::Arc;

use crate::exported::check_clip;
use crate::fbx_kit::{Small, binary};
use crate::glb::Glb;
use crate::importing::read;
use crate::models;

fn morphs() -> Vec<u8> {
    models::bytes(&models::own().join("models/morphs.glb"))
}

fn weights(model: &Model) -> Vec<(&str, f32)> {
    model.skeleton.scalars().iter().map(|scalar| (scalar.name.as_str(), scalar.default)).collect()
}

#[test]
fn names_defaults_and_sparse_targets_come_in() {
    let Imported { model, report } = read("morphs.glb", &morphs()).unwrap();
    assert!(report.iter().all(|line| line.contains("already used")), "{report:?}");
    let body = [("wide", 0.0), ("shift.L", 0.0), ("shift.R", 0.5)];
    let prop = [("wide", 0.0), ("shift.L", 0.25), ("shift.R", 0.0)];
    assert_eq!(weights(&model), [body, prop].concat());
    let targets = &model.meshes[0].mesh.morphs;
    assert_eq!(targets.iter().map(|target| target.scalar).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(targets[2].vertices, [48, 50, 53]);
    assert_eq!(targets[2].positions[1], Vec3::new(1.0, 8.0, 0.0));
    assert_eq!(model.meshes[1].mesh.morphs[0].scalar, 3);
    let eases = |clip: &str, scalar: u16| {
        let bone = model.skeleton.scalars()[usize::from(scalar)].bone;
        let track = Track::of(&model.clip_named(clip).unwrap().clip, bone, Channel::Scalar(scalar)).unwrap();
        track.keys.iter().map(|(_, key)| key.ease).collect::<Vec<_>>()
    };
    assert_eq!(eases("linear.001", 2)[0], Ease::Linear);
    assert_eq!((eases("step.001", 0)[0], eases("curve", 1)[0]), (Ease::Step, Ease::Cubic));
}

/// The model of the file with a clip in which each weight is keyed in its own way, and with a property and a visibility.
fn authored() -> Model {
    let mut model = read("morphs.glb", &morphs()).unwrap().model;
    let mut scalars = model.skeleton.scalars().to_vec();
    let body = scalars[0].bone;
    let prop = scalars[3].bone;
    scalars.push(Scalar { name: "glow".into(), bone: 1, kind: ScalarKind::Property, default: 2.0 });
    let name = model.meshes[1].mesh.name.clone();
    scalars.push(Scalar { name, bone: prop, kind: ScalarKind::Visibility, default: 1.0 });
    model.skeleton = Arc::new((*model.skeleton).clone().with_scalars(scalars).unwrap());
    let key = |bone, scalar, value, ease| Key { ease, ..Key::scalar(bone, scalar, value) };
    let keyframe = |keys: Vec<Key>| Keyframe { duration: Time::SECOND / 2, keys: keys.into(), ..Keyframe::default() };
    let keyframes = [
        keyframe(vec![key(1, 6, 1.0, Ease::Cubic), key(body, 0, 0.0, Ease::Cubic), key(body, 1, 0.5, Ease::Step)]),
        keyframe(vec![key(body, 2, 1.0, Ease::Linear), key(prop, 7, 0.0, Ease::Step)]),
        keyframe(vec![key(1, 6, 0.0, Ease::Linear), key(body, 0, 1.0, Ease::Cubic), key(body, 1, 0.0, Ease::Linear)]),
        keyframe(vec![
            key(body, 0, 0.25, Ease::Linear),
            key(body, 2, 0.0, Ease::Linear),
            key(prop, 3, 0.5, Ease::Step),
        ]),
    ];
    let mut clip = Clip { keyframes: keyframes.into(), ..Clip::new("mixed") };
    clip.keyframes.iter_mut().for_each(|keyframe| keyframe.keys.sort_by_key(Key::address));
    resolve_tangents(&mut clip);
    model.clips.push(ClipSlot { id: ClipId(99), clip: Arc::new(clip) });
    model.check().unwrap();
    model
}

#[test]
fn an_export_comes_back_with_properties_and_mixed_keys() {
    let model = authored();
    let glb = encode(&model, GlbOptions::default()).unwrap();
    let again = read("out.glb", &glb.bytes).unwrap().model;
    assert_eq!(model.skeleton, again.skeleton);
    for before in &model.meshes {
        let after = again.meshes.iter().find(|after| after.mesh.name == before.mesh.name).unwrap();
        assert_eq!(before.mesh.morphs, after.mesh.morphs, "{}", before.mesh.name);
    }
    for (before, after) in model.clips.iter().zip(&again.clips) {
        check_clip(&before.clip.name, &before.clip, &after.clip, &model.skeleton);
    }
}

/// Readers that ignore our notes see the same weights.
#[test]
fn the_samplers_of_an_export_show_the_same_curves() {
    let model = authored();
    let mut glb = Glb::parse(&encode(&model, GlbOptions::default()).unwrap().bytes);
    let animations = glb.json["animations"].as_array_mut().unwrap();
    for animation in animations {
        animation.as_object_mut().unwrap().remove("extras");
        for channel in animation["channels"].as_array_mut().unwrap() {
            channel.as_object_mut().unwrap().remove("extras");
        }
    }
    let again = read("out.glb", &glb.bytes()).unwrap().model;
    for (before, after) in model.clips.iter().zip(&again.clips) {
        for (scalar, of) in (0..6).zip(model.skeleton.scalars()) {
            let track = |clip: &Clip| Track::of(clip, of.bone, Channel::Scalar(scalar));
            for at in 0..=64 {
                // Not where a step jumps.
                let time = Time(before.clip.length().0 * at / 64 + 1_000_003);
                let value =
                    |clip: &Clip| track(clip).map_or(of.default, |track| track.sample(time.min(clip.length())).x);
                let (a, b) = (value(&before.clip), value(&after.clip));
                assert!((a - b).abs() < 1e-5, "{}, {} at {time}: {a} and {b}", before.clip.name, of.name);
            }
        }
    }
}

/// A model that shows frame 2 of a sheet at rest, and in a clip half a second of frame 5, then frames 0 to 3 in a second.
fn faces() -> Model {
    let mut model = read("morphs.glb", &morphs()).unwrap().model;
    let texture =
        Texture { name: "faces".into(), width: 4, height: 2, data: vec![9; 32].into(), source_format: "png".into() };
    model.textures = vec![Arc::new(texture)];
    let moved = UvTransform { offset: Vec2::new(0.125, 0.0), ..UvTransform::default() };
    let face = Material {
        name: "face".into(),
        texture: Some(0),
        emissive_texture: Some(0),
        uv_transform: moved,
        ..Material::default()
    };
    model.materials[0] = Arc::new(face);
    let mut scalars = model.skeleton.scalars().to_vec();
    let (scalar, kind) = (scalars.len() as u16, ScalarKind::Frame(Sheet { columns: 4, rows: 2 }));
    scalars.push(Scalar { name: Scalar::frame_name("face"), bone: 1, kind, default: 2.0 });
    model.skeleton = Arc::new((*model.skeleton).clone().with_scalars(scalars).unwrap());
    let keyframe = |halves, value, ease| {
        let key = Key { ease, ..Key::scalar(1, scalar, value) };
        Keyframe { duration: Time(Time::SECOND.0 / 2 * halves), keys: vec![key].into(), ..Keyframe::default() }
    };
    let keyframes = [keyframe(1, 5.0, Ease::Step), keyframe(2, 0.0, Ease::Linear), keyframe(1, 3.0, Ease::Linear)];
    let clip = Clip { keyframes: keyframes.into(), ..Clip::new("faces") };
    model.clips = vec![ClipSlot { id: ClipId(99), clip: Arc::new(clip) }];
    model.check().unwrap();
    model
}

#[test]
fn keyed_texture_frames_move_the_textures_of_an_export_and_come_back() {
    let model = faces();
    let out = encode(&model, GlbOptions::default()).unwrap();
    assert!(out.findings.iter().any(|line| line.contains("KHR_animation_pointer")), "{:?}", out.findings);
    let glb = Glb::parse(&out.bytes);
    let animation = &glb.json["animations"][0];
    let pointer = |channel: &serde_json::Value| {
        Some(channel.pointer("/target/extensions/KHR_animation_pointer/pointer")?.as_str()?.to_owned())
    };
    let pointers: Vec<String> = animation["channels"].as_array().unwrap().iter().filter_map(pointer).collect();
    let place = |texture: &str| format!("/materials/0/{texture}/extensions/KHR_texture_transform/offset");
    assert_eq!(pointers, [place("pbrMetallicRoughness/baseColorTexture"), place("emissiveTexture")]);
    for pointer in &pointers {
        assert_eq!(glb.json.pointer(pointer), Some(&json!([0.625, 0.0])), "frame 2 is shown at rest");
    }
    let sampler = &animation["samplers"][1];
    let floats = |name: &str| glb.floats(sampler[name].as_u64().unwrap() as usize);
    let third = 1.0 / 3.0;
    for (time, expected) in floats("input").into_iter().zip([0.0, 0.5, 0.5 + third, 0.5 + 2.0 * third, 1.5]) {
        assert!((time - expected).abs() < 0.04, "{time} is at the frame after {expected}");
    }
    assert_eq!(floats("output"), [0.375, 0.5, 0.125, 0.0, 0.375, 0.0, 0.625, 0.0, 0.875, 0.0]);
    let Imported { model: again, report } = read("out.glb", &out.bytes).unwrap();
    assert_eq!(again.skeleton.scalars(), model.skeleton.scalars());
    assert_eq!(again.materials[0].uv_transform, model.materials[0].uv_transform);
    check_clip("faces", &model.clips[0].clip, &again.clips[0].clip, &model.skeleton);
    assert!(!report.iter().any(|line| line.contains("KHR_animation_pointer")), "{report:?}");
}

/// Other programs keep the notes of materials, and some drop the frames.
#[test]
fn a_texture_that_another_program_moved_stays_where_it_is_shown() {
    let mut edited = Glb::parse(&encode(&faces(), GlbOptions::default()).unwrap().bytes);
    for texture in ["pbrMetallicRoughness/baseColorTexture", "emissiveTexture"] {
        let pointer = format!("/materials/0/{texture}/extensions/KHR_texture_transform/offset");
        *edited.json.pointer_mut(&pointer).unwrap() = json!([0.75, 0.0]);
    }
    for (has_frames, x) in [(true, 0.25), (false, 0.75)] {
        if !has_frames {
            edited.json["asset"]["extras"] = json!(null);
        }
        let material = read("out.glb", &edited.bytes()).unwrap().model.materials[0].clone();
        assert_eq!(material.uv_transform.offset, Vec2::new(x, 0.0), "with frames: {has_frames}");
    }
}

#[test]
fn blend_shapes_of_fbx_come_in_with_names_defaults_and_keys() {
    let Imported { model, report } =
        read("hero.fbx", &binary(&Small { has_shape: true, ..Small::default() }.nodes())).unwrap();
    assert_eq!(report, Vec::<String>::new());
    assert_eq!(weights(&model), [("Smile", 0.25)]);
    let mesh = &model.meshes[0].mesh;
    assert_eq!(mesh.morphs[0].vertices.len(), 1);
    let vertex = mesh.morphs[0].vertices[0] as usize;
    assert!(
        (mesh.positions[vertex] - Vec3::X).length() < 1e-6
            && (mesh.morphs[0].positions[0] - Vec3::Z * 0.5).length() < 1e-6
    );
    let bone = model.skeleton.scalars()[0].bone;
    let track = Track::of(&model.clips[0].clip, bone, Channel::Scalar(0)).unwrap();
    for (halves, expected) in [(0, 0.0), (1, 0.5), (2, 1.0)] {
        assert!((track.sample(Time(Time::SECOND.0 * halves / 2)).x - expected).abs() < 1e-5, "{halves}");
    }
}

/// Changes the JSON of a file, and returns the error or the report.
fn changed(change: impl Fn(&mut serde_json::Value)) -> String {
    let mut glb = Glb::parse(&morphs());
    change(&mut glb.json);
    match read("bad.glb", &glb.bytes()) {
        Ok(imported) => imported.report.join("; "),
        Err(error) => error,
    }
}

/// A name, and what makes a file wrong.
type Case<'a> = (&'a str, &'a dyn Fn(&mut serde_json::Value));

#[test]
fn bad_targets_and_weights_are_refused_or_reported() {
    let primitive = "/meshes/0/primitives/0";
    let cases: [Case<'_>; 5] = [
        ("morph target 0", &|json| {
            let other = json.pointer(&format!("{primitive}/indices")).unwrap().clone();
            json.pointer_mut(&format!("{primitive}/targets/0")).unwrap()["POSITION"] = other;
        }),
        ("weights need", &|json| {
            json.pointer_mut(&format!("{primitive}/targets")).unwrap().as_array_mut().unwrap().push(json!({}));
        }),
        ("has no morph targets", &|json| {
            let channels = json.pointer_mut("/animations/4/channels/0/target").unwrap();
            channels["node"] = json!(0);
        }),
        ("not finite", &|json| json["meshes"][0]["weights"] = json!([1e300, 0, 0])),
        ("an earlier channel", &|json| {
            let channels = json.pointer_mut("/animations/4/channels").unwrap().as_array_mut().unwrap();
            channels.push(channels[0].clone());
        }),
    ];
    for (expected, change) in &cases {
        let found = changed(change);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
