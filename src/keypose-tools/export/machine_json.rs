//! The state machine as JSON, for engines that run it themselves. docs/machine.schema.json is its schema, docs/export.md
//! describes it. Positions of states in the editor are left out.

use std::cell::LazyCell;
use std::ops::Deref;

use glam::Vec3;
use serde_json::{Value as Json, json};

use crate::anim::machine::layer_def::LayerDef;
use crate::anim::machine::parts::{
    Condition, MachineParts, Motion, Pace, ParameterDef, StateDef, TransitionDef, TransitionSource, Value,
};
use crate::anim::root_motion::RootMotion;
use crate::assets::default_machine::CLIMB;
use crate::assets::fit::{deform_bones, fit};
use crate::assets::gait;
use crate::assets::mesh_reach::bake_clip;
use crate::assets::model::Model;

/// The authored machine of a model, if it has one.
pub fn of_model(model: &Model) -> Option<Json> {
    model.machine.graph.as_ref().map(|graph| machine(graph.def.parts(), model))
}

fn machine(parts: &MachineParts, model: &Model) -> Json {
    let measured = LazyCell::new(|| (deform_bones(model), fit(model).height));
    json!({
        "version": 1,
        "start": parts.start,
        "parameters": parts.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "states": parts.states.iter().map(|it| state(it, model, &measured)).collect::<Vec<_>>(),
        "transitions": parts.transitions.iter().map(transition).collect::<Vec<_>>(),
        "layers": parts.layers.iter().map(layer).collect::<Vec<_>>(),
    })
}

fn parameter(parameter: &ParameterDef) -> Json {
    let name = &parameter.name;
    match parameter.value {
        Value::Number(value) => json!({ "name": name, "kind": "number", "value": shortest(value) }),
        Value::Switch(is_on) => json!({ "name": name, "kind": "switch", "value": is_on }),
        Value::Trigger => json!({ "name": name, "kind": "trigger" }),
    }
}

/// The bones that deform meshes, and the height of the model.
type Measured = (Vec<usize>, f32);

fn state(state: &StateDef, model: &Model, measured: &impl Deref<Target = Measured>) -> Json {
    // A clip that is driven by distance needs to know how far one loop goes.
    let clip = |name: &str| match &state.pace {
        Pace::Time { .. } => json!({ "clip": name }),
        Pace::Distance { by } => with_gait(name, by, model, measured),
    };
    let pace = match &state.pace {
        Pace::Time { speed, by } => json!({ "kind": "time", "speed": shortest(*speed), "by": optional(by) }),
        Pace::Distance { by } => json!({ "kind": "distance", "by": by }),
    };
    json!({
        "name": state.name,
        "motion": motion(&state.motion, clip),
        "pace": pace,
        "repeat": state.repeat.name(),
        "start": shortest(state.start_secs),
    })
}

fn with_gait(name: &str, by: &str, model: &Model, (bones, height): &Measured) -> Json {
    let Some(slot) = model.clips.iter().find(|slot| slot.clip.name == name) else {
        return json!({ "clip": name });
    };
    let baked = bake_clip(model, &slot.clip);
    let measure = if by == CLIMB { gait::climbing } else { gait::walking };
    let gait = measure(&model.skeleton, &baked, bones, *height);
    let mut json = json!({ "clip": name, "stride": gait.stride.map(shortest), "sync": shortest(gait.sync) });
    if gait.drift != Vec3::ZERO && slot.clip.root_motion == RootMotion::None {
        json["drift"] = gait.drift.to_array().map(shortest).into();
    }
    json
}

fn motion(motion: &Motion, clip: impl Fn(&str) -> Json) -> Json {
    let at = |place: &[f32], name: &str| {
        let mut point = clip(name);
        point["at"] = place.iter().copied().map(shortest).collect();
        point
    };
    match motion {
        Motion::Clip(name) => {
            let mut motion = clip(name);
            motion["kind"] = "clip".into();
            motion
        }
        Motion::Line(line) => {
            let points = line.points.iter().map(|point| at(&[point.at], &point.clip));
            blend("line", std::slice::from_ref(&line.parameter), line.damp_secs, points.collect())
        }
        Motion::Plane(plane) => {
            let points = plane.points.iter().map(|point| at(&point.at.to_array(), &point.clip));
            blend("plane", &plane.parameters, plane.damp_secs, points.collect())
        }
    }
}

fn blend(kind: &str, parameters: &[String], damp_secs: f32, points: Vec<Json>) -> Json {
    json!({ "kind": kind, "parameters": parameters, "damping": shortest(damp_secs), "points": points })
}

fn transition(transition: &TransitionDef) -> Json {
    let from = match &transition.from {
        TransitionSource::Any => None,
        TransitionSource::State(name) => Some(name),
    };
    json!({
        "from": from,
        "to": transition.to,
        "conditions": conditions(&transition.conditions),
        "exitTime": transition.exit_time.map(shortest),
        "fade": { "kind": transition.fade.kind.name(), "duration": shortest(transition.fade.secs) },
        "interrupt": transition.interrupt.name(),
    })
}

fn layer(layer: &LayerDef) -> Json {
    json!({
        "name": layer.name,
        "clip": layer.clip,
        "bone": optional(&layer.bone),
        "kind": layer.kind.name(),
        "conditions": conditions(&layer.conditions),
        "speed": shortest(layer.speed),
        "weight": shortest(layer.weight),
        "fade": shortest(layer.fade_secs),
    })
}

fn conditions(conditions: &[Condition]) -> Vec<Json> {
    let json = |condition: &Condition| {
        let parameter = condition.parameter();
        match condition {
            Condition::Above { value, .. } => {
                json!({ "parameter": parameter, "is": "above", "value": shortest(*value) })
            }
            Condition::Below { value, .. } => {
                json!({ "parameter": parameter, "is": "below", "value": shortest(*value) })
            }
            Condition::On { .. } => json!({ "parameter": parameter, "is": "on" }),
            Condition::Off { .. } => json!({ "parameter": parameter, "is": "off" }),
            Condition::Fired { .. } => json!({ "parameter": parameter, "is": "fired" }),
        }
    };
    conditions.iter().map(json).collect()
}

fn optional(name: &str) -> Option<&str> {
    (!name.is_empty()).then_some(name)
}

/// The shortest number that is the same `f32`: 0.1, not 0.10000000149011612.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}
