//! Rounds sampled poses to 16-bit numbers within an error bound, for [`crate::anim::bake::quantized_samples`].

use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::BakedForm;
use crate::anim::bake::measure::{MIN_LEAF_REACH, Reach};
use crate::anim::bake::quantized_samples::{Block, CONSTANT, ONE, QuantizedSamples, SPARSE_PER_BLOCK, SparseChannel};
use crate::anim::bake::rounding::{Grid, Rounder, Rounding, bounds, put_value};
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::key::Channel;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Numbers past the largest value of a component that are left for compensating the rounding of parents.
const MARGIN: f32 = 8.0;
/// A channel that is animated for at most this many bones of eight is stored bone by bone.
const MAX_SPARSE_LANES: usize = 2;
/// No component: the unused half of a block.
const UNUSED: usize = 10;

/// Returns the samples in 16-bit numbers and their distance from the original, if it is at most `bound` (model units).
pub fn quantize(
    samples: &SampledPoses,
    bound: f32,
    skeleton: &Skeleton,
    reach: &Reach,
) -> Option<(QuantizedSamples, f32)> {
    let reach = reach.clone().with_min_leaf_reach(MIN_LEAF_REACH);
    let rounder = Rounder::new(samples, samples.animated.clone(), skeleton, &reach);
    let places = rounder.places.iter().zip(bounds(samples));
    let grids: Vec<Grid> = places.map(|((_, part), (low, high))| grid(*part, &low, &high)).collect();
    let layout = BlockLayout::new(&rounder, &grids);
    // Weights are rounded to whole numbers, too.
    let of_weights = rounder.widest() * 0.5 / f32::from(ONE);
    Rounding::ALL.into_iter().find_map(|rounding| {
        let (quantized, error) = layout.fill(&rounder, &grids, rounding, bound)?;
        let error = rounder.distance(|time, pose| quantized.sample::<true>(time, pose)).max(error + of_weights);
        (error <= bound).then_some((quantized, error))
    })
}

/// The values that a component can have: symmetric around zero.
fn grid(part: usize, low: &Lanes, high: &Lanes) -> Grid {
    let mut grid = Grid { low: *low, step: Lanes([0.0; 8]), max: [ONE as u16 * 2; 8] };
    for lane in 0..8 {
        let (low, high) = (low.0[lane], high.0[lane]);
        let is_rotation = (3..7).contains(&part);
        if is_rotation || high > low {
            let most = low.abs().max(high.abs());
            let step = if is_rotation { 1.0 / f32::from(ONE) } else { most / (f32::from(ONE) - MARGIN) };
            grid.low.0[lane] = -step * f32::from(ONE);
            grid.step.0[lane] = step;
        }
    }
    grid
}

/// The component and the lane of a number; `None` if it is unused.
type Slot = Option<(usize, usize)>;

/// The order of the numbers in a sample.
struct BlockLayout {
    /// Without sparse channels.
    animated: Vec<Channels>,
    sparse: Vec<SparseChannel>,
    /// The slots of the two components of each block.
    blocks: Vec<[[Slot; 8]; 2]>,
    /// See [`QuantizedSamples::scales`].
    scales: Vec<Lanes>,
    /// The values of channels that aren't stored, those with equal samples included.
    constant: LocalPose,
}

impl BlockLayout {
    fn new(rounder: &Rounder<'_>, grids: &[Grid]) -> BlockLayout {
        let (animated, constant) = (rounder.samples.animated.clone(), rounder.samples.constant.clone());
        let mut layout = BlockLayout { animated, sparse: vec![], blocks: vec![], scales: vec![], constant };
        let mut sparse = Vec::new();
        for group in 0..layout.animated.len() {
            layout.move_sparse(group, rounder, grids, &mut sparse);
            layout.push_group(group, rounder, grids);
        }
        for slots in sparse.chunks(SPARSE_PER_BLOCK) {
            let slot = |at: usize| slots.get(at / 4).and_then(|slots: &[Slot; 4]| slots[at % 4]);
            let block = [0, 8].map(|start| std::array::from_fn(|at| slot(start + at)));
            let scales = |slots: &[Slot; 8]| {
                Lanes(slots.map(|slot| slot.map_or(0.0, |(component, lane)| scale(&grids[component], lane))))
            };
            layout.scales.extend(block.each_ref().map(scales));
            layout.blocks.push(block);
        }
        layout
    }

