//! Finds the fewest bits in which columns keep a bound, for [`crate::anim::bake::compact`].
//!
//! Every number gets a step that moves what hangs on its bone by about the same distance; that distance is tried from large
//! to small. Rounding is led down the hierarchy: a bone is rounded to where it belongs as seen from its parent *as rounded*,
//! so that errors do not add up along a chain. Where that can't be (a parent that is flat, or very different scales)
//! every number is rounded by itself.

use crate::anim::bake::columns::{Columns, parts_of};
use crate::anim::bake::compact::{Compact, MOST_BITS, Range, TOP, lanes_of, put, widths};
use crate::anim::bake::measure::Reach;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{Lanes, LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use glam::{Mat3, Vec3};

/// How many distances may be tried: the bound times 2, and on in steps of ⁴√½.
const TRIES: usize = 44;
/// See [`TRIES`].
const FINER: f32 = 0.840_896_4;
/// By how many steps a number may leave the range that it has in the columns, to make up for its parent.
const MARGIN: f32 = 4.0;

/// How large what hangs on bones without children is taken to be at least, as a share of the model's size: no other slack is
/// left to what the skeleton does not tell.
const FAR_END: f32 = 0.2;

/// How each number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    /// With what its parents were rounded by.
    Led,
    /// By itself.
    Alone,
}

/// What is rounded, and the measure of it.
struct Rounder<'c> {
    columns: &'c Columns,
    skeleton: &'c Skeleton,
    reach: &'c Reach,
    /// Of each component that moves: which of the ten it is, and of which group.
    places: Vec<(usize, usize)>,
    /// Where the components of each group start in `places`.
    starts: Vec<usize>,
    /// The least and the greatest value of each component and bone.
    bounds: Vec<(Lanes, Lanes)>,
    /// The model units that one unit of each component and bone moves what hangs on it.
    weights: Vec<Lanes>,
}

