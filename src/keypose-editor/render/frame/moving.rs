//! Decor that moves: water with waves, banners in the wind, grass that also bends away from those who walk through it, flames, birds. A function
//! of the moment alone.

use glam::{Vec2, Vec3};

use crate::render::frame::birds;
use crate::render::frame::color::Color;
use crate::render::frame::scenery::{block, color};
use crate::render::frame::{Shadow, SolidDraw, SolidShape};
use keypose::assets::level::{Decor, DecorShape, Rect};

/// Strips of cloth of a banner.
const STRIPS: usize = 12;
/// Width of a part of the surface of water in metres, and the maximum count.
const WAVE_WIDTH: f32 = 0.3;
const MAX_WAVES: f32 = 38.0;
/// Rows of waves from the back to the front.
const WAVE_ROWS: usize = 3;
/// The colour of deep water, and how much of it the water has from the surface downwards.
const DEEP: Color = Color::hex(0x123250);
const DEPTHS: [f32; 4] = [0.12, 0.36, 0.6, 0.8];
/// Width of foam at a bank and its height in metres, and its pieces from the back to the front.
const FOAM: [f32; 2] = [0.06, 0.09];
const FOAM_PIECES: usize = 5;
/// Height of waves above and below the mean in metres.
const WAVE_HEIGHT: f32 = 0.045;
/// Width of a blade of grass in metres, and the maximum count of a piece.
const BLADE_WIDTH: f32 = 0.1;
const MAX_BLADES: f32 = 200.0;
/// Blades nearer to feet than this, in metres, are bent, at most by this part of their height.
const TRODDEN: f32 = 0.55;
const MAX_BEND: f32 = 0.9;
/// The stripe of banners.
const GOLD: Color = Color::hex(0xd6aa4a);

/// The time and the walkers that moving decor follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment<'a> {
    /// Seconds since the start of the game.
    pub secs: f32,
    /// The feet of characters, in metres.
    pub walkers: &'a [Vec2],
}

/// Adds a piece of decor that moves, with this share of its parts. Others add nothing.
pub fn add(decor: &Decor, moment: &Moment<'_>, share: f32, solids: &mut Vec<SolidDraw>) {
    let secs = moment.secs;
    let count = |all: f32| (all * share).ceil().max(1.0);
    match decor.shape {
        DecorShape::Box | DecorShape::Pyramid | DecorShape::Round => {}
        DecorShape::Water => add_water(decor, secs, share, solids),
        DecorShape::Banner => add_banner(decor, secs, solids),
        DecorShape::Grass => add_grass(decor, moment, count(blades(decor)), solids),
        DecorShape::Flame => add_flame(decor, secs, solids),
        DecorShape::Birds => birds::add(decor, secs, share, solids),
    }
}

/// About how many solids a piece of decor is drawn with.
pub fn parts(decor: &Decor) -> f32 {
    match decor.shape {
        DecorShape::Water => 2.0 * WAVE_ROWS as f32 * waves(decor) + (DEPTHS.len() + 2 * FOAM_PIECES) as f32,
        DecorShape::Grass => blades(decor),
        DecorShape::Banner => 2.0 * STRIPS as f32,
        DecorShape::Birds => birds::parts(decor),
        DecorShape::Box | DecorShape::Pyramid | DecorShape::Round | DecorShape::Flame => 1.0,
    }
}

fn waves(decor: &Decor) -> f32 {
    (decor.rect.size().x / WAVE_WIDTH).ceil().clamp(1.0, MAX_WAVES)
}

fn blades(decor: &Decor) -> f32 {
    (decor.rect.size().x / BLADE_WIDTH).round().clamp(1.0, MAX_BLADES)
}

fn extent(decor: &Decor) -> [f32; 2] {
    [decor.z - decor.depth * 0.5, decor.z + decor.depth * 0.5]
}

