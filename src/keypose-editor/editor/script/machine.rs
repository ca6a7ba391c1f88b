//! Script commands for the state machine, such as `machine add-state walk walk_a`, and the machine as text.

use glam::Vec2;

use crate::anim::machine::layer_def::{LayerDef, LayerKind};
use crate::anim::machine::parts::{
    Condition, FadeKind, Interrupt, Motion, ParameterDef, StateDef, TransitionDef, TransitionSource, Value,
};
use crate::assets::machine::Graph;
use crate::editor::commands::needs::NO_MACHINE;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::script::parse::number;
use crate::editor::session::machine::{MachineAction, Picked, Shown};
use crate::editor::state::Editor;
use crate::editor::state::action::Action;

/// The action of a `machine` command.
pub fn action(editor: &Editor, args: &[&str]) -> Result<Action, String> {
    let owned = |name: &&str| (*name).to_owned();
    let edit = match args {
        ["preview", "on"] => return Ok(Action::Machine(MachineAction::Preview(Shown::On))),
        ["preview", "off"] => return Ok(Action::Machine(MachineAction::Preview(Shown::Off))),
        ["set", name, value] => return Ok(Action::Machine(MachineAction::Set(owned(name), number(value)? as f32))),
        ["fire", name] => return Ok(Action::Machine(MachineAction::Fire(owned(name)))),
        ["pick", "nothing"] => return Ok(Action::Machine(MachineAction::Pick(Picked::Nothing))),
        ["pick", "layer", name] => return Ok(Action::Machine(MachineAction::Pick(Picked::Layer(owned(name))))),
        ["pick", name] => return Ok(Action::Machine(MachineAction::Pick(Picked::State(owned(name))))),
        ["make"] => MachineEdit::Make,
        ["drop"] => MachineEdit::Drop,
        ["add-state", name, clip] => {
            let state = Box::new(StateDef::new(*name, Motion::Clip(owned(clip))));
            MachineEdit::AddState { state, place: Vec2::ZERO }
        }
        ["rename-state", name, to] => MachineEdit::RenameState { name: owned(name), to: owned(to) },
        ["delete-state", name] => MachineEdit::DeleteState(owned(name)),
        ["clip", name, clip] => {
            let graph = graph(editor)?;
            let at = graph.def.state(name).ok_or_else(|| format!("there is no state {name}"))?;
            let state = graph.def.parts().states[at].clone();
            MachineEdit::SetState(Box::new(StateDef { motion: Motion::Clip(owned(clip)), ..state }))
        }
        ["start", name] => MachineEdit::SetStart(owned(name)),
        ["place", name, x, y] => {
            let place = Vec2::new(number(x)? as f32, number(y)? as f32);
            MachineEdit::Place { name: owned(name), place }
        }
        ["add-transition", from, to] => MachineEdit::AddTransition { from: from_of(from), to: owned(to) },
        ["delete-transition", at] => MachineEdit::DeleteTransition(place(at)?),
        ["move-transition", from, to] => MachineEdit::MoveTransition { from: place(from)?, to: place(to)? },
        ["when", at, condition @ ..] => changed(editor, at, |it| {
            it.exit_time = None;
            it.conditions = vec![condition_of(condition)?];
            Ok(())
        })?,
        ["fade", at, kind, secs] => changed(editor, at, |it| {
            it.fade.kind = fade_kind(kind)?;
            it.fade.secs = number(secs)? as f32;
            Ok(())
        })?,
        ["interrupt", at, rule] => changed(editor, at, |it| {
            it.interrupt = interrupt(rule)?;
            Ok(())
        })?,
        ["add-parameter", name, kind] => MachineEdit::AddParameter(ParameterDef::new(*name, value_of(kind)?)),
        ["rename-parameter", name, to] => MachineEdit::RenameParameter { name: owned(name), to: owned(to) },
        ["delete-parameter", name] => MachineEdit::DeleteParameter(owned(name)),
        ["add-layer", name, clip] => MachineEdit::AddLayer(Box::new(LayerDef::new(*name, *clip))),
        ["rename-layer", name, to] => MachineEdit::RenameLayer { name: owned(name), to: owned(to) },
        ["delete-layer", name] => MachineEdit::DeleteLayer(owned(name)),
        ["move-layer", name, to] => MachineEdit::MoveLayer { name: owned(name), to: place(to)? },
        ["layer", name, field @ ..] => MachineEdit::SetLayer(Box::new(layer_with(graph(editor)?, name, field)?)),
        _ => return Err("unknown command or wrong arguments".into()),
    };
    Ok(Action::Machine(MachineAction::Edit(edit)))
}

fn graph(editor: &Editor) -> Result<&Graph, String> {
    let graph = editor.model().and_then(|model| model.machine.graph.as_ref());
    graph.ok_or_else(|| NO_MACHINE.to_owned())
}

/// A layer with one field changed.
fn layer_with(graph: &Graph, name: &str, field: &[&str]) -> Result<LayerDef, String> {
    let layer = graph.def.parts().layers.iter().find(|layer| layer.name == name);
    let mut layer = layer.cloned().ok_or_else(|| format!("there is no layer {name}"))?;
    match field {
        ["clip", clip] => layer.clip = (*clip).to_owned(),
        ["bone", "all"] => layer.bone.clear(),
        ["bone", bone] => layer.bone = (*bone).to_owned(),
        ["kind", "replace"] => layer.kind = LayerKind::Replace,
        ["kind", "add"] => layer.kind = LayerKind::Add,
        ["speed", value] => layer.speed = number(value)? as f32,
        ["weight", value] => layer.weight = number(value)? as f32,
        ["fade", value] => layer.fade_secs = number(value)? as f32,
        ["when", "always"] => layer.conditions.clear(),
        ["when", condition @ ..] => layer.conditions.push(condition_of(condition)?),
        _ => return Err("expected clip, bone, kind, speed, weight, fade or when".into()),
    }
    Ok(layer)
}