/// The columns in as few bits as keep their distance from themselves under `bound` (model units), and that distance;
/// `None` where not even [`MOST_BITS`] do.
pub fn fewest(columns: &Columns, bound: f32, skeleton: &Skeleton, reach: &Reach) -> Option<(Compact, f32)> {
    let reach = reach.clone().with_far_ends(skeleton, FAR_END);
    let rounder = Rounder::new(columns, skeleton, &reach);
    let mut best: Option<(Compact, f32)> = None;
    for rounding in [Rounding::Led, Rounding::Alone] {
        let tried = |at: usize| {
            let distance = (0..at).fold(bound * 2.0, |distance, _| distance * FINER);
            rounder.rounded(distance, rounding).map(|compact| (rounder.distance(&compact), compact))
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

impl<'c> Rounder<'c> {
    fn new(columns: &'c Columns, skeleton: &'c Skeleton, reach: &'c Reach) -> Rounder<'c> {
        let (mut places, mut starts) = (Vec::new(), Vec::new());
        for (group, &moving) in columns.moving.iter().enumerate() {
            starts.push(places.len());
            places.extend(parts_of(moving).map(|part| (group, part)));
        }
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
        Rounder { columns, skeleton, reach, places, starts, bounds, weights }
    }

    /// Rounded so that a step moves things by at most `distance`; `None` where that takes too many bits.
    fn rounded(&self, distance: f32, rounding: Rounding) -> Option<Compact> {
        let spans: Vec<(Spans, u8)> =
            (0..self.places.len()).map(|component| self.spans(component, distance, rounding)).collect::<Option<_>>()?;
        let widths: Vec<usize> = self.columns.moving.iter().flat_map(|&moving| widths(moving)).collect();
        let (mut bits, mut ranges, mut rest) = (Vec::new(), Vec::new(), &spans[..]);
        for &width in &widths {
            let (own, others) = rest.split_at(width);
            let most = own.iter().map(|(_, bits)| *bits).max().unwrap_or(0);
            ranges.extend(own.iter().map(|(spans, _)| range(spans, most)));
            bits.push(most);
            rest = others;
        }
        let mut numbers = vec![[0_u16; 8]; self.places.len()];
        let mut bytes = Vec::new();
        let mut work = Work::default();
        for column in 0..self.columns.timeline.times.len() {
            self.round(column, &ranges, &spread(&bits, &widths), rounding, &mut work, &mut numbers);
            let mut at = 0;
            for (&bits, &width) in bits.iter().zip(&widths) {
                let lanes = lanes_of(&ranges[at..at + width]);
                numbers[at..at + width].iter().for_each(|numbers| put(numbers, lanes, bits, &mut bytes));
                at += width;
            }
        }
        let Columns { timeline, moving, still, .. } = self.columns;
        Compact::new(timeline.clone(), moving.clone(), still.clone(), &bits, ranges, bytes).ok()
    }

    /// What a component's numbers must cover, and the bits that this takes.
    fn spans(&self, component: usize, distance: f32, rounding: Rounding) -> Option<(Spans, u8)> {
        let ((low, high), weights) = (&self.bounds[component], &self.weights[component]);
        let (group, part) = self.places[component];
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
        let parent = usize::from(self.skeleton.parent(bone as u16)?);
        let of_group = self.starts[parent / 8]..self.starts.get(parent / 8 + 1).copied().unwrap_or(self.places.len());
        let component =
            of_group.into_iter().find(|&at| self.places[at].1 == part).filter(|_| (3..7).contains(&part))?;
        Some(self.weights[component].0[parent % 8])
    }

    /// The numbers of one column.
    fn round(
        &self,
        column: usize,
        ranges: &[Range],
        bits: &[u8],
        rounding: Rounding,
        work: &mut Work,
        numbers: &mut [[u16; 8]],
    ) {
        self.columns.column(column, &mut work.exact);
        work.exact_model.compute_portable(self.skeleton, &work.exact);
        work.rounded.copy_from(&work.exact);
        work.bones.clear();
        work.turns.clear();
        for bone in 0..self.skeleton.len() {
            let (group, lane) = (bone / 8, bone % 8);
            let mut target = values(&work.exact, group, lane);
            let parent = self.skeleton.parent(bone as u16).map(usize::from);
            let exact_turn = match parent {
                Some(parent) => turned(work.turns[parent].0, rotation(&target)),
                None => rotation(&target),
            };
            if let Some(parent) = parent.filter(|_| rounding == Rounding::Led) {
                lead(&mut target, work, parent, exact_turn, work.exact_model.bones[bone].translation());
            }
            let components = self.starts[group]..self.starts[group] + parts_of(self.columns.moving[group]).count();
            for component in components {
                let (range, part) = (&ranges[component], self.places[component].1);
                let unit = (1_u32 << (TOP - bits[component])) as f32;
                let (low, step) = (range.low.0[lane], range.step.0[lane] * unit);
                let most = ((1_u32 << bits[component]) - 1) as f32;
                let number = if step > 0.0 { ((target[part] - low) / step).round().clamp(0.0, most) } else { 0.0 };
                numbers[component][lane] = number as u16;
                put_value(&mut work.rounded, group, lane, part, low + step * number);
            }
            make_unit(&mut work.rounded, group, lane);
            let local = work.rounded.get(bone).to_mat34();
            let rounded = rotation(&values(&work.rounded, group, lane));
            let (model, turn) = match parent {
                Some(parent) => (work.bones[parent] * local, turned(work.turns[parent].1, rounded)),
                None => (local, rounded),
            };
            work.bones.push(model);
            work.turns.push((exact_turn, turn));
        }
    }

    /// The largest distance from the columns that was found, at them and between.
    fn distance(&self, compact: &Compact) -> f32 {
        let (mut rounded, mut whole) = (LocalPose::default(), LocalPose::default());
        let (mut a, mut b) = (ModelPose::default(), ModelPose::default());
        let times = &self.columns.timeline.times;
        let inner = times.windows(2).flat_map(|pair| [pair[0], pair[0] + (pair[1] - pair[0]) / 3]);
        let mut worst = 0.0_f32;
        for time in inner.chain(times.last().copied()) {
            compact.sample_portable(time, &mut rounded);
            self.columns.sample_portable(time, &mut whole);
            a.compute_portable(self.skeleton, &rounded);
            b.compute_portable(self.skeleton, &whole);
            let distance = self.reach.distance(&a, &b);
            worst = if distance.is_nan() { f32::INFINITY } else { worst.max(distance) };
        }
        worst
    }
}

/// The least value of each bone, and how far from it the greatest is.
type Spans = [(f32, f32); 8];

fn range(spans: &Spans, bits: u8) -> Range {
    let most = (((1_u32 << bits) - 1).max(1) << (TOP - bits)) as f32;
    Range { low: Lanes(spans.map(|(low, _)| low)), step: Lanes(spans.map(|(_, span)| span / most)) }
}

/// The bits of each part for each of its components.
fn spread(bits: &[u8], widths: &[usize]) -> Vec<u8> {
    bits.iter().zip(widths).flat_map(|(&bits, &width)| std::iter::repeat_n(bits, width)).collect()
}

/// What rounding a column needs, kept from one to the next.
#[derive(Default)]
struct Work {
    exact: LocalPose,
    exact_model: ModelPose,
    rounded: LocalPose,
    /// Model from bone as rounded.
    bones: Vec<Mat3x4>,
    /// The rotations chained down to each bone, as they are and as rounded.
    turns: Vec<([f32; 4], [f32; 4])>,
}

/// Lets a bone's translation and rotation make up for what its parent was rounded by.
fn lead(target: &mut [f32; 10], work: &Work, parent: usize, turn: [f32; 4], origin: Vec3) {
    let rows = work.bones[parent].rows.map(|row| row.truncate());
    let axes = Mat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let local = axes.inverse() * (origin - work.bones[parent].translation());
    if local.is_finite() {
        target[..3].copy_from_slice(&local.to_array());
    }
    let [x, y, z, w] = work.turns[parent].1;
    let led = turned([-x, -y, -z, w], turn);
    let own = rotation(target);
    let dot = (led[0] * own[0] + led[1] * own[1]) + (led[2] * own[2] + led[3] * own[3]);
    let side = if dot < 0.0 { -1.0 } else { 1.0 };
    target[3..7].copy_from_slice(&led.map(|part| part * side));
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

/// The least and the greatest value of each bone's component over all columns.
fn bounds(columns: &Columns, component: usize) -> (Lanes, Lanes) {
    let (mut low, mut high) = (Lanes([f32::INFINITY; 8]), Lanes([f32::NEG_INFINITY; 8]));
    for lanes in columns.lanes.iter().skip(component).step_by(columns.stride.max(1)) {
        for lane in 0..8 {
            low.0[lane] = low.0[lane].min(lanes.0[lane]);
            high.0[lane] = high.0[lane].max(lanes.0[lane]);
        }
    }
    (low, high)
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

fn rotation(values: &[f32; 10]) -> [f32; 4] {
    [values[3], values[4], values[5], values[6]]
}

/// The product of two quaternions, in one order of operations everywhere.
fn turned([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> [f32; 4] {
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by - ax * bz) + (ay * bw + az * bx),
        (aw * bz + ax * by) + (az * bw - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

/// The ten components of a bone.
fn values(pose: &LocalPose, group: usize, lane: usize) -> [f32; 10] {
    let lanes = &pose.lanes()[group];
    let ([tx, ty, tz], [rx, ry, rz, rw], [sx, sy, sz]) = (&lanes.translation, &lanes.rotation, &lanes.scale);
    [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz].map(|part| part.0[lane])
}

fn put_value(pose: &mut LocalPose, group: usize, lane: usize, part: usize, value: f32) {
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
