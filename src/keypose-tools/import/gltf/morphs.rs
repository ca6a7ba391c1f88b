//! Morph targets: a scalar for each weight of each node with a mesh, and the differences of each primitive.

use std::collections::BTreeMap;

use glam::Vec3;
use gltf::json::mesh::{Mesh as JsonMesh, Primitive};
use gltf::json::scene::Node;
use gltf::json::{Extras, Index, Root, accessor::Accessor};
use serde_json::Value;

use crate::anim::morph::MorphTarget;
use crate::anim::scalar::{MAX_SCALARS, Scalar, ScalarIndex, ScalarKind, Sheet};
use crate::anim::skeleton::BoneIndex;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::Names;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::json::{float, whole};
use crate::import::gltf::own::{self, Role};
use crate::import::report::{Findings, Report};

/// The weights of all nodes with morph targets.
#[derive(Default)]
pub struct Weights {
    pub scalars: Vec<Scalar>,
    /// The scalars of each node.
    of_node: BTreeMap<usize, Vec<ScalarIndex>>,
}

impl Weights {
    /// Reads the names and defaults of the weights of all nodes.
    pub fn of(root: &Root, bones: &Bones, report: &mut Report) -> Weights {
        let (mut weights, mut names) = (Weights::default(), BTreeMap::new());
        weights.scalars = own_scalars(root, bones).unwrap_or_default();
        for scalar in &weights.scalars {
            names.entry(scalar.bone).or_insert_with(|| Names::of("morph target")).take_quietly(&scalar.name);
        }
        let mut given = BTreeMap::new();
        for (index, node) in root.nodes.iter().enumerate() {
            let Some(mesh_index) = node.mesh.map(|mesh| mesh.value()) else { continue };
            let Some(mesh) = root.meshes.get(mesh_index) else { continue };
            let targets = |primitive: &Primitive| primitive.targets.as_ref().map_or(0, Vec::len);
            let count = mesh.primitives.iter().map(targets).max().unwrap_or(0);
            if let Some(own) = own_weights(node, count, weights.scalars.len()) {
                weights.of_node.insert(index, own);
            } else if count > 0 {
                let bone = bone_of(root, bones, index, node);
                let names = names.entry(bone).or_insert_with(|| Names::of("morph target"));
                let given = given.entry(mesh_index).or_insert_with(|| target_names(mesh));
                let findings = &mut report.at(format_args!("node {index}"));
                weights.add((index, node), (mesh, given), (bone, count), (names, findings));
            }
        }
        weights
    }

