//! The triangles of solids: bevelled boxes, wedges, pyramids and ellipsoids with flat faces, in world space.

use glam::{Vec3, Vec3Swizzles};

use crate::render::frame::color::Color;
use crate::render::frame::{SolidDraw, SolidShape};
use crate::render::pass::vertex::Vertex;

/// Vertices and indices of all solids.
#[derive(Clone, Debug, Default)]
pub struct SolidMesh {
    /// In world space. Faces don't share vertices.
    pub vertices: Vec<Vertex>,
    /// Triangles.
    pub indices: Vec<u32>,
}

/// Builds the triangles of the solids for which `wanted` returns true.
pub fn build(solids: &[SolidDraw], wanted: impl Fn(&SolidDraw) -> bool) -> SolidMesh {
    let mut mesh = SolidMesh::default();
    for solid in solids.iter().filter(|solid| wanted(solid)) {
        match solid.shape {
            SolidShape::Box { bevel } => add_box(&mut mesh, solid, bevel),
            SolidShape::Wedge { rises_left } => add_wedge(&mut mesh, solid, rises_left),
            SolidShape::Pyramid => add_pyramid(&mut mesh, solid, 0.0),
            SolidShape::Blade { lean } => add_pyramid(&mut mesh, solid, lean),
            SolidShape::Ellipsoid => add_ellipsoid(&mut mesh, solid),
        }
    }
    mesh
}

/// Adds a convex polygon. Corners are counter-clockwise as seen from outside.
fn add_face(mesh: &mut SolidMesh, corners: &[Vec3], color: Color) {
    let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let normal = across.normalize_or_zero().to_array();
    let first = mesh.vertices.len() as u32;
    let vertex = |corner: &Vec3| Vertex { position: corner.to_array(), normal, uv: [0.0; 2], color: color.to_bytes() };
    mesh.vertices.extend(corners.iter().map(vertex));
    for at in 2..corners.len() as u32 {
        mesh.indices.extend([first, first + at - 1, first + at]);
    }
}

/// Adds six faces, twelve bevels along the edges and eight small triangles at the corners.
fn add_box(mesh: &mut SolidMesh, solid: &SolidDraw, bevel: f32) {
    let (center, half) = ((solid.min + solid.max) * 0.5, (solid.max - solid.min) * 0.5);
    let bevel = bevel.min(half.min_element() * 2.0 / 3.0).max(0.0);
    let inner = half - bevel;
    // The corner of the face that faces along `axis`, in the octant of these signs.
    let corner = |signs: Vec3, axis: usize| {
        let mut place = inner;
        place[axis] = half[axis];
        center + place * signs
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [1.0, -1.0] {
            let at = |a: f32, b: f32| {
                let mut signs = Vec3::ZERO;
                (signs[axis], signs[u], signs[v]) = (side, a, b);
                corner(signs, axis)
            };
            let mut corners = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
            if side < 0.0 {
                corners.reverse();
            }
            add_face(mesh, &corners, if axis == 1 && side > 0.0 { solid.top } else { solid.color });
        }
        if bevel > 0.0 {
            add_bevels(mesh, solid, axis, &corner);
        }
    }
    if bevel > 0.0 {
        for octant in 0..8 {
            let sign = |bit: i32| if octant & bit == 0 { 1.0 } else { -1.0 };
            let signs = Vec3::new(sign(1), sign(2), sign(4));
            let mut corners = [corner(signs, 0), corner(signs, 1), corner(signs, 2)];
            if signs.x * signs.y * signs.z < 0.0 {
                corners.reverse();
            }
            add_face(mesh, &corners, if signs.y > 0.0 { solid.top } else { solid.color });
        }
    }
}

/// Adds the four bevels along the edges that are parallel to `axis`.
fn add_bevels(mesh: &mut SolidMesh, solid: &SolidDraw, axis: usize, corner: &impl Fn(Vec3, usize) -> Vec3) {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    for (a, b) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        let at = |along: f32, face: usize| {
            let mut signs = Vec3::ZERO;
            (signs[axis], signs[u], signs[v]) = (along, a, b);
            corner(signs, face)
        };
        let mut corners = [at(-1.0, u), at(1.0, u), at(1.0, v), at(-1.0, v)];
        if a * b > 0.0 {
            corners.reverse();
        }
        let faces_up = (u == 1 && a > 0.0) || (v == 1 && b > 0.0);
        add_face(mesh, &corners, if faces_up { solid.top } else { solid.color });
    }
}

/// Adds the lower half of a box below the diagonal that is seen from the front.
fn add_wedge(mesh: &mut SolidMesh, solid: &SolidDraw, rises_left: bool) {
    let (min, max) = (solid.min, solid.max);
    let (low, high) = if rises_left { (max.x, min.x) } else { (min.x, max.x) };
    let [tip, foot, top] = [(low, min.y), (high, min.y), (high, max.y)];
    let at = |(x, y): (f32, f32), z: f32| Vec3::new(x, y, z);
    let mut add = |corners: &[Vec3], color: Color| {
        let mut corners = corners.to_vec();
        if rises_left {
            corners.reverse();
        }
        add_face(mesh, &corners, color);
    };
    add(&[at(tip, max.z), at(foot, max.z), at(top, max.z)], solid.color);
    add(&[at(top, min.z), at(foot, min.z), at(tip, min.z)], solid.color);
    add(&[at(tip, max.z), at(top, max.z), at(top, min.z), at(tip, min.z)], solid.top);
    add(&[at(foot, max.z), at(foot, min.z), at(top, min.z), at(top, max.z)], solid.color);
    add(&[at(tip, min.z), at(foot, min.z), at(foot, max.z), at(tip, max.z)], solid.color);
}