/// The height of waves over the mean at an x, in metres.
pub fn wave(x: f32, secs: f32) -> f32 {
    WAVE_HEIGHT * (0.6 * (x * 2.3 + secs * 1.9).sin() + 0.4 * (x * 3.9 - secs * 2.7).sin())
}

/// A body of water that is darker below, and over it rows of slopes between crests, bright where they are high, with foam where the
/// water ends.
fn add_water(decor: &Decor, secs: f32, share: f32, solids: &mut Vec<SolidDraw>) {
    let (rect, tint) = (decor.rect, color(decor.color));
    let [back, front] = extent(decor);
    let mean = rect.max.y - WAVE_HEIGHT;
    let trough = (mean - WAVE_HEIGHT).max(rect.min.y);
    let draw = |[left, right]: [f32; 2], [low, high]: [f32; 2], [back, front]: [f32; 2], color: Color| SolidDraw {
        shape: SolidShape::Box { bevel: 0.0 },
        min: Vec3::new(left, low, back),
        max: Vec3::new(right, high, front),
        color,
        top: color,
        shadow: Shadow::None,
    };
    // One of many has neither depth nor foam.
    let is_plain = share < 1.0;
    let (layers, rows) = if is_plain { (1, 1) } else { (DEPTHS.len(), WAVE_ROWS) };
    for (at, dark) in DEPTHS.into_iter().take(layers).enumerate() {
        let height = |at: usize| trough + (rect.min.y - trough) * at as f32 / layers as f32;
        let layer = [height(at + 1), height(at)];
        solids.push(draw([rect.min.x, rect.max.x], layer, [back, front], tint.mix(DEEP, dark)));
    }
    let count = (waves(decor) * share).ceil().max(1.0);
    let wide = rect.size().x / count;
    for row in 0..rows {
        let edge = |row: usize| back + (front - back) * row as f32 / rows as f32;
        let depth = [edge(row), edge(row + 1)];
        // Crests run slantwise, each row behind the one before it.
        let surface = |x: f32| (mean + wave(x + 0.55 * row as f32, secs)).max(rect.min.y);
        for at in 0..count as usize {
            let left = rect.min.x + wide * at as f32;
            let [from, to] = [surface(left), surface(left + wide)];
            let crest = ((from + to) * 0.5 - mean) / WAVE_HEIGHT;
            let top = tint.mix(DEEP, 0.25 - 0.25 * crest).mix(Color::WHITE, 0.12 + 0.75 * (crest - 0.35).max(0.0));
            let low = from.min(to);
            let slope = SolidDraw {
                shape: SolidShape::Wedge { rises_left: from > to },
                top,
                ..draw([left, left + wide], [low, from.max(to)], depth, tint)
            };
            solids.extend([SolidDraw { top, ..draw([left, left + wide], [trough, low], depth, tint) }, slope]);
        }
    }
    if !is_plain {
        add_foam(decor, secs, solids);
    }
}

/// Foam along the banks, and along the front of water.
fn add_foam(decor: &Decor, secs: f32, solids: &mut Vec<SolidDraw>) {
    let (rect, [back, front]) = (decor.rect, extent(decor));
    let foam = color(decor.color).mix(Color::WHITE, 0.82);
    let top = rect.max.y;
    let low = (top - FOAM[1]).max(rect.min.y);
    let half = rect.size().x * 0.5;
    let mut add = |min: Vec3, max: Vec3| {
        solids.push(SolidDraw {
            shape: SolidShape::Box { bevel: 0.02 },
            min,
            max,
            color: foam,
            top: foam,
            shadow: Shadow::None,
        });
    };
    let pieces = FOAM_PIECES as f32;
    for at in 0..FOAM_PIECES {
        let (at, edge) = (at as f32, |at: f32| back + (front - back) * at / pieces);
        let swell = |side: f32| (FOAM[0] * (1.0 + 0.7 * (secs * 1.4 + at * 2.1 + side).sin())).min(half);
        let bob = 0.02 * (secs * 2.0 + at * 1.7).sin();
        let [from, to] = [edge(at), edge(at + 1.0)];
        add(Vec3::new(rect.min.x, low, from), Vec3::new(rect.min.x + swell(0.0), top - 0.02 + bob.min(0.0), to));
        add(Vec3::new(rect.max.x - swell(3.0), low, from), Vec3::new(rect.max.x, top - 0.02 + bob.min(0.0), to));
    }
}

