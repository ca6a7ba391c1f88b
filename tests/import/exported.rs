//! Models that go out as GLB and come back: the same skeleton, meshes, materials, sockets, events and poses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glam::{Vec2, Vec3, Vec4};
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind};
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose::assets::texture::Texture;
use keypose_app::app::files;
use keypose_tools::export::gltf::{Glb, GlbOptions, LoopNames, encode};
use keypose_tools::import::import;

use crate::models;

/// Files of these kinds in a folder and those below it.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        if path.is_dir() {
            found.extend(files_in(&path));
        } else if ["glb", "gltf", "fbx", "dae", "wad"].contains(&kind) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Models that have bones, with their names and those of their files.
type Named = Vec<(String, Arc<Model>)>;

/// The models of every file of the repository that opens.
pub fn own_models() -> &'static Named {
    static MODELS: OnceLock<Named> = OnceLock::new();
    MODELS.get_or_init(|| {
        let data = models::own();
        let mut files: Vec<PathBuf> =
            ["models", "versions"].iter().flat_map(|folder| files_in(&data.join(folder))).collect();
        files.extend(["../demo.wad", "arm.wad", "two_bones.wad"].map(|name| data.join(name)));
        all_models(files)
    })
}

/// The models of every file of the larger set.
pub fn larger_models() -> &'static Named {
    static MODELS: OnceLock<Named> = OnceLock::new();
    MODELS.get_or_init(|| {
        let larger = models::larger();
        all_models(["gltf", "fbx", "dae", "mixamo"].iter().flat_map(|folder| files_in(&larger.join(folder))).collect())
    })
}

fn all_models(files: Vec<PathBuf>) -> Named {
    let mut models = Vec::new();
    for file in files {
        let Ok(opened) = files::open_with(&file, &files::Opening { leaves_clips_unbaked: true, ..Default::default() })
        else {
            continue;
        };
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let found = opened.project.models.iter().filter(|model| !model.skeleton.is_empty());
        models.extend(found.map(|model| (format!("{name}: {}", model.name), model.clone())));
    }
    models
}

fn exported(model: &Model) -> Glb {
    encode(model, GlbOptions::default()).unwrap()
}

fn imported(bytes: &[u8]) -> (Model, Vec<String>) {
    let imported = import("out.glb", bytes, &mut |_| Err("no other files".into())).unwrap();
    (imported.model, imported.report)
}

/// The weight of each joint of each vertex. What joints of no weight are, and whether one comes twice, has no effect.
fn used(sets: &[InfluenceSet]) -> Vec<BTreeMap<u16, f32>> {
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    let mut used = vec![BTreeMap::new(); vertices];
    for set in sets {
        for (vertex, weights) in used.iter_mut().enumerate() {
            for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex]).filter(|slot| slot.1 > 0.0) {
                *weights.entry(joint).or_default() += weight;
            }
        }
    }
    used
}

/// Normals that are no unit vectors are normalised.
fn is_same_direction(before: Option<&Vec3>, after: Option<&Vec3>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => before.normalize().distance(*after) < 1e-6,
        (before, after) => before == after,
    }
}

/// Compares meshes by the corners of their triangles: the export splits vertices with several tangents.
fn check_mesh(place: &str, a: &Mesh, b: &Mesh) {
    assert_eq!(a.indices.len(), b.indices.len(), "{place}");
    let (weights, weights_after) = (used(&a.influences), used(&b.influences));
    assert_eq!(a.morphs.len(), b.morphs.len(), "{place}");
    for (&x, &y) in a.indices.iter().zip(&b.indices) {
        let (at, after) = (x as usize, y as usize);
        assert_eq!(a.positions[at], b.positions[after], "{place}");
        assert!(is_same_direction(a.normals.get(at), b.normals.get(after)), "{place}: normals");
        assert_eq!(a.colors.get(at), b.colors.get(after), "{place}");
        assert!(a.uvs.is_empty() || a.uvs[at] == b.uvs[after], "{place}: texture coordinates");
        assert_eq!(weights.get(at), weights_after.get(after), "{place}");
        for (morph, morph_after) in a.morphs.iter().zip(&b.morphs) {
            assert_eq!(morph.difference(x), morph_after.difference(y), "{place}");
        }
    }
}

