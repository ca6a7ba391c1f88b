//! The objectives of a level: checkpoints, coins and the goal.

use glam::{I64Vec2, Vec2};

use crate::game::rules::foe::Foe;
use crate::game::world::World;
use crate::game::world::news::News;
use crate::game::world::units::{Area, grains, metres_of};

/// Half the side of the square around a coin that collects it, in metres.
const COIN_REACH: f32 = 0.35;
/// Half the width of a checkpoint, and its height, in metres.
const CHECKPOINT_SIZE: Vec2 = Vec2::new(0.5, 3.0);

/// The player's progress in a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Which coins are collected, in the order of the level.
    pub coins: Vec<bool>,
    /// The checkpoint that was reached last.
    pub checkpoint: Option<usize>,
    /// The tick at which the goal opened; `None` while foes keep it closed, and if none ever did.
    pub opened: Option<u64>,
    /// The tick at which the goal was reached.
    pub finished: Option<u64>,
}

impl Progress {
    /// The count of collected coins.
    pub fn collected(&self) -> usize {
        self.coins.iter().filter(|is_collected| **is_collected).count()
    }
}

/// The foes that keep the goal closed.
pub fn guards(world: &World) -> impl Iterator<Item = &Foe> {
    // A guard that becomes another kind is a guard still.
    let is_guard = |(at, _): &(usize, &Foe)| world.stage.guards.is_some_and(|kind| world.stage.foes[*at].0 == kind);
    let all = world.foes.iter().enumerate().filter(is_guard).map(|(_, foe)| foe);
    all.filter(|foe| foe.actor.vitals.is_alive())
}

/// Opens the goal when its last guard is dead, and collects what the player touches.
pub fn step(world: &mut World) {
    let is_closed = guards(world).next().is_some();
    if let Some(goal) = world.stage.goal.filter(|_| world.stage.guards.is_some() && !is_closed)
        && world.progress.opened.is_none()
    {
        world.progress.opened = Some(world.tick);
        world.news.push(News::Open { place: metres_of((goal.min + goal.max) / 2) });
    }
    if !world.player.vitals.is_alive() || world.progress.finished.is_some() {
        return;
    }
    let body = world.player.body();
    let stage = world.stage.clone();
    world.progress.coins.resize(stage.coins.len(), false);
    for (&coin, is_collected) in stage.coins.iter().zip(&mut world.progress.coins) {
        if !*is_collected && around(coin, Vec2::splat(COIN_REACH), COIN_REACH).overlaps(&body) {
            *is_collected = true;
            world.news.push(News::Coin { place: metres_of(coin) });
        }
    }
    let reached = |&feet: &I64Vec2| around(feet, CHECKPOINT_SIZE, 0.0).overlaps(&body);
    if let Some(at) = stage.checkpoints.iter().rposition(reached).filter(|at| world.progress.checkpoint != Some(*at)) {
        world.progress.checkpoint = Some(at);
        world.news.push(News::Checkpoint { place: metres_of(stage.checkpoints[at]) });
    }
    if !is_closed && stage.goal.is_some_and(|goal| goal.overlaps(&body)) {
        world.progress.finished = Some(world.tick);
        world.news.push(News::Goal { place: metres_of(world.player.feet) });
    }
}

/// The area from `below` metres under a point to `size.y` over it, `size.x` to each side.
fn around(point: I64Vec2, size: Vec2, below: f32) -> Area {
    let half = grains(size.x);
    Area { min: point - I64Vec2::new(half, grains(below)), max: point + I64Vec2::new(half, grains(size.y)) }
}
