//! Small previews of the model's textures for panels. Created when a panel shows them, and again when a texture
//! changes.

use std::cell::RefCell;
use std::sync::Arc;

use imgui::TextureId;

use keypose::assets::model::Model;
use keypose::assets::texture::Texture as Image;
use keypose_editor::render::gl::texture::Texture;

use crate::app::window::painter::Painter;
use crate::app::window::ui_host::UiHost;

/// Maximum width and height in pixels.
const SIDE: u32 = 160;
/// Samples per axis that are averaged for a pixel.
const SAMPLES: u32 = 4;

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
            let (size, pixels) = small(image, SIDE);
            let texture = painter.image(size, &pixels)?;
            let id = ui.show_texture(previews.as_ref().map(|previews| previews.id), texture.handle());
            *previews = Some(Preview { of: image.clone(), id, _texture: texture });
            is_new = true;
        }
        Ok(is_new)
    }
}

/// Reduces an image to a maximum width and height. Each pixel is the mean of some of the pixels that it covers.
pub fn small(image: &Image, side: u32) -> ([u32; 2], Vec<u8>) {
    let longest = image.width.max(image.height);
    let [width, height] = if longest <= side {
        [image.width, image.height]
    } else {
        [image.width, image.height].map(|length| (length * side / longest).max(1))
    };
    let mut pixels = Vec::with_capacity(4 * (width * height) as usize);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let mut sums = [0_u32; 4];
        for (right, down) in (0..SAMPLES).flat_map(|down| (0..SAMPLES).map(move |right| (right, down))) {
            let column = (x * SAMPLES + right) * image.width / (width * SAMPLES);
            let row = (y * SAMPLES + down) * image.height / (height * SAMPLES);
            let at = 4 * (row as usize * image.width as usize + column as usize);
            sums.iter_mut().zip(&image.pixels[at..at + 4]).for_each(|(sum, &part)| *sum += u32::from(part));
        }
        pixels.extend(sums.map(|sum| (sum / (SAMPLES * SAMPLES)) as u8));
    }
    ([width, height], pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_image_becomes_small_and_keeps_its_shape_and_colours() {
        let (width, height) = (1000, 250);
        let half = |x: u32| if x < width / 2 { [200, 0, 0, 255] } else { [0, 100, 0, 255] };
        let pixels: Vec<u8> = (0..height).flat_map(|_| (0..width).flat_map(half)).collect();
        let image = Image {
            name: "a".into(),
            width,
            height,
            pixels: pixels.into(),
            source_format: String::new(),
            file: Default::default(),
        };
        let ([width, height], pixels) = small(&image, SIDE);
        assert_eq!(([width, height], pixels.len()), ([160, 40], 4 * 160 * 40));
        assert_eq!((&pixels[..4], &pixels[4 * 159..4 * 160]), (&[200, 0, 0, 255][..], &[0, 100, 0, 255][..]));
    }
}
