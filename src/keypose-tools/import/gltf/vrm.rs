//! VRM 0.x and 1.0, and VRM animations: a GLB that says which of its nodes are the parts of a humanoid. The rig notes keep them, so
//! that clips of other humanoids find their bones.

use gltf::json::Root;
use serde_json::{Map, Value};

use crate::assets::rig_notes::RigNotes;
use crate::import::assembly::hierarchy::Bones;
use crate::import::report::Report;

/// The names of the extensions: of both versions, and of animations.
const NAMES: [&str; 3] = ["VRM", "VRMC_vrm", "VRMC_vrm_animation"];

/// Whether the model faces −z, as in version 0.x.
pub fn faces_backward(root: &Root) -> bool {
    let [old, new, _] = NAMES.map(|name| extension(root, name));
    old.is_some() && new.is_none()
}

/// Adds the parts of the humanoid to the notes of the rig.
pub fn add_humanoid(root: &Root, bones: &Bones, rig: &mut RigNotes, report: &mut Report) {
    let animation = NAMES.last().and_then(|name| extension(root, name));
    for kind in ["expressions", "lookAt"].into_iter().filter(|kind| animation.is_some_and(|it| it.contains_key(*kind)))
    {
        report.not_imported(&format!("{kind} of a VRM animation"));
    }
    for (part, node) in parts(root) {
        match bones.of(node).and_then(|bone| bones.skeleton.get(bone)) {
            Some(bone) => {
                rig.humanoid.insert(part.to_owned(), bone.name.clone());
            }
            None => report.add("humanoid", format_args!("{part} is node {node}, which is no bone; ignored")),
        }
    }
}

/// The names of parts and their nodes.
fn parts(root: &Root) -> Vec<(&str, usize)> {
    let node = |value: &Value| value.get("node")?.as_u64().and_then(|node| usize::try_from(node).ok());
    let humanoid = NAMES.into_iter().find_map(|name| extension(root, name)?.get("humanoid")?.get("humanBones"));
    match humanoid {
        // Version 0.x has a list, version 1.0 an object.
        Some(Value::Array(all)) => {
            all.iter().filter_map(|one| Some((one.get("bone")?.as_str()?, node(one)?))).collect()
        }
        Some(Value::Object(all)) => all.iter().filter_map(|(part, one)| Some((part.as_str(), node(one)?))).collect(),
        _ => Vec::new(),
    }
}

/// An extension of the whole file.
pub fn extension<'a>(root: &'a Root, name: &str) -> Option<&'a Map<String, Value>> {
    root.extensions.as_ref()?.others.get(name)?.as_object()
}
