//! MACH: the animation table of a model, and its state machine if it has one. Version 1 holds the table alone, version 3 has layers. See
//! docs/wad-format.md, "MACH".

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
use crate::wad::error::Fault;
use crate::wad::record::stored::{Invalid, Stored, record};
use crate::wad::record::{Input, Record, write_value};

#[derive(Serialize, Deserialize)]
struct MachineRecordV1 {
    states: Vec<StateClipRecordV1>,
}

record! {
    struct MachineRecordV2 of AnimationTable { states: Vec<StateClipRecordV1>, graph: Option<GraphRecordV2> }
}

record! {
    struct StateClipRecordV1 of StateClip {
        state: String,
        /// The display name of a clip of the model.
        clip: String,
    }
}

#[derive(Serialize, Deserialize)]
pub struct GraphRecordV2 {
    parameters: Vec<ParameterRecordV2>,
    states: Vec<StateRecordV2>,
    transitions: Vec<TransitionRecordV2>,
    start: String,
}

record! { struct ParameterRecordV2 of ParameterDef { name: String, value: ValueRecordV2 } }
record! { enum ValueRecordV2 of Value { Number(value: f32), Switch(is_on: bool), Trigger } }

#[derive(Serialize, Deserialize)]
struct StateRecordV2 {
    name: String,
    /// The position in the editor.
    place: [f32; 2],
    motion: MotionRecordV2,
    pace: PaceRecordV2,
    repeat: RepeatRecordV2,
    start_secs: f32,
}

record! { enum MotionRecordV2 of Motion { Clip(clip: String), Line(line: LineRecordV2), Plane(plane: PlaneRecordV2) } }
record! { struct LineRecordV2 of Line { parameter: String, damp_secs: f32, points: Vec<LinePointRecordV2> } }
record! { struct LinePointRecordV2 of LinePoint { at: f32, clip: String } }
record! { struct PlaneRecordV2 of Plane { parameters: [String; 2], damp_secs: f32, points: Vec<PlanePointRecordV2> } }
record! { struct PlanePointRecordV2 of PlanePoint { at: [f32; 2], clip: String } }
record! { enum PaceRecordV2 of Pace { Time { speed: f32, by: String }, Distance { by: String } } }
record! { enum RepeatRecordV2 of Repeat { AsClip, Loop, Once } }

record! {
    struct TransitionRecordV2 of TransitionDef {
        /// None for any state.
        from: Option<String>,
        to: String,
        conditions: Vec<ConditionRecordV2>,
        exit_time: Option<f32>,
        fade: FadeRecordV2,
        interrupt: InterruptRecordV2,
    }
}

record! {
    enum ConditionRecordV2 of Condition {
        Above { parameter: String, value: f32 },
        Below { parameter: String, value: f32 },
        On { parameter: String },
        Off { parameter: String },
        Fired { parameter: String },
    }
}

#[derive(Serialize, Deserialize)]
struct MachineRecordV3 {
    base: MachineRecordV2,
    /// Of the graph, which is there.
    layers: Vec<LayerRecordV3>,
}

record! {
    struct LayerRecordV3 of LayerDef {
        name: String,
        clip: String,
        bone: String,
        kind: LayerKindRecordV3,
        conditions: Vec<ConditionRecordV2>,
        speed: f32,
        weight: f32,
        fade_secs: f32,
    }
}

record! { enum LayerKindRecordV3 of LayerKind { Replace, Add } }

record! { struct FadeRecordV2 of Fade { kind: FadeKindRecordV2, secs: f32 } }
record! { enum FadeKindRecordV2 of FadeKind { Cross, Matched, Inertial } }
record! { enum InterruptRecordV2 of Interrupt { Target, Source, Either, Never } }

impl Record for MachineRecordV1 {
    const MAX_BYTES: usize = 0x10_0000;
}

impl Record for MachineRecordV2 {
    const MAX_BYTES: usize = 0x10_0000;
}

impl Record for MachineRecordV3 {
    const MAX_BYTES: usize = 0x10_0000;
}

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

