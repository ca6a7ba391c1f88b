//! Inertialization: at a transition the difference between the two poses is stored once and decays over time, starting
//! with its velocity; the old clip is not sampled any more (David Bollo, "Inertialization", GDC 2018).

use glam::{Quat, Vec3};

use crate::anim::pose::LocalPose;
use crate::anim::transform::Transform;

/// The quintic by which one distance decays: it starts with the given value and speed, and ends at zero with no speed
/// and no acceleration, without overshoot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Decay {
    /// At the start; at least 0.
    distance: f32,
    /// Units per second at the start; at most 0, so that the distance never grows.
    speed: f32,
    /// The acceleration at the start.
    acceleration: f32,
    /// The time at which the distance is zero.
    end_secs: f32,
}

/// The decaying difference from the pose before a transition, for each bone and scalar.
///
/// ```
/// use glam::Vec3;
/// use keypose::anim::{inertial::Inertia, pose::LocalPose, transform::Transform};
///
/// let at = |x: f32| LocalPose::from_transforms([Transform::from_translation(Vec3::X * x)]);
/// // The old clip moved from 0.9 to 1.0 in a tick; the new clip begins at 0.
/// let inertia = Inertia::new([&at(0.9), &at(1.0)], &at(0.0), 1.0 / 60.0, 0.3);
/// let mut pose = at(0.0);
/// inertia.apply(0.0, &mut pose);
/// assert_eq!(pose.get(0).translation.x, 1.0);
/// let mut pose = at(0.0);
/// inertia.apply(0.3, &mut pose);
/// assert_eq!(pose.get(0).translation.x, 0.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inertia {
    bones: Vec<Offset>,
    /// The sign of each scalar's difference, and its decay.
    scalars: Vec<(f32, Decay)>,
    secs: f32,
}

/// The directions of one bone's differences and their decays: translation, rotation axis, scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Offset {
    directions: [Vec3; 3],
    decays: [Decay; 3],
}

impl Inertia {
    /// The difference between the last two shown poses, `step_secs` apart, and the new clip's pose. It decays in
    /// `secs`, or sooner if its own speed would carry it past zero, and is as long as the shortest pose. If `step_secs`
    /// is not more than 0 the speed counts as 0; if `secs` is not, there is no difference. Bones whose difference is
    /// not finite switch at once, and so do stepped scalars.
    pub fn new(shown: [&LocalPose; 2], target: &LocalPose, step_secs: f32, secs: f32) -> Inertia {
        let mut inertia = Inertia::default();
        inertia.restart(shown, target, step_secs, secs);
        inertia
    }

    /// No difference, with capacity for `bones` bones, for which [`Inertia::restart`] won't allocate.
    pub fn with_room(bones: usize) -> Inertia {
        Inertia { bones: Vec::with_capacity(bones), scalars: Vec::new(), secs: 0.0 }
    }

    /// Removes the difference.
    pub fn clear(&mut self) {
        self.bones.clear();
        self.scalars.clear();
    }

    /// Like [`Inertia::new`], in place.
    pub fn restart(&mut self, shown: [&LocalPose; 2], target: &LocalPose, step_secs: f32, secs: f32) {
        self.clear();
        self.secs = secs;
        if secs.is_nan() || secs <= 0.0 {
            return;
        }
        let [before, last] = shown;
        let count = before.len().min(last.len()).min(target.len());
        let offset = |bone| {
            let now = parts(&last.get(bone), &target.get(bone));
            let earlier = parts(&before.get(bone), &target.get(bone));
            let mut offset = Offset::default();
            for (part, (now, earlier)) in now.into_iter().zip(earlier).enumerate() {
                let distance = now.length();
                if !(distance.is_finite() && distance > 1e-7) {
                    continue;
                }
                let direction = now / distance;
                let gone = distance - earlier.dot(direction);
                let speed = if step_secs > 0.0 { gone / step_secs } else { 0.0 };
                offset.directions[part] = direction;
                offset.decays[part] = Decay::new(distance, if speed.is_finite() { speed } else { 0.0 }, secs);
            }
            offset
        };
        self.bones.extend((0..count).map(offset));
        let scalars = before.scalars().iter().zip(last.scalars()).zip(target.scalars()).enumerate();
        self.scalars.extend(scalars.map(|(at, ((before, last), to))| match target.is_stepped(at) {
            true => (0.0, Decay::default()),
            false => scalar_offset([*before, *last], *to, step_secs, secs),
        }));
    }

    /// Returns true if the difference has decayed `secs` seconds after the transition.
    pub fn is_over(&self, secs: f32) -> bool {
        secs >= self.secs || self.bones.is_empty()
    }

    /// Adds the remaining difference to the new clip's pose in place, `secs` seconds after the transition.
    pub fn apply(&self, secs: f32, pose: &mut LocalPose) {
        if self.is_over(secs) {
            return;
        }
        for bone in 0..self.bones.len().min(pose.len()) {
            let Offset { directions, decays } = self.bones[bone];
            let left = |part: usize| directions[part] * decays[part].at(secs);
            let mut transform = pose.get(bone);
            transform.translation += left(0);
            transform.rotation = (Quat::from_scaled_axis(left(1)) * transform.rotation).normalize();
            transform.scale += left(2);
            pose.set(bone, &transform);
        }
        for (value, (sign, decay)) in pose.scalars_mut().iter_mut().zip(&self.scalars) {
            *value += sign * decay.at(secs);
        }
    }
}

