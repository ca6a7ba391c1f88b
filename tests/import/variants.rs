//! Variants of a model that encode the same data differently must skin to the same positions.

use std::collections::HashMap;

use glam::Vec3;
use keypose::anim::bake::bake;
use keypose::anim::time::Time;
use keypose::assets::model::Model;
use serde_json::{Value, json};

use crate::glb;
use crate::glb::{F32, Glb, I16, U8, U16, U32, floats};
use crate::importing::read_with;
use crate::models;
use crate::posing::vertices;

/// Declares tests of variants: each on the limb of the repository, and on the fox of the larger set.
macro_rules! variants {
    ($($name:ident)*) => {
        mod limb {
            $(#[test] fn $name() { super::$name(super::limb()); })*
        }
        mod fox {
            $(
                #[test]
                #[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
                fn $name() { super::$name(super::fox()); }
            )*
        }
    };
}

variants! {
    normalised_weights_skin_the_same
    eight_influences_and_narrow_joints_skin_the_same
    sparse_and_strided_positions_skin_the_same
    quantised_positions_skin_the_same
    buffers_anywhere_skin_the_same
    nodes_in_any_order_skin_the_same
    missing_inverse_binds_are_identity_and_matrices_are_transforms
}

fn limb() -> Glb {
    Glb::parse(&models::bytes(&models::own().join("models/limb.glb")))
}

fn fox() -> Glb {
    Glb::parse(&models::bytes(&models::larger().join("gltf/Fox.glb")))
}

/// Imports bytes, with the files that they refer to.
fn model(bytes: &[u8], files: &HashMap<&str, Vec<u8>>) -> Model {
    read_with("Fox.glb", bytes, files).unwrap().model
}

/// Every vertex at several times of every clip, and at rest.
fn positions(model: &Model) -> Vec<Vec3> {
    let mut local = model.skeleton.rest_pose();
    let mut all = vertices(model, &local);
    for slot in &model.clips {
        let baked = bake(&slot.clip, &model.skeleton);
        for secs in [0.0, 0.21, 0.5, 0.7] {
            baked.sample(Time::from_secs(secs), &mut local);
            all.extend(vertices(model, &local));
        }
    }
    all
}

/// Compares a variant with the file that it was made from; `tolerance` is a fraction of the model's size.
fn same(name: &str, original: &Glb, variant: &[u8], files: &HashMap<&str, Vec<u8>>, tolerance: f32) {
    let (expected, got) = (positions(&model(&original.bytes(), &HashMap::new())), positions(&model(variant, files)));
    assert_eq!(expected.len(), got.len(), "{name}");
    let (low, high) = expected.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
    let worst = expected.iter().zip(&got).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) / low.distance(high);
    assert!(worst <= tolerance, "{name}: {worst} of the model's size");
}

/// The weights as multiples of 1/255 that sum to one, so that eight bits hold them exactly.
fn round_weights(glb: &mut Glb) -> Vec<[u8; 4]> {
    let accessor = glb.attribute_accessor("WEIGHTS_0");
    let weights: Vec<[u8; 4]> = glb.floats(accessor).chunks_exact(4).map(rounded).collect();
    let as_floats: Vec<f32> = weights.iter().flatten().map(|weight| f32::from(*weight) / 255.0).collect();
    *glb.attribute("WEIGHTS_0") = glb.add("VEC4", F32, false, weights.len(), &floats(&as_floats)).into();
    weights
}

fn rounded(weights: &[f32]) -> [u8; 4] {
    let mut bytes: Vec<u8> = weights.iter().map(|weight| (weight * 255.0).floor() as u8).collect();
    let largest = (0..4).max_by_key(|&at| bytes[at]).unwrap();
    let others: u8 = (0..4).filter(|&at| at != largest).map(|at| bytes[at]).sum();
    bytes[largest] = 255 - others;
    bytes.try_into().unwrap()
}

fn normalised_weights_skin_the_same(mut original: Glb) {
    let weights = round_weights(&mut original);
    let mut bytes = original.clone();
    *bytes.attribute("WEIGHTS_0") = bytes.add("VEC4", U8, true, weights.len(), weights.as_flattened()).into();
    same("u8 weights", &original, &bytes.bytes(), &HashMap::new(), 1e-6);
    let mut words = original.clone();
    let wide: Vec<u8> = weights.iter().flatten().flat_map(|weight| (u16::from(*weight) * 257).to_le_bytes()).collect();
    *words.attribute("WEIGHTS_0") = words.add("VEC4", U16, true, weights.len(), &wide).into();
    same("u16 weights", &original, &words.bytes(), &HashMap::new(), 1e-6);
    let mut trebled = original.clone();
    let threes: Vec<f32> = weights.iter().flatten().map(|weight| f32::from(*weight) / 85.0).collect();
    *trebled.attribute("WEIGHTS_0") = trebled.add("VEC4", F32, false, weights.len(), &floats(&threes)).into();
    same("weights that sum to three", &original, &trebled.bytes(), &HashMap::new(), 1e-6);
}

