//! Triangles: converts strips and fans to lists, and computes missing normals. Vertex order never changes.

use glam::Vec3;
use gltf::json::mesh::Mode;

use crate::import::assembly::weights::is_one;

/// The triangle list of a primitive (glTF 2.0, section 3.7.2.1), or `None` for points and lines. An incomplete triangle
/// at the end is dropped.
pub fn list(mode: Mode, indices: Vec<u32>) -> Option<Vec<u32>> {
    let corners = |at: usize| indices.get(at..).and_then(|rest| rest.first_chunk::<3>()).copied();
    let count = indices.len().saturating_sub(2);
    match mode {
        Mode::Triangles => {
            let mut indices = indices;
            let whole = indices.len().saturating_sub(indices.len().checked_rem(3).unwrap_or(0));
            indices.truncate(whole);
            Some(indices)
        }
        Mode::TriangleStrip => {
            let turned =
                |at: usize| corners(at).map(|[a, b, c]| if at.is_multiple_of(2) { [a, b, c] } else { [a, c, b] });
            Some((0..count).filter_map(turned).flatten().collect())
        }
        Mode::TriangleFan => {
            let hub = indices.first().copied();
            let blade = |pair: &[u32]| Some([hub?, *pair.first()?, *pair.get(1)?]);
            Some(indices.get(1..)?.windows(2).filter_map(blade).flatten().collect())
        }
        _ => None,
    }
}

/// Smooth normals: at each vertex the sum of its triangles' normals, weighted by area. Vertices without triangles get
/// +Y.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn smooth_normals(positions: &[Vec3], indices: &[u32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corners in indices.chunks_exact(3) {
        let at = |corner: usize| positions.get(*corners.get(corner)? as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else { continue };
        let twice_the_area = (b - a).cross(c - a);
        for &corner in corners {
            if let Some(normal) = normals.get_mut(corner as usize) {
                *normal += twice_the_area;
            }
        }
    }
    normals.into_iter().map(unit_normal).collect()
}

/// The normalized vector, or +Y if its length is zero.
pub fn unit_normal(normal: Vec3) -> Vec3 {
    if is_one(normal.as_dvec3().length()) {
        return normal;
    }
    let unit = normal.as_dvec3().normalize_or_zero().as_vec3();
    if unit.length_squared() > 0.5 { unit } else { Vec3::Y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_become_lists_of_the_same_winding() {
        type Case<'a> = (Mode, &'a [u32], Option<&'a [u32]>);
        let cases: &[Case<'_>] = &[
            (Mode::Triangles, &[0, 1, 2, 3], Some(&[0, 1, 2])),
            (Mode::TriangleStrip, &[0, 1, 2, 3, 4], Some(&[0, 1, 2, 1, 3, 2, 2, 3, 4])),
            (Mode::TriangleStrip, &[0, 1], Some(&[])),
            (Mode::TriangleFan, &[0, 1, 2, 3], Some(&[0, 1, 2, 0, 2, 3])),
            (Mode::TriangleFan, &[7], Some(&[])),
            (Mode::Points, &[0, 1, 2], None),
            (Mode::LineLoop, &[0, 1, 2], None),
        ];
        for (mode, indices, expected) in cases {
            assert_eq!(list(*mode, indices.to_vec()).as_deref(), *expected, "{mode:?} {indices:?}");
        }
    }

    #[test]
    fn normals_follow_the_larger_triangle() {
        let positions = [Vec3::ZERO, Vec3::X * 100.0, Vec3::Y * 100.0, Vec3::Z, Vec3::ONE];
        let normals = smooth_normals(&positions, &[0, 1, 2, 0, 2, 3]);
        assert!(normals[0].dot(Vec3::Z) > 0.999);
        assert!(normals[3].distance(Vec3::X) < 1e-6);
        assert_eq!(normals[4], Vec3::Y);
    }
}
