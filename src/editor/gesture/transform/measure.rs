//! From the mouse to amounts: how far a transform goes, turns and scales since its start.

use glam::{Vec2, Vec3};

use crate::editor::gesture::transform::{Transforming, Turning};
use crate::editor::session::camera::nearest_on_line;
use crate::editor::session::pointer::Axis;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::tool::Constraint;
use crate::render::frame::camera::Camera;

/// Shift makes the mouse this much slower.
const FINE: f32 = 0.1;
/// Nearer to the pivot than this many pixels the mouse has no direction.
const DEAD_PIXELS: f32 = 3.0;
/// A ring whose axis lies further than this off the line of sight (as a cosine) is turned along its tangent.
const EDGE_ON: f32 = 0.2;

impl Transforming {
    /// A ring that is seen well enough is turned by its own plane, one that is seen from its edge along its tangent.
    pub(super) fn turning_of_ring(&self, axis: Axis, camera: &Camera, size: Vec2) -> Turning {
        let normal = self.axis(axis);
        if normal.dot(camera.to_eye(self.pivot)).abs() > EDGE_ON {
            return Turning::Ring;
        }
        // The point of the line of sight that is nearest to the ring's near side.
        let ray = camera.ray_through_pixel(self.start, size);
        let near = ray.at((self.pivot - ray.origin).dot(ray.direction));
        let arm = (near - self.pivot).reject_from(normal) + camera.to_eye(self.pivot) * 1e-3;
        let arm = (camera.to_eye(self.pivot).reject_from(normal).normalize_or_zero() + arm).normalize_or_zero();
        let radius = near.distance(self.pivot).max(camera.units_per_pixel(self.pivot, size.y) * 40.0);
        let (from, tangent) = (self.pivot + arm * radius, normal.cross(arm) * radius);
        let step = 0.01;
        let ends = (camera.pixel_of(from, size), camera.pixel_of(from + tangent * step, size));
        match ends {
            (Some(from), Some(to)) if (to - from).length() > 1e-3 => Turning::Tangent((to - from) / step),
            _ => Turning::Screen,
        }
    }

    /// The mouse moved: measures the whole way since the start.
    pub fn moved(&mut self, pixel: Vec2, held: Modifiers, camera: &Camera, size: Vec2) {
        let before = self.steered;
        self.steered += (pixel - self.last) * if held.shift { FINE } else { 1.0 };
        self.last = pixel;
        self.snaps = held.ctrl;
        self.turned += self.turn_between(before, self.steered, camera, size);
        self.measure(camera, size);
    }

    /// Measures offset and factor again: after the mouse or the constraint changed.
    pub fn measure(&mut self, camera: &Camera, size: Vec2) {
        self.offset = self.measured_offset(camera, size);
        self.factor = self.measured_factor(camera, size);
    }

    fn turn_between(&self, before: Vec2, after: Vec2, camera: &Camera, size: Vec2) -> f64 {
        match (self.turning, self.constraint) {
            (Turning::Tangent(per_radian), _) => {
                f64::from((after - before).dot(per_radian) / per_radian.length_squared().max(1e-9))
            }
            (Turning::Ring, Constraint::Axis(axis)) => {
                let normal = self.axis(axis);
                let arm = |pixel| {
                    let ray = camera.ray_through_pixel(pixel, size);
                    ray.hit_plane(self.pivot, normal).map(|distance| (ray.at(distance) - self.pivot).as_dvec3())
                };
                let (Some(from), Some(to)) = (arm(before), arm(after)) else { return 0.0 };
                f64::atan2(from.cross(to).dot(normal.as_dvec3()), from.dot(to))
            }
            _ => {
                let Some(pivot) = camera.pixel_of(self.pivot, size) else { return 0.0 };
                let (from, to) = ((before - pivot).as_dvec2(), (after - pivot).as_dvec2());
                if from.length().min(to.length()) < f64::from(DEAD_PIXELS) {
                    return 0.0;
                }
                // The pixel's y points down, so this counts counter-clockwise as one sees it.
                f64::atan2(to.x * from.y - to.y * from.x, from.dot(to))
            }
        }
    }

    fn measured_offset(&self, camera: &Camera, size: Vec2) -> Vec3 {
        let on_plane = |normal: Vec3| {
            let hit = |pixel| {
                let ray = camera.ray_through_pixel(pixel, size);
                ray.hit_plane(self.pivot, normal).map(|distance| ray.at(distance))
            };
            Some(hit(self.steered)? - hit(self.start)?)
        };
        let to_eye = camera.to_eye(self.pivot);
        let free = on_plane(camera.forward()).unwrap_or_default();
        match self.constraint {
            Constraint::Free => free,
            Constraint::Axis(axis) => {
                let axis = self.axis(axis);
                let along = |pixel| nearest_on_line(&camera.ray_through_pixel(pixel, size), self.pivot, axis);
                // Seen from its end an axis has no length on the screen: up and down stand for it.
                let is_seen = axis.dot(to_eye).abs() < 0.985;
                let amount = match (along(self.start), along(self.steered)) {
                    (Some(from), Some(to)) if is_seen => to - from,
                    _ => (self.start.y - self.steered.y) * camera.units_per_pixel(self.pivot, size.y),
                };
                axis * amount
            }
            Constraint::Plane(axis) => {
                let normal = self.axis(axis);
                let is_seen = normal.dot(to_eye).abs() > 0.1;
                on_plane(normal).filter(|_| is_seen).unwrap_or_else(|| free.reject_from(normal))
            }
        }
    }

    fn measured_factor(&self, camera: &Camera, size: Vec2) -> f32 {
        let pivot = camera.pixel_of(self.pivot, size).unwrap_or(self.start);
        let (from, to) = (self.start - pivot, self.steered - pivot);
        if from.length() > 6.0 * DEAD_PIXELS {
            // Through the pivot and beyond it does not turn inside out: mirrored bones are typed.
            return (to.dot(from) / from.length_squared()).max(0.01);
        }
        let way = self.steered - self.start;
        2.0_f32.powf((way.x - way.y) / 120.0)
    }
}
