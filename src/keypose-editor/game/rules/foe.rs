//! Foes: what they see and want, as the buttons that they press. They move and fight by the same rules as the player.

use glam::I64Vec2;

use crate::game::input::Buttons;
use crate::game::pose::animator::Animator;
use crate::game::rules::actor::{Actor, Facing, Footing, Pace};
use crate::game::rules::collide::{Platforms, Support, room_across, room_upward, support};
use crate::game::rules::combat::vitals::Vitals;
use crate::game::world::stage::Stage;
use crate::game::world::units::{grains, metres, metres_of};
use keypose::assets::level::{FoeKind, FoePlace};

/// Ticks from seeing the player until it moves.
const NOTICE_TICKS: u16 = 26;
/// Ticks for which it looks around at the end of its patrol.
const LOOK_TICKS: u16 = 55;
/// Ticks without the player in sight after which it gives up.
const FORGET_TICKS: u16 = 150;
/// Maximum height in metres, above or below, at which a foe sees the player.
const SIGHT_HEIGHT: f32 = 2.6;
/// Maximum height in metres at which a flying foe sees the player.
const SIGHT_FROM_AIR: f32 = 5.0;
/// Maximum difference of height in metres at which a foe attacks.
const STRIKE_HEIGHT: f32 = 1.3;
/// From a ledge of this height, in metres, a foe of the player's size is out of reach: it doesn't strike there, and makes room to come
/// down, this far beyond its reach.
const LEDGE_HEIGHT: f32 = 0.6;
const LEDGE_ROOM: f32 = 0.8;
/// A foe doesn't turn to a player nearer than this, in metres: over its head, or passing through it.
const TURN_DISTANCE: f32 = 0.15;
/// A drop deeper than this, in metres, is an edge.
const EDGE_DEPTH: f32 = 0.6;
/// How far over the player's feet a flying foe waits, and strikes, in metres.
const HOVER_OVER: f32 = 2.1;
const STRIKE_OVER: f32 = 0.45;
/// Ticks for which a foe that becomes another kind stands still, and for which nothing hits it.
const CHANGE_STOP: u16 = 26;
const CHANGE_SAFE: u16 = 40;
/// Ticks after its death until it is gone.
pub const GONE_TICKS: u16 = 100;

/// The intention of a foe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// Walking to and fro around its place.
    #[default]
    Patrol,
    /// The foe has just seen the player.
    Notice,
    /// The foe wants to hit the player.
    Chase,
}

/// A foe in the simulation.
#[derive(Clone, Debug)]
pub struct Foe {
    pub actor: Actor,
    /// Index into the stage's kinds.
    pub kind: usize,
    /// The start, around which a foe patrols.
    pub home: I64Vec2,
    pub mood: Mood,
    /// Ticks until it continues.
    pub wait: u16,
    /// Ticks since it saw the player.
    pub unseen: u16,
    /// Cosmetic.
    pub animator: Animator,
}

impl Foe {
    /// A foe at its place.
    pub fn new(place: &FoePlace, kind: usize, def: &FoeKind, feet: I64Vec2) -> Foe {
        let facing = if place.faces_left { Facing::Left } else { Facing::Right };
        let actor = Actor { facing, vitals: Vitals::new(def.health), ..Actor::at(feet) };
        let actor = Actor { flies: def.nature.flies, ..actor };
        let animator = Animator::facing(facing);
        Foe { actor, kind, home: feet, mood: Mood::Patrol, wait: 0, unseen: 0, animator }
    }

    /// Whether the foe is visible.
    pub fn is_there(&self) -> bool {
        self.actor.vitals.dead < GONE_TICKS
    }

    /// Becomes the next kind when a hit leaves little health: one kind for each hit. It stands still for a moment, and then fights at once.
    pub fn become_next(&mut self, stage: &Stage) {
        let (kind, vitals) = (&stage.kinds[self.kind], &mut self.actor.vitals);
        let Some(next) = stage.next_kinds[self.kind].filter(|&next| next != self.kind) else { return };
        let is_hit = vitals.since_hit == 0 && vitals.can_be_hit();
        if vitals.is_dummy() || !is_hit || vitals.part() >= kind.nature.below {
            return;
        }
        (vitals.stop, vitals.stun, vitals.safe) = (vitals.stop.max(CHANGE_STOP), 0, CHANGE_SAFE);
        (self.kind, self.mood, self.wait) = (next, Mood::Chase, 0);
        self.actor.action = None;
    }

