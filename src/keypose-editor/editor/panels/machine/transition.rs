//! The picked transition: its conditions, exit time, fade and interruption. Also the list of transitions from any
//! state.

use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::panels::machine::conditions::conditions_ui;
use crate::editor::panels::machine::fields::{TICKS, apply};
use crate::editor::panels::machine::{arrows, edit};
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::anim::machine::parts::{Fade, FadeKind, Interrupt, TransitionDef, TransitionSource};
use keypose::assets::machine::Graph;

/// Draws the fields of a transition.
pub fn transition_ui(ui: &Ui<'_>, graph: &Graph, at: usize) {
    let transition = &graph.def.parts().transitions[at];
    let from = match &transition.from {
        TransitionSource::Any => "any state",
        TransitionSource::State(name) => name,
    };
    let place = format!("{} of {}", at + 1, graph.def.parts().transitions.len());
    widgets::title(ui, &format!("{from} {} {}", icon(Icon::ArrowRight), transition.to), &place);
    widgets::scrolled(ui, "##transition", 0.0, || {
        let apply = |touch, _, transition| {
            apply(ui, graph, touch, MachineEdit::SetTransition { at, transition: Box::new(transition) });
        };
        let rows = Form::new(ui, "transition-");
        let form = rows.of(transition, "Edit transition", &apply);
        ui.section("Conditions");
        form.field(|form, transition| {
            let before = transition.conditions.len();
            let touch = conditions_ui(form, graph.def.parts(), &mut transition.conditions);
            // The first condition replaces the exit time.
            match (before, transition.conditions.len()) {
                (0, 1..) => transition.exit_time = None,
                (1.., 0) => transition.exit_time = transition.exit_time.or(Some(1.0)),
                _ => {}
            }
            touch
        });
        form.field(exit);
        ui.section("Transition");
        fade(&form);
        let rules = [
            (Interrupt::Target, "transitions of the new state"),
            (Interrupt::Source, "earlier transitions in the list"),
            (Interrupt::Either, "both"),
            (Interrupt::Never, "none"),
        ];
        form.menu("Interrupt", &rules, |transition| &mut transition.interrupt);
        last_time(ui, at);
        ui.dummy([0.0, 10.0]);
        order(&rows, graph, at);
    });
}

fn exit(form: &Form<'_>, transition: &mut TransitionDef) -> Touch {
    let ui = form.ui;
    form.row("Exit time", |mut field| {
        let Some(loops) = &mut transition.exit_time else {
            let is_added = widgets::button_at(ui, field, "none##exit", Tone::Plain);
            ui.tip("Add an exit time: wait for the end of the clip", "");
            transition.exit_time = Some(1.0);
            return if is_added { Touch::AT_ONCE } else { Touch::default() };
        };
        let cross = field.cut_right(FIELD, GAP);
        let how = Number::new("%.2f", 0.01).within(0.0, 1000.0).unit("loops");
        let touch = quantity(ui, field, "exit-loops", loops, how);
        ui.tip("Exit time, in loops of the clip (1 = its end)", "");
        let tone = if transition.conditions.is_empty() { Tone::Off } else { Tone::Bare };
        let is_removed = widgets::icon_button_at(ui, cross, "no-exit", Icon::X, tone);
        ui.tip("Remove the exit time; requires a condition", "");
        if is_removed {
            transition.exit_time = None;
            return Touch::AT_ONCE;
        }
        touch
    })
}

/// Says when the preview last took the transition.
fn last_time(ui: &Ui<'_>, transition: usize) {
    let preview = ui.session.transient.pose.machine();
    let last = preview.and_then(|preview| preview.last_time(transition));
    if let Some((from, [ago, after])) = last {
        ui.section("Last time");
        ui.text_in(
            ui.here([ui.room(), ROW]),
            Align::Left,
            ui.theme.quiet,
            &format!("{ago:.1} s ago, after {after:.1} s in {from}"),
        );
        ui.dummy([0.0, ROW]);
    }
}

fn fade(form: &FormOf<'_, TransitionDef>) {
    let kinds = [
        (FadeKind::Cross, "Cross", "Cross-fade: both states play"),
        (FadeKind::Matched, "Matched", "Cross-fade with both clips at the same phase, so steps match"),
        (FadeKind::Inertial, "Inertial", "Inertialization: the old state stops and the difference decays"),
    ];
    form.choice("Fade", &kinds, |transition| &mut transition.fade.kind);
    form.field(|form, transition| {
        let Fade { secs, .. } = &mut transition.fade;
        let touch = form.number("Duration", "Duration in ticks of 1/60 s; 0 cuts", TICKS, secs);
        *secs = (*secs * 60.0).round() / 60.0;
        touch
    });
}

/// Draws the buttons that reorder transitions. Earlier ones have priority.
fn order(form: &Form<'_>, graph: &Graph, at: usize) {
    let last = graph.def.parts().transitions.len() - 1;
    let tip = "Raise the priority: the first transition that matches is taken";
    let buttons = [
        Button::new("Earlier", "earlier", tip).enabled(at > 0),
        Button::new("Later", "later", "Lower the priority").enabled(at < last),
        Button::new("Delete", "delete", "Delete the transition"),
    ];
    match form.buttons(&buttons) {
        Some(0) => edit(form.ui, MachineEdit::MoveTransition { from: at, to: at - 1 }),
        Some(1) => edit(form.ui, MachineEdit::MoveTransition { from: at, to: at + 1 }),
        Some(_) => edit(form.ui, MachineEdit::DeleteTransition(at)),
        None => {}
    }
}

/// Draws the transitions from any state.
pub fn any_ui(ui: &Ui<'_>, graph: &Graph) {
    widgets::title(ui, "Any state", "");
    widgets::empty(ui, "", "Checked in every state, in this order. Transitions to the current state are ignored.");
    ui.dummy([0.0, 4.0]);
    list(ui, graph, |transition| transition.from == TransitionSource::Any);
}

/// Lists transitions; a click picks one.
pub fn list(ui: &Ui<'_>, graph: &Graph, is_meant: impl Fn(&TransitionDef) -> bool) {
    let transitions = graph.def.parts().transitions.iter().enumerate();
    for (at, transition) in transitions.filter(|(_, transition)| is_meant(transition)) {
        let is_picked = ui.session.focus.machine == Picked::Transition(at);
        let (name, when) = (format!("{} {}", icon(Icon::ArrowRight), transition.to), arrows::details(transition));
        if Item::new(&format!("transition{at}"), &name, &when, is_picked).draw(ui).is_clicked {
            ui.send(MachineAction::Pick(Picked::Transition(at)));
        }
    }
}
