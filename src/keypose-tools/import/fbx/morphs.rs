//! Blend shapes: a scalar for each channel of each node with a mesh, and the differences of its last shape.

use std::collections::{BTreeMap, HashMap};

use glam::Vec3;
use ufbx::{BakedElement, BlendChannel, BlendShape, Node};

use crate::anim::morph::MorphTarget;
use crate::anim::scalar::{MAX_SCALARS, Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::BoneIndex;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::names::Names;
use crate::import::fbx::convert;
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
    of_channel: HashMap<u32, Vec<ScalarIndex>>,
    names: BTreeMap<BoneIndex, Names>,
}

/// A weight of a node, and the shape that it blends to.
pub type Weighted<'a> = (ScalarIndex, &'a BlendShape);

impl Shapes {
    /// Adds the channels of a node's mesh.
    pub fn add<'a>(&mut self, node: &'a Node, bone: BoneIndex, findings: &mut Findings<'_>) -> Vec<Weighted<'a>> {
        let deformers = node.mesh.iter().flat_map(|mesh| mesh.blend_deformers.iter());
        let mut weighted = Vec::new();
        for channel in deformers.flat_map(|deformer| deformer.channels.iter()) {
            if channel.keyframes.count > 1 {
                findings.add("shapes between others of a blend shape; only the last is used");
            }
            let shape = channel.target_shape.as_ref();
            let shape = shape.or_else(|| channel.keyframes.iter().last().map(|keyframe| &keyframe.shape));
            let Some(shape) = shape else { continue };
            if self.scalars.len() >= MAX_SCALARS {
                findings
                    .add(format_args!("more blend shapes than the maximum of {MAX_SCALARS}; the others are ignored"));
                break;
            }
            weighted.extend(self.scalar(channel, bone).map(|scalar| (scalar, &**shape)));
        }
        weighted
    }

    fn scalar(&mut self, channel: &BlendChannel, bone: BoneIndex) -> Option<ScalarIndex> {
        let index = ScalarIndex::try_from(self.scalars.len()).ok()?;
        let names = self.names.entry(bone).or_insert_with(|| Names::of("blend shape"));
        let own = channel.element.name.trim();
        let name = names.take_quietly(if own.is_empty() { "shape" } else { own });
        let default = finite(channel.weight);
        self.scalars.push(Scalar { name, bone, kind: ScalarKind::Weight, default });
        self.of_channel.entry(channel.element.element_id).or_default().push(index);
        Some(index)
    }

    /// The scalars whose keys an element of an animation has, and these keys in order: seconds and values.
    pub fn keys<'b>(&self, element: &'b BakedElement) -> (Vec<ScalarIndex>, Vec<(&'b ufbx::BakedVec3, f32)>) {
        let scalars = self.of_channel.get(&element.element_id).cloned().unwrap_or_default();
        let percent = element.props.iter().find(|prop| &*prop.name == "DeformPercent");
        let keys = percent.into_iter().flat_map(|prop| {
            let count = if prop.constant_value { 1 } else { prop.keys.count };
            prop.keys.iter().take(count)
        });
        (scalars, keys.map(|key| (key, finite(key.value.x / PERCENT))).collect())
    }
}

/// A weight as ours; 0 if it is not finite.
#[allow(clippy::cast_possible_truncation)] // Weights are small; a large one becomes infinite.
fn finite(weight: f64) -> f32 {
    let weight = weight as f32;
    if weight.is_finite() { weight } else { 0.0 }
}

/// The targets of a part whose vertices come from these control points. `None` if they ask for far more memory than the file holds.
pub fn targets(points: &[u32], weighted: &[Weighted<'_>], budget: &mut Budget) -> Option<Vec<MorphTarget>> {
    let mut targets = Vec::with_capacity(weighted.len());
    for &(scalar, shape) in weighted {
        if !budget.take(points.len().saturating_add(shape.num_offsets).saturating_mul(BYTES_PER_VERTEX)) {
            return None;
        }
        let places: HashMap<u32, usize> = shape.offset_vertices.iter().copied().zip(0..).collect();
        let of = |offsets: &[ufbx::Vec3], point: &u32| {
            let offset = places.get(point).and_then(|at| offsets.get(*at)).map(|offset| convert::vec3(*offset));
            offset.filter(|offset| offset.is_finite()).unwrap_or(Vec3::ZERO)
        };
        let positions: Vec<Vec3> = points.iter().map(|point| of(&shape.position_offsets, point)).collect();
        let has_normals = shape.normal_offsets.count > 0;
        let normals = points.iter().filter(|_| has_normals).map(|point| of(&shape.normal_offsets, point));
        targets.push(MorphTarget::of(scalar, &positions, &normals.collect::<Vec<Vec3>>()));
    }
    Some(targets)
}
