//! Small files of glTF that share a mesh between many nodes: what a mesh costs beside its numbers is counted for each node.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::morph::MorphTarget;
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};
use keypose_tools::export::gltf::{GlbOptions, encode};
use serde_json::{Value, json};

use crate::glb::Glb;
use crate::malformed::read;

/// Nodes that share one mesh; its accessor has no bytes.
fn shared(nodes: usize, vertices: usize, mesh: Value) -> Result<keypose_tools::import::Imported, String> {
    let mut glb = Glb::small();
    let count = glb.json["accessors"].as_array().unwrap().len();
    let accessor = json!({ "componentType": 5126, "type": "VEC3", "count": vertices });
    glb.json["accessors"].as_array_mut().unwrap().push(accessor);
    glb.json["nodes"] = vec![json!({ "mesh": 0 }); nodes].into();
    glb.json["scenes"] = json!([{ "nodes": [0] }]);
    glb.json["skins"] = json!([]);
    glb.json["animations"] = json!([]);
    let mut mesh = mesh;
    for primitive in mesh["primitives"].as_array_mut().unwrap() {
        if primitive["attributes"].get("POSITION").is_some() {
            primitive["attributes"]["POSITION"] = count.into();
        }
    }
    glb.json["meshes"] = json!([mesh]);
    read(&glb.bytes())
}

#[test]
fn the_names_of_morph_targets_are_read_once_for_each_mesh() {
    let primitive = json!({ "attributes": { "POSITION": 0 }, "targets": [{}] });
    let names = vec!["a"; 20_000];
    let read = shared(4000, 3, json!({ "primitives": [primitive], "extras": { "targetNames": names } }));
    // Four thousand lists of names would be too many numbers; one is not.
    assert!(read.is_err_and(|error| error.contains("far more numbers or meshes")));
    let primitive = json!({ "attributes": { "POSITION": 0 }, "targets": [{}] });
    let read = shared(100, 3, json!({ "primitives": [primitive], "extras": { "targetNames": ["smile"] } })).unwrap();
    assert_eq!(read.model.skeleton.scalars().len(), 100);
}

#[test]
fn notes_and_primitives_are_counted_for_each_node() {
    let empty = json!({ "attributes": {} });
    let noted = json!({ "primitives": [empty], "extras": { "keypose": { "names": vec![0; 100_000] } } });
    assert!(shared(4000, 3, noted).is_err_and(|error| error.contains("far more numbers or meshes")));
    let many = json!({ "primitives": vec![empty; 20_000] });
    assert!(shared(4000, 3, many).is_err_and(|error| error.contains("far more numbers or meshes")));
    let triangle = json!({ "attributes": { "POSITION": 0 } });
    let triangles = json!({ "primitives": vec![triangle.clone(); 100] });
    assert!(shared(4000, 3, triangles).is_err_and(|error| error.contains("far more numbers or meshes")));
    let few = json!({ "primitives": vec![triangle; 10] });
    assert_eq!(shared(200, 3, few).unwrap().model.meshes.len(), 2000);
}

#[test]
fn morph_targets_without_differences_take_no_time() {
    let primitive = json!({ "attributes": { "POSITION": 0 }, "targets": vec![json!({}); 4096] });
    let read = shared(1, 1_000_000, json!({ "primitives": [primitive] })).unwrap();
    let mesh = &read.model.meshes[0].mesh;
    assert_eq!(mesh.positions.len(), 1_000_000);
    assert!(mesh.morphs.iter().all(|morph| morph.vertices.is_empty()));
}

