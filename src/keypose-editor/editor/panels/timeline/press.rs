//! The mouse over the timeline: presses on keys until they become clicks, drags or boxes, and drags in lanes.

use crate::editor::document::edit::Original;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::timing::{DraggedValue, KeyDragKind, KeyDragStart, TimePoint};

/// Distance after which a press becomes a drag, in points.
const CLICK: f32 = 3.0;

/// An area with keys: the dope sheet or the curves.
pub trait KeyArea {
    /// A thing that can be pressed: a key, or a handle.
    type Item: Copy;

    /// Handles a press on an item. Returns the item if its release or drag is handled, too; `None` if there is none.
    fn press(&self, ui: &Ui<'_>, at: [f32; 2]) -> Pressed<Self::Item>;
    /// Drags a pressed item that was moved too far for a click, once per frame. Returns it until the drag is over.
    fn drag(&self, ui: &Ui<'_>, item: Self::Item, from: [f32; 2], at: [f32; 2]) -> Option<Self::Item>;
    /// Releases a pressed item; `is_click` if it wasn't moved and no key joins it to the selection.
    fn release(&self, ui: &Ui<'_>, item: Self::Item, is_click: bool);
    /// Selects the keys in a box.
    fn select_box(&self, ui: &Ui<'_>, rect: Rect);
    /// Selects the key under the mouse before a menu opens.
    fn select_for_menu(&self, ui: &Ui<'_>, at: [f32; 2]);
    /// Shows what is under the mouse.
    fn hover(&self, ui: &Ui<'_>, at: [f32; 2]);
    /// The time of the key under the mouse.
    fn time_of_key(&self, at: [f32; 2]) -> Option<Time>;
}

/// The result of a press.
#[derive(Clone, Copy, Debug)]
pub enum Pressed<T> {
    /// An item was pressed.
    Item(T),
    /// There is nothing: a drag draws a box.
    Background,
    /// A drag started that no longer depends on the press.
    Started,
}

/// A press of the left button that is not over.
#[derive(Clone, Copy, Debug)]
struct Press<T> {
    from: [f32; 2],
    /// The item under it; `None` for the background.
    item: Option<T>,
    /// Whether the mouse was moved too far for a click.
    is_moved: bool,
}

/// The mouse over an area with keys, between frames.
#[derive(Debug)]
pub struct KeyMouse<T> {
    press: Option<Press<T>>,
    menu: ContextMenu<()>,
}

impl<T> Default for KeyMouse<T> {
    fn default() -> KeyMouse<T> {
        KeyMouse { press: None, menu: ContextMenu::default() }
    }
}

impl<T: Copy> KeyMouse<T> {
    /// Cancels a press or selection box. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.press.take().is_some()
    }

    /// Handles the mouse and draws the context menu.
    pub fn ui(&mut self, ui: &Ui<'_>, area: &impl KeyArea<Item = T>, background: Background) {
        let (at, is_free) = (ui.io().mouse_pos, !ui.is_gesture_driven());
        let is_pressed = background.is_pressed && is_free;
        if is_pressed && ui.is_mouse_down(MouseButton::Right) {
            area.select_for_menu(ui, at);
            self.menu.open(());
        } else if is_pressed && ui.is_mouse_down(MouseButton::Left) {
            let is_boxing = ui.session.focus.timing.is_boxing;
            let pressed = if is_boxing { Pressed::Background } else { area.press(ui, at) };
            self.press = match pressed {
                Pressed::Item(item) => Some(Press::new(at, Some(item))),
                Pressed::Background => Some(Press::new(at, None)),
                Pressed::Started => None,
            };
        }
        if let Some(press) = self.press {
            self.press = press.advance(ui, area, at);
        } else if background.is_hovered && is_free {
            area.hover(ui, at);
        }
        if background.is_hovered
            && ui.is_mouse_double_clicked(MouseButton::Left)
            && let Some(time) = area.time_of_key(at)
        {
            ui.send(PlaybackAction::Seek(time));
        }
        if let Some(_popup) = self.menu.begin(ui, "##keys-menu") {
            menu::commands(ui, KEYS_MENU);
        }
    }
}

impl<T: Copy> Press<T> {
    fn new(from: [f32; 2], item: Option<T>) -> Press<T> {
        Press { from, item, is_moved: false }
    }

    /// Handles the press in a frame. Returns it as it is in the next one.
    fn advance(mut self, ui: &Ui<'_>, area: &impl KeyArea<Item = T>, at: [f32; 2]) -> Option<Press<T>> {
        let Press { from, item, .. } = self;
        self.is_moved |= (at[0] - from[0]).abs().max((at[1] - from[1]).abs()) > CLICK;
        let is_far = self.is_moved;
        let rect = Rect::spanned(from, at);
        if ui.is_mouse_down(MouseButton::Left) {
            return match item {
                Some(item) if is_far => Some(Press { item: Some(area.drag(ui, item, from, at)?), ..self }),
                None if is_far || ui.session.focus.timing.is_boxing => {
                    ui.selection_box(rect);
                    Some(self)
                }
                _ => Some(self),
            };
        }
        let joins = ui.io().key_shift || ui.io().key_ctrl;
        if let Some(item) = item {
            area.release(ui, item, !is_far && !joins);
            return None;
        }
        ui.send(TimeAction::SetBoxSelect(false));
        if is_far {
            area.select_box(ui, rect);
        } else if !joins {
            ui.run(Command::SelectNoKeys);
        }
        None
    }
}

/// The context menu of keys.
const KEYS_MENU: &[&[Command]] = &[
    &[Command::CopyKeys, Command::PasteKeys, Command::PasteKeysMirrored, Command::DuplicateKeys, Command::DeleteKeys],
    &[Command::MoveKeys, Command::ScaleKeys, Command::RippleKeys, Command::MirrorKeysInTime],
    &[Command::EaseStep, Command::EaseLinear, Command::EaseCubic, Command::HandlesMenu],
    &[Command::SelectColumn, Command::SelectAllKeys, Command::FitTime],
];

/// A horizontal drag of `T` that previews an edit: it begins after [`CLICK`] points and is committed when the button is released.
#[derive(Debug)]
pub struct LaneDrag<T> {
    dragged: Option<T>,
    from: f32,
    is_moving: bool,
}

impl<T> Default for LaneDrag<T> {
    fn default() -> LaneDrag<T> {
        LaneDrag { dragged: None, from: 0.0, is_moving: false }
    }
}

impl<T> LaneDrag<T> {
    /// Starts at the mouse.
    pub fn start(&mut self, ui: &Ui<'_>, dragged: T) {
        *self = LaneDrag { dragged: Some(dragged), from: ui.io().mouse_pos[0], is_moving: false };
    }

    /// Whether there is a drag.
    pub fn is_open(&self) -> bool {
        self.dragged.is_some()
    }

    /// Ends the drag.
    pub fn end(&mut self) {
        *self = LaneDrag::default();
    }

    /// Continues the drag, once a frame. `preview` gets the distance from the start in points.
    pub fn step(&mut self, ui: &Ui<'_>, label: &'static str, preview: impl FnOnce(&T, f32)) {
        let Some(dragged) = &self.dragged else { return };
        let by = ui.io().mouse_pos[0] - self.from;
        if !ui.is_mouse_down(MouseButton::Left) || (self.is_moving && ui.editor.gesture.is_none()) {
            if self.is_moving {
                ui.send(DocumentAction::Commit);
            }
            return self.end();
        }
        if !self.is_moving && by.abs() > CLICK {
            self.is_moving = true;
            ui.send(DocumentAction::Begin { label: label.into() });
        }
        if self.is_moving {
            preview(dragged, by);
        }
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

/// How a pick changes the selection: Ctrl toggles, Shift adds.
pub fn pick_with(held: Modifiers) -> Pick {
    match (held.ctrl, held.shift) {
        (true, _) => Pick::Toggle,
        (false, true) => Pick::Add,
        (false, false) => Pick::Only,
    }
}
