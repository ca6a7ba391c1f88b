//! Blend shapes: a scalar for each shape of each channel of each node with a mesh, and the differences of the shape. A channel with
//! shapes in between moves from one to the next, so their weights follow from its own.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use glam::Vec3;
use ufbx::{BakedElement, BlendChannel, BlendShape, Node};

use crate::anim::morph::MorphTarget;
use crate::anim::scalar::{MAX_SCALARS, Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::BoneIndex;
use crate::import::assembly::budget::{BYTES_PER_KEY, Budget};
use crate::import::assembly::names::Names;
use crate::import::assembly::weights::finite;
use crate::import::fbx::vertices::Geometry;
use crate::import::report::Findings;

/// Weights are percentages in files.
const PERCENT: f64 = 100.0;
/// About what a vertex of a target costs.
const BYTES_PER_VERTEX: usize = 32;

/// The weights of all nodes with blend shapes.
#[derive(Default)]
pub struct Shapes {
    pub scalars: Vec<Scalar>,
    /// The scalars of each channel, by its element: nodes can share a mesh.
    of_channel: HashMap<u32, Vec<(ScalarIndex, Stage)>>,
    names: BTreeMap<BoneIndex, Names>,
}

/// A shape of a channel: all weights of the channel at which one of its shapes has its full weight, and 0, ascending, and which of them
/// this is.
#[derive(Clone, Debug)]
struct Stage {
    all: Rc<[f64]>,
    own: usize,
}

/// A moment of a channel, as the weight of one shape.
pub struct WeightKey {
    /// Seconds.
    pub secs: f64,
    /// The weight.
    pub value: f32,
}

/// A weight of a node, and the shape that it blends to.
pub type Weighted<'a> = (ScalarIndex, &'a BlendShape);

impl Shapes {
    /// Adds the channels of a node's mesh.
    pub fn add<'a>(&mut self, node: &'a Node, bone: BoneIndex, findings: &mut Findings<'_>) -> Vec<Weighted<'a>> {
        let deformers = node.mesh.iter().flat_map(|mesh| mesh.blend_deformers.iter());
        let mut weighted = Vec::new();
        for channel in deformers.flat_map(|deformer| deformer.channels.iter()) {
            let shapes: Vec<(f64, &BlendShape)> =
                channel.keyframes.iter().map(|keyframe| (keyframe.target_weight, &*keyframe.shape)).collect();
            let is_ascending = shapes.windows(2).all(|pair| matches!(pair, [(a, _), (b, _)] if a < b));
            let shapes = if is_ascending && !shapes.is_empty() && shapes.iter().all(|(weight, _)| *weight != 0.0) {
                shapes
            } else {
                let last = channel.target_shape.as_deref().or(shapes.last().map(|(_, shape)| *shape));
                last.map(|shape| (1.0, shape)).into_iter().collect()
            };
            if self.scalars.len().saturating_add(shapes.len()) > MAX_SCALARS {
                findings
                    .add(format_args!("more blend shapes than the maximum of {MAX_SCALARS}; the others are ignored"));
                break;
            }
            let mut all: Vec<f64> = shapes.iter().map(|(weight, _)| *weight).chain([0.0]).collect();
            all.sort_by(f64::total_cmp);
            let all: Rc<[f64]> = all.into();
            let main = if all.last() > Some(&0.0) { all.last() } else { all.first() };
            for (weight, shape) in &shapes {
                let in_between = Some(weight) != main;
                let stage = Stage { all: all.clone(), own: all.partition_point(|full| full < weight) };
                let scalar = self.scalar(channel, bone, (in_between.then_some(*weight), stage));
                weighted.extend(scalar.map(|scalar| (scalar, *shape)));
            }
        }
        weighted
    }

    fn scalar(
        &mut self,
        channel: &BlendChannel,
        bone: BoneIndex,
        (in_between, stage): (Option<f64>, Stage),
    ) -> Option<ScalarIndex> {
        let index = ScalarIndex::try_from(self.scalars.len()).ok()?;
        let names = self.names.entry(bone).or_insert_with(|| Names::of("blend shape"));
        let own = channel.element.name.trim();
        let own = if own.is_empty() { "shape" } else { own };
        let name = match in_between {
            Some(weight) => names.take_quietly(&format!("{own} at {:.0} %", percent(weight))),
            None => names.take_quietly(own),
        };
        let default = finite(stage.weight(channel.weight));
        self.scalars.push(Scalar { name, bone, kind: ScalarKind::Weight, default });
        self.of_channel.entry(channel.element.element_id).or_default().push((index, stage));
        Some(index)
    }

