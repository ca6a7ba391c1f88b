//! Meshes: one for each primitive of each node with a mesh. Vertices keep the order of the file.

use glam::{Vec2, Vec3};
use gltf::json::accessor::Accessor;
use gltf::json::extras::Extras;
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::anim::skin::Skin;
use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::MeshSource;
use crate::assets::srgb;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::Names;
use crate::import::assembly::triangles::{list, unit_normal};
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::influences::influences;
use crate::import::gltf::instances;
use crate::import::gltf::materials::Materials;
use crate::import::gltf::morphs::Weights;
use crate::import::gltf::own::{self, Role};
use crate::import::report::{Findings, Report};

/// Maximum deviation of a normal's length from 1 without a warning; normals of bytes are less exact.
const MAX_LENGTH_ERROR: f32 = 0.02;

/// The bytes of parsed JSON for each byte of its text.
const EXTRAS_FACTOR: usize = 16;
/// Fixed cost of a node's mesh, in bytes of memory or in time.
const BYTES_PER_MESH: usize = 2048;

/// The inputs of all meshes.
pub struct Geometry<'a> {
    pub root: &'a Root,
    pub reader: &'a Reader<'a>,
    pub bones: &'a Bones,
    pub skins: &'a [Skin],
    pub weights: &'a Weights,
}

