//! The lane of events under the ruler: each a flag with its name, selected, dragged, named and deleted.

use imgui::MouseButton;

use crate::anim::clip::{Clip, Event};
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::Edit;
use crate::editor::panels::timeline::panel;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::timing::TimeAction;
use crate::editor::state::action::DocumentAction;

/// Height of the lane.
pub const HEIGHT: f32 = 20.0;

/// What is kept between frames.
#[derive(Debug, Default)]
pub struct EventsLocal {
    drag: Option<Drag>,
    naming: Option<usize>,
    name: String,
    is_menu_wanted: bool,
}

/// An event that is dragged.
#[derive(Debug)]
struct Drag {
    event: usize,
    from: f32,
    is_moving: bool,
    events: Vec<Event>,
}

/// True where the lane is shown.
pub fn has_events(seen: &Seen<'_>, clip: &Clip) -> bool {
    !clip.events.is_empty() || seen.session.focus.timing.naming.is_some()
}

/// Draws the lane.
#[allow(clippy::too_many_arguments)]
pub fn events_ui(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    clip: &Clip,
    id: ClipId,
    scale: &Scale,
    lane: Rect,
    left: f32,
    local: &mut EventsLocal,
    out: &mut Out,
) {
    let name = Rect { min: [left, lane.min[1]], max: [lane.min[0] - 8.0, lane.max[1]] };
    kit.text_in(name, Align::Left, kit.theme.quiet, "Events");
    kit.fill(lane, faded(kit.theme.ground, 0.55), 4.0);
    for (at, event) in clip.events.iter().enumerate() {
        let x = scale.x(event.time);
        let next = clip.events.get(at + 1).map_or(lane.max[0], |next| scale.x(next.time));
        let rect = flag(kit, event, x, next, lane);
        if rect.max[0] < lane.min[0] || rect.min[0] > lane.max[0] {
            continue;
        }
        event_ui(kit, seen, at, event, rect, local, out);
    }
    drag(kit, seen, clip, id, scale, local, out);
    event_menu(kit, seen, local, out);
    naming(kit, seen, clip, id, scale, lane, local, out);
}

/// As wide as its name, not over the next one, at least as wide as can be taken.
fn flag(kit: &Kit<'_>, event: &Event, x: f32, next: f32, lane: Rect) -> Rect {
    let wide = kit.calc_text_size(&event.name)[0] + 14.0;
    Rect { min: [x - 1.0, lane.min[1] + 1.0], max: [x + wide.min((next - x - 2.0).max(11.0)), lane.max[1] - 1.0] }
}

fn event_ui(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    at: usize,
    event: &Event,
    rect: Rect,
    local: &mut EventsLocal,
    out: &mut Out,
) {
    kit.set_cursor_screen_pos(rect.min);
    sys::ground_button(kit.ui, &format!("##event{at}"), rect.size());
    kit.item(&format!("event{at}"));
    let is_selected = seen.session.focus.selection.event == Some(at);
    let color = kit.theme.event;
    kit.fill(rect, faded(color, if is_selected || kit.is_item_hovered() { 0.38 } else { 0.2 }), 3.0);
    kit.line([rect.min[0] + 1.0, rect.min[1]], [rect.min[0] + 1.0, rect.max[1]], color, 2.0);
    if is_selected {
        kit.outline(rect, kit.theme.accent, 3.0, 1.5);
    }
    let text = Rect { min: [rect.min[0] + 7.0, rect.min[1]], max: [rect.max[0] - 3.0, rect.max[1]] };
    if text.size()[0] > 8.0 {
        kit.text_in(text, Align::Left, color, &event.name);
    }
    if kit.is_item_hovered() && kit.is_mouse_double_clicked(MouseButton::Left) {
        out.push(TimeAction::Naming(Some(at)));
        local.drag = None;
    } else if kit.is_item_activated() && panel::is_free(seen) {
        out.push(TimeAction::PickEvent(Some(at)));
        if kit.is_mouse_down(MouseButton::Right) {
            local.is_menu_wanted = true;
        } else if let Some(clip) = seen.clip() {
            let from = kit.io().mouse_pos[0];
            local.drag = Some(Drag { event: at, from, is_moving: false, events: clip.events.clone() });
        }
    }
    if kit.is_item_hovered() && local.drag.is_none() {
        kit.tip(&format!("{} at {:.2} s", event.name, event.time.secs()), "drag, double click names");
    }
}