    /// The times of the first and last keys of an element of an animation, if it moves a weight.
    pub fn ends(&self, element: &BakedElement) -> Option<[f64; 2]> {
        self.of_channel.get(&element.element_id)?;
        let keys = keys_of(element);
        Some([keys.first()?.0, keys.last()?.0])
    }

    /// The scalars that an element of an animation moves with these keys, each with its own in order. An error if they ask for far
    /// more memory than the file holds.
    pub fn keys(
        &self,
        element: &BakedElement,
        keys: &[ChannelKey],
        budget: &mut Budget,
    ) -> Result<Vec<(ScalarIndex, Vec<WeightKey>)>, &'static str> {
        let Some(stages) = self.of_channel.get(&element.element_id) else { return Ok(Vec::new()) };
        let mut of = |(scalar, stage): &(ScalarIndex, Stage)| {
            budget.take_keys(stage.count(keys), BYTES_PER_KEY).map(|()| (*scalar, stage.keys(keys)))
        };
        stages.iter().map(&mut of).collect()
    }
}

/// The keys of a channel's weight: seconds, weight.
pub type ChannelKey = (f64, f64);

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn keys_of(element: &BakedElement) -> Vec<ChannelKey> {
    let prop = element.props.iter().find(|prop| &*prop.name == "DeformPercent");
    let keys = prop.into_iter().flat_map(|prop| {
        let count = if prop.constant_value { 1 } else { prop.keys.count };
        prop.keys.iter().take(count)
    });
    keys.map(|key| (key.time, key.value.x / PERCENT)).collect()
}

impl Stage {
    /// The weight of the shape at a weight of the channel: it rises from the shape before to its own, and falls to the next. Beyond
    /// the first and the last the change continues.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn weight(&self, weight: f64) -> f64 {
        let pairs = self.all.windows(2).enumerate();
        let last = self.all.len().saturating_sub(2);
        for (at, pair) in pairs {
            if let &[from, to] = pair
                && (weight < to || at == last)
            {
                let part = (weight - from) / (to - from);
                return match self.own.checked_sub(at) {
                    Some(0) => 1.0 - part,
                    Some(1) => part,
                    _ => 0.0,
                };
            }
        }
        0.0
    }

    /// The full weights that lie between two weights of the channel, and where the change turns.
    fn passed(&self, from: f64, to: f64) -> &[f64] {
        let [_, turns @ .., _] = &*self.all else { return &[] };
        let start = turns.partition_point(|full| *full <= from.min(to));
        let end = turns.partition_point(|full| *full < from.max(to));
        turns.get(start..end).unwrap_or_default()
    }

    /// The number of keys of the shape.
    fn count(&self, keys: &[ChannelKey]) -> usize {
        let pairs = keys.iter().zip(keys.iter().skip(1));
        let passed = pairs.map(|((_, from), (_, to))| self.passed(*from, *to).len());
        passed.fold(keys.len(), usize::saturating_add)
    }

    /// The keys of the shape. Where the channel passes the full weight of a shape, a key is added.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn keys(&self, keys: &[ChannelKey]) -> Vec<WeightKey> {
        let mut all = Vec::with_capacity(keys.len());
        let mut add = |secs: f64, weight: f64| all.push(WeightKey { secs, value: finite(self.weight(weight)) });
        let mut before: Option<ChannelKey> = None;
        for &(secs, weight) in keys {
            if let Some((from_secs, from)) = before {
                let mut parts: Vec<f64> =
                    self.passed(from, weight).iter().map(|full| (full - from) / (weight - from)).collect();
                if weight < from {
                    parts.reverse();
                }
                for part in parts {
                    add(from_secs + (secs - from_secs) * part, from + (weight - from) * part);
                }
            }
            add(secs, weight);
            before = Some((secs, weight));
        }
        all
    }
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn percent(weight: f64) -> f64 {
    weight * PERCENT
}

