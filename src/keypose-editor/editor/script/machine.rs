//! Script commands for the state machine, and the machine as text.

use glam::Vec2;

use crate::editor::commands::needs::NO_MACHINE;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Outcome, Step, Verb, act};
use crate::editor::session::machine::{MachineAction, Picked};
use keypose::anim::machine::layer_def::{LayerDef, LayerKind};
use keypose::anim::machine::parts::{
    Condition, FadeKind, Interrupt, Motion, ParameterDef, StateDef, TransitionDef, TransitionSource, Value,
};
use keypose::assets::machine::Graph;

/// The commands.
pub const VERBS: &[Verb] = &[
    ("machine make", |_| edit(MachineEdit::Make)),
    ("machine drop", |_| edit(MachineEdit::Drop)),
    ("machine add-state STATE CLIP", |a| {
        let state = Box::new(StateDef::new(a.word(0), Motion::Clip(a.text(1))));
        edit(MachineEdit::AddState { state, place: Vec2::ZERO })
    }),
    ("machine rename-state STATE NAME", |a| edit(MachineEdit::RenameState { name: a.text(0), to: a.text(1) })),
    ("machine delete-state STATE", |a| edit(MachineEdit::DeleteState(a.text(0)))),
    ("machine clip STATE CLIP", |a| {
        let states = &graph(a)?.def.parts().states;
        let state = states[a.among(0, "state", states.iter().map(|state| state.name.as_str()))?].clone();
        edit(MachineEdit::SetState(Box::new(StateDef { motion: Motion::Clip(a.text(1)), ..state })))
    }),
    ("machine start STATE", |a| edit(MachineEdit::SetStart(a.text(0)))),
    ("machine arrange", |_| edit(MachineEdit::Arrange)),
    ("machine place STATE X Y", |a| edit(MachineEdit::Place { name: a.text(0), place: a.vec2(1)? })),
    ("machine add-transition any STATE", |a| {
        edit(MachineEdit::AddTransition { from: TransitionSource::Any, to: a.text(0) })
    }),
    ("machine add-transition STATE STATE", |a| {
        edit(MachineEdit::AddTransition { from: TransitionSource::State(a.text(0)), to: a.text(1) })
    }),
    ("machine delete-transition PLACE", |a| edit(MachineEdit::DeleteTransition(a.index(0)?))),
    ("machine move-transition PLACE PLACE", |a| {
        edit(MachineEdit::MoveTransition { from: a.index(0)?, to: a.index(1)? })
    }),
    ("machine when PLACE PARAMETER above VALUE", |a| when(a, above(a)?)),
    ("machine when PLACE PARAMETER below VALUE", |a| when(a, below(a)?)),
    ("machine when PLACE PARAMETER on", |a| when(a, Condition::On { parameter: a.text(1) })),
    ("machine when PLACE PARAMETER off", |a| when(a, Condition::Off { parameter: a.text(1) })),
    ("machine when PLACE PARAMETER fired", |a| when(a, Condition::Fired { parameter: a.text(1) })),
    ("machine fade PLACE KIND SECONDS", |a| {
        let (kind, secs) = (a.named(1, &FadeKind::ALL, FadeKind::name)?, a.float(2)?);
        transition(a, |it| (it.fade.kind, it.fade.secs) = (kind, secs))
    }),
    ("machine interrupt PLACE RULE", |a| {
        let interrupt = a.named(1, &Interrupt::ALL, Interrupt::name)?;
        transition(a, |it| it.interrupt = interrupt)
    }),
    ("machine add-parameter NAME KIND", |a| {
        let kinds = [("number", Value::Number(0.0)), ("switch", Value::Switch(false)), ("trigger", Value::Trigger)];
        edit(MachineEdit::AddParameter(ParameterDef::new(a.word(0), a.choice(1, "kind of parameter", &kinds)?)))
    }),
    ("machine rename-parameter PARAMETER NAME", |a| {
        edit(MachineEdit::RenameParameter { name: a.text(0), to: a.text(1) })
    }),
    ("machine delete-parameter PARAMETER", |a| edit(MachineEdit::DeleteParameter(a.text(0)))),
    ("machine add-layer NAME CLIP", |a| edit(MachineEdit::AddLayer(Box::new(LayerDef::new(a.word(0), a.word(1)))))),
    ("machine rename-layer LAYER NAME", |a| edit(MachineEdit::RenameLayer { name: a.text(0), to: a.text(1) })),
    ("machine delete-layer LAYER", |a| edit(MachineEdit::DeleteLayer(a.text(0)))),
    ("machine move-layer LAYER PLACE", |a| edit(MachineEdit::MoveLayer { name: a.text(0), to: a.index(1)? })),
    ("machine layer LAYER clip CLIP", |a| layer(a, Ok(a.text(1)), |it, clip| it.clip = clip)),
    ("machine layer LAYER bone BONE", |a| {
        let bone = if a.word(1) == "all" { String::new() } else { a.text(1) };
        layer(a, Ok(bone), |it, bone| it.bone = bone)
    }),
    ("machine layer LAYER kind KIND", |a| {
        layer(a, a.named(1, &LayerKind::ALL, LayerKind::name), |it, kind| it.kind = kind)
    }),
    ("machine layer LAYER speed FACTOR", |a| layer(a, a.float(1), |it, speed| it.speed = speed)),
    ("machine layer LAYER weight WEIGHT", |a| layer(a, a.float(1), |it, weight| it.weight = weight)),
    ("machine layer LAYER fade SECONDS", |a| layer(a, a.float(1), |it, secs| it.fade_secs = secs)),
    ("machine layer LAYER when always", |a| layer(a, Ok(()), |it, ()| it.conditions.clear())),
    ("machine layer LAYER when PARAMETER above VALUE", |a| add_condition(a, above(a)?)),
    ("machine layer LAYER when PARAMETER below VALUE", |a| add_condition(a, below(a)?)),
    ("machine layer LAYER when PARAMETER on", |a| add_condition(a, Condition::On { parameter: a.text(1) })),
    ("machine layer LAYER when PARAMETER off", |a| add_condition(a, Condition::Off { parameter: a.text(1) })),
    ("machine layer LAYER when PARAMETER fired", |a| add_condition(a, Condition::Fired { parameter: a.text(1) })),
    ("machine preview on", |a| toggle_preview_if(a.editor.session.transient.pose.machine().is_none())),
    ("machine preview off", |a| toggle_preview_if(a.editor.session.transient.pose.machine().is_some())),
    ("machine set PARAMETER VALUE", |a| act(MachineAction::Set(a.text(0), a.float(1)?))),
    ("machine fire PARAMETER", |a| act(MachineAction::Set(a.text(0), 1.0))),
    ("machine pick nothing", |_| act(MachineAction::Pick(Picked::Nothing))),
    ("machine pick STATE", |a| act(MachineAction::Pick(Picked::State(a.text(0))))),
    ("machine pick layer LAYER", |a| act(MachineAction::Pick(Picked::Layer(a.text(0))))),
];

