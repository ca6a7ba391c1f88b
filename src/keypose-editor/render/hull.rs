//! The hull of a mesh: the mesh again with normals that don't split at hard edges, so that it stays closed when it is moved along
//! them. Outlines are hulls of which only the far side is drawn.

use std::collections::HashMap;

use glam::Vec3;

use keypose::assets::mesh::Mesh;

/// The hull of a mesh: vertices at one place have one normal, the sum of those of their triangles, each weighted by its area. The other
/// side of a sheet that is modelled from both has its own. Vertices, triangles and influences are those of the mesh; morph targets move
/// positions only.
pub fn hull(mesh: &Mesh) -> Mesh {
    let mut sums: HashMap<[u32; 3], Vec3> = HashMap::new();
    let mut own = vec![Vec3::ZERO; mesh.positions.len()];
    let key = |vertex: usize| mesh.positions[vertex].to_array().map(|part| (part + 0.0).to_bits());
    for triangle in mesh.indices.as_chunks::<3>().0 {
        let corners = triangle.map(|vertex| vertex as usize);
        let [a, b, c] = corners.map(|vertex| mesh.positions[vertex]);
        let area = (b - a).cross(c - a);
        for vertex in corners {
            *sums.entry(key(vertex)).or_default() += area;
            own[vertex] += area;
        }
    }
    let normal = |(vertex, own): (usize, &Vec3)| {
        let sum = sums.get(&key(vertex)).filter(|sum| sum.dot(*own) > 1e-4 * own.length_squared());
        sum.unwrap_or(own).normalize_or_zero()
    };
    let normals = own.iter().enumerate().map(normal).collect();
    let mut hull = Mesh { normals, colors: Vec::new(), ..mesh.clone() };
    hull.morphs.iter_mut().for_each(|target| target.normals.clear());
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::assets::mesh::Binding;

    #[test]
    fn vertices_at_one_place_have_one_normal() {
        // Two triangles of a hard edge, with vertices of their own.
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, -0.0 * Vec3::ONE, Vec3::Y, Vec3::Z];
        let mesh = Mesh {
            name: String::new(),
            positions: positions.to_vec(),
            normals: vec![],
            uvs: vec![],
            colors: vec![[0; 4]; 6],
            indices: (0..6).collect(),
            influences: vec![],
            morphs: vec![],
            material: 0,
            binding: Binding::Bone(0),
        };
        let hull = hull(&mesh);
        let edge = Vec3::new(1.0, 0.0, 1.0).normalize();
        assert_eq!((hull.normals[0], hull.normals[3]), (edge, edge));
        assert_eq!((hull.normals[2], hull.normals[4]), (edge, edge));
        assert_eq!((hull.normals[1], hull.normals[5]), (Vec3::Z, Vec3::X));
        assert!(hull.colors.is_empty());
    }
}
