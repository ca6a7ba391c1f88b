//! Meshes: one for each list of faces of each instance of a geometry, skinned or attached to the bone of its node.

use std::sync::Arc;

use roxmltree::Node;

use crate::anim::skin::Skin;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{MeshSlot, MeshSource, Visibility};
use crate::import::assembly::budget::Budget;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::Names;
use crate::import::assembly::vertices::Vertices;
use crate::import::assembly::weights::Weights;
use crate::import::collada::controllers::{Controller, controller};
use crate::import::collada::document::{Document, child, children, label};
use crate::import::collada::geometry::{FACES, Faces};
use crate::import::collada::materials::Materials;
use crate::import::collada::morphs::{Morph, Shapes};
use crate::import::collada::scene::Scene;
use crate::import::collada::skins;
use crate::import::error::Fault;
use crate::import::report::{Findings, Report};

/// The meshes of a file.
pub struct Meshes<'d, 'a> {
    pub slots: Vec<MeshSlot>,
    pub sources: Vec<Option<MeshSource>>,
    pub skins: Vec<Skin>,
    pub shapes: Shapes,
    document: &'d Document<'a>,
    scene: &'d Scene<'a>,
    bones: &'d Bones,
    names: Names,
    /// Nodes can share a geometry, so a small file could ask for any amount.
    budget: Budget,
}

/// Bytes of a skin's joint: index and inverse bind matrix.
const BYTES_PER_JOINT: usize = 128;

/// Steps to find the sources of a list of faces.
const STEPS_PER_LIST: usize = 64;

/// Binding, influences and morphs of an instance's meshes.
struct Mover<'a> {
    binding: Binding,
    influences: Vec<Vec<(u16, f32)>>,
    morph: Morph<'a>,
}

impl<'d, 'a> Meshes<'d, 'a> {
    /// Starts without a mesh, for a file of `input` bytes.
    pub fn new(document: &'d Document<'a>, scene: &'d Scene<'a>, bones: &'d Bones, input: usize) -> Meshes<'d, 'a> {
        let (slots, sources, skins, names) = (Vec::new(), Vec::new(), Vec::new(), Names::of("mesh"));
        let shapes = Shapes::default();
        Meshes { slots, sources, skins, shapes, document, scene, bones, names, budget: Budget::of(input) }
    }

    /// Reads the meshes of all nodes.
    pub fn read(&mut self, materials: &mut Materials<'_, '_, '_, 'a>, report: &mut Report) -> Result<(), Fault> {
        for (index, node) in self.scene.nodes.iter().enumerate() {
            let findings = &mut report.at(format_args!("node {}", label(node.element)));
            self.document.take_steps(node.element.children().count());
            self.document.check_steps()?;
            for instance in children(node.element, "instance_geometry") {
                let bone = self.bones.of(index).ok_or_else(|| findings.fault("the node is not a bone"))?;
                let mover = Mover { binding: Binding::Bone(bone), influences: Vec::new(), morph: Morph::default() };
                let geometry = instance.attribute("url").and_then(|url| self.document.by_url(url));
                self.instance((index, instance), geometry, &mover, materials, findings)?;
            }
            for instance in children(node.element, "instance_controller") {
                self.controller((index, instance), materials, findings)?;
            }
        }
        Ok(())
    }

    fn controller(
        &mut self,
        (node, instance): (usize, Node<'a, 'a>),
        materials: &mut Materials<'_, '_, '_, 'a>,
        findings: &mut Findings<'_>,
    ) -> Result<(), Fault> {
        let Controller { skin, morph, geometry, has_more } = controller(self.document, instance);
        self.document.check_steps()?;
        if has_more {
            findings.add("several skins or morphs on each other; only the first of each is used");
        }
        if skin.is_none() && morph.is_none() {
            findings.add("its controller is no skin and no morph; ignored");
            return Ok(());
        }
        let bone = self.bones.of(node).ok_or_else(|| findings.fault("the node is not a bone"))?;
        let still = || Mover { binding: Binding::Bone(bone), influences: Vec::new(), morph: Morph::default() };
        let mover = match skin {
            Some(skin) => self.bound((skin, instance), findings),
            None => Ok(still()),
        };
        self.document.check_steps()?;
        let mut mover = mover.unwrap_or_else(|fault| {
            findings.report.add("skins", format_args!("{fault}; the mesh is bound to its node"));
            still()
        });
        if let Some(morph) = morph {
            mover.morph = self.shapes.add(self.document, morph, bone, findings);
        }
        self.instance((node, instance), geometry, &mover, materials, findings)
    }

