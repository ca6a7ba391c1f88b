//! Meshes and clips by name: removes the others, and materials, textures and skins that become unused.

use std::sync::Arc;

use crate::assets::import_options::{Chosen, ImportOptions, matches};
use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Source};

/// Maximum number of names that a sentence lists.
const MAX_NAMED: usize = 12;

/// A pattern that matches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    what: &'static str,
    pattern: String,
    /// The pattern, and the names that there are.
    pub sentence: String,
}

impl Unmatched {
    /// Whether both are the same pattern.
    pub fn is_same(&self, other: &Unmatched) -> bool {
        (self.what, &self.pattern) == (other.what, &other.pattern)
    }
}

/// A list of named parts, and which of them are chosen.
pub struct Named<'c> {
    pub what: &'static str,
    pub plural: &'static str,
    pub chosen: &'c Chosen,
}

impl Named<'_> {
    /// The patterns that match none of these names.
    pub fn unmatched(&self, names: &[&str]) -> Vec<Unmatched> {
        let is_unmatched = |pattern: &&String| !names.iter().any(|name| matches(pattern, name));
        let patterns = self.chosen.only.iter().chain(&self.chosen.except).filter(is_unmatched);
        let unmatched = |pattern: &String| Unmatched {
            what: self.what,
            pattern: pattern.clone(),
            sentence: self.sentence(pattern, names),
        };
        patterns.map(unmatched).collect()
    }

    fn sentence(&self, pattern: &str, names: &[&str]) -> String {
        let more = names.len().saturating_sub(MAX_NAMED);
        let shown = names[..names.len().min(MAX_NAMED)].join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if names.is_empty() {
            format!("no {} matches \"{pattern}\"; there are none", self.what)
        } else {
            format!("no {} matches \"{pattern}\"; the {} are: {shown}{more}", self.what, self.plural)
        }
    }
}

/// Removes the meshes and clips that are not chosen. Bones stay, because clips and other meshes may move with them.
pub fn choose(model: &mut Model, options: &ImportOptions, findings: &mut Vec<String>) {
    let (meshes, clips) = (model.meshes.len(), model.clips.len());
    if options.clips != Chosen::default() {
        model.clips.retain(|slot| options.clips.has(&slot.clip.name));
        let kept: Vec<_> = model.clips.iter().map(|slot| slot.id).collect();
        model.clip_notes.retain(|id, _| kept.contains(id));
        model.combat_mut().lanes.retain(|id, _| kept.contains(id));
    }
    if options.meshes != Chosen::default() {
        choose_meshes(model, &options.meshes);
    }
    let lost = [(meshes - model.meshes.len(), meshes, "meshes"), (clips - model.clips.len(), clips, "clips")];
    for (left_out, all, what) in lost.into_iter().filter(|(left_out, ..)| *left_out > 0) {
        findings.push(format!("{left_out} of {all} {what} left out"));
    }
}

fn choose_meshes(model: &mut Model, chosen: &Chosen) {
    let is_kept: Vec<bool> = model.meshes.iter().map(|slot| chosen.has(&slot.mesh.name)).collect();
    let mut kept = is_kept.iter();
    model.meshes.retain(|_| *kept.next().unwrap_or(&true));
    let sources = model.source.meshes.iter().zip(is_kept.iter().chain(std::iter::repeat(&true)));
    let meshes = sources.filter(|(_, is_kept)| **is_kept).map(|(source, _)| *source).collect();
    model.source = Arc::new(Source { meshes, ..Source::clone(&model.source) });
    drop_unused(model);
}

/// Removes skins, materials and textures that no mesh uses.
fn drop_unused(model: &mut Model) {
    let (mut skins, mut materials) = (vec![false; model.skins.len()], vec![false; model.materials.len()]);
    for slot in &model.meshes {
        materials[slot.mesh.material] = true;
        if let Binding::Skin(skin) = slot.mesh.binding {
            skins[skin] = true;
        }
    }
    let (skin_places, material_places) = (keep(&mut model.skins, &skins), keep(&mut model.materials, &materials));
    for slot in &mut model.meshes {
        let mesh = Arc::make_mut(&mut slot.mesh);
        mesh.material = material_places[mesh.material];
        if let Binding::Skin(skin) = &mut mesh.binding {
            *skin = skin_places[*skin];
        }
    }
    let mut textures = vec![false; model.textures.len()];
    model.materials.iter().flat_map(|material| material.textures()).for_each(|texture| textures[texture] = true);
    let places = keep(&mut model.textures, &textures);
    for material in &mut model.materials {
        Arc::make_mut(material).textures_mut().for_each(|texture| *texture = places[*texture]);
    }
}

/// Keeps the used items of a list. Returns their new indices.
fn keep<T>(all: &mut Vec<T>, is_used: &[bool]) -> Vec<usize> {
    let places = is_used.iter().scan(0, |next, is_used| {
        let place = *next;
        *next += usize::from(*is_used);
        Some(place)
    });
    let places = places.collect();
    let mut used = is_used.iter();
    all.retain(|_| *used.next().unwrap_or(&true));
    places
}
