//! Nodes: which of them become bones, in level order, with their rest transforms.

use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::json::animation::Property;
use gltf::json::scene::Node;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::import::error::Fault;
use crate::import::gltf::names::Names;
use crate::import::report::Report;

/// The table that joins file order and level order.
pub struct Bones {
    /// What they are in the model.
    pub skeleton: Skeleton,
    /// The bone of each node, for those that became one.
    of_node: Vec<Option<BoneIndex>>,
    /// The node of each bone.
    pub nodes: Vec<u32>,
}

impl Bones {
    /// The bone that a node became.
    pub fn of(&self, node: Index<Node>) -> Option<BoneIndex> {
        self.of_node.get(node.value()).copied().flatten()
    }
}

/// Every joint, animated node and node with a mesh becomes a bone, and so does every ancestor of one.
pub fn bones(root: &Root, report: &mut Report) -> Result<Bones, Fault> {
    let parents = parents(root)?;
    let order = level_order(&parents)?;
    let wanted = wanted(root, &parents)?;
    let nodes: Vec<usize> = order.into_iter().filter(|&node| wanted.get(node) == Some(&true)).collect();
    let mut of_node = vec![None; root.nodes.len()];
    let mut names = Names::of("bone");
    let mut bones = Vec::with_capacity(nodes.len());
    for (&index, node) in nodes.iter().filter_map(|index| Some((index, root.nodes.get(*index)?))) {
        let place = format!("node {index}");
        let name = names.take(node.name.as_deref(), &place, report);
        let parent = parents.get(index).copied().flatten().and_then(|parent| *of_node.get(parent)?);
        let rest = rest(node, &place, report)?;
        if let Some(bone) = of_node.get_mut(index) {
            *bone = BoneIndex::try_from(bones.len()).ok();
        }
        bones.push(Bone { name, parent, rest });
    }
    let skeleton = Skeleton::new(bones).map_err(|error| Fault::at("nodes", error))?;
    let nodes = nodes.into_iter().filter_map(|node| u32::try_from(node).ok()).collect();
    Ok(Bones { skeleton, of_node, nodes })
}

/// The parent of every node, from the children that nodes name.
fn parents(root: &Root) -> Result<Vec<Option<usize>>, Fault> {
    let mut parents = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|child| child.value()) {
            let place = || format!("node {index}");
            let count = root.nodes.len();
            let missing = || Fault::at(place(), format!("its child {child} is not there, there are {count} nodes"));
            let parent: &mut Option<usize> = parents.get_mut(child).ok_or_else(missing)?;
            if let Some(other) = parent.replace(index) {
                return Err(Fault::at(format!("node {child}"), format!("it is a child of nodes {other} and {index}")));
            }
        }
    }
    Ok(parents)
}

fn level_order(parents: &[Option<usize>]) -> Result<Vec<usize>, Fault> {
    Skeleton::level_order(parents).ok_or_else(|| {
        // Every node has at most one parent and all parents exist, so what no root reaches leads up into a cycle.
        let up = |node: usize| parents.get(node).copied().flatten();
        let mut seen = vec![Seen::Never; parents.len()];
        let on_cycle = (0..parents.len()).find_map(|start| climb(start, up, &mut seen));
        Fault::at(format!("node {}", on_cycle.unwrap_or_default()), "it is its own ancestor: the nodes form a cycle")
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Never,
    From(usize),
}

/// Follows the parents of a node; the first node that is met twice on the way.
fn climb(start: usize, up: impl Fn(usize) -> Option<usize>, seen: &mut [Seen]) -> Option<usize> {
    let mut at = Some(start);
    while let Some(node) = at {
        let seen = seen.get_mut(node)?;
        match *seen {
            Seen::From(other) => return (other == start).then_some(node),
            Seen::Never => *seen = Seen::From(start),
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
                return Err(Fault::at(format!("skin {index}, joint {at}"), format!("node {joint} is not there")));
            }
            want(joint);
        }
    }
    for (index, animation) in root.animations.iter().enumerate() {
        for (at, channel) in animation.channels.iter().enumerate() {
            let node = channel.target.node.value();
            if node >= root.nodes.len() {
                let place = format!("animation {index}, channel {at}");
                return Err(Fault::at(place, format!("node {node} is not there")));
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

/// The node's own transform. A matrix is taken apart; what does not survive that is reported.
fn rest(node: &Node, place: &str, report: &mut Report) -> Result<Transform, Fault> {
    let rest = match node.matrix {
        Some(columns) => from_matrix(&columns, place, report)?,
        None => Transform {
            translation: Vec3::from_array(node.translation.unwrap_or_default()),
            rotation: unit(Vec4::from_array(node.rotation.unwrap_or_default().0), place, report),
            scale: Vec3::from_array(node.scale.unwrap_or([1.0; 3])),
        },
    };
    match rest.is_finite() {
        true => Ok(rest),
        false => Err(Fault::at(place, "its transform is not finite")),
    }
}

fn from_matrix(columns: &[f32; 16], place: &str, report: &mut Report) -> Result<Transform, Fault> {
    let matrix = Mat4::from_cols_array(columns);
    if !matrix.is_finite() {
        return Err(Fault::at(place, "its matrix is not finite"));
    }
    let rest = Transform::from_mat4(matrix);
    let largest = columns.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    if !rest.to_mat4().abs_diff_eq(matrix, 1e-4 * largest) {
        report.add(place, "its matrix has shear, which translation, rotation and scale cannot hold; the shear is lost");
    }
    Ok(rest)
}

/// The unit quaternion of four numbers. What is far from unit length is reported; no direction at all is no rotation.
pub fn unit(xyzw: Vec4, place: &str, report: &mut Report) -> Quat {
    let length = xyzw.as_dvec4().length();
    if !(1e-6..1e30).contains(&length) {
        report.add(place, "its rotation has no direction; it is left out");
        return Quat::IDENTITY;
    }
    if (length - 1.0).abs() > 1e-2 {
        report.add(place, format_args!("its rotation has length {length:.3}; it is normalised"));
    }
    Quat::from_vec4(divided(xyzw, length))
}

/// The vector over a length, rounded once.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn divided(vector: Vec4, length: f64) -> Vec4 {
    (vector.as_dvec4() / length).as_vec4()
}
