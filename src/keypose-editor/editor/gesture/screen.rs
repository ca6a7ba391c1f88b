//! The viewport's camera with its size: between points of the model and pixels.

use glam::{Vec2, Vec3};

use crate::editor::session::Session;
use crate::render::frame::camera::{Camera, Ray};

/// A camera and the size of the viewport that it fills.
#[derive(Clone, Debug)]
pub struct Screen {
    /// The viewport's camera.
    pub camera: Camera,
    /// Width and height in pixels.
    pub size: Vec2,
}

impl Screen {
    /// The viewport of a session.
    pub fn of(session: &Session) -> Screen {
        Screen { camera: session.focus.camera.camera(), size: session.workspace.viewport }
    }

    /// The pixel of a point; `None` behind the camera.
    pub fn pixel(&self, point: Vec3) -> Option<Vec2> {
        self.camera.pixel_of(point, self.size)
    }

    /// The place nearest to a pixel, of those within `reach` pixels of it.
    pub fn nearest<T>(&self, places: impl Iterator<Item = (T, Vec3)>, pixel: Vec2, reach: f32) -> Option<T> {
        let near = places.filter_map(|(what, place)| Some((self.pixel(place)?.distance(pixel), what)));
        let near = near.filter(|(pixels, _)| *pixels <= reach);
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, what)| what)
    }

    /// The ray through a pixel.
    pub fn ray(&self, pixel: Vec2) -> Ray {
        self.camera.ray_through_pixel(pixel, self.size)
    }

    /// The point of a plane under a pixel; `None` if its ray does not hit the plane.
    pub fn on_plane(&self, pixel: Vec2, point: Vec3, normal: Vec3) -> Option<Vec3> {
        let ray = self.ray(pixel);
        ray.hit_plane(point, normal).map(|distance| ray.at(distance))
    }

    /// The point under a pixel that is as far from the viewer as another point.
    pub fn in_view_plane(&self, pixel: Vec2, point: Vec3) -> Option<Vec3> {
        self.on_plane(pixel, point, self.camera.forward())
    }

    /// World units per pixel at the depth of a point.
    pub fn units_per_pixel(&self, point: Vec3) -> f32 {
        self.camera.units_per_pixel(point, self.size.y)
    }

    /// The unit direction from a point to the eye.
    pub fn to_eye(&self, point: Vec3) -> Vec3 {
        self.camera.to_eye(point)
    }
}
