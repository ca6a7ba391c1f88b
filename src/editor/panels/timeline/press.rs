//! Presses over keys, until they become clicks, drags or boxes. Used by dope sheet and curves.

use imgui::MouseButton;

use crate::editor::document::edit::Original;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::selection::Pick;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::timing::{DraggedValue, KeyDragKind, KeyDragStart, TimeAction, TimePoint};
use crate::editor::state::action::DocumentAction;

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

/// A horizontal drag that previews an edit: it begins after [`CLICK`] points and is committed when the button is released.
#[derive(Clone, Copy, Debug)]
pub struct LaneDrag {
    from: f32,
    is_moving: bool,
}

/// What a drag does in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaneStep {
    /// It is over; its edit was committed or cancelled.
    Over,
    /// It has not moved yet.
    Still,
    /// It is this many points from its start.
    Moved(f32),
}

impl LaneDrag {
    /// Starts at the mouse.
    pub fn new(ui: &Ui<'_>) -> LaneDrag {
        LaneDrag { from: ui.io().mouse_pos[0], is_moving: false }
    }

    /// Continues it. Called once a frame.
    pub fn step(&mut self, ui: &Ui<'_>, label: &'static str) -> LaneStep {
        let by = ui.io().mouse_pos[0] - self.from;
        if !ui.is_mouse_down(MouseButton::Left) || (self.is_moving && ui.editor.gesture.is_none()) {
            if self.is_moving {
                ui.send(DocumentAction::Commit);
            }
            return LaneStep::Over;
        }
        if !self.is_moving && by.abs() > CLICK {
            self.is_moving = true;
            ui.send(DocumentAction::Begin { label: label.into() });
        }
        if self.is_moving { LaneStep::Moved(by) } else { LaneStep::Still }
    }
}

/// The mouse over an area on which things are drawn later.
#[derive(Clone, Copy, Debug, Default)]
pub struct Background {
    /// Whether the mouse is over it.
    pub is_hovered: bool,
    /// Whether a button was pressed on it in this frame.
    pub is_pressed: bool,
}

impl Background {
    /// Makes an area react to all mouse buttons. Tests find it under `id`.
    pub fn ui(ui: &Ui<'_>, id: &str, area: Rect) -> Background {
        ui.set_cursor_screen_pos(area.min);
        sys::ground_button(ui.imgui, &format!("##{id}"), area.size());
        ui.item(id);
        Background { is_hovered: ui.is_item_hovered(), is_pressed: ui.is_item_activated() }
    }

    /// The union of two areas.
    pub fn or(self, other: Background) -> Background {
        let is_hovered = self.is_hovered || other.is_hovered;
        Background { is_hovered, is_pressed: self.is_pressed || other.is_pressed }
    }
}

/// A screen position on the timeline, for gestures.
pub fn time_point(ui: &Ui<'_>, scale: &Scale, [x, y]: [f32; 2]) -> TimePoint {
    TimePoint { time: scale.time(x), y, held: ui.held() }
}

/// Starts to drag the selected keys, counted from the position of the press.
pub fn start_drag(ui: &Ui<'_>, from: TimePoint, kind: KeyDragKind, dragged_values: Option<Vec<DraggedValue>>) {
    let original = Original::Moves;
    ui.send(TimeAction::StartKeyDrag(KeyDragStart {
        kind,
        original,
        is_modal: false,
        dragged_values,
        from: Some(from),
    }));
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
