//! How the player looks: which clips play, how far they are, how they fade into each other. Cosmetic: it follows what
//! the simulation does and decides nothing.

use crate::anim::clip::LoopMode;
use crate::anim::time::Time;
use crate::assets::machine::State;
use crate::game::actor::{Actor, Footing, Stance};
use crate::game::cast::{Cast, Player};
use crate::game::locomotion::{RUN_SPEED, WALK_SPEED};
use crate::game::units::metres;

/// More layers are not mixed at once; the oldest goes first.
const MOST_LAYERS: usize = 4;
/// More rounds in a tick than this are not shown: feet slide rather than whirl.
const FASTEST_ROUNDS: f32 = 3.4 / 60.0;
/// Ticks of a turn from one side to the other.
const TURN_TICKS: f32 = 9.0;

/// What moves a layer on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Time passes.
    Time,
    /// The way walked on the ground, walk and run mixed by `run`, 0..=1.
    Walked {
        /// How much of the run is in it.
        run: f32,
    },
    /// The way walked on the ground, one clip.
    Crawled,
    /// The way climbed.
    Climbed,
}

/// One clip, or the mix of walk and run, under those that came later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// What it shows.
    pub state: State,
    /// What moves it on.
    pub pace: Pace,
    /// Ticks ([`Pace::Time`]) or rounds (all others) since it began.
    pub clock: f32,
    /// How much of that the last tick brought.
    pub clock_step: f32,
    /// How much it covers what lies under it, 0..=1.
    pub weight: f32,
    /// How much of that the last tick brought.
    pub weight_step: f32,
    /// What every tick brings until it covers all.
    fade: f32,
}

impl Layer {
    /// The clock and weight that are shown `alpha` of a tick after the tick before.
    pub fn shown(&self, alpha: f32) -> (f32, f32) {
        let back = 1.0 - alpha;
        (self.clock - self.clock_step * back, (self.weight - self.weight_step * back).clamp(0.0, 1.0))
    }
}

/// The layers, the lowest first, and the way the body is turned.
#[derive(Clone, Debug, PartialEq)]
pub struct Animator {
    /// At most four; empty before the first tick.
    pub layers: Vec<Layer>,
    /// -1 (left) to 1 (right), and how much of it the last tick brought.
    pub turn: [f32; 2],
    /// 0 to 1 (away from the camera, towards a ladder), and how much of it the last tick brought.
    pub away: [f32; 2],
    /// By which side it turns to a ladder and back: -1 (left) or 1.
    pub away_side: f32,
    /// 1 standing; less where a crouch has no clip of its own; and how much of it the last tick brought.
    pub squash: [f32; 2],
    walked: i64,
    climbed: i64,
    attack_tick: Option<u16>,
}

impl Default for Animator {
    fn default() -> Animator {
        Animator {
            layers: Vec::new(),
            turn: [1.0, 0.0],
            away: [0.0, 0.0],
            away_side: 1.0,
            squash: [1.0, 0.0],
            walked: 0,
            climbed: 0,
            attack_tick: None,
        }
    }
}

impl Animator {
    /// One tick after the simulation's.
    pub fn step(&mut self, actor: &Actor, cast: &Cast) {
        self.turn_body(actor, cast);
        let (walked, climbed) = (metres(actor.walked - self.walked), metres(actor.climbed - self.climbed));
        (self.walked, self.climbed) = (actor.walked, actor.climbed);
        let Some(player) = &cast.player else { return };
        self.enter(actor, player);
        for layer in &mut self.layers {
            layer.advance(walked, climbed, actor.velocity.x.abs(), player);
        }
        let covering = self.layers.iter().rposition(|layer| layer.weight >= 1.0 && layer.weight_step <= 0.0);
        self.layers.drain(..covering.unwrap_or(0));
    }

    fn turn_body(&mut self, actor: &Actor, cast: &Cast) {
        let climbs = matches!(actor.footing, Footing::Ladder(_));
        if self.away[0] == 0.0 || self.away[0] == 1.0 {
            // Half a turn to either side is the same, so only here the side may change.
            self.away_side = actor.facing.sign();
        }
        approach(&mut self.turn, actor.facing.sign(), 2.0 / TURN_TICKS);
        approach(&mut self.away, if climbs { 1.0 } else { 0.0 }, 1.0 / TURN_TICKS);
        let has_crouch = cast.player.as_ref().is_some_and(|player| player.has_its_own(State::Crouch));
        let is_squashed = actor.stance == Stance::Crouched && !has_crouch;
        approach(&mut self.squash, if is_squashed { 0.66 } else { 1.0 }, 0.06);
    }

