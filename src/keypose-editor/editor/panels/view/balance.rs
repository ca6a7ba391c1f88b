//! The words beside the point below the centre of mass.

use glam::Vec3;

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::sight::Sight;
use crate::editor::view::balance::{color, is_shown, stance, stance_text};

/// Draws whether the pose on screen falls, beside the point below its centre of mass.
pub fn label(ui: &Ui<'_>, sight: &Sight) {
    let source = ui.editor.source();
    if !is_shown(source) {
        return;
    }
    let Some((balance, stance)) = stance(source, ui.view) else { return };
    let at = Vec3::new(stance.centre.x, stance.ground, stance.centre.z);
    let Some(place) = sight.on_screen(at) else { return };
    let text = stance_text(&balance, &stance);
    let rect = Rect::at([place[0] + 14.0, place[1] + 8.0], [ui.calc_text_size(&text)[0] + 14.0, 22.0]);
    let room = sight.area.shrunk(4.0);
    if room.contains(rect.min) && room.contains(rect.max) {
        ui.fill(rect, faded(ui.theme.ground, 0.85), 4.0);
        ui.text_in(rect, Align::Center, color(&stance).to_array(), &text);
        ui.mark(|| format!("balance: {text}"), rect);
    }
}
