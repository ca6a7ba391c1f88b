//! Finds the fewest bits in which columns keep a bound, for [`crate::anim::bake::compact`].
//!
//! Every number gets a step that moves what hangs on its bone by about the same distance; that distance is tried from large
//! to small.

use crate::anim::bake::columns::Columns;
use crate::anim::bake::compact::{Compact, MOST_BITS, Range, TOP, lanes_of, put, widths};
use crate::anim::bake::measure::{FAR_END, Reach};
use crate::anim::bake::rounding::{Grid, Rounder, Rounding, bounds};
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::Lanes;
use crate::anim::skeleton::Skeleton;

/// How many distances may be tried: the bound times 2, and on in steps of ⁴√½.
const TRIES: usize = 44;
/// See [`TRIES`].
const FINER: f32 = 0.840_896_4;
/// By how many steps a number may leave the range that it has in the columns, to make up for its parent.
const MARGIN: f32 = 4.0;

/// The columns in as few bits as keep their distance from themselves under `bound` (model units), and that distance;
/// `None` where not even [`MOST_BITS`] do.
pub fn fewest(columns: &Columns, bound: f32, skeleton: &Skeleton, reach: &Reach) -> Option<(Compact, f32)> {
    let reach = reach.clone().with_far_ends(skeleton, FAR_END);
    let search = Search::new(columns, skeleton, &reach);
    let mut best: Option<(Compact, f32)> = None;
    for rounding in [Rounding::Led, Rounding::Alone] {
        let tried = |at: usize| {
            let distance = (0..at).fold(bound * 2.0, |distance, _| distance * FINER);
            search.rounded(distance, rounding).map(|(compact, error)| {
                let between = search.rounder.distance(|time, pose| compact.sample_portable(time, pose));
                (error.max(between), compact)
            })
        };
        let (mut low, mut high) = (0, TRIES);
        while low < high {
            let middle = (low + high) / 2;
            match tried(middle) {
                Some((error, compact)) if error <= bound => {
                    best = Some((compact, error));
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

/// What is stored in few bits, and what its numbers are worth.
struct Search<'c> {
    rounder: Rounder<'c>,
    /// The least and the greatest value of each component and bone.
    bounds: Vec<(Lanes, Lanes)>,
    /// The model units that one unit of each component and bone moves what hangs on it.
    weights: Vec<Lanes>,
}

impl<'c> Search<'c> {
    fn new(columns: &'c Columns, skeleton: &'c Skeleton, reach: &'c Reach) -> Search<'c> {
        let rounder = Rounder::new(columns, skeleton, reach);
        let places = &rounder.places;
        let bounds: Vec<_> = (0..places.len()).map(|component| bounds(columns, component)).collect();
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

    /// Rounded so that a step moves things by at most `distance`, and how far the columns went; `None` where that takes too many bits.
    fn rounded(&self, distance: f32, rounding: Rounding) -> Option<(Compact, f32)> {
        let spans: Vec<(Spans, u8)> = (0..self.rounder.places.len())
            .map(|component| self.spans(component, distance, rounding))
            .collect::<Option<_>>()?;
        let widths: Vec<usize> = self.rounder.columns.moving.iter().flat_map(|&moving| widths(moving)).collect();
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
        let (all, error) = self.rounder.rounded(&grids, rounding);
        for numbers in all {
            let mut at = 0;
            for (&bits, &width) in bits.iter().zip(&widths) {
                let lanes = lanes_of(&ranges[at..at + width]);
                numbers[at..at + width].iter().for_each(|numbers| put(numbers, lanes, bits, &mut bytes));
                at += width;
            }
        }
        let Columns { timeline, moving, still, .. } = self.rounder.columns;
        Compact::new(timeline.clone(), moving.clone(), still.clone(), &bits, ranges, bytes)
            .ok()
            .map(|compact| (compact, error))
    }

    /// What a component's numbers must cover, and the bits that this takes.
    fn spans(&self, component: usize, distance: f32, rounding: Rounding) -> Option<(Spans, u8)> {
        let ((low, high), weights) = (&self.bounds[component], &self.weights[component]);
        let (group, part) = self.rounder.places[component];
        let margin = if rounding == Rounding::Led { MARGIN } else { 0.0 };
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
                let needed = (1..=MOST_BITS).find(|&bits| ((1_u32 << bits) - 1) as f32 >= levels)?;
                *wide = (low - margin, span + margin * 2.0);
                bits = needed.max(bits);
            }
        }
        Some((wide, bits))
    }

    /// The weight of the same component of a rotation's parent, which the rotation makes up for.
    fn above(&self, bone: usize, part: usize) -> Option<f32> {
        let parent = usize::from(self.rounder.skeleton.parent(bone as u16)?);
        let of_group = self.rounder.starts[parent / 8]
            ..self.rounder.starts.get(parent / 8 + 1).copied().unwrap_or(self.rounder.places.len());
        let component =
            of_group.into_iter().find(|&at| self.rounder.places[at].1 == part).filter(|_| (3..7).contains(&part))?;
        Some(self.weights[component].0[parent % 8])
    }
}

/// The least value of each bone, and how far from it the greatest is.
type Spans = [(f32, f32); 8];

fn range(spans: &Spans, bits: u8) -> Range {
    let most = (((1_u32 << bits) - 1).max(1) << (TOP - bits)) as f32;
    Range { low: Lanes(spans.map(|(low, _)| low)), step: Lanes(spans.map(|(_, span)| span / most)) }
}

/// The values that a number of so many bits stands for.
fn grid(range: &Range, bits: u8) -> Grid {
    let unit = (1_u32 << (TOP - bits)) as f32;
    let most = ((1_u32 << bits) - 1) as u16;
    Grid { low: range.low, step: Lanes(range.step.0.map(|step| step * unit)), most }
}

/// The bits of each part for each of its components.
fn spread(bits: &[u8], widths: &[usize]) -> Vec<u8> {
    bits.iter().zip(widths).flat_map(|(&bits, &width)| std::iter::repeat_n(bits, width)).collect()
}

/// The most that a bone or any below it carries: what a scale stretches, which nothing below makes up for.
fn carried(skeleton: &Skeleton, reach: &Reach) -> Vec<f32> {
    let mut carried: Vec<f32> = (0..skeleton.len()).map(|bone| reach.own(bone)).collect();
    for bone in (0..skeleton.len()).rev() {
        if let Some(parent) = skeleton.parent(bone as u16) {
            carried[usize::from(parent)] = carried[usize::from(parent)].max(carried[bone]);
        }
    }
    carried
}

/// How much of a change of one component of a unit quaternion turns it: what lies across it where the component is least.
fn across(low: f32, high: f32) -> f32 {
    let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
    (1.0 - least * least).max(0.0025).sqrt()
}

/// How long a matrix makes the axes, in the measure of [`Reach::own`].
fn scale(matrix: Mat3x4) -> f32 {
    let [x, y, z] = matrix.rows.map(|row| row.x * row.x + row.y * row.y + row.z * row.z);
    (x + y + z).sqrt()
}
