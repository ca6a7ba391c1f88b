//! Imports each part of a glTF file: nodes, skins, meshes, materials, images, animations.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use keypose::anim::clip::LoopMode;
use keypose::anim::key::{Channel, Ease, HandleKind};
use keypose::anim::time::Time;
use keypose::assets::material::{AlphaMode, Filter, Outline, Shading, UvTransform, Wrap};
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSource, Model, Visibility};
use keypose_tools::import::{Imported, import, pixels};
use serde_json::{Value, json};

use crate::allocator;
use crate::glb;
use crate::glb::{F32, Glb, I16, U8, U16, floats, push};
use crate::importing::{png, read};

fn imported(glb: &Glb) -> Imported {
    read("folder/small.glb", &glb.bytes()).unwrap()
}

fn model(glb: &Glb) -> Model {
    imported(glb).model
}

fn mesh(glb: &Glb) -> Mesh {
    Mesh::clone(&model(glb).meshes[0].mesh)
}

fn primitive(glb: &mut Glb) -> &mut serde_json::Value {
    &mut glb.json["meshes"][0]["primitives"][0]
}

#[test]
fn nodes_become_bones_in_level_order() {
    let mut glb = Glb::small();
    push(&mut glb.json, "nodes", json!({ "name": "lamp", "translation": [1, 1, 1] }));
    let model = model(&glb);
    let bones: Vec<_> = model.skeleton.bones().iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
    assert_eq!(bones, [("root", None), ("body", None), ("child", Some(0))], "the lamp has no bone: nothing uses it");
    assert_eq!(model.source.bone_nodes, [Some(0), Some(2), Some(1)]);
    assert_eq!(model.source.meshes, [Some(MeshSource { node: 2, mesh: 0, primitive: 0 })]);
    assert_eq!((model.name.as_str(), model.source.file.as_str()), ("small", "folder/small.glb"));
    assert_eq!(model.skins[0].joints, [0, 2]);
    assert_eq!(model.skins[0].inverse_binds, [Mat4::IDENTITY; 2]);
}

#[test]
fn ancestors_of_joints_become_bones() {
    let mut glb = Glb::small();
    push(&mut glb.json, "nodes", json!({ "name": "armature", "children": [0], "scale": [0.5, 0.5, 0.5] }));
    let model = model(&glb);
    let armature = model.skeleton.find("armature").unwrap();
    assert_eq!(model.skeleton.bones()[usize::from(armature)].rest.scale, Vec3::splat(0.5));
    assert_eq!(model.skeleton.parent(model.skeleton.find("root").unwrap()), Some(armature));
}

#[test]
fn a_matrix_is_decomposed_and_lost_shear_is_reported() {
    let mut glb = Glb::small();
    let (scale, turn, place) = (Vec3::new(2.0, 1.0, 0.5), Quat::from_rotation_y(0.7), Vec3::new(1.0, 2.0, 3.0));
    let matrix = Mat4::from_scale_rotation_translation(scale, turn, place);
    glb.json["nodes"][0]["matrix"] = json!(matrix.to_cols_array());
    let whole = imported(&glb);
    let rest = whole.model.skeleton.bones()[0].rest;
    assert!(rest.to_mat4().abs_diff_eq(matrix, 1e-6));
    assert!(whole.report.is_empty());
    glb.json["nodes"][0]["matrix"][4] = json!(0.8);
    assert!(imported(&glb).report[0].contains("node 0: the matrix has shear"));
}

