//! Animates a character: passes the simulation's values to the character's state machine and rotates the body.

use std::ops::{Mul, Sub};

use crate::game::pose::clip_events::Switched;
use crate::game::pose::fallen::Fallen;
use crate::game::pose::feet::Feet;
use crate::game::pose::gaze::Gaze;
use crate::game::pose::hands::Hands;
use crate::game::pose::ledge::Ledge;
use crate::game::pose::machine_inputs::Activity;
use crate::game::pose::springs::Swung;
use crate::game::rules::actor::{Actor, Facing, Footing, SQUASH, Stance};
use crate::game::rules::combat::vitals::Vitals;
use crate::game::world::cast::Performer;
use crate::game::world::units::{TICK_SECS, metres};
use keypose::anim::machine::parameters::Parameters;
use keypose::anim::machine::play::{Machine, Scratch};
use keypose::anim::pose::ModelPose;
use keypose::assets::default_machine::STILL_SPEED;
use keypose::assets::machine::State;

/// Ticks for turning from one side to the other.
const TURN_TICKS: f32 = 9.0;
/// A movement of more than this in one tick, in metres, is a teleport and not walking.
const TELEPORT: f32 = 2.0;

/// The speed in metres per second above which a landing looks no harder.
const MAX_LANDING: f32 = 14.0;
/// The speed with which a landing presses the body down and a jump stretches it, per metre per second.
const PRESS: f32 = 0.62;
const STRETCH: f32 = 0.26;
/// How the body springs back: per second squared, and per second.
const BOUNCE_STIFFNESS: f32 = 420.0;
const BOUNCE_DAMPING: f32 = 22.0;

/// The state machine and the rotation of the body. Frames show values [`Between`] two of them.
#[derive(Clone, Debug)]
pub struct Animator {
    /// `None` before the first tick, and without a player.
    pub machine: Option<Machine>,
    parameters: Parameters,
    scratch: Scratch,
    /// From -1 (left) to 1 (right).
    pub turn: f32,
    /// From 0 to 1 (away from the camera, towards a ladder).
    pub away: f32,
    /// The side by which it turns to a ladder and back: -1 (left) or 1.
    pub away_side: f32,
    /// Vertical scale: 1 when standing; less for a crouch without a clip.
    pub squash: f32,
    /// How far behind the plane of play it is drawn, in metres.
    pub behind: f32,
    /// The ground below its feet.
    pub feet: Feet,
    /// The rungs in its hands and under its feet.
    pub hands: Hands,
    /// The end of a ladder onto which it climbs.
    pub ledge: Ledge,
    /// How far a low ceiling presses it down, in metres.
    pub headroom: f32,
    /// How far a wall presses it to the right, in metres.
    pub wall_room: f32,
    /// The ground on which its dead body lies.
    pub fallen: Fallen,
    pub swung: Swung,
    pub gaze: Gaze,
    /// How much a landing presses it down or a jump stretches it, as a part of its height.
    pub bounce: f32,
    /// The speed of that, per second.
    bounce_speed: f32,
    /// Whether the goal was reached; set by the game.
    pub has_won: bool,
    /// The ticks for which it has stood still.
    still_ticks: u32,
    /// Upward speed in the air, in metres per second.
    rise: f32,
    walked: i64,
    climbed: i64,
    attack_tick: Option<u16>,
    /// Sockets with another model, until the state changes.
    pub switched: Vec<Switched>,
    /// The state for which they are.
    pub event_state: usize,
    was_on_ground: bool,
    /// The hits that it has shown, as [`Vitals::hits`] counts them.
    hits: u16,
}

