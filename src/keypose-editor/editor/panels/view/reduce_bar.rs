//! The bar of a reduction to poses: the number of poses and the error, both live.

use crate::editor::gesture::poses::{PoseDrag, PoseFigures, PoseLimit};
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::pointer::ModalKey;
use keypose_tools::lengths::length_text;

/// Minimum size of the bar.
const SIZE: [f32; 2] = [430.0, 72.0];
/// Width of a number field.
const NUMBER: f32 = 104.0;
/// Width of a button.
const BUTTON: f32 = 74.0;

/// Draws the bar with its top at `top`, while clips are reduced. Returns its rectangle.
pub fn reduce_bar(ui: &Ui<'_>, area: Rect, top: f32) -> Option<Rect> {
    let drag = ui.editor.gesture.as_ref()?.poses()?;
    let figures = drag.figures();
    let text = match (drag.progress(), drag.searched_clip()) {
        (Some(_), Some((at, clips))) if clips > 1 => format!("Searching poses: clip {at} of {clips}"),
        (Some(progress), _) => format!("Searching poses: {:.0} %", progress * 100.0),
        (None, _) => sentence(&figures),
    };
    let width = SIZE[0].max(ui.calc_text_size(&text)[0] + 26.0).min(area.width() - 16.0);
    let bar = Rect::at([(area.center()[0] - width / 2.0).round(), top], [width, SIZE[1]]);
    ui.card(bar, ui.theme.accent);
    let mut row = bar.inset(12.0, 8.0);
    let line = row.cut_top(22.0, 8.0);
    ui.text_in(line, Align::Left, ui.theme.text, &text);
    row = row.top(FIELD);
    if let Some(progress) = drag.progress() {
        // The search continues by a slice per frame.
        ui.send(ClipAction::SearchPoses);
        ui.mark(|| "reduce-progress".to_owned(), line);
        cancel_button(ui, row.cut_right(BUTTON, 12.0));
        ui.progress(Rect::around(row.center(), [row.width(), 6.0]), progress);
    } else {
        ui.mark(|| format!("reduced: {text}"), line);
        fields(ui, drag, &figures, &mut row);
        if widgets::button_at(ui, row.cut_right(BUTTON, 6.0), "Apply##reduce-apply", Tone::On) {
            ui.send(GestureAction::Modal(ModalKey::Confirm));
        }
        ui.tip("Reduce to these poses", "Enter");
        cancel_button(ui, row.cut_right(BUTTON, 6.0));
    }
    Some(bar)
}

fn cancel_button(ui: &Ui<'_>, rect: Rect) {
    if widgets::button_at(ui, rect, "Cancel##reduce-cancel", Tone::Plain) {
        ui.send(GestureAction::Modal(ModalKey::Cancel));
    }
    ui.tip("Keep all keyframes", "Esc");
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
        let how = Number::new("%.0f", 0.15).within(2.0, figures.keyframes as f32).unit("poses");
        if quantity(ui, row.cut_left(NUMBER, 6.0), "reduce-poses", &mut poses, how).is_changed {
            ui.send(ClipAction::LimitPoses(PoseLimit::Poses(poses.round() as usize)));
        }
        number_field::number_tip(ui, "The number of poses");
    }
    let mut error = drag.max_error();
    let how = Number::new("%.1f", 0.2).within(0.0, 10_000.0).unit("mm").per(1000.0);
    if quantity(ui, row.cut_left(NUMBER, 6.0), "reduce-error", &mut error, how).is_changed {
        ui.send(ClipAction::LimitPoses(PoseLimit::Error(error)));
    }
    number_field::number_tip(ui, "Maximum distance of any point from the original, at the size in the game");
}
