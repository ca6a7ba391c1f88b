//! The hierarchy: converts the wanted nodes of a file to bones in level order.

use std::collections::HashSet;

use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::import::assembly::names::Names;
use crate::import::error::Fault;
use crate::import::report::Report;

/// A node of a file.
#[derive(Clone, Debug)]
pub struct Node {
    /// Name of the node; missing and repeated ones are replaced.
    pub name: Option<String>,
    /// Index of an existing parent.
    pub parent: Option<usize>,
    /// Transform without keys, finite with a unit rotation.
    pub rest: Transform,
    /// Whether it becomes a bone, because it is animated or carries a mesh. Its ancestors become bones as well.
    pub is_wanted: bool,
    /// Whether it is a joint. Joints become bones, and keep their names if meshes have the same.
    pub is_joint: bool,
}

/// The bones of a file and the nodes that they were made from.
pub struct Bones {
    /// The bones in level order.
    pub skeleton: Skeleton,
    /// The bone of each node, if it has one.
    pub of_node: Vec<Option<BoneIndex>>,
    /// The node of each bone.
    pub nodes: Vec<u32>,
}

impl Bones {
    /// Returns the bone of a node.
    pub fn of(&self, node: usize) -> Option<BoneIndex> {
        self.of_node.get(node).copied().flatten()
    }
}

/// Converts joints, wanted nodes and all their ancestors to bones.
pub fn bones(nodes: &[Node], report: &mut Report) -> Result<Bones, Fault> {
    let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    let order = level_order(&parents)?;
    let wanted = with_ancestors(nodes);
    let chosen: Vec<usize> = order.into_iter().filter(|&node| wanted.get(node) == Some(&true)).collect();
    if chosen.len() > Skeleton::MAX_BONES {
        let reason = format!("{} bones, the maximum is {}", chosen.len(), Skeleton::MAX_BONES);
        return Err(Fault::at("nodes", reason));
    }
    let mut given = names(nodes, &chosen, report);
    let (mut of_node, mut bones) = (vec![None; nodes.len()], Vec::with_capacity(chosen.len()));
    for (&index, node) in chosen.iter().filter_map(|index| Some((index, nodes.get(*index)?))) {
        let parent = node.parent.and_then(|parent| *of_node.get(parent)?);
        if let Some(bone) = of_node.get_mut(index) {
            *bone = BoneIndex::try_from(bones.len()).ok();
        }
        let name = given.get_mut(index).map(std::mem::take).unwrap_or_default();
        bones.push(Bone { name, parent, rest: node.rest });
    }
    let skeleton = Skeleton::new(bones).map_err(|error| Fault::at("nodes", error))?;
    let nodes = chosen.into_iter().filter_map(|node| u32::try_from(node).ok()).collect();
    Ok(Bones { skeleton, of_node, nodes })
}

/// The name of each chosen node, by its index: those of joints first.
fn names(nodes: &[Node], chosen: &[usize], report: &mut Report) -> Vec<String> {
    let (mut names, mut given) = (Names::of("bone"), vec![String::new(); nodes.len()]);
    for is_joint in [true, false] {
        for &index in chosen {
            let Some(node) = nodes.get(index).filter(|node| node.is_joint == is_joint) else { continue };
            let findings = &mut report.at(format_args!("node {index}"));
            if let Some(place) = given.get_mut(index) {
                *place = names.take(node.name.as_deref(), findings);
            }
        }
    }
    given
}

/// Marks what else becomes a bone in a file of clips without a mesh: the free nodes of all trees in which a bone is. Those that no clip keys
/// give limbs their lengths and directions.
pub fn want_trees(nodes: &mut [Node], free: &[bool]) -> Result<(), Fault> {
    let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    let mut tops: Vec<usize> = (0..nodes.len()).collect();
    for index in level_order(&parents)? {
        let above = parents.get(index).and_then(|parent| tops.get((*parent)?).copied());
        if let (Some(above), Some(top)) = (above, tops.get_mut(index)) {
            *top = above;
        }
    }
    let is_used = |(node, top): (&Node, &usize)| (node.is_wanted || node.is_joint).then_some(*top);
    let used: HashSet<usize> = nodes.iter().zip(&tops).filter_map(is_used).collect();
    for ((node, top), is_free) in nodes.iter_mut().zip(&tops).zip(free) {
        node.is_wanted |= *is_free && used.contains(top);
    }
    Ok(())
}

/// Marks the nodes that become bones.
pub fn with_ancestors(nodes: &[Node]) -> Vec<bool> {
    let mut wanted = vec![false; nodes.len()];
    for (index, _) in nodes.iter().enumerate().filter(|(_, node)| node.is_wanted || node.is_joint) {
        let mut at = Some(index);
        while let Some(node) = at {
            match wanted.get_mut(node) {
                Some(wanted) if !*wanted => *wanted = true,
                _ => break,
            }
            at = nodes.get(node).and_then(|node| node.parent);
        }
    }
    wanted
}

/// The order of nodes by level. A cycle is an error that names one of its nodes.
pub fn level_order(parents: &[Option<usize>]) -> Result<Vec<usize>, Fault> {
    Skeleton::level_order(parents).ok_or_else(|| {
        // Every node has at most one parent and all parents exist, so a node that no root reaches leads up into a
        // cycle.
        let up = |node: usize| parents.get(node).copied().flatten();
        let mut visited = vec![Visited::Never; parents.len()];
        let on_cycle = (0..parents.len()).find_map(|start| climb(start, up, &mut visited));
        Fault::at(format!("node {}", on_cycle.unwrap_or_default()), "the nodes form a cycle")
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Visited {
    Never,
    From(usize),
}

/// Follows the parents of a node to the first node that is visited twice.
fn climb(start: usize, up: impl Fn(usize) -> Option<usize>, visited: &mut [Visited]) -> Option<usize> {
    let mut at = Some(start);
    while let Some(node) = at {
        let visited = visited.get_mut(node)?;
        match *visited {
            Visited::From(other) => return (other == start).then_some(node),
            Visited::Never => *visited = Visited::From(start),
        }
        at = up(node);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_keeps_its_name_and_the_mesh_is_renamed() {
        let node = |name: &str, parent, is_joint: bool| Node {
            name: Some(name.into()),
            parent,
            rest: Transform::IDENTITY,
            is_wanted: !is_joint,
            is_joint,
        };
        let nodes = [node("Head", None, false), node("Rig", None, true), node("Head", Some(1), true)];
        let mut report = Report::default();
        let bones = bones(&nodes, &mut report).unwrap();
        let names: Vec<&str> = bones.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
        assert_eq!(names, ["Head.001", "Rig", "Head"]);
        assert_eq!(report.into_lines(), ["node 0: the name \"Head\" is already used; renamed to \"Head.001\""]);
    }
}
