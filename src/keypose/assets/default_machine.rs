//! The state machine of a model without one, made from its animation table and the names of its clips; and the parameters
//! that the game sets on every machine.

use glam::Vec2;

use crate::anim::machine::parts::{
    Condition, Fade, FadeKind, Line, LinePoint, MachineParts, Motion, Pace, ParameterDef, Repeat, StateDef,
    TransitionDef, TransitionSource, Value,
};
use crate::assets::machine::{Origin, Resolved, State};

/// Walking speed in the game, in metres per second.
pub const WALK_SPEED: f32 = 2.0;
/// Running speed in the game, in metres per second.
pub const RUN_SPEED: f32 = 4.8;
/// A character slower than this, in metres per second, stands.
pub const STILL_SPEED: f32 = 0.15;

/// Speed along the ground in metres per second.
pub const SPEED: &str = "speed";
/// Upward speed in metres per second; negative in a fall.
pub const RISE: &str = "rise";
/// Upward speed on a ladder in metres per second; negative downwards.
pub const CLIMB: &str = "climb speed";
/// On while the character stands on the ground.
pub const GROUND: &str = "on ground";
/// On while the character is on a ladder.
pub const LADDER: &str = "on ladder";
/// On while the character crouches.
pub const CROUCHED: &str = "crouched";
/// On while the character lands after a fall.
pub const LANDING: &str = "landing";
/// On during an attack.
pub const ATTACKING: &str = "attacking";
/// Fired when an attack begins.
pub const ATTACK: &str = "attack";
/// Fired when a jump begins.
pub const JUMP: &str = "jump";
/// The attack in progress: 1, 2 or 3 of the chain, 4 for the stab, 5 for the attack in the air.
pub const ATTACK_NUMBER: &str = "attack number";
/// On while the character can't act because it was hit.
pub const HURT: &str = "hurt";
/// On from the character's death.
pub const DEAD: &str = "dead";

/// On during a roll.
pub const ROLLING: &str = "rolling";

/// On during an attack on the run. A machine with a layer that waits for it lets a running character attack with its arms while the
/// legs run on; [`ATTACKING`] is off then.
pub const RUN_ATTACK: &str = "attack on the run";
/// Fired when something hits the character.
pub const HIT: &str = "hit";
/// The time in seconds for which the character has stood still, without acting.
pub const STILL_SECS: &str = "time at rest";
/// On from the moment at which the player reached the goal of the level.
pub const WON: &str = "goal reached";

/// The parameters that the game sets on every tick, with their descriptions. A machine need not have them all.
pub const GAME_PARAMETERS: [(&str, Value, &str); 18] = [
    (SPEED, Value::Number(0.0), "speed along the ground in metres per second"),
    (RISE, Value::Number(0.0), "upward speed in metres per second, negative in a fall"),
    (CLIMB, Value::Number(0.0), "upward speed on a ladder in metres per second, negative downwards"),
    (GROUND, Value::Switch(true), "on while the character stands on the ground"),
    (LADDER, Value::Switch(false), "on while the character is on a ladder"),
    (CROUCHED, Value::Switch(false), "on while the character crouches"),
    (LANDING, Value::Switch(false), "on while the character lands after a fall"),
    (ATTACKING, Value::Switch(false), "on during an attack"),
    (ATTACK, Value::Trigger, "fired when an attack begins"),
    (JUMP, Value::Trigger, "fired when a jump begins"),
    (ATTACK_NUMBER, Value::Number(1.0), "the attack in progress: 1, 2 or 3 of the chain, 4 for the stab, 5 in the air"),
    (HURT, Value::Switch(false), "on while the character can't act because it was hit"),
    (DEAD, Value::Switch(false), "on from the character's death"),
    (ROLLING, Value::Switch(false), "on during a roll"),
    (RUN_ATTACK, Value::Switch(false), "on during an attack on the run, which layers show; attacking is off then"),
    (HIT, Value::Trigger, "fired when something hits the character"),
    (STILL_SECS, Value::Number(0.0), "seconds for which the character has stood still, without acting"),
    (WON, Value::Switch(false), "on after the player reached the goal"),
];

/// The duration of `count` ticks in seconds.
fn ticks(count: f32) -> f32 {
    count / 60.0
}

/// The default state machine. States without a clip are left out; transitions to them lead to the state that replaces them.
/// `clips` are the names of the model's clips, in the order of the indices in `resolved`.
pub fn default_parts(resolved: &Resolved, clips: &[&str]) -> MachineParts {
    let name_of = |state: State| resolved.choice(state).clip.and_then(|at| clips.get(at)).map_or("", |name| *name);
    let shown = |state| shown_by(resolved, state);
    let mut states = Vec::new();
    for state in State::ALL.into_iter().filter(|state| *state != State::Run && shown(*state) == *state) {
        let mut def = StateDef::new(state_name(state), Motion::Clip(name_of(state).to_owned()));
        match state {
            State::Idle => def.repeat = Repeat::Loop,
            State::Hurt | State::Die => def.repeat = Repeat::Once,
            state if State::ACTIONS.contains(&state) => def.repeat = Repeat::Once,
            State::Walk => {
                def.motion = walk_and_run(name_of(State::Walk), name_of(State::Run));
                def.pace = Pace::Distance { by: SPEED.into() };
            }
            State::CrouchWalk => def.pace = Pace::Distance { by: SPEED.into() },
            State::Climb => def.pace = Pace::Distance { by: CLIMB.into() },
            _ => {}
        }
        states.push(def);
    }
    // Those that only authored machines need.
    let authored_only = [JUMP, HIT, RUN_ATTACK, STILL_SECS, WON];
    let parameters = GAME_PARAMETERS.iter().filter(|(name, ..)| !authored_only.contains(name));
    MachineParts {
        parameters: parameters.map(|&(name, value, _)| ParameterDef::new(name, value)).collect(),
        transitions: transitions(shown),
        start: state_name(State::Idle).into(),
        layers: Vec::new(),
        states,
    }
}

