//! Imported models, sampled and skinned on the CPU, compared with golden poses (format "pose-golden/1"). Those in `data/tests`
//! are computed by `tools/golden.py`; those of the larger set by three.js. The two agree to 5e-7 of a model's size.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::bake::measure::Reach;
use keypose::anim::bake::{BakeOptions, SampleFormat};
use keypose::anim::clip::LoopMode;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose::assets::model::MeshSource;
use keypose::assets::skinned_mesh::mesh_positions;
use keypose::wad;
use keypose_app::app::files;
use serde_json::Value;

use crate::root::root;
use crate::{models, needs};

/// The larger set.
const LARGER: [&str; 14] = [
    "AnimatedMorphCube",
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

/// A model file and its golden poses.
struct Case {
    model: PathBuf,
    golden: PathBuf,
}

/// The file of a model in a folder, binary or text.
fn model_file(folder: &Path, id: &str) -> PathBuf {
    let binary = folder.join(format!("{id}.glb"));
    if binary.exists() { binary } else { folder.join(format!("{id}.gltf")) }
}

fn case(models: &Path, goldens: &Path, id: &str) -> Case {
    Case { model: model_file(models, id), golden: goldens.join(format!("{id}.golden.json")) }
}

/// Every golden of the repository.
fn own_cases() -> Vec<Case> {
    let folder = models::own().join("models");
    let goldens = folder.join("golden");
    let names = std::fs::read_dir(&goldens).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let cases: Vec<Case> =
        names.filter_map(|name| Some(case(&folder, &goldens, name.strip_suffix(".golden.json")?))).collect();
    assert!(cases.len() >= 8, "only {} goldens", cases.len());
    cases
}

fn larger_cases() -> Vec<Case> {
    let folder = models::larger();
    LARGER.map(|id| case(&folder.join("gltf"), &folder.join("golden"), id)).into()
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
fn worst_error(character: &Character, (golden, starts): (&Value, &[f64]), bound: Bound) -> (f64, usize) {
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
        let pose = pose(character, expected, starts);
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

/// When the animations of a glTF file begin, in seconds.
fn starts(model: &Path) -> Vec<f64> {
    let bytes = models::bytes(model);
    let text = if bytes.starts_with(b"glTF") {
        &bytes[20..20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize]
    } else {
        &bytes[..]
    };
    let json: Value = serde_json::from_slice(text).unwrap();
    let start = |animation: &Value| {
        let inputs = animation["samplers"].as_array().unwrap().iter().map(|sampler| sampler["input"].as_u64().unwrap());
        inputs.map(|input| json["accessors"][input as usize]["min"][0].as_f64().unwrap_or(0.0)).fold(f64::MAX, f64::min)
    };
    json["animations"].as_array().map(|all| all.iter().map(start).collect()).unwrap_or_default()
}

/// The pose at a time of the file: a loop begins at its first key if that is at frame 1.
fn pose(character: &Character, expected: &Value, starts: &[f64]) -> ModelPose {
    let skeleton = &character.model.skeleton;
    let mut local = skeleton.rest_pose();
    if !expected["clip"].is_null() || expected["clip_index"].as_i64().unwrap() >= 0 {
        let index = expected["clip_index"].as_u64().unwrap() as usize;
        let slot = &character.model.clips[index];
        let start = Time::from_secs(starts.get(index).copied().unwrap_or_default());
        let is_late = slot.clip.loop_mode == LoopMode::Loop && slot.clip.frame_rate.nearest_frame(start) == 1;
        let time = Time::from_secs(expected["time"].as_f64().unwrap()) - if is_late { start } else { Time::ZERO };
        character.clips[index].sample(time.max(Time::ZERO), &mut local);
    }
    let mut pose = ModelPose::default();
    pose.compute(skeleton, &local);
    pose
}

/// Compares every case as baked with each of some options.
fn check_all(cases: &[Case], options: &[BakeOptions], bound: Bound) {
    let mut wrong = Vec::new();
    for Case { model: file, golden } in cases {
        let model = Arc::new(models::model(file));
        let (golden, starts) = (serde_json::from_slice(&models::bytes(golden)).unwrap(), starts(file));
        for options in options {
            let character = Character::bake_with(&model, None, options);
            let (worst, compared) = worst_error(&character, (&golden, &starts), bound);
            let line = format!("{}: {worst:.3} of the tolerance over {compared} values", file.display());
            println!("{line}");
            if worst > 1.0 || compared == 0 {
                wrong.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check_exact(cases: &[Case]) {
    check_all(cases, &[BakeOptions::EXACT], Bound::Golden);
}

fn check_baked(cases: &[Case]) {
    let of = |format| BakeOptions { format, ..BakeOptions::default() };
    check_all(cases, &[SampleFormat::Quantized, SampleFormat::Packed].map(of), Bound::Baked);
}

#[test]
fn imported_models_agree_with_the_goldens() {
    check_exact(&own_cases());
}

#[test]
fn imported_models_are_read_from_archives_unchanged() {
    for case in own_cases() {
        let opened = files::open(&case.model).unwrap();
        let decoded = wad::decode(&wad::encode(&opened.project, &opened.characters).unwrap()).unwrap();
        assert_eq!((decoded.findings, decoded.project), (Vec::new(), opened.project));
    }
}

#[test]
fn clips_baked_by_default_keep_the_error_bound() {
    check_baked(&own_cases());
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn larger_imported_models_agree_with_the_goldens() {
    check_exact(&larger_cases());
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn larger_clips_baked_by_default_keep_the_error_bound() {
    check_baked(&larger_cases());
}

#[test]
fn the_goldens_are_the_ones_that_the_script_computes() {
    let root = root();
    let own = own_cases().into_iter().map(|case| case.model).filter(|model| !model.ends_with("blender_limb.glb"));
    let mut command = Command::new("python3");
    command.arg("-B").arg(root.join("tools/golden.py")).arg("--check").args(own);
    let Ok(output) = command.output() else { return needs::missing("python", "python3 is missing") };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn the_knight_comes_with_everything() {
    let opened = files::open(&models::larger().join("gltf/Knight.glb")).unwrap();
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
