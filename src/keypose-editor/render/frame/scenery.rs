//! A level as it looks: solids, slopes, ladders with rungs, platforms on posts, spikes, decor, sky and haze.

use glam::Vec3;

use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::moving::{self, Moment};
use crate::render::frame::{Background, Frame, Haze, Light, Shadow, SolidDraw, SolidShape};
use keypose::assets::level::slope::Slope;
use keypose::assets::level::{Decor, DecorShape, Level, LevelLook, Rect};

/// Extent of solids away from the camera and towards it, in metres.
pub const SOLID_DEPTH: [f32; 2] = [-2.4, 0.7];
/// Nearest and farthest depth of platforms.
pub const PLATFORM_DEPTH: [f32; 2] = [-1.0, 0.6];
/// Distance between two rungs in metres.
const RUNG_SPACING: f32 = 0.32;
/// Half the thickness of a rung in metres.
pub const RUNG_HALF: f32 = 0.035;
/// Depth of ladders in metres: behind the climber.
pub const LADDER_Z: f32 = -0.42;
/// Extent of the front row of spikes away from the camera and towards it, in metres.
pub const SPIKES_DEPTH: [f32; 2] = [-0.25, 0.25];
/// About the width of a spike in metres.
const SPIKE_WIDTH: f32 = 0.26;
/// Maximum count of spikes drawn in a row.
const MAX_SPIKES: f32 = 400.0;
/// Maximum count of rungs drawn on a ladder.
const MAX_RUNGS: usize = 400;
/// About the maximum count of solids that a level is drawn with, besides one for each of its things: each takes some kilobytes.
const MAX_PARTS: f32 = 16_384.0;

/// An opaque colour from sRGB bytes.
pub fn color([r, g, b]: [u8; 3]) -> Color {
    let part = |byte: u8| f32::from(byte) / 255.0;
    Color { r: part(r), g: part(g), b: part(b), a: 1.0 }
}

/// A frame with the sky, the light and the haze of a level, and nothing in it.
pub fn frame(look: &LevelLook, camera: Camera) -> Frame {
    let distance = camera.eye.distance(camera.target);
    Frame {
        camera,
        background: Background { top: color(look.sky_top), bottom: color(look.sky_bottom) },
        light: Light { to_key: Vec3::new(-0.35, 1.0, 0.6), ..Light::default() },
        haze: Some(Haze { color: color(look.sky_bottom), near: distance + 8.0, far: distance + 150.0 }),
        ..Frame::default()
    }
}

/// All parts of a level that are in it from the start, at a moment after that: decor moves. Those without an area are left out. If there
/// are too many, ladders, spikes, grass and water have fewer parts.
pub fn solids(level: &Level, moment: &Moment<'_>) -> Vec<SolidDraw> {
    let look = &level.look;
    let share = (MAX_PARTS / parts(level)).min(1.0);
    let mut solids = Vec::new();
    solids.extend(level.solids.iter().filter(|rect| rect.is_valid()).map(|rect| ground(rect, look)));
    solids.extend(level.slopes.iter().filter(|slope| slope.rect.is_valid()).map(|slope| incline(slope, look)));
    for rect in level.platforms.iter().filter(|rect| rect.is_valid()) {
        add_platform(rect, look, &mut solids);
    }
    for rect in level.ladders.iter().filter(|rect| rect.is_valid()) {
        add_ladder(rect, look, share, &mut solids);
    }
    for rect in level.spikes.iter().filter(|rect| rect.is_valid()) {
        add_spikes(rect, share, &mut solids);
    }
    for decor in level.decor.iter().filter(|decor| is_valid(decor)) {
        solids.extend(still(decor));
        moving::add(decor, moment, share, &mut solids);
    }
    // In a thing that is smaller than its parts, there is no room for some, such as the rungs between two rails.
    solids.retain(|solid| solid.min.cmple(solid.max).all());
    solids
}

