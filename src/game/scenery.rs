//! The visible parts of a level: solids, ladders with rungs, platforms on posts, decor, dust.

use glam::{Vec2, Vec3};

use crate::assets::level::{Decor, DecorShape, LevelLook, Rect};
use crate::game::actor::{Actor, BODY_HALF_WIDTH, CROUCHING_HEIGHT, STANDING_HEIGHT, Stance};
use crate::game::dust::LIFE_TICKS;
use crate::game::stage::Stage;
use crate::game::units::TICK_SECS;
use crate::game::world::World;
use crate::render::frame::color::Color;
use crate::render::frame::{Shadow, SolidDraw, SolidShape};

/// Extent of solids away from the camera and towards it, in metres.
const SOLID_DEPTH: [f32; 2] = [-2.4, 0.7];
/// The same for platforms.
const PLATFORM_DEPTH: [f32; 2] = [-1.0, 0.6];
/// Distance between two rungs in metres.
const RUNG_SPACING: f32 = 0.32;
/// Depth of ladders in metres: behind the climber.
const LADDER_Z: f32 = -0.42;
/// Maximum count of rungs drawn on a ladder.
const MAX_RUNGS: usize = 400;

/// An opaque colour from sRGB bytes.
pub fn color([r, g, b]: [u8; 3]) -> Color {
    let part = |byte: u8| f32::from(byte) / 255.0;
    Color { r: part(r), g: part(g), b: part(b), a: 1.0 }
}

/// All immovable parts of a level.
pub fn solids(stage: &Stage) -> Vec<SolidDraw> {
    let level = &stage.level;
    let look = &level.look;
    let mut solids = Vec::new();
    solids.extend(level.solids.iter().filter(|rect| rect.is_valid()).map(|rect| ground(rect, look)));
    for rect in level.platforms.iter().filter(|rect| rect.is_valid()) {
        add_platform(rect, look, &mut solids);
    }
    for rect in level.ladders.iter().filter(|rect| rect.is_valid()) {
        add_ladder(rect, look, &mut solids);
    }
    solids.extend(level.decor.iter().filter_map(decor));
    if level.solids.iter().chain(&level.platforms).all(|rect| !rect.is_valid()) {
        solids.push(ground(&stage.bounds_metres(), look));
    }
    solids
}

fn block(rect: &Rect, [back, front]: [f32; 2], bevel: f32, sides: Color, top: Color) -> SolidDraw {
    SolidDraw {
        shape: SolidShape::Box { bevel },
        min: rect.min.extend(back),
        max: rect.max.extend(front),
        color: sides,
        top,
        shadow: Shadow::Cast,
    }
}

fn ground(rect: &Rect, look: &LevelLook) -> SolidDraw {
    block(rect, SOLID_DEPTH, 0.05, color(look.solid), color(look.ground))
}

fn add_platform(rect: &Rect, look: &LevelLook, solids: &mut Vec<SolidDraw>) {
    let wood = color(look.wood);
    let light = wood.mix(Color::WHITE, 0.18);
    solids.push(block(rect, PLATFORM_DEPTH, 0.03, wood, light));
    let [back, front] = PLATFORM_DEPTH;
    let dark = wood.mix(Color::BLACK, 0.25);
    for left in [rect.min.x + 0.12, rect.max.x - 0.30] {
        let beam = Rect::new(left, rect.min.y - 0.16, left + 0.18, rect.min.y);
        if rect.size().x > 0.8 {
            solids.push(block(&beam, [back + 0.1, front - 0.1], 0.02, dark, dark));
        }
    }
}

fn add_ladder(rect: &Rect, look: &LevelLook, solids: &mut Vec<SolidDraw>) {
    let wood = color(look.wood);
    let light = wood.mix(Color::WHITE, 0.12);
    let depth = |half: f32| [LADDER_Z - half, LADDER_Z + half];
    for left in [rect.min.x, rect.max.x - 0.09] {
        let rail = Rect::new(left, rect.min.y, left + 0.09, rect.max.y);
        solids.push(block(&rail, depth(0.05), 0.02, wood, light));
    }
    let rungs = ((rect.size().y - 0.1) / RUNG_SPACING).max(0.0) as usize;
    for rung in 0..rungs.min(MAX_RUNGS) {
        let bottom = rect.min.y + RUNG_SPACING * (rung as f32 + 0.5);
        let rung = Rect::new(rect.min.x + 0.05, bottom, rect.max.x - 0.05, bottom + 0.07);
        solids.push(block(&rung, depth(0.04), 0.015, light, light.mix(Color::WHITE, 0.15)));
    }
}

fn decor(decor: &Decor) -> Option<SolidDraw> {
    let is_valid = decor.rect.is_valid() && decor.z.is_finite() && decor.depth.is_finite() && decor.depth > 0.0;
    let half = decor.depth * 0.5;
    let shape = match decor.shape {
        DecorShape::Box => SolidShape::Box { bevel: 0.03 },
        DecorShape::Pyramid => SolidShape::Pyramid,
        DecorShape::Round => SolidShape::Ellipsoid,
    };
    let sides = color(decor.color);
    let is_near = decor.z > -12.0;
    is_valid.then(|| SolidDraw {
        shape,
        min: decor.rect.min.extend(decor.z - half),
        max: decor.rect.max.extend(decor.z + half),
        color: sides,
        top: sides.mix(Color::WHITE, 0.06),
        shadow: if is_near { Shadow::Cast } else { Shadow::None },
    })
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
