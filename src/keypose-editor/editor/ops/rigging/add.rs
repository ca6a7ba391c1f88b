//! Adds, splits, mirrors and renames bones.

use std::collections::BTreeMap;

use glam::Mat4;

use crate::editor::ops::rigging::heads::{bind_heads, mirrored, move_joints};
use crate::editor::ops::rigging::keys::move_in_parents;
use crate::editor::ops::rigging::loose::{Loose, loosened, rebuilt};
use crate::editor::ops::rigging::{MAX_PARTS, NewBone, name_of};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::model::Model;
use keypose::assets::project::unique_name;
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::reimport::rename_bones;
use keypose_tools::side_names::other_side;
use keypose_tools::symmetry::bind_plane;

/// A free name for a bone beside or below another: "arm.L.001" for "arm.L".
pub fn next_name(skeleton: &Skeleton, like: &str) -> String {
    unique_name(like, |name| skeleton.find(name).is_some())
}

/// See [`BoneEdit::Add`](super::BoneEdit::Add).
pub fn add(model: &Model, bones: &[NewBone]) -> Result<Model, String> {
    let bind = bind_pose(model);
    let mut list = loosened(&model.skeleton);
    let mut places: Vec<Mat4> = bind.bones.iter().map(|bone| bone.to_mat4()).collect();
    for bone in bones {
        let name = free_name(&list, &bone.name)?;
        let find = |wanted: &String| {
            let found = list.iter().position(|loose| loose.name == *wanted);
            found.ok_or_else(|| format!("there is no bone {wanted}"))
        };
        let parent = bone.parent.as_ref().map(find).transpose()?;
        let above = parent.map_or(Mat4::IDENTITY, |parent| places[parent]);
        let rest = Transform::from_translation(above.inverse().transform_point3(bone.head));
        if !rest.is_finite() {
            return Err(format!("bone {name}: its position is not finite"));
        }
        places.push(above * rest.to_mat4());
        list.push(Loose { old: None, name, parent, rest });
    }
    rebuilt(model.clone(), &list)
}

/// A trimmed name that no bone has.
fn free_name(list: &[Loose], name: &str) -> Result<String, String> {
    match name.trim() {
        "" => Err("a name can't be empty".into()),
        name if list.iter().any(|loose| loose.name == name) => Err(format!("the name \"{name}\" is taken")),
        name => Ok(name.to_owned()),
    }
}

/// See [`BoneEdit::Split`](super::BoneEdit::Split).
pub fn split(model: &Model, bone: BoneIndex, child: BoneIndex, parts: usize) -> Result<Model, String> {
    let (name, child_name) = (name_of(&model.skeleton, bone)?, name_of(&model.skeleton, child)?);
    if model.skeleton.parent(child) != Some(bone) {
        return Err(format!("{child_name} is not a child of {name}"));
    }
    if !(2..=MAX_PARTS).contains(&parts) {
        return Err(format!("a bone is split into 2 to {MAX_PARTS} parts"));
    }
    let mut list = loosened(&model.skeleton);
    let heads = bind_heads(model);
    let bind = bind_pose(model);
    let inside = bind.get(bone).to_mat4().inverse();
    let step = inside.transform_vector3(heads[usize::from(child)] - heads[usize::from(bone)]) / parts as f32;
    let mut parent = usize::from(bone);
    for _ in 1..parts {
        let name = unique_name(name, |name| list.iter().any(|loose| loose.name == name));
        list.push(Loose { old: None, name, parent: Some(parent), rest: Transform::from_translation(step) });
        parent = list.len() - 1;
    }
    let by = Transform::from_translation(step * -((parts - 1) as f32));
    let moved = &mut list[usize::from(child)];
    moved.parent = Some(parent);
    moved.rest.translation += by.translation;
    let mut offsets = vec![None; model.skeleton.len()];
    offsets[usize::from(child)] = Some(by);
    let mut changed = model.clone();
    move_in_parents(&mut changed, &offsets);
    rebuilt(changed, &list)
}

/// See [`BoneEdit::Mirror`](super::BoneEdit::Mirror).
pub fn mirror(model: &Model, bones: &[BoneIndex]) -> Result<Model, String> {
    let skeleton = &model.skeleton;
    let (heads, plane) = (bind_heads(model), bind_plane(model));
    let mut bones = bones.to_vec();
    bones.sort_unstable();
    bones.dedup();
    let (mut moved, mut missing) = (Vec::new(), Vec::new());
    for bone in bones {
        let name = name_of(skeleton, bone)?;
        let other = other_side(name).ok_or_else(|| format!("{name}: its name has no side, such as arm.L"))?;
        match skeleton.find(&other) {
            Some(other) => moved.push((other, plane.point(heads[usize::from(bone)]))),
            None => missing.push((bone, other)),
        }
    }
    let changed = move_joints(model, &moved)?;
    let bind = bind_pose(&changed);
    let mut list = loosened(&changed.skeleton);
    let mut places: Vec<Transform> = bind.bones.iter().map(|bone| Transform::from_mat4(bone.to_mat4())).collect();
    for (bone, name) in missing {
        // Parents come before their children.
        let above = list[usize::from(bone)].parent.map(|parent| {
            let other = other_side(&list[parent].name);
            other.and_then(|other| list.iter().position(|loose| loose.name == other)).unwrap_or(parent)
        });
        let place = mirrored(&places[usize::from(bone)], &plane);
        let from_model = above.map_or(Mat4::IDENTITY, |above| places[above].to_mat4().inverse());
        let rest = Transform::from_mat4(from_model * place.to_mat4());
        places.push(place);
        list.push(Loose { old: None, name, parent: above, rest });
    }
    rebuilt(changed, &list)
}

/// See [`BoneEdit::Rename`](super::BoneEdit::Rename).
pub fn rename(model: &Model, bone: BoneIndex, name: &str) -> Result<Model, String> {
    let before = name_of(&model.skeleton, bone)?.to_owned();
    let mut list = loosened(&model.skeleton);
    if name.trim() == before {
        return Ok(model.clone());
    }
    let name = free_name(&list, name)?;
    list[usize::from(bone)].name.clone_from(&name);
    let mut changed = rebuilt(model.clone(), &list)?;
    rename_bones(&mut changed, &BTreeMap::from([(before.as_str(), name)]));
    Ok(changed)
}
