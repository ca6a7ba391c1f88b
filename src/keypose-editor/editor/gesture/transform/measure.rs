//! From the mouse to amounts: the offset, angle and factor of a transform since its start.

use glam::{Vec2, Vec3};

use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::transform::{AngleSource, TransformDrag};
use crate::editor::session::camera::nearest_on_line;
use crate::editor::session::pointer::Axis;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::tool::Constraint;

/// The speed of the mouse while Shift is held.
const FINE: f32 = 0.1;
/// Within this many pixels of the pivot the mouse has no direction.
const DEAD_PIXELS: f32 = 3.0;
/// A ring is seen edge-on if the cosine between its axis and the line of sight is at most this.
const EDGE_ON: f32 = 0.2;
/// An axis points at the eye if its cosine with the line of sight is at least this.
const END_ON: f32 = 0.985;
/// The pixels of the mouse that double or halve the size if it starts at the pivot.
const DOUBLING_PIXELS: f32 = 120.0;

impl TransformDrag {
    /// How the mouse rotates about an axis whose ring it drags.
    pub(super) fn angle_source_of_ring(&self, axis: Axis, screen: &Screen) -> AngleSource {
        let normal = self.axis(axis);
        let to_eye = screen.to_eye(self.pivot);
        if normal.dot(to_eye).abs() > EDGE_ON {
            return AngleSource::Ring;
        }
        // The point of the line of sight that is nearest to the ring's near side.
        let ray = screen.ray(self.start);
        let near = ray.at((self.pivot - ray.origin).dot(ray.direction));
        let arm = (near - self.pivot).reject_from(normal) + to_eye * 1e-3;
        let arm = (to_eye.reject_from(normal).normalize_or_zero() + arm).normalize_or_zero();
        let radius = near.distance(self.pivot).max(screen.units_per_pixel(self.pivot) * 40.0);
        let (from, tangent) = (self.pivot + arm * radius, normal.cross(arm) * radius);
        let step = 0.01;
        match (screen.pixel(from), screen.pixel(from + tangent * step)) {
            (Some(from), Some(to)) if (to - from).length() > 1e-3 => AngleSource::Tangent((to - from) / step),
            _ => AngleSource::Screen,
        }
    }

    /// Measures the whole way of the mouse since the start.
    pub(super) fn moved(&mut self, pixel: Vec2, held: Modifiers, screen: &Screen) {
        let before = self.steered;
        self.steered += (pixel - self.last) * if held.shift { FINE } else { 1.0 };
        self.last = pixel;
        self.snaps = held.ctrl;
        self.rotated += self.angle_between(before, self.steered, screen);
        self.measure(screen);
    }

    /// Measures offset and factor again, after the mouse or the constraint changed.
    pub(super) fn measure(&mut self, screen: &Screen) {
        self.offset = self.measured_offset(screen);
        self.factor = self.measured_factor(screen);
    }

    /// The angle of the mouse's way between two pixels, in radians.
    fn angle_between(&self, before: Vec2, after: Vec2, screen: &Screen) -> f64 {
        match (self.angle_source, self.constraint) {
            (AngleSource::Tangent(per_radian), _) => {
                f64::from((after - before).dot(per_radian) / per_radian.length_squared().max(1e-9))
            }
            (AngleSource::Ring, Constraint::Axis(axis)) => self.angle_on_ring(axis, before, after, screen),
            (AngleSource::Ring, Constraint::Free | Constraint::Plane(_)) | (AngleSource::Screen, _) => {
                self.angle_on_screen(before, after, screen)
            }
        }
    }

    fn angle_on_ring(&self, axis: Axis, before: Vec2, after: Vec2, screen: &Screen) -> f64 {
        let normal = self.axis(axis);
        let arm = |pixel| Some((screen.on_plane(pixel, self.pivot, normal)? - self.pivot).as_dvec3());
        let (Some(from), Some(to)) = (arm(before), arm(after)) else { return 0.0 };
        f64::atan2(from.cross(to).dot(normal.as_dvec3()), from.dot(to))
    }

    fn angle_on_screen(&self, before: Vec2, after: Vec2, screen: &Screen) -> f64 {
        let Some(pivot) = screen.pixel(self.pivot) else { return 0.0 };
        let (from, to) = ((before - pivot).as_dvec2(), (after - pivot).as_dvec2());
        if from.length().min(to.length()) < f64::from(DEAD_PIXELS) {
            return 0.0;
        }
        // The y of pixels points down, so this is positive counter-clockwise on the screen.
        f64::atan2(to.x * from.y - to.y * from.x, from.dot(to))
    }

    fn measured_offset(&self, screen: &Screen) -> Vec3 {
        let on_plane = |normal: Vec3| {
            let hit = |pixel| screen.on_plane(pixel, self.pivot, normal);
            Some(hit(self.steered)? - hit(self.start)?)
        };
        let free = on_plane(screen.camera.forward()).unwrap_or_default();
        match self.constraint {
            Constraint::Free => free,
            Constraint::Axis(axis) => self.offset_along(self.axis(axis), screen),
            Constraint::Plane(axis) => {
                let normal = self.axis(axis);
                let is_seen = normal.dot(screen.to_eye(self.pivot)).abs() > 0.1;
                on_plane(normal).filter(|_| is_seen).unwrap_or_else(|| free.reject_from(normal))
            }
        }
    }

    fn offset_along(&self, axis: Vec3, screen: &Screen) -> Vec3 {
        let along = |pixel| nearest_on_line(&screen.ray(pixel), self.pivot, axis);
        let is_seen = axis.dot(screen.to_eye(self.pivot)).abs() < END_ON;
        let amount = match (along(self.start), along(self.steered)) {
            (Some(from), Some(to)) if is_seen => to - from,
            // An axis that points at the eye has no length on the screen: up and down move along it.
            _ => (self.start.y - self.steered.y) * screen.units_per_pixel(self.pivot),
        };
        axis * amount
    }

    fn measured_factor(&self, screen: &Screen) -> f32 {
        let pivot = screen.pixel(self.pivot).unwrap_or(self.start);
        let (from, to) = (self.start - pivot, self.steered - pivot);
        if from.length() > 6.0 * DEAD_PIXELS {
            // The mouse never makes the factor negative; a mirrored bone can be typed.
            return (to.dot(from) / from.length_squared()).max(0.01);
        }
        let way = self.steered - self.start;
        2.0_f32.powf((way.x - way.y) / DOUBLING_PIXELS)
    }
}
