//! The vertices of meshes for OpenGL 2.1 and ES 2.0: bones and weights are four pairs of floats, and triangles share no vertices.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use crate::assets::mesh::{Binding, Mesh};
use crate::render::gl::vertex_array::{Attribute, Components};
use crate::render::pass::vertex::PosedVertex;

/// The attributes of `old_mesh.vert`. An attribute's index is its location.
pub const ATTRIBUTES: [&str; 8] =
    ["a_position", "a_normal", "a_uv", "a_color", "a_bone_0", "a_bone_1", "a_bone_2", "a_bone_3"];

/// A vertex of 68 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct OldVertex {
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    color: [u8; 4],
    /// Entries of the palette with their weights.
    bones: [[f32; 2]; 4],
}

/// The attributes in a vertex.
pub const LAYOUT: [Attribute; 8] = [
    Attribute { location: 0, components: Components::Floats(3), offset: offset_of!(OldVertex, position) },
    Attribute { location: 1, components: Components::Floats(3), offset: offset_of!(OldVertex, normal) },
    Attribute { location: 2, components: Components::Floats(2), offset: offset_of!(OldVertex, uv) },
    Attribute { location: 3, components: Components::UnitBytes, offset: offset_of!(OldVertex, color) },
    Attribute { location: 4, components: Components::Floats(2), offset: offset_of!(OldVertex, bones) },
    Attribute { location: 5, components: Components::Floats(2), offset: offset_of!(OldVertex, bones) + 8 },
    Attribute { location: 6, components: Components::Floats(2), offset: offset_of!(OldVertex, bones) + 16 },
    Attribute { location: 7, components: Components::Floats(2), offset: offset_of!(OldVertex, bones) + 24 },
];

/// Where the vertices of a mesh come from.
#[derive(Clone, Copy)]
pub enum From<'a> {
    /// The bind pose. The entries of joints start at `entry`, or are those of the list.
    Bound {
        /// The entry of the first joint, or of the bone.
        entry: usize,
        /// The entries of joints, if they are not in order.
        entries: Option<&'a [u16]>,
    },
    /// Posed on the CPU; entry 0 is the identity.
    Posed(&'a [PosedVertex]),
}

/// Three vertices for each triangle.
pub fn triangles(mesh: &Mesh, from: From<'_>) -> Vec<OldVertex> {
    mesh.indices.iter().map(|&at| vertex(mesh, at as usize, from)).collect()
}

fn vertex(mesh: &Mesh, at: usize, from: From<'_>) -> OldVertex {
    let (position, normal) = match from {
        From::Bound { .. } => {
            (mesh.positions[at].to_array(), mesh.normals.get(at).copied().unwrap_or_default().to_array())
        }
        From::Posed(posed) => (posed[at].position, posed[at].normal),
    };
    let uv = mesh.uvs.get(at).copied().unwrap_or_default().to_array();
    let color = mesh.colors.get(at).copied().unwrap_or([255; 4]);
    OldVertex { position, normal, uv, color, bones: bones(mesh, at, from) }
}

fn bones(mesh: &Mesh, at: usize, from: From<'_>) -> [[f32; 2]; 4] {
    let whole = |entry: usize| [[entry as f32, 1.0], [0.0; 2], [0.0; 2], [0.0; 2]];
    let From::Bound { entry, entries } = from else { return whole(0) };
    match (mesh.binding, mesh.influences.first()) {
        (Binding::Skin(_), Some(set)) => {
            let of = |joint: u16| entries.and_then(|entries| entries.get(usize::from(joint))).copied().unwrap_or(joint);
            std::array::from_fn(|slot| [(entry + usize::from(of(set.joints[at][slot]))) as f32, set.weights[at][slot]])
        }
        _ => whole(entry),
    }
}
