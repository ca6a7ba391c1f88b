//! Encodes a project: takes it apart, writes each part and packs the lumps.

use std::collections::BTreeMap;
use std::io::{self, Seek, Write};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::assets::character::Character;
use crate::assets::clip_notes::{ClipNotes, Derived};
use crate::assets::draft::Draft;
use crate::assets::id::ClipId;
use crate::assets::image_file;
use crate::assets::model::Model;
use crate::assets::project::{Project, UnknownLump};
use crate::assets::reference::{Film, FilmFiles, FilmSource};
use crate::assets::texture::Texture;
use crate::wad::assemble::{ClipIds, ModelLumps};
use crate::wad::bakes::{self, Bake};
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::name::Names;
use crate::wad::pack::{Lump, PackError, Packed, missing, pack, pack_into};
use crate::wad::part::{Part, Parts};
use crate::wad::record::clip_notes::NamedNotes;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::model::ModelLists;
use crate::wad::record::texture;
use crate::wad::record::volumes::NamedVolumes;

/// Encodes a project with its clips baked. `characters` are models whose clips are baked already; the other clips are
/// baked here. The same project gives the same bytes.
pub fn encode(project: &Project, characters: &[Arc<Character>]) -> Result<Vec<u8>, WadError> {
    let mut out = io::Cursor::new(Vec::new());
    let packed = Encoder::new(project, characters)?.encode_into(&mut out);
    packed.map(|_| out.into_inner()).map_err(PackError::of_memory)
}

/// Encodes a project quickly, for another process: without baked clips, and uncompressed.
pub fn encode_authored(project: &Project) -> Result<Vec<u8>, WadError> {
    check(project)?;
    let lumps = for_archive(project).parts.iter().map(|(title, part)| part.to_lump(title)).collect::<Result<_, _>>()?;
    pack(lumps, None)
}

/// A project that is encoded lump by lump, as [`encode`] does it: an archive of any size needs the memory of its largest lumps.
#[derive(Debug)]
pub struct Encoder {
    /// The id of the document; 0 for none.
    pub id: u64,
    titles: Vec<(Kind, String)>,
    sources: Vec<Source>,
}

/// The source of a lump.
#[derive(Debug)]
enum Source {
    Part(Part),
    Bake(Bake),
}

impl Encoder {
    /// Checks every model, and bakes the clips that `characters` lack.
    pub fn new(project: &Project, characters: &[Arc<Character>]) -> Result<Encoder, WadError> {
        check(project)?;
        let built = for_archive(project);
        let bakes = bakes::of(project, &built.models, characters).into_iter().filter(Bake::can_be_written);
        let bakes = bakes.map(|bake| ((Kind::BAKED, bake.clip.clone()), Source::Bake(bake)));
        let parts = built.parts.into_iter().map(|(title, part)| (title, Source::Part(part)));
        let mut all: Vec<_> = parts.chain(bakes).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let (titles, sources) = all.into_iter().unzip();
        Ok(Encoder { id: 0, titles, sources })
    }

    /// Writes the archive to a file from its start.
    pub fn encode_into(&self, out: &mut (impl Write + Seek)) -> Result<Packed, PackError> {
        // Baked clips follow the lumps that they were made from.
        let mut raw = BTreeMap::new();
        pack_into(&self.titles, self.id, out, |at| {
            let (Some(title), Some(source)) = (self.titles.get(at), self.sources.get(at)) else {
                return Err(missing());
            };
            let lump = match source {
                Source::Part(part) => lump_of(title, part)?,
                Source::Bake(bake) => bake.to_lump(|kind, name| raw.get(&(kind, name.to_owned())).copied())?,
            };
            if matches!(title.0, Kind::CLIP | Kind::SKELETON) {
                raw.insert(title.clone(), xxh3_64(lump.bytes.as_deref().unwrap_or_default()));
            }
            Ok(lump)
        })
    }
}

