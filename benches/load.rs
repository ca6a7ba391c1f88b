//! Measures opening a document: an archive with a character of 100,000 vertices, 100 clips and 64 MiB of textures is
//! read, verified and made ready to play. Compared with reading and hashing the same bytes, and with importing the same
//! content from a GLB (images as PNG, as usual).
//!
//! `cargo bench --bench load`

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use glam::{Mat4, Vec2, Vec3};
use keypose::anim::key::Channel;
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::track::Track;
use keypose::assets::character::Character;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};
use keypose::assets::project::Project;
use keypose::assets::texture::Texture;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::pack::pack;
use keypose_app::app::files;
use keypose_app::app::files::buffer::Loaded;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::export::png;
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

#[path = "shared/generated.rs"]
mod generated;
#[path = "../tests/support/glb.rs"]
mod glb;

use generated::{Kind, clip, noise, skeleton};
use glb::{F32, Glb, U16, U32, floats, push};

const BONES: usize = 67;
const SIDE: usize = 317;
const CLIPS: usize = 100;
const TEXTURES: usize = 4;
const TEXTURE_SIDE: usize = 2048;

fn main() {
    println!(
        "milliseconds, minimum of {RUNS} runs with a warm file cache; {BONES} bones, {} vertices, {CLIPS} clips of",
        SIDE * SIDE
    );
    println!("2 s, {TEXTURES} textures of {TEXTURE_SIDE} x {TEXTURE_SIDE}\n");
    println!(
        "| clips | archive, MB | read + hash | open, verified | ratio | … of it read + hash | decode | open + keys | GLB, MB | import | ratio | + bake | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Jittered) {
        row(kind, true);
        row(kind, false);
    }
    println!("\nThe same without textures, by the number of sparse clips\n");
    println!("| clips | write | archive, MB | open | import | bake | open, µs a clip | import, µs a clip |");
    println!("|---|---|---|---|---|---|---|---|");
    for clips in [1, 10, 100, 1000] {
        growth(clips);
    }
}

/// How the number of clips counts; the mesh is the same.
fn growth(clips: usize) {
    let (folder, project) = (folder(), project(Kind::Sparse, clips, 0));
    let (archive, model) = (folder.join("growth.wad"), folder.join("growth.glb"));
    let characters = [Arc::new(Character::bake(&project.models[0], None))];
    let written = least(3, || wad::encode(&project, &characters).unwrap());
    std::fs::write(&archive, wad::encode(&project, &characters).unwrap()).unwrap();
    std::fs::write(&model, glb(&project.models[0])).unwrap();
    let opened = least(RUNS, || files::open(&archive).unwrap());
    let imported = least(3, || files::import_here(&model, &files::read(&model).unwrap(), Default::default()).unwrap());
    let baked = least(3, || Character::bake(&project.models[0], None));
    let each = |millis: f64| millis * 1e3 / clips as f64;
    println!(
        "| {clips} | {written:.1} | {:.1} | {opened:.2} | {imported:.1} | {baked:.1} | {:.1} | {:.1} |",
        megabytes(&archive),
        each(opened),
        each(imported),
    );
    std::fs::remove_dir_all(folder).unwrap();
}

