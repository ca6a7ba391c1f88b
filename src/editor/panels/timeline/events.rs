//! The lane of events under the ruler: flags that can be selected, dragged, renamed and deleted.

use crate::editor::panels::ui::Ui;
use imgui::MouseButton;

use crate::anim::clip::{Clip, Event};
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::ClipEdit;
use crate::editor::panels::timeline::panel;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::timing::TimeAction;
use crate::editor::state::action::DocumentAction;

/// Height of the lane.
pub const HEIGHT: f32 = 20.0;

/// The state of the mouse between frames.
#[derive(Debug, Default)]
pub struct EventLane {
    drag: Option<Drag>,
    naming: Option<usize>,
    name: String,
    is_menu_wanted: bool,
}

/// An event being dragged.
#[derive(Debug)]
struct Drag {
    event: usize,
    from: f32,
    is_moving: bool,
    events: Vec<Event>,
}

/// Whether the lane is shown.
pub fn has_events(ui: &Ui<'_>, clip: &Clip) -> bool {
    !clip.events.is_empty() || ui.session.focus.timing.naming.is_some()
}

impl EventLane {
    /// Draws the lane.
    #[allow(clippy::too_many_arguments)]
    pub fn ui(&mut self, ui: &Ui<'_>, clip: &Clip, id: ClipId, scale: &Scale, lane: Rect, left: f32) {
        let name = lane.with_x(left, lane.min[0] - 8.0);
        ui.text_in(name, Align::Left, ui.theme.quiet, "Events");
        ui.fill(lane, faded(ui.theme.ground, 0.55), 4.0);
        for (at, event) in clip.events.iter().enumerate() {
            let x = scale.x(event.time);
            let next = clip.events.get(at + 1).map_or(lane.max[0], |next| scale.x(next.time));
            let rect = flag(ui, event, x, next, lane);
            if rect.max[0] < lane.min[0] || rect.min[0] > lane.max[0] {
                continue;
            }
            self.event_ui(ui, at, event, rect);
        }
        self.drag(ui, clip, id, scale);
        self.event_menu(ui);
        self.naming(ui, clip, id, scale, lane);
    }
}

/// The rectangle of an event: as wide as its name, but not over the next event.
fn flag(ui: &Ui<'_>, event: &Event, x: f32, next: f32, lane: Rect) -> Rect {
    let wide = ui.calc_text_size(&event.name)[0] + 14.0;
    Rect { min: [x - 1.0, lane.min[1] + 1.0], max: [x + wide.min((next - x - 2.0).max(11.0)), lane.max[1] - 1.0] }
}

impl EventLane {
    fn event_ui(&mut self, ui: &Ui<'_>, at: usize, event: &Event, rect: Rect) {
        ui.set_cursor_screen_pos(rect.min);
        sys::ground_button(ui.imgui, &format!("##event{at}"), rect.size());
        ui.item(&format!("event{at}"));
        let is_selected = ui.session.focus.selection.event == Some(at);
        let color = ui.theme.event;
        ui.fill(rect, faded(color, if is_selected || ui.is_item_hovered() { 0.38 } else { 0.2 }), 3.0);
        ui.line([rect.min[0] + 1.0, rect.min[1]], [rect.min[0] + 1.0, rect.max[1]], color, 2.0);
        if is_selected {
            ui.outline(rect, ui.theme.accent, 3.0, 1.5);
        }
        let text = rect.trim_left(7.0).trim_right(3.0);
        if text.size()[0] > 8.0 {
            ui.text_in(text, Align::Left, color, &event.name);
        }
        if ui.is_item_hovered() && ui.is_mouse_double_clicked(MouseButton::Left) {
            ui.send(TimeAction::Naming(Some(at)));
            self.drag = None;
        } else if ui.is_item_activated() && panel::is_free(ui) {
            ui.send(TimeAction::PickEvent(Some(at)));
            if ui.is_mouse_down(MouseButton::Right) {
                self.is_menu_wanted = true;
            } else if let Some(clip) = ui.clip() {
                let from = ui.io().mouse_pos[0];
                self.drag = Some(Drag { event: at, from, is_moving: false, events: clip.events.clone() });
            }
        }
        if ui.is_item_hovered() && self.drag.is_none() {
            ui.tip(&format!("{} at {:.2} s", event.name, event.time.secs()), "drag, double-click to rename");
        }
    }