/// The layers with their clips and bones, the lowest first: "slash:attack@spine[attack fired]", with a plus before added clips.
pub fn layers(editor: &Editor) -> String {
    let Ok(graph) = graph(editor) else { return "none".into() };
    let layer = |layer: &LayerDef| {
        let sign = if layer.kind == LayerKind::Add { "+" } else { "" };
        let when: Vec<String> = layer.conditions.iter().map(condition).collect();
        let bone = if layer.bone.is_empty() { "all" } else { &layer.bone };
        format!("{}:{sign}{}@{bone}[{}]", layer.name, layer.clip, when.join(", "))
    };
    graph.def.parts().layers.iter().map(layer).collect::<Vec<_>>().join(" ")
}

/// Changes a transition, counted from 1.
fn changed(
    editor: &Editor,
    at: &str,
    change: impl FnOnce(&mut TransitionDef) -> Result<(), String>,
) -> Result<MachineEdit, String> {
    let at = place(at)?;
    let found = graph(editor)?.def.parts().transitions.get(at).cloned();
    let mut transition = found.ok_or_else(|| format!("there is no transition {}", at + 1))?;
    change(&mut transition)?;
    Ok(MachineEdit::SetTransition { at, transition: Box::new(transition) })
}

fn place(word: &str) -> Result<usize, String> {
    word.parse::<usize>().ok().and_then(|at| at.checked_sub(1)).ok_or_else(|| format!("{word} is not a number from 1"))
}

fn from_of(word: &str) -> TransitionSource {
    if word == "any" { TransitionSource::Any } else { TransitionSource::State(word.to_owned()) }
}

fn value_of(word: &str) -> Result<Value, String> {
    match word {
        "number" => Ok(Value::Number(0.0)),
        "switch" => Ok(Value::Switch(false)),
        "trigger" => Ok(Value::Trigger),
        other => Err(format!("unknown kind of parameter {other}: expected number, switch or trigger")),
    }
}

fn fade_kind(word: &str) -> Result<FadeKind, String> {
    match word {
        "cross" => Ok(FadeKind::Cross),
        "matched" => Ok(FadeKind::Matched),
        "inertial" => Ok(FadeKind::Inertial),
        other => Err(format!("unknown fade {other}: expected cross, matched or inertial")),
    }
}

fn interrupt(word: &str) -> Result<Interrupt, String> {
    match word {
        "target" => Ok(Interrupt::Target),
        "source" => Ok(Interrupt::Source),
        "either" => Ok(Interrupt::Either),
        "never" => Ok(Interrupt::Never),
        other => Err(format!("unknown interruption {other}: expected target, source, either or never")),
    }
}

fn condition_of(words: &[&str]) -> Result<Condition, String> {
    let owned = |name: &&str| (*name).to_owned();
    Ok(match words {
        [parameter, "above", value] => Condition::Above { parameter: owned(parameter), value: number(value)? as f32 },
        [parameter, "below", value] => Condition::Below { parameter: owned(parameter), value: number(value)? as f32 },
        [parameter, "on"] => Condition::On { parameter: owned(parameter) },
        [parameter, "off"] => Condition::Off { parameter: owned(parameter) },
        [parameter, "fired"] => Condition::Fired { parameter: owned(parameter) },
        _ => return Err("expected a parameter, then above or below with a number, on, off or fired".into()),
    })
}

/// The states with their clips, the start state marked: "*idle:idle move:walk+run".
pub fn states(editor: &Editor) -> String {
    let Ok(graph) = graph(editor) else { return "none".into() };
    let parts = graph.def.parts();
    let state = |state: &StateDef| {
        let clips: Vec<&str> = state.motion.clips().collect();
        let mark = if state.name == parts.start { "*" } else { "" };
        format!("{mark}{}:{}", state.name, clips.join("+"))
    };
    parts.states.iter().map(state).collect::<Vec<_>>().join(" ")
}

/// The transitions with their conditions, in order: "any>jump[jump fired]".
pub fn transitions(editor: &Editor) -> String {
    let Ok(graph) = graph(editor) else { return "none".into() };
    graph.def.parts().transitions.iter().map(transition).collect::<Vec<_>>().join(" ")
}

fn transition(transition: &TransitionDef) -> String {
    let from = match &transition.from {
        TransitionSource::Any => "any",
        TransitionSource::State(name) => name,
    };
    let mut when: Vec<String> = transition.conditions.iter().map(condition).collect();
    when.extend(transition.exit_time.map(|loops| format!("after {loops}")));
    format!("{from}>{}[{}]", transition.to, when.join(", "))
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Above { parameter, value } => format!("{parameter} above {value}"),
        Condition::Below { parameter, value } => format!("{parameter} below {value}"),
        Condition::On { parameter } => format!("{parameter} on"),
        Condition::Off { parameter } => format!("{parameter} off"),
        Condition::Fired { parameter } => format!("{parameter} fired"),
    }
}

/// The active state of the preview.
pub fn playing(editor: &Editor) -> String {
    let preview = editor.session.transient.pose.machine();
    preview.map_or_else(|| "none".into(), |preview| preview.machine.state_name().to_owned())
}
