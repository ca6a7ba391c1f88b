//! Repairs salvaged parts: missing parts are removed from the lists, or replaced by placeholders.

use std::sync::Arc;

use crate::anim::skin::Skin;
use crate::assets::mesh::Binding;
use crate::assets::texture::Texture;
use crate::wad::kind::Kind;
use crate::wad::part::{Part, Parts};
use crate::wad::record::model::ModelLists;

/// Repairs the models; each change adds a finding.
pub fn repair(parts: &mut Parts, findings: &mut Vec<String>) {
    let models = parts.iter().filter_map(|((_, name), part)| match part {
        Part::Model(lists) => Some((name.clone(), lists.clone())),
        _ => None,
    });
    for (owner, mut lists) in models.collect::<Vec<_>>() {
        if !parts.contains_key(&(Kind::SKELETON, owner.clone())) {
            findings.push(format!("model {owner}: the skeleton is lost, so the model is removed"));
            parts.remove(&(Kind::MODEL, owner));
            continue;
        }
        add_placeholders(parts, &lists, findings);
        remove_lost_meshes(parts, &owner, &mut lists, findings);
        lists.clips.retain(|lump| {
            let exists = parts.contains_key(&(Kind::CLIP, lump.clone()));
            if !exists {
                findings.push(format!("model {owner}: lost the clip {lump}"));
            }
            exists
        });
        parts.insert((Kind::MODEL, owner), Part::Model(lists));
    }
}

/// Replaces lost parts of the lists that other parts index.
fn add_placeholders(parts: &mut Parts, lists: &ModelLists, findings: &mut Vec<String>) {
    let skins = lists.skins.iter().map(|name| (Kind::SKIN, name, Part::Skin(Arc::new(Skin::default()))));
    let materials = lists.materials.iter().map(|name| (Kind::MATERIAL, name, Part::Material(Arc::default())));
    let textures =
        lists.textures.iter().map(|name| (Kind::TEXTURE, name, Part::Texture(Arc::new(placeholder_texture()))));
    for (kind, name, placeholder) in skins.chain(materials).chain(textures) {
        parts.entry((kind, name.clone())).or_insert_with(|| {
            findings.push(format!("model {}: {kind}/{name} is lost and was replaced by a placeholder", lists.name));
            placeholder
        });
    }
}

/// Removes meshes that are lost or whose skin is lost, with their sources.
fn remove_lost_meshes(parts: &mut Parts, owner: &str, lists: &mut ModelLists, findings: &mut Vec<String>) {
    let skin = |parts: &Parts, at: usize| match parts.get(&(Kind::SKIN, lists.skins.get(at)?.clone())) {
        Some(Part::Skin(skin)) => Some(skin.joints.len()),
        _ => None,
    };
    let fits = |lump: &String| match parts.get(&(Kind::MESH, lump.clone())) {
        Some(Part::Mesh(mesh)) => match mesh.binding {
            Binding::Bone(_) => mesh.check(None).is_ok(),
            Binding::Skin(at) => mesh.check(skin(parts, at)).is_ok(),
        },
        _ => false,
    };
    let keep: Vec<bool> = lists.meshes.iter().map(|(lump, _)| fits(lump)).collect();
    for ((lump, _), _) in lists.meshes.iter().zip(&keep).filter(|(_, keep)| !**keep) {
        findings.push(format!("model {owner}: lost the mesh {lump}"));
        parts.remove(&(Kind::MESH, lump.clone()));
    }
    if let Some(Part::Source(source)) = parts.get_mut(&(Kind::SOURCE, owner.to_owned())) {
        let mut kept = keep.iter();
        Arc::make_mut(source).meshes.retain(|_| kept.next().copied().unwrap_or(true));
    }
    let mut kept = keep.iter();
    lists.meshes.retain(|_| kept.next().copied().unwrap_or(true));
}

/// The texture that replaces a lost one: a single magenta pixel.
fn placeholder_texture() -> Texture {
    let (name, source_format) = ("lost".to_owned(), "lost".to_owned());
    Texture { name, width: 1, height: 1, data: vec![255, 0, 255, 255].into(), source_format }
}
