//! MACH: how a character looks. Version 1 is the table alone; version 2 adds the machine.

use std::sync::Arc;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::{
    Condition, Fade, FadeKind, From, Interrupt, Line, LinePoint, MachineParts, Motion, Pace, ParameterDef, Plane,
    PlanePoint, Repeat, StateDef, TransitionDef, Value,
};
use crate::assets::machine::{AnimationTable, Graph, StateClip};
use crate::wad::error::Fault;
use crate::wad::record::{Record, finite, from_bytes, to_bytes};
use crate::wad::sections::{join, split};

#[derive(Serialize, Deserialize)]
struct MachineRecordV1 {
    states: Vec<StateRecordV1>,
}

#[derive(Serialize, Deserialize)]
struct StateRecordV1 {
    state: String,
    /// The display name of a clip of the model.
    clip: String,
}

#[derive(Serialize, Deserialize)]
struct MachineRecordV2 {
    states: Vec<StateRecordV1>,
    graph: Option<GraphRecordV2>,
}

#[derive(Serialize, Deserialize)]
struct GraphRecordV2 {
    parameters: Vec<ParameterRecordV2>,
    states: Vec<StateRecordV2>,
    transitions: Vec<TransitionRecordV2>,
    start: String,
}

#[derive(Serialize, Deserialize)]
struct ParameterRecordV2 {
    name: String,
    value: ValueRecordV2,
}

#[derive(Serialize, Deserialize)]
enum ValueRecordV2 {
    Number(f32),
    Switch(bool),
    Trigger,
}

#[derive(Serialize, Deserialize)]
struct StateRecordV2 {
    name: String,
    place: [f32; 2],
    motion: MotionRecordV2,
    pace: PaceRecordV2,
    repeat: RepeatRecordV2,
    start_secs: f32,
}

#[derive(Serialize, Deserialize)]
enum MotionRecordV2 {
    Clip(String),
    Line { parameter: String, damp_secs: f32, points: Vec<(f32, String)> },
    Plane { parameters: [String; 2], damp_secs: f32, points: Vec<([f32; 2], String)> },
}

#[derive(Serialize, Deserialize)]
enum PaceRecordV2 {
    Time { speed: f32, by: String },
    Distance { by: String },
}

#[derive(Serialize, Deserialize)]
enum RepeatRecordV2 {
    AsClip,
    Loop,
    Once,
}

#[derive(Serialize, Deserialize)]
struct TransitionRecordV2 {
    /// `None`: any state.
    from: Option<String>,
    to: String,
    conditions: Vec<ConditionRecordV2>,
    exit_rounds: Option<f32>,
    fade_kind: FadeKindRecordV2,
    fade_secs: f32,
    interrupt: InterruptRecordV2,
}

#[derive(Serialize, Deserialize)]
enum ConditionRecordV2 {
    Above { parameter: String, value: f32 },
    Below { parameter: String, value: f32 },
    On { parameter: String },
    Off { parameter: String },
    Fired { parameter: String },
}

#[derive(Serialize, Deserialize)]
enum FadeKindRecordV2 {
    Cross,
    Matched,
    Inertial,
}

#[derive(Serialize, Deserialize)]
enum InterruptRecordV2 {
    Target,
    Source,
    Either,
    Never,
}

impl Record for MachineRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

impl Record for MachineRecordV2 {
    const MAX_BYTES: usize = 0x10_0000;
}

pub fn write(looks: &AnimationTable) -> Result<Vec<u8>, String> {
    let row = |row: &StateClip| StateRecordV1 { state: row.state.clone(), clip: row.clip.clone() };
    let graph = looks.graph.as_ref().map(graph_record).transpose()?;
    join(&to_bytes(&MachineRecordV2 { states: looks.states.iter().map(row).collect(), graph })?, &[])
}

pub fn read(version: u16, bytes: &[u8]) -> Result<AnimationTable, Fault> {
    let parts = split(bytes)?;
    let record = match version {
        1 => MachineRecordV2 { states: from_bytes::<MachineRecordV1>(parts.record)?.states, graph: None },
        _ => from_bytes(parts.record)?,
    };
    parts.end()?;
    let row = |record: StateRecordV1| StateClip { state: record.state, clip: record.clip };
    let graph = record.graph.map(graph_of).transpose()?;
    Ok(AnimationTable { states: record.states.into_iter().map(row).collect(), graph })
}

