//! GPU copies of the images of materials, cached by the `Arc`s that they were made from.

use std::sync::Arc;

use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::Texture;
use crate::render::pass::draws::Maps;
use keypose::anim::parallel;
use keypose::assets::bytes::Bytes;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::recent::{ByAddress, Recent};
use keypose::assets::texture::{Texture as Image, reduced};

/// A frame may use any number of copies; only sweeps delete them.
const NO_LIMIT: usize = usize::MAX;

/// Images that are decoded at the same time: their pixels take memory until they are copied.
const DECODED: usize = 4;

/// The copies, and what is to be reported about images.
#[derive(Default)]
pub struct Images {
    copies: Recent<(ByAddress<Image>, Use), Texture, NO_LIMIT>,
    notices: Vec<String>,
    /// The names and sizes of images that were reported.
    reported: Vec<(String, [u32; 2])>,
}

/// The meaning of the pixels of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// sRGB-encoded colours.
    Colors,
    /// Linear numbers: normals, metalness, roughness and occlusion.
    Numbers,
}

impl Images {
    /// Copies the images of a model's visible meshes, unless they are there. Files are decoded on several threads.
    pub fn prepare(&mut self, context: &Context, model: &Model) -> Result<(), GlError> {
        let mut new: Vec<(&Arc<Image>, Use)> = Vec::new();
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            let Some(material) = model.materials.get(slot.mesh.material) else { continue };
            let maps = Maps::of(model, material);
            let colors = [maps.color, maps.emissive].into_iter().flatten().map(|image| (image, Use::Colors));
            let numbers = [maps.normal, maps.metallic_roughness, maps.occlusion];
            let numbers = numbers.into_iter().flatten().map(|image| (image, Use::Numbers));
            for (image, what) in colors.chain(numbers) {
                let is_new = !self.copies.touch(&(image.into(), what));
                if is_new && !new.iter().any(|(known, of)| Arc::ptr_eq(known, image) && *of == what) {
                    new.push((image, what));
                }
            }
        }
        for some in new.chunks(DECODED) {
            let bytes = some.iter().map(|(image, _)| 4 * image.width as usize * image.height as usize).sum();
            let decoded = parallel::map(some, bytes, |(image, _)| image.pixels());
            for ((image, what), pixels) in some.iter().zip(decoded) {
                let copy = self.copy_of(context, (image, *what), pixels)?;
                self.copies.get_or_insert_with(((*image).into(), *what), || copy);
            }
        }
        Ok(())
    }

    /// Deletes copies that weren't used since the previous sweep.
    pub fn sweep(&mut self) {
        self.copies.sweep();
    }

    /// The copy of a prepared image.
    pub fn get(&mut self, image: &Arc<Image>, what: Use) -> Option<&mut Texture> {
        self.copies.peek_mut(&(image.into(), what))
    }

    /// Notices about images since the last call, one sentence each. Each image is mentioned once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// The GPU's copy of an image, reduced to the driver's maximum size. For an image without pixels it is one white texel, so that
    /// the material's colour shows.
    fn copy_of(
        &mut self,
        context: &Context,
        (image, what): (&Image, Use),
        pixels: Result<Bytes, String>,
    ) -> Result<Texture, GlError> {
        let make = if what == Use::Colors { Texture::image } else { Texture::numbers };
        let (most, size) = (context.limits().texture_size, [image.width, image.height]);
        let pixels = match pixels {
            Ok(pixels) if size[0].max(size[1]) <= most => return make(context, size, &pixels),
            Ok(pixels) => pixels,
            Err(reason) => {
                self.report(image, format!("is damaged: {reason}. The colour of its material is shown."));
                return make(context, [1, 1], &[255; 4]);
            }
        };
        let reason = format!("the graphics driver allows {most} pixels on a side");
        self.report(image, format!("has {} × {} pixels; {reason}, so it is drawn smaller.", size[0], size[1]));
        let (size, pixels) = reduced(size, &pixels, most);
        make(context, size, &pixels)
    }

    fn report(&mut self, image: &Image, what: String) {
        let reported = (image.name.clone(), [image.width, image.height]);
        if !self.reported.contains(&reported) {
            self.notices.push(format!("Image \"{}\" {what}", image.name));
            self.reported.push(reported);
        }
    }
}
