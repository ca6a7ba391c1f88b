//! Assembles a project from its parts: follows the lists of the models, makes names unique and assigns ids. Whether the
//! parts of a model match is checked by [`Model::check`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::assets::clip_notes::{ClipNotes, Derivation, Derived};
use crate::assets::combat::Combat;
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, MAX_BONE_CLIPS, MeshSlot, Model, ModelError, ModelPart};
use crate::assets::project::{Project, UnknownLump, UsedNames};
use crate::assets::reference::{self, Film, FilmFiles, Reference};
use crate::assets::sound::Sound;
use crate::wad::kind::Kind;
use crate::wad::mismatch::Mismatch;
use crate::wad::pack::Lump;
use crate::wad::part::{Part, Parts};
use crate::wad::record::clip_notes::NamedNotes;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::model::ModelLists;
use crate::wad::record::reference::NamedReference;
use crate::wad::record::volumes::NamedVolumes;

/// The id of each clip by the name of its lump. States of one project share them, so clips keep their ids.
pub type ClipIds = BTreeMap<String, ClipId>;

/// A project, and the repairs that were made.
#[derive(Default)]
pub struct Assembled {
    pub project: Project,
    /// The lumps of each model.
    pub models: Vec<ModelLumps>,
    pub findings: Vec<String>,
}

/// The lumps of a model that its baked clips are made from.
#[derive(Clone, Debug)]
pub struct ModelLumps {
    /// The name of its own lump and of its skeleton.
    pub owner: String,
    /// The lumps of its clips, in order.
    pub clips: Vec<String>,
}

/// Assembles a project. Clips without an id get one after `next_id`.
pub fn assemble(parts: &Parts, ids: &mut ClipIds, next_id: u32) -> Result<Assembled, Mismatch> {
    let (used, names) = (BTreeSet::new(), UsedNames::default());
    let mut assembly = Assembly { parts, ids, used, all_clips: BTreeSet::new(), names, out: Assembled::default() };
    assembly.out.project.next_id = next_id;
    assembly.models()?;
    assembly.rest();
    assembly.report_unused();
    Ok(assembly.out)
}

struct Assembly<'a> {
    parts: &'a Parts,
    ids: &'a mut ClipIds,
    used: BTreeSet<(Kind, &'a str)>,
    /// The lumps of the clips of all models.
    all_clips: BTreeSet<&'a str>,
    names: UsedNames,
    out: Assembled,
}

impl<'a> Assembly<'a> {
    fn models(&mut self) -> Result<(), Mismatch> {
        let mut models: Vec<(&str, &ModelLists)> = Vec::new();
        for ((kind, name), part) in self.parts {
            if let Part::Model(lists) = part {
                models.push((name, lists));
                self.used.insert((*kind, name));
            }
        }
        models.sort_by_key(|(name, lists)| (lists.order, *name));
        self.all_clips = models.iter().flat_map(|(_, lists)| &lists.clips).map(String::as_str).collect();
        for (owner, lists) in models {
            let mut model = self.model(owner, lists)?;
            self.make_names_unique(&mut model);
            self.out.models.push(ModelLumps { owner: owner.to_owned(), clips: lists.clips.clone() });
            self.out.project.models.push(Arc::new(model));
        }
        Ok(())
    }

