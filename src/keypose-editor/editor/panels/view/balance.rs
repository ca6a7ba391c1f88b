//! The words beside the point below the centre of mass.

use glam::Vec3;

use crate::editor::panels::ui::prelude::*;
use crate::editor::view::balance::{color, is_shown, stance, stance_text};

/// Draws whether the pose on screen falls, beside the point below its centre of mass.
pub fn label(ui: &Ui<'_>, area: Rect, scale: f32) {
    let source = ui.editor.source();
    if !is_shown(source) {
        return;
    }
    let Some((balance, stance)) = stance(source, ui.view) else { return };
    let at = Vec3::new(stance.centre.x, stance.ground, stance.centre.z);
    let camera = ui.session.focus.camera.camera();
    let Some(pixel) = camera.pixel_of(at, ui.session.workspace.viewport) else { return };
    let text = stance_text(&balance, &stance);
    let place = [area.min[0] + pixel.x / scale + 14.0, area.min[1] + pixel.y / scale + 8.0];
    let rect = Rect::at(place, [ui.calc_text_size(&text)[0] + 14.0, 22.0]);
    if area.shrunk(4.0).contains(rect.min) && area.shrunk(4.0).contains(rect.max) {
        ui.fill(rect, faded(ui.theme.ground, 0.85), 4.0);
        ui.text_in(rect, Align::Center, color(&stance).to_array(), &text);
        ui.mark(|| format!("balance: {text}"), rect);
    }
}
