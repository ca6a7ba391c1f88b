//! Meshes: one for each material of each node with a mesh, skinned or attached to the bone of its node.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::Mat4;
use ufbx::{ElementType, Node, Scene, SubdivisionDisplayMode};

use crate::anim::skeleton::BoneIndex;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{MeshSlot, MeshSource, Visibility};
use crate::import::assembly::budget::Budget;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::Names;
use crate::import::assembly::vertices::Vertices;
use crate::import::assembly::weights::Weights;
use crate::import::error::Fault;
use crate::import::fbx::materials::{Materials, uv_set};
use crate::import::fbx::morphs::{self, Shapes, Weighted};
use crate::import::fbx::skins::{Bound, Skins};
use crate::import::fbx::vertices::{self, Geometry};
use crate::import::report::{Findings, Report};

/// The meshes of a file.
pub struct Meshes<'a> {
    pub slots: Vec<MeshSlot>,
    pub sources: Vec<Option<MeshSource>>,
    pub skins: Skins,
    pub shapes: Shapes,
    bones: &'a Bones,
    names: Names,
    /// Nodes can share a mesh, so a small file could ask for any amount.
    budget: Budget,
    /// The ids of nodes that the file hides.
    hidden: HashSet<u32>,
}

impl<'a> Meshes<'a> {
    /// Starts without a mesh, for a file of `input` bytes, with how its joints were moved.
    pub fn new(bones: &'a Bones, moved: HashMap<u32, Mat4>, input: usize) -> Meshes<'a> {
        let budget = Budget::of(input);
        let (slots, sources, skins, names) = (Vec::new(), Vec::new(), Skins::new(moved), Names::of("mesh"));
        Meshes { slots, sources, skins, shapes: Shapes::default(), bones, names, budget, hidden: HashSet::new() }
    }

    /// Reads the meshes of all nodes.
    pub fn read(&mut self, scene: &Scene, materials: &mut Materials<'_, '_>, report: &mut Report) -> Result<(), Fault> {
        self.hidden = hidden(scene);
        for node in scene.nodes.iter() {
            let findings = &mut report.at(format_args!("node {}", &*node.element.name));
            self.node(node, materials, findings)?;
        }
        let hidden = self.slots.iter().filter(|slot| slot.visibility == Visibility::Hidden).count();
        if hidden > 0 && hidden == self.slots.len() {
            // 3ds Max wrote so of all nodes long ago.
            self.slots.iter_mut().for_each(|slot| slot.visibility = Visibility::Shown);
            report.add("nodes", "all meshes are hidden in the file; they are shown");
        } else if hidden > 0 {
            report.add("nodes", format_args!("{hidden} meshes are hidden in the file"));
        }
        Ok(())
    }

    fn node(
        &mut self,
        node: &Node,
        materials: &mut Materials<'_, '_>,
        findings: &mut Findings<'_>,
    ) -> Result<(), Fault> {
        let Some(mesh) = node.mesh.as_ref() else { return Ok(()) };
        let bone = self.bones.of(node.element.typed_id as usize);
        let bone = bone.ok_or_else(|| findings.fault("the node is not a bone"))?;
        if !self.budget.take_corners(mesh.num_indices) {
            return Err(findings.fault("its nodes ask for far more vertices than the file holds"));
        }
        if mesh.skin_deformers.count > 1 {
            findings.add(format_args!("{} skins; only the first is used", mesh.skin_deformers.count));
        }
        if matches!(
            mesh.subdivision_display_mode,
            SubdivisionDisplayMode::Smooth | SubdivisionDisplayMode::HullAndSmooth
        ) {
            findings.add("a cage that is smoothed by subdivision in its program; imported as the cage");
        }
        let bound = match mesh.skin_deformers.first() {
            Some(deformer) => self.skins.bind(deformer, (node, bone), (self.bones, &mut self.budget), findings)?,
            None => None,
        };
        let weighted = self.shapes.add(node, bone, findings);
        let geometry = Geometry::of(node);
        for (index, part) in mesh.material_parts.iter().enumerate().filter(|(_, part)| part.num_triangles > 0) {
            let material = node.materials.get(index).map(AsRef::as_ref);
            let read = vertices::read((mesh, part), &geometry, material.map_or("", uv_set), findings)?;
            let mesh = self.part(node, (read, &geometry), (bound.as_ref(), bone), &weighted, findings)?;
            let material = materials.find(material, findings.report);
            self.push(node, index, Mesh { material, ..mesh });
        }
        if mesh.num_triangles == 0 {
            findings.add("no triangles; ignored");
        }
        Ok(())
    }

    /// The mesh of a part from its vertices, without its material.
    fn part(
        &mut self,
        node: &Node,
        (read, geometry): (Vertices, &Geometry),
        (bound, bone): (Option<&Bound<'_>>, BoneIndex),
        weighted: &[Weighted<'_>],
        findings: &mut Findings<'_>,
    ) -> Result<Mesh, Fault> {
        let name = if self.slots.is_empty() && node.element.name.is_empty() {
            self.names.take_quietly("mesh")
        } else {
            self.names.take_quietly(&node.element.name)
        };
        let influences = bound.map(|bound| {
            let (mut weights, mut influences) = (Weights::default(), Vec::new());
            for &point in &read.points {
                bound.influences(point as usize, &mut influences);
                // A vertex that stays with its node is as its author wants it.
                if influences.is_empty() {
                    influences.push((bound.otherwise, 1.0));
                }
                weights.push(&mut influences, bound.otherwise);
            }
            weights.into_sets(findings)
        });
        let morphs = morphs::targets(&read.points, (weighted, geometry), &mut self.budget);
        let morphs =
            morphs.ok_or_else(|| findings.fault("its blend shapes ask for far more vertices than the file holds"))?;
        let binding = bound.map_or(Binding::Bone(bone), |bound| Binding::Skin(bound.skin));
        let influences = influences.unwrap_or_default();
        Ok(Mesh { influences, morphs, ..read.into_mesh(name, binding) })
    }

    fn push(&mut self, node: &Node, part: usize, mesh: Mesh) {
        let is_hidden = self.hidden.contains(&node.element.typed_id);
        let visibility = if is_hidden { Visibility::Hidden } else { Visibility::Shown };
        let of_mesh = node.mesh.as_ref().map_or(0, |mesh| mesh.element.typed_id);
        let primitive = u32::try_from(part).unwrap_or(u32::MAX);
        self.sources.push(Some(MeshSource { node: node.element.typed_id, mesh: of_mesh, primitive }));
        self.slots.push(MeshSlot { mesh: Arc::new(mesh), visibility });
    }
}

/// The ids of nodes that are hidden, by their own or in a hidden display layer, below hidden nodes, or as a coarser level of detail.
fn hidden(scene: &Scene) -> HashSet<u32> {
    let layers = scene.display_layers.iter().filter(|layer| !layer.visible);
    let mut hidden: HashSet<u32> =
        layers.flat_map(|layer| layer.nodes.iter().map(|node| node.element.typed_id)).collect();
    // Parents come first.
    for node in scene.nodes.iter() {
        let own = &node.element;
        let inherits = own.props.find_prop("Visibility Inheritance").is_none_or(|prop| prop.value_int != 0);
        let is_below = node.parent.as_ref().is_some_and(|parent| {
            let finest = parent.children.first().map(|first| first.element.typed_id);
            let is_coarser = parent.attrib_type == ElementType::LodGroup && finest != Some(own.typed_id);
            is_coarser || inherits && hidden.contains(&parent.element.typed_id)
        });
        if is_below || !node.visible {
            hidden.insert(own.typed_id);
        }
    }
    hidden
}
