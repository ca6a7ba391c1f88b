//! The menu of the lanes under the ruler: adds events, hits, cancels and invulnerable ranges where it was opened.

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press::Background;
use crate::editor::panels::ui::prelude::*;

/// The entries, each of which adds something at the playhead.
const ENTRIES: [Command; 6] = [
    Command::AddEvent,
    Command::AddHit,
    Command::AddCancel,
    Command::AddInvulnerable,
    Command::AddHurt,
    Command::AddContact,
];

/// Opens the menu at a right click on the ground of a lane, with the playhead there.
pub fn ground_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, ground: &Background) {
    if ground.is_pressed && ui.is_mouse_down(MouseButton::Right) && !ui.is_gesture_driven() {
        ui.send(PlaybackAction::Seek(layout.frame_under_mouse(ui)));
        ui.open_popup("##lane-menu");
    }
}

/// Draws the open menu.
pub fn ui(ui: &Ui<'_>) {
    if let Some(_popup) = menu::popup(ui, "##lane-menu") {
        menu::commands(ui, &[&ENTRIES]);
    }
}
