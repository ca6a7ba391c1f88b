//! What the game adds to the look of a level: a ground where a level has none, dust, plain bodies.

use glam::{I64Vec2, Vec2, Vec3};

use crate::assets::level::Rect;
use crate::game::actor::{Actor, BODY_HALF_WIDTH, CROUCHING_HEIGHT, STANDING_HEIGHT, Stance};
use crate::game::dust::LIFE_TICKS;
use crate::game::stage::Stage;
use crate::game::units::{TICK_SECS, metres_of};
use crate::game::world::World;
use crate::render::frame::color::Color;
use crate::render::frame::scenery::{self, block, color};
use crate::render::frame::{Shadow, SolidDraw, SolidShape};

/// All parts of a level that are in it from the start, `secs` after that.
pub fn solids(stage: &Stage, secs: f32) -> Vec<SolidDraw> {
    let level = &stage.level;
    let mut solids = scenery::solids(level, secs);
    let mut boxes = level.solids.iter().chain(&level.platforms).chain(level.slopes.iter().map(|slope| &slope.rect));
    if boxes.all(|rect| !rect.is_valid()) {
        solids.push(scenery::ground(&stage.bounds_metres(), &level.look));
    }
    solids
}

/// Adds the platforms that move at `alpha` between the last two ticks.
pub fn add_lifts(world: &World, alpha: f32, solids: &mut Vec<SolidDraw>) {
    for lift in &world.stage.lifts {
        let [before, now] = [world.tick.saturating_sub(1), world.tick].map(|tick| lift.area_at(tick));
        let between = |from: I64Vec2, to: I64Vec2| metres_of(from).lerp(metres_of(to), alpha);
        let rect = Rect { min: between(before.min, now.min), max: between(before.max, now.max) };
        scenery::add_mover(&rect, &world.stage.level.look, solids);
    }
}

/// Adds the dust at `alpha` between the last two ticks.
pub fn add_dust(world: &World, alpha: f32, solids: &mut Vec<SolidDraw>) {
    let tint = color(world.stage.level.look.solid).mix(Color::WHITE, 0.55);
    for puff in &world.dust.puffs {
        let age = (f32::from(puff.age) - 1.0 + alpha) / f32::from(LIFE_TICKS);
        let size = 0.11 * (1.0 - age) * (0.5 + age).min(1.0);
        let middle = (puff.place - puff.velocity * TICK_SECS * (1.0 - alpha)).extend(puff.depth);
        let half = Vec3::splat(size.max(0.001));
        let (min, max) = (middle - half, middle + half);
        solids.push(SolidDraw { shape: SolidShape::Ellipsoid, min, max, color: tint, top: tint, shadow: Shadow::None });
    }
}

/// Adds a plain body for a character without a model.
pub fn add_body(actor: &Actor, feet: Vec2, solids: &mut Vec<SolidDraw>) {
    let height = match actor.stance {
        Stance::Standing => STANDING_HEIGHT,
        Stance::Crouched => CROUCHING_HEIGHT,
    };
    let half = Vec2::new(BODY_HALF_WIDTH, 0.0);
    let rect = Rect { min: feet - half, max: feet + half + Vec2::new(0.0, height) };
    let blue = Color::hex(0x4f9dff);
    solids.push(block(&rect, [-BODY_HALF_WIDTH, BODY_HALF_WIDTH], 0.12, blue, blue.mix(Color::WHITE, 0.3)));
}
