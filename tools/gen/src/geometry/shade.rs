//! Soft shadows where parts lie close together, computed once in the bind pose and kept in the vertex colours. Short
//! rays only, so that they stay true when the model moves.

use std::collections::BTreeMap;

use glam::{DVec3, I64Vec3};

use crate::geometry::part::Part;
use crate::maths::sin_cos;

/// How far a ray looks, in metres.
const REACH: f64 = 0.12;
/// The side of a cell of the look-up, in metres.
const CELL: f64 = 0.04;
/// How many rays each vertex casts.
const RAYS: usize = 48;
/// The light of a vertex that nothing reaches.
const DARKEST: f64 = 0.42;

/// All triangles of a model, by the cells that they touch.
pub struct Shade {
    triangles: Vec<[DVec3; 3]>,
    cells: BTreeMap<[i64; 3], Vec<usize>>,
}

impl Shade {
    /// Sorts the triangles of the parts into cells.
    pub fn of(parts: &[Part]) -> Shade {
        let mut shade = Shade { triangles: Vec::new(), cells: BTreeMap::new() };
        for part in parts {
            for face in &part.shape.faces {
                for step in 1..face.len() - 1 {
                    shade.insert([face[0], face[step], face[step + 1]].map(|at| part.shape.points[at]));
                }
            }
        }
        shade
    }

    fn insert(&mut self, triangle: [DVec3; 3]) {
        let [a, b, c] = triangle;
        let (low, high) = (cell_of(a.min(b).min(c)), cell_of(a.max(b).max(c)));
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    self.cells.entry([x, y, z]).or_default().push(self.triangles.len());
                }
            }
        }
        self.triangles.push(triangle);
    }

    /// The light at a place, 0 to 255: less where nearby surfaces stand over it.
    pub fn at(&self, position: DVec3, normal: DVec3) -> u8 {
        let start = position + normal * 2e-3;
        let mut near = self.near(start);
        near.retain(|&at| may_hit(&self.triangles[at], start, normal));
        let mut open = 0.0;
        for ray in 0..RAYS {
            open += self.open(start, hemisphere(normal, ray), &near);
        }
        let open = open / RAYS as f64;
        let light = DARKEST + (1.0 - DARKEST) * open.min(1.0);
        ((light * 64.0).round() / 64.0 * 255.0).round() as u8
    }

    fn near(&self, position: DVec3) -> Vec<usize> {
        let (low, high) = (cell_of(position - REACH), cell_of(position + REACH));
        let mut near: Vec<usize> = Vec::new();
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    near.extend(self.cells.get(&[x, y, z]).into_iter().flatten());
                }
            }
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// 1 where a ray meets nothing, less the nearer it does.
    fn open(&self, from: DVec3, along: DVec3, near: &[usize]) -> f64 {
        let hits = near.iter().filter_map(|&at| distance(&self.triangles[at], from, along));
        let nearest = hits.fold(REACH, f64::min);
        nearest / REACH
    }
}

fn cell_of(position: DVec3) -> I64Vec3 {
    (position / CELL).floor().as_i64vec3()
}

/// One of [`RAYS`] directions about a normal, denser towards it, laid out on a spiral.
fn hemisphere(normal: DVec3, ray: usize) -> DVec3 {
    let (sin, cos) = sin_cos(ray as f64 * 137.507_764);
    let part = (ray as f64 + 0.5) / RAYS as f64;
    let (flat, up) = (part.sqrt(), (1.0 - part).sqrt());
    let (a, b) = normal.any_orthonormal_pair();
    a * (cos * flat) + b * (sin * flat) + normal * up
}

/// Returns false for most triangles that no ray of the hemisphere meets: behind its plane, or out of reach.
fn may_hit(triangle: &[DVec3; 3], start: DVec3, normal: DVec3) -> bool {
    const MARGIN: f64 = 1e-6;
    let corners = triangle.map(|corner| corner - start);
    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    let radius = corners.map(|corner| corner.distance(middle)).into_iter().fold(0.0, f64::max);
    corners.iter().any(|corner| corner.dot(normal) > -MARGIN) && middle.length() - radius < REACH + MARGIN
}

/// Where a ray meets a triangle (Möller and Trumbore 1997).
fn distance(triangle: &[DVec3; 3], from: DVec3, along: DVec3) -> Option<f64> {
    let [a, b, c] = *triangle;
    let (ab, ac) = (b - a, c - a);
    let p = along.cross(ac);
    let det = ab.dot(p);
    if det.abs() < 1e-14 {
        return None;
    }
    let to = from - a;
    let u = to.dot(p) / det;
    let q = to.cross(ab);
    let v = along.dot(q) / det;
    let t = ac.dot(q) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0).then_some(t)
}
