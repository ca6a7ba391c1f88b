//! The search for the order in which keyframes are added, in slices: it can take seconds for a long clip.

use crate::anim::bake::measure::Reach;
use crate::anim::clip::{Clip, Keyframe, KeyframeKind};
use crate::anim::curve::Segment;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::reduce_poses::grid::Grid;
use crate::anim::reduce_poses::{PoseReduction, Samples, value_of};
use crate::anim::skeleton::Skeleton;
use crate::anim::track::Track;
use glam::Vec4;

/// A search in progress.
#[derive(Clone, Debug)]
pub struct PoseSearch {
    reduction: PoseReduction,
    skeleton: Skeleton,
    reach: Reach,
    /// The exact poses at the first sample times.
    exact: Vec<ModelPose>,
    local: LocalPose,
    model: ModelPose,
    /// The measured parts between kept keyframes.
    parts: Vec<Part>,
    /// Parts to measure, the next one last, with their places among the parts.
    todo: Vec<(usize, Part)>,
    /// The interpolations of the part that is being measured, as far as they are known, and its next sample.
    ways: Vec<Segment>,
    sample: usize,
}

/// The part between two kept keyframes.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: usize,
    to: usize,
    error: f32,
    /// The sample at which it is worst, if it has an error.
    worst: usize,
}

impl Part {
    fn new(from: usize, to: usize) -> Part {
        Part { from, to, error: 0.0, worst: 0 }
    }

    fn can_split(&self) -> bool {
        self.to - self.from > 1
    }

    /// The keyframe at which it is worst, or the middle one.
    fn split(&self, grid: &Grid) -> usize {
        let nearest = if self.error > 0.0 { grid.nearest(self.worst) } else { (self.from + self.to) / 2 };
        nearest.clamp(self.from + 1, (self.to - 1).max(self.from + 1))
    }
}

impl PoseSearch {
    /// Prepares the search for a clip of at least one keyframe.
    pub fn new(clip: &Clip, skeleton: &Skeleton) -> PoseSearch {
        let mut tracks = Track::keyed(clip, |_| true);
        tracks.retain(|track| usize::from(track.bone) < skeleton.len());
        let grid = Grid::of(clip);
        let scales = skeleton.parent_scales();
        let samples = |track| Samples::new(track, &grid.times, &scales);
        let channels: Vec<Samples> = tracks.into_iter().map(samples).collect();
        let last = clip.keyframes.len().saturating_sub(1);
        let is_kept =
            |(at, keyframe): &(usize, &Keyframe)| [0, last].contains(at) || keyframe.kind != KeyframeKind::Plain;
        let order: Vec<usize> = clip.keyframes.iter().enumerate().filter(is_kept).map(|(at, _)| at).collect();
        // The first part is measured first.
        let parts = order.windows(2).map(|ends| Part::new(ends[0], ends[1])).enumerate();
        let todo: Vec<(usize, Part)> = parts.rev().collect();
        PoseSearch {
            reduction: PoseReduction {
                clip: clip.clone(),
                grid,
                channels,
                least: order.len(),
                order,
                errors: Vec::new(),
            },
            skeleton: skeleton.clone(),
            reach: Reach::of(skeleton),
            exact: Vec::new(),
            local: skeleton.rest_pose(),
            model: ModelPose::default(),
            parts: Vec::new(),
            todo,
            ways: Vec::new(),
            sample: 0,
        }
    }

    /// Searches on for about `work` bone transforms, at least one step. Returns true if the search is complete.
    pub fn advance(&mut self, work: usize) -> bool {
        let mut done = 0;
        loop {
            match self.step() {
                None => return true,
                Some(step) => done += step,
            }
            if done >= work {
                return false;
            }
        }
    }

