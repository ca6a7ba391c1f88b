//! Compressed variants of a model, made by other programs: they skin to the same positions, and damage is a sentence.
//! `data/tests/models/compressed` is made of `limb.glb` by gltfpack 1.3 (`-c -kn -km -af 0`, with and without `-noq`) and glTF
//! Transform 4 with Google's encoder (both EdgeBreaker traversals and sequential).

use std::fs;

use glam::Vec3;
use keypose::anim::bake::bake;
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;
use keypose::assets::model::Model;
use keypose_tools::import::{Format, Imported};
use serde_json::json;

use crate::glb::{F32, Glb, floats};
use crate::importing;
use crate::models;
use crate::posing::vertices;

/// Names, and how far their positions may be off, as a part of the model's size.
const VARIANTS: [(&str, f32); 5] = [
    ("meshopt", 1e-3),
    ("meshopt_quantized", 2e-3),
    ("draco", 1e-4),
    ("draco_valence", 1e-4),
    ("draco_sequential", 1e-4),
];

pub fn bytes(name: &str) -> Vec<u8> {
    fs::read(models::own().join(format!("models/compressed/{name}.glb"))).unwrap()
}

fn read(bytes: &[u8]) -> Result<Imported, String> {
    importing::read("limb.glb", bytes)
}

/// The vertices at rest, and at some times of every clip, in the order of their names.
fn poses(model: &Model) -> Vec<Vec<Vec3>> {
    let mut all = vec![vertices(model, &model.skeleton.rest_pose())];
    let mut clips: Vec<_> = model.clips.iter().map(|slot| &slot.clip).collect();
    clips.sort_by(|a, b| a.name.cmp(&b.name));
    for clip in clips {
        let baked = bake(clip, &model.skeleton);
        for part in 0..=4 {
            let mut local = LocalPose::default();
            baked.sample(Time(clip.length().0 / 4 * part), &mut local);
            all.push(vertices(model, &local));
        }
    }
    all
}

/// The largest distance of a point from the nearest of the others.
fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    let nearest = |point: &Vec3| b.iter().map(|other| point.distance(*other)).fold(f32::INFINITY, f32::min);
    a.iter().map(nearest).fold(0.0, f32::max)
}

#[test]
fn compressed_models_are_the_model() {
    let original = read(&fs::read(models::own().join("models/limb.glb")).unwrap()).unwrap().model;
    let expected = poses(&original);
    let size = expected[0].iter().fold(0.0_f32, |most, point| most.max(point.length()));
    for (name, tolerance) in VARIANTS {
        let imported = read(&bytes(name)).unwrap();
        let found = poses(&imported.model);
        assert_eq!(found.len(), expected.len(), "{name}");
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let off = apart(found, expected).max(apart(expected, found)) / size;
            // gltfpack keeps rotations of keys in 12 bits, whatever it does to vertices.
            let tolerance = if (name, at) == ("meshopt", 0) { 1e-6 } else { tolerance };
            assert!(off <= tolerance, "{name}, pose {at}: {off}");
        }
        let indices = |model: &Model| model.meshes.iter().map(|slot| slot.mesh.indices.len()).sum::<usize>();
        assert_eq!(indices(&imported.model), indices(&original), "{name}");
        assert!(imported.report.iter().all(|line| !line.contains("compression")), "{name}: {:?}", imported.report);
    }
}

#[test]
fn the_ratified_name_of_meshopt_is_read_as_well() {
    for name in ["meshopt", "meshopt_quantized"] {
        let old = bytes(name);
        let mut new = old.clone();
        let length = "EXT_meshopt".len();
        let places: Vec<usize> =
            (0..old.len() - length).filter(|at| old[*at..*at + length] == *b"EXT_meshopt").collect();
        assert!(!places.is_empty());
        places.iter().for_each(|at| new[*at..*at + 3].copy_from_slice(b"KHR"));
        assert_eq!(read(&new).unwrap().model, read(&old).unwrap().model, "{name}");
    }
    let mut glb = Glb::small();
    let view = glb.add_view(&[0xA1; 64]);
    let packed =
        json!({ "buffer": 0, "byteOffset": 0, "byteLength": 64, "byteStride": 4, "count": 1, "mode": "ATTRIBUTES" });
    glb.json["bufferViews"][view]["extensions"] = json!({ "KHR_meshopt_compression": packed });
    glb.buffer[..64].fill(0xA1);
    assert!(read(&glb.bytes()).unwrap_err().contains("version 1 of the codec of attributes is not supported"));
}

