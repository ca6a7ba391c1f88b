//! Morphs: a scalar for each target of each instance, the differences of its geometry, and the curves of its weight.

use std::collections::{BTreeMap, HashMap};

use glam::Vec3;
use roxmltree::{Node, NodeId};

use crate::anim::morph::MorphTarget;
use crate::anim::scalar::{MAX_SCALARS, Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::BoneIndex;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::names::Names;
use crate::import::assembly::vertices::Vertices;
use crate::import::assembly::weights::finite;
use crate::import::collada::document::{Document, child, children, label};
use crate::import::collada::geometry::{FACES, Faces};
use crate::import::collada::sources::{floats, inputs, names, source_of};
use crate::import::error::Fault;
use crate::import::report::Findings;

/// Approximate bytes of a target's vertex.
const BYTES_PER_VERTEX: usize = 32;
/// Steps to read the positions of a target.
const STEPS_PER_TARGET: usize = 64;

/// The weights of all instances with morphs.
#[derive(Default)]
pub struct Shapes {
    pub scalars: Vec<Scalar>,
    /// The scalars of each instance by the source of their weights, in the order of the targets.
    of_weights: HashMap<NodeId, Vec<Vec<ScalarIndex>>>,
    names: BTreeMap<BoneIndex, Names>,
}

/// The targets of an instance.
#[derive(Clone, Default)]
pub struct Morph<'a> {
    /// Whether targets are differences from the geometry, not shapes.
    is_relative: bool,
    targets: Vec<(ScalarIndex, Node<'a, 'a>)>,
}

impl Shapes {
    /// Adds the targets of an instance whose weights belong to a bone.
    pub fn add<'a>(
        &mut self,
        document: &Document<'a>,
        morph: Node<'a, 'a>,
        bone: BoneIndex,
        findings: &mut Findings<'_>,
    ) -> Morph<'a> {
        let list = child(morph, "targets").map(inputs).unwrap_or_default();
        let targets = source_of(&list, "MORPH_TARGET").and_then(|source| names(document, source));
        let Some((targets, _)) = targets else {
            findings.add("its morph has no targets; ignored");
            return Morph::default();
        };
        let weights = source_of(&list, "MORPH_WEIGHT");
        let defaults = weights.and_then(|source| floats(document, source));
        let (mut own, mut found) = (Vec::new(), Vec::new());
        for (at, target) in targets.iter().enumerate() {
            document.take_steps(1);
            let Some(geometry) = document.by_id(target) else {
                findings.add(format_args!("its morph target {target} doesn't exist; ignored"));
                continue;
            };
            if self.scalars.len() >= MAX_SCALARS {
                findings
                    .add(format_args!("more morph targets than the maximum of {MAX_SCALARS}; the others are ignored"));
                break;
            }
            let default = defaults.as_ref().and_then(|floats| floats.row(at, 1)?.first().copied());
            let scalar = self.scalar(&label(geometry), bone, default.map_or(0.0, finite));
            found.push((scalar, geometry));
            own.push((at, scalar));
        }
        if let Some(source) = weights.and_then(|weights| document.by_url(weights)) {
            // Targets that don't exist keep their place among the weights.
            let count = own.last().map_or(0, |(at, _)| at.saturating_add(1));
            let mut places = vec![ScalarIndex::MAX; count];
            own.iter().for_each(|(at, scalar)| places.iter_mut().skip(*at).take(1).for_each(|place| *place = *scalar));
            self.of_weights.entry(source.id()).or_default().push(places);
        }
        let is_relative = morph.attribute("method").is_some_and(|method| method.trim() == "RELATIVE");
        Morph { is_relative, targets: found }
    }

    fn scalar(&mut self, name: &str, bone: BoneIndex, default: f32) -> ScalarIndex {
        let index = ScalarIndex::try_from(self.scalars.len()).unwrap_or(ScalarIndex::MAX);
        let names = self.names.entry(bone).or_insert_with(|| Names::of("morph target"));
        let name = names.take_quietly(if name.trim().is_empty() { "shape" } else { name });
        self.scalars.push(Scalar { name, bone, kind: ScalarKind::Weight, default });
        index
    }

    /// The weights that an address such as "morph-weights(0)" or "controller/weights(0)" sets: the lists of all instances, and the
    /// place in them; `None` for all of the list.
    pub fn target(&self, document: &Document<'_>, address: &str) -> Option<(&[Vec<ScalarIndex>], Option<usize>)> {
        if self.of_weights.is_empty() {
            return None;
        }
        let cut = address.find('(').unwrap_or(address.len());
        let (path, member) = address.split_at_checked(cut)?;
        let mut parts = path.split('/');
        let mut element = document.by_id(parts.next()?)?;
        for sid in parts {
            let is_it = |node: &Node<'_, '_>| {
                document.take_steps(1) && (node.attribute("sid") == Some(sid) || node.attribute("id") == Some(sid))
            };
            element = element.descendants().find(is_it)?;
        }
        let lists = element.ancestors().find_map(|above| self.of_weights.get(&above.id()))?;
        match member.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(place) => Some((lists, Some(place.trim().parse().ok()?))),
            None => Some((lists, None)),
        }
    }
}

