//! A validated state machine: names are unique, references exist, numbers are finite.

use thiserror::Error;

use crate::anim::machine::layer_def::LayerDef;
use crate::anim::machine::parts::{
    Condition, MachineParts, Motion, Pace, StateDef, TransitionDef, TransitionSource, Value,
};

/// Maximum number of states.
pub const MAX_STATES: usize = 256;
/// Maximum number of parameters.
pub const MAX_PARAMETERS: usize = 256;
/// Maximum number of transitions.
pub const MAX_TRANSITIONS: usize = 2048;
/// Maximum number of layers.
pub const MAX_LAYERS: usize = 32;
/// Maximum number of conditions per transition, and per layer.
pub const MAX_CONDITIONS: usize = 32;
/// Maximum number of points per blend space.
pub const MAX_POINTS: usize = 32;
/// Maximum duration of a fade and of a blend space's damping, in seconds.
pub const LONGEST_SECS: f32 = 60.0;
/// Maximum absolute value of a number.
pub const LARGEST: f32 = 1e6;
/// Maximum length of a name, in bytes.
pub const LONGEST_NAME: usize = 200;

/// Why a machine is not valid.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {reason}")]
pub struct MachineError {
    /// Such as "state \"walk\"" or "transition 3 (walk to run)".
    pub place: String,
    /// A part of a sentence.
    pub reason: String,
}

/// A validated machine. To change it, copy its parts ([`MachineDef::parts`]), change and validate them.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineDef {
    parts: MachineParts,
    start: usize,
    links: Vec<Link>,
    inputs: Vec<Inputs>,
    layers: Vec<LayerLink>,
}

/// The resolved conditions of a layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LayerLink {
    /// Triggers.
    pub starts: Vec<(usize, Test)>,
    /// All others.
    pub holds: Vec<(usize, Test)>,
}

/// A transition with resolved names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// `None` for any state.
    pub from: Option<usize>,
    pub to: usize,
    pub tests: Vec<(usize, Test)>,
}

/// A condition on the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    Above(f32),
    Below(f32),
    On,
    Off,
    Fired,
}

/// The resolved parameters of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Inputs {
    pub pace: Option<usize>,
    pub place: [Option<usize>; 2],
}

impl MachineDef {
    /// Validates a machine.
    ///
    /// # Errors
    /// If anything is wrong: the first place that is, with the reason.
    pub fn new(parts: MachineParts) -> Result<MachineDef, MachineError> {
        let whole = |reason: String| MachineError { place: "the machine".into(), reason };
        check_counts(&parts).map_err(whole)?;
        unique(parts.parameters.iter().map(|it| it.name.as_str()), "parameters").map_err(whole)?;
        unique(parts.states.iter().map(|it| it.name.as_str()), "states").map_err(whole)?;
        for parameter in &parts.parameters {
            if let Value::Number(value) = parameter.value {
                let place = || format!("parameter \"{}\"", parameter.name);
                number(value, "its value").map_err(|reason| MachineError { place: place(), reason })?;
            }
        }
        let mut inputs = Vec::with_capacity(parts.states.len());
        for state in &parts.states {
            let place = || format!("state \"{}\"", state.name);
            inputs.push(check_state(&parts, state).map_err(|reason| MachineError { place: place(), reason })?);
        }
        let mut links = Vec::with_capacity(parts.transitions.len());
        for (index, transition) in parts.transitions.iter().enumerate() {
            let place = || place_of(index, transition);
            links.push(link(&parts, transition).map_err(|reason| MachineError { place: place(), reason })?);
        }
        let start = state_of(&parts, &parts.start).map_err(|reason| whole(format!("its start: {reason}")))?;
        unique(parts.layers.iter().map(|it| it.name.as_str()), "layers").map_err(whole)?;
        let layer =
            |def: &LayerDef| layer_link(&parts, def).map_err(|reason| MachineError { place: def.place(), reason });
        let layers = parts.layers.iter().map(layer).collect::<Result<_, _>>()?;
        Ok(MachineDef { parts, start, links, inputs, layers })
    }

