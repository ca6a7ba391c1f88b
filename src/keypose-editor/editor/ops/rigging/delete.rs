//! Deletes bones: their keys go, and all else that belongs to them goes to the bone above.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::editor::ops::rigging::heads::move_contents;
use crate::editor::ops::rigging::keys::{in_parent, move_in_parents};
use crate::editor::ops::rigging::loose::{loosened, rebuilt};
use crate::editor::ops::rigging::name_of;
use keypose::anim::key::Key;
use keypose::anim::scalar::Scalar;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Lanes;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::Model;
use keypose::assets::project::unique_name;
use keypose::assets::saved_pose::SavedBone;
use keypose::assets::spring_notes::{SpringNotes, SpringTip};
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::bone_data::change_keys;

/// The clips with keys of these bones, each with the number of those keys.
pub fn clips_of(model: &Model, bones: &[BoneIndex]) -> Vec<(String, usize)> {
    let count = |keys: &[Key]| keys.iter().filter(|key| bones.contains(&key.bone)).count();
    let clips = model.clips.iter().map(|slot| {
        (slot.clip.name.clone(), slot.clip.keyframes.iter().map(|keyframe| count(&keyframe.keys)).sum::<usize>())
    });
    clips.filter(|(_, keys)| *keys > 0).collect()
}

/// See [`BoneEdit::Delete`](super::BoneEdit::Delete).
pub fn delete(model: &Model, bones: &[BoneIndex]) -> Result<Model, String> {
    let skeleton = &model.skeleton;
    for bone in bones {
        name_of(skeleton, *bone)?;
    }
    let gone: BTreeSet<BoneIndex> = bones.iter().copied().collect();
    let heirs = heirs(skeleton, &gone);
    let mut changed = model.clone();
    let mut list = loosened(skeleton);
    let mut offsets = vec![None; skeleton.len()];
    for at in 0..list.len() {
        let mut by = Mat4::IDENTITY;
        let mut parent = skeleton.parent(at as BoneIndex);
        while let Some(above) = parent.filter(|parent| gone.contains(parent)) {
            by = skeleton.bones()[usize::from(above)].rest.to_mat4() * by;
            parent = skeleton.parent(above);
        }
        list[at].parent = parent.map(usize::from);
        if by != Mat4::IDENTITY {
            offsets[at] = Some(Transform::from_mat4(by));
            list[at].rest = in_parent(&by, &list[at].rest);
        }
    }
    move_in_parents(&mut changed, &offsets);
    let bind = bind_pose(model);
    for bone in &gone {
        let heir = heirs[usize::from(*bone)];
        let needs_heir =
            || format!("{} is the last bone, and meshes or properties need it", list[usize::from(*bone)].name);
        match heir {
            Some(heir) => {
                let heir_from_bone = bind.get(heir).to_mat4().inverse() * bind.get(*bone).to_mat4();
                bequeath(&mut changed, *bone, heir, &heir_from_bone)?;
            }
            None if is_used(model, *bone) => return Err(needs_heir()),
            None => {}
        }
    }
    for at in 0..changed.skins.len() {
        merge_joints(&mut changed, at, |bone| {
            heirs[usize::from(bone)].filter(|_| gone.contains(&bone)).unwrap_or(bone)
        });
    }
    forget(&mut changed, &gone);
    let mut place = vec![None; list.len()];
    let left = list.iter().filter(|loose| loose.old.is_some_and(|old| !gone.contains(&old))).cloned();
    let mut left: Vec<_> = left.collect();
    for (new, loose) in left.iter().enumerate() {
        place[usize::from(loose.old.unwrap_or_default())] = Some(new);
    }
    left.iter_mut().for_each(|loose| loose.parent = loose.parent.and_then(|parent| place[parent]));
    rebuilt(changed, &left)
}

/// For each bone the nearest one above it that stays; for the highest, the first one below it, or else the first one that stays.
fn heirs(skeleton: &Skeleton, gone: &BTreeSet<BoneIndex>) -> Vec<Option<BoneIndex>> {
    let first = skeleton.indices().find(|bone| !gone.contains(bone));
    let mut below = vec![None; skeleton.len()];
    // Parents come before their children.
    for at in (0..skeleton.len()).rev() {
        let bone = at as BoneIndex;
        let own = if gone.contains(&bone) { below[at] } else { Some(bone) };
        if let (Some(parent), Some(_)) = (skeleton.parent(bone), own) {
            below[usize::from(parent)] = own;
        }
    }
    let above = |bone: BoneIndex| {
        skeleton.above(bone).find(|above| !gone.contains(above)).or(below[usize::from(bone)]).or(first)
    };
    skeleton.indices().map(above).collect()
}