/// ```text
/// keys      1       2              interpolation STEP
/// time    0.25    0.75
/// ```
#[test]
fn keys_keep_their_exact_times_and_values() {
    let mut glb = Glb::small();
    let times = glb.add("SCALAR", F32, false, 2, &floats(&[0.25, 0.75]));
    let values = glb.add("VEC3", F32, false, 2, &floats(&[1.0, 0.1, 0.0, 2.0, 0.2, 0.0]));
    let animation = json!({
        "samplers": [{ "input": times, "output": values, "interpolation": "STEP" }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "scale" } }],
    });
    push(&mut glb.json, "animations", animation);
    let model = model(&glb);
    let step = &model.clips[1].clip;
    assert_eq!((step.name.as_str(), step.loop_mode), ("animation 1", LoopMode::Once));
    let starts = [0.0, 0.25, 0.75].map(Time::from_secs);
    assert_eq!(step.starts().collect::<Vec<_>>(), starts);
    assert!(step.keyframes[0].keys.is_empty(), "the lead-in has no keys");
    let key = step.keyframes[1].key(0, Channel::Scale).unwrap();
    assert_eq!((key.ease, key.value), (Ease::Step, Vec4::new(1.0, 0.1, 0.0, 0.0)));

    let wave = &model.clips[0].clip;
    assert_eq!((wave.loop_mode, wave.keyframes.len(), wave.length()), (LoopMode::Loop, 3, Time::from_secs(1.25)));
    let cubic = wave.keyframes[1].key(2, Channel::Translation).unwrap();
    assert_eq!((cubic.ease, cubic.handles), (Ease::Cubic, HandleKind::Aligned));
    assert_eq!((cubic.in_tangent, cubic.value), (cubic.out_tangent, Vec4::new(0.25, 0.25, 0.25, 0.0)));
    assert_eq!(wave.keyframes[1].key(2, Channel::Rotation).unwrap().ease, Ease::Linear);
}

#[test]
fn rotations_in_sixteen_bits_are_unit_quaternions() {
    let mut glb = Glb::small();
    let turn = |x: i16, w: i16| [x, 0, 0, w].map(i16::to_le_bytes).concat();
    let turns = glb.add("VEC4", I16, true, 3, &[turn(0, 32_767), turn(23_170, 23_170), turn(0, -32_767)].concat());
    glb.json["animations"][0]["samplers"][0]["output"] = turns.into();
    let clip = model(&glb).clips[0].clip.clone();
    let value = clip.keyframes[1].key(2, Channel::Rotation).unwrap().value;
    assert!(value.distance(Vec4::new(0.5_f32.sqrt(), 0.0, 0.0, 0.5_f32.sqrt())) < 1e-6);
    assert_eq!(clip.loop_mode, LoopMode::Loop, "the last rotation is the first with the other sign");
}

#[test]
fn far_rotations_are_normalised_and_reported() {
    let mut glb = Glb::small();
    let turns = glb.add("VEC4", F32, false, 3, &floats(&[0., 0., 0., 3., 0., 0.5, 0., 0., 0., 0., 0., 1.]));
    glb.json["animations"][0]["samplers"][0]["output"] = turns.into();
    let imported = imported(&glb);
    let clip = &imported.model.clips[0].clip;
    assert_eq!(clip.keyframes[1].key(2, Channel::Rotation).unwrap().value, Vec4::Y);
    assert_eq!(imported.report.len(), 1);
    assert!(imported.report[0].starts_with("animation 0, channel 0: rotations of length 0.500 to 3.000"));
}

#[test]
fn primitives_without_indices_and_strips_become_triangles() {
    let cases = [(4, vec![0, 1, 2]), (5, vec![0, 1, 2, 1, 3, 2, 2, 3, 4]), (6, vec![0, 1, 2, 0, 2, 3, 0, 3, 4])];
    for (mode, triangles) in cases {
        let mut glb = Glb::small();
        primitive(&mut glb).as_object_mut().unwrap().remove("indices");
        primitive(&mut glb)["mode"] = mode.into();
        let mesh = mesh(&glb);
        assert_eq!((mesh.positions.len(), mesh.indices), (5, triangles), "mode {mode}");
    }
}