    /// The validated parts.
    pub fn parts(&self) -> &MachineParts {
        &self.parts
    }

    /// The index of the initial state.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The index of the state with this name.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.parts.states.iter().position(|state| state.name == name)
    }

    /// The index of the parameter with this name.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parts.parameters.iter().position(|parameter| parameter.name == name)
    }

    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }

    pub(super) fn layer_links(&self) -> &[LayerLink] {
        &self.layers
    }

    pub(super) fn inputs(&self, state: usize) -> Inputs {
        self.inputs[state]
    }
}

/// The name of a transition in messages.
pub fn place_of(index: usize, transition: &TransitionDef) -> String {
    let from = match &transition.from {
        TransitionSource::Any => "any state",
        TransitionSource::State(name) => name,
    };
    format!("transition {} ({from} to {})", index + 1, transition.to)
}

fn check_counts(parts: &MachineParts) -> Result<(), String> {
    let counts = [
        (parts.states.len(), MAX_STATES, "states"),
        (parts.parameters.len(), MAX_PARAMETERS, "parameters"),
        (parts.transitions.len(), MAX_TRANSITIONS, "transitions"),
        (parts.layers.len(), MAX_LAYERS, "layers"),
    ];
    match counts.into_iter().find(|(count, most, _)| count > most) {
        Some((count, most, what)) => Err(format!("{count} {what}, the maximum is {most}")),
        None if parts.states.is_empty() => Err("it has no states".into()),
        None => Ok(()),
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Result<(), String> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    if names.first().is_some_and(|name| name.trim().is_empty()) {
        return Err(format!("one of its {what} has no name"));
    }
    if let Some(name) = names.iter().find(|name| name.len() > LONGEST_NAME) {
        return Err(format!("the name of one of its {what} has {} bytes, the maximum is {LONGEST_NAME}", name.len()));
    }
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two of its {what} have the name \"{}\"", pair[0])),
        None => Ok(()),
    }
}

fn number(value: f32, what: &str) -> Result<(), String> {
    if value.abs() <= LARGEST {
        Ok(())
    } else {
        Err(format!("{what} is {value}; it must be between -{LARGEST} and {LARGEST}"))
    }
}

fn secs(value: f32, what: &str) -> Result<(), String> {
    if (0.0..=LONGEST_SECS).contains(&value) {
        Ok(())
    } else {
        Err(format!("{what} is {value} s; it must be between 0 and {LONGEST_SECS}"))
    }
}

fn state_of(parts: &MachineParts, name: &str) -> Result<usize, String> {
    let at = parts.states.iter().position(|state| state.name == name);
    at.ok_or_else(|| format!("state \"{name}\" doesn't exist"))
}

/// The kind of a parameter.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Switch,
    Trigger,
}

impl Kind {
    fn of(value: Value) -> Kind {
        match value {
            Value::Number(_) => Kind::Number,
            Value::Switch(_) => Kind::Switch,
            Value::Trigger => Kind::Trigger,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Switch => "a switch",
            Kind::Trigger => "a trigger",
        }
    }
}

fn parameter_of(parts: &MachineParts, name: &str, expected: Kind) -> Result<usize, String> {
    let at = parts.parameters.iter().position(|parameter| parameter.name == name);
    let at = at.ok_or_else(|| format!("parameter \"{name}\" doesn't exist"))?;
    let kind = Kind::of(parts.parameters[at].value);
    if kind == expected {
        Ok(at)
    } else {
        Err(format!("parameter \"{name}\" is {}, expected {}", kind.name(), expected.name()))
    }
}

