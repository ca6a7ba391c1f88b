//! What a state machine is made of, as plain values: edited, stored, and checked by
//! [`MachineDef::new`](super::def::MachineDef::new). Parts name each other by name.

use glam::Vec2;

/// A machine that was not checked yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineParts {
    /// In the order in which they are shown; unique names.
    pub parameters: Vec<ParameterDef>,
    /// In the order in which they are shown; unique names, at least one.
    pub states: Vec<StateDef>,
    /// The first one whose conditions hold is taken.
    pub transitions: Vec<TransitionDef>,
    /// The name of the state in which it begins.
    pub start: String,
}

/// A value that the game sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterDef {
    /// Unique, not empty.
    pub name: String,
    /// Its kind, and what it is until it is set.
    pub value: Value,
}

impl ParameterDef {
    /// A parameter of that name, kind and first value.
    pub fn new(name: impl Into<String>, value: Value) -> ParameterDef {
        ParameterDef { name: name.into(), value }
    }
}

/// The kind of a parameter with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Finite; any unit.
    Number(f32),
    /// On or off until it is set again.
    Switch(bool),
    /// Fired, it counts in the next update alone, for the transition that takes it.
    Trigger,
}

/// One state: what is shown while it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDef {
    /// Unique, not empty.
    pub name: String,
    /// What it shows.
    pub motion: Motion,
    /// What brings it on.
    pub pace: Pace,
    /// What happens at the end of the clip.
    pub repeat: Repeat,
    /// Where in the clip it begins, in seconds, 0 or more.
    pub start_secs: f32,
}

impl StateDef {
    /// A state that plays as its clip says, from its start.
    pub fn new(name: impl Into<String>, motion: Motion) -> StateDef {
        StateDef { name: name.into(), motion, pace: Pace::default(), repeat: Repeat::default(), start_secs: 0.0 }
    }
}

/// What a state shows. A clip's name that the model lacks, the empty one too, shows the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// One clip.
    Clip(String),
    /// Clips along one parameter.
    Line(Line),
    /// Clips over two parameters.
    Plane(Plane),
}

impl Motion {
    /// The names of its clips, in order.
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

    /// The same, to give a clip another name.
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

    /// The parameters that place a blend, in order: none, one or two.
    pub fn parameters(&self) -> &[String] {
        match self {
            Motion::Clip(_) => &[],
            Motion::Line(line) => std::slice::from_ref(&line.parameter),
            Motion::Plane(plane) => &plane.parameters,
        }
    }

    /// The same, to give a parameter another name.
    pub fn parameters_mut(&mut self) -> &mut [String] {
        match self {
            Motion::Clip(_) => &mut [],
            Motion::Line(line) => std::slice::from_mut(&mut line.parameter),
            Motion::Plane(plane) => &mut plane.parameters,
        }
    }
}

/// Clips along one number: between two points their clips are mixed in proportion, beyond the ends the last one plays.
/// All are at the same part of their round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The name of a number.
    pub parameter: String,
    /// The time in which the place follows the parameter most of the way, in seconds; 0 follows at once.
    pub damp_secs: f32,
    /// 1 to 32, sorted by where they stand.
    pub points: Vec<LinePoint>,
}

/// A clip at a value of the parameter.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct LinePoint {
    pub at: f32,
    pub clip: String,
}

/// Clips over two numbers, mixed by gradient bands (Rune Skovbo Johansen, "Automated Semi-Procedural Animation", 2009,
/// section 6.3): every point weighs all at its own place and nothing at the places of the others. Any number of points
/// in any place will do. All clips are at the same part of their round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plane {
    /// The names of two numbers: to the right, and upwards.
    pub parameters: [String; 2],
    /// As in [`Line::damp_secs`].
    pub damp_secs: f32,
    /// 1 to 32.
    pub points: Vec<PlanePoint>,
}

/// A clip at a place.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct PlanePoint {
    pub at: Vec2,
    pub clip: String,
}

/// What brings a state on.
#[derive(Clone, Debug, PartialEq)]
pub enum Pace {
    /// Time passes.
    Time {
        /// 1 is the clip's own speed; negative plays backwards.
        speed: f32,
        /// The name of a number that the speed is multiplied by; empty for none.
        by: String,
    },
    /// The way that was gone, so that feet and hands don't slide: one round in as many metres as its clips cover in a round.
    Distance {
        /// The name of a number: metres a second.
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

    /// The same, to give it another name.
    pub fn by_mut(&mut self) -> &mut String {
        match self {
            Pace::Time { by, .. } | Pace::Distance { by } => by,
        }
    }
}

/// What happens at the end of a state's clip. What follows a distance goes round, whatever this says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// What the clip says; of a blend, its first clip.
    #[default]
    AsClip,
    /// From the start again.
    Loop,
    /// It holds its end.
    Once,
}

/// Where a transition starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// In any state. While its conditions hold and the state that it leads to plays, that state goes on and the
    /// transitions behind it in the list are not looked at.
    #[default]
    Any,
    /// In the state of that name.
    State(String),
}

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionDef {
    /// Where it starts.
    pub from: Source,
    /// The name of the state that it leads to. Of a transition from a state to itself the state begins again.
    pub to: String,
    /// All must hold. Without any there must be an exit time.
    pub conditions: Vec<Condition>,
    /// Rounds of the state's clip that must have been played, 0 or more: 1 is its end. A state without length has always
    /// played them.
    pub exit_time: Option<f32>,
    /// How the one becomes the other.
    pub fade: Fade,
    /// What may take over before the fade has ended.
    pub interrupt: Interrupt,
}

impl TransitionDef {
    /// Without conditions, cutting over.
    pub fn new(from: Source, to: impl Into<String>) -> TransitionDef {
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

/// Something that must hold of a parameter.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Condition {
    /// A number is more than this.
    Above { parameter: String, value: f32 },
    /// A number is less than this.
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

    /// The same, to give it another name.
    pub fn parameter_mut(&mut self) -> &mut String {
        match self {
            Condition::Above { parameter, .. } | Condition::Below { parameter, .. } => parameter,
            Condition::On { parameter } | Condition::Off { parameter } | Condition::Fired { parameter } => parameter,
        }
    }
}

/// How one state becomes the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// The way of it.
    pub kind: FadeKind,
    /// How long it takes, 0 to 60; 0 cuts.
    pub secs: f32,
}

impl Fade {
    /// A cross-fade of so many seconds.
    pub fn cross(secs: f32) -> Fade {
        Fade { kind: FadeKind::Cross, secs }
    }
}

/// The ways of a fade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FadeKind {
    /// Both play on, one over the other.
    #[default]
    Cross,
    /// As a cross-fade, with both at the same part of their round: steps go on where they were.
    Matched,
    /// The old state stops at once and what differs dies away ([`crate::anim::inertial`]).
    Inertial,
}

/// Which transitions may be taken while a fade lasts. Those from any state count as both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interrupt {
    /// Those of the state that the fade leads to.
    #[default]
    Target,
    /// Those of the state that the fade comes from, as far as they stand before this one in the list.
    Source,
    /// Both.
    Either,
    /// None: the fade is ended first.
    Never,
}