fn joints(original: &mut Glb) -> Vec<[u16; 4]> {
    let accessor = original.attribute_accessor("JOINTS_0");
    let elements = original.elements(&original.json["accessors"][accessor], 8);
    let word = |bytes: &[u8]| u16::from_le_bytes(bytes.try_into().unwrap());
    elements.iter().map(|bytes| [0, 2, 4, 6].map(|at| word(&bytes[at..at + 2]))).collect()
}

fn eight_influences_and_narrow_joints_skin_the_same(mut original: Glb) {
    let joints = joints(&mut original);
    let count = joints.len();
    let narrow: Vec<u8> = joints.iter().flatten().map(|joint| *joint as u8).collect();
    let mut bytes = original.clone();
    *bytes.attribute("JOINTS_0") = bytes.add("VEC4", U8, false, count, &narrow).into();
    same("u8 joints", &original, &bytes.bytes(), &HashMap::new(), 0.0);

    // The first and third influence stay; the second and fourth go into the second set, from its end.
    let weights = original.attribute_accessor("WEIGHTS_0");
    let weights = original.floats(weights);
    let first = |four: &[f32]| [four[0], 0.0, four[2], 0.0];
    let second = |four: &[f32]| [0.0, four[3], 0.0, four[1]];
    let first: Vec<f32> = weights.chunks_exact(4).flat_map(first).collect();
    let second: Vec<f32> = weights.chunks_exact(4).flat_map(second).collect();
    let moved: Vec<u8> = joints.iter().flat_map(|four| [0, four[3], 0, four[1]]).flat_map(u16::to_le_bytes).collect();
    let mut eight = original.clone();
    *eight.attribute("WEIGHTS_0") = eight.add("VEC4", F32, false, count, &floats(&first)).into();
    *eight.attribute("WEIGHTS_1") = eight.add("VEC4", F32, false, count, &floats(&second)).into();
    *eight.attribute("JOINTS_1") = eight.add("VEC4", U16, false, count, &moved).into();
    assert_eq!(model(&eight.bytes(), &HashMap::new()).meshes[0].mesh.influences.len(), 2);
    same("eight influences", &original, &eight.bytes(), &HashMap::new(), 1e-6);
}

fn sparse_and_strided_positions_skin_the_same(mut original: Glb) {
    let accessor = original.attribute_accessor("POSITION");
    let points = original.floats(accessor);
    let count = points.len() / 3;

    let mut patched = original.clone();
    let mut broken = points.clone();
    let wrong: Vec<usize> = (0..count).filter(|at| at % 7 == 3).collect();
    wrong.iter().for_each(|at| broken[3 * at..3 * at + 3].fill(1e6));
    let indices: Vec<u8> = wrong.iter().flat_map(|at| (*at as u16).to_le_bytes()).collect();
    let values: Vec<f32> = wrong.iter().flat_map(|at| points[3 * at..3 * at + 3].to_vec()).collect();
    let sparse = patched.add("VEC3", F32, false, count, &floats(&broken));
    let (indices, values) = (patched.add_view(&indices), patched.add_view(&floats(&values)));
    patched.json["accessors"][sparse]["sparse"] = json!({
        "count": wrong.len(),
        "indices": { "bufferView": indices, "componentType": U16 },
        "values": { "bufferView": values },
    });
    *patched.attribute("POSITION") = sparse.into();
    same("sparse over a base", &original, &patched.bytes(), &HashMap::new(), 0.0);

    let mut alone = original.clone();
    let indices: Vec<u8> = (0..count as u32).flat_map(u32::to_le_bytes).collect();
    let (indices, values) = (alone.add_view(&indices), alone.add_view(&floats(&points)));
    let sparse = json!({
        "count": count,
        "indices": { "bufferView": indices, "componentType": U32 },
        "values": { "bufferView": values },
    });
    let accessor = json!({ "componentType": F32, "type": "VEC3", "count": count, "sparse": sparse });
    *alone.attribute("POSITION") = glb::push(&mut alone.json, "accessors", accessor).into();
    same("sparse over zeros", &original, &alone.bytes(), &HashMap::new(), 0.0);

    let mut strided = original.clone();
    let wide: Vec<f32> = points.chunks_exact(3).flat_map(|xyz| [9.0, xyz[0], xyz[1], xyz[2], 9.0]).collect();
    let accessor = strided.add("VEC3", F32, false, count, &floats(&wide));
    strided.json["accessors"][accessor]["byteOffset"] = 4.into();
    let view = strided.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
    strided.json["bufferViews"][view]["byteStride"] = 20.into();
    *strided.attribute("POSITION") = accessor.into();
    same("strided", &original, &strided.bytes(), &HashMap::new(), 0.0);
}

