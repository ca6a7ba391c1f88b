//! Skins: joints by SID below their skeletons, inverse bind matrices with the bind shape, and influences of any number.

use std::borrow::Cow;
use std::collections::HashSet;

use glam::{DMat4, Mat4};
use roxmltree::Node;

use crate::anim::skin::Skin;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::names::shortened;
use crate::import::collada::controllers::controller;
use crate::import::collada::document::{Document, child, children, indices, label};
use crate::import::collada::scene::Scene;
use crate::import::collada::sources::{self, Floats, NameKind, inputs, source_of};
use crate::import::collada::transforms;
use crate::import::error::Fault;
use crate::import::report::Findings;

/// Bytes of names that are read in a step.
const BYTES_PER_STEP: usize = 16;

/// A skin and its influences.
pub struct Bound {
    pub skin: Skin,
    /// The influences of each vertex of the geometry.
    pub influences: Vec<Vec<(u16, f32)>>,
}

/// The joints of a skin for one instance: the node of each name.
struct Joints<'a> {
    names: Vec<Cow<'a, str>>,
    nodes: Vec<Option<usize>>,
}

/// The nodes that are joints of a skin.
pub fn joints(document: &Document<'_>, scene: &Scene<'_>) -> HashSet<usize> {
    let mut all = HashSet::new();
    for node in &scene.nodes {
        document.take_steps(1);
        for instance in children(node.element, "instance_controller") {
            let joints =
                controller(document, instance).skin.and_then(|skin| joints_of(document, scene, skin, instance));
            all.extend(joints.into_iter().flat_map(|joints| joints.nodes).flatten());
        }
    }
    all
}

fn joints_of<'a>(
    document: &Document<'a>,
    scene: &Scene<'a>,
    skin: Node<'a, 'a>,
    instance: Node<'a, 'a>,
) -> Option<Joints<'a>> {
    let inputs = child(skin, "joints").map(inputs)?;
    let (names, kind) = sources::names(document, source_of(&inputs, "JOINT")?)?;
    let skeletons = children(instance, "skeleton").filter_map(|skeleton| document.by_url(skeleton.text()?));
    let roots: Vec<Node<'a, 'a>> = skeletons.collect();
    // Their text is read again for each instance.
    document.take_steps(names.iter().map(|name| name.len()).sum::<usize>().div_euclid(BYTES_PER_STEP));
    let names: Vec<Cow<'_, str>> = names.into_iter().map(shortened).collect();
    let nodes = names.iter().map(|name| find(document, scene, &roots, (name, kind))).collect();
    document.take_steps(names.len()).then_some(Joints { names, nodes })
}

/// A joint: by SID below the skeletons, then anywhere; by id; by name.
fn find(
    document: &Document<'_>,
    scene: &Scene<'_>,
    roots: &[Node<'_, '_>],
    (name, kind): (&str, NameKind),
) -> Option<usize> {
    let by_id = || document.by_id(name).and_then(|element| scene.find(element));
    if kind == NameKind::Id
        && let Some(found) = by_id()
    {
        return Some(found);
    }
    let of_sid = scene.of_sid(name);
    let is_below = |node: &&usize| {
        let Some(element) = scene.nodes.get(**node).map(|node| node.element) else { return false };
        document.take_steps(element.ancestors().count().saturating_mul(roots.len()))
            && element.ancestors().any(|above| roots.contains(&above))
    };
    let below = if roots.is_empty() { None } else { of_sid.iter().find(is_below) };
    let found = below.or(of_sid.first()).copied();
    found.or_else(by_id).or_else(|| scene.of_name(name))
}

/// Reads the skin of an instance.
pub fn read<'a>(
    document: &Document<'a>,
    scene: &Scene<'a>,
    bones: &Bones,
    (skin, instance): (Node<'a, 'a>, Node<'a, 'a>),
    findings: &mut Findings<'_>,
) -> Result<Bound, Fault> {
    let joints = joints_of(document, scene, skin, instance).ok_or_else(|| findings.fault("the skin has no joints"))?;
    let missing = joints.names.iter().zip(&joints.nodes).find(|(_, node)| node.is_none());
    if let Some((name, _)) = missing {
        return Err(findings.fault(format!("joint {name} doesn't exist")));
    }
    let bone_of: Option<Vec<u16>> = joints.nodes.iter().map(|node| bones.of((*node)?)).collect();
    let joints = bone_of.ok_or_else(|| findings.fault("a joint is not a bone"))?;
    if joints.is_empty() || joints.len() > usize::from(u16::MAX) {
        return Err(findings.fault(format!("{} joints; 1 to {} are possible", joints.len(), u16::MAX)));
    }
    let shape = bind_shape(document, scene, (skin, instance));
    let inverse_binds = inverse_binds(document, (skin, shape), joints.len(), findings)?;
    let influences = influences(document, skin, joints.len(), findings)?;
    let name = skin.parent_element().map(label).unwrap_or_default().into_owned();
    Ok(Bound { skin: Skin { name, joints, inverse_binds }, influences })
}

