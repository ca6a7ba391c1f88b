//! The bar of the preview of a retargeted clip: which clip of which model, and the buttons that add it.

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::retargeting::{RetargetAction, Retargeting};

/// Height of the bar.
const HIGH: f32 = 42.0;
/// Widths of the two buttons, with the space after them.
const BUTTONS: [f32; 2] = [64.0, 118.0];
const CLOSE: f32 = 30.0;

/// Draws the bar. Returns whether the mouse is over it.
pub fn retarget_bar(ui: &Ui<'_>, shown: &Retargeting, area: Rect) -> bool {
    let wide = (area.size()[0] - 24.0).min(560.0);
    let bar = Rect::at([area.center()[0] - wide / 2.0, area.max[1] - HIGH - 10.0], [wide, HIGH]);
    ui.fill(bar, faded(ui.theme.bar, 0.95), 8.0);
    let top = bar.min[1] + (HIGH - FIELD) / 2.0;
    ui.set_cursor_screen_pos([bar.min[0] + 8.0, top]);
    clip_choice(ui, shown, wide - 16.0 - BUTTONS[0] - BUTTONS[1] - CLOSE);
    let mut x = bar.max[0] - CLOSE - BUTTONS[0] - BUTTONS[1];
    let buttons = [("Add", RetargetAction::Add, Tone::On), ("Add all clips", RetargetAction::AddAll, Tone::Plain)];
    for ((label, action, tone), width) in buttons.into_iter().zip(BUTTONS) {
        let rect = Rect::at([x, top], [width - 6.0, FIELD]);
        if widgets::button_at(ui, rect, &format!("{label}##retarget-{label}"), tone) {
            ui.send(action);
        }
        x += width;
    }
    ui.tip(&format!("Add all clips of {}; each follows its source", shown.models[0].name), "");
    ui.set_cursor_screen_pos([bar.max[0] - CLOSE + 2.0, top]);
    if widgets::icon_button(ui, "leave-retarget", Icon::X, [24.0, FIELD], Tone::Bare) {
        ui.send(RetargetAction::Leave);
    }
    ui.tip("Leave the preview", &ui.key_of(Command::RetargetedClip));
    bar.contains(ui.io().mouse_pos)
}

/// Draws the list of the clips of other models.
fn clip_choice(ui: &Ui<'_>, shown: &Retargeting, wide: f32) {
    let name = shown.models[0].clip(shown.source).map_or("", |clip| clip.name.as_str());
    let text = format!("{name} of {}", shown.models[0].name);
    let Some(_menu) = widgets::dropdown(ui, "retarget-clip", &text, ui.theme.text, wide) else { return };
    let active = ui.session.focus.model;
    for (_, model) in ui.document.models.iter().enumerate().filter(|(at, _)| *at != active) {
        for slot in &model.clips {
            let label = format!("{} of {}##retarget{}", slot.clip.name, model.name, slot.id.0);
            if menu::choice(ui, &label, slot.id == shown.source) {
                ui.send(RetargetAction::Show(slot.id));
            }
            ui.item(&format!("retarget{}", slot.id.0));
        }
    }
}
