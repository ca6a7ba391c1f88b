//! The bytes of an archive to its project. Everything is verified and validated; what could be mended stands in the
//! findings.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::anim::skin::Skin;
use crate::assets::character::Character;
use crate::assets::draft::Draft;
use crate::assets::material::Material;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{ClipSlot, MeshSlot, Model};
use crate::assets::project::{Project, UnknownLump, unique_name};
use crate::assets::texture::Texture;
use crate::wad::archive::Archive;
use crate::wad::directory::Entry;
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::Kind;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::model::ModelLists;
use crate::wad::record::{clip, draft, level, machine, material, mesh, model, skeleton, skin, source, texture};

/// What an archive holds.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    /// Its models and levels.
    pub project: Project,
    /// Its models with their clips baked, in the same order.
    pub characters: Vec<Arc<Character>>,
    /// What was not as it should be and could be mended, a sentence each.
    pub findings: Vec<String>,
}

/// Reads an archive; see [`Archive::open`] for what is verified.
pub fn decode(bytes: &[u8]) -> Result<Decoded, WadError> {
    decode_archive(&Archive::open(bytes)?)
}

/// Reads an archive that was opened.
pub fn decode_archive(archive: &Archive<'_>) -> Result<Decoded, WadError> {
    decode_with(archive, Rigour::Strict)
}

/// The texture that a lump holds; `None` for another kind, or one that can't be read.
pub fn texture_of(entry: &Entry, bytes: &[u8]) -> Option<Texture> {
    let texture = texture::read(bytes).ok()?;
    (entry.kind == Kind::TEXTURE && texture.is_valid()).then_some(texture)
}

/// What happens where a part of a model is missing or not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rigour {
    /// The archive is refused.
    Strict,
    /// The part is left out, or a placeholder takes its place, with a finding: for what was salvaged.
    Lenient,
}

pub(super) fn decode_with(archive: &Archive<'_>, rigour: Rigour) -> Result<Decoded, WadError> {
    if archive.header().base.is_some() {
        let reason = "it is a patch; it can only be read over the archive that it was made for".to_owned();
        return Err(WadError::Content { place: "archive".into(), reason });
    }
    let mut reader = Reader { archive, rigour, used: BTreeSet::new(), out: Decoded::default() };
    reader.sort_unknown()?;
    reader.models()?;
    reader.levels()?;
    reader.report_unused();
    Ok(reader.out)
}

struct Reader<'a, 'b> {
    archive: &'a Archive<'b>,
    rigour: Rigour,
    used: BTreeSet<(Kind, &'a str)>,
    out: Decoded,
}

impl<'a> Reader<'a, '_> {
    /// Keeps what is ancillary and unknown; refuses what is critical and unknown.
    fn sort_unknown(&mut self) -> Result<(), WadError> {
        for entry in self.archive.entries() {
            let what = match entry.kind.newest_version() {
                Some(newest) if (1..=newest).contains(&entry.version) => continue,
                Some(_) => format!("version {} of the kind {}", entry.version, entry.kind),
                None => format!("the kind {}", entry.kind),
            };
            if !entry.kind.is_ancillary() {
                return Err(WadError::Unknown { lump: entry.title(), what });
            }
            let bytes = self.archive.lump(entry)?.into();
            let (kind, name, version) = (entry.kind.0, entry.name.clone(), entry.version);
            self.out.project.unknown.push(UnknownLump { kind, name, version, bytes });
            self.used.insert(entry.key());
        }
        Ok(())
    }

    fn models(&mut self) -> Result<(), WadError> {
        let mut models = Vec::new();
        for entry in self.archive.entries_of(Kind::MODEL) {
            self.used.insert(entry.key());
            let lists = model::read(&self.archive.lump(entry)?).map_err(|fault| fault.in_lump(entry.title()));
            if let Some(lists) = self.forgive(lists)? {
                models.push((lists.order, entry, lists));
            }
        }
        models.sort_by_key(|(order, entry, _)| (*order, entry.name.clone()));
        for (_, entry, lists) in models {
            let model = self.model(&entry.name, lists).and_then(|model| {
                let content = |reason| WadError::Content { place: entry.title(), reason };
                model.check().map_err(content).map(|()| model)
            });
            let Some(mut model) = self.forgive(model)? else { continue };
            self.mend_names(&mut model);
            let model = Arc::new(model);
            self.out.characters.push(Arc::new(Character::bake(&model, None)));
            self.out.project.models.push(model);
        }
        Ok(())
    }

    fn model(&mut self, owner: &str, lists: ModelLists) -> Result<Model, WadError> {
        let skeleton = self.required(Kind::SKELETON, owner, owner, skeleton::read)?;
        let skins = self.all(Kind::SKIN, owner, &lists.skins, skin::read, Skin::default)?;
        let materials = self.all(Kind::MATERIAL, owner, &lists.materials, material::read, Material::default)?;
        let textures = self.all(Kind::TEXTURE, owner, &lists.textures, texture::read, missing_texture)?;
        let mut source = self.optional(Kind::SOURCE, owner, source::read)?.unwrap_or_default();
        let mut meshes = Vec::new();
        for (lump, visibility) in &lists.meshes {
            let mut mesh = self.required(Kind::MESH, lump, owner, mesh::read);
            if self.rigour == Rigour::Lenient {
                mesh = mesh.and_then(|mesh| fitting(mesh, lump, &skins));
            }
            match self.forgive(mesh)? {
                Some(mesh) => meshes.push(MeshSlot { mesh: Arc::new(mesh), visibility: *visibility }),
                None if meshes.len() < source.meshes.len() => drop(source.meshes.remove(meshes.len())),
                None => {}
            }
        }
        let (mut clips, mut clip_lumps) = (Vec::new(), Vec::new());
        for lump in &lists.clips {
            let clip = self.required(Kind::CLIP, lump, owner, clip::read);
            if let Some(clip) = self.forgive(clip)? {
                clips.push(ClipSlot { id: self.out.project.new_clip_id(), clip: Arc::new(clip) });
                clip_lumps.push(lump.clone());
            }
        }
        let drafts = self.optional(Kind::DRAFTS, owner, draft::read)?.unwrap_or_default();
        let drafts = self.drafts(owner, drafts, &clip_lumps, &clips);
        Ok(Model {
            name: lists.name,
            skeleton: Arc::new(skeleton),
            skins,
            meshes,
            materials,
            textures,
            clips,
            sockets: lists.sockets,
            machine: self.optional(Kind::MACHINE, owner, machine::read)?.unwrap_or_default(),
            drafts,
            source: Arc::new(source),
        })
    }

