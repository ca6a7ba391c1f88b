//! The lane of events under the ruler: flags that can be selected, dragged, renamed and deleted.

use crate::editor::panels::timeline::event_kinds::event_kinds_ui;
use crate::editor::panels::timeline::lane_menu;
use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press::{Background, LaneDrag};
use crate::editor::panels::ui::name_field::NameField;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::clip::Event;
use keypose::anim::shared_list::SharedList;
use keypose::assets::clip_event;

/// Height of the lane.
pub const HEIGHT: f32 = 20.0;

/// The state of the mouse between frames.
#[derive(Debug, Default)]
pub struct EventLane {
    drag: LaneDrag<Dragged>,
    naming: Option<(usize, NameField)>,
    menu: ContextMenu<()>,
}

/// An event being dragged, and the events before.
#[derive(Debug)]
struct Dragged {
    event: usize,
    events: SharedList<Event>,
}

impl EventLane {
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, lane: Rect) {
        layout.lane_ui(ui, lane, "Events");
        ground_ui(ui, layout, lane);
        let events = &layout.clip.events;
        for (at, event) in events.iter().enumerate() {
            let x = layout.scale.x(event.time);
            let next = events.get(at + 1).map_or(lane.max[0], |next| layout.scale.x(next.time));
            let rect = flag(ui, event, [x, next], lane);
            if rect.max[0] >= lane.min[0] && rect.min[0] <= lane.max[0] {
                self.event_ui(ui, events, at, rect);
            }
        }
        self.drag.step(ui, "Move event", |dragged, by| dragged.preview(ui, layout, layout.scale.span(by)));
        self.event_menu(ui, layout);
        self.naming(ui, layout, lane);
    }

    fn event_ui(&mut self, ui: &Ui<'_>, events: &SharedList<Event>, at: usize, rect: Rect) {
        let background = Background::ui(ui, &format!("event{at}"), rect);
        let event = &events[at];
        draw_event(ui, event, rect, ui.session.focus.selection.event == Some(at));
        if background.is_hovered && ui.is_mouse_double_clicked(MouseButton::Left) {
            ui.send(TimeAction::RenameEvent(Some(at)));
            self.drag.end();
        } else if background.is_pressed && !ui.is_gesture_driven() {
            ui.send(TimeAction::PickEvent(Some(at)));
            if ui.is_mouse_down(MouseButton::Right) {
                self.menu.open(());
            } else {
                self.drag.start(ui, Dragged { event: at, events: events.clone() });
            }
        }
        if background.is_hovered && !self.drag.is_open() {
            let mut text = format!("{} at {:.2} s", event.name, event.time.secs());
            if let Some((what, name)) = lacks(ui, event) {
                text.push_str(&format!(": the {what} \"{name}\" doesn't exist"));
            }
            ui.tip(&text, "drag, double-click to change");
        }
    }

    fn event_menu(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        let Some(((), _popup)) = self.menu.begin(ui, "##event-menu") else { return };
        if menu::entry(ui, "Rename…") {
            ui.send(TimeAction::RenameEvent(ui.session.focus.selection.event));
        }
        let chosen = event_kinds_ui(ui);
        if let Some((at, name)) = ui.session.focus.selection.event.zip(chosen) {
            rename(ui, layout, at, &name);
        }
        menu::separator(ui);
        menu::command(ui, Command::DuplicateKeys);
        menu::command(ui, Command::DeleteKeys);
    }

    /// Draws the popup in which an event is named.
    fn naming(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>, lane: Rect) {
        let wanted = ui.session.focus.timing.naming;
        let Some((at, event)) = wanted.and_then(|at| Some((at, layout.clip.events.get(at)?))) else {
            if wanted.is_some() {
                ui.send(TimeAction::RenameEvent(None));
            }
            self.naming = None;
            return;
        };
        if self.naming.as_ref().is_none_or(|(named, _)| *named != at) {
            self.naming = Some((at, NameField::new(event.name.clone())));
            ui.open_popup("##event-name");
        }
        let x = layout.scale.x(event.time).clamp(lane.min[0], lane.max[0] - 180.0);
        sys::place_next_popup(ui.imgui, lane.with_x(x, lane.max[0]), 2.0);
        let Some(_popup) = menu::popup(ui, "##event-name") else {
            return ui.send(TimeAction::RenameEvent(None));
        };
        let Some((_, field)) = &mut self.naming else { return };
        let is_entered = field.draw(ui, "event-name", 160.0);
        match field.text.trim() {
            "" => ui.text_colored(ui.theme.hurt, "An event needs a name."),
            name if is_entered => return rename(ui, layout, at, name),
            _ => {}
        }
        if let Some(name) = event_kinds_ui(ui) {
            rename(ui, layout, at, &name);
        }
    }
}