fn check_meshes(name: &str, before: &Model, after: &Model) {
    let drawn = |model: &Model| {
        let mut meshes: Vec<(Arc<Mesh>, Visibility)> =
            model.meshes.iter().map(|slot| (slot.mesh.clone(), slot.visibility)).collect();
        meshes.retain(|(mesh, _)| !mesh.indices.is_empty());
        meshes.sort_by(|a, b| a.0.name.cmp(&b.0.name));
        meshes
    };
    let (before_meshes, after_meshes) = (drawn(before), drawn(after));
    assert_eq!(before_meshes.len(), after_meshes.len(), "{name}");
    for ((a, shown), (b, still_shown)) in before_meshes.iter().zip(&after_meshes) {
        let place = format!("{name}, mesh {}", a.name);
        assert_eq!((&a.name, shown), (&b.name, still_shown), "{place}");
        check_mesh(&place, a, b);
        assert_eq!(a.material, b.material, "{place}");
        match (a.binding, b.binding) {
            (Binding::Skin(a), Binding::Skin(b)) => assert_eq!(before.skins[a], after.skins[b], "{place}"),
            (a, b) => assert_eq!(a, b, "{place}"),
        }
    }
}

fn check_materials(name: &str, before: &Model, after: &Model) {
    let plain = |model: &Model| -> Vec<Material> {
        let without_textures = |material: &Arc<Material>| Material {
            texture: None,
            emissive_texture: None,
            normal_texture: None,
            metallic_roughness_texture: None,
            occlusion_texture: None,
            ..Material::clone(material)
        };
        model.materials.iter().map(without_textures).collect()
    };
    assert_eq!(plain(before), plain(after), "{name}");
    for (a, b) in before.materials.iter().zip(&after.materials) {
        let pixels = |model: &Model, material: &Material| {
            let all = [
                material.texture,
                material.emissive_texture,
                material.normal_texture,
                material.metallic_roughness_texture,
                material.occlusion_texture,
            ];
            all.map(|texture| {
                let texture = model.textures.get(texture?)?;
                Some((texture.width, texture.height, texture.pixels().unwrap().to_vec()))
            })
        };
        assert!(pixels(before, a) == pixels(after, b), "{name}: the textures of {}", a.name);
        let file = |model: &Model, material: &Material| model.textures.get(material.texture?)?.file().cloned();
        if let (Some(came), Some(went)) = (file(before, a), file(after, b)) {
            assert!(came == went || came.starts_with(b"RIFF"), "{name}: the file of {}", a.name);
        }
    }
}

/// The value of every keyed channel at a time.
fn values(tracks: &[Track], time: Time) -> BTreeMap<(BoneIndex, Channel), Vec4> {
    tracks.iter().map(|track| ((track.bone, track.channel), track.sample(time))).collect()
}

/// The value of a channel without keys.
fn at_rest(skeleton: &Skeleton, (bone, channel): (BoneIndex, Channel)) -> Vec4 {
    match channel {
        Channel::Scalar(scalar) => Vec4::X * skeleton.scalar(scalar).unwrap().default,
        _ => channel.of(&skeleton.get(bone).unwrap().rest),
    }
}

/// Compares the poses of two clips within each of their keyframes.
pub fn check_clip(place: &str, before: &Clip, after: &Clip, skeleton: &Skeleton) {
    let about =
        |clip: &Clip| (clip.name.clone(), clip.loop_mode, clip.frame_rate, clip.events.clone(), clip.root_motion);
    assert_eq!(about(before), about(after), "{place}");
    let secs = before.length().secs();
    assert!((secs - after.length().secs()).abs() <= secs * 1e-6, "{place}");
    let exists = |track: &Track| match track.channel {
        Channel::Scalar(scalar) => skeleton.scalar(scalar).is_some(),
        _ => usize::from(track.bone) < skeleton.len(),
    };
    let tracks = [before, after].map(|clip| Track::all_of(clip).into_iter().filter(exists).collect::<Vec<_>>());
    let within = |(start, keyframe): (Time, &Keyframe)| {
        let times = [1, 2, 3].map(|part| start + Time(keyframe.duration.0 / 4 * part));
        (keyframe.duration.millis() > 1.0).then_some(times)
    };
    for time in before.starts().zip(&before.keyframes).filter_map(within).flatten() {
        let [one, other] = [&tracks[0], &tracks[1]].map(|tracks| values(tracks, time));
        for address in one.keys().chain(other.keys()).copied().collect::<BTreeSet<_>>() {
            let [a, b] =
                [&one, &other].map(|all| all.get(&address).copied().unwrap_or_else(|| at_rest(skeleton, address)));
            let b = if address.1 == Channel::Rotation && a.dot(b) < 0.0 { -b } else { b };
            let error = (a - b).abs().max_element() / (1.0 + a.abs().max_element());
            assert!(error < 1e-4, "{place} at {time}, {address:?}: {a} became {b}");
        }
    }
}

