//! Bones as line segments: from a joint to the joints of its children. A bone at the end of a chain continues the one before it.

use glam::Vec3;

use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::model::Model;
use crate::bind_pose::bind_pose;
use crate::rig::vertex::{VertexRef, each_weight};

/// A part of a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The bone that moves what is near.
    pub bone: BoneIndex,
    /// Place of the joint, in model space.
    pub from: Vec3,
    /// The joint of a child, or the direction of a bone at the end of a chain, in which it reaches to the surface.
    pub to: End,
}

/// Where a segment ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// At a place.
    At(Vec3),
    /// At the surface, in this direction (unit length, or zero for a single point).
    Surface(Vec3),
}

/// The segments of the bones that [`deforming`] chooses, in the bind pose.
pub fn of_model(model: &Model) -> Vec<Segment> {
    let deforms = deforming(model);
    of_pose(&model.skeleton, &bind_pose(model), |bone| deforms[usize::from(bone)])
}

/// The segments of the bones that get new weights: these, and all others but helpers. In a model with weights, imported bones without any
/// are helpers, too: nodes above a skeleton, controls of feet.
pub fn for_new_weights(model: &Model, chosen: &[BoneIndex]) -> Vec<Segment> {
    let (weighted, named) = (weighted(model), named(&model.skeleton));
    let is_old = |at: usize| weighted.contains(&true) && model.source.bone_nodes.get(at).is_some_and(Option::is_some);
    let deforms = |at: usize| named[at] && (weighted[at] || !is_old(at));
    let deforms: Vec<bool> = (0..model.skeleton.len()).map(deforms).collect();
    of_pose(&model.skeleton, &bind_pose(model), |bone| chosen.contains(&bone) || deforms[usize::from(bone)])
}

/// Whether each bone takes part in automatic weights. In a model with weights: the bones that have any. Else all, except roots that
/// carry everything, which are on the ground, and names of helpers: targets of IK, sockets, ends.
pub fn deforming(model: &Model) -> Vec<bool> {
    let weighted = weighted(model);
    if weighted.contains(&true) { weighted } else { named(&model.skeleton) }
}

/// Whether each bone moves any vertex of a skin.
fn weighted(model: &Model) -> Vec<bool> {
    let mut weighted = vec![false; model.skeleton.len()];
    for (mesh, slot) in model.meshes.iter().enumerate() {
        for vertex in 0..slot.mesh.positions.len() {
            each_weight(model, VertexRef { mesh, vertex }, |bone, _| weighted[usize::from(bone)] = true);
        }
    }
    weighted
}

/// Whether each bone has a name of one that moves something.
fn named(skeleton: &Skeleton) -> Vec<bool> {
    let is_alone = skeleton.len() == 1;
    skeleton.bones().iter().map(|bone| is_alone || !is_helper(&bone.name, bone.parent.is_none())).collect()
}

/// Names of bones that move nothing.
fn is_helper(name: &str, is_root: bool) -> bool {
    const WORDS: [&str; 8] = ["ik", "pole", "target", "control", "socket", "slot", "nub", "end"];
    const ROOTS: [&str; 6] = ["root", "armature", "rig", "skeleton", "scene", "world"];
    let lower = name.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    let is_ik = name.ends_with("IK") || name.starts_with("IK");
    is_ik || words.any(|word| WORDS.contains(&word) || (is_root && ROOTS.contains(&word)))
}

/// The segments of some bones of a pose.
pub fn of_pose(skeleton: &Skeleton, pose: &ModelPose, deforms: impl Fn(BoneIndex) -> bool) -> Vec<Segment> {
    let joint = |bone: BoneIndex| pose.get(bone).translation();
    let mut segments = Vec::new();
    for bone in skeleton.indices().filter(|bone| deforms(*bone) && joint(*bone).is_finite()) {
        let from = joint(bone);
        let ends = skeleton.children(bone).filter(|child| deforms(*child)).map(joint);
        let ends: Vec<Vec3> = ends.filter(|end| end.is_finite() && *end != from).collect();
        if ends.is_empty() {
            let start = skeleton.above(bone).map(joint).take(2).find(|start| *start != from).unwrap_or(from);
            segments.push(Segment { bone, from, to: End::Surface((from - start).normalize_or_zero()) });
        }
        segments.extend(ends.into_iter().map(|end| Segment { bone, from, to: End::At(end) }));
    }
    segments
}

/// The distance of a point from a line.
pub fn distance(point: Vec3, [from, to]: [Vec3; 2]) -> f32 {
    let along = to - from;
    let length = along.length_squared();
    let at = if length > 0.0 { ((point - from).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(from + along * at)
}
