//! Nodes: which of them become bones, and their rest transforms.

use std::collections::{BTreeSet, HashSet};

use glam::{Mat3, Mat4, Quat, Vec3, Vec4};
use gltf::json::Root;
use gltf::json::animation::Property;
use gltf::json::scene::Node;
use gltf::json::validation::Checked;

use crate::anim::transform::Transform;
use crate::import::assembly::hierarchy::{self, Bones};
use crate::import::assembly::weights::is_one;
use crate::import::error::Fault;
use crate::import::gltf::own::{self, Role};
use crate::import::gltf::vrm;
use crate::import::report::{Findings, Report};

/// Converts every joint, animated node, node with a mesh and `swung` node to a bone, and all their ancestors.
pub fn bones(root: &Root, swung: &BTreeSet<usize>, report: &mut Report) -> Result<Bones, Fault> {
    let mut parents = parents(root)?;
    hierarchy::level_order(&parents)?;
    let (joints, moved) = (joints(root)?, moved(root));
    let roles = own_roles(root, |index| joints.contains(&index) || moved.contains(&index));
    let role = |index: usize| roles.get(index).and_then(Option::as_ref);
    for parent in &mut parents {
        *parent = parent.filter(|parent| role(*parent) != Some(&Role::Root));
    }
    let wanted = |index: usize, node: &Node| match role(index) {
        Some(Role::Bone) => true,
        Some(Role::Mesh { .. } | Role::Socket { .. } | Role::Root) => false,
        None => node.mesh.is_some() || moved.contains(&index) || joints.contains(&index) || swung.contains(&index),
    };
    let mut nodes = Vec::with_capacity(root.nodes.len());
    for (index, (node, parent)) in root.nodes.iter().zip(parents).enumerate() {
        nodes.push(hierarchy::Node {
            name: node.name.clone(),
            parent,
            rest: Transform::IDENTITY,
            is_wanted: wanted(index, node),
            is_joint: joints.contains(&index),
        });
    }
    if root.nodes.iter().all(|node| node.mesh.is_none()) {
        let is_free = |index: usize, node: &Node| role(index).is_none() && node.camera.is_none();
        let free: Vec<bool> = root.nodes.iter().enumerate().map(|(index, node)| is_free(index, node)).collect();
        hierarchy::want_trees(&mut nodes, &free)?;
    }
    let needed = hierarchy::with_ancestors(&nodes);
    // Clips move roots as they were; models of this kind have none.
    let is_turned = vrm::faces_backward(root) && root.animations.is_empty();
    if is_turned {
        report.add("nodes", "a VRM 0 model faces backward; turned");
    }
    for (index, (node, json)) in nodes.iter_mut().zip(&root.nodes).enumerate() {
        if needed.get(index) == Some(&true) {
            node.rest = rest(json, &mut report.at(format_args!("node {index}")))?;
            if is_turned && node.parent.is_none() {
                node.rest = turned(node.rest);
            }
        }
    }
    hierarchy::bones(&nodes, report)
}

/// Returns the role of each node of our export. Nodes that were moved since have none, so they become bones.
fn own_roles(root: &Root, is_moved: impl Fn(usize) -> bool) -> Vec<Option<Role>> {
    let roles: Vec<Option<Role>> = root.nodes.iter().map(own::role).collect();
    let is_bone =
        |(node, role): (&Node, &Option<Role>)| (*role == Some(Role::Bone)).then(|| node.name.clone()).flatten();
    let bones: HashSet<String> = root.nodes.iter().zip(&roles).filter_map(is_bone).collect();
    let is_kept = |index: usize, node: &Node, role: &Role| match role {
        Role::Bone => true,
        Role::Mesh { bone } => {
            let is_bound = bone.as_ref().is_some_and(|bone| bones.contains(bone));
            !is_moved(index) && node.mesh.is_some() && (node.skin.is_some() || is_bound)
        }
        Role::Socket { .. } => !is_moved(index) && node.mesh.is_none(),
        Role::Root => !is_moved(index) && node.mesh.is_none() && is_identity(node),
    };
    let nodes = roles.into_iter().zip(&root.nodes).enumerate();
    nodes.map(|(index, (role, node))| role.filter(|role| is_kept(index, node, role))).collect()
}

fn is_identity(node: &Node) -> bool {
    node.matrix.is_none() && node.translation.is_none() && node.rotation.is_none() && node.scale.is_none()
}

