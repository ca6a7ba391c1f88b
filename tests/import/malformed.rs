//! Malformed glTF files. Each gives an error or a finding with place and reason; never a panic, a hang, or an
//! allocation beyond a small multiple of the file.

use std::path::Path;

use keypose_tools::import::Imported;
use serde_json::json;

use crate::glb;
use crate::glb::Glb;
use crate::importing;
use crate::models;

/// Imports a file, by its contents.
pub fn read(bytes: &[u8]) -> Result<Imported, String> {
    importing::read("bad.glb", bytes)
}

/// The error of each file in `data/tests/malformed`, or a line of its report.
const OWN: [(&str, Result<&str, &str>); 16] = [
    ("accessor_out_of_bounds.gltf", Err("POSITION, accessor 0: 5 elements of 12 bytes")),
    ("empty_file.glb", Err("the file is empty")),
    ("header_only.glb", Err("offset 12: no JSON chunk")),
    ("inverse_binds_too_few.gltf", Err("skin 0: 1 inverse bind matrices for 2 joints")),
    ("joint_out_of_range.gltf", Err("skin 0, joint 1: node 9 doesn't exist")),
    ("json_chunk_too_long.glb", Err("offset 12: a chunk of 4294967295 bytes")),
    ("key_times_backwards.gltf", Ok("1 key times are negative or not ascending")),
    ("node_cycle.gltf", Err("the nodes form a cycle")),
    ("nothing_in_it.gltf", Err("nothing to import")),
    ("rotations_not_unit.gltf", Ok("rotations of length 1.000 to 3.000")),
    ("sampler_input_out_of_range.gltf", Ok("animation 0, channel 0: accessor 77 doesn't exist; the clip is left out")),
    ("sampler_values_too_few.gltf", Ok("3 key times need 3 values")),
    ("skin_without_joints.gltf", Err("skin 0: no joints")),
    ("truncated.glb", Err("offset 8: the header says 1968 bytes, the file has 1967")),
    ("version_0.glb", Err("offset 4: version 0")),
    ("wrong_magic.glb", Err("neither an archive nor")),
];

/// Malformed files of the larger set, and what is reported.
const LARGER: [(&str, Result<&str, &str>); 16] = [
    (
        "animation__sampler_output_count_invalid.gltf",
        Ok("animation 0, channel 0: 1 key times need 1 values, but there are 2; the clip is left out"),
    ),
    ("animation__sampler_too_few_cubic_frames.gltf", Ok("a cubic spline needs two keys")),
    ("animation__unresolved_sampler_input.gltf", Ok("animation 0, channel 0: accessor 1 doesn't exist")),
    ("animation_data__invalid_input_values.gltf", Ok("2 key times are negative or not ascending")),
    ("animation_data__quaternion_non_unit_values.gltf", Ok("rotations of length")),
    ("glb__chunk_too_big.glb", Err("offset 12: unexpected end of file: 1 bytes left")),
    ("glb__empty_file.glb", Err("the file is empty")),
    ("glb__invalid_magic.glb", Err("neither an archive nor a model")),
    ("glb__invalid_version.glb", Err("offset 4: version 0")),
    ("glb__only_header.glb", Err("offset 12: no JSON chunk")),
    ("glb__truncated_chunk_data.glb", Err("offset 8: the header says 48 bytes, the file has 47")),
    ("glb__valid_buffer.glb", Err("nothing to import")),
    ("node__node_loop.gltf", Err("the nodes form a cycle")),
    ("skin__empty_joints_array.gltf", Err("skin 0: no joints")),
    ("skin__ibm_invalid_count.gltf", Err("skin 2: 2 inverse bind matrices for 3 joints")),
    ("skin__unresolved_joint.gltf", Err("skin 0, joint 0: node 0 doesn't exist")),
];

