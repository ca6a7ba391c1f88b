//! Capsules in one space: their distance, and whether two that move touch on the way.
//!
//! Only +, -, ×, ÷ and √ are used, which IEEE 754 rounds the same everywhere: a game that is replayed on another machine
//! decides the same hits.

use glam::Vec3;

/// A capsule: all points within `radius` of the segment from `from` to `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Capsule {
    /// One end of the axis.
    pub from: Vec3,
    /// The other end; the same point for a sphere.
    pub to: Vec3,
    /// Not negative.
    pub radius: f32,
}

/// The parts that a tick is divided into if two capsules move almost along each other.
const MAX_STEPS: u32 = 64;
/// Surfaces nearer than this, in metres, touch.
const TOUCH: f32 = 1e-4;

impl Capsule {
    /// The distance between the surfaces of two capsules; negative if they overlap.
    pub fn distance(&self, other: &Capsule) -> f32 {
        let (a, b) = closest(self, other);
        (a - b).length() - self.radius - other.radius
    }

    /// Between this (0) and another (1).
    pub fn lerp(&self, other: &Capsule, at: f32) -> Capsule {
        Capsule {
            from: self.from.lerp(other.from, at),
            to: self.to.lerp(other.to, at),
            radius: self.radius + (other.radius - self.radius) * at,
        }
    }

    /// The point between the axes where two capsules meet or are nearest.
    pub fn contact(&self, other: &Capsule) -> Vec3 {
        let (a, b) = closest(self, other);
        let (near, far) = (self.radius.max(1e-6), other.radius.max(1e-6));
        a.lerp(b, near / (near + far))
    }

    /// Returns the maximum distance that the surface moves from this capsule to another.
    fn travel(&self, other: &Capsule) -> f32 {
        let ends = (other.from - self.from).length().max((other.to - self.to).length());
        ends + (other.radius - self.radius).max(0.0)
    }
}

/// The first time, from 0 to 1, at which two capsules touch that move from one place to another in the same time; `None` if
/// they don't. Ends move along straight lines.
///
/// The distance can't shrink faster than the capsules move, so time can safely advance by distance over speed
/// (conservative advancement: Ericson, Real-Time Collision Detection, 2005, section 5.5). At least 1/64 of the time is
/// advanced, so a graze that is shorter than that can be missed.
pub fn first_touch([a0, a1]: [&Capsule; 2], [b0, b1]: [&Capsule; 2]) -> Option<f32> {
    let speed = a0.travel(a1) + b0.travel(b1);
    let mut time = 0.0;
    for _ in 0..=MAX_STEPS {
        let gap = a0.lerp(a1, time).distance(&b0.lerp(b1, time));
        if gap <= TOUCH {
            return Some(time);
        }
        let can_meet = gap <= speed * (1.0 - time) + TOUCH;
        // Also if a number is not finite.
        if time >= 1.0 || !can_meet {
            return None;
        }
        time = (time + (gap / speed).max(1.0 / MAX_STEPS as f32)).min(1.0);
    }
    None
}

