//! Levels of detail of nodes (MSFT_lod): their meshes get the names by which models know them.

use std::collections::{BTreeMap, BTreeSet};

use gltf::json::Root;
use gltf::json::scene::Node;
use serde_json::Value;

use crate::assets::lod::name_of_level;
use crate::assets::mesh::Mesh;
use crate::assets::model::MeshSource;
use crate::import::report::Report;

/// The extension.
pub const NAME: &str = "MSFT_lod";

/// Names the meshes of the nodes that are coarser levels of another node after its meshes. A level whose name is taken keeps its
/// own.
pub fn name_meshes(root: &Root, meshes: &mut [(Mesh, MeshSource)], report: &mut Report) {
    let mut taken: BTreeSet<String> = meshes.iter().map(|(mesh, _)| mesh.name.clone()).collect();
    let place = |(at, (_, source)): (usize, &(Mesh, MeshSource))| ((source.node as usize, source.primitive), at);
    let places: BTreeMap<(usize, u32), usize> = meshes.iter().enumerate().map(place).collect();
    for (at, node) in root.nodes.iter().enumerate() {
        for (level, coarser) in (1..=9).zip(levels(node)) {
            let primitives = places.range((at, 0)..=(at, u32::MAX)).map(|((_, primitive), fine)| (*primitive, *fine));
            for (primitive, fine) in primitives {
                let Some(coarse) = places.get(&(coarser, primitive)).filter(|coarse| **coarse != fine) else {
                    continue;
                };
                let name = meshes.get(fine).map(|(mesh, _)| name_of_level(&mesh.name, level)).unwrap_or_default();
                match meshes.get_mut(*coarse).filter(|(mesh, _)| mesh.name != name) {
                    Some((mesh, _)) if taken.insert(name.clone()) => mesh.name = name,
                    Some((mesh, _)) => report.add(
                        format_args!("node {coarser}"),
                        format_args!(
                            "a level of detail is called \"{}\", because \"{name}\" is already used",
                            mesh.name
                        ),
                    ),
                    None => {}
                }
            }
        }
    }
}

/// The nodes that are coarser levels of another node.
pub fn coarser_nodes(root: &Root) -> BTreeSet<usize> {
    root.nodes.iter().flat_map(levels).collect()
}

/// The nodes of the coarser levels of a node, the finest first.
fn levels(node: &Node) -> impl Iterator<Item = usize> {
    let ids = node.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)?.get("ids")?.as_array());
    ids.into_iter().flatten().filter_map(Value::as_u64).filter_map(|id| usize::try_from(id).ok())
}