/// The name of a state in the machine.
fn state_name(state: State) -> &'static str {
    if state == State::Walk { "move" } else { state.name() }
}

/// The state of the machine that shows a state: itself, or the state whose clip replaces its own, so that the clip doesn't
/// restart.
fn shown_by(resolved: &Resolved, state: State) -> State {
    match (state, resolved.choice(state).origin) {
        (State::Idle | State::Walk | State::CrouchWalk | State::Climb, _) => state,
        (State::Run, _) => State::Walk,
        // Two attacks of one clip are one state.
        (State::Attack2 | State::Attack3, _) if repeats_attack(resolved, state) => shown_by(resolved, State::Attack),
        (_, Origin::Nearest(other)) => shown_by(resolved, other),
        (_, Origin::Rest) => State::Idle,
        (_, Origin::Table | Origin::Name) => state,
    }
}

/// The attacks other than the first, with the attack number above which each is shown; in the order of their transitions.
const NUMBERED: [(State, f32); 4] =
    [(State::AirAttack, 4.5), (State::Stab, 3.5), (State::Attack3, 2.5), (State::Attack2, 1.5)];

/// Whether an attack has the clip of one before it in the chain.
fn repeats_attack(resolved: &Resolved, state: State) -> bool {
    let before = State::CHAIN.into_iter().take_while(|other| *other != state);
    before.into_iter().any(|other| resolved.choice(other).clip == resolved.choice(state).clip)
}

fn walk_and_run(walk: &str, run: &str) -> Motion {
    if walk == run {
        return Motion::Clip(walk.to_owned());
    }
    let point = |at, clip: &str| LinePoint { at, clip: clip.to_owned() };
    let points = vec![point(WALK_SPEED, walk), point(RUN_SPEED, run)];
    Motion::Line(Line { parameter: SPEED.into(), damp_secs: ticks(4.0), points })
}

fn transitions(shown: impl Fn(State) -> State) -> Vec<TransitionDef> {
    let on = |parameter: &str| Condition::On { parameter: parameter.into() };
    let off = |parameter: &str| Condition::Off { parameter: parameter.into() };
    let moves = || Condition::Above { parameter: SPEED.into(), value: STILL_SPEED };
    let name = |state| state_name(shown(state));
    let transition = |from: Option<State>, to: State, conditions: Vec<Condition>, fade: Fade| {
        let from = from.map_or(TransitionSource::Any, |from| TransitionSource::State(name(from).into()));
        TransitionDef { conditions, fade, ..TransitionDef::new(from, name(to)) }
    };
    let fade = |count| Fade::cross(ticks(count));
    let steps = Fade { kind: FadeKind::Matched, secs: ticks(6.0) };
    let attack = || Condition::Fired { parameter: ATTACK.into() };
    let mut transitions = Vec::new();
    let has = |state: State| shown(state) == state;
    transitions.extend(has(State::Die).then(|| transition(None, State::Die, vec![on(DEAD)], fade(3.0))));
    transitions.extend(has(State::Hurt).then(|| transition(None, State::Hurt, vec![on(HURT)], fade(1.0))));
    transitions.push(transition(None, State::Climb, vec![on(LADDER)], fade(6.0)));
    transitions.extend(has(State::Roll).then(|| transition(None, State::Roll, vec![on(ROLLING)], fade(3.0))));
    for (state, number) in NUMBERED {
        if has(state) {
            let again = vec![attack(), Condition::Above { parameter: ATTACK_NUMBER.into(), value: number }];
            transitions
                .extend((!State::CHAIN.contains(&state)).then(|| transition(Some(state), state, again, fade(2.0))));
            let above = Condition::Above { parameter: ATTACK_NUMBER.into(), value: number };
            transitions.push(transition(None, state, vec![on(ATTACKING), above], fade(2.0)));
        }
    }
    if shown(State::Attack) == State::Attack {
        transitions.push(transition(Some(State::Attack), State::Attack, vec![attack()], Fade::default()));
        transitions.push(transition(None, State::Attack, vec![on(ATTACKING)], Fade::default()));
    } else {
        transitions.push(transition(None, State::Attack, vec![on(ATTACKING)], fade(6.0)));
    }
    let rises = Condition::Above { parameter: RISE.into(), value: 0.0 };
    transitions.extend([
        transition(None, State::Jump, vec![off(GROUND), rises], fade(4.0)),
        transition(None, State::Fall, vec![off(GROUND)], fade(6.0)),
        transition(Some(State::Walk), State::CrouchWalk, vec![on(CROUCHED), moves()], steps),
        transition(None, State::CrouchWalk, vec![on(CROUCHED), moves()], fade(6.0)),
        transition(None, State::Crouch, vec![on(CROUCHED)], fade(6.0)),
        transition(Some(State::CrouchWalk), State::Walk, vec![moves()], steps),
        transition(None, State::Walk, vec![moves()], fade(6.0)),
        transition(None, State::Land, vec![on(LANDING)], fade(4.0)),
        transition(None, State::Idle, vec![on(GROUND)], fade(8.0)),
    ]);
    transitions
}

/// Positions for the states of a machine that was never edited, in steps of the editor's grid: three columns, the middle one
/// half a row lower, so that arrows pass between the states.
pub fn default_places(states: usize) -> Vec<Vec2> {
    let lower = |column: usize| if column == 1 { 3.5 } else { 0.0 };
    let place = |at: usize| Vec2::new((at % 3) as f32 * 20.0, (at / 3) as f32 * 7.0 + lower(at % 3));
    (0..states).map(place).collect()
}
