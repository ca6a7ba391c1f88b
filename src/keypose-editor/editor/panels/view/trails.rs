//! The motion trails button over the viewport, and its popover.

use crate::editor::panels::ui::popover::{SplitButton, Toggle, title};
use crate::editor::panels::ui::prelude::*;

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
    run(ui, Toggle::of(ui, Icon::Route, "Selected bones", Command::ToggleTrails), Command::ToggleTrails);
    let selected = &session.focus.selection.bones;
    let is_on = !selected.is_empty() && selected.iter().all(|bone| trails.contains(bone));
    let pin = Toggle::of(ui, Icon::Pin, "Pin selected", Command::PinTrail);
    run(ui, Toggle { is_on, counts: !selected.is_empty(), ..pin }, Command::PinTrail);
    let (Some(model), false) = (ui.model(), trails.is_empty()) else { return };
    title(ui, "Pinned");
    for &bone in trails.iter().take(MAX_LISTED) {
        ui.text(bone_name(&model.skeleton, bone));
    }
    if trails.len() > MAX_LISTED {
        ui.text_colored(ui.theme.quiet, format!("and {} more", trails.len() - MAX_LISTED));
    }
    run(ui, Toggle::of(ui, Icon::X, "Unpin all", Command::UnpinTrails), Command::UnpinTrails);
}

/// Draws a toggle, which runs its command if it has an effect.
fn run(ui: &Ui<'_>, toggle: Toggle<'_>, command: Command) {
    if toggle.draw(ui, "trails", WIDE) && toggle.counts {
        ui.run(command);
    }
}