    fn model(&mut self, owner: &'a str, lists: &'a ModelLists) -> Result<Model, Mismatch> {
        macro_rules! part {
            ($kind:expr, $name:expr, $variant:path) => {
                match self.required($kind, $name, owner)? {
                    $variant(part) => part.clone(),
                    _ => return Err(missing($kind, $name, owner)),
                }
            };
        }
        macro_rules! parts {
            ($kind:expr, $names:expr, $variant:path) => {{
                let mut list = Vec::with_capacity($names.len());
                for name in $names {
                    list.push(part!($kind, name, $variant));
                }
                list
            }};
        }
        macro_rules! optional {
            ($kind:expr, $variant:path) => {
                match self.optional($kind, owner) {
                    Some($variant(part)) => part.clone(),
                    _ => Default::default(),
                }
            };
        }
        let mut meshes = Vec::with_capacity(lists.meshes.len());
        for (lump, visibility) in &lists.meshes {
            meshes.push(MeshSlot { mesh: part!(Kind::MESH, lump, Part::Mesh), visibility: *visibility });
        }
        let clips = parts!(Kind::CLIP, &lists.clips, Part::Clip);
        let slots = clips.into_iter().zip(&lists.clips);
        let clips: Vec<ClipSlot> = slots.map(|(clip, lump)| ClipSlot { id: self.id_of(lump), clip }).collect();
        let drafts = match self.optional(Kind::DRAFTS, owner) {
            Some(Part::Drafts(drafts)) => self.drafts(owner, drafts, &lists.clips, &clips),
            _ => Vec::new(),
        };
        let clip_notes = match self.optional(Kind::CLIP_NOTES, owner) {
            Some(Part::ClipNotes(notes)) => self.clip_notes(owner, notes, &lists.clips, &clips),
            _ => Default::default(),
        };
        let combat = match self.optional(Kind::VOLUMES, owner) {
            Some(Part::Volumes(volumes)) => self.combat(owner, volumes, &lists.clips, &clips).into(),
            _ => Default::default(),
        };
        let references = match self.parts.get(&(Kind::REFERENCES, owner.to_owned())) {
            // The pixels are of a newer version: the list is kept as it is, as if it were newer, too.
            Some(Part::References(references)) if self.has_newer_pixels(references) => Vec::new(),
            Some(Part::References(references)) => {
                self.used.insert((Kind::REFERENCES, owner));
                self.references(owner, references)
            }
            _ => Vec::new(),
        };
        Ok(Model {
            name: lists.name.clone(),
            skinning: lists.skinning,
            samples: lists.samples,
            skeleton: part!(Kind::SKELETON, owner, Part::Skeleton),
            skins: parts!(Kind::SKIN, &lists.skins, Part::Skin),
            meshes,
            materials: parts!(Kind::MATERIAL, &lists.materials, Part::Material),
            textures: parts!(Kind::TEXTURE, &lists.textures, Part::Texture),
            clips,
            clip_notes,
            combat,
            sockets: lists.sockets.clone(),
            machine: optional!(Kind::MACHINE, Part::Machine),
            drafts,
            poses: optional!(Kind::POSES, Part::Poses),
            rig: optional!(Kind::RIG, Part::Rig),
            references,
            source: optional!(Kind::SOURCE, Part::Source),
            import_options: optional!(Kind::IMPORT_OPTIONS, Part::ImportOptions),
            sprites: optional!(Kind::SPRITES, Part::Sprites),
        })
    }

    fn id_of(&mut self, lump: &str) -> ClipId {
        if let Some(id) = self.ids.get(lump) {
            return *id;
        }
        let id = self.out.project.new_clip_id();
        self.ids.insert(lump.to_owned(), id);
        id
    }

