//! Malformed glTF files for the import tests, each named by its fault.

use serde_json::json;

use crate::glb::{F32, Glb, floats};
use crate::gltf_models::text;

/// Every file: its name and bytes.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let good = Glb::small();
    let bytes = good.bytes();
    let with = |at: usize, new: &[u8]| [&bytes[..at], new, &bytes[at + new.len()..]].concat();
    let changed = |change: fn(&mut Glb)| {
        let mut glb = good.clone();
        change(&mut glb);
        text(&glb)
    };
    vec![
        ("tests/malformed/empty_file.glb", Vec::new()),
        ("tests/malformed/wrong_magic.glb", with(0, b"glTX")),
        ("tests/malformed/version_0.glb", with(4, &[0, 0, 0, 0])),
        ("tests/malformed/header_only.glb", with(8, &12_u32.to_le_bytes())[..12].to_vec()),
        ("tests/malformed/json_chunk_too_long.glb", with(12, &u32::MAX.to_le_bytes())),
        ("tests/malformed/truncated.glb", bytes[..bytes.len() - 1].to_vec()),
        ("tests/malformed/nothing_in_it.gltf", br#"{"asset":{"version":"2.0"}}"#.to_vec()),
        ("tests/malformed/node_cycle.gltf", changed(|glb| glb.json["nodes"][1]["children"] = json!([0]))),
        ("tests/malformed/skin_without_joints.gltf", changed(|glb| glb.json["skins"][0]["joints"] = json!([]))),
        ("tests/malformed/joint_out_of_range.gltf", changed(|glb| glb.json["skins"][0]["joints"][1] = json!(9))),
        ("tests/malformed/inverse_binds_too_few.gltf", changed(one_inverse_bind)),
        ("tests/malformed/sampler_values_too_few.gltf", changed(|glb| glb.json["accessors"][5]["count"] = json!(2))),
        (
            "tests/malformed/sampler_input_out_of_range.gltf",
            changed(|glb| {
                glb.json["animations"][0]["samplers"][0]["input"] = json!(77);
            }),
        ),
        ("tests/malformed/key_times_backwards.gltf", changed(backwards)),
        ("tests/malformed/rotations_not_unit.gltf", changed(long_rotations)),
        (
            "tests/malformed/accessor_out_of_bounds.gltf",
            changed(|glb| {
                glb.json["accessors"][0]["byteOffset"] = json!(1_u64 << 40);
            }),
        ),
    ]
}

fn one_inverse_bind(glb: &mut Glb) {
    let identity = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let binds = glb.add("MAT4", F32, false, 1, &floats(&identity));
    glb.json["skins"][0]["inverseBindMatrices"] = json!(binds);
}

fn backwards(glb: &mut Glb) {
    let times = glb.add("SCALAR", F32, false, 3, &floats(&[0.5, 0.25, 1.0]));
    glb.json["animations"][0]["samplers"][0]["input"] = json!(times);
}

fn long_rotations(glb: &mut Glb) {
    let rotations = glb.add("VEC4", F32, false, 3, &floats(&[0., 0., 0., 3., 0., 0., 2., 2., 0., 0., 0., 1.]));
    glb.json["animations"][0]["samplers"][0]["output"] = json!(rotations);
}