    /// Puts a layer for a new state on top.
    fn enter(&mut self, actor: &Actor, player: &Player) {
        let state = actor.state();
        let attack_tick = actor.attack.map(|attack| attack.tick);
        let is_new_attack = state == State::Attack && (attack_tick < self.attack_tick || self.attack_tick.is_none());
        self.attack_tick = attack_tick;
        let top = self.layers.last_mut();
        if let Some(top) = top {
            if (top.state == state && !is_new_attack) || (top.is_walk() && is_walk(state)) {
                top.state = state;
                return;
            }
            // The same clip goes on: a jump that stands in for the fall, say.
            let is_same_clip = player.clips.choice(top.state).clip == player.clips.choice(state).clip;
            if is_same_clip && top.pace == Pace::Time && pace_of(state) == Pace::Time && !is_new_attack {
                top.state = state;
                return;
            }
        }
        let before = self.layers.last().map(|layer| layer.state);
        let ticks = before.map_or(0.0, |before| fade_ticks(before, state));
        let fade = if ticks > 0.0 { 1.0 / ticks } else { 1.0 };
        let pace = pace_of(state);
        let clock = match self.layers.last() {
            // Steps go on where they were.
            Some(top) if top.is_step() && matches!(pace, Pace::Walked { .. } | Pace::Crawled) => top.clock,
            _ => player.start_ticks(state),
        };
        self.layers.push(Layer { state, pace, clock, clock_step: 0.0, weight: 0.0, weight_step: 0.0, fade });
        if ticks == 0.0 {
            self.layers.drain(..self.layers.len() - 1);
            self.layers[0].weight = 1.0;
        }
        let surplus = self.layers.len().saturating_sub(MOST_LAYERS);
        self.layers.drain(..surplus);
    }
}

impl Layer {
    fn is_walk(&self) -> bool {
        matches!(self.pace, Pace::Walked { .. })
    }

    fn is_step(&self) -> bool {
        matches!(self.pace, Pace::Walked { .. } | Pace::Crawled)
    }

    /// Brings clock and weight on by one tick in which the player went that far, in metres.
    fn advance(&mut self, walked: f32, climbed: f32, speed: f32, player: &Player) {
        self.clock_step = match &mut self.pace {
            Pace::Time => 1.0,
            Pace::Crawled => (walked / player.stride(State::CrouchWalk)).min(FASTEST_ROUNDS),
            Pace::Climbed => climbed / player.stride(State::Climb),
            Pace::Walked { run } => {
                let wanted = ((speed - WALK_SPEED) / (RUN_SPEED - WALK_SPEED)).clamp(0.0, 1.0);
                *run += (wanted - *run) * 0.2;
                let (walk, running) = (player.stride(State::Walk), player.stride(State::Run));
                (walked / (walk + (running - walk) * *run)).min(FASTEST_ROUNDS)
            }
        };
        self.clock += self.clock_step;
        let before = self.weight;
        self.weight = (self.weight + self.fade).min(1.0);
        self.weight_step = self.weight - before;
    }
}

fn is_walk(state: State) -> bool {
    matches!(state, State::Walk | State::Run)
}

fn pace_of(state: State) -> Pace {
    match state {
        State::Walk | State::Run => Pace::Walked { run: 0.0 },
        State::CrouchWalk => Pace::Crawled,
        State::Climb => Pace::Climbed,
        _ => Pace::Time,
    }
}

/// Ticks of the cross-fade: none into attacks.
fn fade_ticks(from: State, to: State) -> f32 {
    match (from, to) {
        (_, State::Attack) => 0.0,
        (_, State::Jump | State::Land) => 4.0,
        (State::Attack, _) => 7.0,
        (_, State::Idle) => 8.0,
        _ => 6.0,
    }
}

/// Moves `value` towards `wanted` by at most `step`, and notes the change.
fn approach([value, change]: &mut [f32; 2], wanted: f32, step: f32) {
    let before = *value;
    *value = if *value < wanted { (*value + step).min(wanted) } else { (*value - step).max(wanted) };
    *change = *value - before;
}

/// Where a clip is after that many ticks, or rounds.
pub fn clip_time(clock: f32, pace: Pace, length: Time, mode: LoopMode) -> Time {
    if pace == Pace::Time {
        let elapsed = Time((f64::from(clock) * Time::TICK.0 as f64) as i64);
        return crate::anim::playback::clip_time(elapsed, length, mode);
    }
    let round = f64::from(clock - clock.floor());
    Time((round * length.0 as f64) as i64)
}
