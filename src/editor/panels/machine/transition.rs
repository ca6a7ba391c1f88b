//! The picked transition: its conditions, exit time, fade and interruption. Also the list of transitions from any
//! state.

use crate::editor::panels::ui::Ui;
use lucide_icons::Icon;

use crate::anim::machine::parts::{
    Condition, FadeKind, Interrupt, MachineParts, TransitionDef, TransitionSource, Value,
};
use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::{arrows, edit, gesture};
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Number, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::machine::{MachineAction, Picked};

/// Width of the labels before fields.
const LABEL: f32 = 84.0;

/// Draws the fields of a transition.
pub fn transition_ui(ui: &Ui<'_>, graph: &Graph, at: usize) {
    let transition = &graph.def.parts().transitions[at];
    let from = match &transition.from {
        TransitionSource::Any => "any state",
        TransitionSource::State(name) => name,
    };
    let place = format!("{} of {}", at + 1, graph.def.parts().transitions.len());
    layout::title(ui, &format!("{from} {} {}", icon(Icon::ArrowRight), transition.to), &place);
    layout::scrolled(ui, "##transition", 0.0, || {
        ui.section("Conditions");
        conditions(ui, graph.def.parts(), at, transition);
        exit(ui, graph, at, transition);
        ui.section("Transition");
        fade(ui, graph, at, transition);
        interrupt(ui, at, transition);
        ui.dummy([0.0, 10.0]);
        order(ui, graph, at);
    });
}

fn set(ui: &Ui<'_>, at: usize, transition: TransitionDef) {
    edit(ui, MachineEdit::SetTransition { at, transition: Box::new(transition) });
}

/// Draws a label and moves the cursor to its field. Returns the field's width.
pub fn labelled(ui: &Ui<'_>, label: &str) -> f32 {
    let top = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    ui.text_in(Rect::at(top, [LABEL - 4.0, FIELD]), Align::Left, ui.theme.quiet, label);
    ui.set_cursor_screen_pos([top[0] + LABEL, top[1]]);
    width - LABEL
}

/// Adds space after a line of fields.
pub fn line_end(ui: &Ui<'_>) {
    ui.dummy([0.0, 4.0]);
}

fn conditions(ui: &Ui<'_>, parts: &MachineParts, at: usize, transition: &TransitionDef) {
    let mut wanted = None;
    for (index, condition) in transition.conditions.iter().enumerate() {
        let _id = ui.push_id_usize(index);
        let top = ui.cursor_screen_pos();
        let width = ui.content_region_avail()[0];
        let named = width * 0.42;
        if let Some(_list) =
            widgets::dropdown(ui, &format!("parameter{index}"), condition.parameter(), ui.theme.text, named)
        {
            for parameter in &parts.parameters {
                if menu::choice(ui, &parameter.name, parameter.name == condition.parameter()) {
                    wanted = Some((index, Some(first_of(&parameter.name, parameter.value))));
                }
            }
        }
        ui.set_cursor_screen_pos([top[0] + named + 4.0, top[1]]);
        if let Some(changed) = test(ui, index, condition, width - named - 30.0) {
            wanted = Some((index, Some(changed)));
        }
        ui.set_cursor_screen_pos([top[0] + width - 22.0, top[1]]);
        if widgets::icon_button(ui, &format!("drop-condition{index}"), Icon::X, [22.0, FIELD], Tone::Bare) {
            wanted = Some((index, None));
        }
        ui.end_at([top[0], top[1] + FIELD + 4.0]);
    }
    let mut changed = transition.clone();
    match wanted {
        Some((index, Some(condition))) => changed.conditions[index] = condition,
        Some((index, None)) => drop(changed.conditions.remove(index)),
        None => {}
    }
    let width = ui.content_region_avail()[0];
    if let Some(_list) = widgets::dropdown(ui, "add-condition", "Add condition", ui.theme.quiet, width) {
        for parameter in &parts.parameters {
            if menu::item(ui, &parameter.name, "") {
                changed.conditions.push(first_of(&parameter.name, parameter.value));
                // The first condition replaces the exit time.
                if transition.conditions.is_empty() {
                    changed.exit_time = None;
                }
            }
        }
    }
    line_end(ui);
    if changed != *transition {
        if changed.conditions.is_empty() && changed.exit_time.is_none() {
            changed.exit_time = Some(1.0);
        }
        set(ui, at, changed);
    }
}

