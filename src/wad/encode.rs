//! A project to the bytes of its archive: taken apart, each part written, packed.

use std::sync::Arc;

use crate::assets::character::Character;
use crate::assets::clip_notes::{ClipNotes, Derived};
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::model::Model;
use crate::assets::project::Project;
use crate::assets::reference::Reference;
use crate::wad::assemble::{ClipIds, ModelLumps};
use crate::wad::bakes;
use crate::wad::directory::Codec;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::name::Names;
use crate::wad::pack::{Lump, pack};
use crate::wad::part::{Part, Parts};
use crate::wad::record::clip_notes::NamedNotes;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::model::ModelLists;
use crate::wad::record::reference::NamedReference;

/// The bytes of the archive that holds this project, authored and baked. `characters` are models with their clips baked:
/// what they have is not baked again, what they lack is. The same project gives the same bytes.
pub fn encode(project: &Project, characters: &[Arc<Character>]) -> Result<Vec<u8>, WadError> {
    pack(lumps(project, characters)?, None)
}

/// The lumps of a project, each part checked.
pub fn lumps(project: &Project, characters: &[Arc<Character>]) -> Result<Vec<Lump>, WadError> {
    for model in &project.models {
        let (place, check) = (format!("model {}", model.name), model.check());
        check.map_err(|error| WadError::Content { place, reason: error.reason })?;
    }
    let built = build(project);
    let mut lumps = built.parts.iter().map(|(key, part)| part.to_lump(key)).collect::<Result<Vec<_>, _>>()?;
    let baked = bakes::lumps(project, &built.models, characters, &lumps);
    lumps.extend(baked);
    Ok(lumps)
}

/// What changed from one state of a project to another, as lumps and tombstones. Takes about as long as what changed is
/// large; nothing is checked.
pub fn delta(before: &Project, after: &Project) -> Result<Vec<Lump>, WadError> {
    let (old, new) = (parts_of(before), parts_of(after));
    let gone = old.keys().filter(|key| !new.contains_key(*key));
    let mut lumps: Vec<Lump> = gone.map(tombstone).collect();
    for (key, part) in &new {
        if !old.get(key).is_some_and(|before| before.is_same(part)) {
            lumps.push(part.to_lump(key)?);
        }
    }
    Ok(lumps)
}

fn tombstone((kind, name): &(Kind, String)) -> Lump {
    let version = kind.newest_version().unwrap_or(1);
    Lump { kind: *kind, name: name.clone(), version, codec: Codec::Store, bytes: None }
}

/// A project taken apart. Big parts are shared with it.
pub fn parts_of(project: &Project) -> Parts {
    parts_and_ids(project).0
}

/// The same, with the ids of the clips by their lumps.
pub fn parts_and_ids(project: &Project) -> (Parts, ClipIds) {
    let built = build(project);
    (built.parts, built.ids)
}

fn build(project: &Project) -> Builder {
    let mut out = Builder::default();
    for (order, model) in (0_u32..).zip(&project.models) {
        out.model(model, order);
    }
    for (order, level) in (0_u32..).zip(&project.levels) {
        let name = out.names.unique(Kind::LEVEL, "", &level.name);
        out.parts.insert((Kind::LEVEL, name), Part::Level(level.clone(), order));
    }
    for unknown in &project.unknown {
        let key = (Kind(unknown.kind), unknown.name.clone());
        out.parts.entry(key).or_insert_with(|| Part::Unknown(unknown.clone()));
    }
    out
}

#[derive(Default)]
struct Builder {
    parts: Parts,
    ids: ClipIds,
    models: Vec<ModelLumps>,
    names: Names,
}

impl Builder {
    /// Adds each part of a list, and gives back the names of their lumps.
    fn list<'a, T: 'a>(
        &mut self,
        (kind, owner, otherwise): (Kind, &str, &str),
        list: impl IntoIterator<Item = &'a T>,
        name_of: impl Fn(&T) -> &str,
        part_of: impl Fn(&T) -> Part,
    ) -> Vec<String> {
        let add = |part| {
            let name = name_of(part);
            let name = self.names.unique(kind, owner, if name.is_empty() { otherwise } else { name });
            self.parts.insert((kind, name.clone()), part_of(part));
            name
        };
        list.into_iter().map(add).collect()
    }

