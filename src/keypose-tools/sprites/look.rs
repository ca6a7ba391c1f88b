//! Lights pixels in steps, with the light fixed to the camera, and draws inner lines and the outline.

use glam::{Vec2, Vec3};
use keypose::assets::sprite_recipe::{Outline, Rgb, SpriteRecipe};

use crate::sprites::cells::{Cell, Cells};
use crate::sprites::ink::{FOUR, Ink, neighbor};
use crate::sprites::oklab;

/// Towards the light, in view space: from above, from the left and from the front.
const TO_LIGHT: Vec3 = Vec3::new(-0.48, 0.70, 0.53);
/// The light in the shadow and at its brightest, as factors of lightness.
const DARKEST: f32 = 0.50;
const BRIGHTEST: f32 = 1.16;
/// Shadows are cooler and lights are warmer: what is added to a and b.
const COOL: Vec2 = Vec2::new(0.004, -0.026);
const WARM: Vec2 = Vec2::new(0.004, 0.014);
/// Pixels by which a part must be in front of another for an inner line.
const STEP: f32 = 1.7;
/// The smallest step in values of depth, of which there are 255.
const MIN_STEP: f32 = 2.5 / 255.0;

/// The thresholds of a 4 × 4 pattern (Bayer 1973), 0 to 15.
const PATTERN: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// Draws a body without its outline. `depth_pixels` is the depth of the camera in pixels, so that inner lines are drawn at the same
/// distances at any size.
pub fn draw(cells: &Cells, look: &SpriteRecipe, depth_pixels: f32) -> Ink {
    let [width, height] = cells.size;
    let mut ink = Ink::empty(width, height);
    for (at, cell) in cells.cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let color = if look.has_inner_lines && is_behind_edge(cells, at, cell, depth_pixels) {
            Vec3::new(0.82, 1.0, 1.0) * ramp(cell.color, 0.0)
        } else {
            shaded(cell, [at % width, at / width], look)
        };
        ink.pixels[at] = Some(oklab::to_bytes(color));
    }
    ink
}

/// Draws the outline of a body.
pub fn outlined(ink: &Ink, look: &SpriteRecipe) -> Ink {
    match look.outline {
        Outline::None => ink.clone(),
        Outline::Inside => inside(ink, look),
        Outline::Outside => outside(ink, look),
    }
}

fn shaded(cell: &Cell, [x, y]: [usize; 2], look: &SpriteRecipe) -> Vec3 {
    if look.shades < 2 {
        return cell.color;
    }
    let steps = look.shades as f32;
    let facing = cell.normal.dot(TO_LIGHT.normalize());
    let light = ((facing + 0.45) / 1.5).clamp(0.0, 0.999) * steps;
    let shift = if look.is_dithered { f32::from(PATTERN[y % 4][x % 4]) / 16.0 - 0.47 } else { 0.0 };
    let step = (light + shift).floor().clamp(0.0, steps - 1.0);
    ramp(cell.color, step / (steps - 1.0))
}

/// A colour in the shadow (0) to the brightest light (1).
fn ramp(color: Vec3, light: f32) -> Vec3 {
    let factor = DARKEST + (BRIGHTEST - DARKEST) * light;
    let tint = COOL.lerp(WARM, light) * color.x;
    Vec3::new((color.x * factor).min(1.0), color.y + tint.x, color.z + tint.y)
}

/// Whether a neighbour is so far in front of a pixel that a line separates them. Steep surfaces have larger steps of their own.
fn is_behind_edge(cells: &Cells, at: usize, cell: &Cell, depth_pixels: f32) -> bool {
    let step = (STEP / depth_pixels.max(1.0)).max(MIN_STEP) / cell.normal.z.max(0.3);
    let is_in_front = |other: &Cell| cell.depth - other.depth > step;
    FOUR.iter()
        .filter_map(|&offset| neighbor(cells.size, at, offset))
        .any(|other| cells.cells[other].as_ref().is_some_and(is_in_front))
}

