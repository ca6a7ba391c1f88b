//! The sprites mode: a preview that plays, the atlas, the frames of a clip, and the settings of the recipe.

use crate::editor::ops::sentence::sentence;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::ButtonRow;
use crate::editor::panels::view::pixels::checkerboard;
use crate::editor::session::sprites::{SpriteAction, SpriteDesk};
use crate::editor::view::sprite_sheet::SheetView;

mod frames;
mod settings;

pub use frames::frames_ui;

/// The part of the program: the sheet that it made, and what it is doing.
#[derive(Clone, Copy, Default)]
pub struct SpriteInputs<'a> {
    /// The last sheet that was made.
    pub sheet: Option<&'a SheetView>,
    /// The chosen image of the sheet.
    pub atlas: Option<TextureId>,
    /// The finished part of the sheet that is being made.
    pub progress: Option<f32>,
    /// Why there is no sheet.
    pub error: Option<&'a str>,
}

/// The state of the mode's panels.
#[derive(Debug, Default)]
pub struct SpritesPanel {
    folds: Folds,
    naming: Naming<()>,
}

/// A frame of the sheet that is shown.
#[derive(Clone, Copy)]
struct Shown<'a> {
    sheet: &'a SheetView,
    atlas: TextureId,
    frame: usize,
}

/// The fraction of the width that the preview has.
const PREVIEW: f32 = 0.4;

/// The frame that is shown: the chosen one, or the one that plays. `None` without a sheet.
fn shown_frame(desk: &SpriteDesk, sheet: &SheetView) -> Option<usize> {
    let chosen = desk.frame.min(sheet.sprites.sheet.frames.len().checked_sub(1)?);
    let Some(playing) = desk.playing else { return Some(chosen) };
    Some(sheet.frame_at(sheet.tag_of(chosen)?, playing.millis().max(0.0) as u64))
}

/// Draws the preview and the atlas.
pub fn sheet_ui(ui: &Ui<'_>, desk: &SpriteDesk, inputs: &SpriteInputs<'_>, scale: f32) {
    let mut area = Rect::at(ui.cursor_screen_pos(), ui.content_region_avail());
    let preview = area.cut_left((area.width() * PREVIEW).round(), 3.0);
    checkerboard(ui, preview);
    checkerboard(ui, area);
    let edge = preview.max[0] + 1.0;
    ui.line([edge, area.min[1]], [edge, area.max[1]], ui.theme.line, 1.0);
    let frame = inputs.sheet.and_then(|sheet| shown_frame(desk, sheet));
    let shown = inputs.sheet.zip(inputs.atlas).zip(frame);
    let shown = shown.map(|((sheet, atlas), frame)| Shown { sheet, atlas, frame });
    match shown {
        Some(shown) => {
            preview_ui(ui, shown, preview, scale);
            atlas_ui(ui, shown, area, scale);
        }
        None => {
            let waiting = if inputs.progress.is_some() { "Rendering frames…" } else { "" };
            let warning = inputs.sheet.and_then(|sheet| sheet.warnings.last()).map(|warning| &*warning.text);
            let text = inputs.error.or(warning).unwrap_or(waiting);
            ui.text_in(area.inset(16.0, 0.0), Align::Center, ui.theme.quiet, &sentence(&text));
        }
    }
    buttons_ui(ui, desk, shown, preview);
    if let Some(progress) = inputs.progress {
        ui.progress(area.bottom(4.0), progress);
    }
}

/// Draws the button that leaves the mode, and the choice of the image.
fn buttons_ui(ui: &Ui<'_>, desk: &SpriteDesk, shown: Option<Shown<'_>>, area: Rect) {
    let mut row = ButtonRow::new(ui, Rect { max: [area.max[0] + 100.0, area.max[1]], ..area }, 10.0);
    row.command("Leave sprites", Command::SpritesMode, Tone::On);
    let images = shown.map_or(&[][..], |shown| &shown.sheet.images);
    for (at, (name, _)) in images.iter().enumerate().filter(|_| images.len() > 1) {
        let tone = if at == desk.image { Tone::Lit } else { Tone::Clear };
        if row.button(settings::image_label(name), &format!("sprite-image{at}"), tone) {
            ui.send(SpriteAction::Image(at));
        }
    }
}

