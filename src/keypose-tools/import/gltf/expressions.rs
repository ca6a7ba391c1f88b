//! The expressions of VRM 0.x (blend shape groups) and 1.0: each becomes a pose of the library that holds weights. Changes of
//! materials and rules about several expressions at once are not imported.
//!
//! Emotions exclude each other, as do the shapes of the mouth, of the lids and of the gaze: the pose of an expression also sets the
//! weights that only others of its group use, to 0. So applying one after the other shows each, and lids and mouth stay as they
//! are.

use std::collections::{BTreeMap, BTreeSet};

use gltf::json::Root;
use serde_json::{Map, Value};
use std::sync::Arc;

use crate::anim::scalar::ScalarIndex;
use crate::anim::skeleton::Skeleton;
use crate::assets::project::UsedNames;
use crate::assets::saved_pose::{SavedBone, SavedPose};
use crate::import::gltf::json::{list, whole};
use crate::import::gltf::morphs::Weights;
use crate::import::gltf::vrm::extension;
use crate::import::report::Report;

/// Presets of both versions that exclude each other.
const GROUPS: [&[&str]; 4] = [
    &["neutral", "happy", "angry", "sad", "relaxed", "surprised", "joy", "sorrow", "fun"],
    &["aa", "ih", "ou", "ee", "oh", "a", "i", "u", "e", "o"],
    &["blink", "blinkleft", "blinkright", "blink_l", "blink_r"],
    &["lookup", "lookdown", "lookleft", "lookright"],
];

/// Maximum number of weights in all poses: a small file could repeat a list for each of many expressions.
const MAX_WEIGHTS: usize = 0x8000;

/// An expression of the file.
struct Expression {
    name: String,
    /// The index of its group.
    group: Option<usize>,
    weights: BTreeMap<ScalarIndex, f32>,
}

/// The poses of all expressions.
pub fn poses(root: &Root, weights: &Weights, skeleton: &Skeleton, report: &mut Report) -> Vec<Arc<SavedPose>> {
    let found = expressions(root, weights, report);
    let mut of_group: [BTreeSet<ScalarIndex>; GROUPS.len()] = Default::default();
    for one in &found {
        let group = one.group.and_then(|group| of_group.get_mut(group));
        if let Some(group) = group {
            group.extend(one.weights.keys());
        }
    }
    let (mut names, mut left, mut poses) = (UsedNames::default(), MAX_WEIGHTS, Vec::new());
    for Expression { name, group, weights } in found {
        let others = group.and_then(|group| of_group.get(group)).into_iter().flatten();
        let mut all: BTreeMap<ScalarIndex, f32> = others.map(|scalar| (*scalar, 0.0)).collect();
        all.extend(weights);
        let Some(rest) = left.checked_sub(all.len()) else {
            report.add("expressions", "more weights than can be kept; the other expressions are ignored");
            break;
        };
        left = rest;
        match bones(&all, skeleton) {
            bones if bones.is_empty() => {
                report.add(format_args!("expression {name}"), "moves no morph target; ignored")
            }
            bones => poses.push(Arc::new(SavedPose { name: names.take(&name), bones })),
        }
    }
    poses
}

/// Weights by the bones that they belong to, in the order of the skeleton.
fn bones(weights: &BTreeMap<ScalarIndex, f32>, skeleton: &Skeleton) -> Vec<SavedBone> {
    let mut of_bone: BTreeMap<u16, Vec<(String, f32)>> = BTreeMap::new();
    for (scalar, value) in weights {
        if let Some(scalar) = skeleton.scalar(*scalar) {
            of_bone.entry(scalar.bone).or_default().push((scalar.name.clone(), *value));
        }
    }
    let saved = |(bone, scalars): (u16, Vec<(String, f32)>)| {
        let bone = skeleton.get(bone)?.name.clone();
        Some(SavedBone { bone, translation: None, rotation: None, scale: None, scalars })
    };
    of_bone.into_iter().filter_map(saved).collect()
}

