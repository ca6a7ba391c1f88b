//! The animation of a character in the game: a table of the clip for each state, with a fallback by name (`clip_names`), or
//! an authored state machine ([`Graph`]). It decides how an action looks, never what happens.

use std::sync::Arc;

use glam::Vec2;

use crate::anim::choice::choice;
use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::MachineParts;
use crate::assets::clip_names;

choice! {
    /// A state of a character in the simulation.
    #[derive(Default, PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum State {
        #[default]
        Idle = "idle",
        Walk = "walk",
        Run = "run",
        Jump = "jump",
        Fall = "fall",
        Land = "land",
        Crouch = "crouch",
        CrouchWalk = "crouch walk",
        Attack = "attack",
        Climb = "climb",
        Attack2 = "attack 2",
        Attack3 = "attack 3",
        Hurt = "hurt",
        Die = "die",
        Stab = "stab",
        AirAttack = "air attack",
        Roll = "roll",
    }
}

impl State {
    /// The number of states.
    pub const COUNT: usize = State::ALL.len();

    /// The attacks that follow each other while the button is pressed again, in order.
    pub const CHAIN: [State; 3] = [State::Attack, State::Attack2, State::Attack3];

    /// The actions that a button begins and that last as long as their clips: attacks and the roll.
    pub const ACTIONS: [State; 6] =
        [State::Attack, State::Attack2, State::Attack3, State::Stab, State::AirAttack, State::Roll];

    /// The state of a name, ignoring case.
    pub fn from_word(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name().eq_ignore_ascii_case(word.trim()))
    }

    /// The states whose clips can replace its own, in order of similarity.
    pub fn nearest(self) -> &'static [State] {
        match self {
            State::Idle => &[],
            State::Walk => &[State::Run, State::Idle],
            State::Run => &[State::Walk, State::Idle],
            State::Jump => &[State::Fall, State::Idle],
            State::Fall => &[State::Jump, State::Idle],
            State::Land => &[State::Crouch, State::Idle],
            State::Crouch | State::Attack => &[State::Idle],
            State::CrouchWalk => &[State::Crouch, State::Walk, State::Run, State::Idle],
            State::Climb => &[State::Walk, State::Run, State::Idle],
            State::Attack2 | State::Attack3 => &[State::Attack, State::Idle],
            State::Hurt => &[State::Land, State::Idle],
            State::Die => &[State::Hurt, State::Land, State::Idle],
            State::Stab | State::AirAttack => &[State::Attack, State::Idle],
            State::Roll => &[State::Crouch, State::Land, State::Idle],
        }
    }
}

/// One row of the table: a state, and its clip.
#[derive(Clone, Debug, PartialEq)]
pub struct StateClip {
    /// The name of the state ([`State::name`]): "idle", "walk", "jump", … Unique within the table.
    pub state: String,
    /// The name of a clip of the model. If the model lacks it, a clip is found by the name of the state.
    pub clip: String,
}

/// The clip of each state, or the state machine that replaces the table. The clips of states without a row are found by
/// name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationTable {
    /// The table, in display order.
    pub states: Vec<StateClip>,
    /// The state machine that plays instead of the table.
    pub graph: Option<Graph>,
}

/// An authored state machine, and the positions of its states in the editor.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The state machine. Clips are identified by their display names.
    pub def: Arc<MachineDef>,
    /// The position of each state, in order: right and down, in steps of the editor's grid.
    pub places: Vec<Vec2>,
}

impl Graph {
    /// Checks that every state has a finite position.
    pub fn check(&self) -> Result<(), String> {
        let (states, places) = (self.def.parts().states.len(), self.places.len());
        if states != places {
            return Err(format!("the machine has {states} states and {places} positions"));
        }
        match self.places.iter().position(|place| !place.is_finite()) {
            Some(at) => Err(format!("the position of the machine's state {} is not finite", at + 1)),
            None => Ok(()),
        }
    }
}

/// Criterion by which the clip of a state was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By a row of the table or a state of the authored machine.
    Table,
    /// By its name.
    Name,
    /// Clip of another state.
    Nearest(State),
    /// There is none; the rest pose is shown.
    Rest,
}

/// The clip of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// An index into the model's clips.
    pub clip: Option<usize>,
    /// Criterion by which the clip was found.
    pub origin: Origin,
}

/// The clip of every state.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    choices: [Choice; State::COUNT],
    /// Missing clips, one sentence each; empty if every state has a clip of its own.
    pub findings: Vec<String>,
}

impl Resolved {
    /// The clip of a state.
    pub fn choice(&self, state: State) -> Choice {
        self.choices[state as usize]
    }
}

impl AnimationTable {
    /// The first clip of the machine's state of that name, or else the clip in the table.
    pub fn clip_of(&self, state: State) -> Option<&str> {
        let is_named = |name: &str| State::from_word(name) == Some(state);
        let states = self.graph.iter().flat_map(|graph| &graph.def.parts().states);
        let drawn = states.filter(|def| is_named(&def.name)).find_map(|def| def.motion.clips().next());
        let row = || self.states.iter().find(|row| is_named(&row.state)).map(|row| row.clip.as_str());
        drawn.filter(|clip| !clip.is_empty()).or_else(row).filter(|clip| !clip.is_empty())
    }

