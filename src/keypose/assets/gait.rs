//! The distance that a clip covers in one loop: of a walk, measured at the feet, and of a climb, measured at the hands. The
//! game drives the phase of the clip by distance travelled, so feet don't slide. The same bits on every machine: where a clip that
//! travels can be hit depends on it.

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// Samples per loop.
const SAMPLES: usize = 48;

/// Distances and phase of a clip that covers a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gait {
    /// Model units per loop of the clip; `None` if they can't be read from the feet.
    pub stride: Option<f32>,
    /// The phase, 0..1, at which the first foot is farthest ahead. Walk and run are synchronized by it.
    pub sync: f32,
    /// Movement of the body in one loop, to be subtracted; zero for a clip that plays in place.
    pub drift: Vec3,
    /// The distance that the body covers relative to the ground in one loop, in model units, with drift; zero if it can't be
    /// read from the feet.
    pub travel: Vec3,
}

/// The length of a clip, and a function that writes its pose at a time to a pose.
pub type Poses<'a> = (Time, &'a dyn Fn(Time, &mut LocalPose));

/// Bone origins in model space, sample by sample, including the end.
struct Motion {
    samples: Vec<Vec<Vec3>>,
    /// The height of the model in model units.
    height: f32,
}

impl Motion {
    fn of(skeleton: &Skeleton, (length, pose_at): Poses<'_>, bones: &[usize], height: f32) -> Motion {
        let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
        let sample = |index: usize| {
            pose_at(Time(length.0 / SAMPLES as i64 * index as i64), &mut local);
            model.compute_portable(skeleton, &local);
            bones.iter().map(|&bone| model.bones[bone].translation()).collect()
        };
        Motion { samples: (0..=SAMPLES).map(sample).collect(), height }
    }

    /// The mean movement of all bones from start to end along the ground.
    fn way(&self) -> Vec3 {
        let mean = |places: &[Vec3]| places.iter().sum::<Vec3>() / places.len().max(1) as f32;
        (mean(&self.samples[SAMPLES]) - mean(&self.samples[0])) * Vec3::new(1.0, 0.0, 1.0)
    }

    /// The way; zero if it is small, above all in a loop whose bones don't all go the same way.
    fn drift(&self) -> Vec3 {
        let way = self.way();
        let (start, end) = (&self.samples[0], &self.samples[SAMPLES]);
        let is_along = |(start, end): (&Vec3, &Vec3)| (*end - *start).with_y(0.0).distance(way) <= 0.02 * way.length();
        let least = if start.iter().zip(end).all(is_along) { 0.02 } else { 0.25 };
        if way.length() > least * self.height { way } else { Vec3::ZERO }
    }

