//! The JSON document: parses it, checks version and extensions, and finds the nodes of its scene.

use gltf::json::Root;
use serde_json::{Value, json};

use crate::import::error::Fault;
use crate::import::report::Report;

/// The supported extensions. A file that requires any other is refused.
const READ_EXTENSIONS: [&str; 3] = ["KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit"];

/// Parses the JSON. Unsupported versions and required extensions are errors.
pub fn parse(json: &[u8], report: &mut Report) -> Result<Root, Fault> {
    let parsed = Root::from_slice(json);
    let completed = || Root::from_slice(&completed(json)?).ok();
    let root = parsed.or_else(|error| completed().ok_or_else(|| Fault::Json { reason: error.to_string() }))?;
    let asset = &root.asset;
    let needed = asset.min_version.as_deref().unwrap_or("2.0");
    if !asset.version.starts_with("2.") || needed != "2.0" {
        let version = asset.min_version.as_ref().unwrap_or(&asset.version).clone();
        return Err(Fault::Version { version });
    }
    check_extensions(&root, report)?;
    Ok(root)
}

/// Adds members that the `gltf` crate requires and the specification makes optional: a scene's nodes, an animation
/// channel's target node. Scenes get an empty list; channels without a node are removed. `None` if the JSON is not an
/// object.
fn completed(json: &[u8]) -> Option<Vec<u8>> {
    let mut root: Value = serde_json::from_slice(json).ok()?;
    let list = |value: &mut Value, name: &str| match value.get_mut(name).map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    let object = root.as_object_mut()?;
    for scene in object.get_mut("scenes").and_then(Value::as_array_mut).into_iter().flatten() {
        scene.as_object_mut()?.entry("nodes").or_insert_with(|| json!([]));
    }
    for animation in object.get_mut("animations").and_then(Value::as_array_mut).into_iter().flatten() {
        let mut channels = list(animation, "channels");
        channels.retain(|channel| channel.pointer("/target/node").is_some());
        animation.as_object_mut()?.insert("channels".into(), Value::Array(channels));
    }
    serde_json::to_vec(&root).ok()
}

/// Refuses unsupported required extensions and reports other unsupported ones.
fn check_extensions(root: &Root, report: &mut Report) -> Result<(), Fault> {
    let is_unread = |name: &&String| !READ_EXTENSIONS.contains(&name.as_str());
    if let Some(name) = root.extensions_required.iter().find(is_unread) {
        return Err(Fault::Required { name: name.clone() });
    }
    let unread = root.extensions_used.iter().filter(is_unread);
    unread.for_each(|name| report.not_imported(&format!("extension {name}")));
    root.cameras.iter().for_each(|_| report.not_imported("cameras"));
    Ok(())
}

/// Whether each node is part of the default scene. All nodes are if there is no scene.
pub fn shown(root: &Root, report: &mut Report) -> Vec<bool> {
    let index = root.scene.map_or(0, |scene| scene.value());
    let Some(scene) = root.scenes.get(index) else {
        if root.scene.is_some() {
            report.add("scene", format_args!("scene {index} doesn't exist; all nodes are shown"));
        }
        return vec![true; root.nodes.len()];
    };
    let mut shown = vec![false; root.nodes.len()];
    let mut next: Vec<usize> = scene.nodes.iter().map(|node| node.value()).collect();
    while let Some(node) = next.pop() {
        let Some(seen) = shown.get_mut(node) else {
            report.add("scene", format_args!("node {node} doesn't exist"));
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        let children = root.nodes.get(node).and_then(|node| node.children.as_ref());
        next.extend(children.into_iter().flatten().map(|child| child.value()));
    }
    let hidden = root.nodes.iter().zip(&shown).filter(|(node, shown)| node.mesh.is_some() && !**shown).count();
    if hidden > 0 {
        report.add(
            "scene",
            format_args!("{hidden} nodes with meshes are not in the default scene; their meshes are hidden"),
        );
    }
    shown
}
