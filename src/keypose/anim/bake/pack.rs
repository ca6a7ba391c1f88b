//! Finds the minimum bits in which samples keep an error bound, for [`crate::anim::bake::packed_samples`].
//!
//! The step of every number moves the vertices of its bone by about the same distance. A binary search finds the
//! largest distance that keeps the bound.

use std::ops::Range;

use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::BakedForm;
use crate::anim::bake::measure::{MIN_LEAF_REACH, Reach};
use crate::anim::bake::packed_samples::{Lows, MAX_BITS, PackedSamples, Part, widened, widths};
use crate::anim::bake::rounding::{Grid, Rounder, Rounding, bounds};
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::Lanes;
use crate::anim::skeleton::Skeleton;

/// The number of distances to choose from: twice the bound, divided by ⁸√2 each time.
const TRIES: usize = 88;
/// See [`TRIES`].
const FINER: f32 = 0.917_004_04;
/// How often saving bytes is tried, so that time grows with the length of a clip and its bones, not with their square.
const MAX_SAVINGS: usize = 32;
/// By how many steps a number may leave its range in the exact samples, to compensate for its parent.
const MARGIN: f32 = 4.0;
/// Rotations whose w is never below this have none stored. Errors of x, y and z grow by up to its inverse.
const MIN_DERIVED_W: f32 = 0.3;

/// Returns the samples in as few bits as keep their distance from the original within `bound` (model units), and that
/// distance. `None` if [`MAX_BITS`] are not enough.
pub fn pack(samples: &SampledPoses, bound: f32, skeleton: &Skeleton, reach: &Reach) -> Option<(PackedSamples, f32)> {
    let reach = reach.clone().with_min_leaf_reach(MIN_LEAF_REACH);
    let samples = with_positive_w(samples.clone());
    let search = Search::new(&samples, skeleton, &reach);
    Rounding::ALL.into_iter().find_map(|rounding| search.smallest(bound, rounding))
}

/// Negates the rotations of each bone whose first w is negative, which are the same rotations.
fn with_positive_w(mut samples: SampledPoses) -> SampledPoses {
    let mut start = 0;
    for animated in &samples.animated {
        let rotation = animated.components().position(|component| component == 3);
        if let Some(x) = rotation.map(|at| start + at) {
            let first = samples.lanes[x + 3];
            for pose in samples.lanes.chunks_exact_mut(samples.stride) {
                for part in &mut pose[x..x + 4] {
                    (0..8).filter(|&lane| first.0[lane] < 0.0).for_each(|lane| part.0[lane] = -part.0[lane]);
                }
            }
        }
        start += animated.components().count();
    }
    samples
}

/// The samples to pack, and how much their numbers matter.
struct Search<'c> {
    rounder: Rounder<'c>,
    /// The minimum and maximum value of each component and bone.
    bounds: Vec<(Lanes, Lanes)>,
    /// The components of each part.
    parts: Vec<Range<usize>>,
    /// The minimum w of the rotations of each group; 1 if they are not animated.
    lowest_w: Vec<Lanes>,
    /// How many model units one unit of each component and bone moves its vertices, at most. The same for all components of a
    /// part.
    weights: Vec<Lanes>,
}

