//! Keys in hand: tells the editor where the mouse is, ends the gesture, and says what is happening.

use imgui::MouseButton;

use crate::editor::panels::timeline::panel;
use crate::editor::panels::timeline::panel::Laid;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::pointer::ModalKey;
use crate::editor::session::timing::{TimeAction, TimePoint};
use crate::editor::state::action::{DocumentAction, GestureAction};

/// What is kept between frames.
#[derive(Debug, Default)]
pub struct HandLocal {
    told: Option<TimePoint>,
    /// The scale of the moment in which keys were taken: it holds still while the clip gets longer.
    pub held: Option<Scale>,
}

/// Steers the keys in hand.
pub fn hand_ui(kit: &Kit<'_>, seen: &Seen<'_>, laid: &Laid<'_>, local: &mut HandLocal, out: &mut Out) {
    let gesture = seen.editor.gesture.as_ref();
    let Some((hand, base)) = gesture.and_then(|gesture| Some((gesture.keys()?, &gesture.base))) else {
        *local = HandLocal::default();
        return;
    };
    local.held.get_or_insert(laid.scale);
    let point = panel::point(kit, &laid.scale);
    if local.told != Some(point) {
        local.told = Some(point);
        out.push(TimeAction::Point(point));
    }
    if hand.is_modal && kit.is_mouse_clicked(MouseButton::Left) {
        out.push(GestureAction::Modal(ModalKey::Confirm));
    } else if hand.is_modal && kit.is_mouse_clicked(MouseButton::Right) {
        out.push(GestureAction::Modal(ModalKey::Cancel));
    } else if !hand.is_modal && !kit.is_mouse_down(MouseButton::Left) {
        out.push(DocumentAction::Commit);
    }
    let Some(slot) = base.clip(laid.id) else { return };
    let text = hand.status(&slot.clip);
    let width = kit.calc_text_size(&text)[0] + 20.0;
    let rect = Rect::at([laid.area.max[0] - width - 8.0, laid.area.max[1] - 30.0], [width, 24.0]);
    kit.fill(rect, faded(kit.theme.bar, 0.92), 5.0);
    kit.text_in(rect, Align::Center, kit.theme.text, &text);
}