#[test]
fn every_malformed_file_is_refused_or_reported() {
    check_folder(&models::own().join("malformed"), &OWN);
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn every_malformed_file_of_the_larger_set_is_refused_or_reported() {
    check_folder(&models::larger().join("malformed"), &LARGER);
}

/// Opens every file of a folder and compares its error, or its report, with a table.
fn check_folder(folder: &Path, table: &[(&str, Result<&str, &str>)]) {
    let mut wrong = Vec::new();
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".gltf") || name.ends_with(".glb"));
    names.sort();
    for name in &names {
        let expected = table.iter().find(|(known, _)| known == name);
        let expected = expected.unwrap_or_else(|| panic!("{name} is not in the table")).1;
        let opened = keypose_app::app::files::open(&folder.join(name)).map(|opened| opened.report.join("\n"));
        let is_right = match (&opened, expected) {
            (Ok(report), Ok(text)) => report.contains(text),
            (Err(error), Err(text)) => error.contains(text) && error.contains(name),
            _ => false,
        };
        if !is_right {
            wrong.push(format!("{name}: expected {expected:?}, got {opened:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(names.len(), table.len());
}

/// What the Khronos validator calls an error, and what has one meaning all the same.
#[test]
fn faults_that_change_nothing_are_reported() {
    type Change = fn(&mut Glb);
    let cases: [(Change, &str); 8] = [
        (|glb| glb.json["skins"][0]["skeleton"] = json!(9), "skin 0: its skeleton, node 9, doesn't exist"),
        (|glb| glb.json["skins"][0]["joints"] = json!([0, 0]), "skin 0: some of its joints are the same node"),
        (
            |glb| {
                glb.json["nodes"][0].as_object_mut().unwrap().remove("children");
                glb.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
            },
            "skin 0: its joints have 2 roots",
        ),
        (
            |glb| {
                let binds = glb.add("MAT4", glb::F32, false, 2, &glb::floats(&[1.0; 32]));
                glb.json["skins"][0]["inverseBindMatrices"] = binds.into();
            },
            "skin 0: 2 inverse bind matrices have a last row",
        ),
        (
            |glb| *glb.attribute("NORMAL") = glb.add("VEC3", glb::F32, false, 5, &glb::floats(&[1.0; 15])).into(),
            "5 normals are not of unit length; normalised",
        ),
        (
            |glb| *glb.attribute("WEIGHTS_0") = glb.add("VEC4", glb::F32, false, 5, &glb::floats(&[0.5; 20])).into(),
            "the weights of 5 vertices don't sum to 1; normalised",
        ),
        (|glb| glb.json["scenes"][0]["nodes"] = json!([0, 1, 2]), "scene: 1 of its nodes have a parent"),
        (|glb| glb.json["nodes"][0]["skin"] = json!(0), "node 0: a skin without a mesh; ignored"),
    ];
    for (change, expected) in cases {
        let mut glb = Glb::small();
        change(&mut glb);
        let report = read(&glb.bytes()).unwrap().report;
        assert!(report.iter().any(|line| line.contains(expected)), "{expected}: {report:?}");
    }
}

#[test]
fn the_small_file_itself_is_good() {
    let imported = read(&Glb::small().bytes()).unwrap();
    assert_eq!(imported.report, Vec::<String>::new());
    assert_eq!((imported.model.meshes.len(), imported.model.clips.len()), (1, 1));
}

#[test]
fn every_truncation_is_refused() {
    let glb = Glb::small();
    let (binary, text) = (glb.bytes(), glb.text(&format!("data:;base64,{}", glb::base64(&glb.buffer))));
    for (bytes, from) in [(&binary, 0), (&text, 0)] {
        for length in from..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "the first {length} bytes");
        }
    }
}

#[test]
fn bytes_after_the_end_are_ignored() {
    let mut bytes = Glb::small().bytes();
    bytes.extend([0; 7]);
    let imported = read(&bytes).unwrap();
    assert_eq!(imported.report, ["file: 7 bytes after the end that its header gives; ignored"]);
}

#[test]
fn no_byte_makes_the_importer_panic() {
    let bytes = Glb::small().bytes();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        for value in [0xFF, bytes[at] ^ 1, b'9'] {
            changed[at] = value;
            let _ = read(&changed);
        }
    }
}