/// Draws the frame enlarged by a whole factor.
fn preview_ui(ui: &Ui<'_>, shown: Shown<'_>, area: Rect, scale: f32) {
    let room = area.inset(8.0, 36.0);
    let factor = draw_in(ui, shown, room, scale);
    let sheet = &shown.sheet.sprites.sheet;
    ui.mark(|| format!("sprite {} ×{factor}", sheet.frames[shown.frame].name), area);
    let tag = shown.sheet.tag_of(shown.frame).map_or("", |tag| &tag.name);
    let text = format!("{tag}   frame {}   ×{factor}", shown.frame + 1);
    ui.text_in(area.bottom(26.0).inset(12.0, 0.0), Align::Left, ui.theme.quiet, &text);
}

/// Draws a frame in the middle of an area, as large as all frames of its tag fit in. Returns the factor.
fn draw_in(ui: &Ui<'_>, shown: Shown<'_>, area: Rect, scale: f32) -> f32 {
    let Some(tag) = shown.sheet.tag_of(shown.frame) else { return 1.0 };
    let [corner, size] = shown.sheet.bounds_of(tag).map(|sides| sides.map(|side| side as f32));
    let factor = whole_factor(size, area.size(), scale);
    let middle = area.center();
    let corner = [0, 1].map(|axis| middle[axis] - (corner[axis] + size[axis] / 2.0) * factor / scale);
    draw_frame(ui, shown, corner.map(|side| (side * scale).round() / scale), factor / scale);
    factor
}

/// The factor with which pixels fit in a room: whole if there is room for it.
fn whole_factor(size: [f32; 2], room: [f32; 2], scale: f32) -> f32 {
    let fit = (0..2).map(|axis| room[axis] * scale / size[axis]).fold(f32::MAX, f32::min);
    if fit >= 1.0 { fit.floor() } else { fit.max(0.01) }
}

/// Draws a frame of the atlas at its place on the canvas, whose corner is given, enlarged.
fn draw_frame(ui: &Ui<'_>, shown: Shown<'_>, corner: [f32; 2], factor: f32) {
    let Some((rect, packed)) = shown.sheet.rect(shown.frame).zip(shown.sheet.packed.as_ref()) else { return };
    let at = shown.sheet.sprites.sheet.frames[shown.frame].placed.at;
    let place = Rect::at(
        [0, 1].map(|axis| corner[axis] + at[axis] as f32 * factor),
        [rect.width, rect.height].map(|side| side as f32 * factor),
    );
    let [width, height] = packed.size.map(|side| side as f32);
    let uv_min = [rect.x as f32 / width, rect.y as f32 / height];
    let uv_max = [(rect.x + rect.width) as f32 / width, (rect.y + rect.height) as f32 / height];
    ui.draw().add_image(shown.atlas, place.min, place.max).uv_min(uv_min).uv_max(uv_max).build();
}

/// Draws the atlas as it will be. A click chooses the frame under the mouse.
fn atlas_ui(ui: &Ui<'_>, shown: Shown<'_>, area: Rect, scale: f32) {
    let Some(packed) = &shown.sheet.packed else { return };
    let size = packed.size.map(|side| side as f32);
    let factor = whole_factor(size, area.inset(12.0, 12.0).size(), scale) / scale;
    let whole = Rect::around(area.center(), size.map(|side| side * factor));
    let corner = whole.min.map(|side| (side * scale).round() / scale);
    let whole = Rect::at(corner, whole.size());
    ui.draw().add_image(shown.atlas, whole.min, whole.max).build();
    ui.outline(whole.shrunk(-1.0), ui.theme.line, 0.0, 1.0);
    let place = |frame: usize| {
        let rect = shown.sheet.rect(frame)?;
        let min = [corner[0] + rect.x as f32 * factor, corner[1] + rect.y as f32 * factor];
        Some(Rect::at(min, [rect.width as f32 * factor, rect.height as f32 * factor]))
    };
    if let Some(place) = place(shown.frame) {
        ui.outline(place.shrunk(-1.5), ui.theme.selected, 0.0, 1.5);
    }
    let is_pressed = ui.button_in("sprite-atlas", whole);
    if !ui.is_item_hovered() {
        return;
    }
    let (mouse, frames) = (ui.io().mouse_pos, &shown.sheet.sprites.sheet.frames);
    let Some(under) = (0..frames.len()).find(|at| place(*at).is_some_and(|place| place.contains(mouse))) else {
        return;
    };
    ui.tip(&frames[under].name, "");
    if is_pressed {
        ui.send(SpriteAction::Pick(under));
    }
}
