//! The field over a block while its duration is typed.

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::pointer::ModalKey;

const SIZE: [f32; 2] = [96.0, 26.0];

/// While a duration is typed, a click confirms it if it is valid, and a right click cancels.
pub fn confirm_by_mouse(ui: &Ui<'_>) {
    if ui.editor.typed().is_none() {
        return;
    }
    if ui.is_mouse_clicked(MouseButton::Left) {
        ui.send(GestureAction::Modal(if is_valid(ui) { ModalKey::Confirm } else { ModalKey::Cancel }));
    } else if ui.is_mouse_clicked(MouseButton::Right) {
        ui.send(GestureAction::Modal(ModalKey::Cancel));
    }
}

/// Whether the typed duration can be set.
fn is_valid(ui: &Ui<'_>) -> bool {
    let gesture = ui.editor.gesture.as_ref();
    let edits = gesture.and_then(|gesture| Some(gesture.duration()?.edits(&gesture.base, ui.session.focus.clip)));
    edits.is_some_and(|edits| edits.is_ok())
}

/// Draws the field over the block, or over the ruler of a view without blocks.
pub fn duration_field_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, blocks: Rect) {
    let Some(typed) = ui.editor.typed() else { return };
    let Some(&last) = typed.keyframes.last() else { return };
    let (start, end) = (layout.clip.start_of(last), layout.clip.start_of(last + 1));
    let middle = (layout.scale.x(start) + layout.scale.x(end)) / 2.0;
    let max_left = (layout.area.max[0] - SIZE[0]).max(layout.area.min[0]);
    let left = (middle - SIZE[0] / 2.0).clamp(layout.area.min[0], max_left).round();
    let place = Rect::at([left, blocks.min[1] + 8.0], SIZE);
    ui.mark(|| "duration-field".to_owned(), place);
    let is_refused = !is_valid(ui) && !typed.text.is_empty();
    ui.fill(place, faded(ui.theme.bar, 0.96), 5.0);
    ui.outline(place, if is_refused { ui.theme.hit } else { ui.theme.accent }, 5.0, 1.5);
    let inner = place.inset(8.0, 0.0);
    ui.text_in(inner, Align::Left, ui.theme.text, &typed.text);
    let caret = inner.min[0] + ui.calc_text_size(&typed.text)[0] + 1.0;
    ui.line([caret, place.min[1] + 6.0], [caret, place.max[1] - 6.0], ui.theme.text, 1.0);
    if typed.text.chars().all(|letter| letter.is_ascii_digit()) {
        ui.text_in(inner, Align::Right, ui.theme.quiet, "frames");
    }
}