/// Replaces every number of the JSON by each of some values, one at a time.
#[test]
fn no_number_makes_the_importer_panic() {
    let glb = Glb::small();
    let mut places = Vec::new();
    numbers_of(&glb.json, String::new(), &mut places);
    assert!(places.len() > 60);
    let values = [
        json!(-1),
        json!(1),
        json!(3),
        json!(255),
        json!(65_536),
        json!(4_294_967_295_u64),
        json!(u64::MAX),
        json!(1e300),
    ];
    for place in places {
        for value in &values {
            let mut changed = glb.clone();
            *changed.json.pointer_mut(&place).unwrap() = value.clone();
            let _ = read(&changed.bytes());
        }
    }
}

fn numbers_of(value: &serde_json::Value, place: String, places: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(_) => places.push(place),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| numbers_of(item, format!("{place}/{at}"), places));
        }
        serde_json::Value::Object(members) => {
            members.iter().for_each(|(name, item)| numbers_of(item, format!("{place}/{name}"), places));
        }
        _ => {}
    }
}

/// Changes of the small file, and a part of its error or its report.
#[test]
fn faults_are_named_with_their_place() {
    type Change = fn(&mut Glb);
    let cases: [(Change, Result<&str, &str>); 25] = [
        (
            |glb| glb.json["accessors"][0]["count"] = json!(4_000_000_000_u64),
            Err("POSITION, accessor 0: 4000000000 elements"),
        ),
        (|glb| glb.json["accessors"][0]["byteOffset"] = json!(u64::MAX), Err("accessor 0: 5 elements of 12 bytes")),
        (|glb| glb.json["accessors"][0]["type"] = json!("VEC2"), Err("accessor 0: type Vec2, but 3 numbers")),
        (|glb| glb.json["bufferViews"][0]["byteLength"] = json!(1_u64 << 40), Err("buffer view 0 uses bytes 0 to")),
        (|glb| glb.json["bufferViews"][0]["buffer"] = json!(9), Err("buffer 9 doesn't exist")),
        (|glb| glb.json["bufferViews"][0]["byteStride"] = json!(4), Err("elements of 12 bytes, but a stride of 4")),
        (|glb| absent_view(glb, 4_000_000_000), Err("far more numbers or meshes than it holds")),
        (|glb| glb.json["nodes"][1]["children"] = json!([0]), Err("the nodes form a cycle")),
        (|glb| glb.json["nodes"][1]["children"] = json!([77]), Err("node 1: its child 77 doesn't exist")),
        (|glb| glb.json["nodes"][2]["children"] = json!([1]), Err("node 1: a child of both nodes 0 and 2")),
        (|glb| glb.json["nodes"][2]["mesh"] = json!(3), Err("node 2: mesh 3 doesn't exist")),
        (|glb| glb.json["nodes"][2]["skin"] = json!(3), Err("node 2: skin 3 doesn't exist")),
        (|glb| glb.json["nodes"][1]["translation"] = json!([1e300, 0, 0]), Err("node 1: transform is not finite")),
        (|glb| glb.json["skins"][0]["joints"] = json!([0]), Err("vertex 2: joint 1, but its skin has 1 joints")),
        (|glb| glb.json["asset"]["version"] = json!("1.0"), Err("glTF 1.0 is not supported")),
        (
            |glb| glb.json["extensionsRequired"] = json!(["KHR_gaussian_splatting"]),
            Err("KHR_gaussian_splatting is not supported"),
        ),
        (
            |glb| glb.json["extensionsRequired"] = json!(["KHR_materials_variants"]),
            Ok("extensionsRequired: KHR_materials_variants is not supported; the model looks different"),
        ),
        (|glb| glb.json["nodes"][1]["children"] = json!([2.0]), Ok("JSON: ")),
        (version_1, Err("asset: glTF 1.0 is not supported; only 2.0 is")),
        (
            |glb| glb.json["extensionsUsed"] = json!(["KHR_lights_punctual"]),
            Ok("not imported: extension KHR_lights_punctual (1)"),
        ),
        (|glb| glb.json["meshes"][0]["primitives"][0]["mode"] = json!(1), Ok("not imported: points and lines (1)")),
        (
            |glb| glb.json["nodes"][1]["name"] = json!("root"),
            Ok("node 1: the name \"root\" is already used; renamed to \"root.001\""),
        ),
        (
            |glb| glb.json["nodes"][1]["rotation"] = json!([0, 0, 0, 2]),
            Ok("node 1: rotation has length 2.000; normalised"),
        ),
        (missing_texture, Ok("image 0: gone.png doesn't exist; drawn in the colour of its material")),
        (|glb| position(glb, f32::NAN), Err("POSITION: vertex 0 is not finite")),
    ];
    for (at, (change, expected)) in cases.into_iter().enumerate() {
        let mut glb = Glb::small();
        change(&mut glb);
        let result = read(&glb.bytes()).map(|imported| imported.report.join("\n"));
        let good = match (&result, expected) {
            (Ok(text), Ok(part)) | (Err(text), Err(part)) => text.contains(part),
            _ => false,
        };
        assert!(good, "case {at}: {result:?} instead of {expected:?}");
    }
}

