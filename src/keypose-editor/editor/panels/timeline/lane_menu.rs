//! The menu of the lanes under the ruler: adds events, hits, cancels and invulnerable ranges where it was opened.

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press::Background;
use crate::editor::panels::ui::prelude::*;

/// What the menu adds.
const ENTRIES: [Command; 5] =
    [Command::AddEvent, Command::AddHit, Command::AddCancel, Command::AddInvulnerable, Command::AddHurt];

/// Opens the menu at a right click on the ground of a lane, with the playhead there.
pub fn ground_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, ground: &Background) {
    if ground.is_pressed && ui.is_mouse_down(MouseButton::Right) && !ui.is_gesture_driven() {
        let time = layout.clip.frame_rate.snap(layout.scale.time(ui.io().mouse_pos[0]));
        ui.send(PlaybackAction::Seek(time.clamp(Time::ZERO, layout.clip.length())));
        ui.open_popup("##lane-menu");
    }
}

/// Draws the open menu.
pub fn ui(ui: &Ui<'_>) {
    if let Some(_popup) = menu::popup(ui, "##lane-menu") {
        for &command in &ENTRIES {
            menu::command(ui, command);
        }
    }
}