/// The facts: "none" without a machine.
pub const FACTS: &[Fact] = &[
    // The states with their clips, the start state marked: "*idle:idle move:walk+run".
    ("machine", |a| {
        let start = graph(a).map(|graph| graph.def.parts().start.clone()).unwrap_or_default();
        let state = |state: &StateDef| {
            let clips: Vec<&str> = state.motion.clips().collect();
            let mark = if state.name == start { "*" } else { "" };
            format!("{mark}{}:{}", state.name, clips.join("+"))
        };
        Ok(listed(a, |graph| graph.def.parts().states.iter().map(state).collect()))
    }),
    ("transitions", |a| Ok(listed(a, |graph| graph.def.parts().transitions.iter().map(transition_text).collect()))),
    ("layers", |a| Ok(listed(a, |graph| graph.def.parts().layers.iter().map(layer_text).collect()))),
    ("machine-state", |a| {
        let preview = a.editor.session.transient.pose.machine();
        Ok(preview.map_or_else(|| "none".into(), |preview| preview.machine.state_name().to_owned()))
    }),
];

fn edit(edit: MachineEdit) -> Outcome {
    act(MachineAction::Edit(edit))
}

fn toggle_preview_if(is_asked: bool) -> Outcome {
    if is_asked { act(MachineAction::Preview) } else { Ok(Step::Act(Vec::new())) }
}

