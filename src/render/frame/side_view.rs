//! The side view of the game: how far away its camera stands, how much it shows, how a body is turned along the level.
//! The game draws by it, and the bench of the editor.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};

use crate::assets::fit::Fit;
use crate::render::frame::camera::{Camera, Projection};

/// The full vertical angle of view, radians: narrow, so that the level looks flat and the far hills move slowly.
pub const FOV_Y_RADIANS: f32 = 0.56;
/// Metres from the lower to the upper edge of the picture in the plane of play.
pub const PICTURE_HEIGHT: f32 = 6.6;
/// How far a body that looks along the level is turned towards the camera, radians.
pub const OPEN_RADIANS: f32 = 0.32;
/// Metres by which the camera stands above what it looks at.
pub const RISE: f32 = 0.9;

/// The camera that looks at a point of the plane of play, z = 0, from the game's distance.
pub fn camera(target: Vec3) -> Camera {
    camera_of_part(target, 1.0)
}

/// The same, for a picture that is only this part of the game's as high, more than 0: everything in the plane of play
/// covers as many pixels as in the game.
pub fn camera_of_part(target: Vec3, part: f32) -> Camera {
    let slope = (FOV_Y_RADIANS * 0.5).tan();
    let eye = target + Vec3::new(0.0, RISE, distance());
    let projection = Projection::Perspective { fov_y_radians: 2.0 * (slope * part).atan(), near: 0.5 };
    Camera { eye, target, up: Vec3::Y, projection }
}

/// Metres from the camera to the plane of play.
pub fn distance() -> f32 {
    PICTURE_HEIGHT * 0.5 / (FOV_Y_RADIANS * 0.5).tan()
}

/// Radians about y of a body that looks along the level: `turn` is 1 to the right, -1 to the left, 0 on the way between.
pub fn yaw(turn: f32) -> f32 {
    turn * (FRAC_PI_2 - OPEN_RADIANS)
}

/// Where a model stands: its feet at a point of the level, as large as the level wants it, times `scale`.
pub fn world_from_model(fit: &Fit, yaw: f32, scale: Vec3, feet: Vec3) -> Mat4 {
    let turn = Quat::from_rotation_y(yaw);
    Mat4::from_scale_rotation_translation(scale * fit.scale, turn, feet) * Mat4::from_translation(-fit.base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn a_part_of_the_picture_shows_a_metre_as_large_as_the_whole() {
        let target = Vec3::new(0.0, 1.0, 0.0);
        let pixels = |part: f32| {
            let (camera, size) = (camera_of_part(target, part), Vec2::new(1600.0, 900.0 * part));
            let at = |y: f32| camera.pixel_of(Vec3::new(0.0, y, 0.0), size).unwrap();
            at(1.0).distance(at(0.5))
        };
        let whole = pixels(1.0);
        assert!((pixels(0.5) - whole).abs() < 1.0 && (pixels(0.25) - whole).abs() < 1.0, "{whole}");
        assert!((whole - 0.5 * 900.0 / PICTURE_HEIGHT).abs() < 2.0, "{whole}");
    }

    #[test]
    fn the_feet_stand_on_the_point() {
        let fit = Fit { scale: 2.0, base: Vec3::new(0.5, -1.0, 0.25), height: 1.0 };
        let world = world_from_model(&fit, yaw(-1.0), Vec3::ONE, Vec3::X);
        assert!(world.transform_point3(fit.base).distance(Vec3::X) < 1e-6);
        assert!(world.transform_vector3(Vec3::Z).x < -1.5, "it looks to the left");
    }
}
