//! The JSON document: parses it, checks version and extensions, and finds the nodes of its scene.

use std::collections::HashSet;

use gltf::json::{Index, Node, Root};
use serde_json::{Value, json};

use crate::import::error::Fault;
use crate::import::gltf::json::{list, whole};
use crate::import::gltf::{counts, instances, own};
use crate::import::report::Report;

/// Levels of detail of nodes.
const MSFT_LOD: &str = "MSFT_lod";

/// The supported extensions. A file that requires any other is refused.
const READ_EXTENSIONS: [&str; 19] = [
    "EXT_meshopt_compression",
    instances::NAME,
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
    MSFT_LOD,
    "VRM",
    "VRMC_materials_mtoon",
    "VRMC_vrm",
    "VRMC_vrm_animation",
    "VRMC_springBone",
];

/// Prefixes of extensions that change only looks. Bones and clips come in without them.
const LOOKS: [&str; 7] =
    ["KHR_materials_", "EXT_materials_", "ADOBE_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "VRMC_"];

/// Parses the JSON. Unsupported versions and required extensions are errors.
pub fn parse(json: &[u8], report: &mut Report) -> Result<Root, Fault> {
    let parsed = Root::from_slice(json);
    let root = match parsed {
        Ok(root) => root,
        Err(error) => repaired(json, report)?.ok_or_else(|| Fault::Json { reason: error.to_string() })?,
    };
    let asset = &root.asset;
    let needed = asset.min_version.as_deref().unwrap_or("2.0");
    if !asset.version.starts_with("2.") || needed != "2.0" {
        let version = asset.min_version.as_ref().unwrap_or(&asset.version).clone();
        return Err(Fault::Version { version });
    }
    check_extensions(&root, report)?;
    Ok(root)
}

/// Parses JSON that breaks rules of the specification but has a clear meaning. `None` if it has none. A file of version 1 is an
/// error.
fn repaired(json: &[u8], report: &mut Report) -> Result<Option<Root>, Fault> {
    counts::check_as_values(json)?;
    let Ok(mut value) = serde_json::from_slice::<Value>(json) else { return Ok(None) };
    let version = value.pointer("/asset/version").and_then(|version| Some(version.as_str()?.to_owned()));
    // Version 0.8 had no asset; version 1 has objects where version 2 has arrays.
    let is_old = value.get("meshes").is_some_and(Value::is_object) || value.get("nodes").is_some_and(Value::is_object);
    match version {
        Some(version) if !version.starts_with("2.") => return Err(Fault::Version { version }),
        None if is_old => return Err(Fault::Version { version: "1.0".into() }),
        _ => {}
    }
    let faults = remove_bad_animations(&mut value);
    if complete(&mut value).is_none() {
        return Ok(None);
    }
    let parsed = |value: &Value| Root::from_slice(&serde_json::to_vec(value).ok()?).ok();
    let (mut root, mut whole_numbers) = (parsed(&value), 0);
    if root.is_none() {
        whole_numbers = make_whole(&mut value);
        root = parsed(&value);
    }
    for fault in faults.iter().filter(|_| root.is_some()) {
        report.left_out(fault);
    }
    if root.is_some() && whole_numbers > 0 {
        report.add("JSON", format_args!("{whole_numbers} whole numbers are written with a decimal point, such as 1.0"));
    }
    Ok(root)
}

/// Replaces numbers such as 1.0 by integers. Returns their count.
#[allow(clippy::cast_possible_truncation)] // Checked.
fn make_whole(value: &mut Value) -> usize {
    /// Whole numbers up to here are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let mut count = 0_usize;
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(members) => waiting.extend(members.values_mut()),
            Value::Number(number) if number.is_f64() => {
                let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < EXACT);
                if let Some(whole) = whole {
                    *value = Value::from(whole as i64);
                    count = count.saturating_add(1);
                }
            }
            _ => {}
        }
    }
    count
}

/// Removes animations with samplers or channels that lack what the specification requires. Returns their faults.
fn remove_bad_animations(root: &mut Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    let Some(animations) = root.get_mut("animations").and_then(Value::as_array_mut) else { return faults };
    for (index, animation) in std::mem::take(animations).into_iter().enumerate() {
        let parts = ["samplers", "channels"].into_iter().flat_map(|list| {
            let items = animation.get(list).and_then(Value::as_array).into_iter().flatten().enumerate();
            items.map(move |(at, item)| (list, at, item))
        });
        let fault = parts.filter_map(|(list, at, item)| Some((list, at, missing(list, item)?))).next();
        match fault.map(|(list, at, name)| {
            let place = format!("animation {index}, {} {at}", list.trim_end_matches('s'));
            Fault::at(place, format!("{name} is missing or no index"))
        }) {
            Some(fault) => faults.push(fault),
            None => animations.push(animation),
        }
    }
    faults
}

