//! Nodes: one for each bone, in order; then those of skinned and hidden meshes, of sockets, and what the rules of glTF require.
//! Skinned meshes are at the top, because the transforms above them have no effect (glTF 2.0, section 3.7.3.2).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::transform::Transform;
use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Socket, Visibility};
use crate::assets::rig_notes::RigNotes;
use crate::export::gltf::binary::floats;
use crate::export::gltf::meshes::WrittenMesh;
use crate::export::gltf::{File, extras, numbers};

/// The nodes of a file, and those at the top of its scene.
pub struct Tree {
    pub nodes: Vec<Value>,
    pub scene: Vec<usize>,
}

/// Writes the inverse bind matrices. Returns the index of each skin that has joints; the joints are added with the nodes.
pub fn skins(model: &Model, file: &mut File) -> Vec<Option<usize>> {
    model.skins.iter().map(|skin| (!skin.joints.is_empty()).then(|| write_skin(skin, file))).collect()
}

fn write_skin(skin: &Skin, file: &mut File) -> usize {
    let matrices = skin.inverse_binds.iter().map(|matrix| {
        let mut columns = matrix.to_cols_array();
        // The last row has to be exactly this (glTF 2.0, section 3.7.3.1). Skinning doesn't read it.
        (columns[3], columns[7], columns[11], columns[15]) = (0.0, 0.0, 0.0, 1.0);
        columns
    });
    let (elements, bytes) = floats(matrices);
    let matrices = file.binary.add(None, elements, &bytes);
    let mut json = json!({ "inverseBindMatrices": matrices });
    if !skin.name.is_empty() {
        json["name"] = skin.name.clone().into();
    }
    file.skins.push(json);
    file.skins.len() - 1
}

/// Writes all nodes, and the joints of all skins.
pub fn write(model: &Model, skins: &[Option<usize>], meshes: Vec<WrittenMesh>, file: &mut File) -> Tree {
    let skeleton = &model.skeleton;
    let mut nodes: Vec<Value> = skeleton.bones().iter().map(|bone| bone_node(bone, &model.rig)).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut scene: Vec<usize> = Vec::new();
    for (at, bone) in skeleton.bones().iter().enumerate() {
        match bone.parent {
            Some(parent) => children[usize::from(parent)].push(at),
            None => scene.push(at),
        }
    }
    for (skin, index) in model.skins.iter().zip(skins) {
        let Some(index) = index else { continue };
        let joints = joints(skin, skeleton, &mut nodes, &mut children);
        file.skins[*index]["joints"] = joints.into();
    }
    for socket in &model.sockets {
        children[usize::from(socket.bone)].push(nodes.len());
        nodes.push(socket_node(socket));
    }
    for (node, children) in nodes.iter_mut().zip(children).filter(|(_, children)| !children.is_empty()) {
        node["children"] = children.into();
    }
    if model.skins.iter().any(|skin| has_several_roots(skin, skeleton)) {
        let root = json!({ "name": model.name, "children": scene, "extras": extras(json!({ "is": "root" })) });
        scene = vec![nodes.len()];
        nodes.push(root);
    }
    let mut tree = Tree { nodes, scene };
    add_meshes(meshes, model, skins, &mut tree, file);
    tree
}

fn add_child(node: &mut Value, child: usize) {
    match node.get_mut("children").and_then(Value::as_array_mut) {
        Some(children) => children.push(child.into()),
        None => node["children"] = json!([child]),
    }
}

/// Notes which scalars are the weights of a node's mesh.
fn note_weights(node: usize, mesh: &WrittenMesh, tree: &mut Tree, file: &mut File) {
    if !mesh.weights.is_empty() {
        tree.nodes[node]["extras"]["keypose"]["weights"] = mesh.weights.clone().into();
        file.weights.push((node, mesh.weights.clone()));
    }
}