    /// Decides what to do. Returns the buttons that it holds.
    pub fn think(&mut self, def: &FoeKind, player: &Actor, stage: &Stage) -> Buttons {
        self.actor.flies = def.nature.flies && self.actor.vitals.is_alive();
        self.wait = self.wait.saturating_sub(1);
        let busy = self.actor.action.is_some() || !self.actor.vitals.can_act();
        if def.is_dummy() || busy {
            if self.actor.action.is_some() {
                self.wait = def.pause;
            }
            return Buttons::NONE;
        }
        let sees = self.sees(def, player);
        self.unseen = if sees { 0 } else { self.unseen.saturating_add(1) };
        match self.mood {
            Mood::Patrol if sees => {
                (self.mood, self.wait) = (Mood::Notice, NOTICE_TICKS);
                self.turn_to(player);
                Buttons::NONE
            }
            Mood::Patrol if def.nature.flies => self.glide(def, stage),
            Mood::Patrol => self.patrol(def, stage),
            Mood::Notice if self.wait > 0 => Buttons::NONE,
            Mood::Notice => {
                self.mood = Mood::Chase;
                Buttons::NONE
            }
            Mood::Chase if self.unseen > FORGET_TICKS || !player.vitals.is_alive() => {
                (self.mood, self.wait) = (Mood::Patrol, LOOK_TICKS);
                Buttons::NONE
            }
            Mood::Chase if def.nature.flies => self.stoop(def, player, stage),
            Mood::Chase => self.chase(def, player, stage),
        }
    }

    fn sees(&self, def: &FoeKind, player: &Actor) -> bool {
        let way = metres_of(player.feet - self.actor.feet);
        // What it chases, it sees from farther away.
        let sight = if self.mood == Mood::Patrol { def.notice } else { def.notice * 1.5 };
        let height = if def.nature.flies { SIGHT_FROM_AIR } else { SIGHT_HEIGHT };
        player.vitals.is_alive()
            && !player.is_unnoticed
            && def.notice > 0.0
            && way.x.abs() < sight
            && way.y.abs() < height
    }

    fn turn_to(&mut self, player: &Actor) {
        let is_beside = (player.feet.x - self.actor.feet.x).abs() > grains(TURN_DISTANCE);
        if (self.actor.footing == Footing::Ground || self.actor.flies) && is_beside {
            self.actor.facing = if player.feet.x < self.actor.feet.x { Facing::Left } else { Facing::Right };
        }
    }

    fn patrol(&mut self, def: &FoeKind, stage: &Stage) -> Buttons {
        self.actor.pace = Pace(def.speed);
        if def.patrol <= 0.0 || self.wait > 0 {
            return Buttons::NONE;
        }
        let out = metres(self.actor.feet.x - self.home.x) * self.actor.facing.sign();
        if out > def.patrol || !self.can_go(stage, self.actor.facing) {
            self.wait = LOOK_TICKS;
            self.actor.facing = self.actor.facing.opposite();
            return Buttons::NONE;
        }
        towards(self.actor.facing)
    }

    fn chase(&mut self, def: &FoeKind, player: &Actor, stage: &Stage) -> Buttons {
        self.actor.pace = Pace(def.chase);
        self.turn_to(player);
        let way = metres_of(player.feet - self.actor.feet);
        if self.is_below_ledge_of(def, player, stage) {
            let back = self.actor.facing.opposite();
            let makes_room = way.x.abs() < def.reach + LEDGE_ROOM && self.can_go(stage, back);
            return if makes_room { towards(back) } else { Buttons::NONE };
        }
        if way.x.abs() <= def.reach {
            let stands = self.actor.footing == Footing::Ground;
            let strikes = stands && self.wait == 0 && way.y.abs() < STRIKE_HEIGHT && player.vitals.can_be_hit();
            return if strikes { strike(def) } else { Buttons::NONE };
        }
        // It waits a moment after an attack, and at edges.
        let may_go = self.wait < def.pause.max(1).div_ceil(2) && self.can_go(stage, self.actor.facing);
        if may_go { towards(self.actor.facing) } else { Buttons::NONE }
    }