fn number(value: f32, what: &str) -> Result<f32, String> {
    finite([value], what).map(|[value]| value)
}

fn graph_record(graph: &Graph) -> Result<GraphRecordV2, String> {
    let parts = graph.def.parts();
    graph.check()?;
    let states = parts.states.iter().zip(&graph.places);
    Ok(GraphRecordV2 {
        parameters: parts.parameters.iter().map(parameter_record).collect::<Result<_, _>>()?,
        states: states.map(|(state, place)| state_record(state, *place)).collect::<Result<_, _>>()?,
        transitions: parts.transitions.iter().map(transition_record).collect::<Result<_, _>>()?,
        start: parts.start.clone(),
    })
}

fn graph_of(record: GraphRecordV2) -> Result<Graph, Fault> {
    let places: Vec<Vec2> = record.states.iter().map(|state| Vec2::from_array(state.place)).collect();
    let parameter = |record: ParameterRecordV2| ParameterDef {
        name: record.name,
        value: match record.value {
            ValueRecordV2::Number(value) => Value::Number(value),
            ValueRecordV2::Switch(is_on) => Value::Switch(is_on),
            ValueRecordV2::Trigger => Value::Trigger,
        },
    };
    let parts = MachineParts {
        parameters: record.parameters.into_iter().map(parameter).collect(),
        states: record.states.into_iter().map(state_of).collect(),
        transitions: record.transitions.into_iter().map(transition_of).collect(),
        start: record.start,
    };
    let def = MachineDef::new(parts).map_err(|error| error.to_string())?;
    let graph = Graph { def: Arc::new(def), places };
    graph.check()?;
    Ok(graph)
}

fn parameter_record(parameter: &ParameterDef) -> Result<ParameterRecordV2, String> {
    let value = match parameter.value {
        Value::Number(value) => ValueRecordV2::Number(number(value, "parameter")?),
        Value::Switch(is_on) => ValueRecordV2::Switch(is_on),
        Value::Trigger => ValueRecordV2::Trigger,
    };
    Ok(ParameterRecordV2 { name: parameter.name.clone(), value })
}

fn state_record(state: &StateDef, place: Vec2) -> Result<StateRecordV2, String> {
    let motion = match &state.motion {
        Motion::Clip(clip) => MotionRecordV2::Clip(clip.clone()),
        Motion::Line(Line { parameter, damp_secs, points }) => {
            let point = |point: &LinePoint| Ok((number(point.at, "blend")?, point.clip.clone()));
            let points = points.iter().map(point).collect::<Result<_, String>>()?;
            MotionRecordV2::Line { parameter: parameter.clone(), damp_secs: number(*damp_secs, "blend")?, points }
        }
        Motion::Plane(Plane { parameters, damp_secs, points }) => {
            let point = |point: &PlanePoint| Ok((finite(point.at.to_array(), "blend")?, point.clip.clone()));
            let points = points.iter().map(point).collect::<Result<_, String>>()?;
            MotionRecordV2::Plane { parameters: parameters.clone(), damp_secs: number(*damp_secs, "blend")?, points }
        }
    };
    let pace = match &state.pace {
        Pace::Time { speed, by } => PaceRecordV2::Time { speed: number(*speed, "speed")?, by: by.clone() },
        Pace::Distance { by } => PaceRecordV2::Distance { by: by.clone() },
    };
    let repeat = match state.repeat {
        Repeat::AsClip => RepeatRecordV2::AsClip,
        Repeat::Loop => RepeatRecordV2::Loop,
        Repeat::Once => RepeatRecordV2::Once,
    };
    let place = finite(place.to_array(), "place")?;
    let start_secs = number(state.start_secs, "start")?;
    Ok(StateRecordV2 { name: state.name.clone(), place, motion, pace, repeat, start_secs })
}