fn check_state(parts: &MachineParts, state: &StateDef) -> Result<Inputs, String> {
    secs(state.start_secs, "its start time")?;
    let number_of = |name: &str| parameter_of(parts, name, Kind::Number);
    let pace = match &state.pace {
        Pace::Time { speed, by } => {
            number(*speed, "its speed")?;
            if by.is_empty() { None } else { Some(number_of(by)?) }
        }
        Pace::Distance { by } => Some(number_of(by)?),
    };
    let mut inputs = Inputs { pace, place: [None; 2] };
    for (place, name) in inputs.place.iter_mut().zip(state.motion.parameters()) {
        *place = Some(number_of(name)?);
    }
    let count = match &state.motion {
        Motion::Clip(_) => 1,
        Motion::Line(line) => {
            secs(line.damp_secs, "the damping of its blend space")?;
            line.points.iter().try_for_each(|point| number(point.at, "the position of a point of its blend space"))?;
            if !line.points.is_sorted_by(|a, b| a.at <= b.at) {
                return Err("the points of its blend space are not sorted".into());
            }
            line.points.len()
        }
        Motion::Plane(plane) => {
            secs(plane.damp_secs, "the damping of its blend space")?;
            let numbers = plane.points.iter().flat_map(|point| point.at.to_array());
            numbers.into_iter().try_for_each(|at| number(at, "the position of a point of its blend space"))?;
            plane.points.len()
        }
    };
    match count {
        0 => Err("its blend space has no points".into()),
        1..=MAX_POINTS => Ok(inputs),
        _ => Err(format!("its blend space has {count} points, the maximum is {MAX_POINTS}")),
    }
}

fn link(parts: &MachineParts, transition: &TransitionDef) -> Result<Link, String> {
    let from = match &transition.from {
        TransitionSource::Any => None,
        TransitionSource::State(name) => Some(state_of(parts, name)?),
    };
    let to = state_of(parts, &transition.to)?;
    secs(transition.fade.secs, "its fade duration")?;
    if let Some(loops) = transition.exit_time {
        number(loops, "its exit time")?;
        if loops < 0.0 {
            return Err(format!("its exit time is {loops} loops; it can't be negative"));
        }
    } else if transition.conditions.is_empty() {
        return Err("it has neither a condition nor an exit time".into());
    }
    let tests = tests(parts, &transition.conditions)?;
    Ok(Link { from, to, tests })
}

fn layer_link(parts: &MachineParts, layer: &LayerDef) -> Result<LayerLink, String> {
    secs(layer.fade_secs, "its fade duration")?;
    number(layer.speed, "its speed")?;
    if layer.speed < 0.0 {
        return Err(format!("its speed is {}; it can't be negative", layer.speed));
    }
    if !(0.0..=1.0).contains(&layer.weight) {
        return Err(format!("its weight is {}; it must be between 0 and 1", layer.weight));
    }
    let tests = tests(parts, &layer.conditions)?.into_iter();
    let (starts, holds) = tests.partition(|(_, test)| *test == Test::Fired);
    Ok(LayerLink { starts, holds })
}

/// The conditions with their parameters looked up.
fn tests(parts: &MachineParts, conditions: &[Condition]) -> Result<Vec<(usize, Test)>, String> {
    if conditions.len() > MAX_CONDITIONS {
        return Err(format!("{} conditions, the maximum is {MAX_CONDITIONS}", conditions.len()));
    }
    let test = |condition: &Condition| {
        let (kind, test) = match *condition {
            Condition::Above { value, .. } => (Kind::Number, Test::Above(value)),
            Condition::Below { value, .. } => (Kind::Number, Test::Below(value)),
            Condition::On { .. } => (Kind::Switch, Test::On),
            Condition::Off { .. } => (Kind::Switch, Test::Off),
            Condition::Fired { .. } => (Kind::Trigger, Test::Fired),
        };
        if let Test::Above(value) | Test::Below(value) = test {
            number(value, "the value of a condition")?;
        }
        Ok((parameter_of(parts, condition.parameter(), kind)?, test))
    };
    conditions.iter().map(test).collect()
}