    fn model(&mut self, model: &Model, order: u32) {
        let owner = &self.names.unique(Kind::MODEL, "", &model.name);
        let of = |kind, otherwise| (kind, owner.as_str(), otherwise);
        let skins = self.list(of(Kind::SKIN, "skin"), &model.skins, |part| &part.name, |part| Part::Skin(part.clone()));
        let meshes = self.list(
            of(Kind::MESH, "mesh"),
            &model.meshes,
            |slot| &slot.mesh.name,
            |slot| Part::Mesh(slot.mesh.clone()),
        );
        let materials = self.list(
            of(Kind::MATERIAL, "material"),
            &model.materials,
            |part| &part.name,
            |part| Part::Material(part.clone()),
        );
        let textures = self.list(
            of(Kind::TEXTURE, "texture"),
            &model.textures,
            |part| &part.name,
            |part| Part::Texture(part.clone()),
        );
        let images = self.list(
            of(Kind::REFERENCE_IMAGE, "image"),
            &model.references,
            |reference| reference.name(),
            |reference| Part::ReferenceImage(reference.image.clone()),
        );
        let clips = self.list(
            of(Kind::CLIP, "clip"),
            &model.clips,
            |slot| &slot.clip.name,
            |slot| Part::Clip(slot.clip.clone()),
        );
        self.ids.extend(clips.iter().cloned().zip(model.clips.iter().map(|slot| slot.id)));
        self.singles(model, owner, &clips);
        if !images.is_empty() {
            let named =
                images.into_iter().zip(&model.references).map(|(lump, reference)| named_reference(lump, reference));
            self.parts.insert((Kind::REFERENCES, owner.clone()), Part::References(named.collect()));
        }
        self.models.push(ModelLumps { owner: owner.clone(), clips: clips.clone() });
        let lists = ModelLists {
            name: model.name.clone(),
            order,
            skins,
            meshes: meshes.into_iter().zip(model.meshes.iter().map(|slot| slot.visibility)).collect(),
            materials,
            textures,
            clips,
            sockets: model.sockets.clone(),
        };
        self.parts.insert((Kind::MODEL, owner.clone()), Part::Model(lists));
    }

    /// What a model has once; machine, poses, notes, drafts and source only where there is something to say.
    fn singles(&mut self, model: &Model, owner: &str, clips: &[String]) {
        let mut put = |kind, part| drop(self.parts.insert((kind, owner.to_owned()), part));
        put(Kind::SKELETON, Part::Skeleton(model.skeleton.clone()));
        if model.machine != Default::default() {
            put(Kind::MACHINE, Part::Machine(model.machine.clone()));
        }
        if !model.poses.is_empty() {
            put(Kind::POSES, Part::Poses(model.poses.clone()));
        }
        if model.rig != Default::default() {
            put(Kind::RIG, Part::Rig(model.rig.clone()));
        }
        if *model.source != Default::default() {
            put(Kind::SOURCE, Part::Source(model.source.clone()));
        }
        let notes: Vec<NamedNotes> =
            model.clips.iter().zip(clips).filter_map(|(slot, lump)| notes(slot.id, lump, model, clips)).collect();
        if !notes.is_empty() {
            put(Kind::CLIP_NOTES, Part::ClipNotes(notes));
        }
        let mut drafts: Vec<NamedDraft> = model.drafts.iter().filter_map(|draft| named(draft, model, clips)).collect();
        let place = |draft: &NamedDraft| clips.iter().position(|lump| draft.clip.as_ref() == Some(lump));
        // Ids differ from one reading to the next; places in the list do not.
        drafts.sort_by_key(|draft| (place(draft), draft.time));
        if !drafts.is_empty() {
            put(Kind::DRAFTS, Part::Drafts(drafts));
        }
    }
}

/// A reference image with its pixels named by their lump.
fn named_reference(lump: String, reference: &Reference) -> NamedReference {
    let &Reference { facing, depth, offset, height, opacity, visibility, lock, .. } = reference;
    NamedReference { lump, facing, depth, offset, height, opacity, visibility, lock }
}

/// A draft with its clip named by its lump; `None` where that clip is gone.
fn named(draft: &Draft, model: &Model, clips: &[String]) -> Option<NamedDraft> {
    let clip = match draft.clip {
        Some(id) => Some(clips.get(model.clip_index(id)?)?.clone()),
        None => None,
    };
    Some(NamedDraft { clip, time: draft.time, keys: draft.keys.clone() })
}

/// The notes of a clip with clips named by their lumps; `None` where there are none.
fn notes(id: ClipId, lump: &str, model: &Model, clips: &[String]) -> Option<NamedNotes> {
    let ClipNotes { folder, tags, derived } = model.clip_notes.get(&id)?.clone();
    let source = |derived: Derived| Some((clips.get(model.clip_index(derived.source)?)?.clone(), derived.how));
    Some(NamedNotes { clip: lump.to_owned(), folder, tags, derived: derived.and_then(source) })
}