/// About how many solids all details of a level are drawn with; at least 1.
fn parts(level: &Level) -> f32 {
    let rungs: usize = level.ladders.iter().map(rungs).sum();
    let spikes: f32 = level.spikes.iter().map(|rect| 2.0 * spikes(rect)).sum();
    let decor: f32 = level.decor.iter().filter(|decor| is_valid(decor)).map(moving::parts).sum();
    (rungs as f32 + spikes + decor).max(1.0)
}

/// A bevelled box with its extent along z.
pub fn block(rect: &Rect, [back, front]: [f32; 2], bevel: f32, sides: Color, top: Color) -> SolidDraw {
    SolidDraw {
        shape: SolidShape::Box { bevel },
        min: rect.min.extend(back),
        max: rect.max.extend(front),
        color: sides,
        top,
        shadow: Shadow::Cast,
    }
}

/// A solid.
pub fn ground(rect: &Rect, look: &LevelLook) -> SolidDraw {
    block(rect, SOLID_DEPTH, 0.05, color(look.solid), color(look.ground))
}

/// A slope.
fn incline(slope: &Slope, look: &LevelLook) -> SolidDraw {
    SolidDraw { shape: SolidShape::Wedge { rises_left: slope.rises_left }, ..ground(&slope.rect, look) }
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

/// Adds a platform that moves: planks in a frame of iron.
pub fn add_mover(rect: &Rect, look: &LevelLook, solids: &mut Vec<SolidDraw>) {
    add_platform(rect, look, solids);
    let iron = Color::hex(0x565c66);
    let [back, front] = PLATFORM_DEPTH;
    let low = rect.min.y - 0.03;
    for [left, right] in [[rect.min.x - 0.03, rect.min.x + 0.1], [rect.max.x - 0.1, rect.max.x + 0.03]] {
        let clamp = Rect::new(left, low, right, rect.max.y + 0.015);
        solids.push(block(&clamp, [back - 0.03, front + 0.03], 0.02, iron, iron.mix(Color::WHITE, 0.2)));
    }
}

/// The height of the middle of the rung of a ladder that is nearest to a height. `None` for a ladder without rungs.
pub fn nearest_rung(rect: &Rect, height: f32) -> Option<f32> {
    let last = rungs(rect).checked_sub(1)?;
    let at = ((height - RUNG_HALF - rect.min.y) / RUNG_SPACING - 0.5).round().clamp(0.0, last as f32);
    Some(rect.min.y + RUNG_SPACING * (at + 0.5) + RUNG_HALF)
}

fn rungs(rect: &Rect) -> usize {
    (((rect.size().y - 0.1) / RUNG_SPACING).max(0.0) as usize).min(MAX_RUNGS)
}

fn add_ladder(rect: &Rect, look: &LevelLook, share: f32, solids: &mut Vec<SolidDraw>) {
    let wood = color(look.wood);
    let light = wood.mix(Color::WHITE, 0.12);
    let depth = |half: f32| [LADDER_Z - half, LADDER_Z + half];
    for left in [rect.min.x, rect.max.x - 0.09] {
        let rail = Rect::new(left, rect.min.y, left + 0.09, rect.max.y);
        solids.push(block(&rail, depth(0.05), 0.02, wood, light));
    }
    let step = (1.0 / share).ceil() as usize;
    for rung in (0..rungs(rect)).step_by(step) {
        let bottom = rect.min.y + RUNG_SPACING * (rung as f32 + 0.5);
        let rung = Rect::new(rect.min.x + 0.05, bottom, rect.max.x - 0.05, bottom + 2.0 * RUNG_HALF);
        solids.push(block(&rung, depth(0.04), 0.015, light, light.mix(Color::WHITE, 0.15)));
    }
}

/// The count of spikes of a row.
fn spikes(rect: &Rect) -> f32 {
    (rect.size().x / SPIKE_WIDTH).round().clamp(1.0, MAX_SPIKES)
}

/// Two rows of points of metal.
fn add_spikes(rect: &Rect, share: f32, solids: &mut Vec<SolidDraw>) {
    let metal = Color::hex(0x8d949e);
    let count = (spikes(rect) * share).ceil();
    let wide = rect.size().x / count;
    for row in [[-0.75, -0.25], [SPIKES_DEPTH[0], SPIKES_DEPTH[1]]] {
        for at in 0..count as usize {
            let left = rect.min.x + wide * at as f32;
            let point = Rect::new(left, rect.min.y, left + wide, rect.max.y);
            let draw = block(&point, row, 0.0, metal, metal.mix(Color::WHITE, 0.35));
            solids.push(SolidDraw { shape: SolidShape::Pyramid, ..draw });
        }
    }
}

fn is_valid(decor: &Decor) -> bool {
    decor.rect.is_valid() && decor.z.is_finite() && decor.depth.is_finite() && decor.depth > 0.0
}

/// Decor that doesn't move.
fn still(decor: &Decor) -> Option<SolidDraw> {
    let half = decor.depth * 0.5;
    let shape = match decor.shape {
        DecorShape::Box => SolidShape::Box { bevel: 0.03 },
        DecorShape::Pyramid => SolidShape::Pyramid,
        DecorShape::Round => SolidShape::Ellipsoid,
        DecorShape::Water | DecorShape::Banner | DecorShape::Grass | DecorShape::Flame | DecorShape::Birds => {
            return None;
        }
    };
    let sides = color(decor.color);
    let is_near = decor.z > -12.0;
    Some(SolidDraw {
        shape,
        min: decor.rect.min.extend(decor.z - half),
        max: decor.rect.max.extend(decor.z + half),
        color: sides,
        top: sides.mix(Color::WHITE, 0.06),
        shadow: if is_near { Shadow::Cast } else { Shadow::None },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_of_many_details_is_drawn_with_fewer() {
        let tall = |count: usize| vec![Rect::new(0.0, 0.0, 1.0, 130.0); count];
        let wide = |count: usize| vec![Rect::new(0.0, 0.0, 105.0, 1.0); count];
        let grass = Decor { shape: DecorShape::Grass, rect: wide(1)[0], depth: 1.0, ..Decor::default() };
        let few = Level { ladders: tall(1), spikes: wide(1), decor: vec![grass], ..Level::default() };
        assert_eq!(solids(&few, &Moment::default()).len(), 2 + 400 + 800 + 200);
        let many = [
            Level { ladders: tall(4096), ..Level::default() },
            Level { spikes: wide(4096), ..Level::default() },
            Level { decor: vec![grass; 4096], ..Level::default() },
            Level { decor: vec![Decor { shape: DecorShape::Water, ..grass }; 4096], ..Level::default() },
        ];
        for level in many {
            let count = solids(&level, &Moment::default()).len();
            assert!((4096..33_000).contains(&count), "{count}");
        }
    }

    #[test]
    fn no_solid_of_a_thing_of_any_size_is_inside_out() {
        for size in [1e-4, 0.01, 0.05, 0.09, 0.11, 1.0, 30.0].into_iter().flat_map(|x| [[x, 1.0], [1.0, x], [x, x]]) {
            let [x, y] = size;
            let (rect, rects) = (Rect::new(0.0, 0.0, x, y), vec![Rect::new(0.0, 0.0, x, y)]);
            let decor = |&shape: &DecorShape| Decor { shape, rect, depth: x, ..Decor::default() };
            let level = Level {
                solids: rects.clone(),
                platforms: rects.clone(),
                spikes: rects.clone(),
                ladders: rects,
                decor: DecorShape::ALL.iter().map(decor).collect(),
                ..Level::default()
            };
            let solids = solids(&level, &Moment::default());
            let is_inside_out = |solid: &&SolidDraw| !solid.min.cmple(solid.max).all();
            assert!(solids.iter().find(is_inside_out).is_none(), "{x} x {y}: {:?}", solids.iter().find(is_inside_out));
        }
    }
}