#[test]
fn a_mesh_without_normals_is_flat_and_given_ones_are_kept() {
    let mut glb = Glb::small();
    assert_eq!(mesh(&glb).normals, []);
    let normals = [0.0, 3.0, 0.0].repeat(5);
    *glb.attribute("NORMAL") = glb.add("VEC3", F32, false, 5, &floats(&normals)).into();
    assert_eq!(mesh(&glb).normals, [Vec3::Y; 5]);
}

#[test]
fn colours_are_encoded_and_of_any_type() {
    let encoded = [255, 188, 0, 128];
    let of_floats = floats(&[1.0, 0.5, 0.0, 128.0 / 255.0].repeat(5));
    let of_bytes = [255, 128, 0, 128].repeat(5);
    let of_words: Vec<u8> = [65_535, 32_896, 0, 32_896].repeat(5).into_iter().flat_map(u16::to_le_bytes).collect();
    for (component, bytes) in [(F32, of_floats), (U8, of_bytes), (U16, of_words)] {
        let mut glb = Glb::small();
        *glb.attribute("COLOR_0") = glb.add("VEC4", component, component != F32, 5, &bytes).into();
        assert_eq!(mesh(&glb).colors, [encoded; 5], "component type {component}");
    }
    let mut glb = Glb::small();
    *glb.attribute("COLOR_0") = glb.add("VEC3", F32, false, 5, &floats(&[0.0, 1.0, 7.0].repeat(5))).into();
    assert_eq!(mesh(&glb).colors, [[0, 255, 255, 255]; 5]);
}

/// Two by one pixels: red and half-transparent green.
fn image_file() -> Vec<u8> {
    png(&[[255, 0, 0, 255], [0, 255, 0, 128]])
}

fn textured(glb: &mut Glb) {
    glb.json["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    glb.json["samplers"] = json!([{ "magFilter": 9728, "wrapS": 33071, "wrapT": 33648 }]);
    glb.json["materials"][0] = json!({
        "name": "skin",
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "doubleSided": true,
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1, 0.75],
            "baseColorTexture": { "index": 0, "texCoord": 0, "extensions": { "KHR_texture_transform": {
                "offset": [0.5, 0.25], "rotation": 1.5, "scale": [2, 3], "texCoord": 1,
            } } },
        },
        "normalTexture": { "index": 0 },
        "extensions": { "KHR_materials_unlit": {} },
    });
    glb.json["extensionsRequired"] = json!(["KHR_texture_transform", "KHR_materials_unlit"]);
    let uvs = [0, 0, 255, 0, 0, 255, 255, 255, 51, 102];
    *glb.attribute("TEXCOORD_1") = glb.add("VEC2", U8, true, 5, &uvs).into();
}

#[test]
fn materials_and_textures_are_imported() {
    let mut glb = Glb::small();
    textured(&mut glb);
    let view = glb.add_view(&image_file());
    let uri = format!("data:image/png;base64,{}", glb::base64(&image_file()));
    let files = |path: &str| (path == "a b.png").then(image_file).ok_or("not there".to_owned());
    let images =
        [json!({ "bufferView": view, "mimeType": "image/png" }), json!({ "uri": uri }), json!({ "uri": "a%20b.png" })];
    for image in images {
        glb.json["images"] = json!([image]);
        let imported = import("small.glb", &glb.bytes(), &mut |path| files(path)).unwrap();
        let normals = "material 0: the normal texture needs texture coordinates of its own; left out";
        assert_eq!(imported.report, [normals]);
        let (material, texture) = (&imported.model.materials[0], &imported.model.textures[0]);
        assert_eq!((texture.width, texture.height, texture.source_format.as_str()), (2, 1, "png"));
        assert_eq!(*texture.pixels().unwrap(), [255, 0, 0, 255, 0, 255, 0, 128]);
        assert_eq!((material.name.as_str(), material.texture), ("skin", Some(0)));
        assert_eq!((material.base_color, material.alpha_mode), ([0.5, 0.25, 1.0, 0.75], AlphaMode::Mask(0.25)));
        assert_eq!((material.wrap, material.filter), ([Wrap::Clamp, Wrap::Mirror], Filter::Nearest));
        assert!(material.double_sided && material.shading == Shading::Unlit);
        let transform = UvTransform { offset: Vec2::new(0.5, 0.25), rotation: 1.5, scale: Vec2::new(2.0, 3.0) };
        assert_eq!(material.uv_transform, transform);
        let uvs = &imported.model.meshes[0].mesh.uvs;
        assert_eq!((uvs[3], uvs[4]), (Vec2::ONE, Vec2::new(0.2, 0.4)), "the transform selects the second set");
    }
}

