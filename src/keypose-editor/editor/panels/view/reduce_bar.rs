//! The bar of a reduction to poses: the number of poses and the error, both live.

use crate::editor::gesture::poses::{PoseDrag, PoseFigures, PoseLimit};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::pointer::ModalKey;
use crate::editor::state::action::{ClipAction, GestureAction};
use keypose_tools::lengths::length_text;

/// Minimum size of the bar.
const SIZE: [f32; 2] = [430.0, 72.0];
/// Width of a number field.
const NUMBER: f32 = 104.0;

/// Draws the bar with its top at `top`, while clips are reduced. Returns its rectangle.
pub fn reduce_bar(ui: &Ui<'_>, area: Rect, top: f32) -> Option<Rect> {
    let drag = ui.editor.gesture.as_ref()?.poses()?;
    let text = if drag.progress().is_none() { sentence(&drag.figures()) } else { String::new() };
    let width = SIZE[0].max(ui.calc_text_size(&text)[0] + 26.0).min(area.width() - 16.0);
    let bar = Rect::at([(area.center()[0] - width / 2.0).round(), top], [width, SIZE[1]]);
    ui.fill(bar, faded(ui.theme.bar, 0.96), 6.0);
    ui.outline(bar, ui.theme.accent, 6.0, 1.0);
    let mut rest = bar.inset(12.0, 8.0);
    let line = rest.cut_top(22.0, 8.0);
    if let Some(progress) = drag.progress() {
        return Some(searching(ui, bar, line, (drag, progress)));
    }
    let figures = drag.figures();
    ui.mark(|| format!("reduced: {text}"), line);
    ui.text_in(line, Align::Left, ui.theme.text, &text);
    let mut row = rest.top(FIELD);
    fields(ui, drag, &figures, &mut row);
    let apply = row.cut_right(74.0, 6.0);
    if widgets::button_at(ui, apply, "Apply##reduce-apply", Tone::On) {
        ui.send(GestureAction::Modal(ModalKey::Confirm));
    }
    ui.tip("Reduce to these poses", "Enter");
    cancel_button(ui, row.cut_right(74.0, 6.0));
    Some(bar)
}

fn cancel_button(ui: &Ui<'_>, rect: Rect) {
    if widgets::button_at(ui, rect, "Cancel##reduce-cancel", Tone::Plain) {
        ui.send(GestureAction::Modal(ModalKey::Cancel));
    }
    ui.tip("Keep all keyframes", "Esc");
}

/// Draws the progress of the search for poses, and continues it: a slice per frame. Returns the bar's rectangle.
fn searching(ui: &Ui<'_>, bar: Rect, line: Rect, (drag, progress): (&PoseDrag, f32)) -> Rect {
    ui.send(ClipAction::SearchPoses);
    let text = match drag.searched_clip() {
        Some((at, clips)) if clips > 1 => format!("Searching poses: clip {at} of {clips}"),
        _ => format!("Searching poses: {:.0} %", progress * 100.0),
    };
    ui.mark(|| "reduce-progress".to_owned(), line);
    ui.text_in(line, Align::Left, ui.theme.text, &text);
    let mut row = bar.inset(12.0, 8.0).trim_top(30.0).top(FIELD);
    cancel_button(ui, row.cut_right(74.0, 12.0));
    let track = Rect::around(row.center(), [row.width(), 6.0]);
    ui.fill(track, ui.theme.field, 3.0);
    ui.fill(track.left(track.width() * progress.clamp(0.0, 1.0)), ui.theme.progress, 3.0);
    bar
}

/// "73 keyframes become 9 poses, largest error 4.2 mm".
fn sentence(figures: &PoseFigures) -> String {
    let PoseFigures { clips, keyframes, poses, error } = *figures;
    let of = if clips == 1 { String::new() } else { format!(" of {clips} clips") };
    format!("{keyframes} keyframes{of} become {poses} poses, largest error {}", length_text(error))
}

/// Draws the fields: for one clip the number of poses, and always the error.
fn fields(ui: &Ui<'_>, drag: &PoseDrag, figures: &PoseFigures, row: &mut Rect) {
    if figures.clips == 1 {
        let mut poses = figures.poses as f32;
        ui.set_cursor_screen_pos(row.cut_left(NUMBER, 6.0).min);
        let how = Number { range: [2.0, figures.keyframes as f32], unit: "poses", ..Number::new("%.0f", 0.15) };
        let touch = number_field::number(ui, "reduce-poses", NUMBER, &mut poses, how);
        number_field::number_tip(ui, "The number of poses");
        if touch.is_changed {
            ui.send(ClipAction::LimitPoses(PoseLimit::Poses(poses.round() as usize)));
        }
    }
    let mut millis = drag.max_error() * 1000.0;
    ui.set_cursor_screen_pos(row.cut_left(NUMBER, 6.0).min);
    let how = Number { range: [0.0, 10_000.0], unit: "mm", ..Number::new("%.1f", 0.2) };
    let touch = number_field::number(ui, "reduce-error", NUMBER, &mut millis, how);
    number_field::number_tip(ui, "Maximum distance of any point from the original, at the size in the game");
    if touch.is_changed {
        ui.send(ClipAction::LimitPoses(PoseLimit::Error(millis / 1000.0)));
    }
}