/// The closest points of two segments (Ericson, section 5.1.9).
fn closest(a: &Capsule, b: &Capsule) -> (Vec3, Vec3) {
    let (along_a, along_b, between) = (a.to - a.from, b.to - b.from, a.from - b.from);
    let (aa, bb, fb) = (along_a.dot(along_a), along_b.dot(along_b), along_b.dot(between));
    const POINT: f32 = 1e-12;
    let (at_a, at_b) = match (aa <= POINT, bb <= POINT) {
        (true, true) => (0.0, 0.0),
        (true, false) => (0.0, (fb / bb).clamp(0.0, 1.0)),
        (false, true) => ((-along_a.dot(between) / aa).clamp(0.0, 1.0), 0.0),
        (false, false) => {
            let (c, ab) = (along_a.dot(between), along_a.dot(along_b));
            let denominator = aa * bb - ab * ab;
            // Parallel segments: any point of the first will do.
            let free = if denominator > POINT { ((ab * fb - c * bb) / denominator).clamp(0.0, 1.0) } else { 0.0 };
            let at_b = (ab * free + fb) / bb;
            match at_b {
                _ if at_b < 0.0 => ((-c / aa).clamp(0.0, 1.0), 0.0),
                _ if at_b > 1.0 => (((ab - c) / aa).clamp(0.0, 1.0), 1.0),
                _ => (free, at_b),
            }
        }
    };
    (a.from + along_a * at_a, b.from + along_b * at_b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn sphere(x: f32, y: f32, radius: f32) -> Capsule {
        let at = Vec3::new(x, y, 0.0);
        Capsule { from: at, to: at, radius }
    }

    fn point() -> impl Strategy<Value = Vec3> {
        [-3.0_f32..3.0, -3.0_f32..3.0, -3.0_f32..3.0].prop_map(Vec3::from)
    }

    fn capsule() -> impl Strategy<Value = Capsule> {
        let radius = 0.05_f32..0.5;
        prop_oneof![
            (point(), point(), radius.clone()).prop_map(|(from, to, radius)| Capsule { from, to, radius }),
            (point(), radius).prop_map(|(at, radius)| Capsule { from: at, to: at, radius }),
        ]
    }

    fn sampled_distance(a: &Capsule, b: &Capsule) -> f32 {
        let along = |capsule: &Capsule, at: usize| capsule.from.lerp(capsule.to, at as f32 / 100.0);
        let pairs = (0..=100).flat_map(|i| (0..=100).map(move |j| (i, j)));
        let nearest = pairs.map(|(i, j)| (along(a, i) - along(b, j)).length()).fold(f32::MAX, f32::min);
        nearest - a.radius - b.radius
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn the_distance_is_that_of_the_nearest_points(a in capsule(), b in capsule()) {
            let (exact, sampled) = (a.distance(&b), sampled_distance(&a, &b));
            prop_assert!(exact <= sampled + 1e-4 && exact >= sampled - 0.11, "{exact} {sampled}");
            prop_assert!((exact - b.distance(&a)).abs() < 1e-3);
        }

        #[test]
        fn capsules_that_overlap_on_the_way_touch(moves in [capsule(), capsule(), capsule(), capsule()]) {
            let [a0, a1, b0, b1] = &moves;
            let apart = |time: f32| a0.lerp(a1, time).distance(&b0.lerp(b1, time));
            let deepest = (0..=256).map(|step| apart(step as f32 / 256.0)).fold(f32::MAX, f32::min);
            match first_touch([a0, a1], [b0, b1]) {
                Some(time) => {
                    prop_assert!(apart(time) <= TOUCH);
                    let before = (0..=256).map(|step| step as f32 / 256.0).filter(|at| *at < time - 0.05);
                    prop_assert!(before.map(apart).all(|gap| gap > -0.05));
                }
                None => prop_assert!(deepest > -0.15, "{deepest}"),
            }
        }
    }

    #[test]
    fn a_fast_sphere_does_not_pass_through_a_thin_one() {
        let (start, end) = (sphere(-5.0, 0.0, 0.1), sphere(5.0, 0.0, 0.1));
        let wall = sphere(0.0, 0.0, 0.05);
        let time = first_touch([&start, &end], [&wall, &wall]).unwrap();
        assert!((time - 0.485).abs() < 1e-3, "{time}");
        let beside = sphere(0.0, 0.3, 0.05);
        assert_eq!(first_touch([&start, &end], [&beside, &beside]), None);
        assert_eq!(first_touch([&start, &start], [&start, &start]), Some(0.0));
        assert_eq!(first_touch([&start, &start], [&wall, &wall]), None);
    }

    #[test]
    fn numbers_that_are_not_finite_never_touch_or_hang() {
        let (good, bad) = (sphere(0.0, 0.0, 1.0), sphere(f32::NAN, 0.0, 1.0));
        assert_eq!(first_touch([&good, &bad], [&good, &good]), None);
        let far = sphere(f32::INFINITY, 0.0, 1.0);
        assert_eq!(first_touch([&far, &far], [&good, &good]), None);
    }
}
