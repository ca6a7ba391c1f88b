//! GPU copies of meshes and textures, and the boxes of models, kept while the `Arc`s they were made from come back.

use std::collections::HashMap;
use std::sync::Arc;

use crate::anim::skin::Skin;
use crate::assets::mesh::Mesh;
use crate::assets::model::{Model, Visibility};
use crate::assets::texture::Texture as Image;
use crate::render::frame::bounds::ModelBounds;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::Texture;
use crate::render::pass::vertex::GpuMesh;

/// Pictures after which a copy that was not used is dropped.
const KEPT_PICTURES: u64 = 240;

struct Entry<A, G> {
    /// Held so that its address is not given to another.
    _source: A,
    copy: G,
    used: u64,
}

/// Copies by the address of what they were made from.
pub struct Cache {
    context: Context,
    picture: u64,
    meshes: HashMap<*const Mesh, Entry<Arc<Mesh>, GpuMesh>>,
    textures: HashMap<*const Image, Entry<Arc<Image>, Texture>>,
    bounds: Vec<Entry<BoundsSource, Arc<ModelBounds>>>,
    white: Texture,
}

/// What the boxes of a model depend on: an edit of its clips leaves them alone.
#[derive(Clone)]
struct BoundsSource {
    meshes: Vec<(Arc<Mesh>, Visibility)>,
    skins: Vec<Arc<Skin>>,
}

impl Cache {
    /// Empty.
    pub fn new(context: &Context) -> Result<Cache, GlError> {
        let white = Texture::image(context, [1, 1], &[255; 4])?;
        let (meshes, textures, bounds) = (HashMap::new(), HashMap::new(), Vec::new());
        Ok(Cache { context: context.clone(), picture: 0, meshes, textures, bounds, white })
    }

    /// Begins a picture: drops what was not used for a while.
    pub fn begin(&mut self) {
        self.picture += 1;
        let oldest = self.picture.saturating_sub(KEPT_PICTURES);
        self.meshes.retain(|_, entry| entry.used >= oldest);
        self.textures.retain(|_, entry| entry.used >= oldest);
        self.bounds.retain(|entry| entry.used >= oldest);
    }

    /// Makes sure that a model's shown meshes and their textures are there.
    pub fn prepare(&mut self, model: &Model) -> Result<(), GlError> {
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            self.prepare_mesh(&slot.mesh)?;
            let texture = model.materials.get(slot.mesh.material).and_then(|material| material.texture);
            if let Some(image) = texture.and_then(|texture| model.textures.get(texture)) {
                self.prepare_texture(image)?;
            }
        }
        Ok(())
    }

    fn prepare_mesh(&mut self, mesh: &Arc<Mesh>) -> Result<(), GlError> {
        let key = Arc::as_ptr(mesh);
        if !self.meshes.contains_key(&key) {
            let copy = GpuMesh::of(&self.context, mesh)?;
            self.meshes.insert(key, Entry { _source: mesh.clone(), copy, used: 0 });
        }
        if let Some(entry) = self.meshes.get_mut(&key) {
            entry.used = self.picture;
        }
        Ok(())
    }

    fn prepare_texture(&mut self, image: &Arc<Image>) -> Result<(), GlError> {
        let key = Arc::as_ptr(image);
        if !self.textures.contains_key(&key) {
            let most = self.context.limits().texture_size;
            let copy = match image.is_valid() && image.width.max(image.height) <= most {
                true => Texture::image(&self.context, [image.width, image.height], &image.pixels)?,
                // A driver with small textures shows the material's colour instead.
                false => Texture::image(&self.context, [1, 1], &[255; 4])?,
            };
            self.textures.insert(key, Entry { _source: image.clone(), copy, used: 0 });
        }
        if let Some(entry) = self.textures.get_mut(&key) {
            entry.used = self.picture;
        }
        Ok(())
    }

    /// The copy of a mesh that was prepared.
    pub fn mesh(&self, mesh: &Arc<Mesh>) -> Option<&GpuMesh> {
        self.meshes.get(&Arc::as_ptr(mesh)).map(|entry| &entry.copy)
    }

    /// The copy of a texture that was prepared.
    pub fn texture(&mut self, image: &Arc<Image>) -> Option<&mut Texture> {
        self.textures.get_mut(&Arc::as_ptr(image)).map(|entry| &mut entry.copy)
    }

    /// One white texel.
    pub fn white(&self) -> &Texture {
        &self.white
    }

    /// The boxes of a model.
    pub fn bounds(&mut self, model: &Model) -> Arc<ModelBounds> {
        let picture = self.picture;
        if let Some(entry) = self.bounds.iter_mut().find(|entry| entry._source.is_of(model)) {
            entry.used = picture;
            return entry.copy.clone();
        }
        let meshes = model.meshes.iter().map(|slot| (slot.mesh.clone(), slot.visibility)).collect();
        let source = BoundsSource { meshes, skins: model.skins.clone() };
        let copy = Arc::new(ModelBounds::of(model));
        self.bounds.push(Entry { _source: source, copy: copy.clone(), used: picture });
        copy
    }
}

impl BoundsSource {
    fn is_of(&self, model: &Model) -> bool {
        let same_mesh = |(mesh, visibility): &(Arc<Mesh>, Visibility), slot: &crate::assets::model::MeshSlot| {
            Arc::ptr_eq(mesh, &slot.mesh) && *visibility == slot.visibility
        };
        let counts = self.meshes.len() == model.meshes.len() && self.skins.len() == model.skins.len();
        counts
            && self.meshes.iter().zip(&model.meshes).all(|(mesh, slot)| same_mesh(mesh, slot))
            && self.skins.iter().zip(&model.skins).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}
