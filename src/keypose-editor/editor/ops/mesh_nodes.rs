//! Mesh nodes: bones of the skeleton that only carry meshes, such as a sword or the node of a skinned body. Lists and
//! “select all” keep them apart from the bones that deform the model.

use std::collections::BTreeSet;

use keypose::anim::skeleton::BoneIndex;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::Model;

/// The mesh nodes of a model: they carry a mesh, no skin has them as a joint, and all their children are mesh nodes,
/// too. A model without skins has none, because there the nodes with meshes are animated.
pub fn mesh_nodes(model: &Model) -> BTreeSet<BoneIndex> {
    if model.skins.is_empty() {
        return BTreeSet::new();
    }
    let joints: BTreeSet<BoneIndex> = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let mut nodes = carriers(model);
    nodes.retain(|bone| !joints.contains(bone));
    // Children come after their parents, so that a bone below a mesh node is found before the node is judged.
    for bone in (0..model.skeleton.len() as BoneIndex).rev() {
        if let Some(parent) = model.skeleton.parent(bone)
            && !nodes.contains(&bone)
        {
            nodes.remove(&parent);
        }
    }
    nodes
}

/// The bones that carry meshes: rigid ones, and the nodes that skinned meshes were imported from. Meshes are named
/// after their nodes.
fn carriers(model: &Model) -> BTreeSet<BoneIndex> {
    let (skeleton, source) = (&model.skeleton, &model.source);
    let of_node = |node: u32| source.bone_nodes.iter().position(|&of| of == Some(node));
    let of_mesh = |(at, mesh): (usize, &Mesh)| match mesh.binding {
        Binding::Bone(bone) => Some(bone),
        Binding::Skin(_) => {
            let from = source.meshes.get(at).copied().flatten().and_then(|from| of_node(from.node));
            from.and_then(|bone| BoneIndex::try_from(bone).ok()).or_else(|| skeleton.find(&mesh.name))
        }
    };
    model.meshes.iter().map(|slot| &*slot.mesh).enumerate().filter_map(of_mesh).collect()
}
