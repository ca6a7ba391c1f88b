//! Finds the minimum bits in which samples keep an error bound, for [`crate::anim::bake::packed_samples`].
//!
//! The step of every number moves the vertices of its bone by about the same distance. A binary search finds the
//! largest distance that keeps the bound.

use crate::anim::bake::form::BakedForm;
use crate::anim::bake::measure::{MIN_LEAF_REACH, Reach};
use crate::anim::bake::packed_samples::{MAX_BITS, PackedSamples, Range, TOP, append, lanes_of, widths};
use crate::anim::bake::rounding::{Grid, Rounder, Rounding, bounds};
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::Lanes;
use crate::anim::skeleton::Skeleton;

/// The number of distances to choose from: twice the bound, divided by ⁴√2 each time.
const TRIES: usize = 44;
/// See [`TRIES`].
const FINER: f32 = 0.840_896_4;
/// By how many steps a number may leave its range in the exact samples, to compensate for its parent.
const MARGIN: f32 = 4.0;

/// Returns the samples in as few bits as keep their distance from the original within `bound` (model units), and that
/// distance. `None` if [`MAX_BITS`] are not enough.
pub fn pack(samples: &SampledPoses, bound: f32, skeleton: &Skeleton, reach: &Reach) -> Option<(PackedSamples, f32)> {
    let reach = reach.clone().with_min_leaf_reach(skeleton, MIN_LEAF_REACH);
    let search = Search::new(samples, skeleton, &reach);
    let mut best: Option<(PackedSamples, f32)> = None;
    for rounding in Rounding::ALL {
        let pack = |at: usize| {
            let distance = (0..at).fold(bound * 2.0, |distance, _| distance * FINER);
            search.pack(distance, rounding).map(|(packed, error)| {
                let between = search.rounder.distance(|time, pose| packed.sample_portable(time, pose));
                (error.max(between), packed)
            })
        };
        let (mut low, mut high) = (0, TRIES);
        while low < high {
            let middle = (low + high) / 2;
            match pack(middle) {
                Some((error, packed)) if error <= bound => {
                    best = Some((packed, error));
                    high = middle;
                }
                Some(_) => low = middle + 1,
                None => high = middle,
            }
        }
        if best.is_some() {
            break;
        }
    }
    best
}

/// The samples to pack, and how much their numbers matter.
struct Search<'c> {
    rounder: Rounder<'c>,
    /// The minimum and maximum value of each component and bone.
    bounds: Vec<(Lanes, Lanes)>,
    /// How many model units one unit of each component and bone moves its vertices.
    weights: Vec<Lanes>,
}

