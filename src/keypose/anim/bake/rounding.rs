//! Rounds sampled poses to the numbers of a smaller form, for [`crate::anim::bake::pack`] and
//! [`crate::anim::bake::quantize`].
//!
//! Rounding goes down the hierarchy and compensates: a bone is rounded to its exact place in the model as seen from its
//! *rounded* parent, so that errors don't add up along a chain. If that fails (a parent with a scale of 0, or very
//! different scales), every number is rounded independently.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::{Mat3, Vec3};

use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::BakedForm;
use crate::anim::bake::measure::Reach;
use crate::anim::bake::packed_samples::derived_w;
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::parallel;
use crate::anim::pose::{Lanes, LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// Samples that a thread rounds at once.
const BLOCK: usize = 16;

/// How each number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// So that it compensates for the rounding of its parents.
    Compensated,
    /// To the nearest value.
    Independent,
}

impl Rounding {
    /// The order in which they are tried.
    pub const ALL: [Rounding; 2] = [Rounding::Compensated, Rounding::Independent];
}

/// The values that a component of eight bones can be rounded to: `low + step · n`, for whole numbers n up to `max`.
/// With a step of 0, only `low`.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub low: Lanes,
    pub step: Lanes,
    pub max: [u16; 8],
}

/// The samples to round, and how errors are measured.
pub struct Rounder<'c> {
    pub samples: &'c SampledPoses,
    /// The animated channels, as they will be stored.
    pub animated: Vec<Channels>,
    pub skeleton: &'c Skeleton,
    pub reach: &'c Reach,
    /// The group of each animated component, and its index of the ten.
    pub places: Vec<(usize, usize)>,
    /// The index in `places` at which each group starts.
    pub starts: Vec<usize>,
}