    /// The drafts with the ids of their clips.
    fn drafts(&mut self, owner: &str, named: &[NamedDraft], lumps: &[String], slots: &[ClipSlot]) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        let ids = ids_of(lumps, slots);
        for NamedDraft { clip, time, kind, keys } in named {
            let id = match clip {
                None => None,
                Some(lump) => match ids.get(lump) {
                    Some(id) => Some(*id),
                    None => {
                        let finding = format!("model {owner}: removed a draft of the missing clip {lump}");
                        self.out.findings.push(finding);
                        continue;
                    }
                },
            };
            drafts.push(Draft { clip: id, time: *time, kind: *kind, keys: keys.clone() });
        }
        drafts.sort_by_key(|draft| (draft.clip, draft.time));
        drafts.dedup_by_key(|draft| (draft.clip, draft.time));
        drafts
    }

    /// Whether the pixels or the film of a reference image are there and can't be read.
    fn has_newer_pixels(&self, named: &[NamedReference]) -> bool {
        let kinds = [Kind::REFERENCE_IMAGE, Kind::REFERENCE_FILM];
        let is_newer =
            |one: &NamedReference, kind| matches!(self.parts.get(&(kind, one.image.clone())), Some(Part::Unknown(_)));
        named.iter().any(|one| kinds.into_iter().any(|kind| is_newer(one, kind)))
    }

    /// The reference images with their pixels. Invalid ones are removed, since nothing depends on them.
    fn references(&mut self, owner: &str, named: &'a [NamedReference]) -> Vec<Arc<Reference>> {
        let mut references: Vec<Arc<Reference>> = Vec::new();
        for one in named {
            let image = match self.optional(Kind::REFERENCE_IMAGE, &one.image) {
                Some(Part::ReferenceImage(image)) => Ok(image.clone()),
                _ => Err(format!("the lump {}/{} is missing", Kind::REFERENCE_IMAGE, one.image)),
            };
            let film = self.film(one);
            let checked = image.and_then(|image| {
                references.push(Arc::new(Reference { film: film?, ..one.with_image(image) }));
                reference::check(&references).inspect_err(|_| drop(references.pop()))
            });
            if let Err(reason) = checked {
                let finding = format!("model {owner}: removed a reference image: {reason}");
                self.out.findings.push(finding);
            }
        }
        references
    }

    /// The film of a reference image with its files.
    fn film(&mut self, one: &'a NamedReference) -> Result<Option<Film>, String> {
        let Some(mut film) = one.film.clone() else { return Ok(None) };
        if film.source.files != FilmFiles::Linked {
            let Some(Part::ReferenceFilm(files)) = self.optional(Kind::REFERENCE_FILM, &one.image) else {
                return Err(format!("the lump {}/{} is missing", Kind::REFERENCE_FILM, one.image));
            };
            film.source.files = FilmFiles::Kept(files.clone());
        }
        Ok(Some(film))
    }

    /// The notes by the ids of their clips.
    fn clip_notes(
        &mut self,
        owner: &str,
        named: &[NamedNotes],
        lumps: &[String],
        slots: &[ClipSlot],
    ) -> BTreeMap<ClipId, ClipNotes> {
        let ids = ids_of(lumps, slots);
        let id = |lump: &String| ids.get(lump).copied();
        let mut all = BTreeMap::new();
        for NamedNotes { clip, folder, tags, mask, derived } in named {
            let elsewhere = derived.as_ref().and_then(|(source, how)| self.other_clip(source, how, lumps));
            let mut report_missing = |lump: &String| {
                let finding =
                    format!("model {owner}: removed a note about the clip {lump}, which is missing or follows itself");
                self.out.findings.push(finding);
            };
            let Some(of) = id(clip) else {
                report_missing(clip);
                continue;
            };
            let of_model =
                |source, how: &Derivation<String>| if *how == Derivation::Retargeted { elsewhere } else { id(source) };
            let derived = derived.as_ref().and_then(|(source, how)| {
                let how_here = how.clone().with_clip(|layer| id(&layer).filter(|layer| *layer != of));
                match (of_model(source, how), how_here) {
                    (Some(source), Some(how)) if source != of => Some(Derived { source, how }),
                    _ => {
                        report_missing(source);
                        None
                    }
                }
            });
            let notes = ClipNotes { folder: folder.clone(), tags: tags.clone(), mask: mask.clone(), derived };
            if !notes.is_empty() {
                all.insert(of, notes);
            }
        }
        all
    }

    /// The source of a retargeted clip, which belongs to another model.
    fn other_clip(&mut self, source: &str, how: &Derivation<String>, own: &[String]) -> Option<ClipId> {
        let is_elsewhere = self.all_clips.contains(source) && !own.iter().any(|lump| lump == source);
        (*how == Derivation::Retargeted && is_elsewhere).then(|| self.id_of(source))
    }

    /// The combat by the ids of its clips.
    fn combat(&mut self, owner: &str, named: &NamedVolumes, lumps: &[String], slots: &[ClipSlot]) -> Combat {
        let ids = ids_of(lumps, slots);
        let mut combat = Combat { hurt: named.hurt.clone(), ..Combat::default() };
        for (clip, lanes) in &named.lanes {
            match ids.get(clip) {
                Some(id) => combat.set_lanes(*id, lanes.clone()),
                None => {
                    let finding = format!("model {owner}: removed the hit and hurt ranges of the missing clip {clip}");
                    self.out.findings.push(finding);
                }
            }
        }
        combat
    }

    /// Levels, sounds and unknown lumps.
    fn rest(&mut self) {
        let (mut levels, mut sounds) = (Vec::new(), Vec::new());
        let has_newer_references = self.parts.values().any(|part| match part {
            Part::Unknown(unknown) => Kind(unknown.kind) == Kind::REFERENCES,
            Part::References(references) => self.has_newer_pixels(references),
            _ => false,
        });
        for ((kind, name), part) in self.parts {
            match part {
                Part::Sound(sound) => sounds.push(sound),
                Part::Level(OrderedLevel { level, order }) => levels.push((*order, level)),
                Part::Unknown(unknown) => self.out.project.unknown.push(unknown.clone()),
                // A newer list may name the pixels; a list of newer pixels is kept with them.
                Part::ReferenceImage(_) | Part::ReferenceFilm(_) | Part::References(_)
                    if has_newer_references && !self.used.contains(&(*kind, name.as_str())) =>
                {
                    let Ok(Lump { version, bytes: Some(bytes), .. }) = part.to_lump(&(*kind, name.clone())) else {
                        continue;
                    };
                    let bytes = bytes.into();
                    self.out.project.unknown.push(UnknownLump { kind: kind.0, name: name.clone(), version, bytes });
                }
                _ => continue,
            }
            self.used.insert((*kind, name));
        }
        levels.sort_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
        self.out.project.levels = levels.into_iter().map(|(_, level)| level.clone()).collect();
        self.sounds(sounds);
    }

    /// Sounds, sorted by name; names that are empty or used twice get a number.
    fn sounds(&mut self, sounds: Vec<&Arc<Sound>>) {
        let mut names = UsedNames::default();
        for sound in sounds {
            let name = names.take(&sound.name);
            let is_new = name != sound.name;
            if is_new {
                self.out.findings.push(format!("renamed a sound \"{}\" to \"{name}\"", sound.name));
            }
            let renamed = || Arc::new(Sound { name, ..Sound::clone(sound) });
            self.out.project.sounds.push(if is_new { renamed() } else { sound.clone() });
        }
        self.out.project.sounds.sort_by(|a, b| a.name.cmp(&b.name));
    }

    fn required(&mut self, kind: Kind, name: &'a str, owner: &str) -> Result<&'a Part, Mismatch> {
        let part = self.parts.get(&(kind, name.to_owned())).ok_or_else(|| missing(kind, name, owner))?;
        if !self.used.insert((kind, name)) {
            return Err(mismatch(kind, name, owner, "is used twice"));
        }
        Ok(part)
    }

    fn optional(&mut self, kind: Kind, name: &'a str) -> Option<&'a Part> {
        let part = self.parts.get(&(kind, name.to_owned()))?;
        self.used.insert((kind, name));
        Some(part)
    }

    /// Adds a number to names that are empty or used twice.
    fn make_names_unique(&mut self, model: &mut Model) {
        let name = self.names.take(&model.name);
        if name != model.name {
            self.out.findings.push(format!("renamed a second model \"{}\" to \"{name}\"", model.name));
            model.name = name;
        }
        let mut names = UsedNames::default();
        for slot in &mut model.clips {
            let name = names.take(&slot.clip.name);
            if name != slot.clip.name {
                let finding = format!("model {}: renamed a clip \"{}\" to \"{name}\"", model.name, slot.clip.name);
                self.out.findings.push(finding);
                Arc::make_mut(&mut slot.clip).name.clone_from(&name);
            }
        }
    }

    fn report_unused(&mut self) {
        for (kind, name) in self.parts.keys().filter(|(kind, name)| !self.used.contains(&(*kind, name.as_str()))) {
            self.out.findings.push(format!("lump {kind}/{name}: no model uses it; the next save removes it"));
        }
    }
}

/// The ids of a model's clips by the names of their lumps.
fn ids_of<'n>(lumps: &'n [String], slots: &[ClipSlot]) -> BTreeMap<&'n String, ClipId> {
    lumps.iter().zip(slots).map(|(lump, slot)| (lump, slot.id)).collect()
}

