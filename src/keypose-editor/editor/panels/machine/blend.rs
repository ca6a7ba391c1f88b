//! The editor of 1D and 2D blends: a pad with draggable points and a cross for the preview, above a list of the
//! clips.

use glam::Vec2;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::blend_pad::{Pad, PadDrag};
use crate::editor::panels::machine::fields::{NO_CLIP, clips, numbers};
use crate::editor::panels::machine::gesture;
use crate::editor::panels::ui::form::{name_in, quantity};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{Line, LinePoint, Motion, Plane, PlanePoint, StateDef};
use keypose::assets::machine::Graph;

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

    /// Moves a point. In a 1D blend it stays between its neighbours, so that its index doesn't change.
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

/// Draws the blend of a state, if it has one.
pub fn blend_ui(
    form: &FormOf<'_, StateDef>,
    model: &Model,
    graph: &Graph,
    state: &StateDef,
    drag: &mut Option<PadDrag>,
) {
    let Some(blend) = Blend::of(&state.motion) else { return };
    let with = |blend: Blend| StateDef { motion: blend.motion(), ..state.clone() };
    let field = |draw: &mut dyn FnMut(&Form<'_>, &mut Blend) -> Touch| {
        form.field(|form, state| {
            let mut blend = blend.clone();
            let touch = draw(form, &mut blend);
            *state = with(blend);
            touch
        });
    };
    let labels: &[&str] = if blend.parameters.len() == 1 { &["Parameter"] } else { &["X parameter", "Y parameter"] };
    for (axis, label) in labels.iter().enumerate() {
        field(&mut |form, blend| form.name_of(label, None, numbers(graph.def.parts()), &mut blend.parameters[axis]));
    }
    field(&mut |form, _| {
        pad_ui(form.ui, graph, &blend, drag, with);
        Touch::default()
    });
    for at in 0..blend.points.len() {
        field(&mut |form, blend| form.line(|row| point_ui(form.ui, model, blend, at, row)));
    }
    field(&mut |form, blend| {
        let is_added = form.buttons(&[Button::new("Add clip to blend", "add-point", "")]).is_some();
        blend.add_point();
        if is_added { Touch::AT_ONCE } else { Touch::default() }
    });
    let how = Number::new("%.3f", 0.002).within(0.0, 60.0).unit("s");
    let tip = "Time in which the blend follows its parameter; 0 follows immediately";
    field(&mut |form, blend| form.number("Damping", tip, how, &mut blend.damp_secs));
}

fn pad_ui(ui: &Ui<'_>, graph: &Graph, blend: &Blend, drag: &mut Option<PadDrag>, with: impl Fn(Blend) -> StateDef) {
    let places: Vec<Vec2> = blend.points.iter().map(|(at, _)| *at).collect();
    let pad = Pad::at_cursor(ui, &blend.parameters, &places, *drag);
    pad.draw(ui);
    let (kept, moved) = pad.moved(ui);
    *drag = kept;
    if let Some((touch, at, place)) = moved {
        let mut blend = blend.clone();
        blend.move_point(at, place);
        gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(with(blend))));
    }
}

/// Draws the row of a point: its position, its clip and a delete button.
fn point_ui(ui: &Ui<'_>, model: &Model, blend: &mut Blend, at: usize, mut row: Rect) -> Touch {
    let (axes, count) = (blend.parameters.len(), blend.points.len());
    let (mut place, mut touch) = (blend.points[at].0, Touch::default());
    for axis in 0..axes {
        let field = row.cut_left(if axes == 1 { 64.0 } else { 52.0 }, GAP);
        let id = format!("point{at}-at{axis}");
        let moved = quantity(ui, field, &id, &mut place[axis], Number::new("%.2f", 0.01));
        touch = if moved == Touch::default() { touch } else { moved };
    }
    if touch.is_changed {
        blend.move_point(at, place);
    }
    let cross = row.cut_right(FIELD, GAP);
    let chosen = name_in(ui, row, &format!("point{at}-clip"), NO_CLIP, clips(model), &mut blend.points[at].1);
    let tone = if count > 1 { Tone::Bare } else { Tone::Off };
    if widgets::icon_button_at(ui, cross, &format!("drop-point{at}"), Icon::X, tone) {
        blend.points.remove(at);
        return Touch::AT_ONCE;
    }
    if chosen == Touch::default() { touch } else { chosen }
}
