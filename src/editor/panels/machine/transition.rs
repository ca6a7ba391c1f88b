//! The picked transition: its conditions, exit time, fade and interruption. Also the list of transitions from any
//! state.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field::Number;
use lucide_icons::Icon;

use crate::anim::machine::parts::{Fade, FadeKind, Interrupt, TransitionDef, TransitionSource};
use crate::assets::machine::Graph;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::conditions::conditions_ui;
use crate::editor::panels::machine::fields::{choice_row, labelled, number, number_row};
use crate::editor::panels::machine::{arrows, edit};
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::layout;
use crate::editor::session::machine::{MachineAction, Picked};

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
        conditions_ui(ui, graph, &transition.conditions, |conditions| {
            // The first condition replaces the exit time.
            let is_first = transition.conditions.is_empty() && !conditions.is_empty();
            let exit_time = match transition.exit_time {
                _ if is_first => None,
                None if conditions.is_empty() => Some(1.0),
                exit_time => exit_time,
            };
            edit_of(at, TransitionDef { conditions, exit_time, ..transition.clone() })
        });
        exit(ui, graph, at, transition);
        ui.section("Transition");
        fade(ui, graph, at, transition);
        interrupt(ui, at, transition);
        ui.dummy([0.0, 10.0]);
        order(ui, graph, at);
    });
}

fn set(ui: &Ui<'_>, at: usize, transition: TransitionDef) {
    edit(ui, edit_of(at, transition));
}

fn edit_of(at: usize, transition: TransitionDef) -> MachineEdit {
    MachineEdit::SetTransition { at, transition: Box::new(transition) }
}

fn exit(ui: &Ui<'_>, graph: &Graph, at: usize, transition: &TransitionDef) {
    let with = |exit_time| TransitionDef { exit_time, ..transition.clone() };
    labelled(ui, "Exit time", |mut field| {
        let Some(loops) = transition.exit_time else {
            if widgets::button_at(ui, field, "none##exit", Tone::Plain) {
                set(ui, at, with(Some(1.0)));
            }
            return ui.tip("Add an exit time: wait for the end of the clip", "");
        };
        let cross = field.cut_right(22.0, rows::GAP);
        let how = Number { range: [0.0, 1000.0], unit: "loops", ..Number::new("%.2f", 0.01) };
        number(ui, graph, ("exit-loops", field), (loops, how), |loops| edit_of(at, with(Some(loops))));
        ui.tip("Exit time, in loops of the clip (1 = its end)", "");
        let tone = if transition.conditions.is_empty() { Tone::Off } else { Tone::Bare };
        if widgets::icon_button_at(ui, cross, "no-exit", Icon::X, tone) {
            set(ui, at, with(None));
        }
        ui.tip("Remove the exit time; requires a condition", "");
    });
}

fn fade(ui: &Ui<'_>, graph: &Graph, at: usize, transition: &TransitionDef) {
    let kinds = [
        (FadeKind::Cross, "Cross", "Cross-fade: both states play"),
        (FadeKind::Matched, "Matched", "Cross-fade with both clips at the same phase, so steps match"),
        (FadeKind::Inertial, "Inertial", "Inertialization: the old state stops and the difference decays"),
    ];
    let fade = transition.fade;
    let with = |fade| TransitionDef { fade, ..transition.clone() };
    let tone = |kind| if kind == fade.kind { Tone::On } else { Tone::Plain };
    if let Some(kind) = labelled(ui, "Fade", |field| rows::buttons(ui, field, "fade", &kinds, tone)) {
        set(ui, at, with(Fade { kind, ..fade }));
    }
    let how = Number { range: [0.0, 3600.0], unit: "ticks", ..Number::new("%.0f", 0.1) };
    let about = ("Duration", "fade-ticks", "Duration in ticks of 1/60 s; 0 cuts");
    number_row(ui, graph, about, (fade.secs * 60.0, how), |ticks| {
        edit_of(at, with(Fade { secs: ticks.round() / 60.0, ..fade }))
    });
}

fn interrupt(ui: &Ui<'_>, at: usize, transition: &TransitionDef) {
    let rules = [
        (Interrupt::Target, "transitions of the new state"),
        (Interrupt::Source, "earlier transitions in the list"),
        (Interrupt::Either, "both"),
        (Interrupt::Never, "none"),
    ];
    if let Some(interrupt) = choice_row(ui, "Interrupt", &rules, transition.interrupt) {
        set(ui, at, TransitionDef { interrupt, ..transition.clone() });
    }
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
        let when = arrows::text(transition);
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
