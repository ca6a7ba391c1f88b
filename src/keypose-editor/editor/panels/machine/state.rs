//! The picked state: its motion, its playback and its transitions.

use glam::Vec2;

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::fields::{NO_CLIP, apply, clips, numbers};
use crate::editor::panels::machine::naming::{MachineItem, head_ui};
use crate::editor::panels::machine::transition::list;
use crate::editor::panels::machine::{MachinePanel, blend, edit};
use crate::editor::panels::ui::form;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::machine::parts::{
    Line, LinePoint, MachineParts, Motion, Pace, Plane, PlanePoint, Repeat, StateDef, TransitionSource,
};
use keypose::assets::machine::Graph;

/// Draws the fields of a state.
pub fn state_ui(ui: &Ui<'_>, model: &Model, graph: &Graph, name: &str, local: &mut MachinePanel) {
    let parts = graph.def.parts();
    let Some(state) = parts.states.iter().find(|state| state.name == name) else { return };
    let is_start = parts.start == name;
    let (label, tone) = if is_start { ("start state", Tone::On) } else { ("set as start", Tone::Bare) };
    let item = MachineItem::State(name.to_owned());
    if head_ui(ui, &mut local.naming, item, &format!("{label}##start-state"), tone) && !is_start {
        edit(ui, MachineEdit::SetStart(name.to_owned()));
    }
    widgets::scrolled(ui, "##state", 0.0, || {
        let apply = |touch, _, state| apply(ui, graph, touch, MachineEdit::SetState(Box::new(state)));
        let rows = Form::new(ui, "state-");
        let form = rows.of(state, "Edit state", &apply);
        ui.section("Motion");
        motion_kind(&form, parts, state);
        if let Motion::Clip(_) = state.motion {
            form.field(|form, state| match &mut state.motion {
                Motion::Clip(clip) => form.name_of("Clip", NO_CLIP, clips(model), clip),
                Motion::Line(_) | Motion::Plane(_) => Touch::default(),
            });
        }
        blend::blend_ui(&form, model, graph, state, &mut local.pad);
        ui.section("Playback");
        playback(&form, parts, state);
        ui.section("Transitions");
        list(ui, graph, |transition| transition.from == TransitionSource::State(name.to_owned()));
        add_transition(ui, parts, name);
        ui.dummy([0.0, 8.0]);
        if widgets::button(ui, "Delete state##delete-state", [140.0, 24.0], Tone::Bare) {
            edit(ui, MachineEdit::DeleteState(name.to_owned()));
        }
    });
}

fn motion_kind(form: &FormOf<'_, StateDef>, parts: &MachineParts, state: &StateDef) {
    let number = numbers(parts).next();
    let needs = "Needs a number parameter";
    let [line, plane] = if number.is_some() { ["1D blend", "2D blend"] } else { [needs; 2] };
    let kinds = [(0, "Clip", "Clip"), (1, "1D blend", line), (2, "2D blend", plane)];
    let now = state.motion.parameters().len();
    let tone = |count| {
        if count == now {
            Tone::On
        } else if count > 0 && number.is_none() {
            Tone::Off
        } else {
            Tone::Plain
        }
    };
    form.field(|form, state| {
        let Some(count) = form.line(|row| form::buttons(form.ui, row, "motion", &kinds, tone)) else {
            return Touch::default();
        };
        let clips: Vec<String> = state.motion.clips().map(str::to_owned).collect();
        let first = || number.unwrap_or_default().to_owned();
        let parameter = state.motion.parameters().first().cloned().unwrap_or_else(first);
        state.motion = converted(&clips, count, parameter);
        if count == now { Touch::default() } else { Touch::AT_ONCE }
    });
}

/// Converts a motion to another kind with the same clips.
fn converted(clips: &[String], count: usize, parameter: String) -> Motion {
    let clip = |at: usize| clips.get(at).or(clips.last()).cloned().unwrap_or_default();
    let count_of_points = clips.len().max(2);
    match count {
        0 => Motion::Clip(clip(0)),
        1 => {
            let points = (0..count_of_points).map(|at| LinePoint { at: at as f32, clip: clip(at) }).collect();
            Motion::Line(Line { parameter, damp_secs: 0.05, points })
        }
        _ => {
            let place = |at: usize| [Vec2::ZERO, Vec2::Y, Vec2::X, -Vec2::X, -Vec2::Y].get(at).copied();
            let point = |at: usize| PlanePoint { at: place(at).unwrap_or(Vec2::ONE * at as f32), clip: clip(at) };
            let points = (0..count_of_points).map(point).collect();
            Motion::Plane(Plane { parameters: [parameter.clone(), parameter], damp_secs: 0.05, points })
        }
    }
}

fn playback(form: &FormOf<'_, StateDef>, parts: &MachineParts, state: &StateDef) {
    form.field(|form, state| driver(form, parts, state));
    match &state.pace {
        Pace::Time { .. } => {
            form.field(|form, state| {
                let Pace::Time { speed, by } = &mut state.pace else { return Touch::default() };
                let how = Number::new("%.2f", 0.01).unit("×");
                let touch = form.number("Speed", "1 is the speed of the clip; negative plays backwards", how, speed);
                let scaled = form.name_of("Scaled by", Some("no parameter"), numbers(parts), by);
                if scaled == Touch::default() { touch } else { scaled }
            });
            let kinds = [(Repeat::AsClip, "as in the clip"), (Repeat::Loop, "loop"), (Repeat::Once, "hold")];
            form.menu("At end", &kinds, |state| &mut state.repeat);
        }
        Pace::Distance { .. } => form.field(|form, state| match &mut state.pace {
            Pace::Distance { by } => form.name_of("Speed (m/s)", None, numbers(parts), by),
            Pace::Time { .. } => Touch::default(),
        }),
    }
    let how = Number::new("%.3f", 0.005).within(0.0, 60.0).unit("s");
    form.number("Start time", "Time of the clip at which the state starts", how, |state| &mut state.start_secs);
}

/// Draws the choice between playback by time and by distance.
fn driver(form: &Form<'_>, parts: &MachineParts, state: &mut StateDef) -> Touch {
    let first = numbers(parts).next();
    let is_time = matches!(state.pace, Pace::Time { .. });
    let tone = |of_time: bool| {
        if of_time == is_time {
            Tone::On
        } else if !of_time && first.is_none() {
            Tone::Off
        } else {
            Tone::Plain
        }
    };
    let kinds =
        [(true, "Time", "Driven by time"), (false, "Distance", "Driven by distance travelled, so feet don't slide")];
    let wanted = form.row("Driven by", |field| form::buttons(form.ui, field, "pace", &kinds, tone));
    state.pace = match wanted.filter(|of_time| *of_time != is_time) {
        Some(true) => Pace::default(),
        Some(false) => Pace::Distance { by: first.unwrap_or_default().to_owned() },
        None => return Touch::default(),
    };
    Touch::AT_ONCE
}

fn add_transition(ui: &Ui<'_>, parts: &MachineParts, name: &str) {
    let place = ui.here([ui.room(), FIELD]);
    let (text, names) =
        (format!("{}  Add transition to", icon(Icon::Plus)), parts.states.iter().map(|it| it.name.as_str()));
    if let Some(at) = form::pick_in(ui, place, "add-transition", &text, ui.theme.quiet, names) {
        let from = TransitionSource::State(name.to_owned());
        edit(ui, MachineEdit::AddTransition { from, to: parts.states[at].name.clone() });
    }
}
