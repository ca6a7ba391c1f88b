//! Sockets of our own export: nodes that say so in `extras`.

use gltf::json::Root;

use crate::assets::model::Socket;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::Names;
use crate::import::error::Fault;
use crate::import::gltf::nodes::{parents, rest};
use crate::import::gltf::own::{self, Role};
use crate::import::report::Report;

/// The sockets of a file, in the order of their nodes.
pub fn sockets(root: &Root, bones: &Bones, report: &mut Report) -> Result<Vec<Socket>, Fault> {
    let (mut sockets, mut names) = (Vec::new(), Names::of("socket"));
    let parents = parents(root)?;
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(Role::Socket { name, attached }) = own::role(node) else { continue };
        let findings = &mut report.at(format_args!("node {index}"));
        let parent = parents.get(index).copied().flatten();
        let Some(bone) = parent.and_then(|parent| bones.of(parent)) else {
            findings.add(format_args!("socket {name} is on no bone; ignored"));
            continue;
        };
        let name = names.take(Some(&name), findings);
        sockets.push(Socket { name, bone, transform: rest(node, findings)?, attached });
    }
    Ok(sockets)
}
