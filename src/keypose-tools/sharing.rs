//! Shares equal values between a project and its state before it was read again. Caches by address (baked clips, copies on the
//! GPU) then stay valid, and only changed values are made again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::assets::character::Character;
use crate::assets::model::{ClipSlot, Model};

/// The characters, with each model and part that equals the one of the same name in `before` replaced by it.
pub fn share(characters: &[Arc<Character>], before: &[Arc<Character>]) -> Vec<Arc<Character>> {
    let known = by_name(before);
    let shared = |character: &Arc<Character>| match known.get(character.model.name.as_str()) {
        Some(before) => share_one(character, before),
        None => character.clone(),
    };
    characters.iter().map(shared).collect()
}

/// Descriptions of the differences after [`share`], such as "knight: walk": clips, then other parts of the models.
pub fn changes(characters: &[Arc<Character>], before: &[Arc<Character>]) -> Vec<String> {
    let mut out = Vec::new();
    let known = by_name(before);
    for character in characters {
        let model = &character.model;
        let Some(before) = known.get(model.name.as_str()) else {
            out.push(format!("{} is new", model.name));
            continue;
        };
        let old = &before.model;
        let addresses: BTreeSet<_> = old.clips.iter().map(|slot| Arc::as_ptr(&slot.clip)).collect();
        let others = model.clips.iter().filter(|slot| !addresses.contains(&Arc::as_ptr(&slot.clip)));
        out.extend(others.map(|slot| format!("{}: {}", model.name, slot.clip.name)));
        let names: BTreeSet<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let removed = old.clips.iter().filter(|slot| !names.contains(slot.clip.name.as_str()));
        out.extend(removed.map(|slot| format!("{}: {} was removed", model.name, slot.clip.name)));
        let meshes = |model: &Model| model.meshes.iter().map(|slot| Arc::as_ptr(&slot.mesh)).collect::<Vec<_>>();
        let parts = [
            ("skeleton", !Arc::ptr_eq(&model.skeleton, &old.skeleton)),
            ("meshes", meshes(model) != meshes(old)),
            ("materials", !is_same_list(&model.materials, &old.materials)),
            ("textures", !is_same_list(&model.textures, &old.textures)),
        ];
        out.extend(parts.iter().filter(|part| part.1).map(|part| format!("{}: {}", model.name, part.0)));
    }
    let now = by_name(characters);
    let names = before.iter().map(|character| &character.model.name).filter(|name| !now.contains_key(name.as_str()));
    out.extend(names.map(|name| format!("{name} was removed")));
    out
}

/// The first character of each name.
fn by_name(characters: &[Arc<Character>]) -> BTreeMap<&str, &Arc<Character>> {
    characters.iter().rev().map(|character| (character.model.name.as_str(), character)).collect()
}

