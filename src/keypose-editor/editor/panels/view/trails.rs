//! The motion trails button over the viewport, and its popover.

use crate::editor::panels::ui::bone_name;
use crate::editor::panels::ui::popover::{SplitButton, Toggle, title};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::switch::Switch;

/// Width of the popover's lines.
const WIDE: f32 = 270.0;
/// Maximum number of bones listed.
const MAX_LISTED: usize = 8;

fn text(ui: &Ui<'_>) -> String {
    let pinned = ui.session.focus.trails.len();
    let count = if pinned > 0 { format!("  {pinned}") } else { String::new() };
    format!("{}  Trails{count}", icon(Icon::Route))
}

pub fn button_width(ui: &Ui<'_>) -> f32 {
    SplitButton::width(ui, &text(ui))
}

/// Draws the button and its popover.
pub fn trails_button(ui: &Ui<'_>, rect: Rect) {
    let button = SplitButton {
        id: "trails",
        text: &text(ui),
        is_on: ui.session.is_on(Switch::Trails) && ui.session.is_on(Switch::Overlays),
        tip: "Show the motion trails of the selected bones",
        key: ui.key_of(Command::ToggleTrails),
    };
    if button.draw(ui, rect, || popover(ui)) {
        ui.run(Command::ToggleTrails);
    }
}

fn popover(ui: &Ui<'_>) {
    let (session, trails) = (ui.session, &ui.session.focus.trails);
    title(ui, "Motion trails");
    let is_on = session.is_on(Switch::Trails);
    let key = ui.key_of(Command::ToggleTrails);
    let toggle = Toggle { sign: Icon::Route, name: "Selected bones", key, is_on, counts: true };
    if toggle.draw(ui, "trails", WIDE) {
        ui.run(Command::ToggleTrails);
    }
    let has_selected = !session.focus.selection.bones.is_empty();
    let is_pinned = has_selected && session.focus.selection.bones.iter().all(|bone| trails.contains(bone));
    let key = ui.key_of(Command::PinTrail);
    let toggle = Toggle { sign: Icon::Pin, name: "Pin selected", key, is_on: is_pinned, counts: has_selected };
    if toggle.draw(ui, "trails", WIDE) && has_selected {
        ui.run(Command::PinTrail);
    }
    let (Some(model), false) = (ui.model(), trails.is_empty()) else { return };
    title(ui, "Pinned");
    for &bone in trails.iter().take(MAX_LISTED) {
        ui.text(bone_name(&model.skeleton, bone));
    }
    if trails.len() > MAX_LISTED {
        ui.text_colored(ui.theme.quiet, format!("and {} more", trails.len() - MAX_LISTED));
    }
    let key = ui.key_of(Command::UnpinTrails);
    if (Toggle { sign: Icon::X, name: "Unpin all", key, is_on: false, counts: true }).draw(ui, "trails", WIDE) {
        ui.run(Command::UnpinTrails);
    }
}