/// The index that a sampler or a channel lacks.
fn missing(list: &str, item: &Value) -> Option<&'static str> {
    let needed: &[&str] = if list == "samplers" { &["input", "output"] } else { &["sampler"] };
    let is_index = |index: &Value| index.as_f64().is_some_and(|index| index >= 0.0 && index.fract() == 0.0);
    needed.iter().copied().find(|name| !item.get(*name).is_some_and(is_index))
}

/// Adds members that the `gltf` crate requires and the specification makes optional: a scene's nodes, an animation
/// channel's target node. Scenes get an empty list; channels without a node are removed. `None` if the JSON has another
/// structure.
fn complete(root: &mut Value) -> Option<()> {
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
    Some(())
}

/// Refuses unsupported required extensions and reports other unsupported ones.
fn check_extensions(root: &Root, report: &mut Report) -> Result<(), Fault> {
    let is_unread = |name: &&String| !READ_EXTENSIONS.contains(&name.as_str());
    for name in root.extensions_required.iter().filter(is_unread) {
        if !LOOKS.iter().any(|start| name.starts_with(start)) {
            return Err(Fault::Required { name: name.clone() });
        }
        report.add("extensionsRequired", format_args!("{name} is not supported; the model looks different"));
    }
    // The frames of textures in our own files are in their notes.
    let is_own = |name: &String| name == "KHR_animation_pointer" && own::notes(&root.asset.extras).is_some();
    let unread = root.extensions_used.iter().filter(is_unread).filter(|name| !is_own(name));
    unread.for_each(|name| report.not_imported(&format!("extension {name}")));
    root.cameras.iter().for_each(|_| report.not_imported("cameras"));
    Ok(())
}

/// Reports nodes of a scene that have a parent.
fn report_children(root: &Root, nodes: &[Index<Node>], report: &mut Report) {
    let children = root.nodes.iter().flat_map(|node| node.children.iter().flatten());
    let children: HashSet<usize> = children.map(|child| child.value()).collect();
    let found = nodes.iter().filter(|node| children.contains(&node.value())).count();
    if found > 0 {
        report.add("scene", format_args!("{found} of its nodes have a parent; only roots belong there"));
    }
}

/// Marks the nodes whose meshes are shown: those of the default scene that aren't coarser levels of detail of others.
pub fn shown(root: &Root, report: &mut Report) -> Vec<bool> {
    let mut shown = in_scene(root, report);
    let has_mesh = |at: usize| root.nodes.get(at).is_some_and(|node| node.mesh.is_some());
    let mut coarser = 0_usize;
    for (at, node) in root.nodes.iter().enumerate() {
        let mut waiting: Vec<usize> = coarser_nodes(node).filter(|&level| level != at).collect();
        // A level is a mesh, or a node above some.
        while let Some(level) = waiting.pop() {
            if shown.get_mut(level).is_some_and(std::mem::take) {
                coarser = coarser.saturating_add(usize::from(has_mesh(level)));
                let children = root.nodes.get(level).and_then(|level| level.children.as_ref());
                waiting.extend(children.into_iter().flatten().map(|child| child.value()).filter(|&child| child != at));
            }
        }
    }
    if coarser > 0 {
        report
            .add("nodes", format_args!("{coarser} are coarser levels of detail ({MSFT_LOD}); their meshes are hidden"));
    }
    shown
}

/// The nodes of the coarser levels of a node (MSFT_lod).
fn coarser_nodes(node: &Node) -> impl Iterator<Item = usize> {
    let ids = node.extensions.as_ref().and_then(|extensions| extensions.others.get(MSFT_LOD)?.get("ids"));
    list(ids).filter_map(whole::<usize>)
}

/// Marks the nodes of the default scene, or all nodes without a scene.
fn in_scene(root: &Root, report: &mut Report) -> Vec<bool> {
    let index = root.scene.map_or(0, |scene| scene.value());
    let Some(scene) = root.scenes.get(index) else {
        if root.scene.is_some() {
            report.add("scene", format_args!("scene {index} doesn't exist; all nodes are shown"));
        }
        return vec![true; root.nodes.len()];
    };
    report_children(root, &scene.nodes, report);
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
