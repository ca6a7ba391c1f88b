//! Parts to a project: lists are followed, names made unique, ids given. Whether the parts of a model fit each other is
//! for [`Model::check`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::assets::clip_notes::{ClipNotes, Derived};
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, MeshSlot, Model, ModelError, ModelPart, ModelValue};
use crate::assets::project::{Project, unique_name};
use crate::assets::reference::{self, Reference};
use crate::wad::kind::Kind;
use crate::wad::part::{Part, Parts};
use crate::wad::record::clip_notes::NamedNotes;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::model::ModelLists;
use crate::wad::record::reference::NamedReference;
use crate::wad::unfit::Unfit;

/// The id of each clip by the name of its lump: states of one project keep their clips' ids.
pub type ClipIds = BTreeMap<String, ClipId>;

/// A project and what was mended on the way.
#[derive(Default)]
pub struct Assembled {
    pub project: Project,
    /// One for each model.
    pub models: Vec<ModelLumps>,
    pub findings: Vec<String>,
}

/// The lumps of a model that baked clips are made from.
#[derive(Clone, Debug)]
pub struct ModelLumps {
    /// The name of its own lump and of its skeleton's.
    pub owner: String,
    /// Those of its clips, in order.
    pub clips: Vec<String>,
}

/// Puts a project together. Clips without an id get one after `next_id`.
pub fn assemble(parts: &Parts, ids: &mut ClipIds, next_id: u32) -> Result<Assembled, Unfit> {
    let mut assembly = Assembly { parts, ids, used: BTreeSet::new(), out: Assembled::default() };
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
    out: Assembled,
}

impl<'a> Assembly<'a> {
    fn models(&mut self) -> Result<(), Unfit> {
        let mut models: Vec<(&str, &ModelLists)> = Vec::new();
        for ((kind, name), part) in self.parts {
            if let Part::Model(lists) = part {
                models.push((name, lists));
                self.used.insert((*kind, name));
            }
        }
        models.sort_by_key(|(name, lists)| (lists.order, *name));
        for (owner, lists) in models {
            let mut model = self.model(owner, lists)?;
            self.mend_names(&mut model);
            self.out.models.push(ModelLumps { owner: owner.to_owned(), clips: lists.clips.clone() });
            self.out.project.models.push(Arc::new(model));
        }
        Ok(())
    }

