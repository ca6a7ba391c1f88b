//! The polygon on which a body stands.

use glam::Vec2;

/// The corners of the convex hull of points, in order: Andrew's monotone chain (Andrew 1979, "Another efficient algorithm for convex hulls
/// in two dimensions"). Points on an edge are left out; fewer than three points are returned as they are.
pub fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.retain(|point| point.is_finite());
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = Vec2>| {
        let mut chain: Vec<Vec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        // It is the first of the other half.
        chain.pop();
        chain
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    hull
}

/// How far a point is inside the edge of a hull, negative outside. `None` for an empty one; a single point and a line have no inside.
pub fn margin(hull: &[Vec2], point: Vec2) -> Option<f32> {
    let first = *hull.first()?;
    let nexts = hull.iter().skip(1).chain([&first]);
    let edges = || hull.iter().zip(nexts.clone());
    let apart = |(a, b): (&Vec2, &Vec2)| {
        let along = *b - *a;
        let part = ((point - *a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
        point.distance(*a + along * part)
    };
    let nearest = edges().map(apart).fold(f32::INFINITY, f32::min);
    let is_inside = hull.len() > 2 && edges().all(|(a, b)| (*b - *a).perp_dot(point - *a) >= 0.0);
    Some(if is_inside { nearest } else { -nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_the_corners_only_and_measures_inside_and_outside() {
        let square = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [1.0, 1.0], [0.5, 0.0], [0.0, 0.0]];
        let corners = hull(square.map(Vec2::from).to_vec());
        assert_eq!(corners, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from));
        for (point, wanted) in [([0.5, 0.6], 0.4), ([2.0, 0.5], -1.0), ([-3.0, -4.0], -5.0), ([1.0, 0.5], 0.0)] {
            assert!((margin(&corners, point.into()).unwrap() - wanted).abs() < 1e-6, "{point:?}");
        }
        let line = hull(vec![Vec2::ZERO, Vec2::X, Vec2::X * 0.5]);
        assert_eq!((line.len(), margin(&line, Vec2::new(0.5, 0.25))), (2, Some(-0.25)));
        assert_eq!((margin(&[Vec2::Y], Vec2::ZERO), margin(&[], Vec2::ZERO)), (Some(-1.0), None));
    }
}