/// The targets of a part whose vertices come from these control points. `None` if they ask for far more memory than the file holds.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn targets(
    points: &[u32],
    (weighted, geometry): (&[Weighted<'_>], &Geometry),
    budget: &mut Budget,
) -> Option<Vec<MorphTarget>> {
    let mut targets = Vec::with_capacity(weighted.len());
    for &(scalar, shape) in weighted {
        if !budget.take(points.len().saturating_add(shape.num_offsets).saturating_mul(BYTES_PER_VERTEX)) {
            return None;
        }
        let places: HashMap<u32, usize> = shape.offset_vertices.iter().copied().zip(0..).collect();
        let of = |offsets: &[ufbx::Vec3], place: &dyn Fn(ufbx::Vec3) -> Vec3, point: &u32| {
            let Some(at) = places.get(point) else { return Vec3::ZERO };
            let offset = offsets.get(*at).map_or(Vec3::ZERO, |offset| place(*offset));
            // The weights of a vertex group, if the shape has one.
            let offset = offset * shape.offset_weights.get(*at).map_or(1.0, |weight| finite(*weight));
            if offset.is_finite() { offset } else { Vec3::ZERO }
        };
        let positions: Vec<Vec3> =
            points.iter().map(|point| of(&shape.position_offsets, &|it| geometry.offset(it), point)).collect();
        let has_normals = shape.normal_offsets.count > 0;
        let normals = points
            .iter()
            .filter(|_| has_normals)
            .map(|point| of(&shape.normal_offsets, &|it| geometry.normal_offset(it), point));
        targets.push(MorphTarget::of(scalar, &positions, &normals.collect::<Vec<Vec3>>()));
    }
    Some(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_in_between_take_turns() {
        let all: Rc<[f64]> = [0.0, 0.25, 0.5, 1.0].into();
        let stages = [1, 2, 3].map(|own| Stage { all: all.clone(), own });
        let cases = [
            (0.0, [0.0, 0.0, 0.0]),
            (0.125, [0.5, 0.0, 0.0]),
            (0.25, [1.0, 0.0, 0.0]),
            (0.375, [0.5, 0.5, 0.0]),
            (0.75, [0.0, 0.5, 0.5]),
            (1.0, [0.0, 0.0, 1.0]),
            (1.5, [0.0, -1.0, 2.0]),
            (-0.25, [-1.0, 0.0, 0.0]),
        ];
        for (weight, expected) in cases {
            assert_eq!([0, 1, 2].map(|own: usize| stages[own].weight(weight)), expected, "{weight}");
        }
        // From 0 to 1 in a second: keys are added where a shape is full.
        let keys = stages[1].keys(&[(0.0, 0.0), (1.0, 1.0)]);
        let found: Vec<_> = keys.iter().map(|key| (key.secs, key.value)).collect();
        assert_eq!(found, [(0.0, 0.0), (0.25, 0.0), (0.5, 1.0), (1.0, 0.0)]);
        let alone = Stage { all: [0.0, 1.0].into(), own: 1 };
        let there_and_back = [(0.0, 0.0), (1.0, 0.75), (2.0, 0.0)];
        let secs: Vec<f64> = stages[1].keys(&there_and_back).iter().map(|key| (key.secs * 12.0).round()).collect();
        assert_eq!(secs, [0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0]);
        assert_eq!(stages[1].count(&there_and_back), secs.len());
        assert_eq!(alone.keys(&[(0.0, -0.5), (1.0, 2.0)]).len(), 2);
        assert_eq!(alone.weight(0.7), 0.7);
        let all: Rc<[f64]> = [-0.5, -0.25, 0.0, 1.0].into();
        let sides = [0, 1, 3].map(|own| Stage { all: all.clone(), own });
        for (weight, expected) in [(-0.5, [1.0, 0.0, 0.0]), (-0.125, [0.0, 0.5, 0.0]), (0.5, [0.0, 0.0, 0.5])] {
            assert_eq!([0, 1, 2].map(|own: usize| sides[own].weight(weight)), expected, "{weight}");
        }
        assert_eq!(sides[2].keys(&[(0.0, -0.25), (1.0, 0.25)]).len(), 3, "one at 0");
    }
}
