//! The editors of 1D and 2D blends: a pad with draggable points and a cross for the preview, above a list of the
//! clips.

use crate::editor::panels::ui::Ui;
use glam::Vec2;
use imgui::MouseButton;
use lucide_icons::Icon;

use crate::anim::machine::parts::{Line, LinePoint, Motion, Plane, PlanePoint, StateDef};
use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::gesture;
use crate::editor::panels::machine::state::{clip_picker, number_picker, set};
use crate::editor::panels::machine::transition::{labelled, line_end};
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Number, Tone};
use crate::editor::session::machine::{MachineAction, Shown};

/// Height of the line.
const HIGH: f32 = 44.0;
/// Distance within which a point is grabbed, in points.
const REACH: f32 = 11.0;

/// Draws a 1D blend.
pub fn line_ui(ui: &Ui<'_>, (model, graph): (&Model, &Graph), line: (&StateDef, &Line), drag: &mut Option<PadDrag>) {
    let (state, line) = line;
    let with = |line: Line| StateDef { motion: Motion::Line(line), ..state.clone() };
    let width = labelled(ui, "Parameter");
    if let Some(parameter) = number_picker(ui, graph.def.parts(), "blend-by", &line.parameter, None, width) {
        set(ui, with(Line { parameter, ..line.clone() }));
    }
    line_end(ui);
    let places: Vec<Vec2> = line.points.iter().map(|point| Vec2::new(point.at, 0.0)).collect();
    let pad = Pad::of(ui, &places, HIGH, Axes::One, *drag);
    pad.draw(ui, [&line.parameter, &line.parameter], &places);
    let (kept, moved) = pad.moved(ui, &[&line.parameter], &places);
    *drag = kept;
    if let Some((touch, at, place)) = moved {
        let mut moved = line.clone();
        moved.points[at].at = place.x;
        // A point stays between its neighbours, so that its index doesn't change during the drag.
        let low = at.checked_sub(1).map_or(f32::MIN, |before| line.points[before].at);
        let high = line.points.get(at + 1).map_or(f32::MAX, |after| after.at);
        moved.points[at].at = moved.points[at].at.clamp(low, high);
        gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(moved))));
    }
    for (at, point) in line.points.iter().enumerate() {
        let mut value = point.at;
        let row = Row::begin(ui, at, 64.0);
        let touch = widgets::number(ui, &format!("point{at}-at"), 64.0, &mut value, Number::new("%.2f", 0.01));
        let mut changed = line.clone();
        changed.points[at].at = value;
        gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(changed))));
        let mut changed = line.clone();
        match row.end(ui, model, &point.clip, line.points.len()) {
            Some(RowEdit::Clip(clip)) => changed.points[at].clip = clip,
            Some(RowEdit::Drop) => drop(changed.points.remove(at)),
            None => continue,
        }
        set(ui, with(changed));
    }
    let last = line.points.last().map_or(0.0, |point| point.at);
    if add_point(ui) {
        let mut changed = line.clone();
        let clip = line.points.last().map(|point| point.clip.clone()).unwrap_or_default();
        changed.points.push(LinePoint { at: last + 1.0, clip });
        set(ui, with(changed));
    }
    let mut damp = line.damp_secs;
    let touch = follow(ui, &mut damp);
    gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(Line { damp_secs: damp, ..line.clone() }))));
    line_end(ui);
}

/// Draws a 2D blend.
pub fn plane_ui(ui: &Ui<'_>, (model, graph): (&Model, &Graph), plane: (&StateDef, &Plane), drag: &mut Option<PadDrag>) {
    let (state, plane) = plane;
    let with = |plane: Plane| StateDef { motion: Motion::Plane(plane), ..state.clone() };
    for (axis, label) in ["X parameter", "Y parameter"].into_iter().enumerate() {
        let width = labelled(ui, label);
        let id = format!("blend-by{axis}");
        if let Some(parameter) = number_picker(ui, graph.def.parts(), &id, &plane.parameters[axis], None, width) {
            let mut changed = plane.clone();
            changed.parameters[axis] = parameter;
            set(ui, with(changed));
        }
        line_end(ui);
    }
    let places: Vec<Vec2> = plane.points.iter().map(|point| point.at).collect();
    let pad = Pad::of(ui, &places, ui.content_region_avail()[0].min(220.0), Axes::Two, *drag);
    let [x, y] = &plane.parameters;
    pad.draw(ui, [x, y], &places);
    let (kept, moved) = pad.moved(ui, &[x, y], &places);
    *drag = kept;
    if let Some((touch, at, place)) = moved {
        let mut moved = plane.clone();
        moved.points[at].at = place;
        gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(moved))));
    }
    for (at, point) in plane.points.iter().enumerate() {
        let row = Row::begin(ui, at, 108.0);
        for axis in 0..2 {
            let mut value = point.at[axis];
            ui.set_cursor_screen_pos([row.top[0] + axis as f32 * 54.0, row.top[1]]);
            let id = format!("point{at}-at{axis}");
            let touch = widgets::number(ui, &id, 52.0, &mut value, Number::new("%.2f", 0.01));
            let mut changed = plane.clone();
            changed.points[at].at[axis] = value;
            gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(changed))));
        }
        let mut changed = plane.clone();
        match row.end(ui, model, &point.clip, plane.points.len()) {
            Some(RowEdit::Clip(clip)) => changed.points[at].clip = clip,
            Some(RowEdit::Drop) => drop(changed.points.remove(at)),
            None => continue,
        }
        set(ui, with(changed));
    }
    if add_point(ui) {
        let mut changed = plane.clone();
        let last = plane.points.last().cloned().unwrap_or_default();
        changed.points.push(PlanePoint { at: last.at + Vec2::splat(0.5), clip: last.clip });
        set(ui, with(changed));
    }
    let mut damp = plane.damp_secs;
    let touch = follow(ui, &mut damp);
    gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(Plane { damp_secs: damp, ..plane.clone() }))));
    line_end(ui);
}

