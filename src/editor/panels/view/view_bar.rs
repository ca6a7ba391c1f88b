//! The row of buttons over the picture: whose axes the gizmo follows, how the model shows, what is drawn with it.

use crate::editor::ops::limb::DEFAULT_JOINTS;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::view::display;
use crate::editor::panels::view::ghosts;
use crate::editor::panels::view::trails;
use crate::editor::session::command::Command;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{Space, Tool};
use crate::editor::state::action::ToolAction;

/// Height of the buttons.
const HIGH: f32 = 24.0;

/// Gives the buttons their places from left to right, as long as there is room.
struct Bar<'a> {
    ui: &'a Ui<'a>,
    next: [f32; 2],
    right: f32,
    is_over: bool,
}

impl Bar<'_> {
    /// The ground of the next button, so wide, with the cursor at it; none where it does not fit.
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

/// Draws the row at the top of the picture. True where the mouse is over it.
pub fn view_bar(ui: &Ui<'_>, area: Rect) -> bool {
    let next = [area.min[0] + 54.0, area.min[1] + 10.0];
    let mut bar = Bar { ui, next, right: area.max[0] - 110.0, is_over: false };
    let session = ui.session;
    let name = session.workspace.space.name();
    if bar.place(ui.calc_text_size(name)[0] + 24.0).is_some() {
        space_button(ui, name);
    }
    if session.focus.selection.bones.len() > 1 && matches!(session.workspace.tool, Tool::Rotate | Tool::Scale) {
        let text = if session.is_on(Switch::SharedPivot) { "Shared pivot" } else { "Own pivots" };
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
    ui.tip("Whether several bones turn about the middle between them", &key);
}

fn space_button(ui: &Ui<'_>, name: &str) {
    let size = [ui.calc_text_size(name)[0] + 24.0, 24.0];
    if widgets::button(ui, &format!("{name}##space"), size, Tone::Clear) {
        ui.open_popup("##space-menu");
    }
    ui.tip("Whose axes the gizmo follows", "");
    let _padding = menu::padding(ui);
    let Some(_popup) = ui.begin_popup("##space-menu") else { return };
    for space in Space::ALL {
        if menu::choice(ui, space.name(), ui.session.workspace.space == space) {
            ui.send(ToolAction::SetSpace(space));
        }
    }
}

fn chain_text(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

/// How many joints above the end follow it, and whether the end keeps its turn.
fn chain_button(ui: &Ui<'_>, text: &str) {
    let size = [ui.calc_text_size(text)[0] + 24.0, 24.0];
    if widgets::button(ui, &format!("{text}##chain"), size, Tone::Clear) {
        ui.open_popup("##chain-menu");
    }
    ui.tip("How many joints follow the end that is dragged", "[ ] while dragging");
    let _padding = menu::padding(ui);
    let Some(_popup) = ui.begin_popup("##chain-menu") else { return };
    for joints in 1..=8 {
        let is_now = ui.session.workspace.chain_joints == joints;
        let name = if joints == DEFAULT_JOINTS { "2 joints: arm or leg".to_owned() } else { chain_text(joints) };
        if menu::choice(ui, &name, is_now) {
            ui.send(ToolAction::SetChain(joints));
        }
    }
    menu::separator(ui);
    menu::command(ui, Command::ToggleHoldTurn);
    menu::command(ui, Command::TogglePin);
    menu::command(ui, Command::ClearPins);
}
