//! The picked state: its motion, its playback and its transitions.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field::Number;
use glam::Vec2;
use lucide_icons::Icon;

use crate::anim::machine::parts::{
    Line, LinePoint, MachineParts, Motion, Pace, Plane, PlanePoint, Repeat, StateDef, TransitionSource, Value,
};
use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::fields::{choice_row, clip_picker, labelled, number, number_picker, number_row};
use crate::editor::panels::machine::naming::{Named, Naming, naming_ui};
use crate::editor::panels::machine::transition::list;
use crate::editor::panels::machine::{MachinePanel, blend, edit};
use crate::editor::panels::ui::frame::icon;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Tone};
use crate::editor::panels::window::layout;

/// Draws the fields of a state.
pub fn state_ui(ui: &Ui<'_>, (model, graph): (&Model, &Graph), name: &str, local: &mut MachinePanel) {
    let parts = graph.def.parts();
    let Some(state) = parts.states.iter().find(|state| state.name == name) else { return };
    head(ui, parts, name, &mut local.naming);
    layout::scrolled(ui, "##state", 0.0, || {
        ui.section("Motion");
        motion_kind(ui, parts, state);
        if let Motion::Clip(clip) = &state.motion
            && let Some(chosen) = labelled(ui, "Clip", |field| clip_picker(ui, model, "state-clip", clip, field))
        {
            set(ui, StateDef { motion: Motion::Clip(chosen), ..state.clone() });
        }
        blend::blend_ui(ui, (model, graph), state, &mut local.pad);
        ui.section("Playback");
        playback(ui, graph, state);
        ui.section("Transitions");
        list(ui, graph, |transition| transition.from == TransitionSource::State(name.to_owned()));
        add_transition(ui, parts, name);
        ui.dummy([0.0, 8.0]);
        if widgets::button(ui, "Delete state##delete-state", [140.0, 24.0], Tone::Bare) {
            edit(ui, MachineEdit::DeleteState(name.to_owned()));
        }
    });
}

fn head(ui: &Ui<'_>, parts: &MachineParts, name: &str, naming: &mut Option<Naming>) {
    let width = ui.content_region_avail()[0];
    if naming_ui(ui, naming, Named::State, name, width - 4.0) {
        return;
    }
    let rect = layout::title(ui, name, "");
    let mut buttons = rect.inset(0.0, 1.0);
    let is_start = parts.start == name;
    let (text, tone) = if is_start { ("start state", Tone::On) } else { ("set as start", Tone::Bare) };
    let start = buttons.cut_right(90.0, 4.0);
    if widgets::button_at(ui, buttons.right(64.0), "Rename##rename-state", Tone::Bare) {
        *naming = Some(Naming::new(Named::State, name));
    }
    if widgets::button_at(ui, start, &format!("{text}##start-state"), tone) && !is_start {
        edit(ui, MachineEdit::SetStart(name.to_owned()));
    }
    ui.set_cursor_screen_pos([rect.min[0], rect.max[1] + 2.0]);
}

/// Replaces a state in one undo step.
fn set(ui: &Ui<'_>, state: StateDef) {
    edit(ui, MachineEdit::SetState(Box::new(state)));
}

/// The first number parameter.
fn first_number(parts: &MachineParts) -> Option<String> {
    parts.parameters.iter().find(|it| matches!(it.value, Value::Number(_))).map(|it| it.name.clone())
}

fn motion_kind(ui: &Ui<'_>, parts: &MachineParts, state: &StateDef) {
    let number = first_number(parts);
    let needs = "Needs a number parameter";
    let [line, plane] = if number.is_some() { ["1D blend", "2D blend"] } else { [needs; 2] };
    let kinds = [(0, "Clip", "Clip"), (1, "1D blend", line), (2, "2D blend", plane)];
    let now = state.motion.parameters().len();
    let tone = |count| match () {
        _ if count == now => Tone::On,
        _ if count > 0 && number.is_none() => Tone::Off,
        _ => Tone::Plain,
    };
    let row = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], FIELD]);
    let picked = rows::buttons(ui, row, "motion", &kinds, tone);
    ui.dummy([0.0, rows::GAP]);
    if let Some(count) = picked {
        let clips: Vec<String> = state.motion.clips().map(str::to_owned).collect();
        let parameter = state.motion.parameters().first().cloned().or(number.clone()).unwrap_or_default();
        set(ui, StateDef { motion: converted(&clips, count, parameter), ..state.clone() });
    }
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

