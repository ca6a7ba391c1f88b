//! One pixel of several samples: the surface that covers most of it. Pixels aren't averaged over edges, so that they stay crisp.

use glam::{Mat3, Vec3};

use crate::assets::srgb::{byte, encoded, linear_of_byte};
use crate::sprites::oklab;

/// Samples per pixel along each side.
pub const SAMPLES: usize = 4;
/// A pixel is covered if this many of its samples are. Fewer than half, so that thin parts such as a blade have few gaps.
const COVERED: usize = 6;
/// A surface with this many samples is seen if it is much darker than the rest, so that eyes and slits don't come and go.
const LINE: usize = 5;
/// The difference in lightness of such a surface.
const DARKER: f32 = 0.4;
/// Colours whose channels differ by less than this are one surface.
const SHADE_BITS: u32 = 5;

/// Images of a frame with [`SAMPLES`]² samples per pixel, as parts of a larger image: RGBA, rows from the top.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Width and height in pixels of the sprite, not in samples.
    pub size: [usize; 2],
    /// The larger image.
    pub image: &'a [u8],
    /// Width of the larger image in samples.
    pub width: usize,
    /// The corner of the colours without light in it; their alpha is coverage, by which their light is multiplied.
    pub colors: [usize; 2],
    /// The corner of the world normals, with the depth in alpha.
    pub geometry: [usize; 2],
}

/// A pixel with covered samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Colour without light, in OKLab.
    pub color: Vec3,
    /// Unit normal in view space: x right, y up, z towards the eye.
    pub normal: Vec3,
    /// 0 at the near end of the camera's depth, 1 at its far end.
    pub depth: f32,
    /// Whether few samples are covered: the pixel counts only where it joins parts of the body.
    pub is_thin: bool,
}

/// The pixels of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// In rows from the top; `None` where the model doesn't cover a sample.
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

impl Samples<'_> {
    /// The sample at a place of the frame, of the part of the image at a corner.
    fn at(&self, corner: [usize; 2], [x, y]: [usize; 2]) -> [u8; 4] {
        let at = 4 * ((corner[1] + y) * self.width + corner[0] + x);
        self.image.get(at..at + 4).and_then(|texel| texel.try_into().ok()).unwrap_or_default()
    }
}

/// Samples of one surface in a pixel.
struct Group {
    key: [u8; 3],
    count: usize,
    color: Vec3,
    normal: [u32; 3],
    depth: u32,
}

/// An encoded channel before its light was multiplied by an alpha above 0.
fn straight(channel: u8, alpha: u8) -> u8 {
    byte(encoded(linear_of_byte(channel) * 255.0 / f32::from(alpha)))
}

fn cell(samples: &Samples<'_>, [x, y]: [usize; 2], turn: Mat3, groups: &mut Vec<Group>) -> Option<Cell> {
    groups.clear();
    let mut covered = 0;
    for at in (0..SAMPLES * SAMPLES).map(|at| [x * SAMPLES + at % SAMPLES, y * SAMPLES + at / SAMPLES]) {
        let [r, g, b, alpha] = samples.at(samples.colors, at);
        if alpha < 128 {
            continue;
        }
        covered += 1;
        let [r, g, b] = if alpha == 255 { [r, g, b] } else { [r, g, b].map(|channel| straight(channel, alpha)) };
        let [nx, ny, nz, depth] = samples.at(samples.geometry, at).map(u32::from);
        let key = [r, g, b].map(|channel| channel >> SHADE_BITS);
        let color = Vec3::from([r, g, b].map(linear_of_byte));
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => {
                group.count += 1;
                group.color += color;
                group.depth += depth;
                group.normal.iter_mut().zip([nx, ny, nz]).for_each(|(sum, channel)| *sum += channel);
            }
            None => groups.push(Group { key, count: 1, color, normal: [nx, ny, nz], depth }),
        }
    }
    // The first of the largest, which is the same whenever the samples are.
    let most = groups.iter().rev().max_by_key(|group| group.count)?;
    let lightness = |group: &Group| oklab::of_linear(group.color / group.count as f32).x;
    let is_line = |group: &&Group| group.count >= LINE && lightness(group) + DARKER < lightness(most);
    let best = if groups.len() > 1 { groups.iter().find(is_line).unwrap_or(most) } else { most };
    let count = best.count as f32;
    let normal = Vec3::from(best.normal.map(|sum| sum as f32 / count / 127.5 - 1.0));
    let normal = (turn * normal).try_normalize().unwrap_or(Vec3::Z);
    let (color, depth) = (oklab::of_linear(best.color / count), best.depth as f32 / count / 255.0);
    Some(Cell { color, normal, depth, is_thin: covered < COVERED })
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
        // In an image of two pixels, after the geometry.
        let image = |covered: usize| -> Vec<u8> {
            let row = |y: usize| {
                let color = move |x: usize| sample(if 4 * y + x < covered { 4 * y + x } else { 15 });
                [[128, 128, 255, 51]; 4].into_iter().chain((0..4).map(color))
            };
            (0..4).flat_map(row).flatten().collect()
        };
        let whole = image(16);
        let samples = Samples { size: [1, 1], image: &whole, width: 8, colors: [4, 0], geometry: [0, 0] };
        let cell = Cells::of(&samples, Mat3::IDENTITY).cells[0].unwrap();
        assert_eq!(oklab::to_bytes(cell.color), [200, 0, 0]);
        assert!((cell.depth - 0.2).abs() < 1e-6 && cell.normal.z > 0.99);
        let is_thin = |covered: usize| {
            let samples = Samples { image: &image(covered), ..samples };
            Cells::of(&samples, Mat3::IDENTITY).cells[0].map(|cell| cell.is_thin)
        };
        assert_eq!([0, 1, 5, 6].map(is_thin), [None, Some(true), Some(true), Some(false)]);
    }

    #[test]
    fn a_see_through_surface_keeps_its_colour() {
        let image = [[188, 92, 0, 128], [128, 128, 255, 51]].map(|texel| [texel; 4].concat()).concat().repeat(4);
        let samples = Samples { size: [1, 1], image: &image, width: 8, colors: [0, 0], geometry: [4, 0] };
        let [r, g, b] = oklab::to_bytes(Cells::of(&samples, Mat3::IDENTITY).cells[0].unwrap().color);
        assert!(r == 255 && g.abs_diff(128) <= 2 && b == 0, "{r} {g} {b}");
    }

    #[test]
    fn a_dark_line_is_drawn_though_most_of_the_pixel_is_bright() {
        let drawn = |dark: usize| {
            let color = |at: usize| if at < dark { [9, 9, 12, 255] } else { [190, 190, 200, 255] };
            let row = |y: usize| (0..4).map(move |x| color(4 * y + x)).chain([[128, 128, 255, 51]; 4]);
            let image: Vec<u8> = (0..4).flat_map(row).flatten().collect();
            let samples = Samples { size: [1, 1], image: &image, width: 8, colors: [0, 0], geometry: [4, 0] };
            oklab::to_bytes(Cells::of(&samples, Mat3::IDENTITY).cells[0].unwrap().color)
        };
        assert_eq!([drawn(4), drawn(5)], [[190, 190, 200], [9, 9, 12]]);
    }
}
