//! Birds of the decor: a flock that circles in its box, beats its wings in bouts and glides between them. A function of time alone.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::render::frame::scenery::color;
use crate::render::frame::{Shadow, SolidDraw, SolidShape};
use keypose::assets::level::Decor;

/// A bird for each of these metres of the width of a box, and the smallest and the largest flock.
const APART: f32 = 6.0;
const FLOCK: [f32; 2] = [3.0, 9.0];
/// The solids of a bird: its body, and two pieces of each wing.
const PARTS: f32 = 5.0;
/// Metres per second.
const SPEED: f32 = 3.4;
/// Beats of the wings per second, and the seconds of a bout of them with the glide that follows.
const BEATS: f32 = 2.3;
const BOUT: f32 = 4.5;
/// Half the size of a body, and of a piece of a wing, in metres.
const BODY: [f32; 2] = [0.34, 0.11];
const WING: [f32; 2] = [0.31, 0.06];

/// The number of birds in a box.
fn flock(decor: &Decor) -> f32 {
    (decor.rect.size().x / APART).round().clamp(FLOCK[0], FLOCK[1])
}

/// About how many solids they are.
pub fn parts(decor: &Decor) -> f32 {
    flock(decor) * PARTS
}

/// Adds them at a time in seconds; one with a share of less than 1 has fewer.
pub fn add(decor: &Decor, secs: f32, share: f32, solids: &mut Vec<SolidDraw>) {
    let count = (flock(decor) * share).ceil().max(1.0);
    for at in 0..count as usize {
        add_bird(decor, secs, at as f32, solids);
    }
}

fn add_bird(decor: &Decor, secs: f32, at: f32, solids: &mut Vec<SolidDraw>) {
    // Fractions that don't repeat soon, by the golden ratio and by the square root of 2.
    let (a, b) = ((at * 0.618_034).fract(), (at * 0.414_214).fract());
    let half = (decor.rect.size() * 0.5).extend(decor.depth * 0.5);
    let wide = half * Vec3::new(0.7 + 0.25 * a, 0.8, 0.6 + 0.35 * b);
    let turns = secs * SPEED / (TAU * (wide.x + wide.z).max(2.0) * 0.5) + 0.13 * at;
    let angle = turns.fract() * TAU;
    let height = 0.55 * (angle * 2.0 + a * 6.0).sin() + 0.4 * (b * 2.0 - 1.0);
    let place = decor.rect.center().extend(decor.z) + wide * Vec3::new(angle.cos(), height, angle.sin());
    let ahead = Vec3::new(-wide.x * angle.sin(), 0.0, wide.z * angle.cos()).normalize_or(Vec3::X);
    let side = Vec3::new(-ahead.z, 0.0, ahead.x);
    let beats = (0.35 + (TAU * (secs / BOUT + a)).sin()).clamp(0.0, 1.0);
    let beat = 0.12 + 0.5 * beats * (TAU * BEATS * (secs + a * 0.7)).sin();
    let tint = color(decor.color);
    let mut add = |middle: Vec3, along: Vec3, [long, high]: [f32; 2]| {
        let size = Vec3::new(high + (long - high) * along.x.abs(), high, high + (long - high) * along.z.abs());
        solids.push(SolidDraw {
            shape: SolidShape::Ellipsoid,
            min: middle - size,
            max: middle + size,
            color: tint,
            top: tint,
            shadow: Shadow::None,
        });
    };
    add(place, ahead, BODY);
    for sign in [-1.0, 1.0] {
        // The tips lag behind the joints.
        let lift = [0.5 * beat, beat + 0.35 * (beat - 0.12)].map(|part| Vec3::Y * part * 0.62);
        add(place + side * sign * 0.3 + lift[0], side, WING);
        add(place + side * sign * 0.74 - ahead * 0.06 + lift[1], side, WING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::assets::level::{DecorShape, Rect};

    #[test]
    fn a_flock_stays_near_its_box_and_beats_its_wings() {
        let rect = Rect::new(-10.0, 6.0, 14.0, 12.0);
        let decor = Decor { shape: DecorShape::Birds, rect, z: -30.0, depth: 12.0, color: [50, 60, 70] };
        let drawn = |secs: f32, share: f32| {
            let mut solids = Vec::new();
            add(&decor, secs, share, &mut solids);
            solids
        };
        assert_eq!(drawn(0.0, 1.0).len() as f32, parts(&decor));
        assert_eq!(drawn(0.0, 0.001).len() as f32, PARTS);
        let reach = Vec3::new(1.2, 1.0, 1.2);
        let (low, high) = (rect.min.extend(-36.0) - reach, rect.max.extend(-24.0) + reach);
        let mut rise = [f32::MAX, f32::MIN];
        for step in 0..400 {
            let birds = drawn(step as f32 * 0.1, 1.0);
            assert!(birds.iter().all(|part| part.min.cmpge(low).all() && part.max.cmple(high).all()), "{step}");
            let wing = birds[2].min.y - birds[0].min.y;
            rise = [rise[0].min(wing), rise[1].max(wing)];
        }
        assert!(rise[1] - rise[0] > 0.5, "the wings rise and sink by {rise:?}");
    }
}
