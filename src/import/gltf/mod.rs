//! Imports glTF 2.0, .gltf and .glb. The `gltf` crate parses the JSON; this module checks every index, range and count
//! in it. Morph targets, lights and cameras are not imported; the report lists them.

use std::sync::Arc;

use crate::assets::id::ClipId;
use crate::assets::mesh::Mesh;
use crate::assets::model::{ClipSlot, MeshSlot, MeshSource, Model, Source, Visibility};
use crate::import::error::{Fault, ImportError};
use crate::import::gltf::accessor::{ReadFile, Reader};
use crate::import::gltf::geometry::Geometry;
use crate::import::gltf::images::Images;
use crate::import::gltf::materials::Materials;
use crate::import::report::Report;

mod accessor;
mod clips;
pub mod container;
mod document;
mod geometry;
mod images;
mod influences;
mod keyframes;
mod materials;
mod names;
mod nodes;
mod skins;
mod triangles;
mod uri;

/// An imported model and its report.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Passes [`Model::check`]; its clips have the ids 1, 2, 3, ….
    pub model: Model,
    /// One line per finding: place and sentence.
    pub report: Vec<String>,
}

/// Imports a file. `name` is the file's name, for the model, its source and error messages; `read` reads the files
/// that it refers to, by relative path with forward slashes.
pub fn import(name: &str, bytes: &[u8], read: &mut ReadFile<'_>) -> Result<Imported, ImportError> {
    let mut report = Report::default();
    let model = model(name, bytes, read, &mut report);
    let checked = model.and_then(|model| match model.check() {
        Ok(()) => Ok(model),
        Err(error) => Err(Fault::at("the model", error.reason)),
    });
    match checked {
        Ok(model) => Ok(Imported { model, report: report.into_lines() }),
        Err(fault) => Err(ImportError { file: name.to_owned(), fault }),
    }
}

fn model(name: &str, bytes: &[u8], read: &mut ReadFile<'_>, report: &mut Report) -> Result<Model, Fault> {
    let container = container::split(bytes)?;
    let root = document::parse(container.json, report)?;
    let bones = nodes::bones(&root, report)?;
    let reader = Reader::new(&root, bytes.len(), container.binary, read)?;
    let skins = skins::skins(&root, &reader, &bones)?;
    let mut images = Images::new(&root, &reader, read);
    let mut materials = Materials::of(&root, &mut images, report);
    let geometry = Geometry { root: &root, reader: &reader, bones: &bones, skins: &skins };
    let meshes = geometry.meshes(&mut materials, report)?;
    let clips = clips::clips(&root, &reader, &bones, report)?;
    if bones.skeleton.is_empty() {
        report.add("nodes", "nothing to import: no mesh, no joint, no animation");
    }
    let shown = document::shown(&root, report);
    let sources = meshes.iter().map(|(_, source)| Some(*source)).collect();
    let mesh_slot = |(mesh, source): (Mesh, MeshSource)| {
        let is_shown = shown.get(source.node as usize) == Some(&true);
        MeshSlot { mesh: Arc::new(mesh), visibility: if is_shown { Visibility::Shown } else { Visibility::Hidden } }
    };
    let clip_slot = |(id, clip)| ClipSlot { id: ClipId(id), clip: Arc::new(clip) };
    Ok(Model {
        name: stem(name).to_owned(),
        meshes: meshes.into_iter().map(mesh_slot).collect(),
        skins: skins.into_iter().map(Arc::new).collect(),
        materials: materials.all.into_iter().map(Arc::new).collect(),
        textures: images.textures.into_iter().map(Arc::new).collect(),
        clips: (1..).zip(clips).map(clip_slot).collect(),
        source: Arc::new(Source {
            file: name.to_owned(),
            bone_nodes: bones.nodes.into_iter().map(Some).collect(),
            meshes: sources,
        }),
        skeleton: Arc::new(bones.skeleton),
        ..Model::default()
    })
}

/// The file's name without folders and extension.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem.trim().is_empty() { "model" } else { stem }
}

/// Returns true if the bytes begin like a glTF file.
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    container::looks_like_gltf(bytes)
}
