//! A drawn stroke: the jitter of the hand is smoothed, and places on it are found by its length.

use glam::Vec3;

/// Number of steps of a smoothed stroke.
const STEPS: usize = 128;
/// Passes of smoothing: corners are rounded over about 4 % of the length.
const PASSES: usize = 12;

/// A smoothed stroke.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Evenly spaced, ends included; those of a closed stroke are equal.
    pub points: Vec<Vec3>,
}

impl Stroke {
    /// The stroke through points as they were drawn. `None` if they are in one place or not finite.
    pub fn new(drawn: &[Vec3], is_closed: bool) -> Option<Stroke> {
        let mut drawn = drawn.to_vec();
        if is_closed {
            drawn.extend(drawn.first().copied());
        }
        let mut points = spaced(&drawn)?;
        for _ in 0..PASSES {
            points = smoothed(&points, is_closed);
        }
        Some(Stroke { points: spaced(&points)? })
    }

    /// The place at a part of the length, 0 to 1.
    pub fn at(&self, part: f32) -> Vec3 {
        let place = part.clamp(0.0, 1.0) * (self.points.len() - 1) as f32;
        let from = (place as usize).min(self.points.len() - 2);
        self.points[from].lerp(self.points[from + 1], place - from as f32)
    }
}

/// Points at equal distances along the way through others.
fn spaced(points: &[Vec3]) -> Option<Vec<Vec3>> {
    let steps = points.windows(2).map(|pair| pair[0].distance(pair[1]));
    let sums = steps.scan(0.0, |sum, step| {
        *sum += step;
        Some(*sum)
    });
    let lengths: Vec<f32> = std::iter::once(0.0).chain(sums).collect();
    let length = *lengths.last()?;
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let at = |step: usize| {
        let wanted = length * step as f32 / STEPS as f32;
        let next = lengths.partition_point(|&length| length <= wanted).clamp(1, points.len() - 1);
        let (from, way) = (lengths[next - 1], lengths[next] - lengths[next - 1]);
        let part = if way > 0.0 { ((wanted - from) / way).clamp(0.0, 1.0) } else { 1.0 };
        points[next - 1].lerp(points[next], part)
    };
    Some((0..=STEPS).map(at).collect())
}

/// Each point nearer to the middle of its neighbours. The ends of an open stroke stay.
fn smoothed(points: &[Vec3], is_closed: bool) -> Vec<Vec3> {
    let last = points.len() - 1;
    let mean = |at: usize| {
        let (before, after) = match at {
            0 => (points[last - 1], points[1]),
            at if at == last => (points[last - 1], points[1]),
            at => (points[at - 1], points[at + 1]),
        };
        if (at == 0 || at == last) && !is_closed { points[at] } else { (before + points[at] * 2.0 + after) / 4.0 }
    };
    (0..=last).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A circle of radius 100 with an error of up to half a pixel, as a mouse has.
    fn circle() -> Vec<Vec3> {
        let place = |at: i32| {
            let angle = at as f32 / 200.0 * std::f32::consts::TAU;
            Vec3::new(angle.cos() * 100.0, angle.sin() * 100.0, 0.0).round()
        };
        (0..200).map(place).collect()
    }

    #[test]
    fn a_stroke_is_smooth_evenly_spaced_and_near_what_was_drawn() {
        let drawn = circle();
        for is_closed in [true, false] {
            let stroke = Stroke::new(&drawn, is_closed).unwrap();
            let turn = |three: &[Vec3]| (three[1] - three[0]).angle_between(three[2] - three[1]);
            let turns = stroke.points.windows(3).map(turn);
            assert!(turns.fold(0.0, f32::max) < 0.075, "the turns of a circle are 0.05 each");
            let steps: Vec<f32> = stroke.points.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
            let (min, max) =
                steps.iter().fold((f32::MAX, 0.0_f32), |(min, max), step| (min.min(*step), max.max(*step)));
            assert!(max < min * 1.02, "{min} {max}");
            assert!(stroke.points.iter().all(|point| (point.length() - 100.0).abs() < 1.0));
            let ends = [stroke.at(0.0), stroke.at(1.0)];
            let expected = if is_closed { ends } else { [drawn[0], drawn[199]] };
            assert_eq!(ends, expected, "an open stroke keeps its ends");
            assert_eq!(ends[0] == ends[1], is_closed);
        }
    }

    #[test]
    fn a_stroke_without_length_is_none() {
        for drawn in [vec![], vec![Vec3::ONE], vec![Vec3::ONE; 9], vec![Vec3::ZERO, Vec3::NAN]] {
            assert_eq!(Stroke::new(&drawn, false), None, "{drawn:?}");
            assert_eq!(Stroke::new(&drawn, true), None, "{drawn:?}");
        }
    }
}