fn lump_of(title: &(Kind, String), part: &Part) -> Result<Lump, WadError> {
    Ok(Lump { codec: title.0.codec(), ..part.to_lump(title)? })
}

fn check(project: &Project) -> Result<(), WadError> {
    project.models.iter().try_for_each(|model| {
        let (place, check) = (format!("model {}", model.name), model.check());
        check.map_err(|error| WadError::Content { place, reason: error.reason })
    })?;
    project.sounds.iter().try_for_each(|sound| {
        let (place, check) = (format!("sound {}", sound.name), sound.check());
        check.map_err(|reason| WadError::Content { place, reason })
    })
}

/// The lumps of a project, after a check of every model and sound.
pub fn lumps(project: &Project, characters: &[Arc<Character>]) -> Result<Vec<Lump>, WadError> {
    check(project)?;
    let built = for_archive(project);
    let mut lumps =
        built.parts.iter().map(|(title, part)| lump_of(title, part)).collect::<Result<Vec<_>, WadError>>()?;
    let baked = bakes::lumps(project, &built.models, characters, &lumps);
    lumps.extend(baked);
    Ok(lumps)
}

/// A lump of a newer version that a project keeps, and that a lump of this version would replace: what both are, and the name
/// of their model. Takes no time for a project without lumps of a newer version.
pub fn replaced_newer(project: &Project) -> Option<(Kind, &str)> {
    let is_newer = |unknown: &&UnknownLump| Kind(unknown.kind).def().is_some();
    let mut newer = project.unknown.iter().filter(is_newer).peekable();
    newer.peek()?;
    let parts = build(&Project { unknown: Vec::new(), ..project.clone() }).parts;
    let replaced = newer.find(|unknown| parts.contains_key(&(Kind(unknown.kind), unknown.name.clone())));
    replaced.map(|unknown| (Kind(unknown.kind), unknown.name.as_str()))
}

/// The parts of a project. Large values are shared with it.
pub fn parts_of(project: &Project) -> Parts {
    parts_and_ids(project).0
}

/// The parts of a project, and the ids of its clips by lump name.
pub fn parts_and_ids(project: &Project) -> (Parts, ClipIds) {
    let built = build(project);
    (built.parts, built.ids)
}

/// As [`build`]. Images beyond what a reader decodes are stored as pixels.
fn for_archive(project: &Project) -> Builder {
    let mut built = build(project);
    let images = built.parts.values_mut().filter_map(|part| match part {
        Part::Texture(image) | Part::ReferenceImage(image) if image.file().is_some() => Some(image),
        _ => None,
    });
    let images: Vec<&mut Arc<Texture>> = images.collect();
    let sizes = images.iter().map(|image| (image.bytes() as u64, image_file::pixel_bytes(image.width, image.height)));
    let kept: Vec<bool> = keeps_files(sizes).collect();
    for (image, _) in images.into_iter().zip(kept).filter(|(_, is_kept)| !is_kept) {
        if let Ok(pixels) = image.pixels() {
            Arc::make_mut(image).data = pixels.into();
        }
    }
    built
}

/// Whether a reader accepts the file of each image, given the bytes of the file and of its pixels.
fn keeps_files(sizes: impl Iterator<Item = (u64, u64)>) -> impl Iterator<Item = bool> {
    sizes.scan((0_u64, 0_u64), |sums, (file, pixels)| {
        let (files, all) = (sums.0.saturating_add(file), sums.1.saturating_add(pixels));
        let is_kept = all <= texture::max_decoded_bytes(files);
        if is_kept {
            *sums = (files, all);
        }
        Some(is_kept)
    })
}

