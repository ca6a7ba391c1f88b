//! Rebuilds what holds a salvaged model together: its lists from the names of its lumps, and a stand-in for its skeleton, so
//! that clips and meshes that are whole are not lost with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::anim::bake::SampleFormat;
use crate::anim::key::Key;
use crate::anim::scalar::{Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::skin::method::Method;
use crate::anim::transform::Transform;
use crate::assets::mesh::Binding;
use crate::assets::model::Visibility;
use crate::wad::kind::{Kind, List, Role};
use crate::wad::part::{Part, Parts};
use crate::wad::record::model::ModelLists;

/// Adds the lost lists and skeletons of models; each adds a finding.
pub fn rebuild(parts: &mut Parts, findings: &mut Vec<String>) {
    rename_lists(parts, findings);
    for owner in owners_without_lists(parts) {
        let lists = lists_of(parts, &owner);
        findings.push(format!(
            "model {owner}: its lists are lost and were rebuilt from the names of its lumps; the order of its parts may differ, \
             sockets are lost"
        ));
        parts.insert((Kind::MODEL, owner), Part::Model(lists));
    }
    let models = parts.iter().filter_map(|((_, owner), part)| match part {
        Part::Model(lists) => Some((owner.clone(), lists.clone())),
        _ => None,
    });
    for (owner, lists) in models.collect::<Vec<_>>() {
        let key = (Kind::SKELETON, owner);
        if parts.contains_key(&key) {
            continue;
        }
        if let Some(skeleton) = stand_in(parts, &key.1, &lists) {
            findings.push(format!(
                "model {}: the skeleton is lost; {} bones without names and parents replace it, so that clips and meshes are kept",
                key.1,
                skeleton.len()
            ));
            parts.insert(key, Part::Skeleton(Arc::new(skeleton)));
        }
    }
}

/// The owner of a lump `owner/part`.
fn owner_of(name: &str) -> Option<&str> {
    name.split_once('/').map(|(owner, _)| owner)
}

/// Gives lists whose own name is damaged the name of the model whose lumps they name.
fn rename_lists(parts: &mut Parts, findings: &mut Vec<String>) {
    let named = |((_, name), part): (&(Kind, String), &Part)| {
        let Part::Model(lists) = part else { return None };
        let owner = List::ALL.into_iter().flat_map(|list| lists.names(list)).find_map(|lump| owner_of(lump))?;
        let is_free = owner != name && !parts.contains_key(&(Kind::MODEL, owner.to_owned()));
        is_free.then(|| (name.clone(), owner.to_owned()))
    };
    for (name, owner) in parts.iter().filter_map(named).collect::<Vec<_>>() {
        if let Some(lists) = parts.remove(&(Kind::MODEL, name.clone())) {
            findings.push(format!("model {name}: its parts belong to {owner}, so it is taken for that model"));
            parts.insert((Kind::MODEL, owner), lists);
        }
    }
}

/// Lump names of models that have a skeleton or parts that no model lists, but no lump of their own.
fn owners_without_lists(parts: &Parts) -> BTreeSet<String> {
    let models = parts.values().filter_map(|part| if let Part::Model(lists) = part { Some(lists) } else { None });
    let listed: BTreeSet<&String> =
        models.flat_map(|lists| List::ALL.into_iter().flat_map(|list| lists.names(list))).collect();
    let owner = |(kind, name): &(Kind, String)| match kind.role() {
        Some(Role::Required) => Some(name.clone()),
        Some(Role::Listed(_)) if !listed.contains(name) => owner_of(name).map(str::to_owned),
        _ => None,
    };
    let is_lost = |owner: &String| !parts.contains_key(&(Kind::MODEL, owner.clone()));
    parts.keys().filter_map(owner).filter(is_lost).collect()
}

/// The lists of a model, sorted by name. Materials and textures that others refer to and that are lost get names.
fn lists_of(parts: &Parts, owner: &str) -> ModelLists {
    let of = |kind| {
        let first = (kind, format!("{owner}/"));
        let names = parts.range(first.clone()..).map(|(key, _)| key);
        let of_owner = names.take_while(|(other, name)| *other == kind && name.starts_with(&first.1));
        of_owner.map(|(_, name)| name.clone()).collect::<Vec<_>>()
    };
    let mut lists = ModelLists {
        name: owner.to_owned(),
        order: u32::MAX,
        skins: of(Kind::SKIN),
        meshes: of(Kind::MESH).into_iter().map(|name| (name, Visibility::default())).collect(),
        materials: of(Kind::MATERIAL),
        textures: of(Kind::TEXTURE),
        clips: of(Kind::CLIP),
        sockets: Vec::new(),
        skinning: Method::default(),
        samples: SampleFormat::default(),
    };
    let materials = lists.meshes.iter().filter_map(|(name, _)| match parts.get(&(Kind::MESH, name.clone())) {
        Some(Part::Mesh(mesh)) => Some(mesh.material),
        _ => None,
    });
    let materials = materials.max();
    fill(&mut lists.materials, materials, owner);
    let textures = lists.materials.iter().filter_map(|name| match parts.get(&(Kind::MATERIAL, name.clone())) {
        Some(Part::Material(material)) => material.textures().max(),
        _ => None,
    });
    let textures = textures.max();
    fill(&mut lists.textures, textures, owner);
    lists
}

/// The maximum number of lost materials or textures that get a placeholder.
const MAX_PLACEHOLDERS: usize = 256;

/// Adds names up to an index.
fn fill(names: &mut Vec<String>, last: Option<usize>, owner: &str) {
    let count = last.map_or(0, |last| last.saturating_add(1)).min(MAX_PLACEHOLDERS);
    while names.len() < count {
        names.push(format!("{owner}/lost {}", names.len()));
    }
}

/// As many bones as the clips, skins, meshes and sockets of a model use, each a root in its bind pose.
fn stand_in(parts: &Parts, owner: &str, lists: &ModelLists) -> Option<Skeleton> {
    let get = |kind, name: &String| parts.get(&(kind, name.clone()));
    let mut used: BTreeSet<u16> = lists.sockets.iter().map(|socket| socket.bone).collect();
    for name in &lists.clips {
        if let Some(Part::Clip(clip)) = get(Kind::CLIP, name) {
            used.extend(clip.keyframes.iter().flat_map(|keyframe| &keyframe.keys).map(|key| key.bone));
        }
    }
    for (name, _) in &lists.meshes {
        if let Some(Part::Mesh(mesh)) = get(Kind::MESH, name)
            && let Binding::Bone(bone) = mesh.binding
        {
            used.insert(bone);
        }
    }
    if let Some(Part::Drafts(drafts)) = parts.get(&(Kind::DRAFTS, owner.to_owned())) {
        used.extend(drafts.iter().flat_map(|draft| &draft.keys).map(|key| key.bone));
    }
    let skins: Vec<&Skin> = lists
        .skins
        .iter()
        .filter_map(|name| if let Some(Part::Skin(skin)) = get(Kind::SKIN, name) { Some(skin.as_ref()) } else { None })
        .collect();
    used.extend(skins.iter().flat_map(|skin| &skin.joints));
    let count = used.last().map_or(1, |last| last.saturating_add(1));
    let bone = |at: u16| Bone { name: format!("bone {at}"), parent: None, rest: bind_transform(&skins, at) };
    Skeleton::new((0..count).map(bone).collect()).ok()?.with_scalars(stand_in_scalars(parts, owner, lists)).ok()
}

/// Scalars that replace lost ones: weights without names, as many as meshes, clips and drafts use. Their keys are kept.
fn stand_in_scalars(parts: &Parts, owner: &str, lists: &ModelLists) -> Vec<Scalar> {
    let get = |kind, name: &String| parts.get(&(kind, name.clone()));
    let mut bones: BTreeMap<ScalarIndex, BoneIndex> = BTreeMap::new();
    for (name, _) in &lists.meshes {
        if let Some(Part::Mesh(mesh)) = get(Kind::MESH, name) {
            let bone = if let Binding::Bone(bone) = mesh.binding { bone } else { 0 };
            for target in &mesh.morphs {
                bones.entry(target.scalar).or_insert(bone);
            }
        }
    }
    let mut note = |key: &Key| {
        if let Some(scalar) = key.channel.scalar() {
            bones.insert(scalar, key.bone);
        }
    };
    for name in &lists.clips {
        if let Some(Part::Clip(clip)) = get(Kind::CLIP, name)
            && clip.keyframes.has_scalars()
        {
            clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter()).for_each(&mut note);
        }
    }
    if let Some(Part::Drafts(drafts)) = parts.get(&(Kind::DRAFTS, owner.to_owned())) {
        drafts.iter().flat_map(|draft| &draft.keys).for_each(&mut note);
    }
    let count = bones.keys().last().map_or(0, |last| last.saturating_add(1));
    let scalar = |at: ScalarIndex| Scalar {
        name: format!("value {at}"),
        bone: bones.get(&at).copied().unwrap_or(0),
        kind: ScalarKind::Weight,
        default: 0.0,
    };
    (0..count).map(scalar).collect()
}

/// The transform of a bone in the bind pose of the first skin that has it; identity if there is none.
fn bind_transform(skins: &[&Skin], bone: u16) -> Transform {
    let joints = skins.iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_binds));
    let found = joints.into_iter().find(|(joint, _)| **joint == bone).map(|(_, inverse)| {
        let (scale, rotation, translation) = inverse.inverse().to_scale_rotation_translation();
        Transform { translation, rotation: rotation.normalize(), scale }
    });
    let is_finite = |it: &Transform| it.translation.is_finite() && it.rotation.is_finite() && it.scale.is_finite();
    found.filter(is_finite).unwrap_or(Transform::IDENTITY)
}