fn folder() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("keypose-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const RUNS: usize = 15;

/// The minimum time of many runs, in milliseconds; the result is dropped outside of it.
fn least<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        let made = black_box(work());
        let gone = start.elapsed().as_secs_f64() * 1e3;
        drop(made);
        gone
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

/// `is_packed` is false for an archive whose keys, baked clips and meshes are stored as they are.
fn row(kind: Kind, is_packed: bool) {
    let (folder, project) = (folder(), project(kind, CLIPS, TEXTURES));
    let (archive, model) = (folder.join("bench.wad"), folder.join("bench.glb"));
    let mut lumps = Archive::open(&wad::encode(&project, &[]).unwrap()).unwrap().to_lumps().unwrap();
    lumps
        .iter_mut()
        .filter(|lump| !is_packed && lump.kind.codec() == Codec::Numbers)
        .for_each(|lump| lump.codec = Codec::Store);
    std::fs::write(&archive, pack(lumps, None).unwrap()).unwrap();
    std::fs::write(&model, glb(&project.models[0])).unwrap();
    drop(project);
    let hashed = least(RUNS, || xxh3_64(&std::fs::read(&archive).unwrap()));
    let opened = least(RUNS, || {
        let opened = files::open(&archive).unwrap();
        assert!(opened.report.is_empty());
        opened
    });
    let unpacked = least(RUNS, || {
        let opened = files::open(&archive).unwrap();
        opened
            .project
            .models
            .iter()
            .flat_map(|model| &model.clips)
            .for_each(|slot| drop(black_box(slot.clip.starts())));
        assert!(
            opened.project.models.iter().flat_map(|model| &model.clips).all(|slot| !slot.clip.keyframes.is_packed())
        );
        opened
    });
    let read = least(RUNS, || files::load(&archive).unwrap());
    let Loaded { bytes, sums } = files::load(&archive).unwrap();
    let decoded = least(RUNS, || wad::decode_archive(&Archive::open_shared(&bytes, &sums).unwrap()).unwrap());
    let import = || files::import_here(&model, &files::read(&model).unwrap(), Default::default()).unwrap().0.model;
    let imported = least(3, import);
    let with_bake = least(3, || Character::bake(&Arc::new(import()), None));
    println!(
        "| {kind:?}{} | {:.1} | {hashed:.1} | {opened:.1} | {:.2} | {read:.1} | {decoded:.1} | {unpacked:.1} | {:.1} | {imported:.0} | {:.0} | {with_bake:.0} | {:.0} |",
        if is_packed { "" } else { ", keys stored" },
        megabytes(&archive),
        opened / hashed,
        megabytes(&model),
        imported / opened,
        with_bake / opened,
    );
    std::fs::remove_dir_all(folder).unwrap();
}

fn megabytes(path: &Path) -> f64 {
    std::fs::metadata(path).unwrap().len() as f64 / 1e6
}

fn project(kind: Kind, clips: usize, textures: usize) -> Project {
    let skeleton = Arc::new(skeleton(BONES));
    let made = clip(&skeleton, kind);
    let slot = |number: usize| {
        let mut clip = made.clone();
        clip.name = format!("clip {number}");
        ClipSlot { id: ClipId(number as u32), clip: Arc::new(clip) }
    };
    let joints: Vec<u16> = (0..BONES as u16).collect();
    let skin = Skin { name: "skin".into(), joints, inverse_binds: vec![Mat4::IDENTITY; BONES] };
    let model = Model {
        name: "bench".into(),
        skins: vec![Arc::new(skin)],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh()), visibility: Visibility::Shown }],
        materials: (0..TEXTURES).map(|number| material(number, textures)).collect(),
        textures: (0..textures).map(texture).collect(),
        clips: (0..clips).map(slot).collect(),
        skeleton,
        ..Model::default()
    };
    let mut project = Project::default();
    project.add_model(model);
    project
}

fn material(number: usize, textures: usize) -> Arc<Material> {
    let texture = (number < textures).then_some(number);
    Arc::new(Material { name: format!("material {number}"), texture, ..Material::default() })
}

/// Soft shapes with grain, so that a PNG is about as large as that of a painted texture.
fn texture(number: usize) -> Arc<Texture> {
    let pixel = |at: usize| {
        let (x, y) = (at % TEXTURE_SIDE, at / TEXTURE_SIDE);
        let grain = (noise((at + number * 7) as u32) * 6.0) as i32;
        let wave =
            |scale: f32| ((x as f32 / scale).sin() * 60.0 + (y as f32 / (scale + 9.0)).cos() * 60.0) as i32 + 128;
        let channel = |scale: f32| (wave(scale) + grain).clamp(0, 255) as u8;
        [channel(90.0), channel(130.0), channel(210.0), 255]
    };
    let pixels: Vec<u8> = (0..TEXTURE_SIDE * TEXTURE_SIDE).flat_map(pixel).collect();
    let (name, side) = (format!("texture {number}"), TEXTURE_SIDE as u32);
    Arc::new(Texture { name, width: side, height: side, data: pixels.into(), source_format: "png".into() })
}

/// A sheet of `SIDE` by `SIDE` vertices, four influences each.
fn mesh() -> Mesh {
    let corner = |at: usize| Vec2::new((at % SIDE) as f32, (at / SIDE) as f32) / SIDE as f32;
    let count = SIDE * SIDE;
    let square = |at: usize| {
        let at = at as u32;
        let below = at + SIDE as u32;
        [at, at + 1, below, below, at + 1, below + 1]
    };
    let inner = (0..count - SIDE).filter(|at| at % SIDE + 1 < SIDE);
    let joints = |at: usize| [0, 1, 2, 3].map(|slot| ((at * (BONES - 4) / count) + slot) as u16);
    Mesh {
        name: "sheet".into(),
        positions: (0..count).map(|at| corner(at).extend(noise(at as u32) * 0.01)).collect(),
        normals: vec![Vec3::Z; count],
        uvs: (0..count).map(corner).collect(),
        colors: vec![],
        indices: inner.flat_map(square).collect(),
        influences: vec![InfluenceSet { joints: (0..count).map(joints).collect(), weights: vec![[0.25; 4]; count] }],
        morphs: vec![],
        material: 0,
        binding: Binding::Skin(0),
    }
}