    /// Reads the skin of an instance.
    fn bound(
        &mut self,
        (skin, instance): (Node<'a, 'a>, Node<'a, 'a>),
        findings: &mut Findings<'_>,
    ) -> Result<Mover<'a>, Fault> {
        self.document.take_steps(skin.children().count());
        let bound = skins::read(self.document, self.scene, self.bones, (skin, instance), findings)?;
        if !self.budget.take(bound.skin.joints.len().saturating_mul(BYTES_PER_JOINT)) {
            return Err(findings.fault("its nodes ask for far more skins than the file holds"));
        }
        self.skins.push(bound.skin);
        let binding = Binding::Skin(self.skins.len().saturating_sub(1));
        Ok(Mover { binding, influences: bound.influences, morph: Morph::default() })
    }

    fn instance(
        &mut self,
        (node, instance): (usize, Node<'a, 'a>),
        geometry: Option<Node<'a, 'a>>,
        mover: &Mover<'a>,
        materials: &mut Materials<'_, '_, '_, 'a>,
        findings: &mut Findings<'_>,
    ) -> Result<(), Fault> {
        let Some(mesh) = geometry.and_then(|geometry| child(geometry, "mesh")) else {
            findings.add("its geometry is missing or no mesh; ignored");
            return Ok(());
        };
        if mesh.children().any(|child| ["lines", "linestrips"].contains(&child.tag_name().name())) {
            findings.report.not_imported("points and lines");
        }
        let mut part = 0_u32;
        let lists = mesh.children().filter(|child| FACES.contains(&child.tag_name().name()));
        for (at, element) in lists.enumerate() {
            self.document.take_steps(element.children().count().saturating_add(STEPS_PER_LIST));
            self.document.take_steps(instance.descendants().count());
            self.document.check_steps()?;
            let symbol = element.attribute("material");
            let faces = Faces::new(self.document, mesh, element, materials.uv_set(symbol, instance), findings)?;
            let polygons = faces.polygons();
            if !self.budget.take_corners(polygons.iter().map(Vec::len).sum()) {
                return Err(findings.fault("its nodes ask for far more vertices than the file holds"));
            }
            let vertices = faces.read(&polygons, findings)?;
            if vertices.indices.is_empty() {
                continue;
            }
            self.document.take_steps(instance.descendants().count());
            let material = materials.find(symbol, instance, findings.report);
            let parts = (&vertices, at);
            let morphs = mover.morph.targets(self.document, parts, &mut self.budget, findings)?;
            let mesh = self.mesh(
                &label(self.scene.nodes.get(node).map_or(mesh, |node| node.element)),
                vertices,
                mover,
                findings,
            );
            self.slots
                .push(MeshSlot { mesh: Arc::new(Mesh { material, morphs, ..mesh }), visibility: Visibility::Shown });
            self.sources.push(Some(MeshSource {
                node: u32::try_from(node).unwrap_or(u32::MAX),
                mesh: 0,
                primitive: part,
            }));
            part = part.saturating_add(1);
        }
        if part == 0 {
            findings.add("no triangles; ignored");
        }
        Ok(())
    }

    /// The mesh without its material.
    fn mesh(&mut self, name: &str, vertices: Vertices, mover: &Mover<'a>, findings: &mut Findings<'_>) -> Mesh {
        let mut sets = Vec::new();
        if let Binding::Skin(_) = mover.binding {
            let (mut weights, mut influences) = (Weights::default(), Vec::new());
            for &point in &vertices.points {
                influences.clear();
                influences.extend(mover.influences.get(point as usize).into_iter().flatten());
                weights.push(&mut influences, 0);
            }
            sets = weights.into_sets(findings);
        }
        let name = self.names.take_quietly(if name.trim().is_empty() { "mesh" } else { name });
        Mesh { influences: sets, ..vertices.into_mesh(name, mover.binding) }
    }
}