    /// The fraction that is done, from 0 to 1; it never decreases.
    pub fn progress(&self) -> f32 {
        let sampled = self.exact.len() as f32 / self.reduction.grid.times.len().max(1) as f32;
        let found = self.reduction.order.len() as f32 / self.reduction.clip.keyframes.len().max(1) as f32;
        0.2 * sampled + 0.8 * found.min(1.0)
    }

    /// The number of keyframes of the clip.
    pub fn keyframes(&self) -> usize {
        self.reduction.clip.keyframes.len()
    }

    /// The result of a complete search.
    pub fn into_reduction(self) -> PoseReduction {
        self.reduction
    }

    /// One step. Returns its work in bone transforms; `None` if the search is complete.
    fn step(&mut self) -> Option<usize> {
        let bones = self.skeleton.len().max(1);
        if self.todo.is_empty() && !self.split_worst() {
            return None;
        }
        if self.exact.len() < self.reduction.grid.times.len() {
            let at = self.exact.len();
            self.pose(|_, channel| channel.values[at]);
            self.exact.push(self.model.clone());
            return Some(bones);
        }
        let (slot, part) = self.todo.pop()?;
        let samples = self.reduction.grid.sample_of(part.to) - self.reduction.grid.sample_of(part.from);
        if let Some(channel) = self.reduction.channels.get(self.ways.len()) {
            self.ways.push(channel.way(&self.reduction.grid, part.from, part.to));
            self.todo.push((slot, part));
            return Some(samples);
        }
        if self.sample < samples {
            self.sample += 1;
            let part = if self.sample < samples { self.measured(part) } else { part };
            self.todo.push((slot, part));
            return Some(bones);
        }
        self.ways.clear();
        self.sample = 0;
        match self.parts.get_mut(slot) {
            Some(place) => *place = part,
            None => self.parts.push(part),
        }
        Some(1)
    }

    /// Splits the worst part that has keyframes left. Returns false if none has.
    fn split_worst(&mut self) -> bool {
        let parts = &self.parts;
        let Some(worst) = (0..parts.len()).max_by(|&a, &b| parts[a].error.total_cmp(&parts[b].error)) else {
            return false;
        };
        self.reduction.errors.push(parts[worst].error);
        // Exact already: the others are added in any order.
        let splits = Some(worst).filter(|&at| parts[at].can_split());
        let Some(at) = splits.or_else(|| parts.iter().position(Part::can_split)) else { return false };
        let part = parts[at];
        let middle = part.split(&self.reduction.grid);
        self.reduction.order.push(middle);
        self.todo = vec![(parts.len(), Part::new(middle, part.to)), (at, Part::new(part.from, middle))];
        true
    }

    /// The part with the error at the current sample.
    fn measured(&mut self, part: Part) -> Part {
        let sample = self.reduction.grid.sample_of(part.from) + self.sample;
        let fraction = self.reduction.grid.fraction(sample, part.from, part.to) as f32;
        let ways = std::mem::take(&mut self.ways);
        self.pose(|at, _| value_of(&ways[at], fraction));
        self.ways = ways;
        let error = self.reach.distance(&self.model, &self.exact[sample]).max(self.scalar_error(sample));
        if error > part.error { Part { error, worst: sample, ..part } } else { part }
    }

    /// The largest difference of a scalar, as a distance: a difference of 1 counts as a tenth of the model's size.
    fn scalar_error(&self, sample: usize) -> f32 {
        let pairs = self.model.scalars.iter().zip(&self.exact[sample].scalars);
        let apart = pairs.fold(0.0_f32, |apart, (a, b)| apart.max((a - b).abs()));
        apart * self.reach.model_size * 0.1
    }

    /// Computes the pose from the value of each channel, by its index.
    fn pose(&mut self, value: impl Fn(usize, &Samples) -> Vec4) {
        for (at, channel) in self.reduction.channels.iter().enumerate() {
            self.local.put(channel.track.bone, channel.track.channel, value(at, channel));
        }
        self.model.compute(&self.skeleton, &self.local);
    }
}