impl Morph<'_> {
    /// The targets of a mesh that was made of the list of faces at `part`. Positions are found by their control points, normals by
    /// the corners of the same faces.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn targets(
        &self,
        document: &Document<'_>,
        (vertices, part): (&Vertices, usize),
        budget: &mut Budget,
        findings: &mut Findings<'_>,
    ) -> Result<Vec<MorphTarget>, Fault> {
        let mut targets = Vec::with_capacity(self.targets.len());
        for (scalar, geometry) in &self.targets {
            document.take_steps(vertices.points.len().saturating_add(STEPS_PER_TARGET));
            document.check_steps()?;
            let needed = vertices.points.len().saturating_add(vertices.indices.len());
            if !budget.take(needed.saturating_mul(BYTES_PER_VERTEX)) {
                return Err(findings.fault("its nodes ask for far more morph targets than the file holds"));
            }
            let shape = Shape::read(document, *geometry, part, findings);
            let Some(shape) = shape.filter(|shape| shape.has_points(vertices)) else {
                findings.add(format_args!("the morph target {} has other vertices; ignored", label(*geometry)));
                continue;
            };
            let base = |value: Vec3| if self.is_relative { Vec3::ZERO } else { value };
            let places = vertices.points.iter().zip(&vertices.positions);
            let positions = places.map(|(point, position)| shape.position(*point) - base(*position));
            let positions: Vec<Vec3> = positions.map(|it| if it.is_finite() { it } else { Vec3::ZERO }).collect();
            let normals = shape.normals_of(vertices).unwrap_or_default();
            let normals = normals.iter().zip(&vertices.normals).map(|(normal, own)| *normal - base(*own));
            targets.push(MorphTarget::of(*scalar, &positions, &normals.collect::<Vec<Vec3>>()));
        }
        Ok(targets)
    }
}

/// The geometry of a target.
struct Shape {
    positions: Vec<Vec3>,
    /// The normal of each corner of each polygon, if there are any.
    normals: Option<Vec<Vec3>>,
}

impl Shape {
    fn read(
        document: &Document<'_>,
        geometry: Node<'_, '_>,
        part: usize,
        findings: &mut Findings<'_>,
    ) -> Option<Shape> {
        let mesh = child(geometry, "mesh")?;
        let mut lists = mesh.children().filter(|child| FACES.contains(&child.tag_name().name()));
        let faces = lists.nth(part).and_then(|element| {
            document.take_steps(element.children().count());
            Faces::new(document, mesh, element, None, findings).ok()
        });
        let normals = faces.as_ref().and_then(Faces::corner_normals);
        let positions = match &faces {
            Some(faces) => faces.points(),
            None => {
                let shared = children(mesh, "vertices").next().map(inputs).unwrap_or_default();
                let rows = source_of(&shared, "POSITION").and_then(|source| floats(document, source))?;
                crate::import::collada::geometry::points(document, &rows)
            }
        };
        document.take_steps(positions.len()).then_some(Shape { positions, normals })
    }

    fn has_points(&self, vertices: &Vertices) -> bool {
        vertices.points.iter().all(|point| (*point as usize) < self.positions.len())
    }

    fn position(&self, point: u32) -> Vec3 {
        self.positions.get(point as usize).copied().unwrap_or_default()
    }

    /// The normal of each vertex; `None` if the faces differ.
    fn normals_of(&self, vertices: &Vertices) -> Option<Vec<Vec3>> {
        let normals = self.normals.as_ref().filter(|normals| normals.len() == vertices.corners.len())?;
        let mut of_vertex = vec![Vec3::ZERO; vertices.positions.len()];
        for (vertex, normal) in vertices.corners.iter().zip(normals) {
            if let Some(place) = of_vertex.get_mut(*vertex as usize) {
                *place = if normal.is_finite() { *normal } else { Vec3::ZERO };
            }
        }
        Some(of_vertex)
    }
}