    /// Moves the channels of a group that few bones animate to the sparse ones, whose slots are appended to `slots`.
    fn move_sparse(&mut self, group: usize, rounder: &Rounder<'_>, grids: &[Grid], slots: &mut Vec<[Slot; 4]>) {
        for (channel, part) in [(Channel::Translation, 0), (Channel::Scale, 7)] {
            let Some(first) = rounder.component(group, part) else { continue };
            let is_animated = |lane: &usize| (first..first + 3).any(|at| grids[at].step.0[*lane] != 0.0);
            let (lanes, still): (Vec<usize>, Vec<usize>) = (0..8).partition(is_animated);
            if lanes.len() <= MAX_SPARSE_LANES {
                self.animated[group] = self.animated[group].without(channel.into());
                for lane in still {
                    let value = |at: usize| grids[first + at].low.0[lane];
                    (0..3).for_each(|at| put_value(&mut self.constant, group, lane, part + at, value(at)));
                }
                for lane in lanes {
                    self.sparse.push(SparseChannel { bone: (group * 8 + lane) as BoneIndex, channel });
                    slots.push([Some((first, lane)), Some((first + 1, lane)), Some((first + 2, lane)), None]);
                }
            }
        }
    }

    /// Appends the blocks and scales of the other channels of a group.
    fn push_group(&mut self, group: usize, rounder: &Rounder<'_>, grids: &[Grid]) {
        let animated = self.animated[group];
        let component = |part: usize| rounder.component(group, part);
        let rotation = if animated.has(Channels::ROTATION) { &[[3, 4], [5, 6]][..] } else { &[] };
        let vectors: &[[usize; 2]] = match animated.vectors() {
            Channels::NONE => &[],
            Channels::TRANSLATION => &[[0, 1], [2, UNUSED]],
            Channels::SCALE => &[[7, 8], [9, UNUSED]],
            _ => &[[0, 1], [2, 7], [8, 9]],
        };
        for block in rotation.iter().chain(vectors) {
            let slots = |part: usize| std::array::from_fn(|lane| component(part).map(|component| (component, lane)));
            self.blocks.push(block.map(slots));
        }
        for &part in vectors.as_flattened() {
            let scale = |lane| component(part).map_or(0.0, |component| scale(&grids[component], lane));
            self.scales.push(Lanes(std::array::from_fn(scale)));
        }
    }

    /// Rounds all samples. Returns the distance from the original, too; `None` if that is more than `bound`.
    fn fill(
        &self,
        rounder: &Rounder<'_>,
        grids: &[Grid],
        rounding: Rounding,
        bound: f32,
    ) -> Option<(QuantizedSamples, f32)> {
        let mut blocks = Vec::new();
        let bones = rounder.skeleton.len();
        let (all, error) = rounder.round(grids, rounding, bound)?;
        for numbers in all {
            let number = |slot: Slot| {
                let Some((component, lane)) = slot else { return 0 };
                let (group, part) = rounder.places[component];
                match part {
                    3..6 if group * 8 + lane >= bones => 0,
                    6 if group * 8 + lane >= bones => ONE,
                    _ if grids[component].step.0[lane] == 0.0 => CONSTANT,
                    _ => (i32::from(numbers[component][lane]) - i32::from(ONE)) as i16,
                }
            };
            blocks.extend(self.blocks.iter().map(|[first, second]| Block::new(first.map(number), second.map(number))));
        }
        let timeline = rounder.samples.timeline.clone();
        let (animated, sparse, scales) = (self.animated.clone(), self.sparse.clone(), self.scales.clone());
        let quantized = QuantizedSamples::new(timeline, animated, &self.constant, sparse, scales, blocks);
        quantized.ok().map(|quantized| (quantized, error))
    }
}

/// The factor from a number times [`ONE`] to its value.
fn scale(grid: &Grid, lane: usize) -> f32 {
    match grid.step.0[lane] {
        0.0 => grid.low.0[lane] / (f32::from(CONSTANT) * f32::from(ONE)),
        step => step / f32::from(ONE),
    }
}
