//! Skins: one for each deformer. Vertices without influences stay with the node of their mesh, which is a joint for them.

use std::collections::HashMap;

use glam::Mat4;
use ufbx::{Node, SkinDeformer, SkinningMethod};

use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::Skin;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::shortened;
use crate::import::error::Fault;
use crate::import::fbx::convert;
use crate::import::report::Findings;

/// The skins of a file.
#[derive(Default)]
pub struct Skins {
    pub all: Vec<Skin>,
    /// Whether a deformer blends dual quaternions.
    pub has_dual_quaternions: bool,
    /// Whether the vertices of such a deformer blend between dual quaternions and linear skinning.
    pub has_blend_weights: bool,
    /// How joints were moved ([`super::scene::moved_joints`]).
    moved: HashMap<u32, Mat4>,
    /// Index of the skin of each deformer and, if it has a joint for vertices without influences, node.
    known: HashMap<(u32, Option<u32>), usize>,
}

/// About what a joint costs.
const BYTES_PER_JOINT: usize = 80;

/// A skin for one mesh.
pub struct Bound<'a> {
    pub deformer: &'a SkinDeformer,
    /// Index of the skin.
    pub skin: usize,
    /// The joint of each cluster; `None` if it has no bone.
    pub joints: Vec<Option<u16>>,
    /// The joint of vertices without influences.
    pub otherwise: u16,
}

impl Skins {
    /// No skins yet, of joints that were moved so.
    pub fn new(moved: HashMap<u32, Mat4>) -> Skins {
        Skins { moved, ..Skins::default() }
    }

    /// The skin of a deformer for the mesh of a node. `None` if it has no joint.
    pub fn bind<'a>(
        &mut self,
        deformer: &'a SkinDeformer,
        (node, bone): (&Node, BoneIndex),
        (bones, budget): (&Bones, &mut Budget),
        findings: &mut Findings<'_>,
    ) -> Result<Option<Bound<'a>>, Fault> {
        // Nodes can share a mesh, and each may need a skin of its own.
        if !budget.take(deformer.clusters.count.saturating_mul(BYTES_PER_JOINT)) {
            return Err(findings.fault("its nodes ask for far more joints of skins than the file holds"));
        }
        self.add_method(deformer);
        let (mut joints, mut binds, mut of_cluster) = (Vec::new(), Vec::new(), Vec::new());
        for cluster in deformer.clusters.iter() {
            let found = cluster.bone_node.as_ref().and_then(|node| bones.of(node.element.typed_id as usize));
            of_cluster.push(found.and_then(|_| u16::try_from(joints.len()).ok()));
            if let Some(joint) = found {
                joints.push(joint);
                let moved = cluster.bone_node.as_ref().and_then(|node| self.moved.get(&node.element.element_id));
                binds.push(moved.copied().unwrap_or_default().mul_mat4(&convert::matrix(&cluster.mesh_node_to_bone)));
            }
        }
        if joints.is_empty() {
            findings.add("its skin has no joints; bound to its node");
            return Ok(None);
        }
        let has_loose = deformer.vertices.iter().any(|vertex| vertex.num_weights == 0);
        let otherwise = if has_loose { u16::try_from(joints.len()).unwrap_or(u16::MAX) } else { 0 };
        if has_loose {
            joints.push(bone);
            binds.push(Mat4::IDENTITY);
        }
        if joints.len() > usize::from(u16::MAX) {
            return Err(findings.fault(format!("{} joints; the maximum is {}", joints.len(), u16::MAX)));
        }
        if !binds.iter().all(Mat4::is_finite) {
            return Err(findings.fault("a bind matrix is not finite"));
        }
        let key = (deformer.element.element_id, has_loose.then_some(node.element.element_id));
        let name = shortened(&deformer.element.name).into_owned();
        let skin = *self.known.entry(key).or_insert_with(|| {
            self.all.push(Skin { name, joints, inverse_binds: binds });
            self.all.len().saturating_sub(1)
        });
        Ok(Some(Bound { deformer, skin, joints: of_cluster, otherwise }))
    }

    /// Notes how a deformer blends. One whose blend weights are all 0 is linear.
    fn add_method(&mut self, deformer: &SkinDeformer) {
        let is_blended = deformer.skinning_method == SkinningMethod::BlendedDqLinear
            && deformer.vertices.iter().any(|vertex| vertex.dq_weight > 0.0);
        self.has_blend_weights |= is_blended;
        self.has_dual_quaternions |= is_blended || deformer.skinning_method == SkinningMethod::DualQuaternion;
    }
}

impl Bound<'_> {
    /// Writes the influences of a vertex, by joint of the skin.
    pub fn influences(&self, vertex: usize, into: &mut Vec<(u16, f32)>) {
        into.clear();
        let Some(about) = self.deformer.vertices.get(vertex) else { return };
        let (start, count) = (about.weight_begin as usize, about.num_weights as usize);
        let weights = self.deformer.weights.get(start..start.saturating_add(count)).unwrap_or_default();
        into.extend(weights.iter().filter_map(|weight| {
            let joint = *self.joints.get(weight.cluster_index as usize)?;
            Some((joint?, single(weight.weight)))
        }));
    }
}

#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
fn single(number: f64) -> f32 {
    number as f32
}