#[test]
fn truncated_compressed_models_are_sentences() {
    for (name, _) in VARIANTS {
        let whole = bytes(name);
        for length in (0..whole.len()).step_by(17).chain(whole.len() - 16..whole.len()) {
            assert!(read(&whole[..length]).is_err(), "the first {length} bytes of {name}");
        }
    }
}

#[test]
fn only_draco_needs_a_process_of_its_own() {
    let is_risky = |name: &str| Format::of("limb.glb", &bytes(name)).unwrap().is_risky(&bytes(name));
    assert_eq!(VARIANTS.map(|(name, _)| is_risky(name)), [false, false, true, true, true]);
}

/// Without the extension's data a file that has its elements, too, is still whole.
#[test]
fn draco_data_that_are_invalid_are_not_needed_if_others_are_there() {
    let mut glb = Glb::small();
    let view = glb.add_view(b"DRACO is not this");
    let extension = json!({ "bufferView": view, "attributes": { "POSITION": 0 } });
    glb.json["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression": extension });
    let imported = read(&glb.bytes()).unwrap();
    assert!(imported.report[0].contains("the uncompressed data are used"), "{:?}", imported.report);
    glb.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert!(read(&glb.bytes()).unwrap_err().contains("mesh 0, primitive 0: the Draco data can't be decoded"));
}

#[test]
fn compressed_views_cannot_ask_for_any_amount_of_memory() {
    let mut glb = Glb::small();
    let packed =
        json!({ "buffer": 0, "byteLength": 40, "byteStride": 256, "count": 1_u64 << 40, "mode": "ATTRIBUTES" });
    glb.json["bufferViews"][0]["extensions"] = json!({ "EXT_meshopt_compression": packed });
    assert!(read(&glb.bytes()).unwrap_err().contains("far more bytes than the file"));
    glb.json["bufferViews"][0]["extensions"] = json!({ "EXT_meshopt_compression": { "buffer": 0 } });
    assert!(read(&glb.bytes()).unwrap_err().contains("buffer view 0: EXT_meshopt_compression lacks a property"));
}

#[test]
fn a_texture_can_be_webp_or_be_left_out() {
    let mut webp = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbaImage::from_raw(2, 1, vec![255, 0, 0, 255, 0, 255, 0, 128]).unwrap();
    pixels.write_to(&mut webp, image::ImageFormat::WebP).unwrap();
    let mut glb = Glb::small();
    let view = glb.add_view(&webp.into_inner());
    glb.json["images"] = json!([{ "bufferView": view, "mimeType": "image/webp" }, { "uri": "a.ktx2" }]);
    glb.json["textures"] = json!([
        { "extensions": { "EXT_texture_webp": { "source": 0 } } },
        { "extensions": { "KHR_texture_basisu": { "source": 1 } } },
    ]);
    glb.json["extensionsRequired"] = json!(["EXT_texture_webp", "KHR_texture_basisu"]);
    glb.json["materials"][0] = json!({
        "name": "skin",
        "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 }, "metallicRoughnessTexture": { "index": 1 } },
    });
    let uvs = glb.add("VEC2", F32, false, 5, &floats(&[0.0; 10]));
    *glb.attribute("TEXCOORD_0") = uvs.into();
    let Imported { model, report } = read(&glb.bytes()).unwrap();
    assert_eq!(*model.textures[0].pixels().unwrap(), [255, 0, 0, 255, 0, 255, 0, 128]);
    let material = &model.materials[0];
    assert_eq!((material.texture, material.metallic_roughness_texture), (Some(0), None));
    assert_eq!((material.metallic, material.roughness), (0.0, 1.0));
    let left_out = "texture 1: Basis Universal (KHR_texture_basisu) is not supported; drawn without it";
    assert!(report.iter().any(|line| line == left_out), "{report:?}");
}