impl Stored<GraphRecordV2> for Graph {
    fn to_record(&self) -> Result<GraphRecordV2, Invalid> {
        self.check()?;
        // Layers are stored beside it.
        let MachineParts { parameters, states, transitions, start, layers: _ } = self.def.parts();
        let states = states.iter().zip(&self.places);
        Ok(GraphRecordV2 {
            parameters: parameters.to_record()?,
            states: states.map(|(state, place)| state_record(state, *place)).collect::<Result<_, _>>()?,
            transitions: transitions.to_record()?,
            start: start.clone(),
        })
    }

    fn from_record(record: GraphRecordV2) -> Result<Graph, Invalid> {
        let states = record.states.into_iter().map(placed_state).collect::<Result<Vec<_>, _>>()?;
        let (states, places) = states.into_iter().unzip();
        let parts = MachineParts {
            parameters: Stored::from_record(record.parameters)?,
            states,
            transitions: Stored::from_record(record.transitions)?,
            start: record.start,
            layers: Vec::new(),
        };
        let def = MachineDef::new(parts).map_err(|error| Invalid::new(error.to_string()))?;
        let graph = Graph { def: Arc::new(def), places };
        graph.check()?;
        Ok(graph)
    }
}

fn state_record(state: &StateDef, place: Vec2) -> Result<StateRecordV2, Invalid> {
    let StateDef { name, motion, pace, repeat, start_secs } = state;
    Ok(StateRecordV2 {
        name: name.clone(),
        place: place.to_record()?,
        motion: motion.to_record()?,
        pace: pace.to_record()?,
        repeat: repeat.to_record()?,
        start_secs: start_secs.to_record()?,
    })
}

fn placed_state(record: StateRecordV2) -> Result<(StateDef, Vec2), Invalid> {
    let StateRecordV2 { name, place, motion, pace, repeat, start_secs } = record;
    let state = StateDef {
        name,
        motion: Stored::from_record(motion)?,
        pace: Stored::from_record(pace)?,
        repeat: Stored::from_record(repeat)?,
        start_secs: Stored::from_record(start_secs)?,
    };
    Ok((state, Stored::from_record(place)?))
}

impl Stored<MachineRecordV3> for AnimationTable {
    fn to_record(&self) -> Result<MachineRecordV3, Invalid> {
        Ok(MachineRecordV3 { base: self.to_record()?, layers: layers(self).to_vec().to_record()? })
    }

    fn from_record(record: MachineRecordV3) -> Result<AnimationTable, Invalid> {
        let mut table: AnimationTable = Stored::from_record(record.base)?;
        let graph = table.graph.as_mut().ok_or_else(|| Invalid::new("it has layers and no machine"))?;
        let parts = MachineParts { layers: Stored::from_record(record.layers)?, ..graph.def.parts().clone() };
        graph.def = Arc::new(MachineDef::new(parts).map_err(|error| Invalid::new(error.to_string()))?);
        Ok(table)
    }
}

fn layers(table: &AnimationTable) -> &[LayerDef] {
    table.graph.as_ref().map_or(&[], |graph| graph.def.parts().layers.as_slice())
}

/// A machine without layers is stored as before, so that older programs read it.
pub fn version_of(table: &AnimationTable) -> u16 {
    if layers(table).is_empty() { 2 } else { 3 }
}

pub fn write(table: &AnimationTable) -> Result<Vec<u8>, String> {
    match version_of(table) {
        2 => write_value::<MachineRecordV2>(table),
        _ => write_value::<MachineRecordV3>(table),
    }
}

pub fn read(input: Input<'_>) -> Result<AnimationTable, Fault> {
    match input.version {
        1 => {
            let MachineRecordV1 { states } = input.record()?;
            Ok(AnimationTable { states: Stored::from_record(states)?, graph: None })
        }
        2 => input.value::<MachineRecordV2, _>(),
        _ => input.value::<MachineRecordV3, _>(),
    }
}
