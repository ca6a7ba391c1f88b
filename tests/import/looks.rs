//! Materials and meshes that a file says in other words: glossiness, transmission, sheen, instances, missing images.

use glam::Vec3;
use keypose::assets::material::{AlphaMode, Sheen};
use keypose::assets::model::Model;
use keypose_tools::import::{Imported, import};
use serde_json::{Value, json};

use crate::glb::{F32, Glb, floats};
use crate::importing::{self, png};

fn read(glb: &Glb) -> Imported {
    importing::read("hero.glb", &glb.bytes()).unwrap()
}

/// The small file whose only material is this.
fn with_material(material: Value, images: &[Vec<u8>]) -> Glb {
    let mut glb = Glb::small();
    let images: Vec<Value> = images.iter().map(|image| json!({ "bufferView": glb.add_view(image) })).collect();
    glb.json["materials"] = json!([material]);
    glb.json["textures"] = (0..images.len()).map(|source| json!({ "source": source })).collect();
    glb.json["images"] = images.into();
    glb.json["meshes"][0]["primitives"][0]["material"] = 0.into();
    glb
}

fn pixels(model: &Model, texture: Option<usize>) -> Vec<u8> {
    model.textures[texture.unwrap()].pixels().unwrap().to_vec()
}

#[test]
fn textures_of_specular_reflection_become_metalness() {
    // Gold: black diffuse, coloured reflection. Paint: coloured diffuse, weak reflection.
    let diffuse = png(&[[0, 0, 0, 255], [200, 100, 50, 128]]);
    let gloss = png(&[[255, 220, 150, 255], [56, 56, 56, 0]]);
    let glb = with_material(
        json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": {
            "diffuseTexture": { "index": 0 }, "specularGlossinessTexture": { "index": 1 },
        } } }),
        &[diffuse, gloss],
    );
    let Imported { model, .. } = read(&glb);
    let material = &model.materials[0];
    let (color, reflection) = (pixels(&model, material.texture), pixels(&model, material.metallic_roughness_texture));
    assert_eq!(model.textures.len(), 2, "the converted ones replace those of the file");
    assert!(color[0] > 250 && (215..=225).contains(&color[1]), "{color:?}");
    assert!((195..=205).contains(&color[4]) && color[7] == 128, "{color:?}");
    assert!(reflection[2] > 250 && reflection[1] == 0 && reflection[6] < 20 && reflection[5] == 255, "{reflection:?}");
    assert_eq!((material.metallic, material.roughness, material.base_color), (1.0, 1.0, [1.0; 4]));
}

#[test]
fn transmission_is_tinted_glass_and_cloth_has_a_sheen() {
    let glass = with_material(
        json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.5, 1, 1, 0.1] }, "extensions": {
            "KHR_materials_transmission": { "transmissionFactor": 1 },
            "KHR_materials_volume": { "attenuationColor": [1, 0.5, 0] },
        } }),
        &[],
    );
    let glass = read(&glass).model.materials[0].clone();
    assert_eq!((glass.alpha_mode, glass.base_color), (AlphaMode::Blend, [0.5, 0.5, 0.0, 0.25]));
    let sheen =
        json!({ "sheenColorFactor": [0, 0.5, 1], "sheenRoughnessFactor": 0.25, "sheenColorTexture": { "index": 0 } });
    let cloth = with_material(json!({ "extensions": { "KHR_materials_sheen": sheen } }), &[png(&[[9; 4]])]);
    let Imported { model, report } = read(&cloth);
    assert_eq!(model.materials[0].sheen, Sheen { color: [0.0, 0.5, 1.0], roughness: 0.25 });
    assert!(report.iter().any(|line| line.contains("textures of its sheen")), "{report:?}");
}

