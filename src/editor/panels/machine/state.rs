//! What is picked: a state with what it shows, what brings it on, and where it leads.

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
use crate::editor::panels::machine::{MachineLocal, blend, edit, gesture};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Kit, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Number, Tone};
use crate::editor::panels::window::layout;

/// Fields of a state.
pub fn state_ui(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    (model, graph): (&Model, &Graph),
    name: &str,
    local: &mut MachineLocal,
    out: &mut Out,
) {
    let parts = graph.def.parts();
    let Some(state) = parts.states.iter().find(|state| state.name == name) else { return };
    head(kit, parts, name, &mut local.naming, out);
    layout::scrolled(kit, "##state", 0.0, || {
        kit.section("Shows");
        motion_kind(kit, parts, state, out);
        match &state.motion {
            Motion::Clip(clip) => {
                let width = labelled(kit, "Clip");
                if let Some(chosen) = clip_picker(kit, model, "state-clip", clip, width) {
                    set(out, StateDef { motion: Motion::Clip(chosen), ..state.clone() });
                }
                line_end(kit);
            }
            Motion::Line(line) => blend::line_ui(kit, seen, (model, graph), (state, line), &mut local.pad, out),
            Motion::Plane(plane) => blend::plane_ui(kit, seen, (model, graph), (state, plane), &mut local.pad, out),
        }
        kit.section("Goes on by");
        pace(kit, seen, graph, state, out);
        kit.section("Leads to");
        list(kit, seen, graph, |transition| transition.from == TransitionSource::State(name.to_owned()), out);
        add_transition(kit, parts, name, out);
        kit.dummy([0.0, 8.0]);
        if widgets::button(kit, "Delete the state##delete-state", [140.0, 24.0], Tone::Bare) {
            edit(out, MachineEdit::DeleteState(name.to_owned()));
        }
    });
}

fn head(kit: &Kit<'_>, parts: &MachineParts, name: &str, naming: &mut Option<Naming>, out: &mut Out) {
    let width = kit.content_region_avail()[0];
    if naming_ui(kit, naming, Named::State, name, width - 4.0, out) {
        return;
    }
    let rect = layout::title(kit, name, "");
    kit.set_cursor_screen_pos([rect.max[0] - 158.0, rect.min[1] + 1.0]);
    if widgets::button(kit, "Rename##rename-state", [64.0, 22.0], Tone::Bare) {
        *naming = Some(Naming::new(Named::State, name));
    }
    kit.set_cursor_screen_pos([rect.max[0] - 90.0, rect.min[1] + 1.0]);
    let is_start = parts.start == name;
    let (text, tone) = if is_start { ("starts here", Tone::On) } else { ("start here", Tone::Bare) };
    if widgets::button(kit, &format!("{text}##start-state"), [90.0, 22.0], tone) && !is_start {
        edit(out, MachineEdit::SetStart(name.to_owned()));
    }
    kit.set_cursor_screen_pos([rect.min[0], rect.max[1] + 2.0]);
}

/// One step for a whole state.
pub fn set(out: &mut Out, state: StateDef) {
    edit(out, MachineEdit::SetState(Box::new(state)));
}

fn motion_kind(kit: &Kit<'_>, parts: &MachineParts, state: &StateDef, out: &mut Out) {
    let top = kit.cursor_screen_pos();
    let each = (kit.content_region_avail()[0] - 8.0) / 3.0;
    let number = parts.parameters.iter().find(|it| matches!(it.value, Value::Number(_))).map(|it| it.name.clone());
    let clips: Vec<String> = state.motion.clips().map(str::to_owned).collect();
    let kinds = [("One clip", 0), ("Blend by one", 1), ("Blend by two", 2)];
    let now = state.motion.parameters().len();
    for (text, count) in kinds {
        kit.set_cursor_screen_pos([top[0] + count as f32 * (each + 4.0), top[1]]);
        let tone = match () {
            _ if count == now => Tone::On,
            _ if count > 0 && number.is_none() => Tone::Off,
            _ => Tone::Plain,
        };
        if widgets::button(kit, &format!("{text}##motion{count}"), [each, FIELD], tone) && count != now {
            let parameter = state.motion.parameters().first().cloned().or(number.clone()).unwrap_or_default();
            set(out, StateDef { motion: turned(&clips, count, parameter), ..state.clone() });
        }
        kit.tip(if tone == Tone::Off { "It needs a parameter that is a number" } else { text }, "");
    }
    line_end(kit);
}

/// The same clips in another kind of motion.
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

/// A field that offers the clips; the one that was chosen.
pub fn clip_picker(kit: &Kit<'_>, model: &Model, id: &str, now: &str, width: f32) -> Option<String> {
    let is_gone = !now.is_empty() && model.clip_named(now).is_none();
    let text = match (now, is_gone) {
        ("", _) => "rest pose".to_owned(),
        (clip, true) => format!("{clip} (gone)"),
        (clip, false) => clip.to_owned(),
    };
    let ink = if is_gone { kit.theme.hit } else { kit.theme.text };
    let _list = widgets::dropdown(kit, id, &text, ink, width)?;
    let mut chosen = menu::choice(kit, "rest pose##none", now.is_empty()).then(String::new);
    for slot in &model.clips {
        let name = slot.clip.name.as_str();
        if menu::choice(kit, &format!("{name}##clip{}", slot.id.0), name == now) {
            chosen = Some(name.to_owned());
        }
    }
    chosen.filter(|chosen| chosen != now)
}

