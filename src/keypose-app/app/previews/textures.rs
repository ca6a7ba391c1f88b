//! Small previews of the model's textures for panels. Created when a panel shows them, and again when a texture
//! changes.

use std::cell::RefCell;
use std::sync::Arc;

use imgui::TextureId;

use keypose::assets::model::Model;
use keypose::assets::texture::{Texture as Image, reduced};
use keypose_editor::render::gl::texture::Texture;

use crate::app::window::painter::Painter;
use crate::app::window::ui_host::UiHost;

/// Maximum width and height in pixels.
const SIDE: u32 = 160;

/// Previews by the index of the texture in the model.
#[derive(Default)]
pub struct TexturePreviews {
    /// Ids are reused by the next texture with the same index.
    previews: Vec<Option<Preview>>,
    /// The textures that panels showed in this frame.
    wanted: RefCell<Vec<usize>>,
}

struct Preview {
    of: Arc<Image>,
    id: TextureId,
    _texture: Texture,
}

impl TexturePreviews {
    /// The id of a preview. Requests it if it doesn't exist.
    pub fn id(&self, at: usize) -> Option<TextureId> {
        self.wanted.borrow_mut().push(at);
        Some(self.previews.get(at)?.as_ref()?.id)
    }

    /// Creates requested previews. Returns true if the next frame shows more of them.
    pub fn draw(&mut self, painter: &Painter, ui: &mut UiHost, model: Option<&Model>) -> Result<bool, String> {
        let mut is_new = false;
        for at in std::mem::take(&mut *self.wanted.borrow_mut()) {
            let Some(image) = model.and_then(|model| model.textures.get(at)) else { continue };
            if self.previews.len() <= at {
                self.previews.resize_with(at + 1, || None);
            }
            let previews = &mut self.previews[at];
            if previews.as_ref().is_some_and(|previews| Arc::ptr_eq(&previews.of, image)) {
                continue;
            }
            // The renderer reports an image that is damaged.
            let pixels =
                image.pixels().unwrap_or_else(|_| vec![0; 4 * image.width as usize * image.height as usize].into());
            let (size, pixels) = reduced([image.width, image.height], &pixels, SIDE);
            let texture = painter.image(size, &pixels)?;
            let id = ui.show_texture(previews.as_ref().map(|previews| previews.id), texture.handle());
            *previews = Some(Preview { of: image.clone(), id, _texture: texture });
            is_new = true;
        }
        Ok(is_new)
    }
}
