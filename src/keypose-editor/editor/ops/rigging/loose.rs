//! A skeleton as a list without order, while bones are added, removed or get other parents. A model refers to bones by their index:
//! this is the only place that changes indices.

use std::sync::Arc;

use keypose::anim::key::Key;
use keypose::anim::scalar::Scalar;
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::transform::Transform;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{Model, Source};
use keypose_tools::bone_data::change_keys;

/// A bone without a place in the order.
#[derive(Clone, Debug)]
pub struct Loose {
    /// Index before; `None` if it is new.
    pub old: Option<BoneIndex>,
    pub name: String,
    /// The place of its parent in the list.
    pub parent: Option<usize>,
    pub rest: Transform,
}

/// The bones of a skeleton as a list, in their order.
pub fn loosened(skeleton: &Skeleton) -> Vec<Loose> {
    let loose = |(old, bone): (BoneIndex, &Bone)| {
        let parent = bone.parent.map(usize::from);
        Loose { old: Some(old), name: bone.name.clone(), parent, rest: bone.rest }
    };
    skeleton.indices().zip(skeleton.bones()).map(loose).collect()
}

/// The model with these bones. Bones that are missing from the list are removed with their keys; nothing else may refer to them.
///
/// # Errors
/// If the parents form a cycle, or names, number or transforms of the bones are not valid.
pub fn rebuilt(mut model: Model, list: &[Loose]) -> Result<Model, String> {
    let parents: Vec<Option<usize>> = list.iter().map(|loose| loose.parent).collect();
    let order = Skeleton::level_order(&parents).ok_or("a bone can't be below itself")?;
    let mut place = vec![0 as BoneIndex; list.len()];
    for (new, at) in order.iter().enumerate() {
        place[*at] = BoneIndex::try_from(new).map_err(|_| too_many(list.len()))?;
    }
    let bone = |at: &usize| {
        let Loose { name, parent, rest, .. } = &list[*at];
        Bone { name: name.clone(), parent: parent.map(|parent| place[parent]), rest: *rest }
    };
    let skeleton = Skeleton::new(order.iter().map(bone).collect()).map_err(|error| error.to_string())?;
    let mut map = vec![None; model.skeleton.len()];
    for (at, loose) in list.iter().enumerate() {
        if let Some(place_of_old) = loose.old.and_then(|old| map.get_mut(usize::from(old))) {
            *place_of_old = Some(place[at]);
        }
    }
    put(&mut model, skeleton, &map)?;
    Ok(model)
}

fn too_many(count: usize) -> String {
    format!("{count} bones, the maximum is {}", Skeleton::MAX_BONES)
}

/// Replaces the skeleton. `map` is the index of each bone before; `None` if it is gone.
fn put(model: &mut Model, skeleton: Skeleton, map: &[Option<BoneIndex>]) -> Result<(), String> {
    let index = |bone: BoneIndex| {
        let found = map.get(usize::from(bone)).copied().flatten();
        found.ok_or_else(|| format!("bone {bone} is deleted, but still used"))
    };
    let (before, after) = (map.len(), skeleton.len());
    let scalars = model.skeleton.scalars().iter();
    let scalars: Result<Vec<Scalar>, String> =
        scalars.map(|scalar| Ok(Scalar { bone: index(scalar.bone)?, ..scalar.clone() })).collect();
    model.skeleton = Arc::new(skeleton.with_scalars(scalars?).map_err(|error| error.to_string())?);
    if before == after && map.iter().zip(0..).all(|(new, old)| *new == Some(old)) {
        return Ok(());
    }
    for skin in &mut model.skins {
        let joints: Result<Vec<BoneIndex>, String> = skin.joints.iter().map(|joint| index(*joint)).collect();
        *skin = Arc::new(Skin { joints: joints?, ..Skin::clone(skin) });
    }
    for slot in &mut model.meshes {
        if let Binding::Bone(bone) = slot.mesh.binding {
            let new = index(bone)?;
            if new != bone {
                slot.mesh = Arc::new(Mesh { binding: Binding::Bone(new), ..Mesh::clone(&slot.mesh) });
            }
        }
    }
    for socket in &mut model.sockets {
        socket.bone = index(socket.bone)?;
    }
    change_keys(model, |key| {
        let bone = match map.get(usize::from(key.bone)) {
            Some(place) => (*place)?,
            // Keys of bones that never existed stay so.
            None => (key.bone - before as BoneIndex).saturating_add(after as BoneIndex),
        };
        Some(Key { bone, ..*key })
    });
    if !model.source.bone_nodes.is_empty() {
        let mut bone_nodes = vec![None; after];
        for (node, new) in model.source.bone_nodes.iter().zip(map) {
            if let Some(new) = new {
                bone_nodes[usize::from(*new)] = *node;
            }
        }
        model.source = Arc::new(Source { bone_nodes, ..Source::clone(&model.source) });
    }
    Ok(())
}
