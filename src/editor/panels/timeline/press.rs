//! A press of the left button over keys, until it becomes a click, a drag or a box. Used by dope sheet and curves.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Modifiers;

/// Distance after which a press becomes a drag, in points.
const CLICK: f32 = 3.0;

/// A press of the left button.
#[derive(Clone, Copy, Debug)]
pub struct Press<T> {
    /// Its position on the screen.
    pub at: [f32; 2],
    /// The item under it.
    pub what: T,
}

impl<T> Press<T> {
    /// Whether the mouse has moved too far for a click.
    pub fn is_far(&self, mouse: [f32; 2]) -> bool {
        (mouse[0] - self.at[0]).abs().max((mouse[1] - self.at[1]).abs()) > CLICK
    }
}

/// The mouse over keys.
#[derive(Debug)]
pub struct KeyMouse<T> {
    /// The press, while the button is down.
    pub press: Option<Press<T>>,
    /// Whether to open the context menu.
    pub is_menu_wanted: bool,
}

impl<T> Default for KeyMouse<T> {
    fn default() -> KeyMouse<T> {
        KeyMouse { press: None, is_menu_wanted: false }
    }
}

/// The rectangle between two points.
pub fn between(a: [f32; 2], b: [f32; 2]) -> Rect {
    Rect { min: [a[0].min(b[0]), a[1].min(b[1])], max: [a[0].max(b[0]), a[1].max(b[1])] }
}

/// Draws a selection box.
pub fn draw_box(ui: &Ui<'_>, rect: Rect) {
    ui.fill(rect, faded(ui.theme.accent, 0.12), 0.0);
    ui.outline(rect, ui.theme.accent, 0.0, 1.0);
}

/// How a pick changes the selection: Ctrl toggles, Shift adds.
pub fn pick_with(held: Modifiers) -> Pick {
    match (held.ctrl, held.shift) {
        (true, _) => Pick::Toggle,
        (false, true) => Pick::Add,
        (false, false) => Pick::Only,
    }
}