fn playback(ui: &Ui<'_>, graph: &Graph, state: &StateDef) {
    let parts = graph.def.parts();
    driver(ui, parts, state);
    match &state.pace {
        Pace::Time { speed, by } => {
            speed_row(ui, graph, state, (*speed, by));
            let kinds = [(Repeat::AsClip, "as in the clip"), (Repeat::Loop, "loop"), (Repeat::Once, "hold")];
            if let Some(repeat) = choice_row(ui, "At end", &kinds, state.repeat) {
                set(ui, StateDef { repeat, ..state.clone() });
            }
        }
        Pace::Distance { by } => {
            let picked =
                labelled(ui, "Speed (m/s)", |field| number_picker(ui, parts, ("distance-by", by), None, field));
            if let Some(by) = picked {
                set(ui, StateDef { pace: Pace::Distance { by }, ..state.clone() });
            }
        }
    }
    let how = Number { range: [0.0, 60.0], unit: "s", ..Number::new("%.3f", 0.005) };
    let about = ("Start time", "start-secs", "Time of the clip at which the state starts");
    number_row(ui, graph, about, (state.start_secs, how), |start_secs| {
        MachineEdit::SetState(Box::new(StateDef { start_secs, ..state.clone() }))
    });
}

/// Draws the choice between playback by time and by distance.
fn driver(ui: &Ui<'_>, parts: &MachineParts, state: &StateDef) {
    let first = first_number(parts);
    let is_time = matches!(state.pace, Pace::Time { .. });
    let tone = |of_time: bool| match () {
        _ if of_time == is_time => Tone::On,
        _ if !of_time && first.is_none() => Tone::Off,
        _ => Tone::Plain,
    };
    let kinds =
        [(true, "Time", "Driven by time"), (false, "Distance", "Driven by distance travelled, so feet don't slide")];
    let pace = match labelled(ui, "Driven by", |field| rows::buttons(ui, field, "pace", &kinds, tone)) {
        Some(true) => Pace::default(),
        Some(false) => Pace::Distance { by: first.clone().unwrap_or_default() },
        None => return,
    };
    set(ui, StateDef { pace, ..state.clone() });
}

/// Draws the playback speed and the parameter that scales it.
fn speed_row(ui: &Ui<'_>, graph: &Graph, state: &StateDef, (speed, by): (f32, &str)) {
    let how = Number { unit: "×", ..Number::new("%.2f", 0.01) };
    let with = |speed, by: &str| StateDef { pace: Pace::Time { speed, by: by.to_owned() }, ..state.clone() };
    labelled(ui, "Speed", |mut field| {
        let factor = field.cut_left(72.0, rows::GAP);
        number(ui, graph, ("speed", factor), (speed, how), |speed| MachineEdit::SetState(Box::new(with(speed, by))));
        if let Some(by) = number_picker(ui, graph.def.parts(), ("speed-by", by), Some("no parameter"), field) {
            set(ui, with(speed, &by));
        }
    });
}

fn add_transition(ui: &Ui<'_>, parts: &MachineParts, name: &str) {
    let width = ui.content_region_avail()[0];
    let text = format!("{}  Add transition to", icon(Icon::Plus));
    if let Some(_list) = widgets::dropdown(ui, "add-transition", &text, ui.theme.quiet, width) {
        for state in &parts.states {
            if menu::item(ui, &format!("{}##to", state.name), "") {
                edit(
                    ui,
                    MachineEdit::AddTransition {
                        from: TransitionSource::State(name.to_owned()),
                        to: state.name.clone(),
                    },
                );
            }
        }
    }
}
