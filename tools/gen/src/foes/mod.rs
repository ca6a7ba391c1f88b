//! The knight's foes: a training dummy, a goblin and a bat, each on a skeleton of its own.

pub mod bat;
pub mod dummy;
pub mod goblin;
pub mod goblin_clips;
pub mod goblin_palette;

use std::sync::Arc;

use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::Binding;
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};
use keypose::assets::texture::Texture;

use crate::clips;
use crate::geometry::finish::mesh;
use crate::geometry::part::Part;
use crate::rig::Rig;

/// A skinned model of parts, with clips that the states of their names show.
fn model(name: &str, rig: &Rig, parts: &[Part], clips: Vec<Clip>, (material, texture): (Material, Texture)) -> Model {
    let table = clips::table(&clips);
    let clips = clips.into_iter().map(|clip| ClipSlot { id: ClipId::default(), clip: Arc::new(clip) });
    Model {
        name: name.into(),
        skeleton: Arc::new(rig.skeleton()),
        skins: vec![Arc::new(rig.skin(name))],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh(name, parts, Binding::Skin(0))), visibility: Visibility::Shown }],
        materials: vec![Arc::new(material)],
        textures: vec![Arc::new(texture)],
        clips: clips.collect(),
        machine: table,
        ..Model::default()
    }
}
