//! The layout of a vertex of a mesh in memory, described once: for the attributes of shaders, for the upload, and for sizes that
//! tools print.

use std::ops::Range;

use keypose::anim::skin::cpu::InfluenceSet;
use keypose::assets::mesh::Mesh;

/// Precision of vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Floats. With eight influences and at most 256 bones, a vertex has 72 bytes.
    #[default]
    Exact,
    /// Octahedral normals, half floats for texture coordinates, weights of 16 bits: with four influences and at most 256 bones, a
    /// vertex has 32 bytes. Between -1 and 1, texture coordinates are off by 1/4,096 at most, normals by 0.004°.
    Compact,
}

impl Detail {
    /// All, in display order.
    pub const ALL: [Detail; 2] = [Detail::Exact, Detail::Compact];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Detail::Exact => "exact",
            Detail::Compact => "compact",
        }
    }
}

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
    /// Half floats.
    F16x2,
    /// A unit vector on an octahedron, from -32767 to 32767.
    Octahedral,
    /// From 0 to 255.
    U8x4,
    /// Fractions, 255 is 1.
    UnitU8x4,
    U16x4,
    /// Fractions, 65535 is 1.
    UnitU16x4,
}

impl Numbers {
    /// Returns the size of the numbers.
    pub fn bytes(self) -> usize {
        match self {
            Numbers::F32x4 => 16,
            Numbers::F32x3 => 12,
            Numbers::F32x2 | Numbers::U16x4 | Numbers::UnitU16x4 => 8,
            Numbers::F16x2 | Numbers::Octahedral | Numbers::U8x4 | Numbers::UnitU8x4 => 4,
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
    pub fn of(mesh: &Mesh, detail: Detail, last_entry: u16) -> VertexFormat {
        let mut format = VertexFormat::default();
        let is_exact = detail == Detail::Exact;
        let pick = |exact, compact| if is_exact { exact } else { compact };
        format.add(Part::Position, Numbers::F32x3);
        if !mesh.normals.is_empty() {
            format.add(Part::Normal, pick(Numbers::F32x3, Numbers::Octahedral));
        }
        if !mesh.uvs.is_empty() {
            format.add(Part::Uv, pick(Numbers::F32x2, Numbers::F16x2));
        }
        if !mesh.colors.is_empty() {
            format.add(Part::Color, Numbers::UnitU8x4);
        }
        let joints = if last_entry < 256 { Numbers::U8x4 } else { Numbers::U16x4 };
        for set in 0..mesh.influences.len() {
            format.add(Part::Weights(set), pick(Numbers::F32x4, Numbers::UnitU16x4));
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

    /// Whether normals are on an octahedron.
    pub fn has_octahedral_normals(&self) -> bool {
        self.places.iter().any(|place| place.numbers == Numbers::Octahedral)
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
    match (place.part, place.numbers) {
        (Part::Position, _) => floats(&mesh.positions[vertex].to_array()),
        (Part::Normal, Numbers::Octahedral) => {
            octahedral(mesh.normals[vertex].to_array()).iter().for_each(|value| out.extend(value.to_le_bytes()));
        }
        (Part::Normal, _) => floats(&mesh.normals[vertex].to_array()),
        (Part::Uv, Numbers::F16x2) => {
            mesh.uvs[vertex].to_array().iter().for_each(|value| out.extend(half(*value).to_le_bytes()));
        }
        (Part::Uv, _) => floats(&mesh.uvs[vertex].to_array()),
        (Part::Color, _) => out.extend(mesh.colors[vertex]),
        (Part::Joints(set), numbers) => {
            for joint in mesh.influences[set].joints[vertex].map(entry) {
                match numbers {
                    Numbers::U8x4 => out.push(joint.min(255) as u8),
                    _ => out.extend(joint.to_le_bytes()),
                }
            }
        }
        (Part::Weights(set), Numbers::UnitU16x4) => {
            whole_weights(&mesh.influences, vertex)[set].iter().for_each(|weight| out.extend(weight.to_le_bytes()));
        }
        (Part::Weights(set), _) => floats(&mesh.influences[set].weights[vertex]),
    }
}

/// The weights of a vertex as whole numbers that add up to 65,535 if the weights add up to 1. The rounding error goes to the
/// strongest.
fn whole_weights(sets: &[InfluenceSet], vertex: usize) -> [[u16; 4]; 2] {
    let mut all = [[0_u16; 4]; 2];
    let mut sum = 0.0;
    for (out, set) in all.iter_mut().zip(sets) {
        for (out, weight) in out.iter_mut().zip(set.weights[vertex]) {
            *out = (weight.clamp(0.0, 1.0) * 65535.0).round() as u16;
            sum += weight;
        }
    }
    let off = (sum * 65535.0).round() as i32 - all.as_flattened().iter().map(|&weight| i32::from(weight)).sum::<i32>();
    if let Some(strongest) = all.as_flattened_mut().iter_mut().max() {
        *strongest = (i32::from(*strongest) + off).clamp(0, 65535) as u16;
    }
    all
}

/// A direction on an octahedron that is folded into a square (Cigolle et al. 2014), as `mesh.vert` unfolds it.
pub fn octahedral([x, y, z]: [f32; 3]) -> [i16; 2] {
    let size = x.abs() + y.abs() + z.abs();
    let (x, y) = if size > 0.0 { (x / size, y / size) } else { (0.0, 0.0) };
    let side = |value: f32| if value >= 0.0 { 1.0 } else { -1.0 };
    let (x, y) = if z < 0.0 { ((1.0 - y.abs()) * side(x), (1.0 - x.abs()) * side(y)) } else { (x, y) };
    [x, y].map(|value| (value.clamp(-1.0, 1.0) * 32767.0).round() as i16)
}

/// The direction of a place on an octahedron.
pub fn unfolded([x, y]: [i16; 2]) -> [f32; 3] {
    let [x, y] = [x, y].map(|value| f32::from(value) / 32767.0);
    let z = 1.0 - x.abs() - y.abs();
    let under = (-z).max(0.0);
    let fold = |value: f32| if value >= 0.0 { value - under } else { value + under };
    let (x, y) = (fold(x), fold(y));
    let size = (x * x + y * y + z * z).sqrt().max(1e-9);
    [x / size, y / size, z / size]
}

/// The nearest half float: of two equally near ones the even one; beyond the largest, the largest.
pub fn half(value: f32) -> u16 {
    let (bits, sign) = (value.to_bits(), ((value.to_bits() >> 16) & 0x8000) as u16);
    let (exponent, mantissa) = (((bits >> 23) & 0xff) as i32 - 112, bits & 0x7f_ffff);
    let rounded = |whole: u32, shift: u32| {
        let (kept, rest, middle) = (whole >> shift, whole & ((1 << shift) - 1), 1 << (shift - 1));
        kept + u32::from(rest > middle || (rest == middle && kept & 1 == 1))
    };
    let magnitude = match exponent {
        -10..=0 => rounded(mantissa | 0x80_0000, (14 - exponent) as u32),
        1..=30 => rounded(((exponent as u32) << 23) | mantissa, 13),
        31.. => 0x7bff,
        // Smaller than half of the smallest.
        _ => 0,
    };
    sign | (magnitude as u16).min(0x7bff)
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
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
        let stride = |sets, detail, last| VertexFormat::of(&mesh(sets), detail, last).stride;
        assert_eq!(stride(2, Detail::Exact, 255), 72);
        assert_eq!(stride(2, Detail::Exact, 256), 80);
        assert_eq!(stride(1, Detail::Exact, 255), 52);
        assert_eq!(stride(1, Detail::Compact, 255), 32);
        assert_eq!(stride(2, Detail::Compact, 255), 44);
        assert_eq!(stride(0, Detail::Compact, 0), 20);
    }

    #[test]
    fn a_vertex_has_the_bytes_of_its_format() {
        let format = VertexFormat::of(&mesh(1), Detail::Compact, 255);
        let bytes = format.pack(&mesh(1), 0..1, &|joint| joint + 1);
        assert_eq!(bytes.len(), 32);
        assert_eq!(bytes[..4], 1.0_f32.to_le_bytes());
        assert_eq!(bytes[16..20], [0x00, 0x34, 0x00, 0xbe], "0.25 and -1.5 as half floats");
        assert_eq!(bytes[28..], [8, 251, 1, 1]);
        assert!(format.has_octahedral_normals() && format.has(Part::Weights(0)) && !format.has(Part::Color));
    }

    #[test]
    fn weights_keep_their_sum() {
        let third = InfluenceSet { joints: vec![[0; 4]], weights: vec![[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]] };
        let whole = whole_weights(&[third], 0);
        assert_eq!(whole.as_flattened().iter().map(|&weight| u32::from(weight)).sum::<u32>(), 65535);
    }

    #[test]
    fn directions_come_back() {
        for at in 0..500 {
            let (turn, up) = (at as f32 * 2.399, at as f32 / 250.0 - 1.0);
            let flat = (1.0 - up * up).max(0.0).sqrt();
            let direction = Vec3::new(turn.cos() * flat, turn.sin() * flat, up);
            let back = Vec3::from_array(unfolded(octahedral(direction.to_array())));
            assert!(direction.angle_between(back).to_degrees() < 0.05, "{direction} {back}");
            assert!(direction.distance(back) < 1e-4, "{direction} {back}");
        }
    }

    #[test]
    fn halves_are_the_nearest() {
        let cases = [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (1e9, 0x7bff), (0.1, 0x2e66)];
        for (value, bits) in cases {
            assert_eq!(half(value), bits, "{value}");
        }
        assert_eq!((half(6e-8), half(1e-9), half(6.1035156e-5)), (1, 0, 0x0400));
        assert_eq!(half(1.0 + 1.0 / 2048.0), 0x3c00, "a tie goes to the even one");
        assert_eq!(half(1.0 + 3.0 / 2048.0), 0x3c02);
    }
}
