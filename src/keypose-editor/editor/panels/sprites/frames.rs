//! The frames of a clip in a direction, with their durations.

use super::{Shown, SpriteInputs, draw_in, shown_frame};
use crate::editor::panels::ui::form::find_in;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::pixels::checkerboard;
use crate::editor::session::sprites::{SpriteAction, SpriteDesk};
use crate::editor::view::sprite_sheet::SheetView;
use keypose_tools::sprites::sheet::Tag;

/// The minimum width of a frame.
const WIDTH: f32 = 64.0;

/// Draws the choice of the clip and direction, its frames, and their figures.
pub fn frames_ui(ui: &Ui<'_>, desk: &SpriteDesk, inputs: &SpriteInputs<'_>, scale: f32) {
    let sheet = inputs.sheet.zip(inputs.atlas);
    let found = sheet.and_then(|(sheet, atlas)| {
        let frame = shown_frame(desk, sheet)?;
        Some((Shown { sheet, atlas, frame }, sheet.tag_of(frame)?))
    });
    let Some((shown, tag)) = found else {
        return widgets::empty(ui, "No frames yet.", "The frames of the clips appear here when they are rendered.");
    };
    head(ui, desk, shown.sheet, tag);
    let below = ui.text_line_height() + 8.0;
    let height = (ui.content_region_avail()[1] - below).max(24.0);
    let count = (tag.to - tag.from + 1) as f32;
    let width = (ui.content_region_avail()[0] / count).clamp(WIDTH, height.max(WIDTH));
    let child = ui.child_window("##sprite-frames").size([ui.content_region_avail()[0], height]);
    child.horizontal_scrollbar(true).build(|| {
        let height = ui.content_region_avail()[1];
        for at in tag.from..=tag.to {
            let place = ui.here([width - GAP, height]);
            frame_ui(ui, Shown { frame: at, ..shown }, at == shown.frame, (at - tag.from + 1, place), scale);
            if at < tag.to {
                ui.same_line_with_spacing(0.0, GAP);
            }
        }
    });
    ui.text_in(ui.take_line(below), Align::Left, ui.theme.quiet, &figures(shown.sheet, tag));
}

/// Draws the choice of the clip and direction, and the button that plays it.
fn head(ui: &Ui<'_>, desk: &SpriteDesk, sheet: &SheetView, tag: &Tag) {
    let whole = ui.take_line(FIELD + GAP);
    let mut line = whole;
    let (text, tip) = if desk.playing.is_some() { (Icon::Pause, "Stop") } else { (Icon::Play, "Play the frames") };
    if widgets::icon_button_at(ui, line.cut_left(FIELD, GAP).top(FIELD), "play-sprites", text, Tone::Plain) {
        ui.send(SpriteAction::Play);
    }
    ui.tip(tip, "Space");
    let names: Vec<&str> = sheet.sprites.sheet.tags.iter().map(|tag| &*tag.name).collect();
    let place = line.cut_left(200.0, GAP).top(FIELD);
    if let Some(at) = find_in(ui, place, "sprite-tag", (&tag.name, ui.theme.text), &names) {
        ui.send(SpriteAction::Pick(sheet.sprites.sheet.tags[at].from));
    }
    ui.end_at([whole.min[0], whole.max[1]]);
}

fn frame_ui(ui: &Ui<'_>, shown: Shown<'_>, is_shown: bool, (number, place): (usize, Rect), scale: f32) {
    if ui.button_in(&format!("sprite-frame{number}"), place) {
        ui.send(SpriteAction::Pick(shown.frame));
    }
    if !ui.is_rect_visible(place.min, place.max) {
        return;
    }
    checkerboard(ui, place);
    let sheet = &shown.sheet.sprites.sheet;
    draw_in(ui, shown, place.inset(2.0, 14.0), scale);
    let edge = if is_shown { ui.theme.selected } else { ui.theme.line };
    ui.outline(place, edge, 4.0, if is_shown { 2.0 } else { 1.0 });
    ui.text_in(place.top(16.0).inset(5.0, 0.0), Align::Left, ui.theme.quiet, &number.to_string());
    let millis = format!("{} ms", sheet.frames[shown.frame].millis);
    ui.text_in(place.bottom(16.0).inset(5.0, 0.0), Align::Right, ui.theme.text, &millis);
}

fn figures(sheet: &SheetView, tag: &Tag) -> String {
    let all = &sheet.sprites.sheet;
    let frames = &all.frames[tag.from..=tag.to];
    let secs = frames.iter().map(|frame| frame.millis).sum::<u32>() as f32 / 1000.0;
    let (count, end) = (frames.len(), tag.loop_mode.name());
    format!(
        "{count} frames, {secs:.2} s, {end}     equal frames are stored once: {} of {}",
        all.pictures.len(),
        all.frames.len()
    )
}
