//! What is to be reached, as it looks: coins that turn, flags that rise at a checkpoint, the gate of the goal, and the sign over a
//! foe that has just seen the player.

use glam::{Vec2, Vec3};

use crate::assets::fit::STANDING_HEIGHT;
use crate::game::foe::Mood;
use crate::game::units::{metres, metres_of};
use crate::game::world::World;
use crate::render::frame::color::Color;
use crate::render::frame::{Shadow, SolidDraw, SolidShape};

const GOLD: Color = Color::hex(0xf2c14e);
const POLE: Color = Color::hex(0x8a6b4a);
const GREY: Color = Color::hex(0x9aa0a8);
const RED: Color = Color::hex(0xc8323a);
/// Radius of a coin in metres.
const COIN: f32 = 0.19;
/// Ticks of one turn of a coin.
const TURN_TICKS: f32 = 80.0;

/// Adds them at `alpha` between the last two ticks.
pub fn add(world: &World, alpha: f32, solids: &mut Vec<SolidDraw>) {
    let time = world.tick as f32 + alpha;
    let collected = |at: usize| world.progress.coins.get(at).copied().unwrap_or(false);
    for (at, coin) in world.stage.coins.iter().enumerate().filter(|(at, _)| !collected(*at)) {
        add_coin(metres_of(*coin), time + at as f32 * 9.0, solids);
    }
    for (at, place) in world.stage.checkpoints.iter().enumerate() {
        let is_reached = world.progress.checkpoint.is_some_and(|reached| at <= reached);
        add_flag(metres_of(*place), if is_reached { RED } else { GREY }, is_reached, time, solids);
    }
    if let Some(goal) = world.stage.goal {
        add_gate(metres_of(goal.min), metres(goal.max.x), time, solids);
    }
    for foe in world.foes.iter().filter(|foe| foe.mood == Mood::Notice && foe.actor.vitals.is_alive()) {
        let size = world.stage.kinds[foe.kind].size;
        add_sign(metres_of(foe.actor.feet) + Vec2::new(0.0, STANDING_HEIGHT * size + 0.3), solids);
    }
}

fn solid(shape: SolidShape, middle: Vec3, half: Vec3, color: Color) -> SolidDraw {
    let top = color.mix(Color::WHITE, 0.25);
    SolidDraw { shape, min: middle - half, max: middle + half, color, top, shadow: Shadow::Cast }
}

fn add_coin(place: Vec2, time: f32, solids: &mut Vec<SolidDraw>) {
    let (sin, cos) = (time / TURN_TICKS * std::f32::consts::TAU).sin_cos();
    let wide = COIN * cos.abs().max(0.22);
    let middle = (place + Vec2::new(0.0, 0.05 * sin)).extend(0.0);
    let half = Vec3::new(wide, COIN, COIN * sin.abs().max(0.22));
    solids.push(SolidDraw { shadow: Shadow::None, ..solid(SolidShape::Ellipsoid, middle, half, GOLD) });
}

/// A pole with a cloth of three pieces that wave; low while it is grey.
fn add_flag(feet: Vec2, color: Color, is_up: bool, time: f32, solids: &mut Vec<SolidDraw>) {
    let z = -0.75;
    let at = |x: f32, y: f32, depth: f32| (feet + Vec2::new(x, y)).extend(z + depth);
    let bevel = SolidShape::Box { bevel: 0.02 };
    solids.push(solid(bevel, at(0.0, 1.15, 0.0), Vec3::new(0.045, 1.15, 0.045), POLE));
    solids.push(solid(SolidShape::Ellipsoid, at(0.0, 2.34, 0.0), Vec3::splat(0.08), GOLD));
    let height = if is_up { 1.95 } else { 0.75 };
    for piece in 0..3_u8 {
        let along = f32::from(piece);
        let wave = if is_up { (time * 0.12 - along * 1.1).sin() } else { 0.15 };
        let middle = at(0.20 + 0.27 * along, height - 0.03 * along + 0.035 * wave, 0.06 * wave);
        solids.push(solid(bevel, middle, Vec3::new(0.145, 0.26 - 0.045 * along, 0.02), color));
    }
}

/// Two posts with a beam and a light between them.
fn add_gate(low: Vec2, right: f32, time: f32, solids: &mut Vec<SolidDraw>) {
    let middle = (low.x + right) * 0.5;
    let bevel = SolidShape::Box { bevel: 0.04 };
    for side in [-0.85, 0.85] {
        let place = Vec3::new(middle + side, low.y + 1.3, -0.7);
        solids.push(solid(bevel, place, Vec3::new(0.14, 1.3, 0.14), GREY));
        solids.push(solid(SolidShape::Pyramid, place + Vec3::Y * 1.5, Vec3::new(0.2, 0.2, 0.2), GOLD));
    }
    solids.push(solid(bevel, Vec3::new(middle, low.y + 2.45, -0.7), Vec3::new(1.0, 0.11, 0.1), GOLD));
    let pulse = 0.24 + 0.03 * (time * 0.07).sin();
    let light = Vec3::new(middle, low.y + 1.45 + 0.08 * (time * 0.045).sin(), -0.7);
    let glow = Color::hex(0xfff2b8);
    solids.push(SolidDraw { top: glow, ..solid(SolidShape::Ellipsoid, light, Vec3::splat(pulse), glow) });
}

/// An exclamation mark.
fn add_sign(low: Vec2, solids: &mut Vec<SolidDraw>) {
    let color = Color::hex(0xff5a3c);
    let at = |y: f32| (low + Vec2::new(0.0, y)).extend(0.2);
    let bevel = SolidShape::Box { bevel: 0.02 };
    for part in
        [solid(bevel, at(0.32), Vec3::new(0.055, 0.17, 0.05), color), solid(bevel, at(0.05), Vec3::splat(0.055), color)]
    {
        solids.push(SolidDraw { top: color, shadow: Shadow::None, ..part });
    }
}
