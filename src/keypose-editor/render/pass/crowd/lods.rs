//! The level of detail of each character of a crowd: by its height on the screen. A level is kept until the height is a little beyond its
//! limits, so that a camera that moves to and fro doesn't change it each time.

use glam::Vec3;

use crate::render::frame::camera::{Camera, Projection};
use crate::render::frame::crowd::{COARSER_BELOW, Crowd, CrowdDraw, Meshes};

/// How far the eye moves until levels are chosen again, in heights of the model.
const STEP: f32 = 1.5;
/// By which part a character is taller than the limit of its level when it gets a finer one.
const MARGIN: f32 = 0.15;

/// From where a crowd is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    eye: Vec3,
    /// Pixels of a world unit: at a distance of 1, or at any distance in a parallel projection.
    pixels: f32,
    is_parallel: bool,
}

/// The levels, and for what they were chosen.
#[derive(Debug)]
pub struct Choice {
    /// For each character, 0 for the finest meshes.
    pub levels: Vec<u8>,
    sight: Sight,
    meshes: Meshes,
}

impl Sight {
    /// From a camera, in a viewport of this height in pixels.
    pub fn of(camera: &Camera, height: u32) -> Sight {
        let (shown, is_parallel) = match camera.projection {
            Projection::Perspective { fov_y_radians, .. } => (2.0 * (fov_y_radians * 0.5).tan(), false),
            Projection::Orthographic { height, .. } => (height, true),
        };
        Sight { eye: camera.eye, pixels: height as f32 / shown.max(1e-6), is_parallel }
    }

    /// The pixels of a length at a place.
    fn pixels_of(&self, length: f32, place: Vec3) -> f32 {
        let distance = if self.is_parallel { 1.0 } else { place.distance(self.eye).max(1e-6) };
        length * self.pixels / distance
    }

    /// Whether what was chosen for another one is right for this one.
    fn is_near(&self, other: &Sight, crowd: &Crowd) -> bool {
        let ratio = self.pixels / other.pixels;
        let is_same_size = (1.0 - MARGIN / 2.0..=1.0 + MARGIN / 2.0).contains(&ratio);
        self.is_parallel == other.is_parallel && is_same_size && self.eye.distance(other.eye) <= STEP * crowd.height
    }
}

impl Choice {
    /// Chooses the level of each character, up to `coarsest`.
    pub fn new(draw: &CrowdDraw, coarsest: usize, sight: Sight) -> Choice {
        let mut choice = Choice { levels: vec![0; draw.crowd.members.len()], sight, meshes: draw.meshes };
        choice.choose(&draw.crowd, coarsest);
        choice
    }

    /// Chooses again if the eye has moved, or if a frame asks for other meshes. Returns true if it did.
    pub fn follow(&mut self, draw: &CrowdDraw, coarsest: usize, sight: Sight) -> bool {
        if self.meshes == draw.meshes && sight.is_near(&self.sight, &draw.crowd) {
            return false;
        }
        (self.sight, self.meshes) = (sight, draw.meshes);
        self.choose(&draw.crowd, coarsest);
        true
    }

    fn choose(&mut self, crowd: &Crowd, coarsest: usize) {
        let coarsest = if self.meshes == Meshes::BySize { coarsest.min(9) as u8 } else { 0 };
        for (level, member) in self.levels.iter_mut().zip(&crowd.members) {
            let pixels = self.sight.pixels_of(crowd.height, member.world_from_model.translation());
            *level = level_of(pixels, (*level).min(coarsest), coarsest);
        }
    }
}

/// The level of a character of this height in pixels that had another one.
fn level_of(pixels: f32, before: u8, coarsest: u8) -> u8 {
    let limit = |level: u8| COARSER_BELOW * 0.5_f32.powi(i32::from(level) - 1);
    let mut level = before;
    while level < coarsest && pixels < limit(level + 1) {
        level += 1;
    }
    while level > 0 && pixels > limit(level) * (1.0 + MARGIN) {
        level -= 1;
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_for_half_the_height_of_the_one_before() {
        let cases = [(4.0, 0), (1.01, 0), (0.99, 1), (0.51, 1), (0.49, 2), (0.26, 2), (0.24, 3), (0.0, 3)];
        for (part, level) in cases {
            assert_eq!(level_of(part * COARSER_BELOW, 0, 3), level, "{part} of the first limit");
        }
        assert_eq!(level_of(0.24 * COARSER_BELOW, 0, 1), 1, "the coarsest that is there");
        assert_eq!(level_of(0.24 * COARSER_BELOW, 0, 0), 0);
    }

    #[test]
    fn a_level_is_kept_near_its_limit() {
        for (part, before, level) in [(1.1, 1, 1), (1.16, 1, 0), (0.99, 0, 1), (1.1, 0, 0), (3.0, 3, 0)] {
            assert_eq!(
                level_of(part * COARSER_BELOW, before, 3),
                level,
                "{part} of the first limit, level {before} before"
            );
        }
    }

    #[test]
    fn size_decreases_with_distance_in_perspective_only() {
        let camera = Camera::perspective(Vec3::new(0.0, 0.0, 10.0), Vec3::ZERO);
        let sight = Sight::of(&camera, 1000);
        let [near, far] = [0.0, -10.0].map(|z| sight.pixels_of(1.8, Vec3::Z * z));
        assert!((near / far - 2.0).abs() < 1e-3 && (270.0..300.0).contains(&near), "{near} {far}");
        let parallel = Camera { projection: Projection::Orthographic { height: 3.6, depth: 100.0 }, ..camera };
        let [near, far] = [0.0, -10.0].map(|z| Sight::of(&parallel, 1000).pixels_of(1.8, Vec3::Z * z));
        assert!(near == far && (near - 500.0).abs() < 1e-3, "{near} {far}");
    }
}
