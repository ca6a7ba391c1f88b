//! The arc of a body in the air: its centre of mass falls, whatever its limbs do.

use glam::Vec3;

use crate::anim::time::Time;
use crate::assets::combat::Range;

/// A path of uniform gravity (Newton, *Principia*, book I; any textbook of mechanics, projectile motion without drag).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// From launch to landing.
    pub range: Range,
    from: Vec3,
    /// At launch, in units per second.
    velocity: Vec3,
    gravity: f32,
}

impl Arc {
    /// The arc through two points at both ends of a range. `gravity` is in units per second squared, down along y.
    pub fn new(range: Range, [from, to]: [Vec3; 2], gravity: f32) -> Arc {
        let secs = (range.end - range.start).secs().max(1e-6) as f32;
        let velocity = (to - from) / secs + Vec3::Y * (0.5 * gravity * secs);
        Arc { range, from, velocity, gravity }
    }

    /// The point at a time of the range.
    pub fn at(&self, time: Time) -> Vec3 {
        let secs = (time - self.range.start).secs() as f32;
        self.from + self.velocity * secs - Vec3::Y * (0.5 * self.gravity * secs * secs)
    }

    /// The height of the highest point above the launch, at least 0.
    pub fn height(&self) -> f32 {
        self.velocity.y.max(0.0).powi(2) / (2.0 * self.gravity)
    }

    /// How far the landing is below the launch.
    pub fn drop(&self) -> f32 {
        self.from.y - self.at(self.range.end).y
    }
}

/// The seconds that a jump of a height takes whose landing is `drop` below its launch; a landing above the top is reached at the top. If
/// the drop is 0, they are √(8 · height / gravity).
pub fn secs_of_jump(height: f32, drop: f32, gravity: f32) -> f32 {
    let fall = |height: f32| (2.0 * height.max(0.0) / gravity).sqrt();
    fall(height) + fall(height + drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_leads_through_both_ends_and_its_duration_fits_its_height() {
        for (drop, height) in [(0.0, 0.5), (0.4, 0.5), (-0.3, 0.5), (1.0, 0.0)] {
            let secs = secs_of_jump(height, drop, 9.81);
            let range = Range { start: Time::TICK, end: Time::TICK + Time::from_secs(f64::from(secs)) };
            let ends = [Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 1.0 - drop, 2.0)];
            let arc = Arc::new(range, ends, 9.81);
            assert!(arc.at(range.start).distance(ends[0]) < 1e-5 && arc.at(range.end).distance(ends[1]) < 1e-5);
            assert!((arc.height() - height).abs() < 1e-4 && (arc.drop() - drop).abs() < 1e-5, "{arc:?}");
        }
        assert!((secs_of_jump(1.0, 0.0, 9.81) - (8.0_f32 / 9.81).sqrt()).abs() < 1e-6);
    }
}
