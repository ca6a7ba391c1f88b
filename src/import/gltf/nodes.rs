//! Nodes: which of them become bones, in level order, and their rest transforms.

use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::json::animation::Property;
use gltf::json::scene::Node;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::import::error::Fault;
use crate::import::gltf::names::Names;
use crate::import::report::{Findings, Report};

/// The bones of a file and the nodes that they were made from.
pub struct Bones {
    /// The bones in level order.
    pub skeleton: Skeleton,
    /// The bone of each node, if it has one.
    of_node: Vec<Option<BoneIndex>>,
    /// The node of each bone.
    pub nodes: Vec<u32>,
}

impl Bones {
    /// Returns the bone of a node.
    pub fn of(&self, node: Index<Node>) -> Option<BoneIndex> {
        self.of_node.get(node.value()).copied().flatten()
    }
}

/// Converts every joint, animated node and node with a mesh to a bone, and all their ancestors.
pub fn bones(root: &Root, report: &mut Report) -> Result<Bones, Fault> {
    let parents = parents(root)?;
    let order = level_order(&parents)?;
    let wanted = wanted(root, &parents)?;
    let nodes: Vec<usize> = order.into_iter().filter(|&node| wanted.get(node) == Some(&true)).collect();
    let mut of_node = vec![None; root.nodes.len()];
    let mut names = Names::of("bone");
    let mut bones = Vec::with_capacity(nodes.len());
    for (&index, node) in nodes.iter().filter_map(|index| Some((index, root.nodes.get(*index)?))) {
        let findings = &mut report.at(format_args!("node {index}"));
        let name = names.take(node.name.as_deref(), findings);
        let parent = parents.get(index).copied().flatten().and_then(|parent| *of_node.get(parent)?);
        let rest = rest(node, findings)?;
        if let Some(bone) = of_node.get_mut(index) {
            *bone = BoneIndex::try_from(bones.len()).ok();
        }
        bones.push(Bone { name, parent, rest });
    }
    let skeleton = Skeleton::new(bones).map_err(|error| Fault::at("nodes", error))?;
    let nodes = nodes.into_iter().filter_map(|node| u32::try_from(node).ok()).collect();
    Ok(Bones { skeleton, of_node, nodes })
}

/// The parent of every node, from the nodes' lists of children.
fn parents(root: &Root) -> Result<Vec<Option<usize>>, Fault> {
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

fn level_order(parents: &[Option<usize>]) -> Result<Vec<usize>, Fault> {
    Skeleton::level_order(parents).ok_or_else(|| {
        // Every node has at most one parent and all parents exist, so a node that no root reaches leads up into a
        // cycle.
        let up = |node: usize| parents.get(node).copied().flatten();
        let mut visited = vec![Visited::Never; parents.len()];
        let on_cycle = (0..parents.len()).find_map(|start| climb(start, up, &mut visited));
        Fault::at(format!("node {}", on_cycle.unwrap_or_default()), "the nodes form a cycle")
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Visited {
    Never,
    From(usize),
}

/// Follows the parents of a node to the first node that is visited twice.
fn climb(start: usize, up: impl Fn(usize) -> Option<usize>, visited: &mut [Visited]) -> Option<usize> {
    let mut at = Some(start);
    while let Some(node) = at {
        let visited = visited.get_mut(node)?;
        match *visited {
            Visited::From(other) => return (other == start).then_some(node),
            Visited::Never => *visited = Visited::From(start),
        }
        at = up(node);
    }
    None
}

/// Which nodes become bones.
fn wanted(root: &Root, parents: &[Option<usize>]) -> Result<Vec<bool>, Fault> {
    let mut wanted = vec![false; root.nodes.len()];
    let mut want = |node: usize| {
        let mut at = Some(node);
        while let Some(node) = at {
            match wanted.get_mut(node) {
                Some(wanted) if !*wanted => *wanted = true,
                _ => return,
            }
            at = parents.get(node).copied().flatten();
        }
    };
    for (index, skin) in root.skins.iter().enumerate() {
        for (at, joint) in skin.joints.iter().map(|joint| joint.value()).enumerate() {
            if joint >= root.nodes.len() {
                return Err(Fault::at(format!("skin {index}, joint {at}"), format!("node {joint} doesn't exist")));
            }
            want(joint);
        }
    }
    for (index, animation) in root.animations.iter().enumerate() {
        for (at, channel) in animation.channels.iter().enumerate() {
            let node = channel.target.node.value();
            if node >= root.nodes.len() {
                let place = format!("animation {index}, channel {at}");
                return Err(Fault::at(place, format!("node {node} doesn't exist")));
            }
            let moves = [Property::Translation, Property::Rotation, Property::Scale];
            if matches!(channel.target.path, Checked::Valid(path) if moves.contains(&path)) {
                want(node);
            }
        }
    }
    let with_meshes = root.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_some());
    with_meshes.for_each(|(index, _)| want(index));
    Ok(wanted)
}

/// The rest transform of a node. A matrix is decomposed; shear is lost and reported.
fn rest(node: &Node, findings: &mut Findings<'_>) -> Result<Transform, Fault> {
    let rest = match node.matrix {
        Some(columns) => from_matrix(&columns, findings)?,
        None => Transform {
            translation: Vec3::from_array(node.translation.unwrap_or_default()),
            rotation: unit(Vec4::from_array(node.rotation.unwrap_or_default().0), findings),
            scale: Vec3::from_array(node.scale.unwrap_or([1.0; 3])),
        },
    };
    match rest.is_finite() {
        true => Ok(rest),
        false => Err(findings.fault("transform is not finite")),
    }
}

fn from_matrix(columns: &[f32; 16], findings: &mut Findings<'_>) -> Result<Transform, Fault> {
    let matrix = Mat4::from_cols_array(columns);
    if !matrix.is_finite() {
        return Err(findings.fault("matrix is not finite"));
    }
    let rest = Transform::from_mat4(matrix);
    let largest = columns.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    if !rest.to_mat4().abs_diff_eq(matrix, 1e-4 * largest) {
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
