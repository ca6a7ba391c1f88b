//! A camera that mouse and fingers move around what it was framed for.

use glam::{Quat, Vec2, Vec3};

use keypose_editor::render::frame::camera::Camera;

/// The rotation per pixel, in radians.
const ORBIT_RADIANS: f32 = 0.008;
/// One notch of the wheel changes the distance by this factor.
const ZOOM_FACTOR: f32 = 0.88;
/// The nearest and the farthest distance, in distances of the framed camera.
const DISTANCES: [f32; 2] = [0.05, 20.0];
/// Maximum sine of the angle to the horizon.
const STEEPEST: f32 = 0.999;

/// Movements of the framed camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Rotation about the vertical axis, in radians.
    yaw: f32,
    /// Rotation about the camera's horizontal axis, in radians.
    pitch: f32,
    /// Factor of the distance.
    distance: f32,
    /// Movement of the target to the right and up, in distances of the framed camera.
    aside: Vec2,
}

impl Default for Orbit {
    /// The framed camera.
    fn default() -> Orbit {
        Orbit { yaw: 0.0, pitch: 0.0, distance: 1.0, aside: Vec2::ZERO }
    }
}

impl Orbit {
    /// Turns by a movement in pixels.
    pub fn turn(&mut self, pixels: Vec2) {
        self.yaw = (self.yaw - pixels.x * ORBIT_RADIANS).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pixels.y * ORBIT_RADIANS).clamp(-std::f32::consts::PI, std::f32::consts::PI);
    }

    /// Moves what is shown by pixels of a picture this many pixels high.
    pub fn pan(&mut self, pixels: Vec2, height: f32) {
        let visible = 2.0 * (Camera::FOV_Y_RADIANS / 2.0).tan() * self.distance;
        self.aside += Vec2::new(-pixels.x, pixels.y) * (visible / height.max(1.0));
    }

    /// Zooms in for positive notches.
    pub fn zoom(&mut self, notches: f32) {
        self.distance = (self.distance * ZOOM_FACTOR.powf(notches)).clamp(DISTANCES[0], DISTANCES[1]);
    }

    /// The camera, given the framed one.
    pub fn camera(&mut self, framed: Camera) -> Camera {
        let offset = framed.eye - framed.target;
        let reach = offset.length();
        let level = Vec3::Y.cross(offset).try_normalize().unwrap_or(Vec3::X);
        let now = (offset.y / reach).clamp(-1.0, 1.0).asin();
        let steepest = STEEPEST.asin();
        self.pitch = self.pitch.clamp(-steepest - now, steepest - now).clamp(-3.0, 3.0);
        if *self == Orbit::default() {
            return framed;
        }
        let turned = Quat::from_rotation_y(self.yaw) * Quat::from_axis_angle(level, -self.pitch) * offset;
        let (right, up) = Camera { eye: framed.target + turned, ..framed }.right_and_up();
        let target = framed.target + (right * self.aside.x + up * self.aside.y) * reach;
        Camera::perspective(target + turned * self.distance, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed() -> Camera {
        Camera::perspective(Vec3::new(0.0, 1.0, 5.0), Vec3::new(0.0, 1.0, 0.0))
    }

    #[test]
    fn a_drag_turns_around_the_target_and_never_over_its_top() {
        let mut orbit = Orbit::default();
        assert_eq!(orbit.camera(framed()), framed());
        orbit.turn(Vec2::new(100.0, 0.0));
        let camera = orbit.camera(framed());
        assert!(camera.eye.x < -1.0 && (camera.eye.distance(camera.target) - 5.0).abs() < 1e-3, "{camera:?}");
        for pixels in [10_000.0, -20_000.0] {
            orbit.turn(Vec2::new(0.0, pixels));
            let camera = orbit.camera(framed());
            assert!(camera.forward().y.abs() > 0.99 && camera.right_and_up().1.y > 0.0, "{camera:?}");
            assert_eq!(camera.forward().y < 0.0, pixels > 0.0, "a drag downwards looks from above");
        }
    }

    #[test]
    fn a_point_under_the_mouse_follows_it() {
        let mut orbit = Orbit::default();
        orbit.zoom(2.0);
        let size = Vec2::new(400.0, 300.0);
        let point = framed().target;
        let before = orbit.camera(framed()).pixel_of(point, size).unwrap();
        orbit.pan(Vec2::new(30.0, -20.0), size.y);
        let after = orbit.camera(framed()).pixel_of(point, size).unwrap();
        assert!((after - before - Vec2::new(30.0, -20.0)).length() < 0.1, "{before} to {after}");
    }
}