fn quantised_positions_skin_the_same(mut original: Glb) {
    let accessor = original.attribute_accessor("POSITION");
    let points: Vec<f32> = original.floats(accessor).iter().map(|number| number.round()).collect();
    *original.attribute("POSITION") = original.add("VEC3", F32, false, points.len() / 3, &floats(&points)).into();
    let mut short = original.clone();
    let padded = |xyz: &[f32]| [xyz[0] as i16, xyz[1] as i16, xyz[2] as i16, 0];
    let bytes: Vec<u8> = points.chunks_exact(3).flat_map(padded).flat_map(i16::to_le_bytes).collect();
    let accessor = short.add("VEC3", I16, false, points.len() / 3, &bytes);
    let view = short.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
    short.json["bufferViews"][view]["byteStride"] = 8.into();
    *short.attribute("POSITION") = accessor.into();
    short.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    same("i16 positions", &original, &short.bytes(), &HashMap::new(), 0.0);
}

fn buffers_anywhere_skin_the_same(original: Glb) {
    let data = format!("data:application/octet-stream;base64,{}", glb::base64(&original.buffer));
    same("data URI", &original, &original.text(&data), &HashMap::new(), 0.0);
    let files = HashMap::from([("the fox/b+.bin", original.buffer.clone())]);
    same("external", &original, &original.text("the%20fox/b%2B.bin"), &files, 0.0);
}

/// Joints whose parents come later in the file.
fn nodes_in_any_order_skin_the_same(original: Glb) {
    let mut turned = original.clone();
    let nodes = turned.json["nodes"].as_array_mut().unwrap();
    nodes.reverse();
    let last = nodes.len() as u64 - 1;
    let flip = |value: &mut Value| *value = (last - value.as_u64().unwrap()).into();
    let flip_all = |value: &mut Value| value.as_array_mut().into_iter().flatten().for_each(flip);
    nodes.iter_mut().for_each(|node| flip_all(&mut node["children"]));
    for node in nodes.iter_mut().filter(|node| node["children"].is_null()) {
        node.as_object_mut().unwrap().remove("children");
    }
    turned.json["scenes"].as_array_mut().unwrap().iter_mut().for_each(|scene| flip_all(&mut scene["nodes"]));
    for skin in turned.json["skins"].as_array_mut().unwrap() {
        flip_all(&mut skin["joints"]);
        skin.as_object_mut().unwrap().remove("skeleton");
    }
    for animation in turned.json["animations"].as_array_mut().unwrap() {
        animation["channels"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|channel| flip(&mut channel["target"]["node"]));
    }
    same("nodes reversed", &original, &turned.bytes(), &HashMap::new(), 1e-6);
}

fn missing_inverse_binds_are_identity_and_matrices_are_transforms(mut original: Glb) {
    let joints = original.json["skins"][0]["joints"].as_array().unwrap().len();
    let mut absent = original.clone();
    absent.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let identity = glam::Mat4::IDENTITY.to_cols_array().repeat(joints);
    original.json["skins"][0]["inverseBindMatrices"] =
        original.add("MAT4", F32, false, joints, &floats(&identity)).into();
    same("no inverse binds", &original, &absent.bytes(), &HashMap::new(), 0.0);

    let animated: Vec<u64> = original.json["animations"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|animation| {
            animation["channels"].as_array().unwrap().iter().map(|channel| channel["target"]["node"].as_u64().unwrap())
        })
        .collect();
    let mut matrices = original.clone();
    let model = model(&original.bytes(), &HashMap::new());
    let mut changed = 0;
    for (bone, node) in model.skeleton.bones().iter().zip(&model.source.bone_nodes) {
        let node = u64::from(node.unwrap());
        if animated.contains(&node) {
            continue;
        }
        let json = matrices.json["nodes"][node as usize].as_object_mut().unwrap();
        ["translation", "rotation", "scale"].iter().for_each(|part| drop(json.remove(*part)));
        json.insert("matrix".into(), json!(bone.rest.to_mat4().to_cols_array()));
        changed += 1;
    }
    assert!(changed > 1);
    same("node.matrix", &original, &matrices.bytes(), &HashMap::new(), 1e-6);
}