    fn drag(&mut self, ui: &Ui<'_>, clip: &Clip, id: ClipId, scale: &Scale) {
        let Some(drag) = &mut self.drag else { return };
        let by = ui.io().mouse_pos[0] - drag.from;
        if !ui.is_mouse_down(MouseButton::Left) || (drag.is_moving && ui.editor.gesture.is_none()) {
            if drag.is_moving {
                ui.send(DocumentAction::Commit);
            }
            self.drag = None;
            return;
        }
        if !drag.is_moving && by.abs() > 3.0 {
            drag.is_moving = true;
            ui.send(DocumentAction::Begin { label: "Move event".into() });
        } else if !drag.is_moving {
            return;
        }
        let Some(event) = drag.events.get(drag.event) else { return };
        let wanted = event.time + scale.span(by);
        let is_snapped = ui.session.is_on(crate::editor::session::switch::Switch::SnapTime) != ui.io().key_ctrl;
        let time = if is_snapped { clip.frame_rate.snap(wanted) } else { wanted };
        let moved = Event { time: time.clamp(Time::ZERO, clip.length()), ..event.clone() };
        let mut events = drag.events.clone();
        events.remove(drag.event);
        let place = events.partition_point(|other| other.time <= moved.time);
        events.insert(place, moved);
        ui.send(DocumentAction::Preview(Change::Edits(vec![ClipEdit::SetEvents { clip: id, events }.into()])));
        ui.send(TimeAction::PickEvent(Some(place)));
    }

    fn event_menu(&mut self, ui: &Ui<'_>) {
        if std::mem::take(&mut self.is_menu_wanted) {
            ui.open_popup("##event-menu");
        }
        let Some(_popup) = menu::popup(ui, "##event-menu") else { return };
        if menu::item(ui, "Rename…", "") {
            ui.send(TimeAction::Naming(ui.session.focus.selection.event));
        }
        ui.item("Rename…");
        menu::command(ui, Command::DuplicateKeys);
        menu::command(ui, Command::DeleteKeys);
    }

    /// Draws the name field of an event.
    #[allow(clippy::too_many_arguments)]
    fn naming(&mut self, ui: &Ui<'_>, clip: &Clip, id: ClipId, scale: &Scale, lane: Rect) {
        let wanted = ui.session.focus.timing.naming;
        let Some((at, event)) = wanted.and_then(|at| Some((at, clip.events.get(at)?))) else {
            if wanted.is_some() {
                ui.send(TimeAction::Naming(None));
            }
            self.naming = None;
            return;
        };
        let is_fresh = self.naming.replace(at) != Some(at);
        if is_fresh {
            self.name = event.name.clone();
            ui.open_popup("##event-name");
        }
        let x = scale.x(event.time).clamp(lane.min[0], lane.max[0] - 180.0);
        sys::place_next_popup(ui.imgui, [x, lane.max[1] + 2.0]);
        let Some(_popup) = menu::popup(ui, "##event-name") else {
            ui.send(TimeAction::Naming(None));
            return;
        };
        if is_fresh {
            layout::focus_next(ui);
        }
        ui.set_next_item_width(160.0);
        let field = ui.input_text("##name", &mut self.name).auto_select_all(true).enter_returns_true(true);
        let is_entered = field.build();
        ui.item("event-name");
        let name = self.name.trim();
        if name.is_empty() {
            ui.text_colored(ui.theme.hurt, "An event needs a name.");
        }
        if is_entered && !name.is_empty() {
            let mut events = clip.events.clone();
            if events[at].name != name {
                events[at].name = name.to_owned();
                ui.edit("Rename event", vec![ClipEdit::SetEvents { clip: id, events }.into()]);
            }
            ui.send(TimeAction::Naming(None));
            ui.close_current_popup();
        }
    }
}