/// As version 1 has it: objects instead of arrays.
fn version_1(glb: &mut Glb) {
    glb.json["asset"]["version"] = json!("1.0");
    glb.json["meshes"] = json!({ "mesh": {} });
    glb.json["nodes"] = json!({ "node": {} });
}

fn absent_view(glb: &mut Glb, count: u64) {
    let accessor = glb.json["accessors"][0].as_object_mut().unwrap();
    accessor.remove("bufferView");
    accessor.insert("count".into(), count.into());
}

fn missing_texture(glb: &mut Glb) {
    glb.json["images"] = json!([{ "uri": "gone.png" }]);
    glb.json["textures"] = json!([{ "source": 0 }]);
    glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
}

fn position(glb: &mut Glb, x: f32) {
    glb.buffer[..4].copy_from_slice(&x.to_le_bytes());
}

/// Small files that ask for much memory: many nodes with one mesh, many channels with one accessor.
#[test]
fn shared_data_multiplies_only_up_to_a_bound() {
    let mut instances = Glb::small();
    let vertices = 20_000;
    let positions = instances.add("VEC3", glb::F32, false, vertices, &vec![0; 12 * vertices]);
    *instances.attribute("POSITION") = positions.into();
    let primitive = json!({ "attributes": { "POSITION": positions } });
    instances.json["meshes"][0]["primitives"] = vec![primitive; 3000].into();
    assert!(read(&instances.bytes()).unwrap_err().contains("far more numbers"));

    let mut channels = Glb::small();
    let channel = json!({ "sampler": 0, "target": { "node": 1, "path": "rotation" } });
    channels.json["animations"][0]["channels"] = vec![channel; 20_000].into();
    let report = read(&channels.bytes()).unwrap().report;
    assert!(report.len() < 210 && report.iter().any(|line| line.contains("an earlier channel")));

    let mut names = Glb::small();
    names.json["materials"] = vec![json!({ "name": "same" }); 50_000].into();
    assert_eq!(read(&names.bytes()).unwrap().model.materials.len(), 50_000);

    let mut chain = Glb::small();
    let node = |at: usize| json!({ "name": format!("n{at}"), "children": [at + 1] });
    let mut nodes: Vec<_> = (0..60_000).map(node).collect();
    nodes.push(json!({ "mesh": 0 }));
    chain.json["nodes"] = nodes.into();
    chain.json["skins"] = json!([]);
    assert!(read(&chain.bytes()).unwrap_err().contains("bones, the maximum is 4096"));
}

/// The reader of JSON refuses a sampler without its members; the other clips and the model come in.
#[test]
fn a_bad_sampler_leaves_out_its_clip_alone() {
    let mut glb = Glb::small();
    let mut other = glb.json["animations"][0].clone();
    other["name"] = json!("other");
    glb.json["animations"][0]["samplers"][0].as_object_mut().unwrap().remove("output");
    glb.json["animations"].as_array_mut().unwrap().push(other);
    let Imported { model, report } = read(&glb.bytes()).unwrap();
    assert_eq!(model.clips.iter().map(|slot| slot.clip.name.as_str()).collect::<Vec<_>>(), ["other"]);
    let expected = "clips: animation 0, sampler 0: output is missing or no index; the clip is left out";
    assert!(report.iter().any(|line| line == expected) && !model.meshes.is_empty(), "{report:?}");
}
