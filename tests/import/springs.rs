//! Spring bones of VRM files: they swing as in three-vrm (tools/golden_springs.mjs), survive an export, and bad ones are reported.

use glam::{Quat, Vec3};
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::spring::{Place, Swinging};
use keypose::assets::model::Model;
use keypose_tools::export::gltf::{GlbOptions, encode};
use keypose_tools::import::Imported;
use serde_json::{Value, json};

use crate::importing::read;
use crate::root::root;

fn file(name: &str) -> Vec<u8> {
    std::fs::read(root().join("data/tests/springs").join(name)).unwrap()
}

/// The dance of tools/golden_springs.mjs.
fn dance(skeleton: &Skeleton, tick: u32) -> keypose::anim::pose::LocalPose {
    let mut pose = skeleton.rest_pose();
    let secs = f64::from(tick) / 60.0;
    let [turn, nod] = [1.2 * (secs * 2.1).sin(), 0.5 * (secs * 5.3).sin()];
    let way = [0.3 * (secs * 3.0).sin(), 1.0 + 0.1 * (secs * 7.0).sin(), 0.2 * (secs * 1.3).sin()];
    let mut put = |bone: &str, place: Option<Vec3>, rotation: Quat| {
        let index = usize::from(skeleton.find(bone).unwrap());
        let mut local = pose.get(index);
        local.translation = place.unwrap_or(local.translation);
        local.rotation = rotation;
        pose.set(index, &local);
    };
    put("hips", Some(Vec3::from_array(way.map(|part| part as f32))), Quat::from_rotation_y(turn as f32));
    put("head", None, Quat::from_rotation_x(nod as f32));
    pose
}