fn is_same_list<T>(a: &[Arc<T>], b: &[Arc<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

fn share_one(character: &Arc<Character>, before: &Arc<Character>) -> Arc<Character> {
    let old = &before.model;
    let mut model = Model::clone(&character.model);
    share_value(&mut model.skeleton, std::slice::from_ref(&old.skeleton));
    model.skins.iter_mut().for_each(|skin| share_value(skin, &old.skins));
    model.materials.iter_mut().for_each(|material| share_value(material, &old.materials));
    model.textures.iter_mut().for_each(|texture| share_value(texture, &old.textures));
    let meshes: Vec<_> = old.meshes.iter().map(|slot| slot.mesh.clone()).collect();
    model.meshes.iter_mut().for_each(|slot| share_value(&mut slot.mesh, &meshes));
    let clips: Vec<_> = old.clips.iter().map(|slot| slot.clip.clone()).collect();
    let named: BTreeMap<&str, &Arc<Clip>> = clips.iter().rev().map(|clip| (clip.name.as_str(), clip)).collect();
    for slot in &mut model.clips {
        let known = named.get(slot.clip.name.as_str()).map_or(&[][..], |clip| std::slice::from_ref(*clip));
        share_value(&mut slot.clip, known);
    }
    if is_same(&model, old) {
        return before.clone();
    }
    // A new clip must not keep the bytes of its file, or each reload would keep one more file in memory.
    let places: BTreeMap<_, usize> = clips.iter().map(Arc::as_ptr).zip(0..).collect();
    let is_new = |slot: &&mut ClipSlot| !places.contains_key(&Arc::as_ptr(&slot.clip));
    for slot in model.clips.iter_mut().filter(is_new).filter(|slot| slot.clip.keyframes.is_packed()) {
        Arc::make_mut(&mut slot.clip).keyframes.release();
    }
    let bakes_alike = Arc::ptr_eq(&model.skeleton, &old.skeleton) && model.samples == old.samples;
    let mut baked = character.clips.clone();
    for (slot, baked) in model.clips.iter().zip(&mut baked).filter(|_| bakes_alike) {
        let at = places.get(&Arc::as_ptr(&slot.clip));
        if let Some(known) = at.and_then(|at| before.clips.get(*at)) {
            *baked = known.clone();
        }
    }
    Arc::new(Character { model: Arc::new(model), clips: baked })
}

/// Whether two models are equal. Large parts are compared by address.
fn is_same(model: &Model, old: &Model) -> bool {
    let clips = |model: &Model| model.clips.iter().map(|slot| (slot.id, Arc::as_ptr(&slot.clip))).collect::<Vec<_>>();
    let meshes =
        |model: &Model| model.meshes.iter().map(|slot| (Arc::as_ptr(&slot.mesh), slot.visibility)).collect::<Vec<_>>();
    let is_large_same = Arc::ptr_eq(&model.skeleton, &old.skeleton)
        && is_same_list(&model.skins, &old.skins)
        && is_same_list(&model.materials, &old.materials)
        && is_same_list(&model.textures, &old.textures)
        && clips(model) == clips(old)
        && meshes(model) == meshes(old);
    // Compares all other fields, including those that are added later.
    let small = |model: &Model| Model {
        skeleton: Arc::default(),
        skins: Vec::new(),
        materials: Vec::new(),
        textures: Vec::new(),
        clips: Vec::new(),
        meshes: Vec::new(),
        // The game does not draw them.
        references: Vec::new(),
        ..model.clone()
    };
    is_large_same && small(model) == small(old)
}

/// Replaces the value by the first equal one in `before`.
fn share_value<T: PartialEq>(value: &mut Arc<T>, before: &[Arc<T>]) {
    if let Some(equal) = before.iter().find(|before| ***before == **value) {
        *value = equal.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::transform::Transform;
    use crate::assets::id::ClipId;
    use crate::assets::model::Socket;
    use crate::assets::texture::Texture;

    fn character(color: u8, clips: &[&str]) -> Arc<Character> {
        let texture = |name: &str, color| Texture {
            name: name.into(),
            width: 1,
            height: 1,
            data: vec![color; 4].into(),
            source_format: String::new(),
        };
        let slot =
            |(id, name): (u32, &&str)| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new((*name).to_owned())) };
        let model = Model {
            name: "knight".into(),
            textures: vec![Arc::new(texture("plate", 7)), Arc::new(texture("cloth", color))],
            clips: (1..).zip(clips).map(slot).collect(),
            ..Model::default()
        };
        Arc::new(Character::bake(&Arc::new(model), None))
    }

    #[test]
    fn equal_values_are_shared_and_changed_ones_are_not() {
        let before = character(1, &["idle", "walk"]);
        let same = share(&[character(1, &["idle", "walk"])], std::slice::from_ref(&before));
        assert!(Arc::ptr_eq(&same[0], &before));
        let mut socketed = Character::clone(&character(1, &["idle", "walk"]));
        Arc::make_mut(&mut socketed.model).sockets.push(Socket {
            name: "hand".into(),
            bone: 0,
            transform: Transform::IDENTITY,
            attached: String::new(),
        });
        let other_socket = share(&[Arc::new(socketed)], std::slice::from_ref(&before));
        assert_eq!(other_socket[0].model.sockets.len(), 1, "small parts count as well");
        let other = share(&[character(2, &["walk", "run"])], std::slice::from_ref(&before));
        let shared = |at| Arc::ptr_eq(&other[0].model.textures[at], &before.model.textures[at]);
        assert_eq!([shared(0), shared(1)], [true, false]);
        assert!(Arc::ptr_eq(&other[0].clips[0], &before.clips[1]), "the baked walk goes with its clip");
        assert_eq!(other[0].clips[1].name, "run");
        assert_eq!(changes(&same, std::slice::from_ref(&before)), Vec::<String>::new());
        let changed = changes(&other, std::slice::from_ref(&before));
        assert_eq!(changed, ["knight: run", "knight: idle was removed", "knight: textures"]);
        assert_eq!(changes(&[], &other), ["knight was removed"]);
    }
}
