//! Nodes: which of them become bones. The root of the scene is none.

use std::collections::HashSet;

use ufbx::Scene;

use crate::import::assembly::hierarchy::{self, Bones, Node};
use crate::import::error::Fault;
use crate::import::fbx::convert;
use crate::import::report::Report;

/// Converts joints of skins, nodes of bones, animated nodes, nodes with meshes and all their ancestors to bones. The index of a
/// node is its typed id.
pub fn bones(scene: &Scene, report: &mut Report) -> Result<Bones, Fault> {
    let (joints, moved) = (joints(scene), moved(scene));
    let mut nodes = Vec::with_capacity(scene.nodes.count);
    for (index, node) in scene.nodes.iter().enumerate() {
        let rest = convert::transform(&node.local_transform);
        if !rest.is_finite() {
            return Err(Fault::at(format!("node {}", &*node.element.name), "transform is not finite"));
        }
        let parent = node.parent.as_ref().filter(|parent| !parent.is_root);
        nodes.push(Node {
            name: Some(name(node)),
            parent: parent.map(|parent| parent.element.typed_id as usize),
            rest,
            is_wanted: !node.is_root && (node.mesh.is_some() || moved.contains(&node.element.element_id)),
            is_joint: !node.is_root && (node.bone.is_some() || joints.contains(&index)),
        });
    }
    if scene.nodes.iter().all(|node| node.mesh.is_none()) {
        let is_helper = |node: &ufbx::Node| node.is_scale_helper || node.is_geometry_transform_helper;
        let is_viewer = |node: &ufbx::Node| node.camera.is_some() || node.light.is_some();
        let is_free = |node: &ufbx::Node| !node.is_root && !is_helper(node) && !is_viewer(node);
        let free: Vec<bool> = scene.nodes.iter().map(|node| is_free(node)).collect();
        hierarchy::want_trees(&mut nodes, &free)?;
    }
    hierarchy::bones(&nodes, report)
}

/// The name of a node. A helper of the reader is named after its parent.
fn name(node: &ufbx::Node) -> String {
    let own = &*node.element.name;
    let parent = node.parent.as_ref().filter(|_| node.is_scale_helper);
    parent.map_or_else(|| own.to_owned(), |parent| format!("{} {own}", &*parent.element.name))
}

/// The nodes that are joints of a skin.
fn joints(scene: &Scene) -> HashSet<usize> {
    let clusters = scene.skin_clusters.iter();
    clusters.filter_map(|cluster| Some(cluster.bone_node.as_ref()?.element.typed_id as usize)).collect()
}

/// The ids of elements that an animation changes.
fn moved(scene: &Scene) -> HashSet<u32> {
    let layers = scene.anim_layers.iter();
    layers.flat_map(|layer| layer.anim_props.iter().map(|prop| prop.element.element_id)).collect()
}