#[test]
fn a_missing_image_shows_the_colour_of_its_material() {
    let mut glb = with_material(
        json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.25, 0.5, 1, 1], "baseColorTexture": { "index": 0 } },
            "emissiveFactor": [1, 1, 1], "emissiveTexture": { "index": 0 }, "normalTexture": { "index": 0 } }),
        &[png(&[[0; 4]])],
    );
    glb.json["images"] = json!([{ "uri": "gone.png" }]);
    let Imported { model, report } = read(&glb);
    let material = &model.materials[0];
    assert_eq!(
        (material.base_color, material.emissive, material.normal_texture),
        ([0.25, 0.5, 1.0, 1.0], [0.0; 3], None)
    );
    let texture = &model.textures[material.texture.unwrap()];
    assert_eq!((texture.name.as_str(), texture.source_format.as_str()), ("gone.png", "missing"));
    assert_eq!(*texture.pixels().unwrap(), [255; 4]);
    assert!(report.iter().any(|line| line.contains("drawn in the colour of its material")), "{report:?}");
}

#[test]
fn instances_are_copies_in_one_mesh_within_bounds() {
    let mut glb = Glb::small();
    let moved = glb.add("VEC3", F32, false, 3, &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]));
    let scaled = glb.add("VEC3", F32, false, 3, &floats(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, -1.0, 1.0, 1.0]));
    let count = 5;
    let normals = glb.add("VEC3", F32, false, count, &floats(&[0.6, 0.0, 0.8].repeat(count)));
    *glb.attribute("NORMAL") = json!(normals);
    let target = glb.add("VEC3", F32, false, count, &floats(&[1.0, 2.0, 0.5].repeat(count)));
    let primitive = &mut glb.json["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{ "POSITION": target, "NORMAL": target }]);
    glb.json.as_object_mut().unwrap().remove("skins");
    glb.json.as_object_mut().unwrap().remove("animations");
    let plain = {
        let nodes = glb.json["nodes"].as_array_mut().unwrap();
        nodes.iter_mut().for_each(|node| drop(node.as_object_mut().unwrap().remove("skin")));
        read(&glb).model.meshes[0].mesh.clone()
    };
    let node = glb.json["nodes"].as_array_mut().unwrap().iter_mut().find(|node| node.get("mesh").is_some()).unwrap();
    node["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": moved, "SCALE": scaled } } });
    let mesh = read(&glb).model.meshes[0].mesh.clone();
    assert_eq!((mesh.positions.len(), mesh.indices.len()), (3 * count, 3 * plain.indices.len()));
    let first = plain.positions[1];
    assert_eq!(mesh.positions[1], first);
    assert_eq!(mesh.positions[count + 1], Vec3::X + first * 2.0);
    assert_eq!(mesh.positions[2 * count + 1], Vec3::Y * 2.0 + first * Vec3::new(-1.0, 1.0, 1.0));
    let sides = [(count, Vec3::ONE), (2 * count, Vec3::new(-1.0, 1.0, 1.0))];
    for (first, sides) in sides {
        let [normal, expected] = [mesh.normals[first + 1], plain.normals[1] * sides];
        assert!(normal.abs_diff_eq(expected, 1e-5), "{normal} {expected}");
        let [position, normal] = mesh.morphs[0].difference(first as u32 + 1);
        let [by, turned] = plain.morphs[0].difference(1);
        assert!(position.abs_diff_eq(by * sides * if first == count { 2.0 } else { 1.0 }, 1e-5), "{position}");
        assert!(normal.abs_diff_eq(turned * sides, 1e-5), "{normal}");
    }
    let mirrored = &mesh.indices[2 * plain.indices.len()..][..3];
    let first: Vec<u32> = plain.indices[..3].iter().map(|index| index + 2 * count as u32).collect();
    assert_eq!(mirrored, [first[0], first[2], first[1]], "mirrored triangles keep their front");
    let many = json!({ "componentType": 5126, "type": "VEC3", "count": 1 << 20 });
    glb.json["accessors"][scaled] = many;
    let error = import("hero.glb", &glb.bytes(), &mut |_| Err("no files".into())).unwrap_err().to_string();
    assert!(error.contains("than it holds"), "{error}");
}
