//! What is picked: a transition with its conditions, exit time, fade and interrupt rule; or the list of those from any state.

use lucide_icons::Icon;

use crate::anim::machine::parts::{
    Condition, FadeKind, Interrupt, MachineParts, TransitionDef, TransitionSource, Value,
};
use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::{arrows, edit, gesture};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Number, Tone};
use crate::editor::panels::window::layout;
use crate::editor::session::machine::{MachineAction, Picked};

/// Width of the labels before fields.
const LABEL: f32 = 84.0;

/// Fields of a transition.
pub fn transition_ui(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, at: usize, out: &mut Out) {
    let transition = &graph.def.parts().transitions[at];
    let from = match &transition.from {
        TransitionSource::Any => "any state",
        TransitionSource::State(name) => name,
    };
    let place = format!("{} of {}", at + 1, graph.def.parts().transitions.len());
    layout::title(kit, &format!("{from} {} {}", icon(Icon::ArrowRight), transition.to), &place);
    layout::scrolled(kit, "##transition", 0.0, || {
        kit.section("When");
        conditions(kit, graph.def.parts(), at, transition, out);
        exit(kit, seen, graph, at, transition, out);
        kit.section("How");
        fade(kit, seen, graph, at, transition, out);
        interrupt(kit, at, transition, out);
        kit.dummy([0.0, 10.0]);
        order(kit, graph, at, out);
    });
}

fn set(out: &mut Out, at: usize, transition: TransitionDef) {
    edit(out, MachineEdit::SetTransition { at, transition: Box::new(transition) });
}

/// A label, with the field that follows behind it; returns the field's width.
pub fn labelled(kit: &Kit<'_>, label: &str) -> f32 {
    let top = kit.cursor_screen_pos();
    let width = kit.content_region_avail()[0];
    kit.text_in(Rect::at(top, [LABEL - 4.0, FIELD]), Align::Left, kit.theme.quiet, label);
    kit.set_cursor_screen_pos([top[0] + LABEL, top[1]]);
    width - LABEL
}

/// Room between two lines of fields.
pub fn line_end(kit: &Kit<'_>) {
    kit.dummy([0.0, 4.0]);
}

fn conditions(kit: &Kit<'_>, parts: &MachineParts, at: usize, transition: &TransitionDef, out: &mut Out) {
    let mut wanted = None;
    for (index, condition) in transition.conditions.iter().enumerate() {
        let _id = kit.push_id_usize(index);
        let top = kit.cursor_screen_pos();
        let width = kit.content_region_avail()[0];
        let named = width * 0.42;
        if let Some(_list) =
            widgets::dropdown(kit, &format!("parameter{index}"), condition.parameter(), kit.theme.text, named)
        {
            for parameter in &parts.parameters {
                if menu::choice(kit, &parameter.name, parameter.name == condition.parameter()) {
                    wanted = Some((index, Some(first_of(&parameter.name, parameter.value))));
                }
            }
        }
        kit.set_cursor_screen_pos([top[0] + named + 4.0, top[1]]);
        if let Some(changed) = test(kit, index, condition, width - named - 30.0) {
            wanted = Some((index, Some(changed)));
        }
        kit.set_cursor_screen_pos([top[0] + width - 22.0, top[1]]);
        if widgets::icon_button(kit, &format!("drop-condition{index}"), Icon::X, [22.0, FIELD], Tone::Bare) {
            wanted = Some((index, None));
        }
        kit.set_cursor_screen_pos([top[0], top[1] + FIELD + 4.0]);
        kit.dummy([0.0, 0.0]);
    }
    let mut changed = transition.clone();
    match wanted {
        Some((index, Some(condition))) => changed.conditions[index] = condition,
        Some((index, None)) => drop(changed.conditions.remove(index)),
        None => {}
    }
    let width = kit.content_region_avail()[0];
    if let Some(_list) = widgets::dropdown(kit, "add-condition", "Add a condition", kit.theme.quiet, width) {
        for parameter in &parts.parameters {
            if menu::item(kit, &parameter.name, "") {
                changed.conditions.push(first_of(&parameter.name, parameter.value));
                // Who adds a first condition does not mean to wait for the end of the clip as well.
                if transition.conditions.is_empty() {
                    changed.exit_time = None;
                }
            }
        }
    }
    line_end(kit);
    if changed != *transition {
        if changed.conditions.is_empty() && changed.exit_time.is_none() {
            changed.exit_time = Some(1.0);
        }
        set(out, at, changed);
    }
}