fn add_point(ui: &Ui<'_>) -> bool {
    let is_pressed = widgets::button(ui, "Add clip to blend##add-point", [180.0, FIELD], Tone::Bare);
    line_end(ui);
    is_pressed
}

fn follow(ui: &Ui<'_>, secs: &mut f32) -> widgets::Touch {
    let width = labelled(ui, "Damping");
    let how = Number { range: [0.0, 60.0], unit: "s", ..Number::new("%.3f", 0.002) };
    let touch = widgets::number(ui, "damp", width, secs, how);
    ui.tip("Time in which the blend follows its parameter; 0 follows immediately", "");
    touch
}

/// The row of a point: its position, its clip and a delete button.
struct Row {
    at: usize,
    top: [f32; 2],
    width: f32,
    numbers: f32,
}

enum RowEdit {
    Clip(String),
    Drop,
}

impl Row {
    fn begin(ui: &Ui<'_>, at: usize, numbers: f32) -> Row {
        Row { at, top: ui.cursor_screen_pos(), width: ui.content_region_avail()[0], numbers }
    }

    fn end(self, ui: &Ui<'_>, model: &Model, clip: &str, count: usize) -> Option<RowEdit> {
        let left = self.numbers + 4.0;
        ui.set_cursor_screen_pos([self.top[0] + left, self.top[1]]);
        let id = format!("point{}-clip", self.at);
        let chosen = clip_picker(ui, model, &id, clip, self.width - left - 26.0);
        ui.set_cursor_screen_pos([self.top[0] + self.width - 22.0, self.top[1]]);
        let tone = if count > 1 { Tone::Bare } else { Tone::Off };
        let id = format!("drop-point{}", self.at);
        let is_dropped = widgets::icon_button(ui, &id, Icon::X, [22.0, FIELD], tone);
        ui.end_at([self.top[0], self.top[1] + FIELD + 4.0]);
        if is_dropped { Some(RowEdit::Drop) } else { chosen.map(RowEdit::Clip) }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Axes {
    One,
    Two,
}

/// A drag in the pad. The displayed range doesn't change during it.
#[derive(Clone, Copy, Debug)]
pub struct PadDrag {
    /// The dragged point; `None` for the cross.
    point: Option<usize>,
    low: Vec2,
    high: Vec2,
}

/// The area in which points are dragged.
struct Pad {
    rect: Rect,
    low: Vec2,
    high: Vec2,
    axes: Axes,
    drag: Option<PadDrag>,
}

impl Pad {
    /// The pad at the cursor, with a margin around the points.
    fn of(ui: &Ui<'_>, places: &[Vec2], height: f32, axes: Axes, drag: Option<PadDrag>) -> Pad {
        let width = if axes == Axes::Two { height } else { ui.content_region_avail()[0] };
        let rect = Rect::at(ui.cursor_screen_pos(), [width, height]);
        let low = places.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let high = places.iter().copied().reduce(Vec2::max).unwrap_or_default();
        let room = ((high - low) * 0.25).max(Vec2::splat(0.25));
        let low = if axes == Axes::One && low.x >= 0.0 { low.min(Vec2::ZERO) } else { low - room };
        let (low, high) = drag.map_or((low, high + room), |drag| (drag.low, drag.high));
        Pad { rect, low, high, axes, drag }
    }

    fn screen(&self, place: Vec2) -> [f32; 2] {
        let part = (place - self.low) / (self.high - self.low);
        let [width, height] = self.rect.size();
        let y = if self.axes == Axes::One { 0.5 } else { 1.0 - part.y };
        [self.rect.min[0] + 8.0 + part.x * (width - 16.0), self.rect.min[1] + 8.0 + y * (height - 16.0)]
    }

    fn place(&self, at: [f32; 2]) -> Vec2 {
        let [width, height] = self.rect.size();
        let x = (at[0] - self.rect.min[0] - 8.0) / (width - 16.0);
        let y = 1.0 - (at[1] - self.rect.min[1] - 8.0) / (height - 16.0);
        self.low + (self.high - self.low) * Vec2::new(x.clamp(0.0, 1.0), y.clamp(0.0, 1.0))
    }

    fn draw(&self, ui: &Ui<'_>, parameters: [&str; 2], places: &[Vec2]) {
        ui.fill(self.rect, ui.theme.ground, 5.0);
        let middle = self.rect.center();
        let axis = faded(ui.theme.dim, 0.6);
        ui.line([self.rect.min[0] + 6.0, middle[1]], [self.rect.max[0] - 6.0, middle[1]], axis, 1.0);
        if self.axes == Axes::Two {
            ui.line([middle[0], self.rect.min[1] + 6.0], [middle[0], self.rect.max[1] - 6.0], axis, 1.0);
        }
        let preview = ui.session.focus.machine.preview.as_ref();
        let weights = preview.map(|preview| preview.machine.weights());
        let is_shown = preview.is_some_and(|preview| {
            ui.session.focus.machine.picked
                == crate::editor::session::machine::Picked::State(preview.machine.state_name().to_owned())
        });
        for (at, place) in places.iter().enumerate() {
            let weight = weights.filter(|_| is_shown).and_then(|weights| weights.get(at).copied()).unwrap_or(0.0);
            let center = self.screen(*place);
            if weight > 0.0 {
                ui.dot(center, 6.0 + 6.0 * weight, faded(ui.theme.keyed, 0.35));
            }
            ui.diamond(center, 6.0, ui.theme.accent, true);
            let _font = ui.with_font(ui.fonts.small);
            let text = Rect::at([center[0] - 20.0, center[1] - 21.0], [40.0, 14.0]);
            ui.text_in(text, Align::Center, ui.theme.quiet, &(at + 1).to_string());
        }
        let value = |name: &str| preview.and_then(|preview| preview.value(name));
        if let (Some(x), Some(y)) = (value(parameters[0]), value(parameters[1])) {
            let at = Vec2::new(x, y).clamp(self.low, self.high);
            let [x, y] = self.screen(at);
            ui.line([x - 7.0, y], [x + 7.0, y], ui.theme.keyed, 2.0);
            ui.line([x, y - 7.0], [x, y + 7.0], ui.theme.keyed, 2.0);
        }
    }

    /// Returns the drag that continues, and the moved point. A drag beside the points sets the preview's parameters.
    fn moved(
        &self,
        ui: &Ui<'_>,
        parameters: &[&str],
        places: &[Vec2],
    ) -> (Option<PadDrag>, Option<(widgets::Touch, usize, Vec2)>) {
        let after = ui.cursor_screen_pos();
        ui.set_cursor_screen_pos(self.rect.min);
        ui.invisible_button("##pad", self.rect.size());
        ui.item("blend-pad");
        let touch = widgets::touch(ui);
        ui.tip("Drag a point to move it; drag elsewhere to set the preview", "");
        ui.end_at([after[0], self.rect.max[1] + 6.0]);
        let mouse = ui.io().mouse_pos;
        let mut drag = self.drag;
        if touch.is_begun {
            let near = places.iter().map(|place| Vec2::from(self.screen(*place)).distance(Vec2::from(mouse)));
            let near = near.enumerate().filter(|(_, distance)| *distance < REACH).min_by(|a, b| a.1.total_cmp(&b.1));
            drag = Some(PadDrag { point: near.map(|(at, _)| at), low: self.low, high: self.high });
        }
        let Some(PadDrag { point, .. }) = drag else { return (None, None) };
        let place = self.place(mouse);
        let moves = ui.io().mouse_delta != [0.0; 2];
        let left = drag.filter(|_| !touch.is_ended && ui.is_mouse_down(MouseButton::Left));
        let Some(point) = point.filter(|point| *point < places.len()) else {
            if ui.session.focus.machine.preview.is_none() {
                ui.send(MachineAction::Preview(Shown::On));
            }
            for (parameter, value) in parameters.iter().zip(place.to_array()) {
                ui.send(MachineAction::Set((*parameter).to_owned(), value));
            }
            return (left, None);
        };
        let touch = widgets::Touch { is_changed: moves && !touch.is_begun, ..touch };
        (left, Some((touch, point, place)))
    }
}