/// The condition that a parameter starts with.
fn first_of(parameter: &str, value: Value) -> Condition {
    let parameter = parameter.to_owned();
    match value {
        Value::Number(_) => Condition::Above { parameter, value: 0.0 },
        Value::Switch(_) => Condition::On { parameter },
        Value::Trigger => Condition::Fired { parameter },
    }
}

/// Draws the comparison of a condition. Returns the changed condition.
fn test(ui: &Ui<'_>, index: usize, condition: &Condition, width: f32) -> Option<Condition> {
    let parameter = condition.parameter().to_owned();
    let button = |text: &str| widgets::button(ui, &format!("{text}##test{index}"), [width, FIELD], Tone::Plain);
    match *condition {
        Condition::On { .. } => button("is on").then_some(Condition::Off { parameter }),
        Condition::Off { .. } => button("is off").then_some(Condition::On { parameter }),
        Condition::Fired { .. } => {
            ui.text_in(Rect::at(ui.cursor_screen_pos(), [width, FIELD]), Align::Center, ui.theme.quiet, "is fired");
            None
        }
        Condition::Above { mut value, .. } | Condition::Below { mut value, .. } => {
            let is_above = matches!(condition, Condition::Above { .. });
            let top = ui.cursor_screen_pos();
            let word = if is_above { "above" } else { "below" };
            let is_turned = widgets::button(ui, &format!("{word}##test{index}"), [56.0, FIELD], Tone::Plain);
            ui.set_cursor_screen_pos([top[0] + 60.0, top[1]]);
            let touch =
                widgets::number(ui, &format!("than{index}"), width - 60.0, &mut value, Number::new("%.2f", 0.01));
            let made = |is_above, value| match is_above {
                true => Condition::Above { parameter, value },
                false => Condition::Below { parameter, value },
            };
            (is_turned || touch.is_changed).then(|| made(is_above != is_turned, value))
        }
    }
}

fn exit(ui: &Ui<'_>, graph: &Graph, at: usize, transition: &TransitionDef) {
    let width = labelled(ui, "Exit time");
    let top = ui.cursor_screen_pos();
    let Some(rounds) = transition.exit_time else {
        if widgets::button(ui, "none##exit", [width, FIELD], Tone::Plain) {
            set(ui, at, TransitionDef { exit_time: Some(1.0), ..transition.clone() });
        }
        ui.tip("Add an exit time: wait for the end of the clip", "");
        return line_end(ui);
    };
    let mut rounds = rounds;
    let how = Number { range: [0.0, 1000.0], unit: "rounds", ..Number::new("%.2f", 0.01) };
    let touch = widgets::number(ui, "exit-rounds", width - 26.0, &mut rounds, how);
    let changed = TransitionDef { exit_time: Some(rounds), ..transition.clone() };
    gesture(ui, graph, touch, &MachineEdit::SetTransition { at, transition: Box::new(changed) });
    ui.tip("Exit time, in loops of the clip (1 = its end)", "");
    ui.set_cursor_screen_pos([top[0] + width - 22.0, top[1]]);
    let tone = if transition.conditions.is_empty() { Tone::Off } else { Tone::Bare };
    if widgets::icon_button(ui, "no-exit", Icon::X, [22.0, FIELD], tone) {
        set(ui, at, TransitionDef { exit_time: None, ..transition.clone() });
    }
    ui.tip("Remove the exit time; requires a condition", "");
    line_end(ui);
}

