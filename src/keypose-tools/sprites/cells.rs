//! One pixel of several samples: the surface that covers most of it. Pixels aren't averaged over edges, so that they stay crisp.

use glam::{Mat3, Vec3};

use crate::sprites::oklab;

/// Samples per pixel along each side.
pub const SAMPLES: usize = 4;
/// A pixel is covered if this many of its samples are. Fewer than half, so that thin parts such as a blade have no gaps.
const COVERED: usize = 6;
/// Colours whose channels differ by less than this are one surface.
const SHADE_BITS: u32 = 5;

/// Images of a frame with [`SAMPLES`]² samples per pixel, RGBA, rows from the top.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Width and height in pixels of the sprite, not in samples.
    pub size: [usize; 2],
    /// Colours without light; alpha is coverage.
    pub colors: &'a [u8],
    /// World normals, and the depth in alpha.
    pub geometry: &'a [u8],
}

/// A covered pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Colour without light, in OKLab.
    pub color: Vec3,
    /// Unit normal in view space: x right, y up, z towards the eye.
    pub normal: Vec3,
    /// 0 at the near end of the camera's depth, 1 at its far end.
    pub depth: f32,
}

/// The pixels of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// In rows from the top; `None` where the model doesn't cover the pixel.
    pub cells: Vec<Option<Cell>>,
}

impl Cells {
    /// Chooses the surface of each pixel. `view_from_world` rotates normals.
    pub fn of(samples: &Samples<'_>, view_from_world: Mat3) -> Cells {
        let [width, height] = samples.size;
        let mut groups = Vec::with_capacity(SAMPLES * SAMPLES);
        let cells = (0..width * height).map(|at| cell(samples, [at % width, at / width], view_from_world, &mut groups));
        Cells { size: samples.size, cells: cells.collect() }
    }
}

/// Samples of one surface in a pixel.
struct Group {
    key: [u8; 3],
    count: usize,
    color: Vec3,
    normal: Vec3,
    depth: f32,
}

fn cell(samples: &Samples<'_>, [x, y]: [usize; 2], turn: Mat3, groups: &mut Vec<Group>) -> Option<Cell> {
    groups.clear();
    let row = samples.size[0] * SAMPLES;
    let places = (0..SAMPLES).flat_map(|dy| (0..SAMPLES).map(move |dx| (y * SAMPLES + dy) * row + x * SAMPLES + dx));
    for at in places {
        let ([r, g, b, alpha], [nx, ny, nz, depth]) = (texel(samples.colors, at)?, texel(samples.geometry, at)?);
        if alpha < 128 {
            continue;
        }
        let key = [r, g, b].map(|channel| channel >> SHADE_BITS);
        let color = Vec3::from([r, g, b].map(|channel| oklab::linear(f32::from(channel) / 255.0)));
        let normal = Vec3::from([nx, ny, nz].map(|channel| f32::from(channel) / 127.5 - 1.0));
        let depth = f32::from(depth) / 255.0;
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => {
                group.count += 1;
                (group.color, group.normal) = (group.color + color, group.normal + normal);
                group.depth += depth;
            }
            None => groups.push(Group { key, count: 1, color, normal, depth }),
        }
    }
    if groups.iter().map(|group| group.count).sum::<usize>() < COVERED {
        return None;
    }
    // The first of the largest, which is the same whenever the samples are.
    let best = groups.iter().rev().max_by_key(|group| group.count)?;
    let count = best.count as f32;
    let normal = (turn * best.normal).try_normalize().unwrap_or(Vec3::Z);
    Some(Cell { color: oklab::of_linear(best.color / count), normal, depth: best.depth / count })
}

fn texel(bytes: &[u8], at: usize) -> Option<[u8; 4]> {
    bytes.get(4 * at..4 * at + 4)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_has_the_colour_of_most_of_its_samples() {
        // Ten red samples, four green ones, two that are not covered.
        let sample = |at: usize| match at {
            0..10 => [200, 0, 0, 255],
            10..14 => [0, 200, 0, 255],
            _ => [0; 4],
        };
        let colors: Vec<u8> = (0..16).flat_map(sample).collect();
        let geometry = [128, 128, 255, 51].repeat(16);
        let samples = Samples { size: [1, 1], colors: &colors, geometry: &geometry };
        let cell = Cells::of(&samples, Mat3::IDENTITY).cells[0].unwrap();
        assert_eq!(oklab::to_bytes(cell.color), [200, 0, 0]);
        assert!((cell.depth - 0.2).abs() < 1e-6 && cell.normal.z > 0.99);
        let few: Vec<u8> = (0..16).flat_map(|at| sample(if at < 5 { at } else { 15 })).collect();
        assert_eq!(Cells::of(&Samples { colors: &few, ..samples }, Mat3::IDENTITY).cells, [None]);
    }
}
