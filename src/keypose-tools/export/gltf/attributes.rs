//! The vertices and indices of a mesh as accessors (glTF 2.0, section 3.7.2.1).

use glam::Vec3;
use serde_json::{Map, Value};

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::Mesh;
use crate::assets::srgb::linear_of_byte;
use crate::export::gltf::binary::{Binary, Component, Elements, INDICES, VERTICES, floats};
use crate::export::gltf::weights;

/// Adds the attributes of a mesh. A material with a texture needs coordinates, so a mesh without any gets zeros.
pub fn attributes(mesh: &Mesh, has_texture: bool, binary: &mut Binary) -> Map<String, Value> {
    let (min, max) = bounds(&mesh.positions);
    let positions = floats(mesh.positions.iter().map(|position| position.to_array()));
    let position = binary.add_bounded(Some(VERTICES), positions, (&min.to_array(), &max.to_array()));
    let mut attributes = Map::from_iter([("POSITION".to_owned(), position.into())]);
    let mut add = |name: &str, (elements, bytes): (Elements, Vec<u8>)| {
        let accessor = binary.add(Some(VERTICES), elements, &bytes);
        attributes.insert(name.to_owned(), accessor.into());
    };
    // Without normals triangles are flat in glTF, too.
    if !mesh.normals.is_empty() {
        add("NORMAL", floats(mesh.normals.iter().map(|normal| unit(*normal).to_array())));
    }
    if !mesh.uvs.is_empty() {
        add("TEXCOORD_0", floats(mesh.uvs.iter().map(|uv| uv.to_array())));
    } else if has_texture {
        add("TEXCOORD_0", floats(mesh.positions.iter().map(|_| [0.0; 2])));
    }
    if !mesh.colors.is_empty() {
        add("COLOR_0", colors(&mesh.colors));
    }
    for (set, InfluenceSet { joints, weights }) in weights::clean(&mesh.influences).iter().enumerate() {
        add(&format!("JOINTS_{set}"), joint_elements(joints));
        add(&format!("WEIGHTS_{set}"), floats(weights.iter().copied()));
    }
    attributes
}

/// Adds the tangents of a mesh.
pub fn add_tangents(tangents: &[[f32; 4]], binary: &mut Binary) -> usize {
    let (elements, bytes) = floats(tangents.iter().copied());
    binary.add(Some(VERTICES), elements, &bytes)
}

/// Adds the indices of a mesh. The largest index of each type restarts a strip, so it is not used.
pub fn indices(mesh: &Mesh, binary: &mut Binary) -> usize {
    let is_short = mesh.positions.len() <= usize::from(u16::MAX);
    let component = if is_short { Component::U16 } else { Component::U32 };
    let bytes: Vec<u8> = if is_short {
        mesh.indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect()
    } else {
        mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect()
    };
    let elements = Elements { component, kind: "SCALAR", count: mesh.indices.len(), normalized: false };
    binary.add(Some(INDICES), elements, &bytes)
}

/// The vector with unit length; +Y if it has none.
fn unit(normal: Vec3) -> Vec3 {
    if (normal.length_squared() - 1.0).abs() < 1e-3 {
        normal
    } else {
        normal.as_dvec3().try_normalize().map_or(Vec3::Y, |unit| unit.as_vec3())
    }
}

fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    positions.iter().fold(start, |(min, max), position| (min.min(*position), max.max(*position)))
}

fn joint_elements(joints: &[[u16; 4]]) -> (Elements, Vec<u8>) {
    let is_small = joints.iter().flatten().all(|joint| *joint <= u16::from(u8::MAX));
    let component = if is_small { Component::U8 } else { Component::U16 };
    let bytes = if is_small {
        joints.iter().flatten().map(|joint| *joint as u8).collect()
    } else {
        joints.iter().flatten().flat_map(|joint| joint.to_le_bytes()).collect()
    };
    (Elements { component, kind: "VEC4", count: joints.len(), normalized: false }, bytes)
}

/// Colours are linear in glTF. 16 bits are enough to get the same sRGB bytes back.
fn colors(colors: &[[u8; 4]]) -> (Elements, Vec<u8>) {
    let bytes = colors.iter().flat_map(|[red, green, blue, alpha]| {
        let alpha = u16::from(*alpha) * (u16::MAX / u16::from(u8::MAX));
        let [red, green, blue] =
            [red, green, blue].map(|byte| (linear_of_byte(*byte) * f32::from(u16::MAX)).round() as u16);
        [red, green, blue, alpha].into_iter().flat_map(u16::to_le_bytes)
    });
    (Elements { component: Component::U16, kind: "VEC4", count: colors.len(), normalized: true }, bytes.collect())
}