fn state_of(record: StateRecordV2) -> StateDef {
    StateDef {
        name: record.name,
        motion: match record.motion {
            MotionRecordV2::Clip(clip) => Motion::Clip(clip),
            MotionRecordV2::Line { parameter, damp_secs, points } => {
                let points = points.into_iter().map(|(at, clip)| LinePoint { at, clip }).collect();
                Motion::Line(Line { parameter, damp_secs, points })
            }
            MotionRecordV2::Plane { parameters, damp_secs, points } => {
                let point = |(at, clip)| PlanePoint { at: Vec2::from_array(at), clip };
                Motion::Plane(Plane { parameters, damp_secs, points: points.into_iter().map(point).collect() })
            }
        },
        pace: match record.pace {
            PaceRecordV2::Time { speed, by } => Pace::Time { speed, by },
            PaceRecordV2::Distance { by } => Pace::Distance { by },
        },
        repeat: match record.repeat {
            RepeatRecordV2::AsClip => Repeat::AsClip,
            RepeatRecordV2::Loop => Repeat::Loop,
            RepeatRecordV2::Once => Repeat::Once,
        },
        start_secs: record.start_secs,
    }
}

fn transition_record(transition: &TransitionDef) -> Result<TransitionRecordV2, String> {
    Ok(TransitionRecordV2 {
        from: match &transition.from {
            From::Any => None,
            From::State(name) => Some(name.clone()),
        },
        to: transition.to.clone(),
        conditions: transition.conditions.iter().map(condition_record).collect::<Result<_, _>>()?,
        exit_rounds: transition.exit_rounds.map(|rounds| number(rounds, "exit time")).transpose()?,
        fade_kind: match transition.fade.kind {
            FadeKind::Cross => FadeKindRecordV2::Cross,
            FadeKind::Matched => FadeKindRecordV2::Matched,
            FadeKind::Inertial => FadeKindRecordV2::Inertial,
        },
        fade_secs: number(transition.fade.secs, "fade")?,
        interrupt: match transition.interrupt {
            Interrupt::Target => InterruptRecordV2::Target,
            Interrupt::Source => InterruptRecordV2::Source,
            Interrupt::Either => InterruptRecordV2::Either,
            Interrupt::Never => InterruptRecordV2::Never,
        },
    })
}

fn transition_of(record: TransitionRecordV2) -> TransitionDef {
    TransitionDef {
        from: record.from.map_or(From::Any, From::State),
        to: record.to,
        conditions: record.conditions.into_iter().map(condition_of).collect(),
        exit_rounds: record.exit_rounds,
        fade: Fade {
            kind: match record.fade_kind {
                FadeKindRecordV2::Cross => FadeKind::Cross,
                FadeKindRecordV2::Matched => FadeKind::Matched,
                FadeKindRecordV2::Inertial => FadeKind::Inertial,
            },
            secs: record.fade_secs,
        },
        interrupt: match record.interrupt {
            InterruptRecordV2::Target => Interrupt::Target,
            InterruptRecordV2::Source => Interrupt::Source,
            InterruptRecordV2::Either => Interrupt::Either,
            InterruptRecordV2::Never => Interrupt::Never,
        },
    }
}

fn condition_record(condition: &Condition) -> Result<ConditionRecordV2, String> {
    let parameter = condition.parameter().to_owned();
    Ok(match condition {
        Condition::Above { value, .. } => ConditionRecordV2::Above { parameter, value: number(*value, "condition")? },
        Condition::Below { value, .. } => ConditionRecordV2::Below { parameter, value: number(*value, "condition")? },
        Condition::On { .. } => ConditionRecordV2::On { parameter },
        Condition::Off { .. } => ConditionRecordV2::Off { parameter },
        Condition::Fired { .. } => ConditionRecordV2::Fired { parameter },
    })
}

fn condition_of(record: ConditionRecordV2) -> Condition {
    match record {
        ConditionRecordV2::Above { parameter, value } => Condition::Above { parameter, value },
        ConditionRecordV2::Below { parameter, value } => Condition::Below { parameter, value },
        ConditionRecordV2::On { parameter } => Condition::On { parameter },
        ConditionRecordV2::Off { parameter } => Condition::Off { parameter },
        ConditionRecordV2::Fired { parameter } => Condition::Fired { parameter },
    }
}
