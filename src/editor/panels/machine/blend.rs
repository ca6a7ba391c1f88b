//! The editor of 1D and 2D blends: a pad with draggable points and a cross for the preview, above a list of the
//! clips.

use glam::Vec2;
use lucide_icons::Icon;

use crate::anim::machine::parts::{Line, LinePoint, Motion, Plane, PlanePoint, StateDef};
use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::blend_pad::{Pad, PadDrag};
use crate::editor::panels::machine::fields::{clip_picker, labelled, number, number_picker, number_row};
use crate::editor::panels::machine::{edit, gesture};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows::GAP;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Tone};

/// A 1D or 2D blend. The points of a 1D blend have y = 0.
#[derive(Clone)]
struct Blend {
    /// One parameter per axis.
    parameters: Vec<String>,
    /// Positions and clips.
    points: Vec<(Vec2, String)>,
    damp_secs: f32,
}

impl Blend {
    /// The blend of a motion; `None` for a single clip.
    fn of(motion: &Motion) -> Option<Blend> {
        match motion {
            Motion::Clip(_) => None,
            Motion::Line(line) => Some(Blend {
                parameters: vec![line.parameter.clone()],
                points: line.points.iter().map(|point| (Vec2::new(point.at, 0.0), point.clip.clone())).collect(),
                damp_secs: line.damp_secs,
            }),
            Motion::Plane(plane) => Some(Blend {
                parameters: plane.parameters.to_vec(),
                points: plane.points.iter().map(|point| (point.at, point.clip.clone())).collect(),
                damp_secs: plane.damp_secs,
            }),
        }
    }

    fn motion(self) -> Motion {
        let Blend { parameters, points, damp_secs } = self;
        match <[String; 2]>::try_from(parameters) {
            Ok(parameters) => {
                let points = points.into_iter().map(|(at, clip)| PlanePoint { at, clip }).collect();
                Motion::Plane(Plane { parameters, damp_secs, points })
            }
            Err(mut parameters) => {
                let points = points.into_iter().map(|(at, clip)| LinePoint { at: at.x, clip }).collect();
                Motion::Line(Line { parameter: parameters.pop().unwrap_or_default(), damp_secs, points })
            }
        }
    }

    /// Moves a point. In a 1D blend it stays between its neighbours, so that its index doesn't change during a drag.
    fn move_point(&mut self, at: usize, mut place: Vec2) {
        if self.parameters.len() == 1 {
            let low = at.checked_sub(1).map_or(f32::MIN, |before| self.points[before].0.x);
            let high = self.points.get(at + 1).map_or(f32::MAX, |after| after.0.x);
            place = Vec2::new(place.x.clamp(low, high), 0.0);
        }
        self.points[at].0 = place;
    }

    /// Adds a point beside the last one, with its clip.
    fn add_point(&mut self) {
        let step = if self.parameters.len() == 1 { Vec2::X } else { Vec2::splat(0.5) };
        let (at, clip) = self.points.last().cloned().unwrap_or_default();
        self.points.push((at + step, clip));
    }
}

/// What the rows of a blend need.
struct BlendUi<'a> {
    model: &'a Model,
    graph: &'a Graph,
    state: &'a StateDef,
    blend: Blend,
}

/// Draws the blend of a state, if it has one.
pub fn blend_ui(ui: &Ui<'_>, (model, graph): (&Model, &Graph), state: &StateDef, drag: &mut Option<PadDrag>) {
    let Some(blend) = Blend::of(&state.motion) else { return };
    let rows = BlendUi { model, graph, state, blend };
    rows.parameters(ui);
    rows.pad(ui, drag);
    for at in 0..rows.blend.points.len() {
        rows.point(ui, at);
    }
    if widgets::button(ui, "Add clip to blend##add-point", [180.0, FIELD], Tone::Bare) {
        edit(ui, rows.edit(Blend::add_point));
    }
    ui.dummy([0.0, GAP]);
    let how = Number { range: [0.0, 60.0], unit: "s", ..Number::new("%.3f", 0.002) };
    let tip = "Time in which the blend follows its parameter; 0 follows immediately";
    number_row(ui, graph, ("Damping", "damp", tip), (rows.blend.damp_secs, how), |secs| {
        rows.edit(|blend| blend.damp_secs = secs)
    });
}

impl BlendUi<'_> {
    /// The edit that changes the blend.
    fn edit(&self, change: impl FnOnce(&mut Blend)) -> MachineEdit {
        let mut blend = self.blend.clone();
        change(&mut blend);
        MachineEdit::SetState(Box::new(StateDef { motion: blend.motion(), ..self.state.clone() }))
    }

    fn parameters(&self, ui: &Ui<'_>) {
        let labels: &[&str] =
            if self.blend.parameters.len() == 1 { &["Parameter"] } else { &["X parameter", "Y parameter"] };
        for (axis, (label, now)) in labels.iter().zip(&self.blend.parameters).enumerate() {
            let id = format!("blend-by{axis}");
            let picked =
                labelled(ui, label, |field| number_picker(ui, self.graph.def.parts(), (&id, now), None, field));
            if let Some(parameter) = picked {
                edit(ui, self.edit(|blend| blend.parameters[axis] = parameter));
            }
        }
    }

    fn pad(&self, ui: &Ui<'_>, drag: &mut Option<PadDrag>) {
        let places: Vec<Vec2> = self.blend.points.iter().map(|(at, _)| *at).collect();
        let pad = Pad::at_cursor(ui, &self.blend.parameters, &places, *drag);
        pad.draw(ui);
        let (kept, moved) = pad.moved(ui);
        *drag = kept;
        if let Some((touch, at, place)) = moved {
            gesture(ui, self.graph, touch, &self.edit(|blend| blend.move_point(at, place)));
        }
    }

    /// Draws the row of a point: its position, its clip and a delete button.
    fn point(&self, ui: &Ui<'_>, at: usize) {
        let top = ui.cursor_screen_pos();
        let mut rest = Rect::at(top, [ui.content_region_avail()[0], FIELD]);
        let (place, clip) = &self.blend.points[at];
        let (width, gap) = if self.blend.parameters.len() == 1 { (64.0, 0.0) } else { (52.0, 2.0) };
        for axis in 0..self.blend.parameters.len() {
            let field = rest.cut_left(width, gap);
            let id = format!("point{at}-at{axis}");
            number(ui, self.graph, (&id, field), (place[axis], Number::new("%.2f", 0.01)), |value| {
                self.edit(|blend| blend.points[at].0[axis] = value)
            });
        }
        let cross = rest.cut_right(22.0, GAP);
        let picked = clip_picker(ui, self.model, &format!("point{at}-clip"), clip, rest.trim_left(GAP));
        if let Some(clip) = picked {
            edit(ui, self.edit(|blend| blend.points[at].1 = clip));
        }
        let tone = if self.blend.points.len() > 1 { Tone::Bare } else { Tone::Off };
        if widgets::icon_button_at(ui, cross, &format!("drop-point{at}"), Icon::X, tone) {
            edit(ui, self.edit(|blend| drop(blend.points.remove(at))));
        }
        ui.end_at([top[0], top[1] + FIELD + GAP]);
    }
}
