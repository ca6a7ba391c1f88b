//! Root motion: the movement of one bone moves the character, so that it walks through the world instead of
//! out of its capsule.

use glam::{DQuat, DVec3, Vec3};

use crate::anim::bake::BakedClip;
use crate::anim::choice::choice;
use crate::anim::clip::LoopMode;
use crate::anim::playback::clip_time;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
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

choice! {
    /// The part of the root's motion that moves the character. The rest stays in the pose.
    #[derive(Default, Hash)]
    pub enum RootMotion {
        /// The clip plays in place, or where its root is keyed.
        #[default]
        None = "none",
        /// Along the ground: x and z.
        Ground = "ground",
        /// Along the ground and vertically.
        Height = "height",
        /// Along the ground and about the vertical axis y.
        Turn = "turn",
    }
}

impl Motion {
    /// No motion.
    pub const NONE: Motion = Motion { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// The part of a bone's transform that moves the character. Transforms that are not finite count as no motion.
    pub fn of(transform: &Transform, part: RootMotion) -> Motion {
        let turn = transform.rotation.as_dquat();
        if !transform.is_finite() || turn.length_squared() == 0.0 || part == RootMotion::None {
            return Motion::NONE;
        }
        let translation = transform.translation.as_dvec3();
        let translation = if part == RootMotion::Height { translation } else { translation.with_y(0.0) };
        if part != RootMotion::Turn {
            return Motion { translation, rotation: DQuat::IDENTITY };
        }
        // The rotation about y; a rotation of 180° about a horizontal axis has none.
        let twist = DQuat::from_xyzw(0.0, turn.y, 0.0, turn.w);
        let is_twist = twist.length_squared() > 1e-12;
        Motion { translation, rotation: if is_twist { twist.normalize() } else { DQuat::IDENTITY } }
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

    /// The motion between this one and another: 0 is this one, 1 the other.
    pub fn blend(self, other: Motion, weight: f64) -> Motion {
        let near = if self.rotation.dot(other.rotation) < 0.0 { -other.rotation } else { other.rotation };
        let rotation = self.rotation * (1.0 - weight) + near * weight;
        Motion { translation: self.translation.lerp(other.translation, weight), rotation: rotation.normalize() }
    }

    /// Where a point is after the motion.
    pub fn moved(self, point: Vec3) -> Vec3 {
        (self.translation + self.rotation * point.as_dvec3()).as_vec3()
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
/// use keypose::anim::{clip::LoopMode, root_motion::{RootMotion, delta}, time::Time, transform::Transform};
///
/// let walk = |time: Time| Transform::from_translation(Vec3::Z * time.secs() as f32);
/// let motion = delta(walk, Time::SECOND, LoopMode::Loop, RootMotion::Ground, Time::ZERO, Time::SECOND * 1000);
/// assert_eq!(motion.translation, DVec3::Z * 1000.0);
/// ```
pub fn delta(
    mut root_at: impl FnMut(Time) -> Transform,
    length: Time,
    mode: LoopMode,
    part: RootMotion,
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

/// Where the root of a clip stays while its root motion moves the character: where it is at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    part: RootMotion,
    start: Motion,
}

impl Anchor {
    /// The anchor for a part of the root's motion; `None` without bones and for no motion.
    pub fn of(clip: &BakedClip, part: RootMotion) -> Option<Anchor> {
        if part == RootMotion::None {
            return None;
        }
        let mut pose = LocalPose::default();
        clip.sample_portable(Time::ZERO, &mut pose);
        (!pose.is_empty()).then(|| Anchor::at(&pose.get(0), part))
    }

    /// The anchor of a root that starts with this transform.
    pub fn at(start: &Transform, part: RootMotion) -> Anchor {
        Anchor { part, start: Motion::of(start, part) }
    }

    /// The part of the root's motion that moves the character.
    pub fn part(&self) -> RootMotion {
        self.part
    }

    /// The motion that leads a root, the first bone of a pose, back to the anchor.
    pub fn back(&self, root: &Transform) -> Motion {
        self.start.then(Motion::of(root, self.part).inverse())
    }

    /// Moves the bones without parent, so that the first one stays.
    pub fn hold(&self, roots: &[usize], pose: &mut LocalPose) {
        let bones = pose.len();
        if bones == 0 {
            return;
        }
        let back = self.back(&pose.get(0));
        for &root in roots.iter().filter(|&&root| root < bones) {
            let mut transform = pose.get(root);
            transform.translation = back.moved(transform.translation);
            transform.rotation = (back.rotation * transform.rotation.as_dquat()).as_quat();
            pose.set(root, &transform);
        }
    }
}

/// Moves the pose at the end of a clip back by the way of its root motion. What is still elsewhere than at the start jumps at the seam of a
/// loop.
pub fn take_back(skeleton: &Skeleton, part: RootMotion, start: &LocalPose, end: &mut LocalPose) {
    if !start.is_empty() {
        Anchor::at(&start.get(0), part).hold(&skeleton.roots(), end);
    }
}

impl BakedClip {
    /// The motion of the character from the start of the clip to its end, in model units.
    pub fn root_travel(&self) -> Motion {
        let mut pose = LocalPose::default();
        let root_at = |time| {
            self.sample_portable(time, &mut pose);
            if pose.is_empty() { Transform::IDENTITY } else { pose.get(0) }
        };
        delta(root_at, self.length, LoopMode::Once, self.root_motion, Time::ZERO, self.length)
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

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
            for part in RootMotion::ALL {
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
        let motion = delta(walk, LENGTH, LoopMode::Loop, RootMotion::Height, Time(250), LENGTH * loops + Time(250));
        assert!((motion.translation.z - 1.5e6).abs() < 1e-6);
        let quarter = |time: Time| {
            Transform::from_rotation(Quat::from_rotation_y(
                std::f32::consts::FRAC_PI_2 * time.fraction_of(LENGTH) as f32,
            ))
        };
        let turned = delta(quarter, LENGTH, LoopMode::Loop, RootMotion::Turn, Time::ZERO, LENGTH * 4);
        assert!(gap(turned, Motion::NONE) < 1e-6);
    }

    #[test]
    fn the_ground_part_leaves_height_and_lean_to_the_pose() {
        let motion = delta(circle, LENGTH, LoopMode::Once, RootMotion::Turn, Time(0), Time(700));
        assert_eq!(motion.translation.y, 0.0);
        assert_eq!((motion.rotation.x, motion.rotation.z), (0.0, 0.0));
    }

    #[test]
    fn no_length_and_no_finite_numbers_give_no_motion() {
        let nan = |_| Transform::from_translation(Vec3::NAN);
        for mode in LoopMode::ALL {
            assert_eq!(delta(nan, LENGTH, mode, RootMotion::Height, Time(3), Time(7000)), Motion::NONE);
            let motion = delta(circle, Time::ZERO, mode, RootMotion::Height, Time(i64::MIN), Time(i64::MAX));
            assert!(gap(motion, Motion::NONE) < 1e-9);
        }
    }
}
