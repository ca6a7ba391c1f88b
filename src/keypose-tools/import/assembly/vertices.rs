//! Vertices of formats that store position, normal, texture coordinates and colour for each corner of a face: equal corners become
//! one vertex.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use crate::assets::mesh::{Binding, Mesh};
use crate::import::assembly::polygons;
use crate::import::assembly::triangles::unit_normal;

/// A corner of a face.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The index of its control point: corners with different ones stay apart.
    pub point: u32,
    /// Finite.
    pub position: Vec3,
    /// Any length; zero and not finite become +Y.
    pub normal: Vec3,
    /// Not finite becomes zero.
    pub uv: Vec2,
    /// sRGB and alpha.
    pub color: [u8; 4],
}

/// The control point of a corner, and the bits of its normal, texture coordinates and colour.
type Bits = (u32, [u32; 3], [u32; 2], [u8; 4]);

/// Optional streams of the vertices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streams {
    pub has_uvs: bool,
    pub has_colors: bool,
}

/// Vertices and triangles.
#[derive(Default)]
pub struct Vertices {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub colors: Vec<[u8; 4]>,
    pub indices: Vec<u32>,
    /// The vertex of each corner of each polygon.
    pub corners: Vec<u32>,
    /// The control point of each vertex.
    pub points: Vec<u32>,
    streams: Streams,
    known: HashMap<Bits, u32>,
}

impl Vertices {
    /// Starts without a vertex.
    pub fn new(streams: Streams) -> Vertices {
        Vertices { streams, ..Vertices::default() }
    }

    /// The mesh of these vertices, without influences and morph targets, of the first material.
    pub fn into_mesh(self, name: String, binding: Binding) -> Mesh {
        let Vertices { positions, normals, uvs, colors, indices, .. } = self;
        let (influences, morphs) = (Vec::new(), Vec::new());
        Mesh { name, positions, normals, uvs, colors, indices, influences, morphs, material: 0, binding }
    }

    /// Adds the triangles of a polygon; one of two corners has none. Returns false if there are too many vertices.
    pub fn add(&mut self, polygon: &[Corner]) -> bool {
        if polygon.len() < 3 {
            return true;
        }
        let Some(corners) = polygon.iter().map(|corner| self.vertex(corner)).collect::<Option<Vec<u32>>>() else {
            return false;
        };
        let positions: Vec<Vec3> = polygon.iter().map(|corner| corner.position).collect();
        let triangles = polygons::triangles(&positions).into_iter().flatten();
        self.indices.extend(triangles.filter_map(|corner| corners.get(corner).copied()));
        self.corners.extend(corners);
        true
    }

    /// The vertex of a corner; `None` if there are too many.
    fn vertex(&mut self, corner: &Corner) -> Option<u32> {
        let normal = unit_normal(corner.normal);
        let uv = if corner.uv.is_finite() { corner.uv } else { Vec2::ZERO };
        let bits = (normal.to_array().map(f32::to_bits), uv.to_array().map(f32::to_bits));
        let next = u32::try_from(self.positions.len()).ok()?;
        let index = *self.known.entry((corner.point, bits.0, bits.1, corner.color)).or_insert(next);
        if index == next {
            self.positions.push(corner.position);
            self.points.push(corner.point);
            self.normals.push(normal);
            self.uvs.extend(self.streams.has_uvs.then_some(uv));
            self.colors.extend(self.streams.has_colors.then_some(corner.color));
        }
        Some(index)
    }
}

/// A fraction as a byte of colour.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::arithmetic_side_effects)] // Clamped; NaN becomes 0.
pub fn byte(fraction: f64) -> u8 {
    (fraction.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_corners_are_one_vertex() {
        let corner = Corner { point: 0, position: Vec3::ZERO, normal: Vec3::Z * 3.0, uv: Vec2::ONE, color: [255; 4] };
        let mut vertices = Vertices::new(Streams { has_uvs: true, has_colors: false });
        let at = |x, y, corner| Corner { position: Vec3::new(x, y, 0.0), ..corner };
        let corners = [
            corner,
            at(1.0, 0.0, Corner { point: 1, ..corner }),
            at(1.0, 1.0, corner),
            at(0.0, 1.0, Corner { uv: Vec2::NAN, ..corner }),
        ];
        assert!(vertices.add(&corners) && vertices.add(&corners[..2]));
        assert_eq!((&vertices.corners[..], &vertices.points[..]), (&[0, 1, 0, 2][..], &[0, 1, 0][..]));
        assert_eq!(vertices.indices, [0, 1, 0, 0, 0, 2]);
        assert_eq!((vertices.normals[0], vertices.uvs[2], vertices.colors.len()), (Vec3::Z, Vec2::ZERO, 0));
    }
}