/// The first condition of a parameter.
fn first_of(parameter: &str, value: Value) -> Condition {
    let parameter = parameter.to_owned();
    match value {
        Value::Number(_) => Condition::Above { parameter, value: 0.0 },
        Value::Switch(_) => Condition::On { parameter },
        Value::Trigger => Condition::Fired { parameter },
    }
}

/// The comparison of a condition; another one where it was changed.
fn test(kit: &Kit<'_>, index: usize, condition: &Condition, width: f32) -> Option<Condition> {
    let parameter = condition.parameter().to_owned();
    let button = |text: &str| widgets::button(kit, &format!("{text}##test{index}"), [width, FIELD], Tone::Plain);
    match *condition {
        Condition::On { .. } => button("is on").then_some(Condition::Off { parameter }),
        Condition::Off { .. } => button("is off").then_some(Condition::On { parameter }),
        Condition::Fired { .. } => {
            kit.text_in(Rect::at(kit.cursor_screen_pos(), [width, FIELD]), Align::Center, kit.theme.quiet, "is fired");
            None
        }
        Condition::Above { mut value, .. } | Condition::Below { mut value, .. } => {
            let is_above = matches!(condition, Condition::Above { .. });
            let top = kit.cursor_screen_pos();
            let word = if is_above { "above" } else { "below" };
            let is_turned = widgets::button(kit, &format!("{word}##test{index}"), [56.0, FIELD], Tone::Plain);
            kit.set_cursor_screen_pos([top[0] + 60.0, top[1]]);
            let touch =
                widgets::number(kit, &format!("than{index}"), width - 60.0, &mut value, Number::new("%.2f", 0.01));
            let made = |is_above, value| match is_above {
                true => Condition::Above { parameter, value },
                false => Condition::Below { parameter, value },
            };
            (is_turned || touch.is_changed).then(|| made(is_above != is_turned, value))
        }
    }
}

fn exit(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, at: usize, transition: &TransitionDef, out: &mut Out) {
    let width = labelled(kit, "Not before");
    let top = kit.cursor_screen_pos();
    let Some(rounds) = transition.exit_time else {
        if widgets::button(kit, "at any time##exit", [width, FIELD], Tone::Plain) {
            set(out, at, TransitionDef { exit_time: Some(1.0), ..transition.clone() });
        }
        kit.tip("Wait for the end of the clip", "");
        return line_end(kit);
    };
    let mut rounds = rounds;
    let how = Number { range: [0.0, 1000.0], unit: "rounds", ..Number::new("%.2f", 0.01) };
    let touch = widgets::number(kit, "exit-rounds", width - 26.0, &mut rounds, how);
    let changed = TransitionDef { exit_time: Some(rounds), ..transition.clone() };
    gesture(out, seen, graph, touch, &MachineEdit::SetTransition { at, transition: Box::new(changed) });
    kit.tip("Rounds of the clip that were played: 1 is its end", "");
    kit.set_cursor_screen_pos([top[0] + width - 22.0, top[1]]);
    let tone = if transition.conditions.is_empty() { Tone::Off } else { Tone::Bare };
    if widgets::icon_button(kit, "no-exit", Icon::X, [22.0, FIELD], tone) {
        set(out, at, TransitionDef { exit_time: None, ..transition.clone() });
    }
    kit.tip("At any time; only where there is a condition", "");
    line_end(kit);
}

fn fade(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, at: usize, transition: &TransitionDef, out: &mut Out) {
    let kinds = [
        (FadeKind::Cross, "Cross", "Both play on, one over the other"),
        (FadeKind::Matched, "Matched", "Both at the same part of their round: steps go on"),
        (FadeKind::Inertial, "Inertial", "The old one stops, what differs dies away"),
    ];
    let width = labelled(kit, "Fade");
    let top = kit.cursor_screen_pos();
    let each = (width - 8.0) / 3.0;
    for (index, (kind, text, tip)) in kinds.into_iter().enumerate() {
        kit.set_cursor_screen_pos([top[0] + index as f32 * (each + 4.0), top[1]]);
        let tone = if transition.fade.kind == kind { Tone::On } else { Tone::Plain };
        if widgets::button(kit, &format!("{text}##fade-{text}"), [each, FIELD], tone) && transition.fade.kind != kind {
            let mut changed = transition.clone();
            changed.fade.kind = kind;
            set(out, at, changed);
        }
        kit.tip(tip, "");
    }
    line_end(kit);
    let width = labelled(kit, "Takes");
    let mut ticks = transition.fade.secs * 60.0;
    let how = Number { range: [0.0, 3600.0], unit: "ticks", ..Number::new("%.0f", 0.1) };
    let touch = widgets::number(kit, "fade-ticks", width, &mut ticks, how);
    let mut changed = transition.clone();
    changed.fade.secs = ticks.round() / 60.0;
    gesture(out, seen, graph, touch, &MachineEdit::SetTransition { at, transition: Box::new(changed) });
    kit.tip("Of 1/60 s each; 0 cuts", "");
    line_end(kit);
}

