//! GPU copies of meshes and textures, and the bounds of models, cached by the `Arc`s that they were made from.

use std::sync::Arc;

use crate::assets::mesh::Mesh;
use crate::assets::model::{Model, Visibility};
use crate::assets::recent::{ByAddress, Recent};
use crate::assets::texture::{Texture as Image, reduced};
use crate::render::frame::bounds::{ModelBounds, Shape};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::Texture;
use crate::render::pass::draws::Maps;
use crate::render::pass::vertex::GpuMesh;

/// Frames between two sweeps. A copy that no frame between them used is deleted.
const FRAMES_BETWEEN_SWEEPS: u64 = 240;

/// A frame may use any number of copies; only sweeps delete them.
const NO_LIMIT: usize = usize::MAX;

/// The cache of a renderer.
pub struct Cache {
    context: Context,
    frame: u64,
    meshes: Recent<ByAddress<Mesh>, GpuMesh, NO_LIMIT>,
    textures: Recent<ByAddress<Image>, Texture, NO_LIMIT>,
    /// Those whose pixels are numbers: normals, metalness and roughness.
    numbers: Recent<ByAddress<Image>, Texture, NO_LIMIT>,
    bounds: Recent<Shape, Arc<ModelBounds>, NO_LIMIT>,
    white: Texture,
    notices: Notices,
}

/// What to report about images, and the images about which it was reported.
#[derive(Default)]
struct Notices {
    new: Vec<String>,
    reported: Vec<(String, [u32; 2])>,
}

impl Cache {
    /// An empty cache.
    pub fn new(context: &Context) -> Result<Cache, GlError> {
        let white = Texture::image(context, [1, 1], &[255; 4])?;
        Ok(Cache {
            context: context.clone(),
            frame: 0,
            meshes: Recent::default(),
            textures: Recent::default(),
            numbers: Recent::default(),
            bounds: Recent::default(),
            white,
            notices: Notices::default(),
        })
    }

    /// Begins a frame. Deletes copies that weren't used for a while.
    pub fn begin(&mut self) {
        self.frame += 1;
        if self.frame.is_multiple_of(FRAMES_BETWEEN_SWEEPS) {
            self.meshes.sweep();
            self.textures.sweep();
            self.numbers.sweep();
            self.bounds.sweep();
        }
    }

    /// Copies a model's visible meshes and their textures to the GPU, unless they are there.
    pub fn prepare(&mut self, model: &Model) -> Result<(), GlError> {
        let notices = &mut self.notices;
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            let mesh = &slot.mesh;
            self.meshes.get_or_try_insert_with(mesh.into(), || GpuMesh::of(&self.context, mesh))?;
            let Some(material) = model.materials.get(mesh.material) else { continue };
            let maps = Maps::of(model, material);
            for image in [maps.color, maps.emissive].into_iter().flatten() {
                self.textures
                    .get_or_try_insert_with(image.into(), || copy_of(&self.context, image, Texture::image, notices))?;
            }
            for image in [maps.normal, maps.metallic_roughness].into_iter().flatten() {
                self.numbers.get_or_try_insert_with(image.into(), || {
                    copy_of(&self.context, image, Texture::numbers, notices)
                })?;
            }
        }
        Ok(())
    }

    /// The copy of a prepared mesh.
    pub fn mesh(&self, mesh: &Arc<Mesh>) -> Option<&GpuMesh> {
        self.meshes.peek(&mesh.into())
    }

    /// The copy of a prepared texture.
    pub fn texture(&mut self, image: &Arc<Image>) -> Option<&mut Texture> {
        self.textures.peek_mut(&image.into())
    }

    /// The copy of a prepared texture of numbers.
    pub fn numbers(&mut self, image: &Arc<Image>) -> Option<&mut Texture> {
        self.numbers.peek_mut(&image.into())
    }

    /// What to report about images since the last call, one sentence each. Each image is mentioned once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices.new)
    }

    /// A texture of one white texel.
    pub fn white(&self) -> &Texture {
        &self.white
    }

    /// The bounds of a model.
    pub fn bounds(&mut self, model: &Model) -> Arc<ModelBounds> {
        self.bounds.get_or_insert_with(Shape::of(model), || Arc::new(ModelBounds::of(model))).clone()
    }
}

impl Notices {
    fn report_too_large(&mut self, image: &Arc<Image>, most: u32) {
        let Image { name, width, height, .. } = &**image;
        let reported = (name.clone(), [*width, *height]);
        if !self.reported.contains(&reported) {
            self.reported.push(reported);
            let reason = format!("the graphics driver allows {most} pixels on a side");
            self.new.push(format!("Image \"{name}\" has {width} × {height} pixels; {reason}, so it is drawn smaller."));
        }
    }
}

/// The GPU's copy of an image, reduced to the driver's maximum size. For an image without pixels it is one white texel, so that the
/// material's colour shows.
fn copy_of(context: &Context, image: &Arc<Image>, make: Make, notices: &mut Notices) -> Result<Texture, GlError> {
    if !image.is_valid() {
        return make(context, [1, 1], &[255; 4]);
    }
    let most = context.limits().texture_size;
    if image.width.max(image.height) <= most {
        return make(context, [image.width, image.height], &image.pixels);
    }
    notices.report_too_large(image, most);
    let (size, pixels) = reduced(image, most);
    make(context, size, &pixels)
}

type Make = fn(&Context, [u32; 2], &[u8]) -> Result<Texture, GlError>;
