//! The side view of the game: the camera's distance, the visible height, and the yaw of characters. The game and the
//! editor's test bench use it.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};

use crate::render::frame::camera::{Camera, Projection};
use crate::render::frame::color::Color;
use keypose::assets::fit::Fit;

/// The full vertical angle of view in radians. It is narrow, so that the level looks flat and distant hills move
/// slowly.
pub const FOV_Y_RADIANS: f32 = 0.56;
/// Height of the visible region in metres, in the plane of play.
pub const VIEW_HEIGHT: f32 = 6.6;
/// The angle by which a character that faces along the level is rotated towards the camera, in radians.
pub const OPEN_RADIANS: f32 = 0.32;
/// Height of the camera above its target, in metres.
pub const RISE: f32 = 0.9;
/// The tint of foes with the model of the player.
pub const FOE_TINT: Color = Color::hex(0x7a2a6e).with_alpha(0.42);

/// The camera that looks at a point of the plane of play, z = 0, from the game's distance.
pub fn camera(target: Vec3) -> Camera {
    camera_of_part(target, 1.0)
}

/// Like [`camera`], for an image that has only the fraction `part` (greater than 0) of the game's height. Everything in the
/// plane of play covers as many pixels as in the game.
pub fn camera_of_part(target: Vec3, part: f32) -> Camera {
    let slope = (FOV_Y_RADIANS * 0.5).tan();
    let eye = target + Vec3::new(0.0, RISE, distance());
    let projection = Projection::Perspective { fov_y_radians: 2.0 * (slope * part).atan(), near: 0.5 };
    Camera { eye, target, up: Vec3::Y, projection }
}

/// Distance of the camera from the plane of play, in metres.
pub fn distance() -> f32 {
    VIEW_HEIGHT * 0.5 / (FOV_Y_RADIANS * 0.5).tan()
}

/// The yaw of a character in radians: `turn` is 1 for facing right, -1 for left, and between them while turning.
pub fn yaw(turn: f32) -> f32 {
    turn * (FRAC_PI_2 - OPEN_RADIANS)
}

/// The transform of a model with its feet at a point of the level, at the size that the level needs, times `scale`.
pub fn world_from_model(fit: &Fit, yaw: f32, scale: Vec3, feet: Vec3) -> Mat4 {
    let turn = Quat::from_rotation_y(yaw);
    Mat4::from_scale_rotation_translation(scale * fit.scale, turn, feet) * Mat4::from_translation(-fit.base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn a_part_of_the_view_shows_a_metre_as_large_as_the_whole() {
        let target = Vec3::new(0.0, 1.0, 0.0);
        let pixels = |part: f32| {
            let (camera, size) = (camera_of_part(target, part), Vec2::new(1600.0, 900.0 * part));
            let at = |y: f32| camera.pixel_of(Vec3::new(0.0, y, 0.0), size).unwrap();
            at(1.0).distance(at(0.5))
        };
        let whole = pixels(1.0);
        assert!((pixels(0.5) - whole).abs() < 1.0 && (pixels(0.25) - whole).abs() < 1.0, "{whole}");
        assert!((whole - 0.5 * 900.0 / VIEW_HEIGHT).abs() < 2.0, "{whole}");
    }

    #[test]
    fn the_feet_are_at_the_point() {
        let fit = Fit { scale: 2.0, base: Vec3::new(0.5, -1.0, 0.25), height: 1.0, length: 1.0 };
        let world = world_from_model(&fit, yaw(-1.0), Vec3::ONE, Vec3::X);
        assert!(world.transform_point3(fit.base).distance(Vec3::X) < 1e-6);
        assert!(world.transform_vector3(Vec3::Z).x < -1.5, "it looks to the left");
    }
}