fn add_meshes(meshes: Vec<WrittenMesh>, model: &Model, skins: &[Option<usize>], tree: &mut Tree, file: &mut File) {
    for mesh in meshes {
        let own = mesh.bone_node().map(usize::from);
        if let Some(bone) = own.filter(|&bone| tree.nodes[bone].get("mesh").is_none()) {
            tree.nodes[bone]["mesh"] = mesh.index.into();
            note_weights(bone, &mesh, tree, file);
            continue;
        }
        let mut node = json!({ "name": mesh.name, "mesh": mesh.index });
        node["extras"] = match mesh.binding {
            Binding::Bone(bone) => {
                let name = model.skeleton.get(bone).map(|bone| bone.name.as_str());
                extras(json!({ "is": "mesh", "bone": name }))
            }
            Binding::Skin(_) => extras(json!({ "is": "mesh" })),
        };
        if let Binding::Skin(skin) = mesh.binding {
            node["skin"] = skins.get(skin).copied().flatten().into();
        }
        // A second mesh of a bone, with other weights, is below it.
        let place = tree.nodes.len();
        match own {
            Some(bone) => add_child(&mut tree.nodes[bone], place),
            None if mesh.visibility == Visibility::Shown => tree.scene.push(place),
            None => {}
        }
        tree.nodes.push(node);
        note_weights(place, &mesh, tree, file);
    }
}

fn bone_node(bone: &Bone, rig: &RigNotes) -> Value {
    let (mut node, mut about) = (transform_members(&bone.rest), json!({ "is": "bone" }));
    if let Some(percent) = rig.masses.get(&bone.name) {
        about["mass"] = f64::from(*percent).into();
    }
    node.insert("name".into(), bone.name.clone().into());
    node.insert("extras".into(), extras(about));
    Value::Object(node)
}

fn socket_node(socket: &Socket) -> Value {
    let mut node = transform_members(&socket.transform);
    let about = json!({ "is": "socket", "name": socket.name, "attached": socket.attached });
    node.insert("name".into(), socket.name.clone().into());
    node.insert("extras".into(), extras(about));
    Value::Object(node)
}

/// Translation, rotation and scale, as far as they are not the identity's.
fn transform_members(transform: &Transform) -> Map<String, Value> {
    let Transform { translation, rotation, scale } = *transform;
    let identity = Transform::IDENTITY;
    let members = [
        ("translation", translation != identity.translation, numbers(&translation.to_array())),
        ("rotation", rotation != identity.rotation, numbers(&rotation.to_array())),
        ("scale", scale != identity.scale, numbers(&scale.to_array())),
    ];
    members.into_iter().filter(|(_, is_set, _)| *is_set).map(|(name, _, value)| (name.to_owned(), value)).collect()
}

/// The nodes of a skin's joints. They have to be different: a bone that is a joint twice gets a node of its own for the second.
fn joints(skin: &Skin, skeleton: &Skeleton, nodes: &mut Vec<Value>, children: &mut Vec<Vec<usize>>) -> Vec<usize> {
    let mut used = BTreeMap::<BoneIndex, usize>::new();
    let mut joints = Vec::with_capacity(skin.joints.len());
    for bone in &skin.joints {
        let count = used.entry(*bone).or_default();
        *count += 1;
        if *count == 1 {
            joints.push(usize::from(*bone));
            continue;
        }
        let name = skeleton.get(*bone).map(|bone| format!("{} joint {count}", bone.name));
        children[usize::from(*bone)].push(nodes.len());
        joints.push(nodes.len());
        nodes.push(json!({ "name": name }));
        children.push(Vec::new());
    }
    joints
}

/// Whether the joints of a skin have no common root, which glTF requires.
fn has_several_roots(skin: &Skin, skeleton: &Skeleton) -> bool {
    let root = |bone: BoneIndex| skeleton.above(bone).last().unwrap_or(bone);
    let mut roots = skin.joints.iter().map(|bone| root(*bone));
    let first = roots.next();
    first.is_some_and(|first| roots.any(|root| root != first))
}
