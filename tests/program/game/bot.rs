//! A bot that plays any level from left to right as a person does: it jumps where the jump lands, waits for platforms, and reads blows
//! from what a foe does. It sees what is on the screen, and tries a jump on a copy of the world before it dares it.

use glam::I64Vec2;
use keypose::assets::machine::State;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::rules::actor::{Facing, Footing};
use keypose_editor::game::rules::collide::{Support, room_across, support};
use keypose_editor::game::rules::foe::Foe;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::{grains, metres_of};

/// Ticks between two looks at a jump that was not possible.
const LOOK_TICKS: u8 = 5;
/// Longest flight of a jump that is tried, in ticks.
const FLIGHT_TICKS: usize = 75;
/// In these ticks of its action a large foe is about to strike: a roll passes below the blow.
const STRIKES: std::ops::Range<u16> = 20..30;

/// A player that decides by what it sees.
#[derive(Clone, Debug, Default)]
pub struct Bot {
    /// The buttons of a jump, and the ticks for which they are held.
    jump: Option<(Buttons, usize)>,
    strike: u8,
    look: u8,
}

impl Bot {
    /// The buttons of the next tick.
    pub fn buttons(&mut self, world: &World) -> Buttons {
        self.strike = self.strike.saturating_sub(1);
        self.look = self.look.saturating_sub(1);
        if let Some((held, ticks)) = &mut self.jump {
            *ticks -= 1;
            let held = *held;
            if *ticks == 0 {
                self.jump = None;
            }
            return held;
        }
        nearest_foe(world).and_then(|foe| self.fight(world, foe)).unwrap_or_else(|| self.travel(world))
    }

    /// Strikes at a foe, and rolls below the blow of a large one. `None` if it can't be reached from here.
    fn fight(&mut self, world: &World, foe: &Foe) -> Option<Buttons> {
        let player = &world.player;
        let way = metres_of(foe.actor.feet - player.feet);
        let towards = if way.x < 0.0 { Buttons::LEFT } else { Buttons::RIGHT };
        let faces_it = (player.facing == Facing::Left) == (way.x < 0.0);
        let is_large = world.stage.kinds[foe.kind].size > 1.2;
        let strikes = foe.actor.action.is_some_and(|action| STRIKES.contains(&action.tick));
        if is_large && strikes && player.footing == Footing::Ground {
            return Some(if faces_it { Buttons::ROLL } else { towards });
        }
        let winds_up = foe.actor.action.is_some_and(|action| action.tick < STRIKES.start);
        if is_large && winds_up && player.action.is_none() {
            return Some(Buttons::NONE);
        }
        let reach = if is_large { 2.5 } else { 1.6 };
        if !faces_it || way.x.abs() > reach {
            let ahead = player.body().moved(I64Vec2::new(grains(way.x.signum() * 0.5), 0));
            let stands = player.footing == Footing::Ground;
            return (stands && support(&world.stage, &ahead) != Support::None).then_some(towards);
        }
        if self.strike > 0 {
            return Some(Buttons::NONE);
        }
        self.strike = 11;
        Some(Buttons::ATTACK)
    }

    fn travel(&mut self, world: &World) -> Buttons {
        let (player, stage) = (&world.player, &world.stage);
        let body = player.body();
        if player.state() == State::Climb || climbs(world) {
            return if player.state() == State::Climb { Buttons::UP } else { Buttons::UP | Buttons::RIGHT };
        }
        if is_low_ahead(world) {
            return Buttons::RIGHT | Buttons::DOWN;
        }
        let run = Buttons::RIGHT | Buttons::RUN;
        let ahead = grains(0.55);
        let is_blocked = room_across(stage, &body, ahead) < ahead;
        let is_edge = support(stage, &body.moved(I64Vec2::new(ahead, 0))) == Support::None;
        let is_spiked = stage.spikes.iter().any(|it| it.overlaps(&body.moved(I64Vec2::new(grains(0.9), 0))));
        if player.footing != Footing::Ground || !(is_blocked || is_edge || is_spiked) {
            return run;
        }
        if self.look > 0 {
            return Buttons::NONE;
        }
        self.look = LOOK_TICKS;
        let tries =
            [(run | Buttons::JUMP, 16), (run | Buttons::JUMP, 8), (Buttons::RIGHT | Buttons::JUMP, 14), (run, 20)];
        self.jump = tries.into_iter().find(|&(held, ticks)| lands(world, held, ticks));
        if self.jump.is_none() { Buttons::NONE } else { run }
    }
}

/// The nearest foe that fights and is in reach, or comes nearer.
fn nearest_foe(world: &World) -> Option<&Foe> {
    let at = metres_of(world.player.feet);
    let way = |foe: &Foe| metres_of(foe.actor.feet) - at;
    let is_near = |foe: &&Foe| {
        let large = world.stage.kinds[foe.kind].size > 1.2;
        let (reach, high) = if large { (5.0, 2.5) } else { (1.8, 1.3) };
        let fights = foe.actor.vitals.is_alive() && !foe.actor.vitals.is_dummy();
        fights && way(foe).x.abs() < reach && way(foe).y.abs() < high
    };
    let near = world.foes.iter().filter(is_near);
    near.min_by(|a, b| way(a).x.abs().total_cmp(&way(b).x.abs()))
}

/// Whether a ladder leads on: its foot is beside the player, and a way at its top.
fn climbs(world: &World) -> bool {
    let (player, body) = (&world.player, world.player.body());
    let leads = |it: &&keypose_editor::game::world::units::Area| {
        let is_beside = body.max.x > it.min.x - grains(0.15) && player.feet.x < it.max.x;
        let over = body.moved(I64Vec2::new(it.max.x - player.feet.x + grains(0.5), it.max.y - player.feet.y + 1));
        is_beside
            && player.feet.y < it.max.y - grains(0.3)
            && support(&world.stage, &over.moved(I64Vec2::new(0, -1))) != Support::None
    };
    world.stage.ladders.iter().find(leads).is_some()
}

/// Whether there is a roof ahead under which one must crouch.
fn is_low_ahead(world: &World) -> bool {
    let (stage, player) = (&world.stage, &world.player);
    let mut low = player.body();
    low.max.y = low.min.y + grains(1.1);
    let mut tall = low;
    tall.max.y = low.min.y + grains(1.7);
    let ahead = grains(0.6);
    let is_tall_free = room_across(stage, &tall, ahead) >= ahead;
    !is_tall_free && room_across(stage, &low, ahead) >= ahead
}

/// Whether a jump lands farther to the right, unhurt.
fn lands(world: &World, held: Buttons, ticks: usize) -> bool {
    let mut world = world.clone();
    let start = (world.player.feet.x, world.falls, world.hits_taken);
    let along = if held.has(Buttons::RUN) { Buttons::RIGHT | Buttons::RUN } else { Buttons::RIGHT };
    for tick in 0..FLIGHT_TICKS {
        step(&mut world, if tick < ticks { held } else { along });
        let player = &world.player;
        if world.falls > start.1 || world.hits_taken > start.2 {
            return false;
        }
        if tick > 6 && player.footing == Footing::Ground {
            return player.feet.x > start.0 + grains(0.5);
        }
    }
    false
}
