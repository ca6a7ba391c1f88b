//! Blend spaces: the weight of each clip at a position. Weights are 0 or more and add up to 1.

use glam::DVec2;

use crate::anim::machine::def::MAX_POINTS;
use crate::anim::machine::parts::{LinePoint, Motion, PlanePoint};

/// A weight for each point of a blend space; 0 past the last one.
pub type Weights = [f32; MAX_POINTS];

/// The weights of a motion's clips at a position. A single clip has weight 1. NaN coordinates count as 0.
pub fn weights(motion: &Motion, place: DVec2) -> Weights {
    let place = DVec2::from_array(place.to_array().map(|it| if it.is_nan() { 0.0 } else { it.clamp(-1e9, 1e9) }));
    match motion {
        Motion::Clip(_) => only(0),
        Motion::Line(line) => line_weights(&line.points, place.x),
        Motion::Plane(plane) => plane_weights(&plane.points, place),
    }
}

fn only(point: usize) -> Weights {
    let mut weights = [0.0; MAX_POINTS];
    weights[point] = 1.0;
    weights
}

/// Linear between the two nearest points. Of several points at one position, the last counts.
fn line_weights(points: &[LinePoint], at: f64) -> Weights {
    let points = &points[..points.len().min(MAX_POINTS)];
    let Some(left) = points.iter().rposition(|point| f64::from(point.at) <= at) else { return only(0) };
    let Some(right) = points.get(left + 1) else { return only(left) };
    let (low, high) = (f64::from(points[left].at), f64::from(right.at));
    let part = ((at - low) / (high - low)) as f32;
    let mut weights = only(left);
    (weights[left], weights[left + 1]) = (1.0 - part, part);
    weights
}

/// Gradient bands: a point's weight falls from 1 at its own position to 0 at that of each other point, and the minimum
/// counts. The nearest point always has a half or more, so the total is never 0. Points at one position have equal
/// weights.
fn plane_weights(points: &[PlanePoint], place: DVec2) -> Weights {
    let mut weights = [0.0; MAX_POINTS];
    let mut total = 0.0;
    for (point, weight) in points.iter().zip(&mut weights) {
        let here = point.at.as_dvec2();
        let way = place - here;
        let band = |other: &PlanePoint| {
            let to_other = other.at.as_dvec2() - here;
            let length = to_other.length_squared();
            if length > 0.0 { 1.0 - way.dot(to_other) / length } else { 1.0 }
        };
        *weight = points.iter().map(band).fold(1.0, f64::min).max(0.0);
        total += *weight;
    }
    weights.map(|weight| if total > 0.0 { (weight / total) as f32 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::machine::parts::{Line, Plane};
    use glam::{Vec2, dvec2};

    fn line(at: &[f32]) -> Motion {
        let points = at.iter().map(|&at| LinePoint { at, clip: String::new() }).collect();
        Motion::Line(Line { points, ..Line::default() })
    }

    fn plane(at: &[(f32, f32)]) -> Motion {
        let points = at.iter().map(|&(x, y)| PlanePoint { at: Vec2::new(x, y), clip: String::new() }).collect();
        Motion::Plane(Plane { points, ..Plane::default() })
    }

    /// ```text
    /// points   0 ──── 2 ──────── 6
    /// ```
    #[test]
    fn on_a_line_the_weight_is_shared_by_the_neighbours() {
        let motion = line(&[0.0, 2.0, 6.0]);
        let cases = [
            (-9.0, [1.0, 0.0, 0.0]),
            (0.0, [1.0, 0.0, 0.0]),
            (0.5, [0.75, 0.25, 0.0]),
            (2.0, [0.0, 1.0, 0.0]),
            (5.0, [0.0, 0.25, 0.75]),
            (6.0, [0.0, 0.0, 1.0]),
            (1e30, [0.0, 0.0, 1.0]),
            (f64::NAN, [1.0, 0.0, 0.0]),
        ];
        for (at, expected) in cases {
            assert_eq!(weights(&motion, dvec2(at, f64::NAN))[..3], expected, "{at}");
        }
    }

    #[test]
    fn points_at_one_position_of_a_line_make_a_step() {
        let motion = line(&[0.0, 1.0, 1.0, 2.0]);
        assert_eq!(weights(&motion, dvec2(1.0, 0.0))[..4], [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(weights(&motion, dvec2(0.75, 0.0))[..4], [0.25, 0.75, 0.0, 0.0]);
        assert_eq!(weights(&line(&[3.0; 5]), dvec2(3.0, 0.0))[..5], [0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn every_point_of_a_plane_has_all_weight_at_its_own_position() {
        let at = [(0.0, 0.0), (1.0, 0.0), (0.0, 2.0), (-3.0, 0.5), (4.0, 4.0)];
        for (index, (x, y)) in at.into_iter().enumerate() {
            let weights = weights(&plane(&at), dvec2(x.into(), y.into()));
            assert_eq!(weights[index], 1.0, "{index}: {:?}", &weights[..5]);
        }
    }

    #[test]
    fn weights_between_two_points_and_beyond_the_hull() {
        let square = plane(&[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]);
        let cases = [
            (dvec2(0.0, -1.0), [0.5, 0.5, 0.0, 0.0]),
            (dvec2(0.0, 0.0), [0.25; 4]),
            (dvec2(9.0, 9.0), [0.0, 0.0, 1.0, 0.0]),
            (dvec2(0.0, 70.0), [0.0, 0.0, 0.5, 0.5]),
        ];
        for (place, expected) in cases {
            assert_eq!(weights(&square, place)[..4], expected, "{place}");
        }
    }

    #[test]
    fn the_weights_of_degenerate_planes_add_up_to_one() {
        let cases: [&[(f32, f32)]; 5] = [
            &[(2.0, 2.0)],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)],
            &[(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)],
            &[(0.0, 0.0), (1e-30, 0.0), (1e6, -1e6)],
            &[(5.0, 0.0), (5.0, 0.0), (-5.0, 0.0)],
        ];
        for at in cases {
            for place in [dvec2(0.0, 0.0), dvec2(1.0, 1.0), dvec2(-1e30, f64::INFINITY), dvec2(f64::NAN, 3.0)] {
                let weights = weights(&plane(at), place);
                let sum: f32 = weights.iter().sum();
                assert!((sum - 1.0).abs() < 1e-5 && weights.iter().all(|weight| *weight >= 0.0), "{at:?} at {place}");
            }
        }
        let pair = weights(&plane(cases[4]), dvec2(5.0, 0.0));
        assert_eq!(pair[..3], [0.5, 0.5, 0.0]);
    }
}
