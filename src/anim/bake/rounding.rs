//! Rounds columns to the numbers of a smaller form, for [`crate::anim::bake::fewest`] and [`crate::anim::bake::short`].
//!
//! Rounding is led down the hierarchy: a bone is rounded to where it belongs as seen from its parent *as rounded*, so that
//! errors do not add up along a chain. Where that can't be (a parent that is flat, or very different scales) every number is
//! rounded by itself.

use glam::{Mat3, Vec3};

use crate::anim::bake::columns::{Columns, parts_of};
use crate::anim::bake::measure::Reach;
use crate::anim::pose::{Lanes, LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// How each number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// With what its parents were rounded by.
    Led,
    /// By itself.
    Alone,
}

/// The values that a component of eight bones can be rounded to: `low + step · n`, where n is a whole number up to `most`. A step
/// of 0 lets only `low`.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub low: Lanes,
    pub step: Lanes,
    pub most: u16,
}

/// What is rounded, and the measure of it.
pub struct Rounder<'c> {
    pub columns: &'c Columns,
    pub skeleton: &'c Skeleton,
    pub reach: &'c Reach,
    /// Of each component that moves: of which group it is, and which of the ten.
    pub places: Vec<(usize, usize)>,
    /// Where the components of each group start in `places`.
    pub starts: Vec<usize>,
}

impl<'c> Rounder<'c> {
    pub fn new(columns: &'c Columns, skeleton: &'c Skeleton, reach: &'c Reach) -> Rounder<'c> {
        let (mut places, mut starts) = (Vec::new(), Vec::new());
        for (group, &moving) in columns.moving.iter().enumerate() {
            starts.push(places.len());
            places.extend(parts_of(moving).map(|part| (group, part)));
        }
        Rounder { columns, skeleton, reach, places, starts }
    }

    /// The numbers of all columns, one after the other: of each component that moves, on its grid. And the largest distance of
    /// a column from itself as rounded.
    pub fn rounded(&self, grids: &[Grid], rounding: Rounding) -> (Vec<Vec<[u16; 8]>>, f32) {
        let (mut work, mut worst) = (Work::default(), 0.0);
        let columns = 0..self.columns.timeline.times.len();
        let round = |column| {
            let numbers = self.round(column, grids, rounding, &mut work);
            worst = worse(worst, self.reach.distance(&work.rounded_model, &work.exact_model));
            numbers
        };
        let all = columns.map(round).collect();
        (all, worst)
    }

    /// The numbers of one column.
    fn round(&self, column: usize, grids: &[Grid], rounding: Rounding, work: &mut Work) -> Vec<[u16; 8]> {
        let mut numbers = vec![[0; 8]; self.places.len()];
        self.columns.column(column, &mut work.exact);
        work.exact_model.compute_portable(self.skeleton, &work.exact);
        work.rounded.copy_from(&work.exact);
        work.rounded_model.bones.clear();
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
                let (grid, part) = (&grids[component], self.places[component].1);
                let (low, step, most) = (grid.low.0[lane], grid.step.0[lane], f32::from(grid.most));
                let number = if step > 0.0 { ((target[part] - low) / step).clamp(0.0, most) + 0.5 } else { 0.0 };
                let number = f32::from(number as u16);
                numbers[component][lane] = number as u16;
                put_value(&mut work.rounded, group, lane, part, low + step * number);
            }
            make_unit(&mut work.rounded, group, lane);
            let local = work.rounded.get(bone).to_mat34();
            let rounded = rotation(&values(&work.rounded, group, lane));
            let (model, turn) = match parent {
                Some(parent) => (work.rounded_model.bones[parent] * local, turned(work.turns[parent].1, rounded)),
                None => (local, rounded),
            };
            work.rounded_model.bones.push(model);
            work.turns.push((exact_turn, turn));
        }
        numbers
    }

    /// The largest distance of a form of them from the columns that was found between them; `sample` gives its poses.
    pub fn distance(&self, sample: impl Fn(Time, &mut LocalPose)) -> f32 {
        let (mut rounded, mut whole) = (LocalPose::default(), LocalPose::default());
        let (mut a, mut b) = (ModelPose::default(), ModelPose::default());
        let times = &self.columns.timeline.times;
        let inner = times.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 3);
        let mut worst = 0.0_f32;
        for time in inner {
            sample(time, &mut rounded);
            self.columns.sample_portable(time, &mut whole);
            a.compute_portable(self.skeleton, &rounded);
            b.compute_portable(self.skeleton, &whole);
            worst = worse(worst, self.reach.distance(&a, &b));
        }
        worst
    }
}

/// The larger distance; one that is not a number is the largest.
fn worse(worst: f32, distance: f32) -> f32 {
    if distance.is_nan() { f32::INFINITY } else { worst.max(distance) }
}

/// What rounding a column needs, kept from one to the next.
#[derive(Default)]
struct Work {
    exact: LocalPose,
    exact_model: ModelPose,
    rounded: LocalPose,
    rounded_model: ModelPose,
    /// The rotations chained down to each bone, as they are and as rounded.
    turns: Vec<([f32; 4], [f32; 4])>,
}

/// Lets a bone's translation and rotation make up for what its parent was rounded by.
fn lead(target: &mut [f32; 10], work: &Work, parent: usize, turn: [f32; 4], origin: Vec3) {
    let above = &work.rounded_model.bones[parent];
    let rows = above.rows.map(|row| row.truncate());
    let axes = Mat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let local = axes.inverse() * (origin - above.translation());
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

/// The least and the greatest value of each bone's component over all columns.
pub fn bounds(columns: &Columns, component: usize) -> (Lanes, Lanes) {
    let (mut low, mut high) = (Lanes([f32::INFINITY; 8]), Lanes([f32::NEG_INFINITY; 8]));
    for lanes in columns.lanes.iter().skip(component).step_by(columns.stride.max(1)) {
        for lane in 0..8 {
            low.0[lane] = low.0[lane].min(lanes.0[lane]);
            high.0[lane] = high.0[lane].max(lanes.0[lane]);
        }
    }
    (low, high)
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
