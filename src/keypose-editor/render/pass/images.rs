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
use keypose::assets::texture::{Texture as Image, Use, reduced};

/// A frame may use any number of copies; only sweeps delete them.
const NO_LIMIT: usize = usize::MAX;

/// Images that are decoded at the same time, and the bytes of their pixels, which take memory until they are copied; of a larger
/// image it is one.
const DECODED: usize = 4;
const DECODED_BYTES: usize = 256 << 20;

/// The bytes of the pixels of all copies, without mipmaps. Where images need more, new ones are drawn smaller, but those of a model that
/// take few bytes not below a side.
const MAX_BYTES: usize = 512 << 20;
const FEW_BYTES: usize = 128 << 20;
const MIN_SIDE: u32 = 1024;

/// The copies, and what is to be reported about images.
#[derive(Default)]
pub struct Images {
    copies: Recent<(ByAddress<Image>, Use), Texture, NO_LIMIT>,
    notices: Vec<String>,
    /// The names and numbers of what was reported.
    reported: Vec<(String, [u32; 2])>,
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
        let taken = self.copies.values().map(|copy| bytes_of(copy.size())).sum();
        let sizes = new.iter().map(|(image, _)| [image.width, image.height]);
        let driver = context.limits().texture_size;
        let most = max_side(driver, sizes.clone(), taken);
        if most < driver && sizes.into_iter().flatten().any(|side| side > most) {
            let all = format!("all images would take more than {} MiB", MAX_BYTES >> 20);
            let notice = format!("Images of {} are drawn with at most {most} pixels on a side: {all}.", model.name);
            self.report((&model.name, [most; 2]), notice);
        }
        let mut rest = &new[..];
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = |(image, _): &&(&Arc<Image>, Use)| {
                bytes += bytes_of([image.width, image.height]);
                bytes <= DECODED_BYTES
            };
            let count = rest.iter().take(DECODED).take_while(fits).count().max(1);
            let (some, others) = rest.split_at(count);
            rest = others;
            let decoded = parallel::map(some, bytes, |(image, _)| image.pixels());
            for ((image, what), pixels) in some.iter().zip(decoded) {
                let copy = self.copy_of(context, (image, *what, most), pixels)?;
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

    /// The GPU's copy of an image, reduced to a maximum side. For an image without pixels it is one white texel, so that
    /// the material's colour shows.
    fn copy_of(
        &mut self,
        context: &Context,
        (image, what, most): (&Image, Use, u32),
        pixels: Result<Bytes, String>,
    ) -> Result<Texture, GlError> {
        let make = if what == Use::Colors { Texture::image } else { Texture::numbers };
        let size = [image.width, image.height];
        let pixels = match pixels {
            Ok(pixels) if size[0].max(size[1]) <= most => return make(context, size, &pixels),
            Ok(pixels) => pixels,
            Err(reason) => {
                let reason = format!("is damaged: {reason}. The colour of its material is shown.");
                self.report((&image.name, size), format!("Image \"{}\" {reason}", image.name));
                return make(context, [1, 1], &[255; 4]);
            }
        };
        if context.limits().texture_size == most {
            let reason = format!("the graphics driver allows {most} pixels on a side, so it is drawn smaller.");
            let notice = format!("Image \"{}\" has {} × {} pixels; {reason}", image.name, size[0], size[1]);
            self.report((&image.name, size), notice);
        }
        let (size, pixels) = reduced(size, &pixels, most, what);
        make(context, size, &pixels)
    }

    /// Adds a notice about something with a name and two numbers, unless it was reported.
    fn report(&mut self, (name, numbers): (&str, [u32; 2]), notice: String) {
        let reported = (name.to_owned(), numbers);
        if !self.reported.contains(&reported) {
            self.notices.push(notice);
            self.reported.push(reported);
        }
    }
}

/// The bytes of the pixels of an image.
fn bytes_of([width, height]: [u32; 2]) -> usize {
    4 * width as usize * height as usize
}

/// The maximum side of new images, at most that of the driver, where others have `taken` bytes.
fn max_side(driver: u32, sizes: impl Iterator<Item = [u32; 2]> + Clone, taken: usize) -> u32 {
    let fits = |most: u32| {
        let new: usize = sizes.clone().map(|size| bytes_of(size.map(|side| side.min(most)))).sum();
        taken + new <= MAX_BYTES || (most <= MIN_SIDE && new <= FEW_BYTES)
    };
    let mut most = driver;
    while most > 1 && !fits(most) {
        most /= 2;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_that_need_too_much_memory_are_smaller() {
        let side = |count: usize, taken: usize| max_side(8192, std::iter::repeat_n([8192, 8192], count), taken);
        assert_eq!((side(2, 0), side(3, 0), side(2, 1)), (8192, 4096, 4096));
        assert_eq!((side(1, MAX_BYTES), side(32, MAX_BYTES)), (MIN_SIDE, MIN_SIDE), "few of a model are not smaller");
        let many = |side: u32| max_side(8192, std::iter::repeat_n([side; 2], (1 << 28) / (side * side) as usize), 0);
        assert_eq!((many(1024), many(512), many(64)), (512, 256, 32), "1 GiB in many images");
    }
}
