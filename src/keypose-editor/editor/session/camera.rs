//! The camera of the viewport: it orbits a point. Converts pixels to rays and points to pixels.

use glam::{Quat, Vec2, Vec3};

use crate::render::frame::camera::{Camera, Projection, Ray};
use crate::render::frame::side_view::OPEN_RADIANS;

/// Pitch stays this far from straight up and down, in radians.
const STEEPEST: f32 = std::f32::consts::FRAC_PI_2 - 0.001;
/// One notch of the wheel changes the distance by this factor.
const ZOOM_FACTOR: f32 = 0.88;
/// The rotation per pixel of mouse movement, in radians.
const ORBIT_RADIANS: f32 = 0.008;

/// The duration of one rotation of the turntable, in seconds.
pub const TURN_SECS: f32 = 10.0;

/// The point of a line nearest to a ray, in lengths of `direction`; `None` if they are parallel.
pub fn nearest_on_line(ray: &Ray, point: Vec3, direction: Vec3) -> Option<f32> {
    let cross = direction.cross(ray.direction);
    let area = cross.length_squared();
    let along = (ray.origin - point).cross(ray.direction).dot(cross) / area;
    (area > 1e-10 * direction.length_squared() && along.is_finite()).then_some(along)
}

/// A preset view direction. The model faces +z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Front,
    Back,
    Right,
    Left,
    Top,
    Bottom,
    /// The side view of the game, at its distance.
    Game,
}

/// The projection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lens {
    #[default]
    Perspective,
    Parallel,
}

impl Lens {
    /// The other lens.
    pub fn toggled(self) -> Lens {
        match self {
            Lens::Perspective => Lens::Parallel,
            Lens::Parallel => Lens::Perspective,
        }
    }
}

/// A camera that orbits a point; y is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// The orbited point, in world space.
    pub target: Vec3,
    /// Rotation about y in radians; 0 looks from +z, a quarter turn from +x.
    pub yaw: f32,
    /// Pitch in radians; positive looks down.
    pub pitch: f32,
    /// The distance from the target, in world units, greater than 0.
    pub distance: f32,
    /// The projection.
    pub lens: Lens,
}

impl Default for OrbitCamera {
    fn default() -> OrbitCamera {
        let target = Vec3::new(0.0, 1.0, 0.0);
        OrbitCamera { target, yaw: 0.6, pitch: 0.25, distance: 5.0, lens: Lens::Perspective }
    }
}

impl OrbitCamera {
    /// Whether all values are finite and in their ranges.
    pub fn is_valid(&self) -> bool {
        let is_finite = self.target.is_finite() && self.yaw.is_finite() && self.distance.is_finite();
        is_finite && self.pitch.abs() <= STEEPEST && self.distance > 0.0
    }

    /// The camera for the renderer.
    pub fn camera(&self) -> Camera {
        let perspective = Camera::perspective(self.eye(), self.target);
        let (height, depth) = (2.0 * self.half_height(), self.distance * 200.0);
        let parallel = Projection::Orthographic { height, depth };
        let projection = if self.lens == Lens::Parallel { parallel } else { perspective.projection };
        Camera { projection, ..perspective }
    }

    /// World from view.
    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// The position of the eye.
    pub fn eye(&self) -> Vec3 {
        self.target + self.rotation() * Vec3::Z * self.distance
    }

    /// The view direction, of unit length.
    pub fn forward(&self) -> Vec3 {
        self.rotation() * Vec3::NEG_Z
    }

    /// Half of the visible height at the target, in world units.
    pub fn half_height(&self) -> f32 {
        self.distance * (Camera::FOV_Y_RADIANS / 2.0).tan()
    }

    /// The ray through a pixel; (0, 0) is the top left.
    pub fn ray(&self, pixel: Vec2, viewport: Vec2) -> Ray {
        self.camera().ray_through_pixel(pixel, viewport)
    }

    /// The pixel of a point in world space; `None` behind the eye.
    pub fn pixel(&self, point: Vec3, viewport: Vec2) -> Option<Vec2> {
        self.camera().pixel_of(point, viewport)
    }

    /// The size of one pixel at a point, in world units.
    pub fn pixel_size_at(&self, point: Vec3, viewport: Vec2) -> f32 {
        self.camera().units_per_pixel(point, viewport.y)
    }

