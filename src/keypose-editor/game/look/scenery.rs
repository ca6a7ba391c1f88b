//! The game's additions to the look of a level: a ground where a level has none, dust, plain bodies.

use std::f32::consts::TAU;

use glam::{I64Vec2, Vec2, Vec3};

use crate::game::look::effects::PUFF_TICKS;
use crate::game::rules::actor::{Actor, BODY_HALF_WIDTH, CROUCHING_HEIGHT, STANDING_HEIGHT, Stance};
use crate::game::world::World;
use crate::game::world::stage::Stage;
use crate::game::world::units::{TICK_SECS, metres_of};
use crate::render::frame::SolidDraw;
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::moving::Moment;
use crate::render::frame::overlay::{Layer, Overlay};
use crate::render::frame::scenery::{self, block, color};
use keypose::assets::level::Rect;

/// The radius of a cloud of dust when it rises and when it is gone, in metres.
const DUST: [f32; 2] = [0.05, 0.24];
/// The discs of a cloud, as parts of its radius, their opacity at first, and the corners of their rims.
const DUST_RINGS: [f32; 3] = [1.0, 0.7, 0.4];
const DUST_ALPHA: f32 = 0.3;
const DUST_CORNERS: u8 = 14;

/// All parts of a level that are in it from the start, at a moment after that.
pub fn solids(stage: &Stage, moment: &Moment<'_>) -> Vec<SolidDraw> {
    let level = &stage.level;
    let mut solids = scenery::solids(level, moment);
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

/// Adds the dust at `alpha` between the last two ticks: clouds that grow and fade, denser in their middle.
pub fn add_dust(world: &World, alpha: f32, camera: &Camera, overlay: &mut Overlay) {
    let earth = color(world.stage.level.look.solid).mix(Color::WHITE, 0.6);
    let (right, up) = camera.right_and_up();
    for puff in &world.effects.puffs {
        let age = ((f32::from(puff.age) - 1.0 + alpha) / f32::from(PUFF_TICKS)).clamp(0.0, 1.0);
        let middle = (puff.place - puff.velocity * TICK_SECS * (1.0 - alpha)).extend(puff.depth + 0.4);
        let left = 1.0 - age;
        for part in DUST_RINGS {
            let radius = part * (DUST[0] + (DUST[1] - DUST[0]) * age.sqrt());
            let at = |corner: u8| {
                let (sin, cos) = (f32::from(corner) / f32::from(DUST_CORNERS) * TAU).sin_cos();
                middle + (right * cos + up * sin * 0.8) * radius
            };
            let rim: Vec<Vec3> = (0..=DUST_CORNERS).map(at).collect();
            overlay.fan(middle, &rim, earth.with_alpha(DUST_ALPHA * left * left), Layer::Scene);
        }
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
