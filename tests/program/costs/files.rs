//! Small files that ask for much, made here: most of them are too large to be kept.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::FrameRate;
use keypose::anim::transform::Transform;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};
use keypose::assets::project::Project;
use keypose::wad::encode;
use serde_json::json;

use crate::glb::{F32, Glb, floats};

/// The name of a file, the commands that show what it costs, and how its bytes are made.
pub type Hostile = (&'static str, &'static [&'static str], fn(usize) -> Vec<u8>);

/// All files. Each is made of a size, 1 for the whole one, more for a part of it.
pub const FILES: [Hostile; 20] = [
    ("materials.obj", &["import"], |part| triangle_of_each("usemtl", 1_700_000 / part)),
    ("groups.obj", &["import", "edit"], |part| triangle_of_each("o", 400_000 / part)),
    ("attributes.dae", &["import"], |part| attributes(200_000 / part, 1)),
    ("elements.dae", &["import"], |part| attributes(127, 8000 / part)),
    ("same.wad", &["thumbnail"], |part| triangles(2_000_000 / part, |_| [0, 1, 2])),
    ("empty.wad", &["thumbnail"], |part| triangles(2_000_000 / part, |_| [0, 0, 1])),
    ("layers.wad", &["thumbnail"], |part| {
        triangles(1_000_000 / part, |at| [0, at as u32 % 300 + 1, 302 + at as u32 / 300 % 300])
    }),
    ("one_color_png.glb", &["import", "thumbnail"], |part| textured(&png(8000 / part as u32, &[]), "image/png")),
    ("one_color_webp.glb", &["import", "thumbnail"], |part| textured(&webp(8000 / part as u32), "image/webp")),
    ("color_profile.glb", &["import", "thumbnail"], |part| {
        textured(&png(64, &vec![0; (512 << 20) / part]), "image/png")
    }),
    ("long_clips.glb", &["check"], |part| long_clips(247, 3_000 / part)),
    ("clips.wad", &["check", "edit"], |part| clips(1, 60_000 / (part * part).min(64))),
    ("bones_and_clips.wad", &["export", "check"], |part| clips(500, 3_000 / (part * part).min(64))),
    ("one_clip.wad", &["wad"], |part| clips(4_000 / part, 20)),
    ("far_turns.wad", &["check"], |part| far_turns(1_900_000 / part)),
    ("long_joint.bvh", &["import"], |part| ends_of_joint(&"n".repeat(1_000_000 / part))),
    ("long_node.dae", &["import", "edit"], |part| instances_of_node(&"n".repeat(500_000 / part), 20_000)),
    ("long_material.obj", &["import"], |part| parts_of_material(&"m".repeat(2_000_000 / part), 92_000 / part)),
    ("long_folder.obj", &["import"], |part| textures_in(&"f".repeat(1_000_000 / part), 8_000)),
    ("no_model.obj", &["import", "check", "export", "edit"], |_| b"# nothing\n".to_vec()),
];

/// An OBJ file with a part for each line of a keyword, all of one triangle.
fn triangle_of_each(keyword: &str, count: usize) -> Vec<u8> {
    let parts: String = (0..count).map(|at| format!("{keyword} {at}\nf 1 2 3\n")).collect();
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{parts}").into_bytes()
}

/// A BVH file of a joint with as many ends as there can be, which are named after it.
fn ends_of_joint(name: &str) -> Vec<u8> {
    let ends = "End Site\n{\nOFFSET 0 1 0\n}\n".repeat(4_094);
    format!("HIERARCHY\nROOT {name}\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{ends}}}\nMOTION\nFrames: 0\nFrame Time: 0.1\n")
        .into_bytes()
}

/// A COLLADA file of a node that is instanced often.
fn instances_of_node(name: &str, count: usize) -> Vec<u8> {
    let instances = "<instance_node url='#a'/>".repeat(count);
    format!(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\
         <library_nodes><node id='a' name='{name}'/></library_nodes><library_visual_scenes><visual_scene id='s'>\
         <node id='r'>{instances}</node></visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url='#s'/></scene></COLLADA>"
    )
    .into_bytes()
}

/// An OBJ file of two objects in turns, with one material.
fn parts_of_material(name: &str, count: usize) -> Vec<u8> {
    let parts = "o a\nf 1 2 3\no b\nf 1 2 3\n".repeat(count);
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl {name}\n{parts}").into_bytes()
}

/// An OBJ file that is its own file of materials, in a folder of this name, each with a texture.
fn textures_in(folder: &str, count: usize) -> Vec<u8> {
    let materials: String = (0..count).map(|at| format!("newmtl {at}\nmap_Kd a\n")).collect();
    format!("mtllib {folder}/long_folder.obj\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n{materials}").into_bytes()
}

/// A COLLADA file of elements with many attributes.
fn attributes(count: usize, elements: usize) -> Vec<u8> {
    let attributes: String = (0..count).map(|at| format!("a{at}='' ")).collect();
    let elements = format!("<a {attributes}/>").repeat(elements);
    format!("<?xml version=\"1.0\"?><COLLADA xmlns=\"x\" version=\"1.4.1\">{elements}</COLLADA>").into_bytes()
}

/// An archive of one mesh whose vertices are two rows of 301 points, and its triangles.
fn triangles(count: usize, corners: fn(usize) -> [u32; 3]) -> Vec<u8> {
    let point = |at: u32| Vec3::new((at % 301) as f32 / 300.0, (at / 301) as f32, 0.0);
    let mesh = Mesh {
        positions: (0..602).map(point).collect(),
        indices: (0..count).flat_map(corners).collect(),
        ..Mesh::empty("triangles", Binding::Bone(0))
    };
    archive(model(1, vec![mesh], Vec::new()))
}

/// An archive of clips, each with a key of every bone.
fn clips(bones: usize, count: usize) -> Vec<u8> {
    let clip = |at: usize| {
        let keys: Vec<Key> = (0..bones as u16).map(|bone| Key::rotation(bone, Quat::IDENTITY)).collect();
        let duration = FrameRate::default().time_of(1);
        let keyframes = vec![Keyframe { duration, keys: keys.into(), ..Keyframe::default() }; 2];
        Clip { keyframes: keyframes.into(), ..Clip::new(format!("clip {at}")) }
    };
    archive(model(bones, Vec::new(), (0..count).map(clip).collect()))
}

/// An archive of a clip whose only bone turns far from each keyframe to the next.
fn far_turns(count: usize) -> Vec<u8> {
    let keyframe = |at: usize| Keyframe {
        duration: FrameRate::default().time_of(1),
        keys: vec![Key::rotation(0, Quat::from_rotation_x(at as f32 % 7.0))].into(),
        ..Keyframe::default()
    };
    let keyframes: Vec<Keyframe> = (0..count).map(keyframe).collect();
    archive(model(1, Vec::new(), vec![Clip { keyframes: keyframes.into(), ..Clip::new("turns") }]))
}

/// Clips of fifty minutes that share the numbers of their keys.
fn long_clips(count: usize, keys: usize) -> Vec<u8> {
    let mut glb = Glb::small();
    let times: Vec<f32> = (0..keys).map(|at| at as f32 * 3000.0 / keys as f32).collect();
    let turns: Vec<f32> = times.iter().flat_map(|time| Quat::from_rotation_x(*time).to_array()).collect();
    let times = glb.add("SCALAR", F32, false, keys, &floats(&times));
    let turns = glb.add("VEC4", F32, false, keys, &floats(&turns));
    let clip = |at: usize| {
        json!({
            "name": format!("clip {at}"),
            "samplers": [{ "input": times, "output": turns }],
            "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }],
        })
    };
    glb.json["animations"] = (0..count).map(clip).collect();
    glb.bytes()
}

fn model(bones: usize, meshes: Vec<Mesh>, clips: Vec<Clip>) -> Model {
    let bone = |at: usize| {
        let parent = at.checked_sub(1).map(|parent| parent as u16);
        Bone { name: format!("bone {at}"), parent, rest: Transform::from_translation(Vec3::Y * 0.01) }
    };
    let mesh = |mesh| MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown };
    let clip = |(id, clip)| ClipSlot { id: ClipId(id), clip: Arc::new(clip) };
    Model {
        name: "hostile".into(),
        skeleton: Arc::new(Skeleton::new((0..bones).map(bone).collect()).unwrap()),
        meshes: meshes.into_iter().map(mesh).collect(),
        materials: vec![Arc::new(Material::default())],
        clips: (1..).zip(clips).map(clip).collect(),
        ..Model::default()
    }
}

fn archive(model: Model) -> Vec<u8> {
    let mut project = Project::default();
    project.add_model(model);
    encode(&project, &[]).unwrap()
}

/// An image of one colour, with a colour profile.
fn png(side: u32, profile: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::NoFilter);
    if !profile.is_empty() {
        encoder.set_icc_profile(profile.to_vec()).unwrap();
    }
    let pixels = vec![200; (side * side * 3) as usize];
    encoder.write_image(&pixels, side, side, ExtendedColorType::Rgb8).unwrap();
    bytes
}

fn webp(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels = vec![200; (side * side * 3) as usize];
    WebPEncoder::new_lossless(&mut bytes).encode(&pixels, side, side, ExtendedColorType::Rgb8).unwrap();
    bytes
}

/// A triangle with an image.
fn textured(image: &[u8], kind: &str) -> Vec<u8> {
    let mut glb = Glb::small();
    let uvs = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE, Vec2::ZERO].map(|uv| [uv.x, uv.y]).concat();
    let uvs = glb.add("VEC2", F32, false, 5, &floats(&uvs));
    let view = glb.add_view(image);
    glb.json["images"] = json!([{ "bufferView": view, "mimeType": kind }]);
    glb.json["textures"] = json!([{ "source": 0 }]);
    glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
    glb.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = uvs.into();
    glb.bytes()
}