fn drag(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    clip: &Clip,
    id: ClipId,
    scale: &Scale,
    local: &mut EventsLocal,
    out: &mut Out,
) {
    let Some(drag) = &mut local.drag else { return };
    let by = kit.io().mouse_pos[0] - drag.from;
    if !kit.is_mouse_down(MouseButton::Left) || (drag.is_moving && seen.editor.gesture.is_none()) {
        if drag.is_moving {
            out.push(DocumentAction::Commit);
        }
        local.drag = None;
        return;
    }
    if !drag.is_moving && by.abs() > 3.0 {
        drag.is_moving = true;
        out.push(DocumentAction::Begin { label: "move event".into() });
    } else if !drag.is_moving {
        return;
    }
    let Some(event) = drag.events.get(drag.event) else { return };
    let wanted = event.time + scale.span(by);
    let is_snapped = seen.session.is_on(crate::editor::session::switch::Switch::SnapTime) != kit.io().key_ctrl;
    let time = if is_snapped { clip.frame_rate.snap(wanted) } else { wanted };
    let moved = Event { time: time.clamp(Time::ZERO, clip.length()), ..event.clone() };
    let mut events = drag.events.clone();
    events.remove(drag.event);
    let place = events.partition_point(|other| other.time <= moved.time);
    events.insert(place, moved);
    out.push(DocumentAction::Preview(Change::Edits(vec![Edit::SetEvents { clip: id, events }])));
    out.push(TimeAction::PickEvent(Some(place)));
}

fn event_menu(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut EventsLocal, out: &mut Out) {
    if std::mem::take(&mut local.is_menu_wanted) {
        kit.open_popup("##event-menu");
    }
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##event-menu") else { return };
    if menu::item(kit, "Name…", "") {
        out.push(TimeAction::Naming(seen.session.focus.selection.event));
    }
    kit.item("Name…");
    menu::command(kit, seen, Command::DuplicateKeys, out);
    menu::command(kit, seen, Command::DeleteKeys, out);
}

/// The field in which an event's name is typed.
#[allow(clippy::too_many_arguments)]
fn naming(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    clip: &Clip,
    id: ClipId,
    scale: &Scale,
    lane: Rect,
    local: &mut EventsLocal,
    out: &mut Out,
) {
    let wanted = seen.session.focus.timing.naming;
    let Some((at, event)) = wanted.and_then(|at| Some((at, clip.events.get(at)?))) else {
        if wanted.is_some() {
            out.push(TimeAction::Naming(None));
        }
        local.naming = None;
        return;
    };
    let is_fresh = local.naming.replace(at) != Some(at);
    if is_fresh {
        local.name = event.name.clone();
        kit.open_popup("##event-name");
    }
    let x = scale.x(event.time).clamp(lane.min[0], lane.max[0] - 180.0);
    sys::place_next_popup(kit.ui, [x, lane.max[1] + 2.0]);
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup("##event-name") else {
        out.push(TimeAction::Naming(None));
        return;
    };
    if is_fresh {
        layout::focus_next(kit);
    }
    kit.set_next_item_width(160.0);
    let field = kit.input_text("##name", &mut local.name).auto_select_all(true).enter_returns_true(true);
    let is_entered = field.build();
    kit.item("event-name");
    let name = local.name.trim();
    if name.is_empty() {
        kit.text_colored(kit.theme.hurt, "An event needs a name.");
    }
    if is_entered && !name.is_empty() {
        let mut events = clip.events.clone();
        if events[at].name != name {
            events[at].name = name.to_owned();
            out.edit("name event", vec![Edit::SetEvents { clip: id, events }]);
        }
        out.push(TimeAction::Naming(None));
        kit.close_current_popup();
    }
}