#[test]
fn a_cutoff_above_one_makes_a_material_transparent() {
    let mut glb = Glb::small();
    glb.json["materials"][0] = json!({ "alphaMode": "MASK", "alphaCutoff": 1.5 });
    let imported = import("small.glb", &glb.bytes(), &mut |_| Err("not there".to_owned())).unwrap();
    let material = &imported.model.materials[0];
    assert_eq!((material.base_color, material.alpha_mode), ([1.0, 1.0, 1.0, 0.0], AlphaMode::Mask(1.0)));
}

#[test]
fn emission_normals_and_reflection_are_imported() {
    let mut glb = Glb::small();
    glb.json["textures"] = json!([{ "source": 0 }, { "source": 1 }, { "source": 2 }]);
    glb.json["images"] = json!([{ "uri": "0.png" }, { "uri": "1.png" }, { "uri": "2.png" }]);
    let transform = json!({ "KHR_texture_transform": { "scale": [2, 2] } });
    glb.json["materials"][0] = json!({
        "name": "steel",
        "pbrMetallicRoughness": {
            "metallicFactor": 0.75,
            "metallicRoughnessTexture": { "index": 0, "extensions": transform },
        },
        "normalTexture": { "index": 1, "scale": -0.5, "extensions": transform },
        "emissiveTexture": { "index": 2, "extensions": transform },
        "occlusionTexture": { "index": 0, "strength": 0.5, "extensions": transform },
        "emissiveFactor": [1, 0.5, 0],
        "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 4 } },
    });
    let mut at = 0;
    let mut read = |glb: &Glb| {
        let files = &mut |_: &str| {
            at += 1;
            Ok([image_file(), vec![at]].concat())
        };
        import("small.glb", &glb.bytes(), files).unwrap()
    };
    let imported = read(&glb);
    assert_eq!(imported.report, Vec::<String>::new());
    let material = &imported.model.materials[0];
    assert_eq!((material.metallic, material.roughness, material.normal_scale), (0.75, 1.0, -0.5));
    assert_eq!((material.emissive, material.uv_transform.scale), ([4.0, 2.0, 0.0], Vec2::splat(2.0)));
    assert_eq!((material.occlusion_texture, material.occlusion_strength), (material.metallic_roughness_texture, 0.5));
    assert_eq!(material.textures().collect::<Vec<_>>(), [0, 1, 2, 2]);
    let specular = json!({ "diffuseFactor": [0.5, 0.25, 0.125, 1], "specularFactor": [0.04, 0.04, 0.04], "glossinessFactor": 0.25 });
    glb.json["materials"][0]["extensions"] = json!({ "KHR_materials_pbrSpecularGlossiness": specular });
    let material = &read(&glb).model.materials[0];
    assert!((material.roughness - 0.75).abs() < 1e-6 && material.metallic < 1e-3, "{material:?}");
    assert!((material.base_color[1] - 0.25).abs() < 1e-3 && material.metallic_roughness_texture.is_none());
}