    fn range(&self, bone: usize, of: impl Fn(Vec3) -> f32) -> (f32, f32) {
        let values = self.samples.iter().map(|places| of(places[bone]));
        values.fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// Bones that approach the ground and move along it: feet, toes, paws.
    fn feet(&self) -> Vec<usize> {
        let bones = 0..self.samples[0].len();
        let lowest = bones.clone().map(|bone| self.range(bone, |at| at.y).0).fold(f32::MAX, f32::min);
        let is_foot = |&bone: &usize| {
            let (back, front) = self.range(bone, |at| at.z);
            let (left, right) = self.range(bone, |at| at.x);
            let is_low = self.range(bone, |at| at.y).0 < lowest + 0.12 * self.height;
            is_low && (front - back).max(right - left) > 0.08 * self.height
        };
        bones.filter(is_foot).collect()
    }

    /// Returns the distance that the planted (lowest) foot moves backwards in one loop, and the direction as a unit vector.
    fn stride(&self, feet: &[usize]) -> Option<(f32, Vec3)> {
        let ground = feet.iter().map(|&foot| self.range(foot, |at| at.y).0).fold(f32::MAX, f32::min);
        let steps = self.samples.windows(2).filter_map(|pair| {
            let height = |foot: usize| pair[0][foot].y + pair[1][foot].y;
            let planted = feet.iter().copied().min_by(|&a, &b| height(a).total_cmp(&height(b)))?;
            let is_down = height(planted) < 2.0 * (ground + 0.03 * self.height);
            is_down.then_some((pair[1][planted] - pair[0][planted]) * Vec3::new(1.0, 0.0, 1.0))
        });
        let steps: Vec<Vec3> = steps.collect();
        let along = steps.iter().sum::<Vec3>().try_normalize()?;
        let mut lengths: Vec<f32> = steps.iter().map(|step| step.dot(along)).collect();
        lengths.sort_by(f32::total_cmp);
        // The mean of the middle half excludes feet that land or lift, and averages the jitter between keys.
        let middle = &lengths[lengths.len() / 4..lengths.len() - lengths.len() / 4];
        let stride = middle.iter().sum::<f32>() / middle.len() as f32 * SAMPLES as f32;
        (stride > 0.2 * self.height && stride < 6.0 * self.height).then_some((stride, along))
    }

    /// The phase at which a bone is farthest ahead, in a clip whose body moves by `way`.
    fn front_of(&self, foot: usize, way: Vec3) -> f32 {
        let ahead = |at: &usize| self.samples[*at][foot].z - way.z * *at as f32 / SAMPLES as f32;
        let front = (0..SAMPLES).max_by(|a, b| ahead(a).total_cmp(&ahead(b)));
        front.unwrap_or(0) as f32 / SAMPLES as f32
    }
}

/// Measures the stride of a walk: its root motion, or else at the feet. `bones` are the bones that deform meshes, `height` is that of
/// the model.
pub fn walking(skeleton: &Skeleton, clip: &BakedClip, bones: &[usize], height: f32) -> Gait {
    let gait = walking_from(skeleton, (clip.length, &|time, pose| clip.sample_portable(time, pose)), bones, height);
    let way = clip.root_travel().translation.as_vec3().with_y(0.0);
    if way == Vec3::ZERO { gait } else { Gait { stride: Some(way.length()), drift: Vec3::ZERO, travel: way, ..gait } }
}

/// As [`walking`], from a function that samples the clip.
pub fn walking_from(skeleton: &Skeleton, poses: Poses<'_>, bones: &[usize], height: f32) -> Gait {
    if poses.0 <= Time::ZERO || bones.is_empty() {
        return Gait::default();
    }
    let motion = Motion::of(skeleton, poses, bones, height);
    let drift = motion.drift();
    let feet = motion.feet();
    let (stride, travel) = match motion.stride(&feet).filter(|_| drift == Vec3::ZERO) {
        Some((stride, back)) => (Some(stride), -back * stride),
        None if drift == Vec3::ZERO => (None, Vec3::ZERO),
        None => (Some(drift.length()), drift),
    };
    let sync = feet.first().map_or(0.0, |&foot| motion.front_of(foot, motion.way()));
    Gait { stride, sync, drift, travel }
}

/// Measures the distance of one loop of climbing at the hands: each holds on while the body passes it, one after the other.
pub fn climbing(skeleton: &Skeleton, clip: &BakedClip, bones: &[usize], height: f32) -> Gait {
    if clip.length <= Time::ZERO || bones.is_empty() {
        return Gait::default();
    }
    let motion = Motion::of(skeleton, (clip.length, &|time, pose| clip.sample_portable(time, pose)), bones, height);
    let rise = motion.samples[SAMPLES].iter().zip(&motion.samples[0]).map(|(end, start)| end.y - start.y).sum::<f32>()
        / bones.len() as f32;
    let reach = (0..bones.len()).map(|bone| motion.range(bone, |at| at.y)).map(|(low, high)| high - low);
    let reach = reach.fold(0.0, f32::max);
    let (stride, drift) =
        if rise > 0.25 * height { (rise, Vec3::new(0.0, rise, 0.0)) } else { (2.0 * reach, Vec3::ZERO) };
    Gait { stride: (stride > 0.1 * height).then_some(stride), sync: 0.0, drift, travel: Vec3::ZERO }
}

/// The time in the first half of a jump's clip at which the body is lowest. The part before it is the run-up on the ground;
/// the simulation is in the air at once.
pub fn takeoff_time(skeleton: &Skeleton, clip: &BakedClip, bones: &[usize], height: f32) -> Time {
    if clip.length <= Time::ZERO || bones.is_empty() {
        return Time::ZERO;
    }
    let motion = Motion::of(skeleton, (clip.length, &|time, pose| clip.sample_portable(time, pose)), bones, height);
    let level = |at: &usize| motion.samples[*at].iter().map(|place| place.y).sum::<f32>();
    let lowest = (0..=SAMPLES / 2).min_by(|a, b| level(a).total_cmp(&level(b))).unwrap_or(0);
    Time(clip.length.0 / SAMPLES as i64 * lowest as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;
    use std::f32::consts::{PI, TAU};

    /// Two feet that step in turn; the first is farthest ahead at `phase`.
    fn steps(phase: f32, way: f32) -> Gait {
        let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Transform::IDENTITY };
        let bones = vec![bone("root", None), bone("left", Some(0)), bone("right", Some(0)), bone("head", Some(0))];
        let skeleton = Skeleton::new(bones).unwrap();
        let pose_at = |time: Time, pose: &mut LocalPose| {
            pose.copy_from(&skeleton.rest_pose());
            let part = time.secs() as f32;
            let foot = |offset: f32| {
                let turn = (part - phase) * TAU + offset;
                Vec3::new(0.0, (-turn.sin()).max(0.0) * 0.2, turn.cos() * 0.3)
            };
            let places = [Vec3::Z * way * part, foot(0.0), foot(PI), Vec3::Y * 1.8];
            for (bone, place) in places.into_iter().enumerate() {
                pose.set(bone, &Transform::from_translation(place));
            }
        };
        walking_from(&skeleton, (Time::SECOND, &pose_at), &[1, 2, 3], 1.8)
    }

    #[test]
    fn steps_are_synchronized_alike_whether_the_clip_travels() {
        for phase in [0.25, 0.5, 0.75] {
            for way in [0.0, 0.3, 1.2, -1.2] {
                let sync = steps(phase, way).sync;
                assert!((sync - phase).abs() <= 1.0 / SAMPLES as f32, "{phase}, {way}: {sync}");
            }
        }
    }

    #[test]
    fn short_steps_travel_as_far_as_the_root() {
        let gait = steps(0.25, 0.1);
        assert!(gait.drift.distance(Vec3::Z * 0.1) < 1e-4 && gait.stride.is_some_and(|it| (it - 0.1).abs() < 1e-4));
        assert_eq!(steps(0.25, 0.0).drift, Vec3::ZERO);
    }
}
