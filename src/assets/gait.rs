//! How far a clip carries: the distance that a walk covers in one round, read off its feet, and a climb off its hands.
//! With it the phase of a clip follows the way that was gone, and nothing slides.

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// Samples in one round.
const SAMPLES: usize = 48;

/// What is known of a clip that covers a way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gait {
    /// Model units in one round of the clip; `None` where its feet do not tell.
    pub stride: Option<f32>,
    /// The phase, 0..1, at which the first foot is farthest ahead: what walk and run are matched by.
    pub sync: f32,
    /// How far the whole body moves away in one round, to be taken back out; zero for a clip that plays in place.
    pub drift: Vec3,
    /// The way that the body goes against the ground in one round, model units along the ground, drift included; zero
    /// where the feet do not tell.
    pub way: Vec3,
}

/// A clip's length, and what puts its pose at a time of it into a pose of any contents.
pub type Poses<'a> = (Time, &'a dyn Fn(Time, &mut LocalPose));

/// Bone origins of a clip in model space, sample by sample, the end included.
struct Motion {
    samples: Vec<Vec<Vec3>>,
    /// Height of the model, in its units.
    height: f32,
}

impl Motion {
    fn of(skeleton: &Skeleton, (length, pose_at): Poses<'_>, bones: &[usize], height: f32) -> Motion {
        let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
        let sample = |index: usize| {
            pose_at(Time(length.0 / SAMPLES as i64 * index as i64), &mut local);
            model.compute(skeleton, &local);
            bones.iter().map(|&bone| model.bones[bone].translation()).collect()
        };
        Motion { samples: (0..=SAMPLES).map(sample).collect(), height }
    }

    /// The mean of all bones at the end against the start, along the ground; zero where it is small.
    fn drift(&self) -> Vec3 {
        let mean = |places: &[Vec3]| places.iter().sum::<Vec3>() / places.len().max(1) as f32;
        let away = (mean(&self.samples[SAMPLES]) - mean(&self.samples[0])) * Vec3::new(1.0, 0.0, 1.0);
        if away.length() > 0.25 * self.height { away } else { Vec3::ZERO }
    }

    fn range(&self, bone: usize, of: impl Fn(Vec3) -> f32) -> (f32, f32) {
        let values = self.samples.iter().map(|places| of(places[bone]));
        values.fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// Bones that come near the ground and move along it: feet, toes, paws.
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

    /// How far the planted foot, the lowest, goes backwards in a round, and the unit vector in which it goes.
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
        // The mean of the middle half: feet that land or leave lie outside of it, those that waver between keys level out.
        let middle = &lengths[lengths.len() / 4..lengths.len() - lengths.len() / 4];
        let stride = middle.iter().sum::<f32>() / middle.len() as f32 * SAMPLES as f32;
        (stride > 0.2 * self.height && stride < 6.0 * self.height).then_some((stride, along))
    }

    /// The phase at which a bone is farthest along the way.
    fn front_of(&self, foot: usize) -> f32 {
        let ahead = |at: &usize| self.samples[*at][foot].z;
        let front = (0..SAMPLES).max_by(|a, b| ahead(a).total_cmp(&ahead(b)));
        front.unwrap_or(0) as f32 / SAMPLES as f32
    }
}

/// Reads the stride off the feet. `bones` are those that move vertices, `height` the model's.
pub fn walking(skeleton: &Skeleton, clip: &BakedClip, bones: &[usize], height: f32) -> Gait {
    walking_from(skeleton, (clip.length, &|time, pose| clip.sample(time, pose)), bones, height)
}

/// As [`walking`], of a clip in whatever form.
pub fn walking_from(skeleton: &Skeleton, poses: Poses<'_>, bones: &[usize], height: f32) -> Gait {
    if poses.0 <= Time::ZERO || bones.is_empty() {
        return Gait::default();
    }
    let motion = Motion::of(skeleton, poses, bones, height);
    let drift = motion.drift();
    let feet = motion.feet();
    let (stride, way) = match motion.stride(&feet).filter(|_| drift == Vec3::ZERO) {
        Some((stride, back)) => (Some(stride), -back * stride),
        None if drift == Vec3::ZERO => (None, Vec3::ZERO),
        None => (Some(drift.length()), drift),
    };
    Gait { stride, sync: feet.first().map_or(0.0, |&foot| motion.front_of(foot)), drift, way }
}

/// Reads the way of one round of climbing off the hands: each holds on while the body passes it, one after the other.
pub fn climbing(skeleton: &Skeleton, clip: &BakedClip, bones: &[usize], height: f32) -> Gait {
    if clip.length <= Time::ZERO || bones.is_empty() {
        return Gait::default();
    }
    let motion = Motion::of(skeleton, (clip.length, &|time, pose| clip.sample(time, pose)), bones, height);
    let rise = motion.samples[SAMPLES].iter().zip(&motion.samples[0]).map(|(end, start)| end.y - start.y).sum::<f32>()
        / bones.len() as f32;
    let reach = (0..bones.len()).map(|bone| motion.range(bone, |at| at.y)).map(|(low, high)| high - low);
    let reach = reach.fold(0.0, f32::max);
    let (stride, drift) = match rise > 0.25 * height {
        true => (rise, Vec3::new(0.0, rise, 0.0)),
        false => (2.0 * reach, Vec3::ZERO),
    };
    Gait { stride: (stride > 0.1 * height).then_some(stride), sync: 0.0, drift, way: Vec3::ZERO }
}

/// The time in the first half of a jump's clip at which the body is lowest: what goes before is taking a run-up on the
/// ground, and the simulation is in the air at once.
pub fn take_off(skeleton: &Skeleton, clip: &BakedClip, bones: &[usize], height: f32) -> Time {
    if clip.length <= Time::ZERO || bones.is_empty() {
        return Time::ZERO;
    }
    let motion = Motion::of(skeleton, (clip.length, &|time, pose| clip.sample(time, pose)), bones, height);
    let level = |at: &usize| motion.samples[*at].iter().map(|place| place.y).sum::<f32>();
    let lowest = (0..=SAMPLES / 2).min_by(|a, b| level(a).total_cmp(&level(b))).unwrap_or(0);
    Time(clip.length.0 / SAMPLES as i64 * lowest as i64)
}