    /// Whether the player stands on a ledge before it, so high that blows from there pass over its head.
    fn is_below_ledge_of(&self, def: &FoeKind, player: &Actor, stage: &Stage) -> bool {
        let (way, body) = (player.feet - self.actor.feet, self.actor.body());
        if player.footing != Footing::Ground || metres(way.y) < LEDGE_HEIGHT * def.size {
            return false;
        }
        let between = body.union(&player.body());
        let is_wall = room_across(stage, &body.moved(I64Vec2::new(0, grains(0.4))), way.x) != way.x;
        is_wall && !stage.ramps.iter().any(|ramp| ramp.overlaps(&between))
    }

    /// Whether there is ground ahead, and no wall.
    fn can_go(&self, stage: &Stage, facing: Facing) -> bool {
        if self.actor.footing != Footing::Ground {
            return false;
        }
        let sign = facing.sign() as i64;
        let body = self.actor.body();
        let step = sign * grains(0.1);
        let low_step = body.moved(I64Vec2::new(0, grains(0.4)));
        if room_across(stage, &body, step) != step && room_across(stage, &low_step, step) != step {
            return false;
        }
        let ahead = body.moved(I64Vec2::new(sign * grains(0.45), 0));
        if stage.ramps.iter().any(|ramp| ramp.overlaps(&ahead)) {
            return true;
        }
        let drop = room_upward(stage, &ahead, -grains(EDGE_DEPTH), Platforms::Solid);
        support(stage, &ahead.moved(I64Vec2::new(0, drop))) != Support::None || drop == 0
    }
}

impl Foe {
    /// To and fro at the height of its place.
    fn glide(&mut self, def: &FoeKind, stage: &Stage) -> Buttons {
        self.actor.pace = Pace(def.speed);
        let level = self.upward(metres(self.home.y));
        if def.patrol <= 0.0 || self.wait > 0 {
            return level;
        }
        let out = metres(self.actor.feet.x - self.home.x) * self.actor.facing.sign();
        if out > def.patrol || self.is_blocked(stage) {
            self.wait = LOOK_TICKS / 2;
            self.actor.facing = self.actor.facing.opposite();
            return level;
        }
        level | towards(self.actor.facing)
    }

    /// Above the player while it waits, then down in front of it, and a strike from there.
    fn stoop(&mut self, def: &FoeKind, player: &Actor, stage: &Stage) -> Buttons {
        self.actor.pace = Pace(def.chase);
        self.turn_to(player);
        let way = metres_of(player.feet - self.actor.feet);
        let (ahead, waits) = (way.x.abs(), self.wait > 0);
        let over = if waits { HOVER_OVER } else { STRIKE_OVER };
        let level = self.upward(metres(player.feet.y) + over);
        let is_level = (way.y + STRIKE_OVER).abs() < 0.3;
        if !waits && ahead <= def.reach && is_level && player.vitals.can_be_hit() {
            return strike(def);
        }
        let sideways = match () {
            _ if waits && ahead < def.reach => towards(self.actor.facing.opposite()),
            _ if !waits && ahead > def.reach * 0.8 && !self.is_blocked(stage) => towards(self.actor.facing),
            _ => Buttons::NONE,
        };
        level | sideways
    }

    /// The button that leads to a height in metres.
    fn upward(&self, height: f32) -> Buttons {
        match height - metres(self.actor.feet.y) {
            way if way > 0.12 => Buttons::UP,
            way if way < -0.12 => Buttons::DOWN,
            _ => Buttons::NONE,
        }
    }

    fn is_blocked(&self, stage: &Stage) -> bool {
        let step = self.actor.facing.sign() as i64 * grains(0.1);
        room_across(stage, &self.actor.body(), step) != step
    }
}

/// The buttons of its blow.
fn strike(def: &FoeKind) -> Buttons {
    if def.nature.stabs { Buttons::ATTACK | Buttons::DOWN } else { Buttons::ATTACK }
}

fn towards(facing: Facing) -> Buttons {
    match facing {
        Facing::Left => Buttons::LEFT,
        Facing::Right => Buttons::RIGHT,
    }
}
