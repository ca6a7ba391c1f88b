//! A machine that was checked: names are unique, what is named exists, numbers are finite.

use thiserror::Error;

use crate::anim::machine::parts::{Condition, MachineParts, Motion, Pace, Source, StateDef, TransitionDef, Value};

/// The most states.
pub const MAX_STATES: usize = 256;
/// The most parameters.
pub const MAX_PARAMETERS: usize = 256;
/// The most transitions.
pub const MAX_TRANSITIONS: usize = 2048;
/// The most conditions of one transition.
pub const MAX_CONDITIONS: usize = 32;
/// The most points of one blend.
pub const MAX_POINTS: usize = 32;
/// The longest fade, and the longest time in which a blend follows its parameter, in seconds.
pub const LONGEST_SECS: f32 = 60.0;
/// No number of a machine is larger, either way.
pub const LARGEST: f32 = 1e6;
/// The longest name, in bytes.
pub const LONGEST_NAME: usize = 200;

/// Why a machine is not valid: the place, and the reason.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {reason}")]
pub struct MachineError {
    /// "state \"walk\"", "transition 3 (walk to run)", ….
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

/// A checked machine. What it is made of stays readable ([`MachineDef::parts`]); to change it, change a copy of the parts
/// and check again.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineDef {
    parts: MachineParts,
    start: usize,
    links: Vec<Link>,
    inputs: Vec<Inputs>,
}

/// A transition with what it names found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    /// `None`: any state.
    pub from: Option<usize>,
    pub to: usize,
    pub tests: Vec<(usize, Test)>,
}

/// What must hold of the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    Above(f32),
    Below(f32),
    On,
    Off,
    Fired,
}

/// The parameters of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Inputs {
    pub pace: Option<usize>,
    pub place: [Option<usize>; 2],
}

impl MachineDef {
    /// Checks the parts; the error names the first place that is wrong.
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
        Ok(MachineDef { parts, start, links, inputs })
    }

    /// What it is made of.
    pub fn parts(&self) -> &MachineParts {
        &self.parts
    }

    /// The index of the state in which it begins.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The index of the state of that name.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.parts.states.iter().position(|state| state.name == name)
    }

    /// The index of the parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parts.parameters.iter().position(|parameter| parameter.name == name)
    }

    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }

    pub(super) fn inputs(&self, state: usize) -> Inputs {
        self.inputs[state]
    }
}

/// How a transition is called in messages.
pub fn place_of(index: usize, transition: &TransitionDef) -> String {
    let from = match &transition.from {
        Source::Any => "any state",
        Source::State(name) => name,
    };
    format!("transition {} ({from} to {})", index + 1, transition.to)
}

fn check_counts(parts: &MachineParts) -> Result<(), String> {
    let counts = [
        (parts.states.len(), MAX_STATES, "states"),
        (parts.parameters.len(), MAX_PARAMETERS, "parameters"),
        (parts.transitions.len(), MAX_TRANSITIONS, "transitions"),
    ];
    match counts.into_iter().find(|(count, most, _)| count > most) {
        Some((count, most, what)) => Err(format!("{count} {what}, at most {most} are possible")),
        None if parts.states.is_empty() => Err("it has no state".into()),
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
        return Err(format!(
            "the name of one of its {what} has {} bytes, at most {LONGEST_NAME} are possible",
            name.len()
        ));
    }
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two of its {what} are called \"{}\"", pair[0])),
        None => Ok(()),
    }
}

fn number(value: f32, what: &str) -> Result<(), String> {
    match value.abs() <= LARGEST {
        true => Ok(()),
        false => Err(format!("{what} is {value}, which is not a number up to {LARGEST} either way")),
    }
}

fn secs(value: f32, what: &str) -> Result<(), String> {
    match (0.0..=LONGEST_SECS).contains(&value) {
        true => Ok(()),
        false => Err(format!("{what} is {value} s, 0 to {LONGEST_SECS} are possible")),
    }
}

fn state_of(parts: &MachineParts, name: &str) -> Result<usize, String> {
    let at = parts.states.iter().position(|state| state.name == name);
    at.ok_or_else(|| format!("there is no state \"{name}\""))
}

/// The kinds that a parameter can be of.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Switch,
    Trigger,
}

fn kind_of(value: Value) -> (Kind, &'static str) {
    match value {
        Value::Number(_) => (Kind::Number, "a number"),
        Value::Switch(_) => (Kind::Switch, "a switch"),
        Value::Trigger => (Kind::Trigger, "a trigger"),
    }
}

fn parameter_of(parts: &MachineParts, name: &str, target_place: Kind) -> Result<usize, String> {
    let at = parts.parameters.iter().position(|parameter| parameter.name == name);
    let at = at.ok_or_else(|| format!("there is no parameter \"{name}\""))?;
    let (kind, called) = kind_of(parts.parameters[at].value);
    match kind == target_place {
        true => Ok(at),
        false => Err(format!("the parameter \"{name}\" is {called}, which does not fit here")),
    }
}

fn check_state(parts: &MachineParts, state: &StateDef) -> Result<Inputs, String> {
    secs(state.start_secs, "where it begins")?;
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
            secs(line.damp_secs, "the time in which its blend follows")?;
            line.points.iter().try_for_each(|point| number(point.at, "where a point of its blend stands"))?;
            if !line.points.is_sorted_by(|a, b| a.at <= b.at) {
                return Err("the points of its blend are not sorted".into());
            }
            line.points.len()
        }
        Motion::Plane(plane) => {
            secs(plane.damp_secs, "the time in which its blend follows")?;
            let numbers = plane.points.iter().flat_map(|point| point.at.to_array());
            numbers.into_iter().try_for_each(|at| number(at, "where a point of its blend stands"))?;
            plane.points.len()
        }
    };
    match count {
        0 => Err("its blend has no points".into()),
        1..=MAX_POINTS => Ok(inputs),
        _ => Err(format!("its blend has {count} points, at most {MAX_POINTS} are possible")),
    }
}

fn link(parts: &MachineParts, transition: &TransitionDef) -> Result<Link, String> {
    let from = match &transition.from {
        Source::Any => None,
        Source::State(name) => Some(state_of(parts, name)?),
    };
    let to = state_of(parts, &transition.to)?;
    secs(transition.fade.secs, "its fade")?;
    if let Some(loops) = transition.exit_time {
        number(loops, "its exit time")?;
        if loops < 0.0 {
            return Err(format!("its exit time is {loops} loops, which is less than none"));
        }
    } else if transition.conditions.is_empty() {
        return Err("it has neither a condition nor an exit time, so it would be taken always".into());
    }
    if transition.conditions.len() > MAX_CONDITIONS {
        let count = transition.conditions.len();
        return Err(format!("{count} conditions, at most {MAX_CONDITIONS} are possible"));
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
            number(value, "what a condition compares with")?;
        }
        Ok((parameter_of(parts, condition.parameter(), kind)?, test))
    };
    let tests = transition.conditions.iter().map(test).collect::<Result<Vec<_>, String>>()?;
    Ok(Link { from, to, tests })
}