/// A transform turned half around the vertical axis.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn turned(rest: Transform) -> Transform {
    let half = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
    Transform { translation: half * rest.translation, rotation: half * rest.rotation, ..rest }
}

/// The parent of every node, from the nodes' lists of children.
pub fn parents(root: &Root) -> Result<Vec<Option<usize>>, Fault> {
    let mut parents = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|child| child.value()) {
            let place = || format!("node {index}");
            let count = root.nodes.len();
            let missing = || Fault::at(place(), format!("its child {child} doesn't exist; there are {count} nodes"));
            let parent: &mut Option<usize> = parents.get_mut(child).ok_or_else(missing)?;
            if let Some(other) = parent.replace(index) {
                return Err(Fault::at(format!("node {child}"), format!("a child of both nodes {other} and {index}")));
            }
        }
    }
    Ok(parents)
}

/// The nodes that are joints of a skin.
fn joints(root: &Root) -> Result<HashSet<usize>, Fault> {
    let mut joints = HashSet::new();
    for (index, skin) in root.skins.iter().enumerate() {
        for (at, joint) in skin.joints.iter().map(|joint| joint.value()).enumerate() {
            if joint >= root.nodes.len() {
                return Err(Fault::at(format!("skin {index}, joint {at}"), format!("node {joint} doesn't exist")));
            }
            joints.insert(joint);
        }
    }
    Ok(joints)
}

/// The nodes that an animation moves. Clips that move nodes which don't exist are left out later.
fn moved(root: &Root) -> HashSet<usize> {
    let moves = [Property::Translation, Property::Rotation, Property::Scale];
    let channels = root.animations.iter().flat_map(|animation| &animation.channels);
    let channels =
        channels.filter(|channel| matches!(channel.target.path, Checked::Valid(path) if moves.contains(&path)));
    channels.map(|channel| channel.target.node.value()).filter(|node| *node < root.nodes.len()).collect()
}

/// The rest transform of a node. A matrix is decomposed; shear is lost and reported.
pub fn rest(node: &Node, findings: &mut Findings<'_>) -> Result<Transform, Fault> {
    if node.skin.is_some() && node.mesh.is_none() {
        findings.add("a skin without a mesh; ignored");
    }
    let has_parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if node.matrix.is_some() && has_parts {
        findings.add("both a matrix and a translation, rotation or scale; the matrix is used");
    }
    let rest = match node.matrix {
        Some(columns) => from_matrix(&columns, findings)?,
        None => Transform {
            translation: Vec3::from_array(node.translation.unwrap_or_default()),
            rotation: unit(Vec4::from_array(node.rotation.unwrap_or_default().0), findings),
            scale: Vec3::from_array(node.scale.unwrap_or([1.0; 3])),
        },
    };
    if rest.is_finite() { Ok(rest) } else { Err(findings.fault("transform is not finite")) }
}

fn from_matrix(columns: &[f32; 16], findings: &mut Findings<'_>) -> Result<Transform, Fault> {
    let matrix = Mat4::from_cols_array(columns);
    if !matrix.is_finite() {
        return Err(findings.fault("matrix is not finite"));
    }
    let rest = Transform::from_mat4(matrix);
    let axes = |matrix: Mat4| Mat3::from_mat4(matrix);
    let largest = axes(matrix).to_cols_array().into_iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    if !axes(rest.to_mat4()).abs_diff_eq(axes(matrix), 1e-4 * largest) {
        findings.add("the matrix has shear, which bones don't support; the shear is lost");
    }
    Ok(rest)
}

/// Normalises a quaternion. One that is far from unit length is reported; one of length 0 becomes the identity.
fn unit(xyzw: Vec4, findings: &mut Findings<'_>) -> Quat {
    let length = xyzw.as_dvec4().length();
    if !(1e-6..1e30).contains(&length) {
        findings.add("rotation has length 0; replaced by the identity");
        return Quat::IDENTITY;
    }
    if is_one(length) {
        return Quat::from_vec4(xyzw);
    }
    if (length - 1.0).abs() > 1e-2 {
        findings.add(format_args!("rotation has length {length:.3}; normalised"));
    }
    Quat::from_vec4(divided(xyzw, length))
}

/// Divides a vector by a length, rounding once.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn divided(vector: Vec4, length: f64) -> Vec4 {
    (vector.as_dvec4() / length).as_vec4()
}
