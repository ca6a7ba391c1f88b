//! VRM 0.x and 1.0, and VRM animations: a GLB that says which of its nodes are the parts of a humanoid. The rig notes keep them, so
//! that clips of other humanoids find their bones.

use std::collections::HashSet;

use gltf::json::Root;
use serde_json::{Map, Value};

use crate::assets::rig_notes::RigNotes;
use crate::import::assembly::hierarchy::Bones;
use crate::import::gltf::json::whole;
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
    let node = |value: &Value| value.get("node").and_then(whole::<usize>);
    let humanoid = NAMES.into_iter().find_map(|name| extension(root, name)?.get("humanoid")?.get("humanBones"));
    match humanoid {
        // Version 0.x has a list, version 1.0 an object.
        Some(Value::Array(all)) => {
            all.iter().filter_map(|one| Some((one.get("bone")?.as_str()?, node(one)?))).collect()
        }
        Some(Value::Object(all)) => {
            let has = |name: &str| all.contains_key(name);
            all.iter().filter_map(|(name, one)| Some((thumb(name, has), node(one)?))).collect()
        }
        _ => Vec::new(),
    }
}

/// The joints of thumbs by their names in version 0: version 1.0 calls them metacarpal, proximal and distal.
fn thumb(part: &str, has: impl Fn(&str) -> bool) -> &str {
    match part {
        "leftThumbMetacarpal" => "leftThumbProximal",
        "rightThumbMetacarpal" => "rightThumbProximal",
        "leftThumbProximal" if has("leftThumbMetacarpal") => "leftThumbIntermediate",
        "rightThumbProximal" if has("rightThumbMetacarpal") => "rightThumbIntermediate",
        part => part,
    }
}

/// An extension of the whole file.
pub fn extension<'a>(root: &'a Root, name: &str) -> Option<&'a Map<String, Value>> {
    root.extensions.as_ref()?.others.get(name)?.as_object()
}

/// Hides meshes that are shown only to the player whose head they are in.
pub fn hide_first_person(root: &Root, shown: &mut [bool], report: &mut Report) {
    // The nodes or meshes of annotations.
    let own = |name: &str, flag: &str, key: &str| -> HashSet<u64> {
        let list = extension(root, name).and_then(|it| it.get("firstPerson")?.get("meshAnnotations")?.as_array());
        let is_own = |one: &&Value| {
            one.get(flag).and_then(Value::as_str).is_some_and(|flag| flag.eq_ignore_ascii_case("firstPersonOnly"))
        };
        list.into_iter().flatten().filter(is_own).filter_map(|one| one.get(key)?.as_u64()).collect()
    };
    let (meshes, nodes) = (own("VRM", "firstPersonFlag", "mesh"), own("VRMC_vrm", "type", "node"));
    let mut count = 0_usize;
    for ((at, node), shown) in (0_u64..).zip(&root.nodes).zip(shown).filter(|(_, shown)| **shown) {
        let mesh = node.mesh.and_then(|mesh| u64::try_from(mesh.value()).ok());
        if nodes.contains(&at) || mesh.is_some_and(|mesh| meshes.contains(&mesh)) {
            *shown = false;
            count = count.saturating_add(1);
        }
    }
    if count > 0 {
        report.add("first person", format_args!("{count} meshes that only the player sees are hidden"));
    }
}

/// The properties of a material with MToon of version 0.x.
pub fn old_mtoon(root: &Root, material: usize) -> Option<&Value> {
    let properties = extension(root, "VRM")?.get("materialProperties")?.get(material)?;
    (properties.get("shader")?.as_str()? == "VRM/MToon").then_some(properties)
}