fn add_pyramid(mesh: &mut SolidMesh, solid: &SolidDraw, lean: f32) {
    let (min, max) = (solid.min, solid.max);
    let apex = ((min + max) * 0.5).with_y(max.y) + Vec3::X * lean;
    let base = [
        Vec3::new(min.x, min.y, max.z),
        Vec3::new(max.x, min.y, max.z),
        Vec3::new(max.x, min.y, min.z),
        Vec3::new(min.x, min.y, min.z),
    ];
    for at in 0..4 {
        // The upper part has the top's colour: snow on a mountain.
        let (left, right) = (base[at], base[(at + 1) % 4]);
        let (left_high, right_high) = (left.lerp(apex, 0.68), right.lerp(apex, 0.68));
        add_face(mesh, &[left, right, right_high, left_high], solid.color);
        add_face(mesh, &[left_high, right_high, apex], solid.top);
    }
    let [a, b, c, d] = base;
    add_face(mesh, &[d, c, b, a], solid.color);
}

/// Adds an icosahedron, subdivided once, that fills the box.
fn add_ellipsoid(mesh: &mut SolidMesh, solid: &SolidDraw) {
    let (center, half) = ((solid.min + solid.max) * 0.5, (solid.max - solid.min) * 0.5);
    let golden = (1.0 + 5.0_f32.sqrt()) * 0.5;
    let plane = [Vec3::new(-1.0, golden, 0.0), Vec3::new(1.0, golden, 0.0)];
    let plane = [plane[0], plane[1], -plane[1], -plane[0]];
    let turned = plane.into_iter().flat_map(|corner| [corner, corner.zxy(), corner.zxy().zxy()]);
    let corners: Vec<Vec3> = turned.map(Vec3::normalize).collect();
    let edge = 1.0 / (golden * 5.0_f32.sqrt()).sqrt() * 2.0;
    let near = |a: Vec3, b: Vec3| a.distance(b) < edge * 1.1;
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [x, y, z] = [corners[a], corners[b], corners[c]];
                if near(x, y) && near(y, z) && near(z, x) {
                    let outward = (y - x).cross(z - x).dot(x) > 0.0;
                    let face = if outward { [x, y, z] } else { [x, z, y] };
                    add_subdivided(mesh, face, &|place| center + place * half, solid);
                }
            }
        }
    }
}

fn add_subdivided(mesh: &mut SolidMesh, [a, b, c]: [Vec3; 3], place: &impl Fn(Vec3) -> Vec3, solid: &SolidDraw) {
    let [ab, bc, ca] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
    for face in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
        let up = (face[0] + face[1] + face[2]).y / 3.0;
        let color = solid.color.mix(solid.top, ((up + 0.2) * 1.2).clamp(0.0, 1.0));
        add_face(mesh, &face.map(place), color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::frame::Shadow;

    #[test]
    fn every_shape_is_closed_and_faces_outward() {
        let shapes = [
            SolidShape::Box { bevel: 0.1 },
            SolidShape::Box { bevel: 0.0 },
            SolidShape::Wedge { rises_left: false },
            SolidShape::Wedge { rises_left: true },
            SolidShape::Pyramid,
            SolidShape::Blade { lean: 0.4 },
            SolidShape::Ellipsoid,
        ];
        for shape in shapes {
            let (min, max) = (Vec3::new(-1.0, 0.0, -0.5), Vec3::new(1.0, 3.0, 0.5));
            let color = Color::WHITE;
            let solid = SolidDraw { shape, min, max, color, top: color, shadow: Shadow::Cast };
            build(&[SolidDraw { max: min, min: max, ..solid }], |_| true);
            let mesh = build(&[solid], |_| true);
            let place = |index: u32| Vec3::from_array(mesh.vertices[index as usize].position);
            // By the divergence theorem, the signed volumes of the fans from the middle add up to the volume. None is
            // negative.
            let middle = Vec3::new(0.0, 0.75, 0.0);
            let mut volume = 0.0;
            for triangle in mesh.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| place(triangle[at]) - middle);
                let part = a.cross(b).dot(c) / 6.0;
                assert!(part > -1e-6, "{shape:?} has a face that faces inward");
                volume += part;
            }
            let full = 6.0;
            let range = match shape {
                SolidShape::Box { bevel: 0.0 } => full..=full + 1e-4,
                SolidShape::Box { .. } => full * 0.95..=full,
                SolidShape::Wedge { .. } => full / 2.0 - 1e-4..=full / 2.0 + 1e-4,
                SolidShape::Pyramid | SolidShape::Blade { .. } => full / 3.0 - 1e-4..=full / 3.0 + 1e-4,
                SolidShape::Ellipsoid => full * 0.45..=full * std::f32::consts::FRAC_PI_6,
            };
            assert!(range.contains(&volume), "{shape:?}: {volume}");
        }
    }
}