/// The largest distance of any bone from its place in a golden, in 10 s.
fn apart(model: &Model, golden: &str, facing: Vec3) -> f32 {
    let golden: Value = serde_json::from_slice(&file(golden)).unwrap();
    let names: Vec<&str> = golden["bones"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let (skeleton, every) = (&*model.skeleton, golden["every"].as_u64().unwrap() as u32);
    let springs = model.rig.springs.of(skeleton);
    let (mut swinging, mut placed, mut most) = (Swinging::default(), ModelPose::default(), 0.0_f32);
    for tick in 0..600 {
        let mut pose = dance(skeleton, tick);
        placed.compute_portable(skeleton, &pose);
        springs.step(skeleton, &Place::ORIGIN, &mut swinging, &mut pose, &mut placed);
        if tick % every != every - 1 {
            continue;
        }
        let row = golden["places"][(tick / every) as usize].as_array().unwrap();
        for (name, place) in names.iter().zip(row.chunks(3)) {
            // It has no spring in VRM 1.0, so it is no bone.
            let Some(bone) = skeleton.find(name).or_else(|| (*name != "lock").then(|| panic!("no {name}"))) else {
                continue;
            };
            let expected = Vec3::from_array([0, 1, 2].map(|at| place[at].as_f64().unwrap() as f32)) * facing;
            most = most.max(placed.get(bone).translation().distance(expected));
        }
    }
    most
}

#[test]
fn spring_bones_swing_as_in_three_vrm() {
    // A model of VRM 0 is turned to face forward.
    for (name, facing) in [("vrm1", Vec3::ONE), ("vrm0", Vec3::new(-1.0, 1.0, -1.0))] {
        let Imported { model, report } = read(name, &file(&format!("{name}.gltf"))).unwrap();
        assert!(!report.iter().any(|line| line.contains("spring")), "{report:?}");
        let apart = apart(&model, &format!("{name}.json"), facing);
        assert!(apart < 1e-4, "{name}: {apart}");
        let still = Model { rig: Default::default(), ..model };
        assert!(self::apart(&still, &format!("{name}.json"), facing) > 0.1, "{name}: the golden moves");
    }
}

#[test]
fn springs_survive_an_export() {
    for name in ["vrm1", "vrm0"] {
        let mut model = read(name, &file(&format!("{name}.gltf"))).unwrap().model;
        model.rig.springs.wind = Vec3::new(0.5, 0.0, -0.25);
        let glb = encode(&model, GlbOptions::default()).unwrap();
        let back = read("back.glb", &glb.bytes).unwrap().model;
        let (mut before, mut after) = (model.rig.springs.clone(), back.rig.springs.clone());
        // Gravity is a direction and a length in the file.
        for (bone, spring) in &mut before.bones {
            let gravity = &mut after.bones.get_mut(bone).unwrap().swing.gravity;
            assert!(gravity.distance(spring.swing.gravity) < 1e-6, "{name}, {bone}");
            spring.swing.gravity = *gravity;
        }
        assert_eq!(before, after, "{name}");
        assert!(!before.bones.is_empty());
    }
}

#[test]
fn bad_springs_are_reported_or_have_a_defined_result() {
    let mut json: Value = serde_json::from_slice(&file("vrm1.gltf")).unwrap();
    let springs = &mut json["extensions"]["VRMC_springBone"];
    springs["colliders"][0]["node"] = json!(99);
    springs["colliders"][1]["shape"] = json!({ "plane": {} });
    springs["springs"] = json!([
        { "joints": [{ "node": 3, "stiffness": 1e30 }, { "node": 4, "dragForce": -7, "hitRadius": -1 }, { "node": 5 }] },
        { "joints": [{ "node": 99 }, { "node": 6 }, { "node": 3 }, null, "x"] },
        { "joints": [{ "node": 0, "stiffness": "stiff" }, { "node": 1 }], "colliderGroups": [0, 1, 77], "center": 99 },
        { "joints": [{ "node": 12 }] },
        { "joints": 3 }, 7,
    ]);
    let Imported { model, report } = read("bad", json.to_string().as_bytes()).unwrap();
    let names: Vec<_> = model.rig.springs.bones.keys().map(String::as_str).collect();
    assert_eq!(names, ["root", "tail2"], "{report:?}");
    let tail = &model.rig.springs.bones["tail2"].swing;
    assert_eq!((tail.drag, tail.radius, tail.stiffness), (0.0, 0.0, 1.0));
    assert!(model.rig.springs.colliders.is_empty() && model.rig.springs.bones["root"].center.is_none());
    for part in [
        "collider 0 has no node",
        "collider 1 has no node or no shape",
        "node 3: its stiffness",
        "node 6 has no length",
    ] {
        assert!(report.iter().any(|line| line.contains(part)), "{part}: {report:?}");
    }
}

#[test]
fn planes_and_inverted_colliders_are_reported_and_have_their_fallback() {
    let mut json: Value = serde_json::from_slice(&file("vrm1.gltf")).unwrap();
    let plain = read("plain", json.to_string().as_bytes()).unwrap();
    let plane = json!({ "specVersion": "1.0", "shape": { "plane": { "normal": [0, 1, 0] } } });
    json["extensionsUsed"].as_array_mut().unwrap().push(json!("VRMC_springBone_extended_collider"));
    json["extensions"]["VRMC_springBone"]["colliders"][1]["extensions"] =
        json!({ "VRMC_springBone_extended_collider": plane });
    let Imported { model, report } = read("extended", json.to_string().as_bytes()).unwrap();
    assert_eq!(model.rig.springs, plain.model.rig.springs);
    let lines: Vec<&String> = report.iter().filter(|line| line.contains("planes and inverted colliders")).collect();
    assert!(lines.len() == 1 && lines[0].contains("collider 1: "), "{report:?}");
}

#[test]
fn files_that_repeat_colliders_stay_within_bounds() {
    let mut json: Value = serde_json::from_slice(&file("vrm0.gltf")).unwrap();
    let springs = &mut json["extensions"]["VRM"]["secondaryAnimation"];
    let sphere = springs["colliderGroups"][0]["colliders"][0].clone();
    springs["colliderGroups"] = json!([{ "node": 1, "colliders": vec![sphere; 5_000] }]);
    springs["boneGroups"][0]["colliderGroups"] = json!(vec![0; 1_000]);
    let bones = vec![springs["boneGroups"][0].clone(); 2_000];
    springs["boneGroups"] = json!(bones);
    let Imported { model, report } = read("many", json.to_string().as_bytes()).unwrap();
    assert_eq!((model.rig.springs.colliders.len(), model.rig.springs.bones.len()), (256, 6), "{report:?}");
}
