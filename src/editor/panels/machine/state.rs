//! The picked state: its motion, its playback and its transitions.

use crate::editor::panels::ui::Ui;
use glam::Vec2;
use lucide_icons::Icon;

use crate::anim::machine::parts::{
    Line, LinePoint, MachineParts, Motion, Pace, Plane, PlanePoint, Repeat, StateDef, TransitionSource, Value,
};
use crate::assets::machine::Graph;
use crate::assets::model::Model;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::naming::{Named, Naming, naming_ui};
use crate::editor::panels::machine::transition::{labelled, line_end, list};
use crate::editor::panels::machine::{MachinePanel, blend, edit, gesture};
use crate::editor::panels::ui::frame::icon;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Number, Tone};
use crate::editor::panels::window::layout;

/// Draws the fields of a state.
pub fn state_ui(ui: &Ui<'_>, (model, graph): (&Model, &Graph), name: &str, local: &mut MachinePanel) {
    let parts = graph.def.parts();
    let Some(state) = parts.states.iter().find(|state| state.name == name) else { return };
    head(ui, parts, name, &mut local.naming);
    layout::scrolled(ui, "##state", 0.0, || {
        ui.section("Motion");
        motion_kind(ui, parts, state);
        match &state.motion {
            Motion::Clip(clip) => {
                let width = labelled(ui, "Clip");
                if let Some(chosen) = clip_picker(ui, model, "state-clip", clip, width) {
                    set(ui, StateDef { motion: Motion::Clip(chosen), ..state.clone() });
                }
                line_end(ui);
            }
            Motion::Line(line) => blend::line_ui(ui, (model, graph), (state, line), &mut local.pad),
            Motion::Plane(plane) => blend::plane_ui(ui, (model, graph), (state, plane), &mut local.pad),
        }
        ui.section("Playback");
        pace(ui, graph, state);
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
    ui.set_cursor_screen_pos([rect.max[0] - 158.0, rect.min[1] + 1.0]);
    if widgets::button(ui, "Rename##rename-state", [64.0, 22.0], Tone::Bare) {
        *naming = Some(Naming::new(Named::State, name));
    }
    ui.set_cursor_screen_pos([rect.max[0] - 90.0, rect.min[1] + 1.0]);
    let is_start = parts.start == name;
    let (text, tone) = if is_start { ("start state", Tone::On) } else { ("set as start", Tone::Bare) };
    if widgets::button(ui, &format!("{text}##start-state"), [90.0, 22.0], tone) && !is_start {
        edit(ui, MachineEdit::SetStart(name.to_owned()));
    }
    ui.set_cursor_screen_pos([rect.min[0], rect.max[1] + 2.0]);
}

/// Replaces a state in one undo step.
pub fn set(ui: &Ui<'_>, state: StateDef) {
    edit(ui, MachineEdit::SetState(Box::new(state)));
}

fn motion_kind(ui: &Ui<'_>, parts: &MachineParts, state: &StateDef) {
    let top = ui.cursor_screen_pos();
    let each = (ui.content_region_avail()[0] - 8.0) / 3.0;
    let number = parts.parameters.iter().find(|it| matches!(it.value, Value::Number(_))).map(|it| it.name.clone());
    let clips: Vec<String> = state.motion.clips().map(str::to_owned).collect();
    let kinds = [("Clip", 0), ("1D blend", 1), ("2D blend", 2)];
    let now = state.motion.parameters().len();
    for (text, count) in kinds {
        ui.set_cursor_screen_pos([top[0] + count as f32 * (each + 4.0), top[1]]);
        let tone = match () {
            _ if count == now => Tone::On,
            _ if count > 0 && number.is_none() => Tone::Off,
            _ => Tone::Plain,
        };
        if widgets::button(ui, &format!("{text}##motion{count}"), [each, FIELD], tone) && count != now {
            let parameter = state.motion.parameters().first().cloned().or(number.clone()).unwrap_or_default();
            set(ui, StateDef { motion: turned(&clips, count, parameter), ..state.clone() });
        }
        ui.tip(if tone == Tone::Off { "Needs a number parameter" } else { text }, "");
    }
    line_end(ui);
}

/// Converts a motion to another kind with the same clips.
fn turned(clips: &[String], count: usize, parameter: String) -> Motion {
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

/// Draws a dropdown of clips. Returns a newly chosen one.
pub fn clip_picker(ui: &Ui<'_>, model: &Model, id: &str, now: &str, width: f32) -> Option<String> {
    let is_gone = !now.is_empty() && model.clip_named(now).is_none();
    let text = match (now, is_gone) {
        ("", _) => "rest pose".to_owned(),
        (clip, true) => format!("{clip} (gone)"),
        (clip, false) => clip.to_owned(),
    };
    let ink = if is_gone { ui.theme.hit } else { ui.theme.text };
    let _list = widgets::dropdown(ui, id, &text, ink, width)?;
    let mut chosen = menu::choice(ui, "rest pose##none", now.is_empty()).then(String::new);
    for slot in &model.clips {
        let name = slot.clip.name.as_str();
        if menu::choice(ui, &format!("{name}##clip{}", slot.id.0), name == now) {
            chosen = Some(name.to_owned());
        }
    }
    chosen.filter(|chosen| chosen != now)
}

/// Draws a dropdown of number parameters. Returns a newly chosen one; `none` is the entry for no parameter.
pub fn number_picker(
    ui: &Ui<'_>,
    parts: &MachineParts,
    id: &str,
    now: &str,
    none: Option<&str>,
    width: f32,
) -> Option<String> {
    let text = if now.is_empty() { none.unwrap_or_default() } else { now };
    let _list = widgets::dropdown(ui, id, text, ui.theme.text, width)?;
    let mut chosen = none.filter(|none| menu::choice(ui, none, now.is_empty())).map(|_| String::new());
    for parameter in parts.parameters.iter().filter(|it| matches!(it.value, Value::Number(_))) {
        if menu::choice(ui, &parameter.name, parameter.name == now) {
            chosen = Some(parameter.name.clone());
        }
    }
    chosen.filter(|chosen| chosen != now)
}

fn pace(ui: &Ui<'_>, graph: &Graph, state: &StateDef) {
    let parts = graph.def.parts();
    let first = parts.parameters.iter().find(|it| matches!(it.value, Value::Number(_))).map(|it| it.name.clone());
    let width = labelled(ui, "Driven by");
    let top = ui.cursor_screen_pos();
    let each = (width - 4.0) / 2.0;
    let is_time = matches!(state.pace, Pace::Time { .. });
    let tone = |is_on| if is_on { Tone::On } else { Tone::Plain };
    if widgets::button(ui, "Time##pace-time", [each, FIELD], tone(is_time)) && !is_time {
        set(ui, StateDef { pace: Pace::default(), ..state.clone() });
    }
    ui.tip("Driven by time", "");
    ui.set_cursor_screen_pos([top[0] + each + 4.0, top[1]]);
    let can = if first.is_none() && is_time { Tone::Off } else { tone(!is_time) };
    if widgets::button(ui, "Distance##pace-distance", [each, FIELD], can) && is_time {
        set(ui, StateDef { pace: Pace::Distance { by: first.clone().unwrap_or_default() }, ..state.clone() });
    }
    ui.tip("Driven by distance travelled, so feet don't slide", "");
    line_end(ui);
    let mut changed = state.clone();
    match &state.pace {
        Pace::Time { speed, by } => {
            let width = labelled(ui, "Speed");
            let top = ui.cursor_screen_pos();
            let mut value = *speed;
            let touch =
                widgets::number(ui, "speed", 72.0, &mut value, Number { unit: "×", ..Number::new("%.2f", 0.01) });
            changed.pace = Pace::Time { speed: value, by: by.clone() };
            gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(changed)));
            ui.set_cursor_screen_pos([top[0] + 76.0, top[1]]);
            if let Some(by) = number_picker(ui, parts, "speed-by", by, Some("no parameter"), width - 76.0) {
                set(ui, StateDef { pace: Pace::Time { speed: *speed, by }, ..state.clone() });
            }
            line_end(ui);
            repeat(ui, state);
        }
        Pace::Distance { by } => {
            let width = labelled(ui, "Speed (m/s)");
            if let Some(by) = number_picker(ui, parts, "distance-by", by, None, width) {
                set(ui, StateDef { pace: Pace::Distance { by }, ..state.clone() });
            }
            line_end(ui);
        }
    }
    let width = labelled(ui, "Start time");
    let mut secs = state.start_secs;
    let how = Number { range: [0.0, 60.0], unit: "s", ..Number::new("%.3f", 0.005) };
    let touch = widgets::number(ui, "start-secs", width, &mut secs, how);
    let changed = StateDef { start_secs: secs, ..state.clone() };
    gesture(ui, graph, touch, &MachineEdit::SetState(Box::new(changed)));
    line_end(ui);
}

fn repeat(ui: &Ui<'_>, state: &StateDef) {
    let kinds = [(Repeat::AsClip, "as in the clip"), (Repeat::Loop, "loop"), (Repeat::Once, "hold")];
    let width = labelled(ui, "At end");
    let text = kinds.iter().find(|(kind, _)| *kind == state.repeat).map_or("", |(_, text)| *text);
    if let Some(_list) = widgets::dropdown(ui, "repeat", text, ui.theme.text, width) {
        for (kind, text) in kinds {
            if menu::choice(ui, text, kind == state.repeat) && kind != state.repeat {
                set(ui, StateDef { repeat: kind, ..state.clone() });
            }
        }
    }
    line_end(ui);
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