fn interrupt(kit: &Kit<'_>, at: usize, transition: &TransitionDef, out: &mut Out) {
    let rules = [
        (Interrupt::Target, "what follows on the new state"),
        (Interrupt::Source, "what comes before this in the list"),
        (Interrupt::Either, "both"),
        (Interrupt::Never, "nothing"),
    ];
    let width = labelled(kit, "Broken by");
    let text = rules.iter().find(|(rule, _)| *rule == transition.interrupt).map_or("", |(_, text)| *text);
    if let Some(_list) = widgets::dropdown(kit, "interrupt", text, kit.theme.text, width) {
        for (rule, text) in rules {
            if menu::choice(kit, text, rule == transition.interrupt) && rule != transition.interrupt {
                set(out, at, TransitionDef { interrupt: rule, ..transition.clone() });
            }
        }
    }
    line_end(kit);
}

/// Earlier ones are looked at first.
fn order(kit: &Kit<'_>, graph: &Graph, at: usize, out: &mut Out) {
    let last = graph.def.parts().transitions.len() - 1;
    let tone = |can| if can { Tone::Plain } else { Tone::Off };
    let size = [84.0, 24.0];
    if widgets::button(kit, "Earlier##earlier", size, tone(at > 0)) {
        edit(out, MachineEdit::MoveTransition { from: at, to: at - 1 });
    }
    kit.tip("The first transition that holds is taken", "");
    kit.same_line();
    if widgets::button(kit, "Later##later", size, tone(at < last)) {
        edit(out, MachineEdit::MoveTransition { from: at, to: at + 1 });
    }
    kit.same_line();
    if widgets::button(kit, "Delete##delete-transition", size, Tone::Bare) {
        edit(out, MachineEdit::DeleteTransition(at));
    }
}

/// What stands behind "any state".
pub fn any_ui(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, out: &mut Out) {
    layout::title(kit, "Any state", "");
    widgets::empty(
        kit,
        "",
        "These are looked at in every state, from the top. While one holds whose state plays already, that state goes on.",
    );
    kit.dummy([0.0, 4.0]);
    list(kit, seen, graph, |transition| transition.from == TransitionSource::Any, out);
}

/// Transitions as rows; a click picks one.
pub fn list(kit: &Kit<'_>, seen: &Seen<'_>, graph: &Graph, is_meant: impl Fn(&TransitionDef) -> bool, out: &mut Out) {
    let transitions = graph.def.parts().transitions.iter().enumerate();
    for (at, transition) in transitions.filter(|(_, transition)| is_meant(transition)) {
        let is_picked = seen.session.focus.machine.picked == Picked::Transition(at);
        let touch = widgets::row(kit, &format!("transition{at}"), is_picked);
        let inner = Rect {
            min: [touch.rect.min[0] + 8.0, touch.rect.min[1]],
            max: [touch.rect.max[0] - 6.0, touch.rect.max[1]],
        };
        let when = arrows::told(transition);
        let when = when.split_once(": ").map_or("", |(_, rest)| rest);
        let name = format!("{} {}", icon(Icon::ArrowRight), transition.to);
        kit.text_in(inner, Align::Left, kit.theme.text, &name);
        let room = Rect { min: [inner.min[0] + kit.calc_text_size(&name)[0] + 10.0, inner.min[1]], ..inner };
        let _font = kit.with_font(kit.fonts.small);
        kit.text_in(room, Align::Right, kit.theme.quiet, when);
        if touch.is_clicked {
            out.push(MachineAction::Pick(Picked::Transition(at)));
        }
    }
}