impl<'c> Search<'c> {
    fn new(samples: &'c SampledPoses, skeleton: &'c Skeleton, reach: &'c Reach) -> Search<'c> {
        let rounder = Rounder::new(samples, skeleton, reach);
        let places = &rounder.places;
        let bounds: Vec<_> = (0..places.len()).map(|component| bounds(samples, component)).collect();
        let (rest, carried) = (skeleton.rest_model_pose(), carried(skeleton, reach));
        let weigh = |(&(group, part), bounds): (&(usize, usize), &(Lanes, Lanes))| {
            Lanes(std::array::from_fn(|lane| {
                let bone = group * 8 + lane;
                if bone >= skeleton.len() {
                    return 0.0;
                }
                match part {
                    0..3 => skeleton.parent(bone as u16).map_or(1.0, |parent| scale(rest.get(parent))),
                    3..7 => {
                        2.0 * std::f32::consts::SQRT_2 * reach.own(bone) * across(bounds.0.0[lane], bounds.1.0[lane])
                    }
                    _ => carried[bone],
                }
            }))
        };
        let weights = places.iter().zip(&bounds).map(weigh).collect();
        Search { rounder, bounds, weights }
    }

    /// Packs with steps that move vertices by at most `distance`. Returns the distance from the original, too; `None`
    /// if that takes too many bits.
    fn pack(&self, distance: f32, rounding: Rounding) -> Option<(PackedSamples, f32)> {
        let spans: Vec<(Spans, u8)> = (0..self.rounder.places.len())
            .map(|component| self.spans(component, distance, rounding))
            .collect::<Option<_>>()?;
        let widths: Vec<usize> = self.rounder.samples.animated.iter().flat_map(|&animated| widths(animated)).collect();
        let (mut bits, mut ranges, mut rest) = (Vec::new(), Vec::new(), &spans[..]);
        for &width in &widths {
            let (own, others) = rest.split_at(width);
            let most = own.iter().map(|(_, bits)| *bits).max().unwrap_or(0);
            ranges.extend(own.iter().map(|(spans, _)| range(spans, most)));
            bits.push(most);
            rest = others;
        }
        let grids: Vec<Grid> =
            ranges.iter().zip(spread(&bits, &widths)).map(|(range, bits)| grid(range, bits)).collect();
        let mut bytes = Vec::new();
        let (all, error) = self.rounder.round(&grids, rounding);
        for numbers in all {
            let mut at = 0;
            for (&bits, &width) in bits.iter().zip(&widths) {
                let lanes = lanes_of(&ranges[at..at + width]);
                numbers[at..at + width].iter().for_each(|numbers| append(numbers, lanes, bits, &mut bytes));
                at += width;
            }
        }
        let SampledPoses { timeline, animated, constant, .. } = self.rounder.samples;
        PackedSamples::new(timeline.clone(), animated.clone(), constant, &bits, ranges, bytes)
            .ok()
            .map(|packed| (packed, error))
    }

    /// The range that a component's numbers must cover, and the bits that this takes.
    fn spans(&self, component: usize, distance: f32, rounding: Rounding) -> Option<(Spans, u8)> {
        let ((low, high), weights) = (&self.bounds[component], &self.weights[component]);
        let (group, part) = self.rounder.places[component];
        let margin = if rounding == Rounding::Compensated { MARGIN } else { 0.0 };
        let mut wide = [(0.0, 0.0); 8];
        let mut bits = 0;
        for (lane, wide) in wide.iter_mut().enumerate() {
            let (low, high) = (low.0[lane], high.0[lane]);
            *wide = (low, 0.0);
            if high > low {
                let step = distance / weights.0[lane].max(f32::MIN_POSITIVE);
                let most = match self.above(group * 8 + lane, part) {
                    Some(weight) => step.max(distance / weight.max(f32::MIN_POSITIVE)),
                    None => step,
                };
                let span = (high - low).max(f32::MIN_POSITIVE);
                let margin = (margin * most).min(span);
                let levels = (span + margin * 2.0) / step;
                let needed = (1..=MAX_BITS).find(|&bits| ((1_u32 << bits) - 1) as f32 >= levels)?;
                *wide = (low - margin, span + margin * 2.0);
                bits = needed.max(bits);
            }
        }
        Some((wide, bits))
    }

    /// The weight of the same component of the parent's rotation, for which a rotation compensates.
    fn above(&self, bone: usize, part: usize) -> Option<f32> {
        let parent = usize::from(self.rounder.skeleton.parent(bone as u16)?);
        let component = self.rounder.component(parent / 8, part).filter(|_| (3..7).contains(&part))?;
        Some(self.weights[component].0[parent % 8])
    }
}

/// The minimum value of each bone, and the difference to its maximum.
type Spans = [(f32, f32); 8];

fn range(spans: &Spans, bits: u8) -> Range {
    let most = (((1_u32 << bits) - 1).max(1) << (TOP - bits)) as f32;
    Range { low: Lanes(spans.map(|(low, _)| low)), step: Lanes(spans.map(|(_, span)| span / most)) }
}

/// The values of a number of `bits` bits.
fn grid(range: &Range, bits: u8) -> Grid {
    let unit = (1_u32 << (TOP - bits)) as f32;
    let max = ((1_u32 << bits) - 1) as u16;
    Grid { low: range.low, step: Lanes(range.step.0.map(|step| step * unit)), max }
}

/// Repeats the bits of each part for each of its components.
fn spread(bits: &[u8], widths: &[usize]) -> Vec<u8> {
    bits.iter().zip(widths).flat_map(|(&bits, &width)| std::iter::repeat_n(bits, width)).collect()
}

/// The maximum reach of a bone and its descendants: scales apply to all of them, and no descendant compensates.
fn carried(skeleton: &Skeleton, reach: &Reach) -> Vec<f32> {
    let mut carried: Vec<f32> = (0..skeleton.len()).map(|bone| reach.own(bone)).collect();
    for bone in (0..skeleton.len()).rev() {
        if let Some(parent) = skeleton.parent(bone as u16) {
            carried[usize::from(parent)] = carried[usize::from(parent)].max(carried[bone]);
        }
    }
    carried
}

/// How much a change of one component of a unit quaternion rotates it: the length of the other components where this
/// one is smallest.
fn across(low: f32, high: f32) -> f32 {
    let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
    (1.0 - least * least).max(0.0025).sqrt()
}

/// The length that a matrix gives to the axes, as [`Reach::own`] measures it.
fn scale(matrix: Mat3x4) -> f32 {
    let [x, y, z] = matrix.rows.map(|row| row.x * row.x + row.y * row.y + row.z * row.z);
    (x + y + z).sqrt()
}
