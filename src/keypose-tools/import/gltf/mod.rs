//! Imports glTF 2.0, .gltf and .glb. The `gltf` crate parses the JSON; this module checks every index, range and count
//! in it. Lights and cameras are not imported; the report lists them.

use std::sync::Arc;

use crate::assets::mesh::Mesh;
use crate::assets::model::{MeshSlot, MeshSource, Model, Visibility};
use crate::assets::rig_notes::RigNotes;
use crate::import::assembly::parts::Parts;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::geometry::Geometry;
use crate::import::gltf::images::Images;
use crate::import::gltf::materials::Materials;
use crate::import::gltf::morphs::Weights;
use crate::import::report::Report;
use crate::import::{ReadFile, stem};

mod accessor;
mod clips;
mod cloth;
pub mod container;
mod counts;
mod derived;
mod document;
mod draco;
mod drawn;
mod elements;
mod expressions;
mod geometry;
mod images;
mod influences;
mod instances;
mod json;
mod maps;
mod materials;
mod meshopt;
mod meshopt_filters;
mod morphs;
mod nodes;
mod own;
mod own_clips;
mod own_combat;
mod skins;
mod sockets;
mod specular;
mod springs;
pub(super) mod uri;
mod vrm;

/// Imports a file. `name` is the file's name, for the model and its source; `read` reads the files that it refers to.
pub fn import(name: &str, bytes: &[u8], read: &mut ReadFile<'_>, report: &mut Report) -> Result<Model, Fault> {
    let container = container::split(bytes, report)?;
    counts::check(container.json)?;
    let root = document::parse(container.json, report)?;
    let springs = springs::read(&root, report);
    let mut bones = nodes::bones(&root, &springs.nodes(), report)?;
    let mut weights = Weights::of(&root, &bones, report);
    let mut reader = Reader::new(&root, bytes.len(), container.binary, read)?;
    draco::decode(&root, &mut reader, report)?;
    let skins = skins::skins(&root, &reader, &bones, report)?;
    let mut images = Images::new(&root, &reader, read);
    let mut materials = Materials::of(&root, &weights.scalars, &mut images, report);
    let geometry = Geometry { root: &root, reader: &reader, bones: &bones, skins: &skins, weights: &weights };
    let meshes = geometry.meshes(&mut materials, report)?;
    let clips = clips::clips(&root, &reader, (&bones, &weights), stem(name), report);
    let (animations, clips): (Vec<usize>, Vec<_>) = clips.into_iter().unzip();
    let skeleton = std::mem::take(&mut bones.skeleton).with_scalars(std::mem::take(&mut weights.scalars));
    bones.skeleton = skeleton.map_err(|error| Fault::at("morph targets", error))?;
    let mut shown = document::shown(&root, report);
    vrm::hide_first_person(&root, &mut shown, report);
    let sources = meshes.iter().map(|(_, source)| Some(*source)).collect();
    let mesh_slot = |(mesh, source): (Mesh, MeshSource)| {
        let is_shown = shown.get(source.node as usize) == Some(&true);
        MeshSlot { mesh: Arc::new(mesh), visibility: if is_shown { Visibility::Shown } else { Visibility::Hidden } }
    };
    let parts = Parts {
        bones,
        meshes: meshes.into_iter().map(mesh_slot).collect(),
        sources,
        skins,
        materials: materials.all,
        textures: images.textures.all,
        clips,
    };
    let sockets = sockets::sockets(&root, &parts.bones, report)?;
    let mut rig = RigNotes::default();
    vrm::add_humanoid(&root, &parts.bones, &mut rig, report);
    own::add_masses(&root, &parts.bones, &mut rig);
    rig.springs = springs.notes(&parts.bones, report);
    let combat = own_combat::combat(&root, &animations, report);
    let poses = expressions::poses(&root, &weights, &parts.bones.skeleton, report);
    let skinning = own::skinning(&root);
    let model = parts.into_model(name, report);
    let mut model = Model { sockets, rig, combat: combat.into(), poses: poses.into(), skinning, ..model };
    drawn::scale_outlines(&mut model, &materials.outlines);
    Ok(model)
}

/// Returns true if a file may need the decoder of Draco.
pub fn needs_draco(bytes: &[u8]) -> bool {
    let container = container::split(bytes, &mut Report::default());
    // The name may be escaped, then its letters are not there.
    let may_have = |json| contains(json, draco::NAME.as_bytes()) || contains(json, b"\\u");
    container.is_ok_and(|container| may_have(container.json))
}

/// Returns true if the clips of a file say whether they have root motion.
pub fn has_root_motion(bytes: &[u8]) -> bool {
    let container = container::split(bytes, &mut Report::default());
    container.is_ok_and(|container| contains(container.json, b"\"rootMotion\""))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Returns true if the bytes begin like a glTF file.
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    container::looks_like_gltf(bytes)
}
