//! Root motion: the movement of one bone moves the character, so that it walks through the world instead of
//! out of its capsule.

use glam::{DQuat, DVec3};

use crate::anim::clip::LoopMode;
use crate::anim::playback::clip_time;
use crate::anim::time::Time;
use crate::anim::transform::Transform;

/// A rotation, then a translation. f64, so that thousands of loops stay exact to millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// In the units of the character.
    pub translation: DVec3,
    /// Unit quaternion.
    pub rotation: DQuat,
}

/// The part of the bone's motion that moves the character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The whole motion.
    #[default]
    Whole,
    /// Along the ground and about the vertical axis y: jumps and leans stay in the pose.
    Ground,
}

impl Motion {
    /// No motion.
    pub const NONE: Motion = Motion { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// The transform of a bone without its scale. Transforms that are not finite count as no motion.
    pub fn of(transform: &Transform, part: Part) -> Motion {
        let rotation = transform.rotation.as_dquat();
        if !transform.is_finite() || rotation.length_squared() == 0.0 {
            return Motion::NONE;
        }
        let (translation, rotation) = (transform.translation.as_dvec3(), rotation.normalize());
        match part {
            Part::Whole => Motion { translation, rotation },
            Part::Ground => {
                // The rotation about y; a rotation of 180° about a horizontal axis has none.
                let twist = DQuat::from_xyzw(0.0, rotation.y, 0.0, rotation.w);
                let is_twist = twist.length_squared() > 1e-12;
                let rotation = if is_twist { twist.normalize() } else { DQuat::IDENTITY };
                Motion { translation: DVec3::new(translation.x, 0.0, translation.z), rotation }
            }
        }
    }

    /// Chains two motions: `next` is relative to the end of the first.
    pub fn then(self, next: Motion) -> Motion {
        let translation = self.translation + self.rotation * next.translation;
        Motion { translation, rotation: (self.rotation * next.rotation).normalize() }
    }

    /// The inverse motion.
    pub fn inverse(self) -> Motion {
        let rotation = self.rotation.inverse();
        Motion { translation: -(rotation * self.translation), rotation }
    }

    /// Repeats the motion `count` times, by squaring: rounding doesn't add up with the number of loops.
    pub fn times(self, count: i64) -> Motion {
        let (mut square, mut left) = (if count < 0 { self.inverse() } else { self }, count.unsigned_abs());
        let mut product = Motion::NONE;
        while left > 0 {
            if left & 1 == 1 {
                product = product.then(square);
            }
            square = square.then(square);
            left >>= 1;
        }
        product
    }
}

/// The motion of the character, relative to itself, as elapsed time goes from `from` to `to`, forwards or backwards.
/// `root_at` returns the root bone's transform at a clip time in `0..=length`.
///
/// A loop continues from the end of the loop before; ping-pong returns the way it came. The motion depends on the two
/// times only, so any number of steps between them ends at the same place.
///
/// ```
/// use glam::{DVec3, Vec3};
/// use keypose::anim::{clip::LoopMode, root_motion::{Part, delta}, time::Time, transform::Transform};
///
/// let walk = |time: Time| Transform::from_translation(Vec3::Z * time.secs() as f32);
/// let motion = delta(walk, Time::SECOND, LoopMode::Loop, Part::Ground, Time::ZERO, Time::SECOND * 1000);
/// assert_eq!(motion.translation, DVec3::Z * 1000.0);
/// ```
pub fn delta(
    mut root_at: impl FnMut(Time) -> Transform,
    length: Time,
    mode: LoopMode,
    part: Part,
    from: Time,
    to: Time,
) -> Motion {
    let start = Motion::of(&root_at(Time::ZERO), part).inverse();
    let mut since_start = |time: Time| start.then(Motion::of(&root_at(time), part));
    let before = since_start(clip_time(from, length, mode)).inverse();
    let after = since_start(clip_time(to, length, mode));
    if mode != LoopMode::Loop || length <= Time::ZERO {
        return before.then(after);
    }
    // Loops are counted from the loop of `from`, so that the numbers stay small for any elapsed time.
    let loops = to.0.div_euclid(length.0).saturating_sub(from.0.div_euclid(length.0));
    before.then(since_start(length).times(loops)).then(after)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;

    const LENGTH: Time = Time(1000);

    /// A walk in a circle with bobbing and leaning.
    fn circle(time: Time) -> Transform {
        let part = time.fraction_of(LENGTH) as f32;
        let turn = Quat::from_rotation_y(part * 0.3);
        let translation = turn * Vec3::new(2.0, (part * 9.0).sin(), 0.1);
        Transform { translation, rotation: turn * Quat::from_rotation_x(0.1 * part), scale: Vec3::splat(2.0) }
    }

    fn gap(a: Motion, b: Motion) -> f64 {
        a.translation.distance(b.translation) + 1.0 - a.rotation.dot(b.rotation).abs()
    }

    #[test]
    fn many_steps_end_where_one_step_ends() {
        for mode in LoopMode::ALL {
            for part in [Part::Whole, Part::Ground] {
                for (from, to, stride) in [(0_i64, 10_000, 37_i64), (10_000, -3_000, -61), (500, 2_500, 1000)] {
                    let moved = |from, to| delta(circle, LENGTH, mode, part, Time(from), Time(to));
                    let (mut at, mut sum) = (from, Motion::NONE);
                    while at != to {
                        let next = if (to - at).abs() < stride.abs() { to } else { at + stride };
                        sum = sum.then(moved(at, next));
                        at = next;
                    }
                    let off = gap(sum, moved(from, to));
                    assert!(off < 1e-5, "{mode:?} {part:?} {from} to {to}: {off}");
                    assert!(gap(moved(from, to).then(moved(to, from)), Motion::NONE) < 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_million_loops_are_exact() {
        let walk = |time: Time| Transform::from_translation(Vec3::Z * 1.5 * time.fraction_of(LENGTH) as f32);
        let loops = 1_000_000;
        let motion = delta(walk, LENGTH, LoopMode::Loop, Part::Whole, Time(250), LENGTH * loops + Time(250));
        assert!((motion.translation.z - 1.5e6).abs() < 1e-6);
        let quarter = |time: Time| {
            Transform::from_rotation(Quat::from_rotation_y(
                std::f32::consts::FRAC_PI_2 * time.fraction_of(LENGTH) as f32,
            ))
        };
        let turned = delta(quarter, LENGTH, LoopMode::Loop, Part::Ground, Time::ZERO, LENGTH * 4);
        assert!(gap(turned, Motion::NONE) < 1e-6);
    }

    #[test]
    fn the_ground_part_leaves_height_and_lean_to_the_pose() {
        let motion = delta(circle, LENGTH, LoopMode::Once, Part::Ground, Time(0), Time(700));
        assert_eq!(motion.translation.y, 0.0);
        assert_eq!((motion.rotation.x, motion.rotation.z), (0.0, 0.0));
    }

    #[test]
    fn no_length_and_no_finite_numbers_give_no_motion() {
        let nan = |_| Transform::from_translation(Vec3::NAN);
        for mode in LoopMode::ALL {
            assert_eq!(delta(nan, LENGTH, mode, Part::Whole, Time(3), Time(7000)), Motion::NONE);
            let motion = delta(circle, Time::ZERO, mode, Part::Whole, Time(i64::MIN), Time(i64::MAX));
            assert!(gap(motion, Motion::NONE) < 1e-9);
        }
    }
}
