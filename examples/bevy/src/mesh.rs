//! Meshes of `keypose` as those of Bevy.

use bevy_asset::RenderAssetUsages;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use keypose::assets::mesh::Mesh as KeyposeMesh;
use keypose::assets::srgb::linear_of_byte;

/// The mesh, with the first four influences of each vertex and the bounds that Bevy culls a posed mesh by.
pub fn mesh_of(mesh: &KeyposeMesh) -> Mesh {
    let mut made = vertices(mesh);
    // A mesh without weights has no such bounds.
    made.generate_skinned_mesh_bounds().ok();
    made
}

fn vertices(mesh: &KeyposeMesh) -> Mesh {
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|position| position.to_array()).collect();
    let mut made = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(mesh.indices.clone()));
    if !mesh.uvs.is_empty() {
        let uvs: Vec<[f32; 2]> = mesh.uvs.iter().map(|uv| uv.to_array()).collect();
        made.insert_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
    }
    if !mesh.colors.is_empty() {
        made.insert_attribute(Mesh::ATTRIBUTE_COLOR, mesh.colors.iter().map(linear).collect::<Vec<_>>());
    }
    if let Some(set) = mesh.influences.first() {
        made.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, VertexAttributeValues::Uint16x4(set.joints.clone()));
        made.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, set.weights.iter().map(whole).collect::<Vec<_>>());
    }
    if mesh.normals.is_empty() {
        // Keypose draws triangles without normals flat.
        return made.with_duplicated_vertices().with_computed_flat_normals();
    }
    let normals: Vec<[f32; 3]> = mesh.normals.iter().map(|normal| normal.to_array()).collect();
    made.with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
}

/// Weights whose sum is 1.
fn whole(weights: &[f32; 4]) -> [f32; 4] {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 { weights.map(|weight| weight / sum) } else { *weights }
}

/// A colour of a vertex, linear, from sRGB.
fn linear([red, green, blue, alpha]: &[u8; 4]) -> [f32; 4] {
    [linear_of_byte(*red), linear_of_byte(*green), linear_of_byte(*blue), f32::from(*alpha) / 255.0]
}
