//! A press of the left button over keys, until it becomes a click, a drag or a box. Shared by dope sheet and curves.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Modifiers;

/// Further than this, in points, a press is a drag.
const CLICK: f32 = 3.0;

/// Where the left button went down, and on what.
#[derive(Clone, Copy, Debug)]
pub struct Press<T> {
    /// In points of the screen.
    pub at: [f32; 2],
    /// What lay there.
    pub what: T,
}

impl<T> Press<T> {
    /// True where the mouse went further since than in a click.
    pub fn is_far(&self, mouse: [f32; 2]) -> bool {
        (mouse[0] - self.at[0]).abs().max((mouse[1] - self.at[1]).abs()) > CLICK
    }
}

/// What the mouse over keys keeps between frames.
#[derive(Debug)]
pub struct KeyMouse<T> {
    /// While the button is down.
    pub press: Option<Press<T>>,
    /// The right button was pressed.
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

/// Draws a box that selects.
pub fn draw_box(ui: &Ui<'_>, rect: Rect) {
    ui.fill(rect, faded(ui.theme.accent, 0.12), 0.0);
    ui.outline(rect, ui.theme.accent, 0.0, 1.0);
}

/// How what is picked joins the selection: Ctrl toggles, Shift adds.
pub fn pick_with(held: Modifiers) -> Pick {
    match (held.ctrl, held.shift) {
        (true, _) => Pick::Toggle,
        (false, true) => Pick::Add,
        (false, false) => Pick::Only,
    }
}