fn missing(kind: Kind, name: &str, owner: &str) -> Mismatch {
    mismatch(kind, name, owner, "is missing")
}

/// A mismatch of a lump that the model `owner` names.
fn mismatch(kind: Kind, name: &str, owner: &str, reason: &str) -> Mismatch {
    let reason = format!("its lump {kind}/{name} {reason}");
    Mismatch { kind: Kind::MODEL, name: owner.to_owned(), reason }
}

/// Checks that the parts of every model match. Clips are checked when they are read.
pub fn check(assembled: &Assembled, parts: &Parts) -> Result<(), Mismatch> {
    let pairs = assembled.project.models.iter().zip(&assembled.models);
    let mut bone_clips = 0_usize;
    pairs.into_iter().try_for_each(|(model, ModelLumps { owner, .. })| {
        bone_clips = bone_clips.saturating_add(model.bone_clips());
        if bone_clips > MAX_BONE_CLIPS {
            let reason = "too many clips for the bones of the models up to this one".to_owned();
            return Err(Mismatch { kind: Kind::MODEL, name: owner.clone(), reason });
        }
        let mismatch = |error: ModelError| {
            let (kind, name) = lump_of(error.part, owner, parts).unwrap_or((Kind::MODEL, owner));
            Mismatch { kind, name: name.to_owned(), reason: error.reason }
        };
        model.check_except_clips().map_err(mismatch)
    })
}

/// The lump that holds a part of the model `owner`.
fn lump_of<'a>(part: ModelPart, owner: &'a str, parts: &'a Parts) -> Option<(Kind, &'a str)> {
    let Part::Model(lists) = parts.get(&(Kind::MODEL, owner.to_owned()))? else { return None };
    let (kind, name) = match part {
        ModelPart::Skin(at) => (Kind::SKIN, lists.skins.get(at)?.as_str()),
        ModelPart::Mesh(at) => (Kind::MESH, lists.meshes.get(at)?.0.as_str()),
        ModelPart::Material(at) => (Kind::MATERIAL, lists.materials.get(at)?.as_str()),
        ModelPart::Texture(at) => (Kind::TEXTURE, lists.textures.get(at)?.as_str()),
        ModelPart::Clip(at) => (Kind::CLIP, lists.clips.get(at)?.as_str()),
        ModelPart::Poses => (Kind::POSES, owner),
        ModelPart::Rig => (Kind::RIG, owner),
        ModelPart::References => (Kind::REFERENCES, owner),
        ModelPart::Machine => (Kind::MACHINE, owner),
        ModelPart::Combat => (Kind::VOLUMES, owner),
        ModelPart::Whole => (Kind::MODEL, owner),
    };
    Some((kind, name))
}