fn build(project: &Project) -> Builder {
    let mut out = Builder::default();
    for (order, model) in (0_u32..).zip(&project.models) {
        out.model(model, order);
    }
    out.clip_notes(project);
    for (order, level) in (0_u32..).zip(&project.levels) {
        let name = out.names.unique(Kind::LEVEL, "", &level.name);
        out.parts.insert((Kind::LEVEL, name), Part::Level(OrderedLevel { level: level.clone(), order }));
    }
    for sound in &project.sounds {
        let name = out.names.unique(Kind::SOUND, "", &sound.name);
        out.parts.insert((Kind::SOUND, name), Part::Sound(sound.clone()));
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
    /// Adds each part of a list and returns the names of their lumps. A part without a name is called `unnamed`.
    fn list<'a, T: 'a>(
        &mut self,
        (kind, owner, unnamed): (Kind, &str, &str),
        list: impl IntoIterator<Item = &'a T>,
        name_of: impl Fn(&T) -> &str,
        part_of: impl Fn(&T) -> Part,
    ) -> Vec<String> {
        let add = |part| {
            let name = name_of(part);
            let name = self.names.unique(kind, owner, if name.is_empty() { unnamed } else { name });
            self.parts.insert((kind, name.clone()), part_of(part));
            name
        };
        list.into_iter().map(add).collect()
    }

    fn model(&mut self, model: &Model, order: u32) {
        let owner = &self.names.unique(Kind::MODEL, "", &model.name);
        let of = |kind, unnamed| (kind, owner.as_str(), unnamed);
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
        for (lump, reference) in images.iter().zip(&model.references) {
            if let Some(Film { source: FilmSource { files: FilmFiles::Kept(files), .. }, .. }) = &reference.film {
                self.parts.insert((Kind::REFERENCE_FILM, lump.clone()), Part::ReferenceFilm(files.clone()));
            }
        }
        let clips = self.list(
            of(Kind::CLIP, "clip"),
            &model.clips,
            |slot| &slot.clip.name,
            |slot| Part::Clip(slot.clip.clone()),
        );
        self.ids.extend(clips.iter().cloned().zip(model.clips.iter().map(|slot| slot.id)));
        self.single_parts(model, owner, &clips, &images);
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
            skinning: model.skinning,
            samples: model.samples,
        };
        self.parts.insert((Kind::MODEL, owner.clone()), Part::Model(lists));
    }

    /// The parts that a model has once. Empty ones get no lump.
    fn single_parts(&mut self, model: &Model, owner: &str, clips: &[String], images: &[String]) {
        let Model { skeleton, machine, poses, rig, references, source, import_options, sprites, .. } = model;
        let mut put = |is_needed: bool, kind, part| {
            if is_needed {
                self.parts.insert((kind, owner.to_owned()), part);
            }
        };
        put(true, Kind::SKELETON, Part::Skeleton(skeleton.clone()));
        put(*machine != Default::default(), Kind::MACHINE, Part::Machine(machine.clone()));
        put(!poses.is_empty(), Kind::POSES, Part::Poses(poses.clone()));
        put(*rig != Default::default(), Kind::RIG, Part::Rig(rig.clone()));
        put(**source != Default::default(), Kind::SOURCE, Part::Source(source.clone()));
        put(!import_options.is_default(), Kind::IMPORT_OPTIONS, Part::ImportOptions(import_options.clone()));
        put(!sprites.is_default(), Kind::SPRITES, Part::Sprites(sprites.clone()));
        let lumps = lumps_of(model, clips);
        let volumes = named_volumes(model, &lumps);
        put(volumes != Default::default(), Kind::VOLUMES, Part::Volumes(volumes));
        let references = images.iter().zip(references).map(|(lump, reference)| reference.with_image(lump.clone()));
        put(!images.is_empty(), Kind::REFERENCES, Part::References(references.collect()));
        let drafts = named_drafts(model, &lumps);
        put(!drafts.is_empty(), Kind::DRAFTS, Part::Drafts(drafts));
    }
}