#[test]
fn toon_shading_and_outlines_are_imported_from_mtoon() {
    // The model is 3 m high in the file and 1.8 m in the game.
    let mut glb = Glb::small();
    let mut read = |mtoon: serde_json::Value| {
        let extensions = json!({ "KHR_materials_unlit": {}, "VRMC_materials_mtoon": mtoon });
        glb.json["materials"][0] = json!({ "name": "skin", "extensions": extensions });
        let material = &import("small.glb", &glb.bytes(), &mut |_| unreachable!()).unwrap().model.materials[0];
        (material.shading, material.outline)
    };
    let color = [0.25, 0.5, 1.0];
    let line = json!({ "specVersion": "1.0", "outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.0625, "outlineColorFactor": color });
    let (shading, outline) = read(line);
    assert!((outline.width - 0.6 * 0.0625).abs() < 1e-6, "{outline:?}");
    assert_eq!((shading, outline.color), (Shading::Toon, color));
    // A width in parts of the screen is no width in metres.
    let screen = json!({ "outlineWidthMode": "screenCoordinates", "outlineWidthFactor": 0.0625 });
    assert_eq!(read(screen), (Shading::Toon, Outline::default()));
    let hostile =
        json!({ "outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 1e300, "outlineColorFactor": [-1, "x"] });
    assert_eq!(read(hostile), (Shading::Toon, Outline::default()));
    // Of VRM 0.x: centimetres, and colours as on the screen.
    let mut glb = Glb::small();
    let width = json!({ "_OutlineWidthMode": 1, "_OutlineWidth": 2.0 });
    let colors = json!({ "_OutlineColor": [1, 0.5, 0, 1] });
    let old = json!({ "shader": "VRM/MToon", "floatProperties": width, "vectorProperties": colors });
    glb.json["extensions"] = json!({ "VRM": { "materialProperties": [old] } });
    let material = &import("small.vrm", &glb.bytes(), &mut |_| unreachable!()).unwrap().model.materials[0];
    let Outline { width, color } = material.outline;
    assert!(
        (width - 0.6 * 0.02).abs() < 1e-6 && (color[1] - 0.214).abs() < 1e-3 && color[0] == 1.0,
        "{width} {color:?}"
    );
    assert_eq!(material.shading, Shading::Toon);
}

/// A mesh for each image, whose material has it as texture.
fn with_images(glb: &mut Glb, images: &[Value]) {
    textured(glb);
    let (mut textures, mut materials, mut primitives) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..images.len() {
        textures.push(json!({ "source": at }));
        materials.push(json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": at } } }));
        let mut primitive = glb.json["meshes"][0]["primitives"][0].clone();
        primitive["material"] = at.into();
        primitives.push(primitive);
    }
    glb.json["images"] = images.into();
    (glb.json["textures"], glb.json["materials"]) = (textures.into(), materials.into());
    glb.json["meshes"][0]["primitives"] = primitives.into();
}

#[test]
fn images_of_the_same_bytes_are_one_texture() {
    let mut glb = Glb::small();
    let (view, copy) = (glb.add_view(&image_file()), glb.add_view(&image_file()));
    let uri = format!("data:image/png;base64,{}", glb::base64(&image_file()));
    let images = [
        json!({ "bufferView": view }),
        json!({ "bufferView": view, "name": "second" }),
        json!({ "bufferView": copy }),
        json!({ "uri": uri }),
        json!({ "uri": "a.png" }),
        json!({ "uri": "a.png" }),
    ];
    with_images(&mut glb, &images);
    let mut read = 0;
    let mut file = |_: &str| {
        read += 1;
        Ok(image_file())
    };
    let imported = import("small.glb", &glb.bytes(), &mut file).unwrap();
    assert_eq!((imported.model.textures.len(), read), (1, 1));
    let used: Vec<_> = imported.model.materials.iter().map(|material| material.texture).collect();
    assert_eq!(used, [Some(0); 6]);
}

#[test]
fn images_that_overlap_in_their_buffer_are_not_all_decoded() {
    let mut glb = Glb::small();
    let mut png = image_file();
    // What follows the image differs, so no two are the same.
    png.extend((0..2000).map(|at| at as u8));
    let first = glb.add_view(&png);
    let views: Vec<Value> = (0..500)
        .map(|shorter| {
            let mut view = glb.json["bufferViews"][first].clone();
            view["byteLength"] = (png.len() - shorter).into();
            let views = glb.json["bufferViews"].as_array_mut().unwrap();
            views.push(view);
            json!({ "bufferView": views.len() - 1 })
        })
        .collect();
    with_images(&mut glb, &views);
    let (imported, input) = (imported(&glb), glb.bytes().len());
    let decoded = imported.model.textures.iter().filter(|texture| texture.source_format == "png").count();
    assert!(decoded > 0 && decoded * (png.len() - 500) <= input, "{decoded}");
    assert!(imported.report.iter().any(|line| line.contains("it overlaps with other images")), "{:?}", imported.report);
}

#[test]
fn an_image_of_absurd_size_is_not_decoded() {
    let mut glb = Glb::small();
    textured(&mut glb);
    let mut png = image_file();
    png[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
    let view = glb.add_view(&png);
    glb.json["images"] = json!([{ "bufferView": view }]);
    let imported = imported(&glb);
    assert_eq!(imported.model.textures[0].source_format, "missing");
    assert!(imported.report[0].starts_with("image 0: "), "{:?}", imported.report);
}

#[test]
fn a_huge_colour_profile_is_not_read() {
    let mut png = Vec::new();
    let mut encoder = PngEncoder::new(&mut png);
    encoder.set_icc_profile(vec![0; 64 << 20]).unwrap();
    encoder.write_image(&[255; 4], 1, 1, ExtendedColorType::Rgba8).unwrap();
    assert!(png.len() < 1 << 20, "{}", png.len());
    let (texture, peak) = allocator::peak_of(|| pixels::texture("a", &png));
    assert_eq!(*texture.unwrap().pixels().unwrap(), [255; 4]);
    assert!(peak < 40 << 20, "{peak} bytes");
}

#[test]
fn rigid_meshes_are_bound_to_bones_and_skins_share_them() {
    let mut glb = Glb::small();
    let binds: Vec<f32> =
        [1.0_f32, 2.0].iter().flat_map(|x| Mat4::from_translation(Vec3::X * *x).to_cols_array()).collect();
    let binds = glb.add("MAT4", F32, false, 2, &floats(&binds));
    push(&mut glb.json, "skins", json!({ "name": "second", "joints": [1, 0], "inverseBindMatrices": binds }));
    push(&mut glb.json, "nodes", json!({ "name": "cloak", "mesh": 0, "skin": 1 }));
    push(&mut glb.json, "nodes", json!({ "name": "sword", "mesh": 0 }));
    glb.json["nodes"][1]["children"] = json!([4]);
    let imported = imported(&glb);
    let model = imported.model;
    let sword = model.skeleton.find("sword").unwrap();
    let bindings: Vec<_> = model.meshes.iter().map(|slot| slot.mesh.binding).collect();
    assert_eq!(bindings, [Binding::Skin(0), Binding::Skin(1), Binding::Bone(sword)]);
    assert_eq!(model.skeleton.parent(sword), model.skeleton.find("child"));
    assert_eq!(model.skins[1].inverse_binds[1].w_axis.x, 2.0);
    assert_eq!((model.skins[0].joints[0], model.skins[1].joints[1]), (0, 0));
    assert!(model.meshes[2].mesh.influences.is_empty());
    let names: Vec<_> = model.meshes.iter().map(|slot| slot.mesh.name.as_str()).collect();
    assert_eq!(names, ["body", "cloak", "sword"]);
}

#[test]
fn other_scenes_are_hidden_and_omissions_that_the_specification_allows_are_read() {
    let mut glb = Glb::small();
    push(&mut glb.json, "nodes", json!({ "name": "spare", "mesh": 0 }));
    glb.json["scenes"] = json!([{ "nodes": [0, 2] }, { "name": "empty" }, { "nodes": [3] }]);
    let animation = &mut glb.json["animations"][0];
    animation["channels"].as_array_mut().unwrap().push(json!({ "sampler": 0, "target": { "path": "pointer" } }));
    let imported = imported(&glb);
    let shown: Vec<_> = imported.model.meshes.iter().map(|slot| slot.visibility).collect();
    assert_eq!(shown, [Visibility::Shown, Visibility::Hidden]);
    assert_eq!(imported.model.clips[0].clip.keyframes.len(), 3);
}

#[test]
fn a_flat_matrix_keeps_its_rotation() {
    let mut glb = Glb::small();
    for (axis, scale) in [[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [1.0, 0.0, 0.0]].into_iter().enumerate() {
        let [x, y, z] = scale;
        // Turned by 90° about y.
        glb.json["nodes"][2]["matrix"] = json!([0, 0, -x, 0, 0, y, 0, 0, z, 0, 0, 0, 0, 3, 0, 1]);
        let model = imported(&glb).model;
        let rest = model.skeleton.bones()[model.skeleton.find("body").unwrap() as usize].rest;
        let expected =
            Mat4::from_scale_rotation_translation(scale.into(), Quat::from_rotation_y(FRAC_PI_2), 3.0 * Vec3::Y);
        assert!(rest.to_mat4().abs_diff_eq(expected, 1e-6), "{axis}: {rest:?}");
    }
}

#[test]
fn coarser_levels_of_detail_are_hidden() {
    let mut glb = Glb::small();
    push(&mut glb.json, "nodes", json!({ "name": "far", "mesh": 0, "skin": 0 }));
    push(&mut glb.json, "nodes", json!({ "name": "below", "children": [6] }));
    push(&mut glb.json, "nodes", json!({ "name": "body_lod3", "mesh": 0, "skin": 0 }));
    push(&mut glb.json, "nodes", json!({ "name": "farther", "mesh": 0, "skin": 0 }));
    glb.json["scenes"] = json!([{ "nodes": [0, 2, 4, 5] }]);
    glb.json["nodes"][2]["extensions"] = json!({ "MSFT_lod": { "ids": [3, 4, 99, 2, "no"] } });
    glb.json["extensionsUsed"] = json!(["MSFT_lod"]);
    let imported = imported(&glb);
    let meshes: Vec<_> = imported.model.meshes.iter().map(|slot| (slot.mesh.name.as_str(), slot.visibility)).collect();
    let hidden = |name| (name, Visibility::Hidden);
    assert_eq!(meshes, [("body", Visibility::Shown), hidden("far"), hidden("body_lod3"), hidden("farther")]);
    let report = imported.report.join("\n");
    assert!(report.contains("1 are coarser levels of detail (MSFT_lod)"), "{report}");
    assert!(report.contains("1 of 4: coarser levels of detail, by their names"), "{report}");
}

#[test]
fn invalid_weights_are_fixed_and_reported() {
    let mut glb = Glb::small();
    let weights = [0.0, 0.0, 0.0, 0.0, f32::NAN, 0.5, -1.0, 0.0].into_iter().chain([2.0, 2.0, 0.0, 0.0].repeat(3));
    let weights: Vec<f32> = weights.collect();
    *glb.attribute("WEIGHTS_0") = glb.add("VEC4", F32, false, 5, &floats(&weights)).into();
    let imported = imported(&glb);
    let set = &imported.model.meshes[0].mesh.influences[0];
    assert_eq!(set.weights[..3], [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]]);
    let report = imported.report.join("\n");
    assert!(report.contains("2 weights are negative or not numbers") && report.contains("1 vertices have no weights"));
}

#[test]
fn a_text_file_may_begin_with_a_byte_order_mark() {
    let glb = Glb::small();
    let text = glb.text(&format!("data:;base64,{}", glb::base64(&glb.buffer)));
    let marked = [b"\xEF\xBB\xBF \n".as_slice(), &text].concat();
    assert_eq!(import("x.gltf", &marked, &mut |_| Err(String::new())).unwrap().model.meshes.len(), 1);
}
