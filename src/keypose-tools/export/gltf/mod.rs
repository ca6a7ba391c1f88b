//! Binary glTF 2.0 (.glb): a model with its skins, materials, textures, sockets and clips. Keys stay keys. What glTF has no words
//! for (events, loop modes, sockets, exact times, the state machine) is in `extras`; docs/export.md describes it. The import reads
//! it again, without the machine.
//!
//! The document is built as JSON values instead of the structs of `gltf-json`, which need every field and write absent ones as
//! `null` (decision 135). Lights and cameras are left out.

mod attributes;
mod binary;
mod clips;
pub(crate) mod combat;
mod container;
mod curves;
mod frames;
mod list;
mod materials;
mod meshes;
pub(crate) mod morphs;
mod nodes;
mod seam;
mod springs;
mod tangents;
mod weights;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::anim::scalar::ScalarIndex;
use crate::anim::skin::method::Method;
use crate::assets::model::Model;
use crate::export::gltf::binary::Binary;
pub use crate::export::gltf::container::generator_of;
use crate::export::gltf::list::List;
use crate::export::{ExportError, machine_json};

/// Form of the names of looping clips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopNames {
    /// Names are written unchanged. The loop mode is in `extras` only.
    #[default]
    Plain,
    /// The names of looping clips end in `-loop`, so that Godot imports them as loops.
    Godot,
}

impl LoopNames {
    /// All, the default first.
    pub const ALL: [LoopNames; 2] = [LoopNames::Plain, LoopNames::Godot];
}

/// The options of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlbOptions {
    /// Names of looping clips.
    pub loop_names: LoopNames,
}

/// An encoded file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glb {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Values that glTF can't hold and that were left out or changed, one sentence each.
    pub findings: Vec<String>,
}

/// Encodes a model that passes [`Model::check`]. The same model gives the same bytes.
///
/// # Errors
/// If the file would be larger than 4 GiB, the maximum of the format.
pub fn encode(model: &Model, options: GlbOptions) -> Result<Glb, ExportError> {
    let mut file = File::default();
    let materials = materials::write(model, &mut file)?;
    let skins = nodes::skins(model, &mut file);
    let meshes = meshes::write(model, &skins, &mut file);
    let tree = nodes::write(model, &skins, meshes, &mut file);
    let animations = clips::write(model, options.loop_names, &mut file)?;
    let asset = json!({
        "version": "2.0",
        "generator": concat!("Keypose ", env!("CARGO_PKG_VERSION")),
        "extras": extras(notes(model)),
    });
    let springs = springs::write(model);
    file.extensions.extend(springs.as_ref().map(|_| springs::NAME));
    let File { binary, findings, extensions, skins, meshes, .. } = file;
    let scene = (!tree.nodes.is_empty()).then_some(tree.scene);
    let buffer = (!binary.bytes.is_empty()).then(|| json!({ "byteLength": binary.bytes.len() }));
    let lists = [
        ("skins", skins.into_iter().collect::<List>()),
        ("meshes", meshes.into_iter().collect()),
        ("animations", animations),
        ("materials", materials.materials.into_iter().collect()),
        ("textures", materials.textures.into_iter().collect()),
        ("samplers", materials.samplers.into_iter().collect()),
        ("images", materials.images.into_iter().collect()),
        ("extensionsUsed", extensions.into_iter().map(Value::from).collect()),
        ("accessors", binary.accessors),
        ("bufferViews", binary.views),
        ("nodes", tree.nodes.into_iter().collect()),
        ("buffers", buffer.into_iter().collect()),
        ("scenes", scene.iter().map(|scene| json!({ "nodes": scene })).collect()),
    ];
    let mut members: BTreeMap<&str, String> =
        lists.into_iter().filter_map(|(name, list)| Some((name, list.into_text()?))).collect();
    members.insert("asset", asset.to_string());
    members.extend(springs.map(|springs| ("extensions", json!({ springs::NAME: springs }).to_string())));
    members.extend(scene.map(|_| ("scene", "0".to_owned())));
    Ok(Glb { bytes: container::join(members, binary.bytes)?, findings })
}

/// The members of the file's own `extras`.
fn notes(model: &Model) -> Value {
    let mut notes = json!({ "version": 1, "model": model.name, "hurt": combat::volumes(&model.combat.hurt) });
    if model.skinning != Method::default() {
        notes["skinning"] = model.skinning.name().into();
    }
    if let Some(gravity) = model.rig.gravity {
        notes["gravity"] = f64::from(gravity).into();
    }
    if !model.skeleton.scalars().is_empty() {
        notes["scalars"] = morphs::scalars(&model.skeleton);
    }
    if let Some(machine) = machine_json::of_model(model) {
        notes["machine"] = machine;
    }
    notes
}

/// A file while it is written.
#[derive(Default)]
struct File {
    binary: Binary,
    findings: Vec<String>,
    /// The names of the extensions in use.
    extensions: BTreeSet<&'static str>,
    skins: Vec<Value>,
    meshes: Vec<Value>,
    /// Nodes with morph targets, and the scalars of their weights.
    weights: Vec<(usize, Vec<ScalarIndex>)>,
}

/// The `extras` of an object: our own are in one member, so that they can't collide with those of others.
fn extras(own: Value) -> Value {
    json!({ "keypose": own })
}

/// Numbers as JSON: exactly the same `f32` when they are read again.
fn numbers(numbers: &[f32]) -> Value {
    numbers.iter().map(|number| Value::from(f64::from(*number))).collect()
}