fn outside(ink: &Ink, look: &SpriteRecipe) -> Ink {
    let mut drawn = ink.clone();
    for at in (0..ink.pixels.len()).filter(|&at| ink.pixels[at].is_none()) {
        let beside: Vec<Rgb> = FOUR.iter().filter_map(|&offset| ink.beside(at, offset)).collect();
        if !beside.is_empty() {
            drawn.pixels[at] = Some(look.outline_color.unwrap_or_else(|| darker(&beside)));
        }
    }
    let closed = drawn.clone();
    for (at, pixel) in drawn.pixels.iter_mut().enumerate().filter(|(_, pixel)| pixel.is_none()) {
        // A hole of one pixel would come and go.
        let [above, left, right, below] = FOUR.map(|offset| closed.beside(at, offset));
        *pixel = above.filter(|_| left.and(right).and(below).is_some());
    }
    drawn
}

fn inside(ink: &Ink, look: &SpriteRecipe) -> Ink {
    let mut drawn = ink.clone();
    for (at, pixel) in ink.pixels.iter().enumerate() {
        let is_edge = || FOUR.iter().any(|&offset| ink.beside(at, offset).is_none());
        if let Some(color) = pixel.filter(|_| is_edge()) {
            drawn.pixels[at] = Some(look.outline_color.unwrap_or_else(|| darker(&[color])));
        }
    }
    drawn
}

/// A dark tone of colours.
fn darker(colors: &[Rgb]) -> Rgb {
    let sum: Vec3 = colors.iter().map(|&color| oklab::of_bytes(color)).sum();
    let mean = sum / colors.len().max(1) as f32;
    oklab::to_bytes(Vec3::new(0.10 + 0.16 * mean.x, mean.y * 0.45, mean.z * 0.45 - 0.012))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball in the middle of an image.
    fn ball(side: usize, radius: f32) -> Cells {
        let cell = |at: usize| {
            let middle = side as f32 / 2.0 - 0.5;
            let (x, y) = ((at % side) as f32 - middle, middle - (at / side) as f32);
            let z = radius * radius - x * x - y * y;
            let normal = Vec3::new(x, y, z.max(0.0).sqrt()) / radius;
            (z >= 0.0).then_some(Cell { color: Vec3::new(0.7, 0.0, 0.0), normal, depth: 0.5, is_thin: false })
        };
        Cells { size: [side; 2], cells: (0..side * side).map(cell).collect() }
    }

    #[test]
    fn a_ball_has_as_many_tones_as_steps_and_is_lit_from_the_upper_left() {
        for shades in 1..=5 {
            let ink = draw(&ball(24, 10.0), &SpriteRecipe { shades, ..SpriteRecipe::default() }, 255.0);
            let tones: std::collections::BTreeSet<Rgb> = ink.pixels.iter().flatten().copied().collect();
            assert_eq!(tones.len() as u32, shades);
            if shades > 1 {
                assert!(ink.pixels[6 * 24 + 9] > ink.pixels[18 * 24 + 16]);
            }
        }
    }

    #[test]
    fn an_outline_closes_around_the_body() {
        let cells = ball(24, 8.0);
        let look = SpriteRecipe { outline: Outline::Outside, ..SpriteRecipe::default() };
        let ink = outlined(&draw(&cells, &look, 255.0), &look);
        for (at, _) in cells.cells.iter().enumerate().filter(|(_, cell)| cell.is_some()) {
            assert!(FOUR.iter().all(|&offset| ink.beside(at, offset).is_some()), "{at}");
        }
        let look = SpriteRecipe { outline: Outline::Inside, outline_color: Some([9; 3]), ..look };
        let inner = outlined(&draw(&cells, &look, 255.0), &look);
        assert_eq!(inner.pixels.iter().flatten().count(), cells.cells.iter().flatten().count());
        assert!(inner.pixels.contains(&Some([9; 3])));
    }

    #[test]
    fn an_arm_before_a_chest_has_a_line_on_the_chest() {
        let cell = |depth: f32| Some(Cell { color: Vec3::new(0.7, 0.0, 0.0), normal: Vec3::Z, depth, is_thin: false });
        let cells = Cells { size: [4, 1], cells: [0.5, 0.5, 0.4, 0.4].map(cell).to_vec() };
        let ink = draw(&cells, &SpriteRecipe { has_inner_lines: true, ..SpriteRecipe::default() }, 255.0);
        let [chest, line, arm, same] = [0, 1, 2, 3].map(|at| ink.pixels[at].unwrap());
        assert!(line < chest && arm == chest && same == arm, "{:?}", ink.pixels);
    }
}
