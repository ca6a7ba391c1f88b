//! The parts of a state machine as plain values, which are edited and stored.
//! [`MachineDef::new`](super::def::MachineDef::new) validates them. Parts refer to each other by name.

use glam::Vec2;

use crate::anim::choice::choice;
use crate::anim::machine::layer_def::LayerDef;

/// A state machine that has not been validated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineParts {
    /// In display order; unique names.
    pub parameters: Vec<ParameterDef>,
    /// In display order; unique names, at least one.
    pub states: Vec<StateDef>,
    /// In order of priority: the first one whose conditions hold is taken.
    pub transitions: Vec<TransitionDef>,
    /// The name of the initial state.
    pub start: String,
    /// Over the states' pose, the lowest first; unique names.
    pub layers: Vec<LayerDef>,
}

/// A value that the game sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterDef {
    /// Unique, not empty.
    pub name: String,
    /// The kind and initial value.
    pub value: Value,
}

impl ParameterDef {
    /// A parameter with this name, kind and initial value.
    pub fn new(name: impl Into<String>, value: Value) -> ParameterDef {
        ParameterDef { name: name.into(), value }
    }
}

/// The kind of a parameter, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Finite; any unit.
    Number(f32),
    /// On or off until it is set again.
    Switch(bool),
    /// Fired for the next update only, or until a transition consumes it.
    Trigger,
}

/// A state: a motion, and how it is played.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDef {
    /// Unique, not empty.
    pub name: String,
    /// The clip, or a blend of clips.
    pub motion: Motion,
    /// The clock of the clip.
    pub pace: Pace,
    /// The behaviour at the end of the clip.
    pub repeat: Repeat,
    /// Start time in the clip, in seconds; at least 0. A state that plays backwards starts at the end if it is 0.
    pub start_secs: f32,
}

impl StateDef {
    /// A state that plays a motion with default settings, from its start.
    pub fn new(name: impl Into<String>, motion: Motion) -> StateDef {
        StateDef { name: name.into(), motion, pace: Pace::default(), repeat: Repeat::default(), start_secs: 0.0 }
    }
}

/// The clip of a state, or a blend of clips. A clip name that the model lacks, or an empty one, shows the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// One clip.
    Clip(String),
    /// A 1D blend space.
    Line(Line),
    /// A 2D blend space.
    Plane(Plane),
}

impl Motion {
    /// The names of the clips, in order.
    pub fn clips(&self) -> impl Iterator<Item = &str> {
        let (one, line, plane) = match self {
            Motion::Clip(clip) => (Some(clip), &[][..], &[][..]),
            Motion::Line(line) => (None, &line.points[..], &[][..]),
            Motion::Plane(plane) => (None, &[][..], &plane.points[..]),
        };
        let line = line.iter().map(|point| &point.clip);
        let plane = plane.iter().map(|point| &point.clip);
        one.into_iter().chain(line).chain(plane).map(String::as_str)
    }

    /// The names of the clips, mutable, for renaming.
    pub fn clips_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let (one, line, plane) = match self {
            Motion::Clip(clip) => (Some(clip), &mut [][..], &mut [][..]),
            Motion::Line(line) => (None, &mut line.points[..], &mut [][..]),
            Motion::Plane(plane) => (None, &mut [][..], &mut plane.points[..]),
        };
        let line = line.iter_mut().map(|point| &mut point.clip);
        let plane = plane.iter_mut().map(|point| &mut point.clip);
        one.into_iter().chain(line).chain(plane)
    }

    /// The parameters of the blend space, in order: none, one or two.
    pub fn parameters(&self) -> &[String] {
        match self {
            Motion::Clip(_) => &[],
            Motion::Line(line) => std::slice::from_ref(&line.parameter),
            Motion::Plane(plane) => &plane.parameters,
        }
    }

    /// The parameters of the blend space, mutable, for renaming.
    pub fn parameters_mut(&mut self) -> &mut [String] {
        match self {
            Motion::Clip(_) => &mut [],
            Motion::Line(line) => std::slice::from_mut(&mut line.parameter),
            Motion::Plane(plane) => &mut plane.parameters,
        }
    }
}

/// A 1D blend space: clips along one parameter. Between two points their clips are blended linearly; beyond the ends
/// the last clip plays. All clips are synchronized by phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The name of a number.
    pub parameter: String,
    /// Damping: the time in seconds in which the position follows the parameter most of the way; 0 follows at once.
    pub damp_secs: f32,
    /// 1 to 32, sorted by `at`.
    pub points: Vec<LinePoint>,
}

/// A clip at a value of the parameter.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct LinePoint {
    pub at: f32,
    pub clip: String,
}

/// A 2D blend space: clips over two parameters, blended by gradient bands (Rune Skovbo Johansen, "Automated
/// Semi-Procedural Animation", 2009, section 6.3). Each point has weight 1 at its own position and 0 at the positions
/// of the others. Points can be anywhere. All clips are synchronized by phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plane {
    /// The names of two number parameters: x to the right, y upwards.
    pub parameters: [String; 2],
    /// See [`Line::damp_secs`].
    pub damp_secs: f32,
    /// 1 to 32.
    pub points: Vec<PlanePoint>,
}