    /// Drafts under the ids of their clips.
    fn drafts(&mut self, owner: &str, named: Vec<NamedDraft>, lumps: &[String], slots: &[ClipSlot]) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        for NamedDraft { clip, time, keys } in named {
            let id = clip.as_ref().map(|clip| {
                let at = lumps.iter().position(|lump| lump == clip);
                at.and_then(|at| slots.get(at)).map(|slot| slot.id)
            });
            match id {
                Some(None) => {
                    let clip = clip.unwrap_or_default();
                    self.out
                        .findings
                        .push(format!("model {owner}: a draft of the clip {clip}, which is not there, was left out"));
                }
                Some(found) => drafts.push(Draft { clip: found, time, keys }),
                None => drafts.push(Draft { clip: None, time, keys }),
            }
        }
        drafts.sort_by_key(|draft| (draft.clip, draft.time));
        drafts.dedup_by_key(|draft| (draft.clip, draft.time));
        drafts
    }

    fn levels(&mut self) -> Result<(), WadError> {
        let mut levels = Vec::new();
        for entry in self.archive.entries_of(Kind::LEVEL) {
            self.used.insert(entry.key());
            let (level, order) =
                level::read(&self.archive.lump(entry)?).map_err(|fault| fault.in_lump(entry.title()))?;
            levels.push((order, level));
        }
        levels.sort_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
        self.out.project.levels = levels.into_iter().map(|(_, level)| Arc::new(level)).collect();
        Ok(())
    }

    fn all<T>(
        &mut self,
        kind: Kind,
        owner: &str,
        names: &[String],
        read: impl Fn(&[u8]) -> Result<T, Fault>,
        placeholder: impl Fn() -> T,
    ) -> Result<Vec<Arc<T>>, WadError> {
        let part = |name: &String| {
            let part = self.required(kind, name, owner, &read);
            Ok(Arc::new(self.forgive(part)?.unwrap_or_else(&placeholder)))
        };
        names.iter().map(part).collect()
    }

    /// An error is a finding where the reader is lenient.
    fn forgive<T>(&mut self, part: Result<T, WadError>) -> Result<Option<T>, WadError> {
        match (part, self.rigour) {
            (Ok(part), _) => Ok(Some(part)),
            (Err(error), Rigour::Strict) => Err(error),
            (Err(error), Rigour::Lenient) => {
                self.out.findings.push(error.to_string());
                Ok(None)
            }
        }
    }

    fn required<T>(
        &mut self,
        kind: Kind,
        name: &str,
        owner: &str,
        read: impl FnOnce(&[u8]) -> Result<T, Fault>,
    ) -> Result<T, WadError> {
        let missing = || WadError::Content {
            place: format!("model {owner}"),
            reason: format!("its lump {kind}/{name} is missing"),
        };
        let entry = self.archive.find(kind, name).ok_or_else(missing)?;
        self.read(entry, read)
    }

    fn optional<T>(
        &mut self,
        kind: Kind,
        name: &str,
        read: impl FnOnce(&[u8]) -> Result<T, Fault>,
    ) -> Result<Option<T>, WadError> {
        match self.archive.find(kind, name) {
            Some(entry) if !self.used.contains(&entry.key()) => {
                let part = self.read(entry, read);
                self.forgive(part)
            }
            _ => Ok(None),
        }
    }

    fn read<T>(&mut self, entry: &'a Entry, read: impl FnOnce(&[u8]) -> Result<T, Fault>) -> Result<T, WadError> {
        if !self.used.insert(entry.key()) {
            let reason = "it is used twice".to_owned();
            return Err(WadError::Content { place: format!("lump {}", entry.title()), reason });
        }
        read(&self.archive.lump(entry)?).map_err(|fault| fault.in_lump(entry.title()))
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
        for entry in self.archive.entries().iter().filter(|entry| !self.used.contains(&entry.key())) {
            self.out.findings.push(format!("lump {}: no model uses it; the next save leaves it out", entry.title()));
        }
    }
}

/// A mesh whose skin may be a placeholder.
fn fitting(mesh: Mesh, lump: &str, skins: &[Arc<Skin>]) -> Result<Mesh, WadError> {
    let joints = match mesh.binding {
        Binding::Skin(skin) => Some(skins.get(skin).map_or(0, |skin| skin.joints.len())),
        Binding::Bone(_) => None,
    };
    let content = |reason: String| WadError::Content { place: format!("lump {}/{lump}", Kind::MESH), reason };
    mesh.check(joints).map_err(|error| content(error.to_string()))?;
    Ok(mesh)
}

/// A single bright dot.
fn missing_texture() -> Texture {
    let (name, source_format) = ("missing".to_owned(), "missing".to_owned());
    Texture { name, width: 1, height: 1, pixels: vec![255, 0, 255, 255], source_format }
}
