//! The row of buttons over the picture: whose axes the gizmo follows, how the model shows, what is drawn with it.

use crate::editor::ops::limb::DEFAULT_JOINTS;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Kit, Rect};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
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
    kit: &'a Kit<'a>,
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
        self.is_over |= rect.contains(self.kit.io().mouse_pos);
        self.kit.fill(rect, faded(self.kit.theme.bar, 0.92), 5.0);
        self.kit.set_cursor_screen_pos(rect.min);
        Some(rect)
    }
}

/// Draws the row at the top of the picture. True where the mouse is over it.
pub fn view_bar(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, out: &mut Out) -> bool {
    let next = [area.min[0] + 54.0, area.min[1] + 10.0];
    let mut bar = Bar { kit, next, right: area.max[0] - 110.0, is_over: false };
    let session = seen.session;
    let name = session.workspace.space.name();
    if bar.place(kit.calc_text_size(name)[0] + 24.0).is_some() {
        space_button(kit, seen, name, out);
    }
    if session.focus.selection.bones.len() > 1 && matches!(session.workspace.tool, Tool::Rotate | Tool::Scale) {
        let text = if session.is_on(Switch::SharedPivot) { "Shared pivot" } else { "Own pivots" };
        if let Some(rect) = bar.place(kit.calc_text_size(text)[0] + 24.0) {
            pivot_button(kit, seen, text, rect, out);
        }
    }
    if session.workspace.tool == Tool::Reach {
        let text = chain_text(session.workspace.chain_joints);
        if bar.place(kit.calc_text_size(&text)[0] + 24.0).is_some() {
            chain_button(kit, seen, &text, out);
        }
    }
    if let Some(rect) = bar.place(display::button_width(kit, seen)) {
        display::display_button(kit, seen, rect, out);
    }
    if let Some(rect) = bar.place(ghosts::button_width(kit, seen)) {
        ghosts::ghosts_button(kit, seen, rect, out);
    }
    if let Some(rect) = bar.place(trails::button_width(kit, seen)) {
        trails::trails_button(kit, seen, rect, out);
    }
    bar.is_over
}

fn pivot_button(kit: &Kit<'_>, seen: &Seen<'_>, text: &str, rect: Rect, out: &mut Out) {
    if widgets::button(kit, &format!("{text}##pivot"), rect.size(), Tone::Clear) {
        out.run(Command::ToggleSharedPivot);
    }
    let key = seen.key_of(Command::ToggleSharedPivot);
    kit.tip("Whether several bones turn about the middle between them", &key);
}

fn space_button(kit: &Kit<'_>, seen: &Seen<'_>, name: &str, out: &mut Out) {
    let size = [kit.calc_text_size(name)[0] + 24.0, 24.0];
    if widgets::button(kit, &format!("{name}##space"), size, Tone::Clear) {
        kit.open_popup("##space-menu");
    }
    kit.tip("Whose axes the gizmo follows", "");
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##space-menu") else { return };
    for space in Space::ALL {
        if menu::choice(kit, space.name(), seen.session.workspace.space == space) {
            out.push(ToolAction::SetSpace(space));
        }
    }
}

fn chain_text(joints: usize) -> String {
    if joints == 1 { "1 joint".to_owned() } else { format!("{joints} joints") }
}

/// How many joints above the end follow it, and whether the end keeps its turn.
fn chain_button(kit: &Kit<'_>, seen: &Seen<'_>, text: &str, out: &mut Out) {
    let size = [kit.calc_text_size(text)[0] + 24.0, 24.0];
    if widgets::button(kit, &format!("{text}##chain"), size, Tone::Clear) {
        kit.open_popup("##chain-menu");
    }
    kit.tip("How many joints follow the end that is dragged", "[ ] while dragging");
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##chain-menu") else { return };
    for joints in 1..=8 {
        let is_now = seen.session.workspace.chain_joints == joints;
        let name = if joints == DEFAULT_JOINTS { "2 joints: arm or leg".to_owned() } else { chain_text(joints) };
        if menu::choice(kit, &name, is_now) {
            out.push(ToolAction::SetChain(joints));
        }
    }
    menu::separator(kit);
    menu::command(kit, seen, Command::ToggleHoldTurn, out);
    menu::command(kit, seen, Command::TogglePin, out);
    menu::command(kit, seen, Command::ClearPins, out);
}