/// Makes the lane itself react: a double click adds an event there. An empty lane shows how to add one.
fn ground_ui(ui: &Ui<'_>, layout: &ClipLayout<'_>, lane: Rect) {
    let background = Background::ui(ui, "events", lane);
    lane_menu::ground_ui(ui, layout, &background);
    let can_add = ui.can_run(Command::AddEvent) && !ui.is_gesture_driven();
    if can_add && background.is_hovered && ui.is_mouse_double_clicked(MouseButton::Left) {
        ui.send(PlaybackAction::Seek(layout.frame_under_mouse(ui)));
        ui.run(Command::AddEvent);
    }
    if can_add && layout.clip.events.is_empty() {
        let hint = format!("{} adds an event; right-click to add hits and cancels", ui.key_of(Command::AddEvent));
        let _font = ui.with_font(ui.fonts.small);
        if ui.calc_text_size(&hint)[0] + 8.0 < lane.width() {
            ui.text_in(lane.trim_left(8.0), Align::Left, ui.theme.dim, &hint);
        }
    }
}

/// The rectangle of an event: as wide as its name, but not over the next event.
fn flag(ui: &Ui<'_>, event: &Event, [x, next]: [f32; 2], lane: Rect) -> Rect {
    let width = ui.calc_text_size(&event.name)[0] + 14.0;
    lane.inset(0.0, 1.0).with_x(x - 1.0, x + width.min((next - x - 2.0).max(11.0)))
}

/// The kind and name of something that an event uses and the archive lacks.
fn lacks<'e>(ui: &Ui<'_>, event: &'e Event) -> Option<(&'static str, &'e str)> {
    let project = &ui.editor.document;
    clip_event::lacks(&event.name, ui.model()?, &project.models, &project.sounds)
}

fn draw_event(ui: &Ui<'_>, event: &Event, rect: Rect, is_selected: bool) {
    let color = if lacks(ui, event).is_some() { ui.theme.hurt } else { ui.theme.event };
    ui.fill(rect, faded(color, if is_selected || ui.is_item_hovered() { 0.38 } else { 0.2 }), 3.0);
    ui.line([rect.min[0] + 1.0, rect.min[1]], [rect.min[0] + 1.0, rect.max[1]], color, 2.0);
    if is_selected {
        ui.outline(rect, ui.theme.selected, 3.0, 1.5);
    }
    let text = rect.trim_left(7.0).trim_right(3.0);
    if text.width() > 8.0 {
        ui.text_in(text, Align::Left, color, &event.name);
    }
}

impl Dragged {
    /// Previews the event moved by a duration.
    fn preview(&self, ui: &Ui<'_>, layout: &ClipLayout<'_>, by: Time) {
        let Some(event) = self.events.get(self.event) else { return };
        let wanted = event.time + by;
        let is_snapped = ui.session.is_on(Switch::SnapTime) != ui.io().key_ctrl;
        let time = if is_snapped { layout.clip.frame_rate.snap(wanted) } else { wanted };
        let moved = Event { time: time.clamp(Time::ZERO, layout.clip.length()), ..event.clone() };
        let mut events = self.events.clone();
        events.remove(self.event);
        let place = events.partition_point(|other| other.time <= moved.time);
        events.insert(place, moved);
        ui.send(DocumentAction::Preview(Change::Edits(vec![ClipEdit::SetEvents { clip: layout.id, events }.into()])));
        ui.send(TimeAction::PickEvent(Some(place)));
    }
}

fn rename(ui: &Ui<'_>, layout: &ClipLayout<'_>, at: usize, name: &str) {
    let mut events = layout.clip.events.clone();
    if events.get(at).is_some_and(|event| event.name != name) {
        events[at].name = name.to_owned();
        ui.edit("Rename event", vec![ClipEdit::SetEvents { clip: layout.id, events }.into()]);
    }
    ui.send(TimeAction::RenameEvent(None));
    ui.close_current_popup();
}
