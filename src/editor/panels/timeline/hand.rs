//! Moving keys: sends the mouse position to the gesture, ends it and shows its text.

use crate::editor::panels::ui::Ui;
use imgui::MouseButton;

use crate::editor::panels::timeline::panel;
use crate::editor::panels::timeline::panel::Laid;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::pointer::ModalKey;
use crate::editor::session::timing::{TimeAction, TimePoint};
use crate::editor::state::action::{DocumentAction, GestureAction};

/// The state of the mouse between frames.
#[derive(Debug, Default)]
pub struct KeyDrag {
    told: Option<TimePoint>,
    /// The scale when the drag began, which stays the same while the clip gets longer.
    pub held: Option<Scale>,
}

impl KeyDrag {
    /// Drives the gesture.
    pub fn ui(&mut self, ui: &Ui<'_>, laid: &Laid<'_>) {
        let gesture = ui.editor.gesture.as_ref();
        let Some((hand, base)) = gesture.and_then(|gesture| Some((gesture.keys()?, &gesture.base))) else {
            *self = KeyDrag::default();
            return;
        };
        self.held.get_or_insert(laid.scale);
        let point = panel::point(ui, &laid.scale);
        if self.told != Some(point) {
            self.told = Some(point);
            ui.send(TimeAction::Point(point));
        }
        if hand.is_modal && ui.is_mouse_clicked(MouseButton::Left) {
            ui.send(GestureAction::Modal(ModalKey::Confirm));
        } else if hand.is_modal && ui.is_mouse_clicked(MouseButton::Right) {
            ui.send(GestureAction::Modal(ModalKey::Cancel));
        } else if !hand.is_modal && !ui.is_mouse_down(MouseButton::Left) {
            ui.send(DocumentAction::Commit);
        }
        let Some(slot) = base.clip(laid.id) else { return };
        let text = hand.status(&slot.clip);
        let width = ui.calc_text_size(&text)[0] + 20.0;
        let rect = Rect::at([laid.area.max[0] - width - 8.0, laid.area.max[1] - 30.0], [width, 24.0]);
        ui.fill(rect, faded(ui.theme.bar, 0.92), 5.0);
        ui.text_in(rect, Align::Center, ui.theme.text, &text);
    }
}
