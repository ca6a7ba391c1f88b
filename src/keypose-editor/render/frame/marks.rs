//! Coins, flags and gates of a level as they look.

use glam::{Vec2, Vec3};

use crate::render::frame::color::Color;
use crate::render::frame::{Shadow, SolidDraw, SolidShape};
use keypose::assets::level::Rect;

const GOLD: Color = Color::hex(0xf2c14e);
const POLE: Color = Color::hex(0x8a6b4a);
const GREY: Color = Color::hex(0x9aa0a8);
const RED: Color = Color::hex(0xc8323a);
/// Radius of a coin in metres.
pub const COIN: f32 = 0.19;
/// Ticks of one turn of a coin.
const TURN_TICKS: f32 = 80.0;
/// The plane in which flags stand.
pub const FLAG_Z: f32 = -0.9;
/// The z of the gate of a goal.
pub const GATE_Z: f32 = -1.8;

/// The state of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Flag {
    Waiting,
    Reached,
}

/// A lit shape around a point.
pub fn solid(shape: SolidShape, middle: Vec3, half: Vec3, color: Color) -> SolidDraw {
    let top = color.mix(Color::WHITE, 0.25);
    SolidDraw { shape, min: middle - half, max: middle + half, color, top, shadow: Shadow::Cast }
}

/// Adds a coin that turns; `time` is in ticks, as below.
pub fn add_coin(place: Vec2, time: f32, solids: &mut Vec<SolidDraw>) {
    let (sin, cos) = (time / TURN_TICKS * std::f32::consts::TAU).sin_cos();
    let wide = COIN * cos.abs().max(0.22);
    let middle = (place + Vec2::new(0.0, 0.05 * sin)).extend(0.0);
    let half = Vec3::new(wide, COIN, COIN * sin.abs().max(0.22));
    solids.push(SolidDraw { shadow: Shadow::None, ..solid(SolidShape::Ellipsoid, middle, half, GOLD) });
}

/// Adds the flag of a checkpoint: a pole with a cloth of three pieces, red and waving once it is reached, before that grey and low.
pub fn add_flag(feet: Vec2, flag: Flag, time: f32, solids: &mut Vec<SolidDraw>) {
    let (color, is_up) = match flag {
        Flag::Reached => (RED, true),
        Flag::Waiting => (GREY, false),
    };
    let z = FLAG_Z;
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

/// The height of the beam of a gate, and the bars of its portcullis.
const BEAM: f32 = 2.45;
const BARS: u8 = 6;

/// The size of a gate that isn't stretched.
const GATE: Vec2 = Vec2::new(2.1, 3.0);

/// Adds the gate of a goal, which fills its box: two posts with a beam, and a light between them, before which is a portcullis. That is closed if `raised`
/// is 0, and open if it is 1.
pub fn add_gate(goal: &Rect, raised: f32, time: f32, solids: &mut Vec<SolidDraw>) {
    let (low, middle, first) = (goal.min, goal.center().x, solids.len());
    let bevel = SolidShape::Box { bevel: 0.04 };
    for side in [-0.85, 0.85] {
        let place = Vec3::new(middle + side, low.y + 1.3, GATE_Z);
        solids.push(solid(bevel, place, Vec3::new(0.14, 1.3, 0.14), GREY));
        solids.push(solid(SolidShape::Pyramid, place + Vec3::Y * 1.5, Vec3::new(0.2, 0.2, 0.2), GOLD));
    }
    solids.push(solid(bevel, Vec3::new(middle, low.y + BEAM, GATE_Z), Vec3::new(1.0, 0.11, 0.1), GOLD));
    if raised < 1.0 {
        add_portcullis(Vec2::new(middle, low.y), raised, solids);
    }
    let pulse = 0.24 + 0.03 * (time * 0.07).sin();
    let light = Vec3::new(middle, low.y + 1.45 + 0.08 * (time * 0.045).sin(), GATE_Z);
    let glow = Color::hex(0xfff2b8);
    solids.push(SolidDraw { top: glow, ..solid(SolidShape::Ellipsoid, light, Vec3::splat(pulse), glow) });
    let (foot, stretch) = (Vec3::new(middle, low.y, 0.0), (goal.size() / GATE).extend(1.0));
    for solid in &mut solids[first..] {
        [solid.min, solid.max] = [solid.min, solid.max].map(|at| foot + (at - foot) * stretch);
    }
}

/// Bars that hang from the beam: as much of them as isn't raised.
fn add_portcullis(foot: Vec2, raised: f32, solids: &mut Vec<SolidDraw>) {
    let iron = Color::hex(0x4a4f58);
    let bevel = SolidShape::Box { bevel: 0.015 };
    let at = |x: f32, y: f32| (foot + Vec2::new(x, y)).extend(GATE_Z + 0.16);
    let (bottom, top) = (0.14 + (BEAM - 0.3) * raised, BEAM);
    let half = (top - bottom) * 0.5;
    for bar in 0..BARS {
        let x = -0.65 + 1.3 * f32::from(bar) / f32::from(BARS - 1);
        solids.push(solid(bevel, at(x, bottom + half), Vec3::new(0.035, half, 0.035), iron));
    }
    let mut rail = bottom + 0.35;
    while rail < top {
        solids.push(solid(bevel, at(0.0, rail) + Vec3::Z * 0.02, Vec3::new(0.72, 0.04, 0.03), iron));
        rail += 0.55;
    }
}