/// Strips that swing the farther the lower they hang, with a stripe.
fn add_banner(decor: &Decor, secs: f32, solids: &mut Vec<SolidDraw>) {
    let (rect, cloth) = (decor.rect, color(decor.color));
    let [back, front] = extent(decor);
    let tall = rect.size().y / STRIPS as f32;
    for at in 0..STRIPS {
        let hang = (at as f32 + 0.5) / STRIPS as f32;
        let phase = secs * 2.1 + rect.min.x * 0.9 - hang * 3.4;
        let across = rect.size().x * 0.075 * hang * phase.sin();
        let out = 0.05 + 0.05 * hang * (1.0 + (phase * 1.3 + 1.0).sin());
        let low = rect.max.y - tall * (at as f32 + 1.0);
        let strip = Rect::new(rect.min.x + across, low, rect.max.x + across, low + tall + 0.004);
        let shade = cloth.mix(Color::BLACK, 0.10 + 0.10 * (phase * 1.3).sin());
        solids.push(block(&strip, [back + out, front + out], 0.0, shade, shade));
        if (0.25..0.78).contains(&hang) {
            let third = rect.size().x * 0.37;
            let stripe = Rect::new(strip.min.x + third, low, strip.max.x - third, strip.max.y);
            let gold = GOLD.mix(Color::BLACK, 0.08 + 0.08 * (phase * 1.3).sin());
            solids.push(SolidDraw {
                shadow: Shadow::None,
                ..block(&stripe, [front + out, front + out + 0.02], 0.0, gold, gold)
            });
        }
    }
}

/// Blades of several heights that bow in gusts, and away from feet.
fn add_grass(decor: &Decor, moment: &Moment<'_>, count: f32, solids: &mut Vec<SolidDraw>) {
    let (rect, green) = (decor.rect, color(decor.color));
    let [back, front] = extent(decor);
    let wide = rect.size().x / count;
    for at in 0..count as usize {
        // Fractions that don't repeat soon, by the golden ratio and by the square root of 2.
        let (a, b) = ((at as f32 * 0.618_034).fract(), (at as f32 * 0.414_214).fract());
        let x = rect.min.x + wide * (at as f32 + 0.5);
        let tall = rect.size().y * (0.55 + 0.45 * a);
        let z = back + (front - back) * b;
        let secs = moment.secs;
        let gust = (secs * 1.7 - x * 0.7).sin() + 0.5 * (secs * 3.1 + x * 1.9 + a * 6.0).sin();
        let half = Vec3::new(wide * 0.42, 0.0, wide * 0.3);
        let foot = Vec3::new(x, rect.min.y, z);
        solids.push(SolidDraw {
            shape: SolidShape::Blade { lean: tall * (0.22 * gust + 0.2 * (b - 0.5) + bent(foot, moment.walkers)) },
            min: foot - half,
            max: foot + half + Vec3::Y * tall,
            color: green.mix(Color::BLACK, 0.12 * a),
            top: green.mix(Color::WHITE, 0.2 + 0.14 * b),
            shadow: Shadow::None,
        });
    }
}

/// How far a blade is bent by feet near it, as a part of its height.
fn bent(foot: Vec3, walkers: &[Vec2]) -> f32 {
    let is_near = |at: &&Vec2| (at.y - foot.y).abs() < TRODDEN && foot.z.abs() < 2.0 * TRODDEN;
    let push = |at: &Vec2| {
        let way = foot.x - at.x;
        MAX_BEND * (1.0 - way.abs() / TRODDEN).max(0.0) * if way < 0.0 { -1.0 } else { 1.0 }
    };
    walkers.iter().filter(is_near).map(push).sum::<f32>().clamp(-MAX_BEND, MAX_BEND)
}

