//! Moving keys: sends the mouse position to the gesture, ends it and shows its text.

use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::pointer::ModalKey;
use crate::editor::session::timing::TimePoint;

/// The state of the mouse between frames.
#[derive(Debug, Default)]
pub struct KeyDrag {
    /// The position that was sent last.
    sent: Option<TimePoint>,
    /// The scale when the drag began, which stays the same while the clip gets longer.
    pub fixed_scale: Option<Scale>,
}

impl KeyDrag {
    /// Drives the gesture.
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        let gesture = ui.editor.gesture.as_ref();
        let Some((keys, base)) = gesture.and_then(|gesture| Some((gesture.keys()?, &gesture.base))) else {
            *self = KeyDrag::default();
            return;
        };
        self.fixed_scale.get_or_insert(layout.scale);
        let point = press::time_point(ui, &layout.scale, ui.io().mouse_pos);
        if self.sent.replace(point) != Some(point) {
            ui.send(TimeAction::MouseMoved(point));
        }
        if keys.is_modal && ui.is_mouse_clicked(MouseButton::Left) {
            ui.send(GestureAction::Modal(ModalKey::Confirm));
        } else if keys.is_modal && ui.is_mouse_clicked(MouseButton::Right) {
            ui.send(GestureAction::Modal(ModalKey::Cancel));
        } else if !keys.is_modal && !ui.is_mouse_down(MouseButton::Left) {
            ui.send(DocumentAction::Commit);
        }
        if let Some(slot) = base.clip(layout.id) {
            status_ui(ui, layout.area, &keys.status(&slot.clip));
        }
    }
}

fn status_ui(ui: &Ui<'_>, area: Rect, text: &str) {
    let width = ui.calc_text_size(text)[0] + 20.0;
    let rect = Rect::at([area.max[0] - width - 8.0, area.max[1] - 30.0], [width, 24.0]);
    ui.fill(rect, faded(ui.theme.bar, 0.92), 5.0);
    ui.text_in(rect, Align::Center, ui.theme.text, text);
}