fn check_same(name: &str, before: &Model, after: &Model) {
    assert_eq!(before.skeleton, after.skeleton, "{name}");
    assert_eq!(before.sockets, after.sockets, "{name}");
    assert_eq!(before.combat.hurt, after.combat.hurt, "{name}");
    for (a, b) in before.clips.iter().zip(&after.clips) {
        assert_eq!(before.combat.lanes_of(a.id), after.combat.lanes_of(b.id), "{name}, clip {}", a.clip.name);
    }
    check_materials(name, before, after);
    check_meshes(name, before, after);
    assert_eq!(before.clips.len(), after.clips.len(), "{name}");
    for (a, b) in before.clips.iter().zip(&after.clips) {
        check_clip(&format!("{name}, clip {}", a.clip.name), &a.clip, &b.clip, &before.skeleton);
    }
}

/// Checks a model as it comes back, and returns that.
fn check(name: &str, model: &Model) -> Model {
    let (after, _) = imported(&exported(model).bytes);
    check_same(name, model, &after);
    after
}

#[test]
fn models_come_back_the_same() {
    for (name, model) in own_models() {
        check(&format!("{name}, again"), &check(name, model));
    }
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn larger_models_come_back_the_same() {
    for (name, model) in larger_models() {
        check(name, model);
    }
}

#[test]
fn masses_and_gravity_come_back() {
    let mut model = mirrored();
    model.rig.masses.insert(model.skeleton.bones()[0].name.clone(), 12.3);
    model.rig.gravity = Some(9.81);
    let (after, _) = imported(&exported(&model).bytes);
    assert_eq!((&after.rig.masses, after.rig.gravity), (&model.rig.masses, model.rig.gravity));
}

#[test]
fn names_for_godot_come_back_without_their_ending() {
    let demo = files::open(&models::own().join("../demo.wad")).unwrap();
    let model = &demo.project.models[0];
    let glb = encode(model, GlbOptions { loop_names: LoopNames::Godot }).unwrap();
    let text = String::from_utf8_lossy(&glb.bytes);
    assert!(text.contains("\"walk-loop\"") && !text.contains("\"jump-loop\""));
    check_same("godot", model, &imported(&glb.bytes).0);
    let mut model = Model::clone(model);
    let walk = model.clips.iter().position(|slot| slot.clip.name == "walk").unwrap();
    Arc::make_mut(&mut model.clips[if walk == 0 { 1 } else { 0 }].clip).name = "walk-loop".into();
    let glb = encode(&model, GlbOptions { loop_names: LoopNames::Godot }).unwrap();
    assert_eq!(glb.findings.last().unwrap(), "walk: not named as a loop, because there is a clip walk-loop");
}

#[test]
fn lanes_stay_with_their_clips_if_another_clip_is_left_out() {
    let demo = files::open(&models::own().join("../demo.wad")).unwrap();
    let model = &demo.project.models[0];
    let mut glb = crate::glb::Glb::parse(&exported(model).bytes);
    glb.json["animations"][0]["samplers"][0]["input"] = 1_000_000_u32.into();
    let (after, _) = imported(&glb.bytes());
    assert_eq!(after.clips.len(), model.clips.len() - 1);
    for (a, b) in model.clips.iter().skip(1).zip(&after.clips) {
        assert_eq!(a.clip.name, b.clip.name);
        assert_eq!(model.combat.lanes_of(a.id), after.combat.lanes_of(b.id), "{}", a.clip.name);
    }
}

#[test]
fn marks_of_keyframes_come_back() {
    let demo = files::open(&models::own().join("../demo.wad")).unwrap();
    let mut model = (*demo.project.models[0]).clone();
    let clip = Arc::make_mut(&mut model.clips[2].clip);
    for (at, keyframe) in clip.keyframes.iter_mut().enumerate() {
        keyframe.kind = KeyframeKind::ALL[at % 3];
    }
    let marks = |clip: &Clip| clip.keyframes.iter().map(|keyframe| keyframe.kind).collect::<Vec<_>>();
    let before = marks(clip);
    assert!(before.len() > 4);
    let after = imported(&exported(&model).bytes).0;
    // A loop comes back with its end as a keyframe.
    assert_eq!(marks(&after.clips[2].clip)[..before.len()], before);
    assert!(marks(&after.clips[1].clip).iter().all(|kind| *kind == KeyframeKind::Plain));
}

/// A time in seconds of 32 bits is up to some nanoseconds beside the frame, and a step after it would be seen a frame late.
#[test]
fn steps_come_back_at_their_frames_and_ticks() {
    let demo = files::open(&models::own().join("../demo.wad")).unwrap();
    let mut model = (*demo.project.models[0]).clone();
    for (rate, apart) in [(FrameRate::FPS_30, 1), (FrameRate::FPS_24, 5), (FrameRate::FPS_60, 7)] {
        let keyframe = |at: u16| Keyframe {
            duration: rate.time_of(apart),
            keys: [Key { ease: Ease::Step, ..Key::translation(1, Vec3::Y * f32::from(at)) }].into(),
            ..Keyframe::default()
        };
        let keyframes = (0..90).map(keyframe).collect();
        model.clips[0].clip = Arc::new(Clip { keyframes, frame_rate: rate, ..Clip::new("steps") });
        let before = model.clips[0].clip.clone();
        let after = imported(&exported(&model).bytes).0.clips[0].clip.clone();
        for (start, value) in before.starts().zip(0_u16..).skip(1) {
            let shown = Track::of(&after, 1, Channel::Translation).unwrap().sample(start);
            assert!(shown.y == f32::from(value), "step {value} at {rate:?}: {}", shown.y);
        }
    }
}

#[test]
fn bezier_segments_come_back_as_cubic_splines() {
    let demo = files::open(&models::own().join("../demo.wad")).unwrap();
    let mut model = (*demo.project.models[0]).clone();
    let clip = Arc::make_mut(&mut model.clips[0].clip);
    for key in clip.keyframes.iter_mut().flat_map(|keyframe| keyframe.keys.iter_mut()) {
        (key.ease, key.in_length, key.out_length) = (Ease::Cubic, 0.9, 0.7);
    }
    let clip = clip.clone();
    let glb = exported(&model);
    let reported = glb.findings.iter().filter(|finding| finding.contains("glTF has no lengths of handles")).count();
    assert_eq!(reported, 1, "{:?}", glb.findings);
    let after = imported(&glb.bytes).0;
    check_clip("Bézier", &clip, &after.clips[0].clip, &model.skeleton);
    assert!(exported(&after).findings.iter().all(|finding| !finding.contains("handles")));
}

/// Two triangles with a common edge, on which the texture is mirrored.
fn mirrored() -> Model {
    let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
    let pixels = [128, 128, 255, 255].repeat(4);
    let texture =
        Texture { name: "bumps".into(), width: 2, height: 2, data: pixels.into(), source_format: "png".into() };
    let mesh = Mesh {
        name: "roof".into(),
        positions: vec![Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::NEG_X],
        normals: vec![Vec3::Z; 4],
        uvs: vec![Vec2::ZERO, Vec2::Y, Vec2::X, Vec2::X],
        colors: vec![],
        indices: vec![0, 2, 1, 0, 1, 3],
        influences: vec![],
        morphs: vec![],
        material: 0,
        binding: Binding::Bone(0),
    };
    Model {
        name: "roof".into(),
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(Material { name: "roof".into(), normal_texture: Some(0), ..Material::default() })],
        textures: vec![Arc::new(texture)],
        ..Model::default()
    }
}

#[test]
fn tangents_split_a_mirrored_seam() {
    let before = mirrored();
    before.check().unwrap();
    let glb = crate::glb::Glb::parse(&exported(&before).bytes);
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let count = |name: &str| {
        let accessor = primitive["attributes"][name].as_u64().unwrap() as usize;
        glb.json["accessors"][accessor]["count"].as_u64().unwrap()
    };
    assert_eq!((count("POSITION"), count("TANGENT")), (6, 6));
    check_same("roof", &before, &imported(&exported(&before).bytes).0);
}