/// Three tongues, the inner ones brighter.
fn add_flame(decor: &Decor, secs: f32, solids: &mut Vec<SolidDraw>) {
    let (rect, outer) = (decor.rect, color(decor.color));
    let middle = rect.center().x;
    for (at, part) in [1.0_f32, 0.72, 0.45].into_iter().enumerate() {
        let at = at as f32;
        let time = secs * (9.0 + 2.3 * at) + rect.min.x * 5.0 + at * 2.1;
        let flicker = 0.84 + 0.16 * time.sin() * (time * 0.37).cos();
        let half = Vec3::new(rect.size().x, 0.0, decor.depth) * 0.5 * part;
        let foot = Vec3::new(middle, rect.min.y, decor.z + (1.0 - part) * decor.depth * 0.6);
        let tint = outer.mix(Color::hex(0xfff2b0), 0.45 * at);
        solids.push(SolidDraw {
            shape: SolidShape::Blade { lean: rect.size().x * 0.3 * (time * 0.61).sin() },
            min: foot - half,
            max: foot + half + Vec3::Y * rect.size().y * part * flicker,
            color: tint,
            top: tint.mix(Color::WHITE, 0.25),
            shadow: Shadow::None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(shape: DecorShape, rect: Rect, secs: f32) -> Vec<SolidDraw> {
        let mut solids = Vec::new();
        let moment = Moment { secs, walkers: &[] };
        add(&Decor { shape, rect, z: -2.0, depth: 0.5, color: [80, 120, 160] }, &moment, 1.0, &mut solids);
        solids
    }

    #[test]
    fn it_moves_and_stays_near_its_box() {
        let rect = Rect::new(3.0, 1.0, 5.0, 2.0);
        for shape in DecorShape::ALL.into_iter().skip(3) {
            let at_start = drawn(shape, rect, 0.0);
            assert_eq!(at_start, drawn(shape, rect, 0.0), "{shape:?}: the time alone decides");
            assert_ne!(at_start, drawn(shape, rect, 0.4), "{shape:?} doesn't move");
            for secs in (0..200).map(|step| step as f32 * 0.37) {
                for solid in drawn(shape, rect, secs) {
                    assert!(solid.min.cmple(solid.max).all(), "{shape:?}: {solid:?}");
                    // The middle of a bird is in the box; its wings reach out.
                    let wings = Vec3::splat(if shape == DecorShape::Birds { 0.8 } else { 0.0 });
                    let (low, high) = (Vec3::new(2.8, 0.99, -2.5) - wings, Vec3::new(5.2, 2.05, -1.4) + wings);
                    assert!(solid.min.cmpge(low).all() && solid.max.cmple(high).all(), "{shape:?}: {solid:?}");
                }
            }
        }
    }

    #[test]
    fn grass_bends_away_from_feet() {
        let at = |x: f32, z: f32, feet: Vec2| bent(Vec3::new(x, 1.0, z), &[feet]);
        assert!(at(0.2, 0.3, Vec2::Y) > 0.3 && at(-0.2, 0.3, Vec2::Y) < -0.3);
        for (x, z, feet) in [(0.2, 0.3, Vec2::new(0.0, 3.0)), (0.7, 0.3, Vec2::Y), (0.2, -3.0, Vec2::Y)] {
            assert_eq!(at(x, z, feet), 0.0, "{x} {z} {feet}");
        }
        assert_eq!(bent(Vec3::ZERO, &[Vec2::ZERO; 9]), MAX_BEND);
    }

    #[test]
    fn a_huge_box_has_a_limited_number_of_parts() {
        let huge = Rect::new(-1e6, -1e6, 1e6, 1e6);
        for shape in DecorShape::ALL {
            assert!(drawn(shape, huge, 1.0).len() <= 256, "{shape:?}");
        }
    }
}