impl Default for Animator {
    fn default() -> Animator {
        Animator {
            machine: None,
            parameters: Parameters::default(),
            scratch: Scratch::default(),
            turn: 1.0,
            away: 0.0,
            away_side: 1.0,
            squash: 1.0,
            behind: 0.0,
            feet: Feet::default(),
            hands: Hands::default(),
            ledge: Ledge::default(),
            headroom: 0.0,
            wall_room: 0.0,
            fallen: Fallen::default(),
            swung: Swung::default(),
            gaze: Gaze::default(),
            bounce: 0.0,
            bounce_speed: 0.0,
            has_won: false,
            still_ticks: 0,
            rise: 0.0,
            walked: 0,
            climbed: 0,
            attack_tick: None,
            switched: Vec::new(),
            event_state: 0,
            was_on_ground: false,
            hits: 0,
        }
    }
}

impl Animator {
    /// The animation of a character that faces to a side.
    pub fn facing(facing: Facing) -> Animator {
        Animator { turn: facing.sign(), ..Animator::default() }
    }

    /// Advances by one tick, after the simulation. Nothing moves while the character stands still in a hit.
    pub fn step(&mut self, actor: &Actor, performer: Option<&Performer>) {
        let is_new_hit = actor.vitals.hits != self.hits;
        self.hits = actor.vitals.hits;
        // It may be another character since then.
        performer.into_iter().for_each(|player| self.adopt(player));
        // A hit that is braced stops nothing but the time.
        let is_braced = actor.vitals.stun == 0 && actor.vitals.is_alive();
        if actor.is_held && (!is_new_hit || is_braced) {
            return self.hold();
        }
        self.turn_body(actor, performer);
        self.press(actor);
        let activity = Activity { is_hit: is_new_hit, ..self.activity(actor) };
        let Some(player) = performer else { return };
        if let Some(machine) = self.machine.as_mut().filter(|_| is_new_hit && actor.vitals.stun > 0) {
            // A hit in the stun of another one begins the stun again.
            let standing = Actor { vitals: Vitals::default(), ..actor.clone() };
            player.inputs.apply(&standing, &Activity::default(), &mut self.parameters);
            machine.update(0.0, &mut self.parameters, &mut self.scratch);
        }
        player.inputs.apply(actor, &activity, &mut self.parameters);
        if let Some(machine) = &mut self.machine {
            machine.update(TICK_SECS, &mut self.parameters, &mut self.scratch);
        }
    }

