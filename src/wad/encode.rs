//! A project to the bytes of its archive.

use std::sync::Arc;

use crate::assets::character::Character;
use crate::assets::draft::Draft;
use crate::assets::model::Model;
use crate::assets::project::Project;
use crate::wad::directory::Codec;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::name::Names;
use crate::wad::pack::{Lump, pack};
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::model::ModelLists;
use crate::wad::record::{clip, draft, level, machine, material, mesh, model, skeleton, skin, source, texture};

/// The bytes of the archive that holds this project; `characters` are its models with their clips baked, in the same
/// order. The same project gives the same bytes.
pub fn encode(project: &Project, characters: &[Arc<Character>]) -> Result<Vec<u8>, WadError> {
    pack(lumps(project, characters)?, None)
}

/// The lumps of a project, in no particular order.
pub fn lumps(project: &Project, _characters: &[Arc<Character>]) -> Result<Vec<Lump>, WadError> {
    let mut out = Writer::default();
    for (order, model) in (0_u32..).zip(&project.models) {
        out.model(model, order)?;
    }
    for (order, level) in (0_u32..).zip(&project.levels) {
        let name = out.names.unique(Kind::LEVEL, "", &level.name);
        out.put(Kind::LEVEL, name, level::write(level, order))?;
    }
    for unknown in &project.unknown {
        let kind = Kind(unknown.kind);
        if out.lumps.iter().all(|lump| lump.kind != kind || lump.name != unknown.name) {
            let bytes = Some(unknown.bytes.to_vec());
            out.lumps.push(Lump {
                kind,
                name: unknown.name.clone(),
                version: unknown.version,
                codec: Codec::Store,
                bytes,
            });
        }
    }
    Ok(out.lumps)
}

#[derive(Default)]
struct Writer {
    lumps: Vec<Lump>,
    names: Names,
}

impl Writer {
    fn put(&mut self, kind: Kind, name: String, bytes: Result<Vec<u8>, String>) -> Result<(), WadError> {
        let place = format!("lump {kind}/{name}");
        let bytes = bytes.map_err(|reason| WadError::Content { place, reason })?;
        let version = kind.newest_version().unwrap_or(1);
        self.lumps.push(Lump { kind, name, version, codec: Codec::Store, bytes: Some(bytes) });
        Ok(())
    }

    /// Writes each part and gives back the names of their lumps.
    fn parts<T>(
        &mut self,
        kind: Kind,
        owner: &str,
        parts: impl Iterator<Item = T>,
        name_of: impl Fn(&T) -> String,
        write: impl Fn(&T) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<String>, WadError> {
        parts
            .map(|part| {
                let name = self.names.unique(kind, owner, &name_of(&part));
                self.put(kind, name.clone(), write(&part))?;
                Ok(name)
            })
            .collect()
    }

    fn model(&mut self, model: &Model, order: u32) -> Result<(), WadError> {
        let place = || format!("model {}", model.name);
        model.check().map_err(|reason| WadError::Content { place: place(), reason })?;
        let owner = &self.names.unique(Kind::MODEL, "", &model.name);
        let meshes = model.meshes.iter();
        let named = |name: &str, otherwise: &str| if name.is_empty() { otherwise.to_owned() } else { name.to_owned() };
        self.put(Kind::SKELETON, owner.clone(), skeleton::write(&model.skeleton))?;
        let skins = self.parts(
            Kind::SKIN,
            owner,
            model.skins.iter(),
            |part| named(&part.name, "skin"),
            |part| skin::write(part),
        )?;
        let mesh_names = self.parts(
            Kind::MESH,
            owner,
            meshes.clone(),
            |part| named(&part.mesh.name, "mesh"),
            |part| mesh::write(&part.mesh),
        )?;
        let materials = self.parts(
            Kind::MATERIAL,
            owner,
            model.materials.iter(),
            |part| named(&part.name, "material"),
            |part| material::write(part),
        )?;
        let textures = self.parts(
            Kind::TEXTURE,
            owner,
            model.textures.iter(),
            |part| named(&part.name, "texture"),
            |part| texture::write(part),
        )?;
        let clips = self.parts(
            Kind::CLIP,
            owner,
            model.clips.iter(),
            |part| named(&part.clip.name, "clip"),
            |part| clip::write(&part.clip),
        )?;
        self.rest_of(model, owner, &clips)?;
        let lists = ModelLists {
            name: model.name.clone(),
            order,
            skins,
            meshes: mesh_names.into_iter().zip(meshes.map(|slot| slot.visibility)).collect(),
            materials,
            textures,
            clips,
            sockets: model.sockets.clone(),
        };
        self.put(Kind::MODEL, owner.clone(), model::write(&lists))
    }

    /// Machine, drafts and source: only where there is something to say.
    fn rest_of(&mut self, model: &Model, owner: &str, clips: &[String]) -> Result<(), WadError> {
        if model.machine != Default::default() {
            self.put(Kind::MACHINE, owner.to_owned(), machine::write(&model.machine))?;
        }
        if *model.source != Default::default() {
            self.put(Kind::SOURCE, owner.to_owned(), source::write(&model.source))?;
        }
        let lump_of = |draft: &Draft| {
            let at = draft.clip.map(|id| model.clip_index(id).and_then(|at| clips.get(at)));
            // A draft of a clip that is gone has nowhere to stand.
            let clip = match at {
                Some(lump) => Some(lump?.clone()),
                None => None,
            };
            Some(NamedDraft { clip, time: draft.time, keys: draft.keys.clone() })
        };
        let drafts: Vec<NamedDraft> = model.drafts.iter().filter_map(lump_of).collect();
        if !drafts.is_empty() {
            self.put(Kind::DRAFTS, owner.to_owned(), draft::write(&drafts))?;
        }
        Ok(())
    }
}