    fn add(
        &mut self,
        (index, node): (usize, &Node),
        (mesh, given): (&JsonMesh, &[String]),
        (bone, count): (BoneIndex, usize),
        (names, findings): (&mut Names, &mut Findings<'_>),
    ) {
        let left = MAX_SCALARS.saturating_sub(self.scalars.len());
        if count > left {
            findings.add(format_args!(
                "{count} morph targets, more than the maximum of {MAX_SCALARS}; only {left} imported"
            ));
        }
        let defaults = node.weights.as_ref().or(mesh.weights.as_ref());
        let start = self.scalars.len();
        for target in 0..count.min(left) {
            let name = given.get(target).map(|name| name.trim()).filter(|name| !name.is_empty());
            let default = defaults.and_then(|defaults| defaults.get(target)).copied().unwrap_or(0.0);
            if !default.is_finite() {
                findings.add(format_args!("the default of weight {target} is not finite; replaced by 0"));
            }
            let unnamed = format!("morph {target}");
            self.scalars.push(Scalar {
                name: names.take_quietly(name.unwrap_or(&unnamed)),
                bone,
                kind: ScalarKind::Weight,
                default: if default.is_finite() { default } else { 0.0 },
            });
        }
        let place = |at: usize| ScalarIndex::try_from(at).unwrap_or(ScalarIndex::MAX);
        self.of_node.insert(index, (start..self.scalars.len()).map(place).collect());
    }

    /// The scalars of a node's weights, in the order of its targets.
    pub fn of_node(&self, node: usize) -> Option<&[ScalarIndex]> {
        self.of_node.get(&node).map(Vec::as_slice).filter(|scalars| !scalars.is_empty())
    }

    /// The bone of a scalar.
    pub fn bone(&self, scalar: ScalarIndex) -> BoneIndex {
        self.scalars.get(usize::from(scalar)).map_or(0, |scalar| scalar.bone)
    }

    /// The morph targets of a primitive of a node.
    pub fn targets(
        &self,
        node: usize,
        primitive: &Primitive,
        reader: &Reader<'_>,
        (vertices, has_normals): (usize, bool),
        findings: &mut Findings<'_>,
    ) -> Result<Vec<MorphTarget>, Fault> {
        let scalars = self.of_node(node).unwrap_or_default();
        let mut targets = Vec::new();
        for (index, (&scalar, json)) in scalars.iter().zip(primitive.targets.iter().flatten()).enumerate() {
            let place = format!("{}, morph target {index}", findings.place);
            let positions = differences(reader, json.positions, vertices, &place)?;
            let normals = if has_normals { differences(reader, json.normals, vertices, &place)? } else { Vec::new() };
            if positions.is_empty() && normals.is_empty() {
                targets.push(MorphTarget { scalar, ..MorphTarget::default() });
                continue;
            }
            let positions = if positions.is_empty() { vec![Vec3::ZERO; vertices] } else { positions };
            targets.push(MorphTarget::of(scalar, &positions, &normals));
        }
        Ok(targets)
    }
}

/// The bone that the weights of a node belong to: its own, the one that our export names, or the first joint of its skin.
fn bone_of(root: &Root, bones: &Bones, index: usize, node: &Node) -> BoneIndex {
    let named = || match own::role(node)? {
        Role::Mesh { bone } => bones.skeleton.find(&bone?),
        Role::Bone | Role::Socket { .. } | Role::Root => None,
    };
    let joint = || {
        let skin = root.skins.get(node.skin?.value())?;
        bones.of(skin.joints.first()?.value())
    };
    bones.of(index).or_else(named).or_else(joint).unwrap_or_default()
}

/// The scalars of our own export; `None` if they don't fit the bones.
fn own_scalars(root: &Root, bones: &Bones) -> Option<Vec<Scalar>> {
    let notes = own::notes(&root.asset.extras)?;
    let scalar = |value: &Value| {
        let kind = value.get("kind")?.as_str()?;
        let side = |at: usize| value.get("sheet")?.get(at).and_then(whole::<u8>);
        let sheet = Sheet { columns: side(0).unwrap_or(1), rows: side(1).unwrap_or(1) };
        Some(Scalar {
            name: value.get("name")?.as_str()?.to_owned(),
            // A bone may have got another name since.
            bone: bones.skeleton.find(value.get("bone")?.as_str()?).unwrap_or_default(),
            kind: ScalarKind::named(kind, sheet)?,
            default: float(value.get("default")?)?,
        })
    };
    let scalars: Option<Vec<Scalar>> = notes.get("scalars")?.as_array()?.iter().map(scalar).collect();
    scalars.filter(|scalars| bones.skeleton.clone().with_scalars(scalars.clone()).is_ok())
}

/// The scalars of a node's weights in our own export.
fn own_weights(node: &Node, count: usize, scalars: usize) -> Option<Vec<ScalarIndex>> {
    let notes = own::notes(&node.extras)?;
    let index = |value: &Value| whole(value).filter(|index: &ScalarIndex| usize::from(*index) < scalars);
    let weights: Vec<ScalarIndex> = notes.get("weights")?.as_array()?.iter().map(index).collect::<Option<_>>()?;
    (weights.len() == count).then_some(weights)
}

/// The names that most exporters write beside a mesh, and UniVRM beside its primitives.
fn target_names(mesh: &JsonMesh) -> Vec<String> {
    let names = |extras: &Extras| {
        let parsed = serde_json::from_str::<Value>(extras.as_ref()?.get()).ok()?;
        parsed.get("targetNames")?.as_array().cloned()
    };
    let of_primitives = || mesh.primitives.iter().find_map(|primitive| names(&primitive.extras));
    names(&mesh.extras)
        .or_else(of_primitives)
        .unwrap_or_default()
        .iter()
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect()
}

/// The differences of all vertices; none if the file has none.
fn differences(
    reader: &Reader<'_>,
    column: Option<Index<Accessor>>,
    vertices: usize,
    place: &str,
) -> Result<Vec<Vec3>, Fault> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let values: Vec<Vec3> = reader.floats(column, &place)?.into_iter().map(Vec3::from_array).collect();
    if values.len() != vertices {
        return Err(Fault::at(place, format!("{} values for {vertices} vertices", values.len())));
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(vertex) => Err(Fault::at(place, format!("vertex {vertex} is not finite"))),
        None => Ok(values),
    }
}
