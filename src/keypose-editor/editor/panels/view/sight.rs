//! The area and the camera of a view, by which overlays are placed.

use glam::{Vec2, Vec3};

use crate::editor::gesture::screen::Screen;
use crate::editor::panels::ui::prelude::*;

/// One of the views.
pub struct Sight {
    /// The area of the view, in points.
    pub area: Rect,
    /// The camera, and the size of the picture in pixels.
    pub screen: Screen,
    /// Pixels per point.
    pub scale: f32,
    /// Whether it takes the mouse.
    pub is_main: bool,
}

impl Sight {
    /// The view that takes the mouse.
    pub fn main(ui: &Ui<'_>, area: Rect, scale: f32) -> Sight {
        Sight { area, screen: Screen::of(ui.session), scale, is_main: true }
    }

    /// The place of a pixel of the view, in points.
    pub fn of_pixel(&self, pixel: Vec2) -> [f32; 2] {
        [self.area.min[0] + pixel.x / self.scale, self.area.min[1] + pixel.y / self.scale]
    }

    /// The place of a point of the world, in points; `None` behind the camera.
    pub fn on_screen(&self, point: Vec3) -> Option<[f32; 2]> {
        Some(self.of_pixel(self.screen.pixel(point)?))
    }

    /// Names a place for tests.
    pub fn mark(&self, ui: &Ui<'_>, name: impl FnOnce() -> String, place: Rect) {
        if self.is_main {
            ui.mark(name, place);
        }
    }

    /// Draws the selection box, if one is dragged.
    pub fn selection_box(&self, ui: &Ui<'_>) {
        if let Some((from, to)) = ui.session.transient.pointer.selection_box(self.scale) {
            ui.selection_box(Rect::spanned(self.of_pixel(from), self.of_pixel(to)));
        }
    }
}

/// Draws text beside a place.
pub fn label(ui: &Ui<'_>, at: [f32; 2], text: &str) {
    let rect = Rect::at([at[0] + 12.0, at[1] - 10.0], [ui.calc_text_size(text)[0] + 12.0, 20.0]);
    ui.fill(rect, faded(ui.theme.ground, 0.8), 4.0);
    ui.text_in(rect, Align::Center, ui.theme.text, text);
}
