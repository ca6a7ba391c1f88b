//! Small pictures of images that panels show: textures of the model, frames of reference films. Made when a panel shows an image.

use std::cell::RefCell;
use std::sync::Arc;

use imgui::TextureId;

use crate::render::gl::texture::Texture;
use crate::thumbnails::Easel;
use keypose::assets::texture::{Texture as Image, Use, reduced};

/// Maximum width and height in pixels.
const SIDE: u32 = 160;
/// Pictures that are kept although no panel shows them.
const KEPT: usize = 128;

/// The pictures of a window.
#[derive(Default)]
pub struct ImagePreviews {
    previews: Vec<Preview>,
    /// The images that panels showed in this frame.
    wanted: RefCell<Vec<Arc<Image>>>,
}

struct Preview {
    of: Arc<Image>,
    id: TextureId,
    texture: Texture,
}

impl ImagePreviews {
    /// The id of an image's picture. Requests it if it doesn't exist.
    pub fn id(&self, image: &Arc<Image>) -> Option<TextureId> {
        self.wanted.borrow_mut().push(image.clone());
        Some(self.of(image)?.id)
    }

    fn of(&self, image: &Arc<Image>) -> Option<&Preview> {
        self.previews.iter().find(|preview| Arc::ptr_eq(&preview.of, image))
    }

    /// The texture that is shown under an id.
    pub fn texture(&self, id: TextureId) -> Option<&Texture> {
        self.previews.iter().find(|preview| preview.id == id).map(|preview| &preview.texture)
    }

    /// Makes requested pictures. Returns true if the next frame shows more of them.
    pub fn draw(&mut self, easel: &mut dyn Easel) -> Result<bool, String> {
        let wanted = std::mem::take(&mut *self.wanted.borrow_mut());
        let mut is_new = false;
        for image in &wanted {
            if self.of(image).is_some() {
                continue;
            }
            // The renderer reports an image that is damaged.
            let pixels =
                image.pixels().unwrap_or_else(|_| vec![0; 4 * image.width as usize * image.height as usize].into());
            let (size, pixels) = reduced([image.width, image.height], &pixels, SIDE, Use::Colors);
            let texture = easel.image(size, &pixels)?;
            let is_unused = |preview: &Preview| !wanted.iter().any(|image| Arc::ptr_eq(image, &preview.of));
            // Ids can't be given back, so that of the oldest picture is used again.
            let oldest = if self.previews.len() < KEPT { None } else { self.previews.iter().position(is_unused) };
            let id = oldest.map(|oldest| self.previews.remove(oldest).id);
            let id = easel.show(id, &texture);
            self.previews.push(Preview { of: image.clone(), id, texture });
            is_new = true;
        }
        Ok(is_new)
    }
}