    /// Sets the clip of a state. An empty name removes the row, so that the clip is found by name again.
    pub fn set_clip(&mut self, state: State, clip: &str) {
        let at = self.states.iter().position(|row| State::from_word(&row.state) == Some(state));
        match at {
            Some(at) if clip.is_empty() => drop(self.states.remove(at)),
            Some(at) => self.states[at].clip = clip.to_owned(),
            None if clip.is_empty() => {}
            None => self.states.push(StateClip { state: state.name().into(), clip: clip.to_owned() }),
        }
    }

    /// Renames bones in the machine.
    pub fn rename_bones(&mut self, rename: impl Fn(&mut String)) {
        self.change_parts(|parts| parts.layers.iter_mut().for_each(|layer| rename(&mut layer.bone)));
    }

    /// The names of the machine's states and layers that play a clip.
    pub fn players_of<'t>(&'t self, clip: &'t str) -> impl Iterator<Item = &'t str> {
        let parts = self.graph.iter().map(|graph| graph.def.parts());
        let states = parts.clone().flat_map(|parts| &parts.states);
        let states = states.filter(move |state| state.motion.clips().any(|name| name == clip)).map(|state| &state.name);
        let layers =
            parts.flat_map(|parts| &parts.layers).filter(move |layer| layer.clip == clip).map(|layer| &layer.name);
        states.chain(layers).map(String::as_str)
    }

    /// Renames a clip in the table and the machine.
    pub fn rename_clip(&mut self, before: &str, name: &str) {
        self.states.iter_mut().filter(|row| row.clip == before).for_each(|row| row.clip = name.to_owned());
        self.change_parts(|parts| {
            let of_layers = parts.layers.iter_mut().map(|layer| &mut layer.clip);
            let clips = parts.states.iter_mut().flat_map(|state| state.motion.clips_mut()).chain(of_layers);
            clips.filter(|clip| *clip == before).for_each(|clip| *clip = name.to_owned());
        });
    }

    /// Changes names in the machine, if there is one.
    fn change_parts(&mut self, change: impl FnOnce(&mut MachineParts)) {
        let Some(graph) = &mut self.graph else { return };
        let mut parts = graph.def.parts().clone();
        change(&mut parts);
        if parts != *graph.def.parts()
            && let Ok(def) = MachineDef::new(parts)
        {
            graph.def = Arc::new(def);
        }
    }

    /// Finds the clip of every state among a model's clips: by the table, else by name, else that of a similar state,
    /// else none. If no clip has a known name, the first one is used for walking.
    pub fn resolve(&self, clips: &[&str]) -> Resolved {
        let mut findings = Vec::new();
        let mut own = State::ALL.map(|state| {
            let named = self.clip_of(state);
            let in_table = named.and_then(|name| clips.iter().position(|clip| *clip == name));
            if let (Some(name), None) = (named, in_table) {
                findings.push(format!("the clip \"{name}\" of the state \"{}\" does not exist", state.name()));
            }
            let by_table = in_table.map(|clip| Choice { clip: Some(clip), origin: Origin::Table });
            by_table.or_else(|| {
                let clip = clip_names::find(state, clips)?;
                Some(Choice { clip: Some(clip), origin: Origin::Name })
            })
        });
        if own.iter().all(Option::is_none) && !clips.is_empty() {
            own[State::Walk as usize] = Some(Choice { clip: Some(0), origin: Origin::Name });
            findings.push(format!("no clip is named after a state; \"{}\" is used for walking", clips[0]));
        }
        let choices = State::ALL.map(|state| own[state as usize].unwrap_or_else(|| replacement(state, &own)));
        findings.extend(missing(&choices));
        Resolved { choices, findings }
    }
}

fn replacement(state: State, own: &[Option<Choice>; State::COUNT]) -> Choice {
    let nearest = state.nearest().iter().find_map(|&other| own[other as usize].map(|choice| (other, choice)));
    match nearest {
        Some((other, choice)) => Choice { clip: choice.clip, origin: Origin::Nearest(other) },
        None => Choice { clip: None, origin: Origin::Rest },
    }
}

/// One sentence that names every state without a clip of its own.
fn missing(choices: &[Choice; State::COUNT]) -> Option<String> {
    let lacks = |state: &State| !matches!(choices[*state as usize].origin, Origin::Table | Origin::Name);
    let optional = |state: &State| {
        let extra = [State::CrouchWalk, State::Hurt, State::Die];
        extra.contains(state) || (State::ACTIONS.contains(state) && *state != State::Attack)
    };
    let describe = |state: State| match choices[state as usize].origin {
        Origin::Nearest(other) => format!("{} (shows {})", state.name(), other.name()),
        _ => format!("{} (rest pose)", state.name()),
    };
    let words: Vec<String> =
        State::ALL.into_iter().filter(lacks).filter(|state| !optional(state)).map(describe).collect();
    (!words.is_empty()).then(|| format!("no clip for {}", words.join(", ")))
}