impl<'c> Rounder<'c> {
    pub fn new(
        samples: &'c SampledPoses,
        animated: Vec<Channels>,
        skeleton: &'c Skeleton,
        reach: &'c Reach,
    ) -> Rounder<'c> {
        let (mut places, mut starts) = (Vec::new(), Vec::new());
        for (group, animated) in animated.iter().enumerate() {
            starts.push(places.len());
            places.extend(animated.components().map(|part| (group, part)));
        }
        Rounder { samples, animated, skeleton, reach, places, starts }
    }

    /// The index in `places` of one of the ten components of a group, if it is animated.
    pub fn component(&self, group: usize, part: usize) -> Option<usize> {
        let start = self.starts[group];
        let own = self.places[start..].iter().take_while(|(other, _)| *other == group);
        own.map(|(_, own)| *own).position(|own| own == part).map(|at| start + at)
    }

    /// Rounds all samples. Returns for each sample the numbers of the animated components on their grids, and the
    /// maximum distance between a sample and its rounded pose; `None` if that is more than `bound`.
    pub fn round(&self, grids: &[Grid], rounding: Rounding, bound: f32) -> Option<(Vec<Vec<[u16; 8]>>, f32)> {
        let is_over = AtomicBool::new(false);
        let rounded = parallel::map(&self.blocks(), self.bytes(), |block| {
            let (mut work, mut worst) = (Work::default(), 0.0);
            let round = |sample| {
                let numbers = self.round_one(sample, grids, rounding, &mut work);
                worst = worse(worst, self.reach.distance(&work.rounded_model, &work.exact_model));
                if worst > bound {
                    is_over.store(true, Ordering::Relaxed);
                }
                (!is_over.load(Ordering::Relaxed)).then_some(numbers)
            };
            let numbers = block.clone().map(round).collect::<Option<Vec<_>>>()?;
            Some((numbers, worst))
        });
        let (mut all, mut worst) = (Vec::new(), 0.0_f32);
        for block in rounded {
            let (numbers, of_block) = block?;
            all.extend(numbers);
            worst = worst.max(of_block);
        }
        Some((all, worst))
    }

    /// The samples in blocks that threads share.
    fn blocks(&self) -> Vec<Range<usize>> {
        let samples = self.samples.timeline.times.len();
        (0..samples).step_by(BLOCK).map(|start| start..samples.min(start + BLOCK)).collect()
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.samples.lanes[..])
    }

    fn round_one(&self, sample: usize, grids: &[Grid], rounding: Rounding, work: &mut Work) -> Vec<[u16; 8]> {
        let mut numbers = vec![[0; 8]; self.places.len()];
        self.samples.copy_stored(sample, &mut work.exact);
        work.exact_model.compute_portable(self.skeleton, &work.exact);
        work.rounded.copy_from(&work.exact);
        work.rounded_model.bones.clear();
        work.rotations.clear();
        for bone in 0..self.skeleton.len() {
            let (group, lane) = (bone / 8, bone % 8);
            let mut target = values(&work.exact, group, lane);
            let parent = self.skeleton.parent(bone as u16).map(usize::from);
            let exact_rotation = match parent {
                Some(parent) => product(work.rotations[parent].0, rotation(&target)),
                None => rotation(&target),
            };
            if rounding == Rounding::Compensated
                && let Some(parent) = parent
            {
                compensate(&mut target, work, parent, exact_rotation, work.exact_model.bones[bone].translation());
            }
            let components = self.starts[group]..self.starts[group] + self.animated[group].components().count();
            for component in components {
                let (grid, part) = (&grids[component], self.places[component].1);
                let (low, step, most) = (grid.low.0[lane], grid.step.0[lane], f32::from(grid.max[lane]));
                let number = if step > 0.0 { ((target[part] - low) / step).clamp(0.0, most) + 0.5 } else { 0.0 };
                let number = f32::from(number as u16);
                numbers[component][lane] = number as u16;
                put_value(&mut work.rounded, group, lane, part, low + step * number);
            }
            if self.animated[group].has(Channels::DERIVED_W) {
                let [x, y, z, w] = &mut work.rounded.lanes_mut()[group].rotation;
                w.0[lane] = derived_w([x, y, z]).0[lane];
            }
            make_unit(&mut work.rounded, group, lane);
            let local = work.rounded.get(bone).to_mat34();
            let rounded = rotation(&values(&work.rounded, group, lane));
            let (model, rotation) = match parent {
                Some(parent) => (work.rounded_model.bones[parent] * local, product(work.rotations[parent].1, rounded)),
                None => (local, rounded),
            };
            work.rounded_model.bones.push(model);
            work.rotations.push((exact_rotation, rotation));
        }
        numbers
    }

    /// The maximum distance between two neighbouring samples, between which poses are blended.
    pub fn widest(&self) -> f32 {
        let times = &self.samples.timeline.times;
        let of_block = |block: &Range<usize>| {
            let (mut pose, mut before, mut after) = (LocalPose::default(), ModelPose::default(), ModelPose::default());
            let mut worst = 0.0_f32;
            for sample in block.start..times.len().min(block.end + 1) {
                std::mem::swap(&mut before, &mut after);
                self.samples.copy_stored(sample, &mut pose);
                after.compute_portable(self.skeleton, &pose);
                if sample > block.start && times[sample] > times[sample - 1] {
                    worst = worse(worst, self.reach.distance(&before, &after));
                }
            }
            worst
        };
        parallel::map(&self.blocks(), self.bytes(), of_block).into_iter().fold(0.0, f32::max)
    }

    /// The maximum distance of a rounded form from the exact samples, measured between their times. `sample` samples
    /// the rounded form.
    pub fn distance(&self, sample: impl Fn(Time, &mut LocalPose) + Sync) -> f32 {
        let times = &self.samples.timeline.times;
        let of_block = |block: &Range<usize>| {
            let (mut rounded, mut whole) = (LocalPose::default(), LocalPose::default());
            let (mut a, mut b) = (ModelPose::default(), ModelPose::default());
            let mut worst = 0.0_f32;
            for pair in times[block.start..times.len().min(block.end + 1)].windows(2) {
                let time = pair[0] + (pair[1] - pair[0]) / 3;
                sample(time, &mut rounded);
                self.samples.sample::<true>(time, &mut whole);
                a.compute_portable(self.skeleton, &rounded);
                b.compute_portable(self.skeleton, &whole);
                worst = worse(worst, self.reach.distance(&a, &b));
            }
            worst
        };
        parallel::map(&self.blocks(), self.bytes(), of_block).into_iter().fold(0.0, f32::max)
    }
}