impl Builder {
    /// Notes about clips, after all models: a retargeted clip names one of another model.
    fn clip_notes(&mut self, project: &Project) {
        let mut lumps: BTreeMap<ClipId, &String> = BTreeMap::new();
        for (model, ModelLumps { clips, .. }) in project.models.iter().zip(&self.models) {
            for (slot, lump) in model.clips.iter().zip(clips) {
                // If two clips have the same id, it refers to the first.
                lumps.entry(slot.id).or_insert(lump);
            }
        }
        let lump = |id| lumps.get(&id).map(|lump| (*lump).clone());
        let mut parts = Vec::new();
        for (model, ModelLumps { owner, .. }) in project.models.iter().zip(&self.models) {
            let notes: Vec<NamedNotes> = model.clips.iter().filter_map(|slot| notes(slot.id, model, lump)).collect();
            if !notes.is_empty() {
                parts.push(((Kind::CLIP_NOTES, owner.clone()), Part::ClipNotes(notes)));
            }
        }
        self.parts.extend(parts);
    }
}

/// The clips of a model by their ids: index and lump name.
type ClipLumps<'a> = BTreeMap<ClipId, (usize, &'a String)>;

fn lumps_of<'a>(model: &Model, clips: &'a [String]) -> ClipLumps<'a> {
    let slots = model.clips.iter().zip(clips).enumerate();
    // If two clips have the same id, it refers to the first.
    slots.rev().map(|(at, (slot, lump))| (slot.id, (at, lump))).collect()
}

/// The drafts of a model with the lump names of their clips, sorted by the index of the clip: ids differ between two
/// readings of a file, indices do not.
fn named_drafts(model: &Model, clips: &ClipLumps<'_>) -> Vec<NamedDraft> {
    let mut drafts: Vec<_> = model.drafts.iter().filter_map(|draft| named(draft, clips)).collect();
    drafts.sort_by_key(|(index, draft)| (*index, draft.time));
    drafts.into_iter().map(|(_, draft)| draft).collect()
}

/// A draft with the index and the lump name of its clip; `None` if the clip does not exist.
fn named(draft: &Draft, clips: &ClipLumps<'_>) -> Option<(Option<usize>, NamedDraft)> {
    let found = match draft.clip {
        Some(id) => Some(clips.get(&id)?),
        None => None,
    };
    let (index, clip) = found.map(|(index, lump)| (*index, (*lump).clone())).unzip();
    Some((index, NamedDraft { clip, time: draft.time, kind: draft.kind, keys: draft.keys.clone() }))
}

/// The combat of a model with the lump names of its clips, in their order.
fn named_volumes(model: &Model, clips: &ClipLumps<'_>) -> NamedVolumes {
    let slots = model.clips.iter().filter_map(|slot| Some((clips.get(&slot.id)?, model.combat.lanes.get(&slot.id)?)));
    let lanes = slots.map(|((_, lump), lanes)| ((*lump).clone(), lanes.clone())).collect();
    NamedVolumes { hurt: model.combat.hurt.clone(), lanes }
}

/// The notes of a clip with the lump names of clips; `None` if it has none.
fn notes(id: ClipId, model: &Model, lump: impl Fn(ClipId) -> Option<String>) -> Option<NamedNotes> {
    let ClipNotes { folder, tags, mask, derived } = model.clip_notes.get(&id)?.clone();
    let source = |derived: Derived| Some((lump(derived.source)?, derived.how.with_clip(&lump)?));
    let derived = derived.and_then(source);
    // A note that loses its source may be empty by that.
    let is_empty = folder.is_empty() && tags.is_empty() && mask.is_empty() && derived.is_none();
    (!is_empty).then_some(NamedNotes { clip: lump(id)?, folder, tags, mask, derived })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_that_a_reader_would_refuse_are_stored_as_pixels() {
        let images = [(9, 200), (9, 100), (9, 50), (2 << 20, 300)].map(|(file, megabytes)| (file, megabytes << 20));
        assert!(keeps_files(images.into_iter()).eq([true, false, true, true]));
    }
}