/// The sign and decay of the difference of a scalar. `shown` are its last two values.
fn scalar_offset([before, last]: [f32; 2], target: f32, step_secs: f32, secs: f32) -> (f32, Decay) {
    let (now, earlier) = (last - target, before - target);
    if !(now.is_finite() && now.abs() > 1e-7) {
        return (0.0, Decay::default());
    }
    let gone = now.abs() - earlier * now.signum();
    let speed = if step_secs > 0.0 { gone / step_secs } else { 0.0 };
    (now.signum(), Decay::new(now.abs(), if speed.is_finite() { speed } else { 0.0 }, secs))
}

/// The difference from a target to a transform: translation, rotation vector in radians (applied before the target's
/// rotation, on the shortest path), scale.
fn parts(from: &Transform, target: &Transform) -> [Vec3; 3] {
    let turn = from.rotation * target.rotation.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    [from.translation - target.translation, turn.to_scaled_axis(), from.scale - target.scale]
}

impl Decay {
    fn new(distance: f32, speed: f32, secs: f32) -> Decay {
        // A difference that grows starts at rest, as in the talk: it would overshoot otherwise.
        let speed = speed.min(0.0);
        let end_secs = if speed < 0.0 { secs.min(-5.0 * distance / speed) } else { secs };
        let acceleration = ((-8.0 * speed * end_secs - 20.0 * distance) / (end_secs * end_secs)).max(0.0);
        Decay { distance, speed, acceleration, end_secs }
    }

    fn at(&self, secs: f32) -> f32 {
        let Decay { distance: x, speed: v, acceleration: a, end_secs: end } = *self;
        if secs >= end || end <= 0.0 {
            return 0.0;
        }
        let t = (secs.max(0.0) / end).min(1.0);
        // The talk's quintic over the unit interval: speed times the length, acceleration times its square.
        let (v, a) = (v * end, a * end * end);
        let fifth = -(a + 6.0 * v + 12.0 * x) / 2.0;
        let fourth = (3.0 * a + 16.0 * v + 30.0 * x) / 2.0;
        let third = -(3.0 * a + 12.0 * v + 20.0 * x) / 2.0;
        let value = ((((fifth * t + fourth) * t + third) * t + a / 2.0) * t + v) * t + x;
        value.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decay_starts_with_its_speed_and_ends_at_rest() {
        for (distance, speed) in [(1.0, 0.0), (1.0, -2.0), (0.5, -30.0), (2.0, 4.0), (1e-5, -1.0)] {
            let decay = Decay::new(distance, speed, 0.4);
            let end = decay.end_secs;
            assert!(end <= 0.4 && end > 0.0);
            assert!((decay.at(0.0) - distance).abs() < 1e-6);
            let tiny = end * 1e-3;
            let slope = (decay.at(tiny) - decay.at(0.0)) / tiny;
            assert!((slope - speed.min(0.0)).abs() < 0.05 * (distance / end).max(1.0), "{distance} {speed}: {slope}");
            assert!(decay.at(end - tiny) < distance * 1e-5);
            let values: Vec<f32> = (0..=100).map(|step| decay.at(end * step as f32 / 100.0)).collect();
            assert!(values.is_sorted_by(|a, b| *a >= b - distance * 1e-5), "{distance} {speed}: it grows");
            assert!(values.iter().all(|value| *value >= 0.0));
        }
    }

    fn pose(x: f32, turn: f32) -> LocalPose {
        LocalPose::from_transforms((0..9).map(|bone| Transform {
            translation: Vec3::new(x, bone as f32, 0.0),
            rotation: Quat::from_rotation_x(turn),
            scale: Vec3::splat(1.0 + x),
        }))
    }

    #[test]
    fn the_shown_pose_continues_smoothly_and_reaches_the_new_clip() {
        let (step, target) = (1.0 / 60.0, pose(0.0, -0.4));
        let inertia = Inertia::new([&pose(1.02, 0.51), &pose(1.0, 0.5)], &target, step, 0.25);
        let shown = |secs: f32| {
            let mut pose = target.clone();
            inertia.apply(secs, &mut pose);
            pose
        };
        assert!(shown(0.0).get(3).distance(&pose(1.0, 0.5).get(3)) < 1e-5);
        let (mut before, mut speed) = (1.0, -0.02);
        for tick in 1..=16 {
            let x = shown(tick as f32 * step).get(3).translation.x;
            assert!(x <= before && (x - before - speed).abs() < 0.1, "tick {tick}");
            (speed, before) = (x - before, x);
        }
        assert_eq!(shown(0.25), target);
        assert!(inertia.is_over(0.25) && !inertia.is_over(0.2));
    }

    #[test]
    fn bad_numbers_and_lengths_leave_the_new_clip_alone() {
        let target = pose(0.0, 0.0);
        for (step, secs) in [(0.0, 0.2), (f32::NAN, 0.2), (0.01, 0.0), (0.01, f32::NAN), (0.01, -1.0)] {
            let inertia = Inertia::new([&pose(f32::NAN, 0.1), &pose(f32::INFINITY, 0.2)], &target, step, secs);
            let mut out = target.clone();
            inertia.apply(0.05, &mut out);
            assert!(out.iter().all(|transform| transform.is_finite()), "{step} {secs}");
            inertia.apply(0.05, &mut LocalPose::default());
        }
    }
}