fn is_used(model: &Model, bone: BoneIndex) -> bool {
    model.skins.iter().any(|skin| skin.joints.contains(&bone))
        || model.meshes.iter().any(|slot| slot.mesh.binding == Binding::Bone(bone))
        || model.sockets.iter().any(|socket| socket.bone == bone)
        || model.skeleton.scalars().iter().any(|scalar| scalar.bone == bone)
}

/// Gives what belongs to a bone to another one, in place.
fn bequeath(model: &mut Model, bone: BoneIndex, heir: BoneIndex, heir_from_bone: &Mat4) -> Result<(), String> {
    move_contents(model, bone, heir_from_bone);
    let names = [bone, heir].map(|bone| model.skeleton.get(bone).map_or(String::new(), |bone| bone.name.clone()));
    let is_on = |lanes: &Lanes| lanes.contacts.iter().any(|contact| contact.bone == names[0]);
    if model.combat.bones().contains(&names[0].as_str()) || model.combat.lanes.values().any(is_on) {
        let combat = model.combat_mut();
        let of_lanes = combat.lanes.values_mut().flat_map(Lanes::bones_mut);
        let bones = combat.hurt.iter_mut().map(|volume| &mut volume.bone).chain(of_lanes);
        bones.filter(|bone| **bone == names[0]).for_each(|bone| bone.clone_from(&names[1]));
    }
    give_spring(&mut model.rig.springs, &names, heir_from_bone.w_axis.truncate());
    model.machine.rename_bones(|name| {
        if *name == names[0] {
            name.clone_from(&names[1]);
        }
    });
    model.sockets.iter_mut().filter(|socket| socket.bone == bone).for_each(|socket| socket.bone = heir);
    for slot in model.meshes.iter_mut().filter(|slot| slot.mesh.binding == Binding::Bone(bone)) {
        Arc::make_mut(&mut slot.mesh).binding = Binding::Bone(heir);
    }
    if model.skeleton.scalars().iter().any(|scalar| scalar.bone == bone) {
        let scalars = given_scalars(model.skeleton.scalars(), bone, heir);
        let pairs = model.skeleton.scalars().iter().zip(&scalars).filter(|(scalar, _)| scalar.bone == bone);
        let given: BTreeMap<String, String> = pairs.map(|(old, new)| (old.name.clone(), new.name.clone())).collect();
        give_saved_values(model, &names, &given);
        let skeleton = Skeleton::clone(&model.skeleton).with_scalars(scalars).map_err(|error| error.to_string())?;
        model.skeleton = Arc::new(skeleton);
        change_scalar_keys(model, bone, heir);
    }
    Ok(())
}

/// Gives colliders and centers of springs on a bone to its heir, whose own spring, if it ended at the joint of the bone, ends where that of
/// the bone did. `joint` is in the space of the heir.
fn give_spring(springs: &mut SpringNotes, [bone, heir]: &[String; 2], joint: Vec3) {
    let tip = springs.bones.get(bone).map_or(SpringTip::Point(joint), |spring| spring.tip.clone());
    if let Some(spring) = springs.bones.get_mut(heir)
        && spring.tip == SpringTip::Bone(bone.clone())
    {
        spring.tip = tip;
    }
    let centers = springs.bones.values_mut().filter_map(|spring| spring.center.as_mut());
    let names = springs.colliders.iter_mut().map(|collider| &mut collider.bone).chain(centers);
    names.filter(|name| **name == *bone).for_each(|name| name.clone_from(heir));
}

fn given_scalars(scalars: &[Scalar], bone: BoneIndex, heir: BoneIndex) -> Vec<Scalar> {
    let mut given = scalars.to_vec();
    for at in 0..given.len() {
        if given[at].bone == bone {
            let is_taken = |name: &str| given.iter().any(|other| other.bone == heir && other.name == name);
            let name = unique_name(&given[at].name, is_taken);
            given[at] = Scalar { bone: heir, name, ..given[at].clone() };
        }
    }
    given
}

/// Gives the values of a bone in saved poses to its heir. `given` is the new name of each value.
fn give_saved_values(model: &mut Model, [bone, heir]: &[String; 2], given: &BTreeMap<String, String>) {
    for pose in model.poses.iter_mut() {
        let saved = pose.bones.iter().filter(|saved| saved.bone == *bone).flat_map(|saved| &saved.scalars);
        let values = saved.filter_map(|(name, value)| Some((given.get(name)?.clone(), *value)));
        let values: Vec<(String, f32)> = values.collect();
        if values.is_empty() {
            continue;
        }
        let bones = &mut Arc::make_mut(pose).bones;
        match bones.iter_mut().find(|saved| saved.bone == *heir) {
            Some(saved) => {
                saved.scalars.retain(|(name, _)| !values.iter().any(|(given, _)| given == name));
                saved.scalars.extend(values);
            }
            None => bones.push(SavedBone {
                bone: heir.clone(),
                translation: None,
                rotation: None,
                scale: None,
                scalars: values,
            }),
        }
    }
}

