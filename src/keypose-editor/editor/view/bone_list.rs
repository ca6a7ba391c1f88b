//! The lines of the bone list: the tree of bones, then the mesh nodes, filtered by name.

use std::collections::BTreeSet;

use crate::editor::ops::bone_tree::bone_tree;
use crate::editor::ops::mesh_nodes::mesh_nodes;
use crate::editor::ops::sentence::has_words;
use crate::editor::session::focus::Focus;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A bone of the tree, or a bone or mesh node that matches the filter.
    Bone {
        bone: BoneIndex,
        /// The number of bones above it that the tree shows; 0 with a filter.
        depth: usize,
        /// Whether the tree shows an arrow to fold it.
        has_children: bool,
    },
    /// The title of the mesh nodes, with their number.
    MeshNodes(usize),
}

impl Line {
    /// The bone of the line; `None` for a title.
    pub fn bone(&self) -> Option<BoneIndex> {
        match *self {
            Line::Bone { bone, .. } => Some(bone),
            Line::MeshNodes(_) => None,
        }
    }
}

/// The folded parts of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// The names of bones whose children are not shown.
    pub bones: BTreeSet<String>,
    /// Whether mesh nodes are not shown.
    pub has_mesh_nodes: bool,
}

/// The visible lines. The tree is listed depth first; a filter lists matching bones without the tree, and ignores what
/// is folded.
pub fn lines(model: &Model, filter: &str, folded: &Folded) -> Vec<Line> {
    let nodes = mesh_nodes(model);
    let is_filtered = !filter.trim().is_empty();
    let mut lines = if is_filtered { flat(&model.skeleton, filter, &nodes) } else { tree(model, &nodes, folded) };
    let flat_line = |&bone: &BoneIndex| Line::Bone { bone, depth: 0, has_children: false };
    let shown: Vec<Line> =
        nodes.iter().filter(|&&bone| matches(&model.skeleton, bone, filter)).map(flat_line).collect();
    if !shown.is_empty() {
        lines.push(Line::MeshNodes(shown.len()));
        if is_filtered || !folded.has_mesh_nodes {
            lines.extend(shown);
        }
    }
    lines
}

/// Whether the name of a bone contains every word of a filter, ignoring case.
pub fn matches(skeleton: &Skeleton, bone: BoneIndex, filter: &str) -> bool {
    skeleton.get(bone).is_some_and(|bone| has_words(&bone.name, filter))
}

/// The number of bones, without mesh nodes.
pub fn bone_count(model: &Model) -> usize {
    model.skeleton.len() - mesh_nodes(model).len()
}

/// Whether a bone is a mesh node.
pub fn is_mesh_node(model: &Model, bone: BoneIndex) -> bool {
    mesh_nodes(model).contains(&bone)
}

/// The bones that “select all” selects: those that are not hidden, without mesh nodes.
pub fn all_bones(model: &Model, focus: &Focus) -> Vec<BoneIndex> {
    let nodes = mesh_nodes(model);
    model.skeleton.indices().filter(|bone| !focus.hidden.contains(bone) && !nodes.contains(bone)).collect()
}

/// The bones that “select all” selects over the list: with a filter, the bones and mesh nodes that match it and are not
/// hidden; else [`all_bones`].
pub fn listed_bones(model: &Model, focus: &Focus) -> Vec<BoneIndex> {
    if focus.bone_filter.trim().is_empty() {
        return all_bones(model, focus);
    }
    let found = lines(model, &focus.bone_filter, &Folded::default());
    found.iter().filter_map(Line::bone).filter(|bone| !focus.hidden.contains(bone)).collect()
}

/// The lines from one bone to another, in the order of the list; `None` if one of them is not listed.
pub fn range(lines: &[Line], from: BoneIndex, to: BoneIndex) -> Option<Vec<BoneIndex>> {
    let place = |wanted: BoneIndex| lines.iter().position(|line| line.bone() == Some(wanted));
    let (a, b) = (place(from)?, place(to)?);
    Some(lines[a.min(b)..=a.max(b)].iter().filter_map(Line::bone).collect())
}

fn flat(skeleton: &Skeleton, filter: &str, nodes: &BTreeSet<BoneIndex>) -> Vec<Line> {
    let found = skeleton.indices().filter(|bone| !nodes.contains(bone) && matches(skeleton, *bone, filter));
    found.map(|bone| Line::Bone { bone, depth: 0, has_children: false }).collect()
}

fn tree(model: &Model, nodes: &BTreeSet<BoneIndex>, folded: &Folded) -> Vec<Line> {
    let is_folded = |bone| model.skeleton.get(bone).is_some_and(|bone| folded.bones.contains(&bone.name));
    let tree = bone_tree(&model.skeleton, |bone| !nodes.contains(&bone), |bone| !is_folded(bone));
    tree.into_iter().map(|(bone, depth, has_children)| Line::Bone { bone, depth, has_children }).collect()
}
