//! Polygons: their normals, and their triangles.

use glam::{DVec3, Vec3};

/// Looks at corners, for each corner: what is left of a polygon that needs more is cut into a fan.
const MAX_LOOKS: usize = 1024;

/// The normal of a polygon, of any length (Newell's method).
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn normal(points: &[Vec3]) -> Vec3 {
    let Some(first) = points.first() else { return Vec3::Y };
    let next = points.iter().skip(1).chain(points.first());
    points.iter().zip(next).map(|(a, b)| (*a - *first).cross(*b - *first)).sum()
}

/// The triangles of a polygon: three indices of its points each, in its winding. A convex one is a fan from its first point; from others,
/// ears are cut until the rest is one (Meisters 1975, "Polygons have ears").
pub fn triangles(points: &[Vec3]) -> Vec<[usize; 3]> {
    let (normal, mut left) = (normal(points).as_dvec3(), (0..points.len()).collect::<Vec<usize>>());
    let mut all = Vec::with_capacity(points.len());
    let mut looks = points.len().saturating_mul(MAX_LOOKS);
    let at = |place: usize| points.get(place).map_or(DVec3::ZERO, |point| point.as_dvec3());
    let turn = |[a, b, c]: [usize; 3]| turn([a, b, c].map(at), normal);
    while left.len() > 3 {
        let inward: Vec<usize> = corners(&left).filter(|corner| turn(*corner) < 0.0).map(|[_, b, _]| b).collect();
        looks = looks.saturating_sub(left.len());
        let mut is_ear = |corner: &[usize; 3]| {
            looks = looks.saturating_sub(inward.len());
            let holds = |point: &usize| holds(corner.map(at), at(*point), normal);
            turn(*corner) > 0.0 && !inward.iter().any(holds)
        };
        let ear = if inward.is_empty() { None } else { corners(&left).find(|corner| is_ear(corner)) };
        let Some(ear) = ear.filter(|_| looks > 0) else { break };
        all.push(ear);
        left.retain(|point| *point != ear[1]);
    }
    if let Some((hub, rest)) = left.split_first() {
        all.extend(rest.iter().zip(rest.iter().skip(1)).map(|(b, c)| [*hub, *b, *c]));
    }
    all
}

/// Each point of a polygon between its neighbours.
fn corners(left: &[usize]) -> impl Iterator<Item = [usize; 3]> + '_ {
    let before = left.iter().cycle().skip(left.len().saturating_sub(1));
    before.zip(left).zip(left.iter().cycle().skip(1)).map(|((a, b), c)| [*a, *b, *c])
}

/// Positive if a corner turns as the polygon does, seen along its normal.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn turn([a, b, c]: [DVec3; 3], normal: DVec3) -> f64 {
    (b - a).cross(c - b).dot(normal)
}

/// Whether a triangle has a point inside or on an edge. One at a corner is the end of a bridge to a hole.
fn holds([a, b, c]: [DVec3; 3], point: DVec3, normal: DVec3) -> bool {
    let is_left = |[from, to]: [DVec3; 2]| turn([from, to, point], normal) >= 0.0;
    ![a, b, c].contains(&point) && [[a, b], [b, c], [c, a]].into_iter().all(is_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_cover_a_polygon_without_turning_over() {
        let mut comb = vec![[100.0, 9.0], [0.0, 9.0], [0.0, 0.0], [100.0, 0.0]];
        comb.extend((0..100).rev().flat_map(|tooth| [[tooth as f32 + 0.9, 8.0], [tooth as f32 + 0.5, 1.0]]));
        let cases: [&[[f32; 2]]; 8] = [
            &[
                [0.0, 0.0],
                [9.0, 0.0],
                [9.0, 9.0],
                [0.0, 9.0],
                [0.0, 0.0],
                [3.0, 3.0],
                [3.0, 6.0],
                [6.0, 6.0],
                [6.0, 3.0],
                [3.0, 3.0],
            ],
            &[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]],
            &[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]],
            &[[0.0, 0.0], [0.0, 3.0], [2.0, 1.0], [4.0, 3.0], [4.0, 0.0]],
            &[[2.0, 0.5], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]],
            &[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0], [0.0, 2.0]],
            &[
                [0.0, 0.0],
                [9.0, 0.0],
                [9.0, 9.0],
                [1.0, 9.0],
                [1.0, 3.0],
                [4.0, 3.0],
                [2.0, 6.0],
                [2.0, 8.0],
                [8.0, 8.0],
                [8.0, 1.0],
            ],
            &comb[2..],
        ];
        for points in cases {
            let points: Vec<Vec3> = points.iter().map(|[x, y]| Vec3::new(*x, *y, *x)).collect();
            let area = normal(&points).z;
            let areas = triangles(&points).into_iter();
            let areas: Vec<f32> = areas.map(|[a, b, c]| normal(&[points[a], points[b], points[c]]).z).collect();
            assert_eq!(areas.len(), points.len() - 2, "{points:?}");
            assert!((areas.iter().sum::<f32>() - area).abs() < 1e-3, "{points:?}: {areas:?}");
            assert!(areas.iter().all(|one| one * area >= 0.0), "{points:?}: {areas:?}");
        }
        assert_eq!(triangles(&[Vec3::ZERO, Vec3::X]).len(), 0);
        assert_eq!(triangles(&[Vec3::ZERO; 5]), [[0, 1, 2], [0, 2, 3], [0, 3, 4]], "no area");
    }
}