    fn model(&mut self, owner: &'a str, lists: &'a ModelLists) -> Result<Model, Unfit> {
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
        let machine = match self.optional(Kind::MACHINE, owner) {
            Some(Part::Machine(machine)) => machine.clone(),
            _ => Default::default(),
        };
        let poses = match self.optional(Kind::POSES, owner) {
            Some(Part::Poses(poses)) => poses.clone(),
            _ => Vec::new(),
        };
        let rig = match self.optional(Kind::RIG, owner) {
            Some(Part::Rig(rig)) => rig.clone(),
            _ => Default::default(),
        };
        let references = match self.optional(Kind::REFERENCES, owner) {
            Some(Part::References(references)) => self.references(owner, references),
            _ => Vec::new(),
        };
        let source = match self.optional(Kind::SOURCE, owner) {
            Some(Part::Source(source)) => source.clone(),
            _ => Default::default(),
        };
        Ok(Model {
            name: lists.name.clone(),
            skeleton: part!(Kind::SKELETON, owner, Part::Skeleton),
            skins: parts!(Kind::SKIN, &lists.skins, Part::Skin),
            meshes,
            materials: parts!(Kind::MATERIAL, &lists.materials, Part::Material),
            textures: parts!(Kind::TEXTURE, &lists.textures, Part::Texture),
            clips,
            clip_notes,
            sockets: lists.sockets.clone(),
            machine,
            drafts,
            poses,
            rig,
            references,
            source,
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

    /// Drafts under the ids of their clips.
    fn drafts(&mut self, owner: &str, named: &[NamedDraft], lumps: &[String], slots: &[ClipSlot]) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        for NamedDraft { clip, time, keys } in named {
            let slot = |lump: &String| slots.get(lumps.iter().position(|other| other == lump)?);
            let id = match clip {
                None => None,
                Some(lump) => match slot(lump) {
                    Some(slot) => Some(slot.id),
                    None => {
                        let finding =
                            format!("model {owner}: a draft of the clip {lump}, which is not there, was left out");
                        self.out.findings.push(finding);
                        continue;
                    }
                },
            };
            drafts.push(Draft { clip: id, time: *time, keys: keys.clone() });
        }
        drafts.sort_by_key(|draft| (draft.clip, draft.time));
        drafts.dedup_by_key(|draft| (draft.clip, draft.time));
        drafts
    }

    /// Reference images with their pixels; what can't be shown is left out, for nothing else depends on it.
    fn references(&mut self, owner: &str, named: &'a [NamedReference]) -> Vec<Arc<Reference>> {
        let mut references: Vec<Arc<Reference>> = Vec::new();
        for one in named {
            let NamedReference { lump, facing, depth, offset, height, opacity, visibility, lock } = one.clone();
            let image = match self.optional(Kind::REFERENCE_IMAGE, &one.lump) {
                Some(Part::ReferenceImage(image)) => Ok(image.clone()),
                _ => Err(format!("its lump {}/{lump} is not there", Kind::REFERENCE_IMAGE)),
            };
            let checked = image.and_then(|image| {
                let reference = Reference { image, facing, depth, offset, height, opacity, visibility, lock };
                references.push(Arc::new(reference));
                reference::check(&references).inspect_err(|_| drop(references.pop()))
            });
            if let Err(reason) = checked {
                let finding = format!("model {owner}: a reference image was left out: {reason}");
                self.out.findings.push(finding);
            }
        }
        references
    }

    /// Notes under the ids of their clips.
    fn clip_notes(
        &mut self,
        owner: &str,
        named: &[NamedNotes],
        lumps: &[String],
        slots: &[ClipSlot],
    ) -> BTreeMap<ClipId, ClipNotes> {
        let id = |lump: &String| Some(slots.get(lumps.iter().position(|other| other == lump)?)?.id);
        let mut all = BTreeMap::new();
        for NamedNotes { clip, folder, tags, derived } in named {
            let mut gone = |lump: &String| {
                let finding = format!("model {owner}: a note about the clip {lump}, which is not there, was left out");
                self.out.findings.push(finding);
            };
            let Some(of) = id(clip) else {
                gone(clip);
                continue;
            };
            let derived = derived.as_ref().and_then(|(source, how)| match id(source) {
                Some(source) if source != of => Some(Derived { source, how: *how }),
                _ => {
                    gone(source);
                    None
                }
            });
            let notes = ClipNotes { folder: folder.clone(), tags: tags.clone(), derived };
            if !notes.is_empty() {
                all.insert(of, notes);
            }
        }
        all
    }

    /// Levels and what is not known.
    fn rest(&mut self) {
        let mut levels = Vec::new();
        for ((kind, name), part) in self.parts {
            match part {
                Part::Level(level, order) => levels.push((*order, level)),
                Part::Unknown(unknown) => self.out.project.unknown.push(unknown.clone()),
                _ => continue,
            }
            self.used.insert((*kind, name));
        }
        levels.sort_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
        self.out.project.levels = levels.into_iter().map(|(_, level)| level.clone()).collect();
    }

    fn required(&mut self, kind: Kind, name: &'a str, owner: &str) -> Result<&'a Part, Unfit> {
        let part = self.parts.get(&(kind, name.to_owned())).ok_or_else(|| missing(kind, name, owner))?;
        if !self.used.insert((kind, name)) {
            return Err(unfit_name(kind, name, owner, "is used twice"));
        }
        Ok(part)
    }

    fn optional(&mut self, kind: Kind, name: &'a str) -> Option<&'a Part> {
        let part = self.parts.get(&(kind, name.to_owned()))?;
        self.used.insert((kind, name));
        Some(part)
    }

    /// Names that repeat or are missing get a number.
    fn mend_names(&mut self, model: &mut Model) {
        let taken = |name: &str| self.out.project.models.iter().any(|model| model.name == name);
        let name = unique_name(&model.name, taken);
        if name != model.name {
            self.out.findings.push(format!("a second model \"{}\" is now called \"{name}\"", model.name));
            model.name = name;
        }
        let mut names = BTreeSet::new();
        for slot in &mut model.clips {
            let name = unique_name(&slot.clip.name, |name| names.contains(name));
            if name != slot.clip.name {
                let finding = format!("model {}: a clip \"{}\" is now called \"{name}\"", model.name, slot.clip.name);
                self.out.findings.push(finding);
                Arc::make_mut(&mut slot.clip).name.clone_from(&name);
            }
            names.insert(name);
        }
    }

    fn report_unused(&mut self) {
        for (kind, name) in self.parts.keys().filter(|(kind, name)| !self.used.contains(&(*kind, name.as_str()))) {
            self.out.findings.push(format!("lump {kind}/{name}: no model uses it; the next save leaves it out"));
        }
    }
}

fn missing(kind: Kind, name: &str, owner: &str) -> Unfit {
    unfit_name(kind, name, owner, "is missing")
}

/// What is wrong with a lump that the model `owner` names.
fn unfit_name(kind: Kind, name: &str, owner: &str, reason: &str) -> Unfit {
    let reason = format!("its lump {kind}/{name} {reason}");
    Unfit { kind: Kind::MODEL, name: owner.to_owned(), value: ModelValue::Named(name.to_owned()), reason }
}

/// Holds the parts of every model against each other; clips were checked when they were read.
pub fn check(assembled: &Assembled, parts: &Parts) -> Result<(), Unfit> {
    let pairs = assembled.project.models.iter().zip(&assembled.models);
    pairs.into_iter().try_for_each(|(model, ModelLumps { owner, .. })| {
        let blame = |error: ModelError| {
            let (kind, name) = lump_of(error.part, owner, parts).unwrap_or((Kind::MODEL, owner));
            Unfit { kind, name: name.to_owned(), value: error.value, reason: error.reason }
        };
        model.check_except_clips().map_err(blame)
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
        ModelPart::Whole => (Kind::MODEL, owner),
    };
    Some((kind, name))
}