/// An animation with an accessor of numbers that the file doesn't hold.
#[test]
fn keys_that_a_file_does_not_hold_are_counted() {
    let with = |keys: usize| {
        let mut glb = Glb::small();
        let accessors = glb.json["accessors"].as_array_mut().unwrap();
        let first = accessors.len();
        accessors.push(json!({ "componentType": 5126, "type": "VEC3", "count": 3 }));
        accessors.push(json!({ "componentType": 5126, "type": "SCALAR", "count": 4096 * keys }));
        let times: Vec<u8> = (0..keys).flat_map(|key| (key as f32).to_le_bytes()).collect();
        let view = glb.add_view(&times);
        let times = json!({ "bufferView": view, "componentType": 5126, "type": "SCALAR", "count": keys });
        glb.json["accessors"].as_array_mut().unwrap().push(times);
        let primitive = json!({ "attributes": { "POSITION": first }, "targets": vec![json!({}); 4096] });
        glb.json["meshes"] = json!([{ "primitives": [primitive] }]);
        glb.json["nodes"] = json!([{ "mesh": 0 }]);
        glb.json["scenes"] = json!([{ "nodes": [0] }]);
        glb.json["skins"] = json!([]);
        let sampler = json!({ "input": first + 2, "output": first + 1 });
        let channel = json!({ "sampler": 0, "target": { "node": 0, "path": "weights" } });
        glb.json["animations"] = json!([{ "samplers": [sampler], "channels": [channel] }]);
        read(&glb.bytes())
    };
    assert_eq!(with(10).unwrap().model.clips[0].clip.keyframes.len(), 10);
    let refused = with(1000).unwrap();
    assert!(
        refused.model.clips.is_empty()
            && refused.report.iter().any(|line| line.contains("far more keys than it holds"))
    );
}

/// A sampler of a GLB has all weights of a mesh at each of its times.
#[test]
fn keys_of_few_weights_of_many_are_not_exported_without_a_bound() {
    let weights: u16 = 4096;
    let exported = |keys: usize| {
        let scalar = |at: u16| Scalar { name: format!("w{at}"), bone: 0, kind: ScalarKind::Weight, default: 0.0 };
        let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Skeleton::new(vec![bone]).unwrap().with_scalars((0..weights).map(scalar).collect()).unwrap();
        let morph = |scalar: u16| MorphTarget { scalar, vertices: vec![], positions: vec![], normals: vec![] };
        let mut model = Model { name: "face".into(), skeleton: Arc::new(skeleton), ..Model::default() };
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let mesh = Mesh {
            positions,
            indices: vec![0, 1, 2],
            morphs: (0..weights).map(morph).collect(),
            ..Mesh::empty("face", Binding::Bone(0))
        };
        model.meshes = vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }];
        model.materials = vec![Arc::new(Material::default())];
        let key = |at: usize| Key::new(0, Channel::Scalar(at as u16 % weights), Vec4::X);
        let keyframe = |at: usize| Keyframe { duration: Time::TICK, keys: vec![key(at)].into(), ..Keyframe::default() };
        let clip = Clip { keyframes: (0..keys).map(keyframe).collect(), ..Clip::new("talk") };
        model.clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }];
        assert_eq!(model.check(), Ok(()));
        encode(&model, GlbOptions::default()).map(|glb| glb.bytes.len())
    };
    assert!(exported(10).is_ok());
    let refused = exported(2000).unwrap_err().to_string();
    assert!(refused.contains("2000 keys") && refused.contains("8192000 numbers"), "{refused}");
}

#[test]
fn skins_of_deep_chains_are_read_in_proportion_to_their_joints() {
    let chain = |depth: usize| {
        let nodes: Vec<String> = (1..depth).map(|node| format!("{{\"children\":[{}]}}", node - 1)).collect();
        let joints = vec!["0"; 16 * depth].join(",");
        let scene = depth - 1;
        format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[{scene}]}}],\"nodes\":[{{}},{}],\
             \"skins\":[{{\"joints\":[{joints}]}}]}}",
            nodes.join(",")
        )
    };
    let secs_of = |depth: usize| {
        let (text, start) = (chain(depth), std::time::Instant::now());
        let read = keypose_tools::import::import("a.gltf", text.as_bytes(), &mut |_| Err("none".into()));
        assert!(read.unwrap().model.skeleton.len() >= depth);
        start.elapsed().as_secs_f64()
    };
    // A machine that does much else disturbs some of the runs; something quadratic fails in all of them.
    let is_in_proportion = || secs_of(4000) < 10.0 * secs_of(1000) + 0.05;
    assert!((0..6).any(|_| is_in_proportion()));
}