impl<'c> Search<'c> {
    fn new(samples: &'c SampledPoses, skeleton: &'c Skeleton, reach: &'c Reach) -> Search<'c> {
        let (mut animated, mut all, mut lowest_w) = (samples.animated.clone(), Vec::new(), Vec::new());
        let mut bounds = bounds(samples).into_iter();
        for channels in &mut animated {
            let of_own: Vec<(usize, (Lanes, Lanes))> = channels.components().zip(&mut bounds).collect();
            let w = of_own.iter().find(|(component, _)| *component == 6);
            let lowest = w.map_or(Lanes([1.0; 8]), |(_, (low, _))| *low);
            if w.is_some() && lowest.0.iter().all(|&low| low >= MIN_DERIVED_W) {
                *channels = channels.with(Channels::DERIVED_W);
            }
            lowest_w.push(lowest);
            all.extend(of_own);
        }
        let (rounder, mut all) = (Rounder::new(samples, animated, skeleton, reach), all.into_iter());
        let place = |&(_, component): &(usize, usize)| {
            all.by_ref().find(|(stored, _)| *stored == component).map_or_else(Default::default, |(_, bounds)| bounds)
        };
        let bounds: Vec<(Lanes, Lanes)> = rounder.places.iter().map(place).collect();
        let mut start = 0;
        let part = |width| {
            start += width;
            start - width..start
        };
        let parts: Vec<Range<usize>> =
            rounder.animated.iter().flat_map(|&animated| widths(animated)).map(part).collect();
        let mut search = Search { rounder, bounds, parts, lowest_w, weights: Vec::new() };
        search.weights = search.weigh(&carried(skeleton, reach));
        search
    }

    /// See [`Search::weights`].
    fn weigh(&self, carried: &[f32]) -> Vec<Lanes> {
        let Rounder { skeleton, reach, places, animated, .. } = &self.rounder;
        let rest = skeleton.rest_model_pose();
        let weigh = |component: usize, bone: usize| {
            let (group, part) = places[component];
            let (low, high) = (self.bounds[component].0.0[bone % 8], self.bounds[component].1.0[bone % 8]);
            match part {
                0..3 => skeleton.parent(bone as u16).map_or(1.0, |parent| scale(rest.get(parent))),
                3..7 => {
                    let across = if animated[group].has(Channels::DERIVED_W) {
                        across_derived(low, high, self.lowest_w[group].0[bone % 8])
                    } else {
                        across(low, high)
                    };
                    2.0 * std::f32::consts::SQRT_2 * reach.own(bone) * across
                }
                _ => carried[bone],
            }
        };
        let of_part = |part: &Range<usize>| {
            let group = places[part.start].0;
            let most = |lane| {
                let bone = group * 8 + lane;
                let is_bone = bone < skeleton.len();
                part.clone().filter(|_| is_bone).map(|component| weigh(component, bone)).fold(0.0, f32::max)
            };
            std::iter::repeat_n(Lanes(std::array::from_fn(most)), part.len())
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// The smallest form that keeps the bound: the largest distance for all bones, then twice as much for as many bones of a
    /// part as save a byte, some parts after others.
    fn smallest(&self, bound: f32, rounding: Rounding) -> Option<(PackedSamples, f32)> {
        let (mut low, mut high, mut best) = (0, TRIES, None);
        let mut distances = Vec::new();
        while low < high {
            let middle = (low + high) / 2;
            let distance = (0..middle).fold(bound * 2.0, |distance, _| distance * FINER);
            let tried = vec![[distance; 8]; self.parts.len()];
            match self.pack(&tried, rounding, bound) {
                Tried::Inexact => low = middle + 1,
                Tried::TooManyBits => high = middle,
                Tried::Packed(packed, error) => {
                    (best, distances) = (Some((packed, error)), tried);
                    high = middle;
                }
            }
        }
        let at_once = self.parts.len().div_ceil(MAX_SAVINGS).max(1);
        for start in (0..distances.len()).step_by(at_once) {
            let mut tried = distances.clone();
            for part in start..tried.len().min(start + at_once) {
                self.finest(part, &distances[part], rounding).for_each(|lane| tried[part][lane] *= 2.0);
            }
            if let Tried::Packed(packed, error) = self.pack(&tried, rounding, bound) {
                (best, distances) = (Some((packed, error)), tried);
            }
        }
        best
    }

    /// The bones of a part that lose a bit to save a byte: as few as possible, with the finest steps.
    fn finest(&self, part: usize, distances: &[f32; 8], rounding: Rounding) -> impl Iterator<Item = usize> {
        let packed = self.part(part, distances, rounding).map(|(packed, _)| packed).unwrap_or_default();
        let weights = &self.weights[self.parts[part].start];
        let moved = |lane: &usize| widened(packed.steps[*lane]) * weights.0[*lane];
        let mut lanes: Vec<usize> = (0..8).filter(|&lane| packed.bits[lane] > 1).collect();
        lanes.sort_by(|a, b| moved(a).total_cmp(&moved(b)));
        let bits = usize::from(packed.bits.iter().sum::<u8>());
        lanes.into_iter().take((bits + 7) % 8 + 1)
    }

    /// Packs with steps that move vertices by at most the distance of their part and bone.
    fn pack(&self, distances: &[[f32; 8]], rounding: Rounding, bound: f32) -> Tried {
        let (mut parts, mut lows, mut grids) = (Vec::new(), Vec::new(), Vec::new());
        for (at, distances) in distances.iter().enumerate() {
            let Some((part, own)) = self.part(at, distances, rounding) else { return Tried::TooManyBits };
            grids.extend(own.iter().map(|lows| grid(&part, lows)));
            parts.push(part);
            lows.extend(own);
        }
        let Some((all, error)) = self.rounder.round(&grids, rounding, bound) else { return Tried::Inexact };
        let mut bytes = Vec::new();
        for numbers in all {
            for (part, components) in parts.iter().zip(&self.parts) {
                numbers[components.clone()].iter().for_each(|numbers| part.append(numbers, &mut bytes));
            }
        }
        let SampledPoses { timeline, constant, .. } = self.rounder.samples;
        let animated = self.rounder.animated.clone();
        let packed = PackedSamples::new(timeline.clone(), animated, constant, parts, lows, bytes);
        let Ok(packed) = packed else { return Tried::TooManyBits };
        let between = self.rounder.distance(|time, pose| packed.sample::<true>(time, pose));
        if between <= bound { Tried::Packed(packed, error.max(between)) } else { Tried::Inexact }
    }

    /// The steps and bits of a part, and where the ranges of its components start. `None` if that takes too many bits.
    fn part(&self, at: usize, distances: &[f32; 8], rounding: Rounding) -> Option<(Part, Vec<Lows>)> {
        let components = self.parts[at].clone();
        let (bounds, weights) = (&self.bounds[components.clone()], &self.weights[components.start]);
        let step = |lane: usize| distances[lane] / weights.0[lane].max(f32::MIN_POSITIVE);
        let margin = |lane: usize| {
            let span = bounds.iter().map(|(low, high)| high.0[lane] - low.0[lane]).fold(0.0, f32::max);
            let above = self.above(components.start, lane).map_or(0.0, |weight| distances[lane] / weight);
            if rounding == Rounding::Compensated { (MARGIN * above.max(step(lane))).min(span) } else { 0.0 }
        };
        let margins: [f32; 8] = std::array::from_fn(margin);
        let lowest = |(low, _): &(Lanes, Lanes), lane: usize| low.0[lane] - margins[lane];
        let starts = bounds.iter().flat_map(|bounds| (0..8).map(move |lane| lowest(bounds, lane).abs()));
        let unit = unit_of(starts.fold(0.0, f32::max));
        let mut part = Part { steps: [0; 8], bits: [0; 8], unit: (unit.to_bits() >> 16) as u16 };
        let mut lows = vec![[0; 8]; bounds.len()];
        // A constant number that is a multiple of the unit, or near one, needs no bits.
        let is_exact = |(low, high): &(Lanes, Lanes), lane: usize| {
            let units = low.0[lane] / unit;
            low.0[lane] == high.0[lane] && (units - units.round()).abs() * unit <= step(lane) * 0.5
        };
        for lane in 0..8 {
            let is_constant = bounds.iter().all(|bounds| is_exact(bounds, lane));
            let mut span = 0.0_f32;
            for (lows, bounds) in lows.iter_mut().zip(bounds) {
                let low = lowest(bounds, lane) / unit;
                lows[lane] = if is_constant { low.round() } else { low.floor() } as i16;
                span = span.max(bounds.1.0[lane] + margins[lane] - f32::from(lows[lane]) * unit);
            }
            if !is_constant {
                let levels = span / step(lane);
                part.bits[lane] = (1..=MAX_BITS).find(|&bits| f32::from(largest(bits)) >= levels)?;
                part.steps[lane] = half_above(span / f32::from(largest(part.bits[lane])));
            }
        }
        Some((part, lows))
    }

    /// The weight of the same component of the parent's rotation, for which a rotation compensates.
    fn above(&self, component: usize, lane: usize) -> Option<f32> {
        let (group, part) = self.rounder.places[component];
        let bone = group * 8 + lane;
        if bone >= self.rounder.skeleton.len() {
            return None;
        }
        let parent = usize::from(self.rounder.skeleton.parent(bone as u16)?);
        let component = self.rounder.component(parent / 8, part).filter(|_| (3..7).contains(&part))?;
        Some(self.weights[component].0[parent % 8].max(f32::MIN_POSITIVE))
    }
}

/// The result of packing with some steps.
enum Tried {
    /// Within the bound, and the distance from the original.
    Packed(PackedSamples, f32),
    /// The steps are too large for the bound.
    Inexact,
    /// The steps are too small for [`MAX_BITS`].
    TooManyBits,
}

/// A power of two of which no more than 15 bits make any number up to `largest`.
fn unit_of(largest: f32) -> f32 {
    const EXPONENT: u32 = 0xff << 23;
    let power = f32::from_bits(largest.to_bits() & EXPONENT);
    if power > f32::MIN_POSITIVE * 32_768.0 { power / 16_384.0 } else { f32::MIN_POSITIVE }
}

/// The upper half of the next number at or above that has no lower one.
fn half_above(value: f32) -> u16 {
    (value.to_bits().saturating_add(0xffff) >> 16) as u16
}

/// The values of a component's numbers.
fn grid(part: &Part, lows: &Lows) -> Grid {
    Grid {
        low: Lanes(lows.map(|low| f32::from(low) * widened(part.unit))),
        step: Lanes(part.steps.map(widened)),
        max: part.bits.map(largest),
    }
}

/// The largest number of this many bits.
fn largest(bits: u8) -> u16 {
    ((1_u32 << bits) - 1) as u16
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

/// As [`across`], if w follows from the other components.
fn across_derived(low: f32, high: f32, lowest_w: f32) -> f32 {
    let most = low.abs().max(high.abs()) / lowest_w;
    (1.0 + most * most).sqrt()
}

/// The length that a matrix gives to the axes, as [`Reach::own`] measures it.
fn scale(matrix: Mat3x4) -> f32 {
    let [x, y, z] = matrix.rows.map(|row| row.x * row.x + row.y * row.y + row.z * row.z);
    (x + y + z).sqrt()
}