fn expressions(root: &Root, weights: &Weights, report: &mut Report) -> Vec<Expression> {
    let mut read = Reading { weights, seen: BTreeSet::new(), materials: 0, unknown: 0, left: MAX_WEIGHTS };
    let old = extension(root, "VRM").and_then(|vrm| vrm.get("blendShapeMaster")?.get("blendShapeGroups")?.as_array());
    let new = extension(root, "VRMC_vrm").and_then(|vrm| vrm.get("expressions")?.as_object());
    let found = match (new, old) {
        (Some(new), _) => read.version_1(new),
        (None, Some(old)) => {
            let nodes = nodes_of_meshes(root, weights);
            old.iter().filter_map(|group| read.version_0(group, &nodes)).collect()
        }
        (None, None) => Vec::new(),
    };
    report.not_imported_many("changes of materials by expressions", read.materials);
    if read.unknown > 0 {
        let text = format!("{} morph targets of expressions don't exist; ignored", read.unknown);
        report.add("expressions", text);
    }
    found
}

/// The nodes with morph targets, by their meshes.
fn nodes_of_meshes(root: &Root, weights: &Weights) -> BTreeMap<usize, Vec<usize>> {
    let mut nodes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, json) in root.nodes.iter().enumerate().filter(|(node, _)| weights.of_node(*node).is_some()) {
        if let Some(mesh) = json.mesh {
            nodes.entry(mesh.value()).or_default().push(node);
        }
    }
    nodes
}

struct Reading<'a> {
    weights: &'a Weights,
    /// The presets that were read: of several the first counts.
    seen: BTreeSet<String>,
    materials: usize,
    unknown: usize,
    /// Number of weights that may still be looked up.
    left: usize,
}

impl Reading<'_> {
    fn version_1(&mut self, all: &Map<String, Value>) -> Vec<Expression> {
        let mut found = Vec::new();
        for kind in ["preset", "custom"] {
            for (name, value) in all.get(kind).and_then(Value::as_object).into_iter().flatten() {
                let group = if kind == "preset" { self.group(name) } else { None };
                for binds in ["materialColorBinds", "textureTransformBinds"] {
                    self.materials = self.materials.saturating_add(list(value.get(binds)).count());
                }
                let mut weights = BTreeMap::new();
                for bind in list(value.get("morphTargetBinds")) {
                    let node = bind.get("node").and_then(whole::<usize>);
                    self.bind(node.into_iter(), bind, 1.0, &mut weights);
                }
                found.push(Expression { name: name.clone(), group, weights });
            }
        }
        found
    }

    fn version_0(&mut self, one: &Value, nodes: &BTreeMap<usize, Vec<usize>>) -> Option<Expression> {
        let text = |name: &str| one.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        let preset = text("presetName").filter(|preset| *preset != "unknown");
        let name = text("name").or(preset)?.to_owned();
        let group = preset.and_then(|preset| self.group(preset));
        self.materials = self.materials.saturating_add(list(one.get("materialValues")).count());
        let mut weights = BTreeMap::new();
        for bind in list(one.get("binds")) {
            let of_mesh =
                bind.get("mesh").and_then(whole::<usize>).and_then(|mesh| nodes.get(&mesh)).into_iter().flatten();
            // Weights are percentages.
            self.bind(of_mesh.copied(), bind, 0.01, &mut weights);
        }
        Some(Expression { name, group, weights })
    }

    /// The group of a preset; none for another with a preset that was read.
    fn group(&mut self, preset: &str) -> Option<usize> {
        let plain = preset.to_ascii_lowercase();
        let group = GROUPS.iter().position(|group| group.contains(&plain.as_str()))?;
        self.seen.insert(plain).then_some(group)
    }

    /// Adds the weight that a bind sets on nodes.
    #[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)] // Floating point only; rounding is intended.
    fn bind(
        &mut self,
        nodes: impl Iterator<Item = usize>,
        bind: &Value,
        unit: f64,
        out: &mut BTreeMap<ScalarIndex, f32>,
    ) {
        let value = bind.get("weight").and_then(Value::as_f64).map_or(0.0, |weight| (weight * unit) as f32);
        let target = bind.get("index").and_then(whole::<usize>);
        let mut is_known = false;
        for node in nodes {
            let Some(left) = self.left.checked_sub(1) else { return };
            self.left = left;
            let scalar = target.and_then(|target| self.weights.of_node(node)?.get(target).copied());
            let Some(scalar) = scalar.filter(|_| value.is_finite()) else { continue };
            is_known = true;
            out.insert(scalar, value);
        }
        self.unknown = self.unknown.saturating_add(usize::from(!is_known));
    }
}