/// Keys of scalars belong to the bone of the scalar.
fn change_scalar_keys(model: &mut Model, bone: BoneIndex, heir: BoneIndex) {
    change_keys(model, |key| {
        let is_given = key.bone == bone && key.channel.scalar().is_some();
        Some(if is_given { Key { bone: heir, ..*key } } else { *key })
    });
}

/// Replaces joints of a skin by those of their bones' heirs, whose inverse bind matrices are the same by now.
fn merge_joints(model: &mut Model, at: usize, heir: impl Fn(BoneIndex) -> BoneIndex) {
    let before = &model.skins[at];
    let own = |bone: BoneIndex| before.joints.iter().position(|joint| *joint == bone);
    let (mut kept, mut places) =
        (Skin { joints: Vec::new(), inverse_binds: Vec::new(), ..Skin::clone(before) }, Vec::new());
    let mut joint_of = BTreeMap::new();
    for (bone, inverse) in before.joints.iter().zip(&before.inverse_binds) {
        let to = heir(*bone);
        places.push(*joint_of.entry(to).or_insert_with(|| {
            kept.joints.push(to);
            kept.inverse_binds.push(own(to).map_or(*inverse, |own| before.inverse_binds[own]));
            kept.joints.len() as u16 - 1
        }));
    }
    if kept.joints == before.joints {
        return;
    }
    let is_merged = kept.joints.len() < places.len();
    model.skins[at] = Arc::new(kept);
    for slot in model.meshes.iter_mut().filter(|slot| is_merged && slot.mesh.binding == Binding::Skin(at)) {
        let mut mesh = Mesh::clone(&slot.mesh);
        for joint in mesh.influences.iter_mut().flat_map(|set| &mut set.joints).flatten() {
            *joint = places.get(usize::from(*joint)).copied().unwrap_or_default();
        }
        (0..mesh.positions.len()).for_each(|vertex| join_equal(&mut mesh.influences, vertex));
        slot.mesh = Arc::new(mesh);
    }
}

/// Adds the weights of a vertex on the same joint.
fn join_equal(sets: &mut [InfluenceSet], vertex: usize) {
    let slots: Vec<(usize, usize)> = (0..sets.len()).flat_map(|set| (0..4).map(move |slot| (set, slot))).collect();
    for (first, (set, slot)) in slots.iter().enumerate() {
        let joint = sets[*set].joints[vertex][*slot];
        for (other, at) in &slots[first + 1..] {
            let weight = sets[*other].weights[vertex][*at];
            if sets[*other].joints[vertex][*at] == joint && weight > 0.0 {
                sets[*other].weights[vertex][*at] = 0.0;
                sets[*set].weights[vertex][*slot] += weight;
            }
        }
    }
}

/// Removes bones from poses and notes.
fn forget(model: &mut Model, gone: &BTreeSet<BoneIndex>) {
    let names: BTreeSet<String> =
        gone.iter().filter_map(|bone| model.skeleton.get(*bone)).map(|bone| bone.name.clone()).collect();
    let is_gone = |name: &String| names.contains(name);
    for pose in model.poses.iter_mut() {
        let left = pose.bones.iter().filter(|saved| !is_gone(&saved.bone)).count();
        // A pose has at least one bone, if only one that the model lacks.
        if left < pose.bones.len() && left > 0 {
            Arc::make_mut(pose).bones.retain(|saved| !is_gone(&saved.bone));
        }
    }
    let rig = &mut model.rig;
    if rig.groups.iter().any(|group| group.bones.iter().any(is_gone)) {
        rig.groups.iter_mut().for_each(|group| group.bones.retain(|bone| !is_gone(bone)));
    }
    rig.mirror.retain(|(a, b)| !is_gone(a) && !is_gone(b));
    rig.orders.retain(|bone, _| !is_gone(bone));
    rig.limits.retain(|bone, _| !is_gone(bone));
    rig.chains.retain(|bone, _| !is_gone(bone));
    rig.masses.retain(|bone, _| !is_gone(bone));
    rig.springs.forget(is_gone);
    rig.humanoid.retain(|_, bone| !is_gone(bone));
    rig.bone_map.retain(|_, bone| !is_gone(bone));
}
