//! The textures of pixels: the pose on screen as its sprite, and the atlas of the sprite sheet.

use std::sync::Arc;

use imgui::TextureId;

use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_editor::editor::panels::view::pixels::PixelPicture;
use keypose_editor::editor::view::pixels;
use keypose_editor::editor::view::sprite_sheet::SheetView;
use keypose_editor::render::gl::texture::Texture;
use keypose_tools::export::bitmap::Bitmap;

use crate::app::film::sprites::SpriteJob;
use crate::app::film::sprites::live::LivePainter;
use crate::app::host::EditorHost;
use crate::app::window::painter::Painter;
use crate::app::window::ui_host::UiHost;

/// Textures of the pixel view and of the atlas.
#[derive(Default)]
pub struct PixelTextures {
    live: LivePainter,
    pose: Shown,
    picture: Option<Result<PixelPicture, String>>,
    sheet: Shown,
    /// The sheet whose image is shown, and the index of that.
    of: Option<(Arc<SheetView>, usize)>,
}

/// A texture and the id under which Dear ImGui shows it.
#[derive(Default)]
struct Shown {
    id: Option<TextureId>,
    _texture: Option<Texture>,
}

impl Shown {
    fn show(&mut self, image: &Bitmap, painter: &Painter, ui: &mut UiHost) -> Result<TextureId, String> {
        let texture = painter.pixels([image.width(), image.height()], image.pixels())?;
        let id = ui.show_texture(self.id, texture.handle());
        *self = Shown { id: Some(id), _texture: Some(texture) };
        Ok(id)
    }
}

impl PixelTextures {
    /// The pose on screen as its sprite, or why there is none; `None` before the first.
    pub fn picture(&self) -> Option<Result<PixelPicture, &str>> {
        self.picture.as_ref().map(|picture| picture.as_ref().copied().map_err(String::as_str))
    }

    /// The image of the sprite sheet.
    pub fn atlas(&self) -> Option<TextureId> {
        self.sheet.id.filter(|_| self.of.is_some())
    }

    /// Draws the pose on screen.
    pub fn draw_pose(&mut self, host: &EditorHost, painter: &Painter, ui: &mut UiHost) {
        self.picture = self.drawn_pose(host, painter, ui).transpose();
    }

    fn drawn_pose(
        &mut self,
        host: &EditorHost,
        painter: &Painter,
        ui: &mut UiHost,
    ) -> Result<Option<PixelPicture>, String> {
        let Some(posed) = pixels::posed(host.editor.source(), &host.editor.view()) else { return Ok(None) };
        let recipe = SpriteRecipe { layers: Vec::new(), ..SpriteRecipe::clone(&posed.model.sprites) };
        let height = host.editor.caches.root_speeds.fit(&posed.model).height;
        let models = &host.editor.document.models;
        let job = SpriteJob::of_height(&posed.model, models, Vec::new(), (&recipe, height))?;
        let sprite = self.live.draw(painter.context(), &job, &posed, host.shared_of_sheet())?;
        let size = [sprite.image.width(), sprite.image.height()];
        let texture = self.pose.show(&sprite.image, painter, ui)?;
        Ok(Some(PixelPicture { texture, size, pivot: sprite.pivot, height: job.scale * height }))
    }

    /// Shows the chosen image of the sprite sheet. Returns whether it is another one.
    pub fn draw_sheet(&mut self, host: &EditorHost, painter: &Painter, ui: &mut UiHost) -> Result<bool, String> {
        let Some((sheet, desk)) = host.sheet().zip(host.editor.session.transient.scene.sprites()) else {
            return Ok(false);
        };
        let image = desk.image.min(sheet.images.len().saturating_sub(1));
        if self.of.as_ref().is_some_and(|(of, at)| Arc::ptr_eq(of, sheet) && *at == image) {
            return Ok(false);
        }
        let Some((_, bitmap)) = sheet.images.get(image) else {
            self.of = None;
            return Ok(false);
        };
        self.sheet.show(bitmap, painter, ui)?;
        self.of = Some((sheet.clone(), image));
        Ok(true)
    }
}