fn of_rows(rows: &[f64]) -> Option<DMat4> {
    rows.first_chunk::<16>().map(|rows| DMat4::from_cols_array(rows).transpose())
}

/// The place of a geometry in the bind pose, in the scene. Blender writes it relative to the parent of the mesh, its armature, whatever
/// the node's own matrix is.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn bind_shape(document: &Document<'_>, scene: &Scene<'_>, (skin, instance): (Node<'_, '_>, Node<'_, '_>)) -> DMat4 {
    let shape = child(skin, "bind_shape_matrix").and_then(|shape| of_rows(&document.numbers(shape)));
    let shape = shape.unwrap_or(DMat4::IDENTITY);
    let node = instance.parent_element().and_then(|element| scene.nodes.get(scene.find(element)?));
    let above = node.filter(|_| document.is_of_blender).into_iter().flat_map(|node| scene.above(document, node));
    above.fold(shape, |place, above| transforms::product(&above.steps) * place)
}

/// Bone from geometry: the inverse bind matrix after the bind shape matrix, in metres.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn inverse_binds(
    document: &Document<'_>,
    (skin, shape): (Node<'_, '_>, DMat4),
    count: usize,
    findings: &Findings<'_>,
) -> Result<Vec<Mat4>, Fault> {
    if !document.take_steps(count.saturating_mul(16)) {
        document.check_steps()?;
    }
    let source = skin.children().find(|child| child.tag_name().name() == "joints").and_then(|joints| {
        let is_it = |input: &Node<'_, '_>| input.attribute("semantic") == Some("INV_BIND_MATRIX");
        joints.children().find(is_it)?.attribute("source").map(str::to_owned)
    });
    let matrices = source.and_then(|source| sources::floats(document, &source));
    let matrices = matrices.ok_or_else(|| findings.fault("no inverse bind matrices"))?;
    let bind = |at: usize| {
        let mut matrix = of_rows(matrices.row(at, 16)?)? * shape;
        matrix.w_axis *= glam::DVec4::new(document.unit, document.unit, document.unit, 1.0);
        Some(matrix.as_mat4()).filter(Mat4::is_finite)
    };
    let binds: Option<Vec<Mat4>> = (0..count).map(bind).collect();
    binds.ok_or_else(|| findings.fault(format!("inverse bind matrices are missing or not finite, {count} are needed")))
}

/// The influences of each vertex. A joint of -1 is the bind shape itself, which is left out.
fn influences(
    document: &Document<'_>,
    skin: Node<'_, '_>,
    joints: usize,
    findings: &Findings<'_>,
) -> Result<Vec<Vec<(u16, f32)>>, Fault> {
    let weights = skin.children().find(|child| child.tag_name().name() == "vertex_weights");
    let weights = weights.ok_or_else(|| findings.fault("the skin has no vertex weights"))?;
    let input = |semantic: &str| {
        let found = weights.children().find(|input| input.attribute("semantic") == Some(semantic))?;
        let offset = found.attribute("offset").and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(0);
        Some((found.attribute("source")?.to_owned(), offset))
    };
    let ((_, joint_at), (source, weight_at)) =
        input("JOINT").zip(input("WEIGHT")).ok_or_else(|| findings.fault("no JOINT and WEIGHT inputs"))?;
    let values: Floats = sources::floats(document, &source).ok_or_else(|| findings.fault("no weights"))?;
    let list = |name: &str| weights.children().find(|list| list.tag_name().name() == name).map(indices);
    let (counts, rows) = (list("vcount").unwrap_or_default(), list("v").unwrap_or_default());
    document.take_steps(counts.len().saturating_add(rows.len()));
    document.check_steps()?;
    let stride = joint_at.max(weight_at).saturating_add(1);
    let mut rows = rows.chunks_exact(stride);
    let mut all = Vec::with_capacity(counts.len());
    for count in counts {
        let mut vertex = Vec::new();
        for row in rows.by_ref().take(count) {
            let (joint, weight) = (row.get(joint_at).copied().unwrap_or(usize::MAX), row.get(weight_at).copied());
            let weight = weight.and_then(|at| values.row(at, 1)?.first().copied());
            let weight = weight.ok_or_else(|| findings.fault("a weight doesn't exist"))?;
            match u16::try_from(joint).ok().filter(|joint| usize::from(*joint) < joints) {
                Some(joint) => vertex.push((joint, single(weight))),
                None if joint == usize::MAX => {}
                None => return Err(findings.fault(format!("joint {joint}, but the skin has {joints} joints"))),
            }
        }
        all.push(vertex);
    }
    Ok(all)
}

#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
fn single(number: f64) -> f32 {
    number as f32
}
