//! MACH: the animation table of a model, and its state machine if it has one. See docs/wad-format.md, "MACH".

use std::sync::Arc;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::anim::machine::def::MachineDef;
use crate::anim::machine::layer_def::{LayerDef, LayerKind};
use crate::anim::machine::parts::{
    Condition, Fade, FadeKind, Interrupt, Line, LinePoint, MachineParts, Motion, Pace, ParameterDef, Plane, PlanePoint,
    Repeat, StateDef, TransitionDef, TransitionSource, Value,
};
use crate::assets::machine::{AnimationTable, Graph, StateClip};
use crate::wad::record::stored::{Invalid, Stored, record};

record! {
    struct MachineRecordV1 of AnimationTable { states: Vec<StateClipRecordV1>, graph: Option<GraphRecordV1> }
}

record! {
    struct StateClipRecordV1 of StateClip {
        state: String,
        /// The display name of a clip of the model.
        clip: String,
    }
}

#[derive(Serialize, Deserialize)]
pub struct GraphRecordV1 {
    parameters: Vec<ParameterRecordV1>,
    states: Vec<StateRecordV1>,
    transitions: Vec<TransitionRecordV1>,
    start: String,
    layers: Vec<LayerRecordV1>,
}

record! { struct ParameterRecordV1 of ParameterDef { name: String, value: ValueRecordV1 } }
record! { enum ValueRecordV1 of Value { Number(value: f32), Switch(is_on: bool), Trigger } }

#[derive(Serialize, Deserialize)]
struct StateRecordV1 {
    name: String,
    /// The position in the editor.
    place: [f32; 2],
    motion: MotionRecordV1,
    pace: PaceRecordV1,
    repeat: RepeatRecordV1,
    start_secs: f32,
}

record! { enum MotionRecordV1 of Motion { Clip(clip: String), Line(line: LineRecordV1), Plane(plane: PlaneRecordV1) } }
record! { struct LineRecordV1 of Line { parameter: String, damp_secs: f32, points: Vec<LinePointRecordV1> } }
record! { struct LinePointRecordV1 of LinePoint { at: f32, clip: String } }
record! { struct PlaneRecordV1 of Plane { parameters: [String; 2], damp_secs: f32, points: Vec<PlanePointRecordV1> } }
record! { struct PlanePointRecordV1 of PlanePoint { at: [f32; 2], clip: String } }
record! { enum PaceRecordV1 of Pace { Time { speed: f32, by: String }, Distance { by: String } } }
record! { enum RepeatRecordV1 of Repeat { AsClip, Loop, Once } }

record! {
    struct TransitionRecordV1 of TransitionDef {
        /// None for any state.
        from: Option<String>,
        to: String,
        conditions: Vec<ConditionRecordV1>,
        exit_time: Option<f32>,
        fade: FadeRecordV1,
        interrupt: InterruptRecordV1,
    }
}

record! {
    enum ConditionRecordV1 of Condition {
        Above { parameter: String, value: f32 },
        Below { parameter: String, value: f32 },
        On { parameter: String },
        Off { parameter: String },
        Fired { parameter: String },
    }
}

record! {
    struct LayerRecordV1 of LayerDef {
        name: String,
        clip: String,
        bone: String,
        kind: LayerKindRecordV1,
        conditions: Vec<ConditionRecordV1>,
        speed: f32,
        weight: f32,
        fade_secs: f32,
    }
}

record! { enum LayerKindRecordV1 of LayerKind { Replace, Add } }

record! { struct FadeRecordV1 of Fade { kind: FadeKindRecordV1, secs: f32 } }
record! { enum FadeKindRecordV1 of FadeKind { Cross, Matched, Inertial } }
record! { enum InterruptRecordV1 of Interrupt { Target, Source, Either, Never } }

impl Stored<Option<String>> for TransitionSource {
    fn to_record(&self) -> Result<Option<String>, Invalid> {
        Ok(match self {
            TransitionSource::Any => None,
            TransitionSource::State(name) => Some(name.clone()),
        })
    }

    fn from_record(record: Option<String>) -> Result<TransitionSource, Invalid> {
        Ok(record.map_or(TransitionSource::Any, TransitionSource::State))
    }
}

impl Stored<GraphRecordV1> for Graph {
    fn to_record(&self) -> Result<GraphRecordV1, Invalid> {
        self.check()?;
        let MachineParts { parameters, states, transitions, start, layers } = self.def.parts();
        let states = states.iter().zip(&self.places);
        Ok(GraphRecordV1 {
            parameters: parameters.to_record()?,
            states: states.map(|(state, place)| state_record(state, *place)).collect::<Result<_, _>>()?,
            transitions: transitions.to_record()?,
            start: start.clone(),
            layers: layers.to_record()?,
        })
    }

    fn from_record(record: GraphRecordV1) -> Result<Graph, Invalid> {
        let states = record.states.into_iter().map(placed_state).collect::<Result<Vec<_>, _>>()?;
        let (states, places) = states.into_iter().unzip();
        let parts = MachineParts {
            parameters: Stored::from_record(record.parameters)?,
            states,
            transitions: Stored::from_record(record.transitions)?,
            start: record.start,
            layers: Stored::from_record(record.layers)?,
        };
        let def = MachineDef::new(parts).map_err(|error| Invalid::new(error.to_string()))?;
        let graph = Graph { def: Arc::new(def), places };
        graph.check()?;
        Ok(graph)
    }
}

fn state_record(state: &StateDef, place: Vec2) -> Result<StateRecordV1, Invalid> {
    let StateDef { name, motion, pace, repeat, start_secs } = state;
    Ok(StateRecordV1 {
        name: name.clone(),
        place: place.to_record()?,
        motion: motion.to_record()?,
        pace: pace.to_record()?,
        repeat: repeat.to_record()?,
        start_secs: start_secs.to_record()?,
    })
}

fn placed_state(record: StateRecordV1) -> Result<(StateDef, Vec2), Invalid> {
    let StateRecordV1 { name, place, motion, pace, repeat, start_secs } = record;
    let state = StateDef {
        name,
        motion: Stored::from_record(motion)?,
        pace: Stored::from_record(pace)?,
        repeat: Stored::from_record(repeat)?,
        start_secs: Stored::from_record(start_secs)?,
    };
    Ok((state, Stored::from_record(place)?))
}