fn graph<'a>(a: &Args<'a>) -> Result<&'a Graph, String> {
    let graph = a.editor.model().and_then(|model| model.machine.graph.as_ref());
    graph.ok_or_else(|| NO_MACHINE.to_owned())
}

/// Changes the transition that the first argument numbers.
fn transition(a: &Args<'_>, change: impl FnOnce(&mut TransitionDef)) -> Outcome {
    let at = a.index(0)?;
    let found = graph(a)?.def.parts().transitions.get(at).cloned();
    let mut transition = found.ok_or_else(|| format!("there is no transition {}", at + 1))?;
    change(&mut transition);
    edit(MachineEdit::SetTransition { at, transition: Box::new(transition) })
}

fn when(a: &Args<'_>, condition: Condition) -> Outcome {
    transition(a, |it| (it.exit_time, it.conditions) = (None, vec![condition]))
}

/// Changes the layer that the first argument names.
fn layer<T>(a: &Args<'_>, value: Result<T, String>, change: impl FnOnce(&mut LayerDef, T)) -> Outcome {
    let layers = &graph(a)?.def.parts().layers;
    let mut layer = layers[a.among(0, "layer", layers.iter().map(|layer| layer.name.as_str()))?].clone();
    change(&mut layer, value?);
    edit(MachineEdit::SetLayer(Box::new(layer)))
}

fn add_condition(a: &Args<'_>, condition: Condition) -> Outcome {
    layer(a, Ok(condition), |it, condition| it.conditions.push(condition))
}

fn above(a: &Args<'_>) -> Result<Condition, String> {
    Ok(Condition::Above { parameter: a.text(1), value: a.float(2)? })
}

fn below(a: &Args<'_>) -> Result<Condition, String> {
    Ok(Condition::Below { parameter: a.text(1), value: a.float(2)? })
}

fn listed(a: &Args<'_>, of: impl FnOnce(&Graph) -> Vec<String>) -> String {
    graph(a).map_or_else(|_| "none".into(), |graph| of(graph).join(" "))
}

/// "any>jump[jump fired]".
fn transition_text(transition: &TransitionDef) -> String {
    let from = match &transition.from {
        TransitionSource::Any => "any",
        TransitionSource::State(name) => name,
    };
    let mut when: Vec<String> = transition.conditions.iter().map(condition_text).collect();
    when.extend(transition.exit_time.map(|loops| format!("after {loops}")));
    format!("{from}>{}[{}]", transition.to, when.join(", "))
}

/// "slash:attack@spine[attack fired]", with a plus before added clips.
fn layer_text(layer: &LayerDef) -> String {
    let sign = if layer.kind == LayerKind::Add { "+" } else { "" };
    let when: Vec<String> = layer.conditions.iter().map(condition_text).collect();
    let bone = if layer.bone.is_empty() { "all" } else { &layer.bone };
    format!("{}:{sign}{}@{bone}[{}]", layer.name, layer.clip, when.join(", "))
}

fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::Above { parameter, value } => format!("{parameter} above {value}"),
        Condition::Below { parameter, value } => format!("{parameter} below {value}"),
        Condition::On { parameter } => format!("{parameter} on"),
        Condition::Off { parameter } => format!("{parameter} off"),
        Condition::Fired { parameter } => format!("{parameter} fired"),
    }
}