impl Geometry<'_> {
    /// Imports every mesh with its source, in the order of nodes and primitives.
    pub fn meshes(&self, materials: &mut Materials, report: &mut Report) -> Result<Vec<(Mesh, MeshSource)>, Fault> {
        let (mut meshes, mut names) = (Vec::new(), Names::of("mesh"));
        for (node_index, node) in self.root.nodes.iter().enumerate() {
            let Some(mesh_index) = node.mesh.map(|mesh| mesh.value()) else { continue };
            let node_place = format!("node {node_index}");
            let json = self.root.meshes.get(mesh_index);
            let json = json.ok_or_else(|| Fault::at(&node_place, format!("mesh {mesh_index} doesn't exist")))?;
            let binding = self.binding(node_index, &node_place)?;
            let instances = instances::of(node, self.reader, &node_place)?;
            // The node's name is the one in the artist's outliner; a mesh's own is often "Cube.003".
            let named = |name: &Option<String>| name.clone().filter(|name| !name.trim().is_empty());
            let own_name = named(&node.name).or_else(|| named(&json.name));
            let own_name = own_name.as_deref();
            self.reader.charge(bytes_of_extras(&json.extras), &node_place)?;
            let own_names = own::primitive_names(&json.extras);
            for (primitive_index, primitive) in json.primitives.iter().enumerate() {
                let place = format_args!("{node_place}, mesh {mesh_index}, primitive {primitive_index}");
                let findings = &mut report.at(place);
                // A mesh costs that even if it shares all its numbers with others.
                self.reader
                    .charge(BYTES_PER_MESH.saturating_add(bytes_of_extras(&primitive.extras)), &findings.place)?;
                let Some(mut mesh) = self.mesh(primitive, binding, materials, findings)? else { continue };
                let size = (mesh.positions.len(), !mesh.normals.is_empty());
                mesh.morphs = self.weights.targets(node_index, primitive, self.reader, size, findings)?;
                if !instances.is_empty() && mesh.influences.is_empty() {
                    instances::expand(&mut mesh, &instances, self.reader, &findings.place)?;
                }
                mesh.name = match primitive_index {
                    at if own_names.get(at).is_some() => names
                        .take(own_names.get(at).map(String::as_str), &mut report.at(format_args!("mesh {mesh_index}"))),
                    0 => names.take(own_name, &mut report.at(format_args!("mesh {mesh_index}"))),
                    _ => names.take_quietly(own_name.unwrap_or("mesh")),
                };
                meshes.push((mesh, source(node_index, mesh_index, primitive_index)));
            }
        }
        Ok(meshes)
    }

    /// The binding of a node's meshes: its skin, else its own bone.
    fn binding(&self, node_index: usize, place: &str) -> Result<Binding, Fault> {
        let node = self.root.nodes.get(node_index);
        if let Some(skin) = node.and_then(|node| node.skin).map(|skin| skin.value()) {
            let missing = || Fault::at(place, format!("skin {skin} doesn't exist"));
            return self.skins.get(skin).map(|_| Binding::Skin(skin)).ok_or_else(missing);
        }
        let by_name = || match own::role(node?)? {
            Role::Mesh { bone } => self.bones.skeleton.find(&bone?),
            Role::Bone | Role::Socket { .. } | Role::Root => None,
        };
        self.bones
            .of(node_index)
            .or_else(by_name)
            .map(Binding::Bone)
            .ok_or_else(|| Fault::at(place, "the node is not a bone"))
    }

    /// `None` if there is nothing to draw; the report says why.
    fn mesh(
        &self,
        primitive: &Primitive,
        binding: Binding,
        materials: &mut Materials,
        findings: &mut Findings<'_>,
    ) -> Result<Option<Mesh>, Fault> {
        let Some(positions) = self.positions(primitive, findings)? else { return Ok(None) };
        let vertices = positions.len();
        let Some(indices) = self.triangles(primitive, vertices, findings)? else { return Ok(None) };
        let (material, uv_set) = materials.find(primitive.material, findings);
        let (influences, binding) = self.bind(primitive, binding, vertices, findings)?;
        let place = &findings.place.clone();
        let mesh = Mesh {
            name: String::new(),
            normals: self.normals(primitive, vertices, findings)?,
            uvs: self.uvs(primitive, uv_set, vertices, place)?,
            colors: self.colors(primitive, vertices, place)?,
            positions,
            indices,
            influences,
            morphs: Vec::new(),
            material,
            binding,
        };
        Ok(Some(mesh))
    }

    fn positions(&self, primitive: &Primitive, findings: &mut Findings<'_>) -> Result<Option<Vec<Vec3>>, Fault> {
        let Some(column) = attribute(primitive, Semantic::Positions) else {
            findings.add("no positions; ignored");
            return Ok(None);
        };
        let place = format!("{}, POSITION", findings.place);
        let positions: Vec<Vec3> = self.reader.floats(column, &place)?.into_iter().map(Vec3::from_array).collect();
        if let Some(vertex) = positions.iter().position(|position| !position.is_finite()) {
            return Err(Fault::at(place, format!("vertex {vertex} is not finite")));
        }
        if positions.is_empty() {
            findings.add("no vertices; ignored");
            return Ok(None);
        }
        Ok(Some(positions))
    }

    fn triangles(
        &self,
        primitive: &Primitive,
        vertices: usize,
        findings: &mut Findings<'_>,
    ) -> Result<Option<Vec<u32>>, Fault> {
        let Checked::Valid(mode) = primitive.mode else {
            return Err(findings.fault("unknown mode"));
        };
        let indices = match primitive.indices {
            None => (0..u32::try_from(vertices).unwrap_or(u32::MAX)).collect(),
            Some(column) => {
                let indices = self.reader.integers::<1>(column, &format_args!("{}, indices", findings.place))?;
                indices.into_iter().map(|[index]| index).collect::<Vec<_>>()
            }
        };
        if let Some(index) = indices.iter().find(|&&index| index as usize >= vertices) {
            return Err(findings.fault(format!("index {index}, but there are {vertices} vertices")));
        }
        let count = indices.len();
        let Some(triangles) = list(mode, indices) else {
            findings.report.not_imported("points and lines");
            return Ok(None);
        };
        if count < 3 {
            findings.add(format_args!("{count} indices do not make whole triangles"));
        }
        Ok(Some(triangles))
    }

    /// None if the file has none: the triangles are flat (glTF 2.0, section 3.7.2.1).
    fn normals(&self, primitive: &Primitive, vertices: usize, findings: &mut Findings<'_>) -> Result<Vec<Vec3>, Fault> {
        let Some(column) = attribute(primitive, Semantic::Normals) else { return Ok(Vec::new()) };
        let place = format!("{}, NORMAL", findings.place);
        let normals: Vec<Vec3> = self.reader.floats(column, &place)?.into_iter().map(Vec3::from_array).collect();
        same_count(normals.len(), vertices, &place)?;
        let is_unit = |normal: &Vec3| (normal.length() - 1.0).abs() <= MAX_LENGTH_ERROR;
        let off = normals.iter().filter(|normal| !is_unit(normal)).count();
        if off > 0 {
            findings.add(format_args!("{off} normals are not of unit length; normalised"));
        }
        Ok(normals.into_iter().map(unit_normal).collect())
    }

    fn uvs(&self, primitive: &Primitive, set: u32, vertices: usize, place: &str) -> Result<Vec<Vec2>, Fault> {
        let Some(column) = attribute(primitive, Semantic::TexCoords(set)) else { return Ok(Vec::new()) };
        let place = format!("{place}, TEXCOORD_{set}");
        let uvs: Vec<Vec2> = self.reader.floats(column, &place)?.into_iter().map(Vec2::from_array).collect();
        same_count(uvs.len(), vertices, &place)?;
        match uvs.iter().position(|uv| !uv.is_finite()) {
            Some(vertex) => Err(Fault::at(place, format!("vertex {vertex} is not finite"))),
            None => Ok(uvs),
        }
    }

    fn colors(&self, primitive: &Primitive, vertices: usize, place: &str) -> Result<Vec<[u8; 4]>, Fault> {
        let Some(column) = attribute(primitive, Semantic::Colors(0)) else { return Ok(Vec::new()) };
        let place = format!("{place}, COLOR_0");
        let colors: Vec<[f32; 4]> = match self.reader.width(column, &place)? {
            4 => self.reader.floats(column, &place)?,
            _ => self.reader.floats::<3>(column, &place)?.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect(),
        };
        same_count(colors.len(), vertices, &place)?;
        Ok(colors.into_iter().map(encoded).collect())
    }

    /// The influences of a skinned primitive. Without any, or without a skin, its binding is its bone.
    fn bind(
        &self,
        primitive: &Primitive,
        binding: Binding,
        vertices: usize,
        findings: &mut Findings<'_>,
    ) -> Result<(Vec<InfluenceSet>, Binding), Fault> {
        let Binding::Skin(index) = binding else { return Ok((Vec::new(), binding)) };
        let joints = self.skins.get(index).map_or(0, |skin| skin.joints.len());
        let sets = influences(primitive, self.reader, joints, vertices, findings)?;
        if !sets.is_empty() {
            return Ok((sets, binding));
        }
        findings.add("skinned, but without joints and weights; bound to the first joint of its skin");
        let mut weights = vec![[0.0; 4]; vertices];
        weights.iter_mut().flat_map(|four| four.iter_mut().take(1)).for_each(|weight| *weight = 1.0);
        let joints = vec![[0; 4]; vertices];
        Ok((vec![InfluenceSet { joints, weights }], binding))
    }
}

/// Returns the memory for the extras of a mesh or primitive: they are parsed for each node.
fn bytes_of_extras(extras: &Extras) -> usize {
    extras.as_ref().map_or(0, |extras| extras.get().len().saturating_mul(EXTRAS_FACTOR))
}

fn attribute(primitive: &Primitive, semantic: Semantic) -> Option<Index<Accessor>> {
    primitive.attributes.get(&Checked::Valid(semantic)).copied()
}

fn same_count(count: usize, vertices: usize, place: &str) -> Result<(), Fault> {
    if count == vertices { Ok(()) } else { Err(Fault::at(place, format!("{count} values for {vertices} vertices"))) }
}

fn source(node: usize, mesh: usize, primitive: usize) -> MeshSource {
    let [node, mesh, primitive] = [node, mesh, primitive].map(|index| u32::try_from(index).unwrap_or(u32::MAX));
    MeshSource { node, mesh, primitive }
}

/// Converts a linear colour to the mesh's form: sRGB-encoded with linear alpha.
fn encoded([red, green, blue, alpha]: [f32; 4]) -> [u8; 4] {
    [srgb::encoded(red), srgb::encoded(green), srgb::encoded(blue), alpha].map(srgb::byte)
}