    /// Shows the same pose for a tick.
    fn hold(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.update(0.0, &mut self.parameters, &mut self.scratch);
        }
    }

    /// Switches to the player's state machine if it changed. States are matched by name.
    pub fn adopt(&mut self, player: &Performer) {
        let bound = &player.playable.machine;
        match &mut self.machine {
            Some(machine) if std::sync::Arc::ptr_eq(machine.bound(), bound) => {}
            Some(machine) => {
                self.switched.clear();
                self.parameters = self.parameters.moved(machine.bound().def(), bound.def());
                *machine = machine.moved(bound.clone());
            }
            None => {
                self.parameters = Parameters::new(bound.def());
                self.machine = Some(Machine::new(bound.clone()));
            }
        }
    }

    /// A landing presses the body down and a jump stretches it; then it springs back.
    fn press(&mut self, actor: &Actor) {
        let is_on_ground = actor.footing == Footing::Ground;
        let fallen = (-self.rise).clamp(0.0, MAX_LANDING);
        if is_on_ground && !self.was_on_ground && !actor.flies {
            self.bounce_speed -= fallen * PRESS;
        } else if self.was_on_ground && actor.velocity.y > 0.0 {
            self.bounce_speed += actor.velocity.y * STRETCH;
        }
        self.rise = if actor.footing == Footing::Air { actor.velocity.y } else { 0.0 };
        self.bounce_speed -= (self.bounce * BOUNCE_STIFFNESS + self.bounce_speed * BOUNCE_DAMPING) * TICK_SECS;
        self.bounce += self.bounce_speed * TICK_SECS;
        if self.bounce.abs() < 0.001 && self.bounce_speed.abs() < 0.03 {
            (self.bounce, self.bounce_speed) = (0.0, 0.0);
        }
    }

    /// The pose of its state machine without what is added to it, in model space. `None` before the first tick.
    pub fn model_pose(&self, performer: &Performer) -> Option<ModelPose> {
        let skeleton = &performer.playable.character.model.skeleton;
        let (mut local, mut pose) = (skeleton.rest_pose(), ModelPose::default());
        self.machine.as_ref()?.sample(&mut Scratch::default(), &mut local);
        pose.compute(skeleton, &local);
        Some(pose)
    }

    /// Collects the events since the last tick.
    fn activity(&mut self, actor: &Actor) -> Activity {
        let since = |now: i64, before: i64| {
            let way = metres(now - before);
            if way.abs() < TELEPORT { way / TICK_SECS } else { 0.0 }
        };
        let is_on_ground = actor.footing == Footing::Ground;
        let attack_tick = actor.action.filter(|_| !actor.is_rolling()).map(|action| action.tick);
        let speed = if is_on_ground { since(actor.walked, self.walked) } else { actor.velocity.x.abs() };
        self.still_ticks = if is_at_rest(actor, speed) { self.still_ticks.saturating_add(1) } else { 0 };
        let activity = Activity {
            speed,
            climb: since(actor.climbed, self.climbed),
            attack_started: attack_tick.is_some() && (self.attack_tick.is_none() || attack_tick < self.attack_tick),
            jump_started: self.was_on_ground && actor.footing == Footing::Air && actor.velocity.y > 0.0,
            is_hit: false,
            still_secs: self.still_ticks as f32 * TICK_SECS,
            has_won: self.has_won,
        };
        (self.walked, self.climbed, self.attack_tick) = (actor.walked, actor.climbed, attack_tick);
        self.was_on_ground = is_on_ground;
        activity
    }

    fn turn_body(&mut self, actor: &Actor, performer: Option<&Performer>) {
        let climbs = matches!(actor.footing, Footing::Ladder(_)) && !self.ledge.is_turned();
        if self.away == 0.0 || self.away == 1.0 {
            // Turning by either side gives the same result here, so only here the side may change.
            // The body may face to the other side already, so the side is that to which it is turned.
            self.away_side = if self.turn < 0.0 { -1.0 } else { 1.0 };
        }
        approach(&mut self.turn, actor.facing.sign(), 2.0 / TURN_TICKS);
        approach(&mut self.away, if climbs { 1.0 } else { 0.0 }, 1.0 / TURN_TICKS);
        let has_crouch = performer.is_some_and(|player| player.playable.has_own_clip(State::Crouch));
        let is_squashed = actor.stance == Stance::Crouched && !has_crouch;
        approach(&mut self.squash, if is_squashed { SQUASH } else { 1.0 }, 0.06);
    }
}

/// Whether a character stands on the ground and does nothing.
fn is_at_rest(actor: &Actor, speed: f32) -> bool {
    let stands = actor.footing == Footing::Ground && actor.stance != Stance::Crouched && speed.abs() < STILL_SPEED;
    stands && actor.action.is_none() && actor.timers.land == 0 && actor.vitals.stun == 0 && actor.vitals.is_alive()
}

/// Moves `value` towards `target` by at most `step`.
pub fn approach(value: &mut f32, target: f32, step: f32) {
    *value = if *value < target { (*value + step).min(target) } else { (*value - step).max(target) };
}

/// An animator before and after a tick, to be drawn between them.
#[derive(Clone, Copy, Debug)]
pub struct Between<'a> {
    pub before: &'a Animator,
    pub now: &'a Animator,
    /// How long before `now`, as a part of the tick.
    pub back: f32,
}

impl<'a> Between<'a> {
    /// An animator as it is.
    pub fn at(now: &'a Animator) -> Between<'a> {
        Between { before: now, now, back: 0.0 }
    }

    /// A value between those before and after the tick.
    pub fn value<T: Copy + Sub<Output = T> + Mul<f32, Output = T>>(&self, of: impl Fn(&Animator) -> T) -> T {
        let [before, now] = [of(self.before), of(self.now)];
        now - (now - before) * self.back
    }
}