/// A field that offers the numbers among the parameters; the one that was chosen. `none` is the text for none.
pub fn number_picker(
    kit: &Kit<'_>,
    parts: &MachineParts,
    id: &str,
    now: &str,
    none: Option<&str>,
    width: f32,
) -> Option<String> {
    let text = if now.is_empty() { none.unwrap_or_default() } else { now };
    let _list = widgets::dropdown(kit, id, text, kit.theme.text, width)?;
    let mut chosen = none.filter(|none| menu::choice(kit, none, now.is_empty())).map(|_| String::new());
    for parameter in parts.parameters.iter().filter(|it| matches!(it.value, Value::Number(_))) {
        if menu::choice(kit, &parameter.name, parameter.name == now) {
            chosen = Some(parameter.name.clone());
        }
    }
    chosen.filter(|chosen| chosen != now)
}

fn pace(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, state: &StateDef, out: &mut Out) {
    let parts = graph.def.parts();
    let first = parts.parameters.iter().find(|it| matches!(it.value, Value::Number(_))).map(|it| it.name.clone());
    let width = labelled(kit, "Pace");
    let top = kit.cursor_screen_pos();
    let each = (width - 4.0) / 2.0;
    let is_time = matches!(state.pace, Pace::Time { .. });
    let tone = |is_on| if is_on { Tone::On } else { Tone::Plain };
    if widgets::button(kit, "Time##pace-time", [each, FIELD], tone(is_time)) && !is_time {
        set(out, StateDef { pace: Pace::default(), ..state.clone() });
    }
    kit.tip("The clip plays as time passes", "");
    kit.set_cursor_screen_pos([top[0] + each + 4.0, top[1]]);
    let can = if first.is_none() && is_time { Tone::Off } else { tone(!is_time) };
    if widgets::button(kit, "Distance##pace-distance", [each, FIELD], can) && is_time {
        set(out, StateDef { pace: Pace::Distance { by: first.clone().unwrap_or_default() }, ..state.clone() });
    }
    kit.tip("The clip follows the way that was gone: feet and hands don't slide", "");
    line_end(kit);
    let mut changed = state.clone();
    match &state.pace {
        Pace::Time { speed, by } => {
            let width = labelled(kit, "Speed");
            let top = kit.cursor_screen_pos();
            let mut value = *speed;
            let touch =
                widgets::number(kit, "speed", 72.0, &mut value, Number { unit: "×", ..Number::new("%.2f", 0.01) });
            changed.pace = Pace::Time { speed: value, by: by.clone() };
            gesture(out, seen, graph, touch, &MachineEdit::SetState(Box::new(changed)));
            kit.set_cursor_screen_pos([top[0] + 76.0, top[1]]);
            if let Some(by) = number_picker(kit, parts, "speed-by", by, Some("times nothing else"), width - 76.0) {
                set(out, StateDef { pace: Pace::Time { speed: *speed, by }, ..state.clone() });
            }
            line_end(kit);
            repeat(kit, state, out);
        }
        Pace::Distance { by } => {
            let width = labelled(kit, "Metres a s");
            if let Some(by) = number_picker(kit, parts, "distance-by", by, None, width) {
                set(out, StateDef { pace: Pace::Distance { by }, ..state.clone() });
            }
            line_end(kit);
        }
    }
    let width = labelled(kit, "Begins at");
    let mut secs = state.start_secs;
    let how = Number { range: [0.0, 60.0], unit: "s", ..Number::new("%.3f", 0.005) };
    let touch = widgets::number(kit, "start-secs", width, &mut secs, how);
    let changed = StateDef { start_secs: secs, ..state.clone() };
    gesture(out, seen, graph, touch, &MachineEdit::SetState(Box::new(changed)));
    line_end(kit);
}

fn repeat(kit: &Kit<'_>, state: &StateDef, out: &mut Out) {
    let kinds =
        [(Repeat::AsClip, "as the clip says"), (Repeat::Loop, "from the start again"), (Repeat::Once, "holds its end")];
    let width = labelled(kit, "At its end");
    let text = kinds.iter().find(|(kind, _)| *kind == state.repeat).map_or("", |(_, text)| *text);
    if let Some(_list) = widgets::dropdown(kit, "repeat", text, kit.theme.text, width) {
        for (kind, text) in kinds {
            if menu::choice(kit, text, kind == state.repeat) && kind != state.repeat {
                set(out, StateDef { repeat: kind, ..state.clone() });
            }
        }
    }
    line_end(kit);
}

fn add_transition(kit: &Kit<'_>, parts: &MachineParts, name: &str, out: &mut Out) {
    let width = kit.content_region_avail()[0];
    let text = format!("{}  Add a transition to", icon(Icon::Plus));
    if let Some(_list) = widgets::dropdown(kit, "add-transition", &text, kit.theme.quiet, width) {
        for state in &parts.states {
            if menu::item(kit, &format!("{}##to", state.name), "") {
                edit(
                    out,
                    MachineEdit::AddTransition {
                        from: TransitionSource::State(name.to_owned()),
                        to: state.name.clone(),
                    },
                );
            }
        }
    }
}
