//! The objectives in the present state of the game: coins that are left, flags that rise at a checkpoint, the gate of the
//! goal, and the sign over a foe that has just seen the player.

use glam::{Vec2, Vec3};

use crate::game::rules::foe::Mood;
use crate::game::world::World;
use crate::game::world::units::metres_of;
use crate::render::frame::color::Color;
use crate::render::frame::marks::{Flag, add_coin, add_flag, add_gate, solid};
use crate::render::frame::{Shadow, SolidDraw, SolidShape};
use keypose::assets::fit::STANDING_HEIGHT;
use keypose::assets::level::Rect;

/// Ticks in which the portcullis of an open goal rises.
const RAISE_TICKS: f32 = 70.0;

/// Adds them at `alpha` between the last two ticks.
pub fn add(world: &World, alpha: f32, solids: &mut Vec<SolidDraw>) {
    let time = world.tick as f32 + alpha;
    let collected = |at: usize| world.progress.coins.get(at).copied().unwrap_or(false);
    for (at, coin) in world.stage.coins.iter().enumerate().filter(|(at, _)| !collected(*at)) {
        add_coin(metres_of(*coin), time + at as f32 * 9.0, solids);
    }
    for (at, place) in world.stage.checkpoints.iter().enumerate() {
        let is_reached = world.progress.checkpoint.is_some_and(|reached| at <= reached);
        add_flag(metres_of(*place), if is_reached { Flag::Reached } else { Flag::Waiting }, time, solids);
    }
    if let Some(goal) = world.stage.goal {
        let raised = match (world.stage.guards, world.progress.opened) {
            (Some(_), None) => 0.0,
            (Some(_), Some(tick)) => (time - tick as f32) / RAISE_TICKS,
            (None, _) => 1.0,
        };
        let goal = Rect { min: metres_of(goal.min), max: metres_of(goal.max) };
        add_gate(&goal, raised.clamp(0.0, 1.0), time, solids);
    }
    for foe in world.foes.iter().filter(|foe| foe.mood == Mood::Notice && foe.actor.vitals.is_alive()) {
        let size = world.stage.kinds[foe.kind].size;
        add_sign(metres_of(foe.actor.feet) + Vec2::new(0.0, STANDING_HEIGHT * size + 0.3), solids);
    }
}

/// An exclamation mark.
fn add_sign(low: Vec2, solids: &mut Vec<SolidDraw>) {
    let color = Color::hex(0xff5a3c);
    // Before platforms, which would hide it.
    let at = |y: f32| (low + Vec2::new(0.0, y)).extend(0.8);
    let bevel = SolidShape::Box { bevel: 0.02 };
    for part in
        [solid(bevel, at(0.32), Vec3::new(0.055, 0.17, 0.05), color), solid(bevel, at(0.05), Vec3::splat(0.055), color)]
    {
        solids.push(SolidDraw { top: color, shadow: Shadow::None, ..part });
    }
}
