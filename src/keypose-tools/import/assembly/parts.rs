//! The parts that a reader made of a file, and the model that they become.

use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::skin::Skin;
use crate::assets::clip_notes::ClipNotes;
use crate::assets::id::ClipId;
use crate::assets::material::Material;
use crate::assets::model::{ClipSlot, MeshSlot, MeshSource, Model, Source};
use crate::assets::texture::Texture;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::lods::hide_coarser;
use crate::import::assembly::triangles::drop_unseen;
use crate::import::report::Report;
use crate::import::stem;

/// The parts of a model.
pub struct Parts {
    pub bones: Bones,
    pub meshes: Vec<MeshSlot>,
    /// Source of each mesh.
    pub sources: Vec<Option<MeshSource>>,
    pub skins: Vec<Skin>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    /// Clips, each with its tag if it has one.
    pub clips: Vec<(Clip, Option<String>)>,
}

impl Parts {
    /// The model of a file of this name.
    pub fn into_model(self, name: &str, report: &mut Report) -> Model {
        let mut meshes = self.meshes;
        let unseen = drop_unseen(&mut meshes);
        if unseen > 0 {
            report.add("meshes", format_args!("{unseen} triangles are empty or there twice; left out"));
        }
        let coarser = hide_coarser(&mut meshes);
        if coarser > 0 {
            let text = "coarser levels of detail, by their names; hidden";
            report.add("meshes", format_args!("{coarser} of {}: {text}", meshes.len()));
        }
        let tagged = |(id, (_, tag)): (u32, &(Clip, Option<String>))| {
            let notes = ClipNotes { tags: vec![tag.clone()?], ..ClipNotes::default() };
            Some((ClipId(id), notes))
        };
        let clip_slot = |(id, (clip, _))| ClipSlot { id: ClipId(id), clip: Arc::new(clip) };
        Model {
            name: stem(name).to_owned(),
            meshes,
            skins: self.skins.into_iter().map(Arc::new).collect(),
            materials: self.materials.into_iter().map(Arc::new).collect(),
            textures: self.textures.into_iter().map(Arc::new).collect(),
            clip_notes: (1..).zip(&self.clips).filter_map(tagged).collect(),
            clips: (1..).zip(self.clips).map(clip_slot).collect(),
            source: Arc::new(Source {
                file: name.to_owned(),
                bone_nodes: self.bones.nodes.into_iter().map(Some).collect(),
                meshes: self.sources,
            }),
            skeleton: Arc::new(self.bones.skeleton),
            ..Model::default()
        }
    }
}
