//! The truth: imported models, sampled by our clips and skinned on the CPU, against goldens that three independent
//! programs agree on (format "pose-golden/1", see the README beside them).

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::bake::measure::Reach;
use keypose::anim::bake::{BakeOptions, SampleFormat};
use keypose::anim::clip::LoopMode;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::app::files::{self, Opened};
use keypose::assets::character::Character;
use keypose::assets::model::MeshSource;
use keypose::assets::skinned_mesh::mesh_positions;
use keypose::wad;
use serde_json::Value;

use crate::models;

/// All goldens but AnimatedMorphCube, which waits for morph targets.
const IDS: [&str; 13] = [
    "Animation_SamplerType_00",
    "Animation_SkinType_00",
    "Animation_Skin_01",
    "Animation_Skin_04",
    "CesiumMan",
    "Fox",
    "InterpolationTest",
    "Knight",
    "RiggedFigure",
    "RiggedSimple",
    "SimpleSkin",
    "greenman",
    "limb2",
];

fn model_file(folder: &Path, id: &str) -> std::path::PathBuf {
    let named = |ending: &str| folder.join("gltf").join(format!("{id}.{ending}"));
    let binary = named("glb");
    if binary.exists() { binary } else { named("gltf") }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn index(value: &Value) -> u32 {
    value.as_u64().unwrap() as u32
}

/// How near the goldens a model must be.
#[derive(Clone, Copy)]
enum Bound {
    /// Everything to the tolerance that the golden states.
    Golden,
    /// Places to what a bake promises by default: a share of the model's size.
    Baked,
}

/// Holds one model against its golden; the worst error as a multiple of the tolerance, and how much was compared.
fn worst_error(character: &Character, golden: &Value, bound: Bound) -> (f64, usize) {
    let model = &character.model;
    let bone_of_node: HashMap<u32, usize> =
        (0..).zip(&model.source.bone_nodes).filter_map(|(bone, node)| Some(((*node)?, bone))).collect();
    let mesh_of: HashMap<MeshSource, usize> =
        (0..).zip(&model.source.meshes).filter_map(|(mesh, source)| Some(((*source)?, mesh))).collect();
    let (mut worst, mut compared) = (0.0_f64, 0);
    let mut hold = |error: f64| {
        compared += 1;
        worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
    };
    for expected in golden["poses"].as_array().unwrap() {
        let pose = pose(character, expected);
        let size = golden["model_size"].as_f64().unwrap();
        let size = if size == 0.0 { 1.0 } else { size };
        let own = golden["tolerance"].as_f64().unwrap();
        let (size, tolerance) = match bound {
            Bound::Golden => (size, own),
            Bound::Baked => {
                let size = size.max(f64::from(Reach::of(&model.skeleton).model_size));
                (size, f64::from(BakeOptions::default().max_error) + own)
            }
        };
        let skinned = |node: u32| {
            let prims = golden["prims"].as_array().unwrap();
            prims.iter().any(|prim| index(&prim["node"]) == node && !prim["skin"].is_null())
        };
        for (node, matrix) in golden["nodes"].as_array().unwrap().iter().zip(expected["node_world"].as_array().unwrap())
        {
            let (node, is_joint) = (index(&node["node"]), node["joint"].as_bool().unwrap());
            let Some(&bone) = bone_of_node.get(&node).filter(|_| is_joint || !skinned(node)) else {
                assert!(!is_joint, "joint node {node} has no bone");
                continue;
            };
            let (matrix, got) = (numbers(matrix), pose.bones[bone].to_mat4().to_cols_array());
            let largest = (0..12).filter(|at| at % 4 != 3).map(|at| matrix[at].abs()).fold(1e-9, f64::max);
            let first = if matches!(bound, Bound::Golden) { 0 } else { 12 };
            for at in first..16 {
                let unit = if at < 12 { largest } else { size };
                hold((f64::from(got[at]) - matrix[at]).abs() / (unit * tolerance));
            }
        }
        let (mut palette, mut vertices) = (Vec::new(), vec![Vec3::NAN; 3]);
        for (prim, expected) in golden["prims"].as_array().unwrap().iter().zip(expected["prims"].as_array().unwrap()) {
            let source =
                MeshSource { node: index(&prim["node"]), mesh: index(&prim["mesh"]), primitive: index(&prim["prim"]) };
            let mesh = &model.meshes[mesh_of[&source]].mesh;
            mesh_positions(model, mesh, &pose, &mut palette, &mut vertices);
            assert_eq!(vertices.len() as u64, prim["vertex_count"].as_u64().unwrap());
            let xyz = numbers(&expected["xyz"]);
            for (vertex, expected) in prim["vertices"].as_array().unwrap().iter().zip(xyz.chunks_exact(3)) {
                let got = vertices[vertex.as_u64().unwrap() as usize];
                (0..3).for_each(|axis| hold((f64::from(got[axis]) - expected[axis]).abs() / (size * tolerance)));
            }
        }
    }
    (worst, compared)
}

fn pose(character: &Character, expected: &Value) -> ModelPose {
    let skeleton = &character.model.skeleton;
    let mut local = skeleton.rest_pose();
    if !expected["clip"].is_null() || expected["clip_index"].as_i64().unwrap() >= 0 {
        let clip = &character.clips[expected["clip_index"].as_u64().unwrap() as usize];
        clip.sample(Time::from_secs(expected["time"].as_f64().unwrap()), &mut local);
    }
    let mut pose = ModelPose::default();
    pose.compute(skeleton, &local);
    pose
}

/// Runs every golden on what `prepare` makes of the opened file.
fn check_all(options: &BakeOptions, bound: Bound, prepare: impl Fn(Opened) -> Arc<Character>) {
    let Some(folder) = models::folder() else { return };
    let mut wrong = Vec::new();
    for id in IDS {
        let character = prepare(files::open(&model_file(&folder, id)).unwrap());
        let character = Character::bake_with(&character.model, None, options);
        let golden = std::fs::read(folder.join(format!("golden/{id}.golden.json"))).unwrap();
        let (worst, compared) = worst_error(&character, &serde_json::from_slice(&golden).unwrap(), bound);
        println!("{id}: {worst:.3} of the tolerance over {compared} values");
        if worst > 1.0 || compared == 0 {
            wrong.push(format!("{id}: {worst:.3} of the tolerance over {compared} values"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imported_models_agree_with_the_goldens() {
    check_all(&BakeOptions::EXACT, Bound::Golden, |opened| opened.characters[0].clone());
}

#[test]
fn what_is_baked_by_default_keeps_its_bound() {
    for format in [SampleFormat::Quantized, SampleFormat::Packed] {
        let options = BakeOptions { format, ..BakeOptions::default() };
        check_all(&options, Bound::Baked, |opened| opened.characters[0].clone());
    }
}

#[test]
fn models_from_the_archive_agree_with_the_goldens() {
    check_all(&BakeOptions::EXACT, Bound::Golden, |opened| {
        let bytes = wad::encode(&opened.project, &opened.characters).unwrap();
        let decoded = wad::decode(&bytes).unwrap();
        assert_eq!(decoded.findings, Vec::<String>::new());
        assert_eq!(decoded.project, opened.project);
        decoded.characters[0].clone()
    });
}

#[test]
fn the_knight_comes_with_everything() {
    let Some(folder) = models::folder() else { return };
    let opened = files::open(&folder.join("gltf/Knight.glb")).unwrap();
    let knight = &opened.project.models[0];
    assert_eq!((knight.name.as_str(), knight.clips.len(), knight.skins.len()), ("Knight", 76, 1));
    assert_eq!(knight.meshes.iter().map(|slot| slot.mesh.positions.len()).sum::<usize>(), 7024);
    assert_eq!(knight.clip_named("Walking_A").unwrap().clip.loop_mode, LoopMode::Loop);
    assert_eq!(knight.clip_named("Death_A").unwrap().clip.loop_mode, LoopMode::Once);
    let texture = &knight.textures[0];
    assert_eq!((texture.width, texture.height, texture.source_format.as_str()), (1024, 1024, "png"));
    assert!(knight.meshes.iter().all(|slot| slot.mesh.uvs.len() == slot.mesh.positions.len()));
    assert_eq!(opened.report, Vec::<String>::new());
}