/// The larger distance; NaN counts as infinite.
fn worse(worst: f32, distance: f32) -> f32 {
    if distance.is_nan() { f32::INFINITY } else { worst.max(distance) }
}

/// Buffers that are reused from sample to sample.
#[derive(Default)]
struct Work {
    exact: LocalPose,
    exact_model: ModelPose,
    rounded: LocalPose,
    rounded_model: ModelPose,
    /// The rotation of each bone in the model, exact and rounded.
    rotations: Vec<([f32; 4], [f32; 4])>,
}

/// Lets a bone's translation and rotation compensate for the rounding of its parent.
fn compensate(target: &mut [f32; 10], work: &Work, parent: usize, exact_rotation: [f32; 4], origin: Vec3) {
    let above = &work.rounded_model.bones[parent];
    let rows = above.rows.map(|row| row.truncate());
    let axes = Mat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let local = axes.inverse() * (origin - above.translation());
    if local.is_finite() {
        target[..3].copy_from_slice(&local.to_array());
    }
    let [x, y, z, w] = work.rotations[parent].1;
    let led = product([-x, -y, -z, w], exact_rotation);
    let own = rotation(target);
    let dot = (led[0] * own[0] + led[1] * own[1]) + (led[2] * own[2] + led[3] * own[3]);
    let side = if dot < 0.0 { -1.0 } else { 1.0 };
    target[3..7].copy_from_slice(&led.map(|part| part * side));
}

/// The minimum and maximum value of each component of eight bones over all samples.
pub fn bounds(samples: &SampledPoses) -> Vec<(Lanes, Lanes)> {
    let mut bounds = vec![(Lanes([f32::INFINITY; 8]), Lanes([f32::NEG_INFINITY; 8])); samples.stride];
    for pose in samples.lanes.chunks_exact(samples.stride.max(1)) {
        for ((low, high), lanes) in bounds.iter_mut().zip(pose) {
            for lane in 0..8 {
                low.0[lane] = low.0[lane].min(lanes.0[lane]);
                high.0[lane] = high.0[lane].max(lanes.0[lane]);
            }
        }
    }
    bounds
}

fn rotation(values: &[f32; 10]) -> [f32; 4] {
    [values[3], values[4], values[5], values[6]]
}

/// The product of two quaternions, with the same order of operations on every machine.
fn product([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> [f32; 4] {
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by - ax * bz) + (ay * bw + az * bx),
        (aw * bz + ax * by) + (az * bw - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

/// The ten components of a bone.
fn values(pose: &LocalPose, group: usize, lane: usize) -> [f32; 10] {
    pose.lanes()[group].components().map(|part| part.0[lane])
}

/// Sets one of the ten components of a bone.
pub fn put_value(pose: &mut LocalPose, group: usize, lane: usize, part: usize, value: f32) {
    let lanes = &mut pose.lanes_mut()[group];
    let part = match part {
        0..3 => &mut lanes.translation[part],
        3..7 => &mut lanes.rotation[part - 3],
        _ => &mut lanes.scale[part - 7],
    };
    part.0[lane] = value;
}

fn make_unit(pose: &mut LocalPose, group: usize, lane: usize) {
    let rotation = &mut pose.lanes_mut()[group].rotation;
    let [x, y, z, w] = rotation.each_ref().map(|part| part.0[lane]);
    let length = ((x * x + y * y) + (z * z + w * w)).sqrt();
    if length > 0.0 {
        rotation.iter_mut().for_each(|part| part.0[lane] /= length);
    }
}