    /// Orbits the target by a mouse movement in pixels.
    pub fn orbit(&mut self, pixels: Vec2) {
        self.yaw = (self.yaw - pixels.x * ORBIT_RADIANS).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch + pixels.y * ORBIT_RADIANS).clamp(-STEEPEST, STEEPEST);
    }

    /// Orbits the target like a turntable, once in [`TURN_SECS`].
    pub fn turn(&mut self, secs: f32) {
        self.yaw = (self.yaw + secs * std::f32::consts::TAU / TURN_SECS).rem_euclid(std::f32::consts::TAU);
    }

    /// Pans with the mouse: the point under it at the target's depth stays under it.
    pub fn pan(&mut self, pixels: Vec2, viewport: Vec2) {
        let size = self.pixel_size_at(self.target, viewport);
        self.target += self.rotation() * Vec3::new(-pixels.x, pixels.y, 0.0) * size;
    }

    /// Zooms in for positive notches.
    pub fn zoom(&mut self, notches: f32) {
        self.distance = (self.distance * ZOOM_FACTOR.powf(notches)).clamp(1e-4, 1e6);
    }

    /// Sets a preset view.
    pub fn look_from(&mut self, look: Look) {
        let quarter = std::f32::consts::FRAC_PI_2;
        (self.yaw, self.pitch) = match look {
            Look::Front => (0.0, 0.0),
            Look::Back => (2.0 * quarter, 0.0),
            Look::Right => (quarter, 0.0),
            Look::Left => (3.0 * quarter, 0.0),
            // The model faces right, slightly towards the camera.
            Look::Game => (3.0 * quarter + OPEN_RADIANS, 0.0),
            Look::Top => (0.0, STEEPEST),
            Look::Bottom => (0.0, -STEEPEST),
        };
    }

    /// The view from a quarter turn away: from the right for one from the front, and the other way round.
    pub fn from_beside(&self) -> OrbitCamera {
        let quarter = std::f32::consts::FRAC_PI_2;
        let is_from_side = self.yaw.sin().abs() > std::f32::consts::FRAC_1_SQRT_2;
        OrbitCamera { yaw: self.yaw + if is_from_side { -quarter } else { quarter }, ..*self }
    }

    /// Frames a sphere, in the height and width of the viewport.
    pub fn frame(&mut self, center: Vec3, radius: f32, viewport: Vec2) {
        if center.is_finite() && radius.is_finite() {
            let slope = (Camera::FOV_Y_RADIANS / 2.0).tan() * (viewport.x / viewport.y).min(1.0);
            self.target = center;
            self.distance = (radius.max(1e-3) / slope.atan().sin() * 1.1).clamp(1e-4, 1e6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_shows_agrees_with_what_draws_it() {
        let viewport = Vec2::new(800.0, 600.0);
        for lens in [Lens::Perspective, Lens::Parallel] {
            let mut camera = OrbitCamera { lens, ..OrbitCamera::default() };
            for look in [None, Some(Look::Top), Some(Look::Bottom), Some(Look::Left)] {
                if let Some(look) = look {
                    camera.look_from(look);
                }
                let (right, up) = camera.camera().right_and_up();
                assert!(right.distance(camera.rotation() * Vec3::X) < 1e-3, "{lens:?} {look:?}");
                assert!(up.distance(camera.rotation() * Vec3::Y) < 1e-3, "{lens:?} {look:?}");
                let middle = camera.pixel(camera.target, viewport).unwrap();
                assert!(middle.distance(viewport / 2.0) < 0.1);
            }
        }
    }

    #[test]
    fn what_is_framed_is_in_the_viewport_whatever_its_shape() {
        for viewport in [Vec2::new(800.0, 600.0), Vec2::new(300.0, 900.0)] {
            let mut camera = OrbitCamera::default();
            camera.frame(Vec3::Y, 1.0, viewport);
            let (right, up) = camera.camera().right_and_up();
            for edge in [right, -right, up, -up] {
                let pixel = camera.pixel(Vec3::Y + edge, viewport).unwrap();
                assert!(pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(viewport).all(), "{viewport}: {pixel}");
            }
        }
    }

    #[test]
    fn front_and_side_are_beside_each_other() {
        let mut camera = OrbitCamera::default();
        for (look, other) in [(Look::Front, Vec3::NEG_X), (Look::Right, Vec3::NEG_Z)] {
            camera.look_from(look);
            assert!(camera.from_beside().forward().abs_diff_eq(other, 1e-6), "{look:?}");
        }
    }

    #[test]
    fn panning_keeps_the_target_under_the_mouse() {
        let viewport = Vec2::new(800.0, 600.0);
        let mut camera = OrbitCamera::default();
        let before = camera.target;
        camera.pan(Vec2::new(30.0, -20.0), viewport);
        let pixel = camera.pixel(before, viewport).unwrap();
        assert!(pixel.distance(Vec2::new(430.0, 280.0)) < 0.1, "{pixel}");
    }
}