fn fade(ui: &Ui<'_>, graph: &Graph, at: usize, transition: &TransitionDef) {
    let kinds = [
        (FadeKind::Cross, "Cross", "Cross-fade: both states play"),
        (FadeKind::Matched, "Matched", "Cross-fade with both clips at the same phase, so steps match"),
        (FadeKind::Inertial, "Inertial", "Inertialization: the old state stops and the difference decays"),
    ];
    let width = labelled(ui, "Fade");
    let top = ui.cursor_screen_pos();
    let each = (width - 8.0) / 3.0;
    for (index, (kind, text, tip)) in kinds.into_iter().enumerate() {
        ui.set_cursor_screen_pos([top[0] + index as f32 * (each + 4.0), top[1]]);
        let tone = if transition.fade.kind == kind { Tone::On } else { Tone::Plain };
        if widgets::button(ui, &format!("{text}##fade-{text}"), [each, FIELD], tone) && transition.fade.kind != kind {
            let mut changed = transition.clone();
            changed.fade.kind = kind;
            set(ui, at, changed);
        }
        ui.tip(tip, "");
    }
    line_end(ui);
    let width = labelled(ui, "Duration");
    let mut ticks = transition.fade.secs * 60.0;
    let how = Number { range: [0.0, 3600.0], unit: "ticks", ..Number::new("%.0f", 0.1) };
    let touch = widgets::number(ui, "fade-ticks", width, &mut ticks, how);
    let mut changed = transition.clone();
    changed.fade.secs = ticks.round() / 60.0;
    gesture(ui, graph, touch, &MachineEdit::SetTransition { at, transition: Box::new(changed) });
    ui.tip("Duration in ticks of 1/60 s; 0 cuts", "");
    line_end(ui);
}

fn interrupt(ui: &Ui<'_>, at: usize, transition: &TransitionDef) {
    let rules = [
        (Interrupt::Target, "transitions of the new state"),
        (Interrupt::Source, "earlier transitions in the list"),
        (Interrupt::Either, "both"),
        (Interrupt::Never, "none"),
    ];
    let width = labelled(ui, "Interrupt");
    let text = rules.iter().find(|(rule, _)| *rule == transition.interrupt).map_or("", |(_, text)| *text);
    if let Some(_list) = widgets::dropdown(ui, "interrupt", text, ui.theme.text, width) {
        for (rule, text) in rules {
            if menu::choice(ui, text, rule == transition.interrupt) && rule != transition.interrupt {
                set(ui, at, TransitionDef { interrupt: rule, ..transition.clone() });
            }
        }
    }
    line_end(ui);
}

/// Draws the buttons that reorder transitions. Earlier ones have priority.
fn order(ui: &Ui<'_>, graph: &Graph, at: usize) {
    let last = graph.def.parts().transitions.len() - 1;
    let tone = |can| if can { Tone::Plain } else { Tone::Off };
    let size = [84.0, 24.0];
    if widgets::button(ui, "Earlier##earlier", size, tone(at > 0)) {
        edit(ui, MachineEdit::MoveTransition { from: at, to: at - 1 });
    }
    ui.tip("Raise the priority: the first transition that matches is taken", "");
    ui.same_line();
    if widgets::button(ui, "Later##later", size, tone(at < last)) {
        edit(ui, MachineEdit::MoveTransition { from: at, to: at + 1 });
    }
    ui.same_line();
    if widgets::button(ui, "Delete##delete-transition", size, Tone::Bare) {
        edit(ui, MachineEdit::DeleteTransition(at));
    }
}

/// Draws the transitions from any state.
pub fn any_ui(ui: &Ui<'_>, graph: &Graph) {
    layout::title(ui, "Any state", "");
    widgets::empty(ui, "", "Checked in every state, in this order. A transition to the current state is ignored.");
    ui.dummy([0.0, 4.0]);
    list(ui, graph, |transition| transition.from == TransitionSource::Any);
}

/// Lists transitions; a click picks one.
pub fn list(ui: &Ui<'_>, graph: &Graph, is_meant: impl Fn(&TransitionDef) -> bool) {
    let transitions = graph.def.parts().transitions.iter().enumerate();
    for (at, transition) in transitions.filter(|(_, transition)| is_meant(transition)) {
        let is_picked = ui.session.focus.machine.picked == Picked::Transition(at);
        let touch = widgets::row(ui, &format!("transition{at}"), is_picked);
        let inner = touch.rect.trim_left(8.0).trim_right(6.0);
        let when = arrows::told(transition);
        let when = when.split_once(": ").map_or("", |(_, rest)| rest);
        let name = format!("{} {}", icon(Icon::ArrowRight), transition.to);
        ui.text_in(inner, Align::Left, ui.theme.text, &name);
        let room = inner.trim_left(ui.calc_text_size(&name)[0] + 10.0);
        let _font = ui.with_font(ui.fonts.small);
        ui.text_in(room, Align::Right, ui.theme.quiet, when);
        if touch.is_clicked {
            ui.send(MachineAction::Pick(Picked::Transition(at)));
        }
    }
}