/// A clip at a position.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct PlanePoint {
    pub at: Vec2,
    pub clip: String,
}

/// The clock of a state's clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Pace {
    /// The clip plays by time.
    Time {
        /// 1 is the clip's own speed; negative values play backwards.
        speed: f32,
        /// The name of a number parameter that multiplies the speed; empty for none.
        by: String,
    },
    /// Distance travelled, so that feet don't slide: one loop per root distance of the clips.
    Distance {
        /// The name of a number parameter: metres per second.
        by: String,
    },
}

impl Default for Pace {
    fn default() -> Pace {
        Pace::Time { speed: 1.0, by: String::new() }
    }
}

impl Pace {
    /// The name of the parameter; empty for none.
    pub fn by(&self) -> &str {
        match self {
            Pace::Time { by, .. } | Pace::Distance { by } => by,
        }
    }

    /// The name of the parameter, mutable, for renaming.
    pub fn by_mut(&mut self) -> &mut String {
        match self {
            Pace::Time { by, .. } | Pace::Distance { by } => by,
        }
    }
}

choice! {
    /// The behaviour at the end of a state's clip. Clips driven by distance always repeat.
    #[derive(Default)]
    pub enum Repeat {
        /// As the clip is set; in a blend space, as its first clip is set.
        #[default]
        AsClip = "clip",
        /// Starts again, or goes back and forth if the clip is a ping-pong.
        Loop = "loop",
        /// Keeps the last pose.
        Once = "once",
    }
}

/// The start of a transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TransitionSource {
    /// In any state. If its conditions hold in the state that it leads to, that state continues and later transitions
    /// are not considered.
    #[default]
    Any,
    /// In the state with this name.
    State(String),
}

/// A transition from one state to another.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionDef {
    /// The state that it leaves.
    pub from: TransitionSource,
    /// The name of the next state. A transition from a state to itself restarts the state.
    pub to: String,
    /// All must hold. Required if there is no exit time.
    pub conditions: Vec<Condition>,
    /// Exit time in loops of the state's clip (1 is its end), at least 0. Always reached in a state without length.
    pub exit_time: Option<f32>,
    /// How the states are blended.
    pub fade: Fade,
    /// The transitions that can interrupt the fade.
    pub interrupt: Interrupt,
}

impl TransitionDef {
    /// A transition without conditions and with a fade of 0 s.
    pub fn new(from: TransitionSource, to: impl Into<String>) -> TransitionDef {
        TransitionDef {
            from,
            to: to.into(),
            conditions: Vec::new(),
            exit_time: None,
            fade: Fade::default(),
            interrupt: Interrupt::default(),
        }
    }
}

/// A condition on a parameter.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Condition {
    /// A number is greater than `value`.
    Above { parameter: String, value: f32 },
    /// A number is less than `value`.
    Below { parameter: String, value: f32 },
    /// A switch is on.
    On { parameter: String },
    /// A switch is off.
    Off { parameter: String },
    /// A trigger was fired.
    Fired { parameter: String },
}

impl Condition {
    /// The name of its parameter.
    pub fn parameter(&self) -> &str {
        match self {
            Condition::Above { parameter, .. } | Condition::Below { parameter, .. } => parameter,
            Condition::On { parameter } | Condition::Off { parameter } | Condition::Fired { parameter } => parameter,
        }
    }

    /// The name of its parameter, mutable, for renaming.
    pub fn parameter_mut(&mut self) -> &mut String {
        match self {
            Condition::Above { parameter, .. } | Condition::Below { parameter, .. } => parameter,
            Condition::On { parameter } | Condition::Off { parameter } | Condition::Fired { parameter } => parameter,
        }
    }
}

/// How one state fades to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// The kind of fade.
    pub kind: FadeKind,
    /// Duration in seconds, 0 to 60; 0 cuts.
    pub secs: f32,
}

impl Fade {
    /// A cross-fade of `secs` seconds.
    pub fn cross(secs: f32) -> Fade {
        Fade { kind: FadeKind::Cross, secs }
    }
}

choice! {
    /// How a fade mixes two states.
    #[derive(Default)]
    pub enum FadeKind {
        /// A crossfade: both states play, and the weight moves to the new one.
        #[default]
        Cross = "cross",
        /// A cross-fade with both clips at the same phase, so that steps stay in sync.
        Matched = "matched",
        /// Inertialization: the old state stops, and the difference between the poses decays ([`crate::anim::inertial`]).
        Inertial = "inertial",
    }
}

choice! {
    /// The transitions that can interrupt a fade. Those from any state always can, except with [`Interrupt::Never`].
    #[derive(Default)]
    pub enum Interrupt {
        /// Transitions of the state that is faded in.
        #[default]
        Target = "target",
        /// Transitions of the state that is faded out, if they have a higher priority than the current transition.
        Source = "source",
        /// Transitions of both states.
        Either = "either",
        /// None until the fade has ended.
        Never = "never",
    }
}
