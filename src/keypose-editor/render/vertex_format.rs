//! The layout of a vertex of a mesh in memory, described once: for the attributes of shaders and for the upload.

use std::ops::Range;

use keypose::assets::mesh::Mesh;

/// A part of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// In model space.
    Position,
    /// Unit length.
    Normal,
    /// Texture coordinates.
    Uv,
    /// sRGB colour and alpha.
    Color,
    /// The entries of the palette of a set of four influences.
    Joints(usize),
    /// The weights of a set of four influences.
    Weights(usize),
}

/// The numbers of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Numbers {
    F32x2,
    F32x3,
    F32x4,
    /// From 0 to 255.
    U8x4,
    /// Fractions, 255 is 1.
    UnitU8x4,
    U16x4,
}

impl Numbers {
    /// Returns the size of the numbers.
    pub fn bytes(self) -> usize {
        match self {
            Numbers::F32x4 => 16,
            Numbers::F32x3 => 12,
            Numbers::F32x2 | Numbers::U16x4 => 8,
            Numbers::U8x4 | Numbers::UnitU8x4 => 4,
        }
    }
}

/// A part and its position in a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Meaning of the attribute.
    pub part: Part,
    /// Count and type of the attribute's numbers.
    pub numbers: Numbers,
    /// Offset of the first byte in a vertex.
    pub offset: usize,
}

/// The parts of a vertex, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexFormat {
    /// In the order of their bytes.
    pub places: Vec<Place>,
    /// Bytes of a vertex.
    pub stride: usize,
}

impl VertexFormat {
    /// The format of a mesh whose joints have entries up to `last_entry`. Streams that the mesh lacks are left out.
    pub fn of(mesh: &Mesh, last_entry: u16) -> VertexFormat {
        let mut format = VertexFormat::default();
        format.add(Part::Position, Numbers::F32x3);
        if !mesh.normals.is_empty() {
            format.add(Part::Normal, Numbers::F32x3);
        }
        if !mesh.uvs.is_empty() {
            format.add(Part::Uv, Numbers::F32x2);
        }
        if !mesh.colors.is_empty() {
            format.add(Part::Color, Numbers::UnitU8x4);
        }
        let joints = if last_entry < 256 { Numbers::U8x4 } else { Numbers::U16x4 };
        for set in 0..mesh.influences.len() {
            format.add(Part::Weights(set), Numbers::F32x4);
        }
        for set in 0..mesh.influences.len() {
            format.add(Part::Joints(set), joints);
        }
        format
    }

    fn add(&mut self, part: Part, numbers: Numbers) {
        self.places.push(Place { part, numbers, offset: self.stride });
        self.stride += numbers.bytes();
    }

    /// Whether a vertex has a part.
    pub fn has(&self, part: Part) -> bool {
        self.places.iter().any(|place| place.part == part)
    }

    /// The bytes of vertices of a mesh, which has the streams of the format. `entry` is that of a joint in the palette.
    pub fn pack(&self, mesh: &Mesh, vertices: Range<usize>, entry: &dyn Fn(u16) -> u16) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.stride * vertices.len());
        for vertex in vertices {
            for place in &self.places {
                write(mesh, vertex, place, entry, &mut bytes);
            }
        }
        bytes
    }
}

fn write(mesh: &Mesh, vertex: usize, place: &Place, entry: &dyn Fn(u16) -> u16, out: &mut Vec<u8>) {
    let mut floats = |values: &[f32]| values.iter().for_each(|value| out.extend(value.to_le_bytes()));
    match place.part {
        Part::Position => floats(&mesh.positions[vertex].to_array()),
        Part::Normal => floats(&mesh.normals[vertex].to_array()),
        Part::Uv => floats(&mesh.uvs[vertex].to_array()),
        Part::Color => out.extend(mesh.colors[vertex]),
        Part::Joints(set) => {
            for joint in mesh.influences[set].joints[vertex].map(entry) {
                match place.numbers {
                    Numbers::U8x4 => out.push(joint.min(255) as u8),
                    _ => out.extend(joint.to_le_bytes()),
                }
            }
        }
        Part::Weights(set) => floats(&mesh.influences[set].weights[vertex]),
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
    use keypose::anim::skin::cpu::InfluenceSet;
    use keypose::assets::mesh::Binding;

    fn mesh(sets: usize) -> Mesh {
        let set = InfluenceSet { joints: vec![[7, 250, 0, 0]], weights: vec![[0.5 / sets as f32; 4].map(|w| w / 2.0)] };
        Mesh {
            name: String::new(),
            positions: vec![Vec3::ONE],
            normals: vec![Vec3::NEG_Z],
            uvs: vec![Vec2::new(0.25, -1.5)],
            colors: vec![],
            indices: vec![],
            influences: vec![set; sets],
            morphs: vec![],
            material: 0,
            binding: Binding::Skin(0),
        }
    }

    #[test]
    fn formats_have_the_promised_sizes() {
        let stride = |sets, last| VertexFormat::of(&mesh(sets), last).stride;
        assert_eq!(stride(2, 255), 72);
        assert_eq!(stride(2, 256), 80);
        assert_eq!(stride(1, 255), 52);
        assert_eq!(stride(0, 0), 32);
    }
}
