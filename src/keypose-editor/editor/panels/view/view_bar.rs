//! The row of buttons over the viewport: gizmo orientation, pivot, chain, display, ghosts and trails.

use crate::editor::ops::limb::DEFAULT_JOINTS;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::display;
use crate::editor::panels::view::ghosts;
use crate::editor::panels::view::trails;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{Space, Tool};
use crate::editor::state::action::ToolAction;

/// Height of the buttons.
const HIGH: f32 = 24.0;

/// Places buttons from left to right while there is room.
struct Bar<'a> {
    ui: &'a Ui<'a>,
    next: [f32; 2],
    right: f32,
    is_over: bool,
}

impl Bar<'_> {
    /// Draws the background of the next button and moves the cursor there. Returns `None` if there is no room.
    fn place(&mut self, width: f32) -> Option<Rect> {
        let rect = Rect::at(self.next, [width, HIGH]);
        if rect.max[0] > self.right {
            return None;
        }
        self.next[0] += width + 4.0;
        self.is_over |= rect.contains(self.ui.io().mouse_pos);
        self.ui.fill(rect, faded(self.ui.theme.bar, 0.92), 5.0);
        self.ui.set_cursor_screen_pos(rect.min);
        Some(rect)
    }
}

/// Draws the row at the top of the viewport. Returns whether the mouse is over it.
pub fn view_bar(ui: &Ui<'_>, area: Rect) -> bool {
    let next = [area.min[0] + 54.0, area.min[1] + 10.0];
    let mut bar = Bar { ui, next, right: area.max[0] - 110.0, is_over: false };
    let session = ui.session;
    let name = session.workspace.space.name();
    if bar.place(ui.calc_text_size(name)[0] + 24.0).is_some() {
        space_button(ui, name);
    }
    if session.focus.selection.bones.len() > 1 && matches!(session.workspace.tool, Tool::Rotate | Tool::Scale) {
        let text = if session.is_on(Switch::SharedPivot) { "Median point" } else { "Individual origins" };
        if let Some(rect) = bar.place(ui.calc_text_size(text)[0] + 24.0) {
            pivot_button(ui, text, rect);
        }
    }
    if session.workspace.tool == Tool::Reach {
        let text = chain_text(session.workspace.chain_joints);
        if bar.place(ui.calc_text_size(&text)[0] + 24.0).is_some() {
            chain_button(ui, &text);
        }
    }
    if let Some(rect) = bar.place(display::button_width(ui)) {
        display::display_button(ui, rect);
    }
    if let Some(rect) = bar.place(ghosts::button_width(ui)) {
        ghosts::ghosts_button(ui, rect);
    }
    if let Some(rect) = bar.place(trails::button_width(ui)) {
        trails::trails_button(ui, rect);
    }
    bar.is_over
}

fn pivot_button(ui: &Ui<'_>, text: &str, rect: Rect) {
    if widgets::button(ui, &format!("{text}##pivot"), rect.size(), Tone::Clear) {
        ui.run(Command::ToggleSharedPivot);
    }
    let key = ui.key_of(Command::ToggleSharedPivot);
    ui.tip("Pivot of several bones: median point or individual origins", &key);
}

fn space_button(ui: &Ui<'_>, name: &str) {
    let size = [ui.calc_text_size(name)[0] + 24.0, 24.0];
    if widgets::button(ui, &format!("{name}##space"), size, Tone::Clear) {
        ui.open_popup("##space-menu");
    }
    ui.tip("Gizmo orientation", "");
    let Some(_popup) = menu::popup(ui, "##space-menu") else { return };
    for space in Space::ALL {
        if menu::choice(ui, space.name(), ui.session.workspace.space == space) {
            ui.send(ToolAction::SetSpace(space));
        }
    }
}

fn chain_text(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

/// Draws the IK chain length and the options of IK.
fn chain_button(ui: &Ui<'_>, text: &str) {
    let size = [ui.calc_text_size(text)[0] + 24.0, 24.0];
    if widgets::button(ui, &format!("{text}##chain"), size, Tone::Clear) {
        ui.open_popup("##chain-menu");
    }
    ui.tip("IK chain length", &format!("{} while dragging", ui.bracket_keys()));
    let Some(_popup) = menu::popup(ui, "##chain-menu") else { return };
    for joints in 1..=8 {
        let is_now = ui.session.workspace.chain_joints == joints;
        let name = if joints == DEFAULT_JOINTS { "2 joints: arm or leg".to_owned() } else { chain_text(joints) };
        if menu::choice(ui, &name, is_now) {
            ui.send(ToolAction::SetChain(joints));
        }
    }
    menu::separator(ui);
    menu::command(ui, Command::ToggleKeepEndRotation);
    menu::command(ui, Command::TogglePin);
    menu::command(ui, Command::ClearPins);
}
