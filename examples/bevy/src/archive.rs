//! The archive as an asset, with the meshes and materials of its models.

use std::sync::Arc;

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, Handle, LoadContext};
use bevy_math::Mat4;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_reflect::TypePath;
use keypose::assets::character::Character;
use keypose::assets::model::Model;
use keypose::wad::{self, WadError};
use thiserror::Error;

use crate::material::{self, MaterialHandle};
use crate::mesh::mesh_of;

/// A loaded archive.
#[derive(Asset, TypePath, Debug)]
pub struct Archive {
    /// The models with baked clips, in order.
    pub characters: Vec<Arc<Character>>,
    #[dependency]
    meshes: Vec<Handle<Mesh>>,
    #[dependency]
    binds: Vec<Handle<SkinnedMeshInverseBindposes>>,
    materials: Vec<MaterialHandle>,
    parts: Vec<Parts>,
}

/// Where the assets of a model start in the lists of all.
#[derive(Clone, Copy, Debug)]
struct Parts {
    meshes: usize,
    binds: usize,
    materials: usize,
}

/// A model of an archive, with its assets in the order of its own lists.
pub(crate) struct Found<'a> {
    pub character: &'a Arc<Character>,
    pub meshes: &'a [Handle<Mesh>],
    pub binds: &'a [Handle<SkinnedMeshInverseBindposes>],
    pub materials: &'a [MaterialHandle],
}

impl Archive {
    /// The model of this name; the first if it is empty.
    pub(crate) fn find(&self, name: &str) -> Option<Found<'_>> {
        let at = self.characters.iter().position(|it| name.is_empty() || it.model.name == name)?;
        let Parts { meshes, binds, materials } = self.parts[at];
        let (meshes, binds, materials) = (&self.meshes[meshes..], &self.binds[binds..], &self.materials[materials..]);
        Some(Found { character: &self.characters[at], meshes, binds, materials })
    }
}

/// Why an archive was not loaded.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum ArchiveError {
    #[error("can't be read: {0}")]
    Read(#[from] std::io::Error),
    #[error(transparent)]
    Wad(#[from] WadError),
    #[error("texture {name}: {reason}")]
    Texture { name: String, reason: String },
}

/// Loads `.wad` files.
#[derive(TypePath)]
pub struct ArchiveLoader;

impl AssetLoader for ArchiveLoader {
    type Asset = Archive;
    type Settings = ();
    type Error = ArchiveError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<Archive, ArchiveError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let characters = wad::decode(&bytes)?.characters;
        let (meshes, binds, materials, parts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut archive = Archive { characters, meshes, binds, materials, parts };
        for character in archive.characters.clone() {
            archive.add(&character.model, context)?;
        }
        Ok(archive)
    }

    fn extensions(&self) -> &[&str] {
        &["wad"]
    }
}

impl Archive {
    fn add(&mut self, model: &Model, context: &mut LoadContext<'_>) -> Result<(), ArchiveError> {
        let Archive { meshes, binds, materials, .. } = self;
        self.parts.push(Parts { meshes: meshes.len(), binds: binds.len(), materials: materials.len() });
        for slot in &model.meshes {
            meshes.push(context.add_labeled_asset(format!("mesh {}", meshes.len()), mesh_of(&slot.mesh)));
        }
        for skin in &model.skins {
            let matrices = skin.inverse_binds.iter().map(|bind| Mat4::from_cols_array(&bind.to_cols_array()));
            let skin = SkinnedMeshInverseBindposes::from(matrices.collect::<Vec<_>>());
            binds.push(context.add_labeled_asset(format!("skin {}", binds.len()), skin));
        }
        material::add(materials, model, context)
    }
}
