//! Other programs on exported files: the Khronos validator finds neither errors nor warnings, and Blender poses them as we do.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use glam::Vec3;
use keypose::anim::bake::{BakeOptions, bake_with};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose_app::app::files;
use keypose_tools::export::gltf::{GlbOptions, LoopNames, encode};
use serde_json::Value;

use crate::exported::{larger_models, own_models};
use crate::folder::Folder;
use crate::glb::Glb;
use crate::root::root;
use crate::{models, needs};

fn check_valid(name: &str, models: &[(String, Arc<Model>)]) {
    let root = root();
    if !root.join("target/node/node_modules/gltf-validator").is_dir() {
        return needs::missing("validator", "the Khronos validator is missing");
    }
    let folder = Folder::new(name);
    let mut command = Command::new("node");
    command.arg(root.join("tools/validate_glb.mjs"));
    for (at, (_, model)) in models.iter().enumerate() {
        let loop_names = if at % 2 == 0 { LoopNames::Plain } else { LoopNames::Godot };
        let path = folder.join(format!("{at}-{}.glb", model.name.replace('/', "_")));
        std::fs::write(&path, encode(model, GlbOptions { loop_names }).unwrap().bytes).unwrap();
        command.arg(path);
    }
    let Ok(output) = command.output() else { return needs::missing("validator", "node is missing") };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.lines().count() > 3, "{text}");
}

#[test]
fn exported_models_are_valid() {
    check_valid("valid", own_models());
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn larger_exported_models_are_valid() {
    check_valid("larger-valid", larger_models());
}

/// The vertices of every primitive as Blender poses a file, by node and primitive: index and position.
type Posed = BTreeMap<(usize, usize), Vec<(usize, Vec3)>>;

/// Poses a file with Blender at these times of a clip.
fn blender(file: &Path, clip: &str, times: &[f64]) -> Vec<Posed> {
    let times: Vec<String> = times.iter().map(f64::to_string).collect();
    let script = models::larger().join("blender_eval.py");
    let output =
        Command::new("python3").arg(script).arg(file).args([clip, &times.join(","), "--every", "7"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let parsed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let pose = |pose: &Value| {
        let primitives = pose["prims"].as_array().unwrap().iter().map(|primitive| {
            let xyz: Vec<f32> =
                primitive["xyz"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap() as f32).collect();
            let vertices = primitive["vertices"].as_array().unwrap().iter().map(number);
            let places = vertices.zip(xyz.chunks_exact(3).map(Vec3::from_slice)).collect();
            ((number(&primitive["node"]), number(&primitive["prim"])), places)
        });
        primitives.collect()
    };
    parsed["poses"].as_array().unwrap().iter().map(pose).collect()
}

/// Compares the poses of a clip at some of its keyframes. Returns the largest distance, in sizes of the model.
fn compare(model: &Model, file: &Path, clip: &str) -> f32 {
    let glb = Glb::parse(&std::fs::read(file).unwrap());
    let slot = model.clip_named(clip).unwrap();
    let starts: Vec<Time> = slot.clip.starts().collect();
    let chosen: Vec<Time> = [0, starts.len() / 3, starts.len() * 2 / 3].map(|at| starts[at]).into();
    let posed = blender(file, clip, &chosen.iter().map(|time| f64::from(time.secs() as f32)).collect::<Vec<_>>());
    let baked = bake_with(&slot.clip, &model.skeleton, &BakeOptions::EXACT);
    let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
    let (mut palette, mut vertices) = (Vec::new(), Vec::new());
    let (mut worst, mut compared) = (0.0_f32, 0);
    for (time, posed) in chosen.iter().zip(&posed) {
        baked.sample(*time, &mut local);
        pose.compute(&model.skeleton, &local);
        for ((node, primitive), places) in posed {
            let mesh = glb.json["nodes"][node]["mesh"].as_u64().unwrap() as usize;
            let name = glb.json["meshes"][mesh]["extras"]["keypose"]["names"][primitive].as_str().unwrap();
            let mesh = model.meshes.iter().find(|slot| slot.mesh.name == name).unwrap();
            mesh_positions(model, &mesh.mesh, &pose, &mut palette, &mut vertices);
            for (vertex, place) in places {
                worst = worst.max(vertices[*vertex].distance(*place));
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "only {compared} vertices");
    worst / size(model)
}

fn size(model: &Model) -> f32 {
    let (mut palette, mut vertices, pose) = (Vec::new(), Vec::new(), model.skeleton.rest_model_pose());
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut vertices);
        vertices.iter().for_each(|vertex| (min, max) = (min.min(*vertex), max.max(*vertex)));
    }
    min.distance(max)
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn blender_poses_exported_models_as_we_do() {
    if Command::new("blender").arg("--version").output().is_err() {
        return eprintln!("skipped: Blender is not installed");
    }
    let folder = Folder::new("blender");
    let cases = [
        (models::own().join("../demo.wad"), ["walk", "attack"]),
        (models::larger().join("gltf/Knight.glb"), ["Walking_A", "1H_Melee_Attack_Chop"]),
    ];
    for (source, clips) in cases {
        let opened = files::open(&source).unwrap();
        let model = &opened.project.models[0];
        let file = folder.join("model.glb");
        std::fs::write(&file, encode(model, GlbOptions::default()).unwrap().bytes).unwrap();
        for clip in clips {
            let worst = compare(model, &file, clip);
            assert!(worst < 1e-5, "{}, {clip}: {worst:e} of the size", source.display());
        }
    }
}