/// The same content as a GLB.
fn glb(model: &Model) -> Vec<u8> {
    let mut out = Glb { json: json!({ "asset": { "version": "2.0" }, "buffers": [{}] }), buffer: Vec::new() };
    nodes(model, &mut out);
    let mesh = &model.meshes[0].mesh;
    let numbers = |values: &[Vec3]| floats(&values.iter().flat_map(|value| value.to_array()).collect::<Vec<_>>());
    let count = mesh.positions.len();
    let positions = out.add("VEC3", F32, false, count, &numbers(&mesh.positions));
    let normals = out.add("VEC3", F32, false, count, &numbers(&mesh.normals));
    let uvs: Vec<f32> = mesh.uvs.iter().flat_map(|uv| uv.to_array()).collect();
    let uvs = out.add("VEC2", F32, false, count, &floats(&uvs));
    let set = &mesh.influences[0];
    let joints = set.joints.as_flattened().iter().flat_map(|joint| joint.to_le_bytes()).collect::<Vec<_>>();
    let joints = out.add("VEC4", U16, false, count, &joints);
    let weights = out.add("VEC4", F32, false, count, &floats(set.weights.as_flattened()));
    let indices = mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect::<Vec<_>>();
    let indices = out.add("SCALAR", U32, false, mesh.indices.len(), &indices);
    let attributes = json!({
        "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs, "JOINTS_0": joints, "WEIGHTS_0": weights,
    });
    let primitive = json!({ "attributes": attributes, "indices": indices, "material": 0 });
    out.json["meshes"] = json!([{ "name": "sheet", "primitives": [primitive] }]);
    for (number, texture) in model.textures.iter().enumerate() {
        let picture = Bitmap::new(texture.width, texture.height, texture.pixels().unwrap().to_vec()).unwrap();
        let view = out.add_view(&png::encode(&picture).unwrap());
        push(&mut out.json, "images", json!({ "bufferView": view, "mimeType": "image/png" }));
        push(&mut out.json, "textures", json!({ "source": number }));
        let color = json!({ "baseColorTexture": { "index": number } });
        push(&mut out.json, "materials", json!({ "pbrMetallicRoughness": color }));
    }
    if model.textures.is_empty() {
        push(&mut out.json, "materials", json!({}));
    }
    model.clips.iter().for_each(|slot| animation(slot, &mut out));
    out.bytes()
}

/// A node for every bone, one for the mesh, and the skin.
fn nodes(model: &Model, out: &mut Glb) {
    let skeleton = &model.skeleton;
    for (bone, index) in skeleton.bones().iter().zip(0..) {
        let (translation, rotation) = (bone.rest.translation.to_array(), bone.rest.rotation.to_array());
        let mut node = json!({ "name": bone.name, "translation": translation, "rotation": rotation });
        let children: Vec<u16> = skeleton.children(index).collect();
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        push(&mut out.json, "nodes", node);
    }
    let body = push(&mut out.json, "nodes", json!({ "name": "body", "mesh": 0, "skin": 0 }));
    let roots: Vec<usize> =
        skeleton.indices().filter(|&bone| skeleton.parent(bone).is_none()).map(usize::from).collect();
    let shown = [roots, vec![body]].concat();
    out.json["scenes"] = json!([{ "nodes": shown }]);
    out.json["scene"] = json!(0);
    out.json["skins"] = json!([{ "joints": (0..BONES).collect::<Vec<_>>() }]);
}

/// One sampler per channel; equal times are shared, as exporters do.
fn animation(slot: &ClipSlot, out: &mut Glb) {
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let mut inputs: Vec<(Vec<f32>, usize)> = Vec::new();
    for track in Track::all_of(&slot.clip) {
        let times: Vec<f32> = track.keys.iter().map(|(time, _)| time.secs() as f32).collect();
        let known = inputs.iter().find(|(other, _)| *other == times).map(|(_, input)| *input);
        let input = known.unwrap_or_else(|| {
            let input = out.add("SCALAR", F32, false, times.len(), &floats(&times));
            inputs.push((times.clone(), input));
            input
        });
        let (path, shape) = match track.channel {
            Channel::Translation => ("translation", "VEC3"),
            Channel::Rotation => ("rotation", "VEC4"),
            Channel::Scale => ("scale", "VEC3"),
            Channel::Scalar(_) => continue,
        };
        let width = track.channel.width();
        let values: Vec<f32> = track.keys.iter().flat_map(|(_, key)| key.value.to_array()[..width].to_vec()).collect();
        let output = out.add(shape, F32, false, times.len(), &floats(&values));
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": track.bone, "path": path } }));
        samplers.push(json!({ "input": input, "output": output }));
    }
    push(&mut out.json, "animations", json!({ "name": slot.clip.name, "samplers": samplers, "channels": channels }));
}
