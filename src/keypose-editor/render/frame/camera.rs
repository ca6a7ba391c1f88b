//! The camera: position, projection, and the conversions between world, clip space and pixels.

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::render::frame::bounds::Aabb;

/// How a camera projects depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Size decreases with distance. There is no far plane.
    Perspective {
        /// The full vertical angle of view in radians, in 0..π.
        fov_y_radians: f32,
        /// Distance of the near plane, greater than zero.
        near: f32,
    },
    /// Size is independent of distance.
    Orthographic {
        /// Height of the visible region in world units, greater than zero.
        height: f32,
        /// Depth of the visible region in world units, centred at the target.
        depth: f32,
    },
}

/// A camera. It looks along −z of its own space, with x to the right and y up (GL's view space).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position in world space.
    pub eye: Vec3,
    /// The point at the centre of the image; not equal to the eye.
    pub target: Vec3,
    /// The up direction; not parallel to the view direction.
    pub up: Vec3,
    pub projection: Projection,
}

/// A half-line in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The start.
    pub origin: Vec3,
    /// Unit length.
    pub direction: Vec3,
}

impl Ray {
    /// The point at a distance.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }

    /// The distance at which it meets a plane, or `None` if it is parallel to the plane or points away from it.
    pub fn hit_plane(&self, point: Vec3, normal: Vec3) -> Option<f32> {
        let approach = self.direction.dot(normal);
        let distance = (point - self.origin).dot(normal) / approach;
        (approach.abs() > 1e-6 && distance >= 0.0).then_some(distance)
    }
}

impl Default for Camera {
    /// From the front (+z), at a distance of 5 units, at chest height.
    fn default() -> Camera {
        Camera::perspective(Vec3::new(0.0, 1.2, 5.0), Vec3::new(0.0, 0.9, 0.0))
    }
}

impl Camera {
    /// The default vertical angle of view: 35°, like a portrait lens.
    pub const FOV_Y_RADIANS: f32 = 0.61;

    /// A perspective camera with y up and the near plane at 1/100 of the target's distance.
    pub fn perspective(eye: Vec3, target: Vec3) -> Camera {
        let near = (eye.distance(target) * 0.01).max(1e-4);
        let projection = Projection::Perspective { fov_y_radians: Camera::FOV_Y_RADIANS, near };
        Camera { eye, target, up: Vec3::Y, projection }
    }

    /// The nearest camera in direction `from` that shows all points at an aspect ratio (width over height). `margin` is
    /// the fraction of the image that stays free around them (0.1 is a tenth).
    pub fn framing(points: &[Vec3], from: Vec3, aspect: f32, margin: f32) -> Camera {
        let from = from.try_normalize().unwrap_or(Vec3::Z);
        let middle = Aabb::of(points.iter().copied()).center();
        let view = Camera::perspective(middle + from, middle).view_from_world();
        let slope_y = (Camera::FOV_Y_RADIANS * 0.5).tan() * (1.0 - margin);
        let slopes = Vec2::new(slope_y * aspect, slope_y);
        // From an eye at (e, d) beside and in front of the centre, a point at (x, z) is visible if x − e ≤ s·(d − z)
        // and
        // e − x ≤ s·(d − z). So d and e follow from the largest x + s·z and −x + s·z, for height as for width.
        let (mut high, mut low, mut front) = (Vec2::NEG_INFINITY, Vec2::NEG_INFINITY, 0.0_f32);
        for point in points.iter().filter(|point| point.is_finite()) {
            let offset = view.transform_vector3(point - middle);
            (high, low) =
                (high.max(offset.truncate() + slopes * offset.z), low.max(slopes * offset.z - offset.truncate()));
            front = front.max(offset.z);
        }
        let (aside, needed) = ((high - low) * 0.5, (high + low) * 0.5 / slopes);
        let distance = needed.max_element().max(front + 1e-3).max(1e-3);
        let (aside, distance) =
            if aside.is_finite() && distance.is_finite() { (aside, distance) } else { (Vec2::ZERO, 1.0) };
        let target = middle + view.row(0).truncate() * aside.x + view.row(1).truncate() * aside.y;
        Camera::perspective(target + from * distance, target)
    }

    /// View space (x right, y up, looking along −z) from world space.
    pub fn view_from_world(&self) -> Mat4 {
        let forward = (self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z);
        let up =
            if forward.cross(self.up).length_squared() > 1e-8 { self.up } else { forward.any_orthonormal_vector() };
        let right = forward.cross(up).normalize();
        look(self.eye, right, right.cross(forward), -forward)
    }

    /// GL clip space (depth −1 to 1) from view space, for an aspect ratio (width over height).
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        match self.projection {
            Projection::Perspective { fov_y_radians, near } => {
                let y = 1.0 / (fov_y_radians * 0.5).tan();
                // The limit of the usual matrix for a far plane at infinity (Lengyel, "Projection Matrix Tricks").
                let columns = [Vec4::X * (y / aspect), Vec4::Y * y, -Vec4::Z - Vec4::W, Vec4::Z * (-2.0 * near)];
                Mat4::from_cols(columns[0], columns[1], columns[2], columns[3])
            }
            Projection::Orthographic { height, depth } => {
                // View z of the target is −middle, in the middle of the depth range.
                let middle = self.eye.distance(self.target);
                let scale = Vec3::new(2.0 / (height * aspect), 2.0 / height, -2.0 / depth);
                Mat4::from_scale(scale) * Mat4::from_translation(Vec3::Z * middle)
            }
        }
    }

    /// GL clip space from world space, for an aspect ratio (width over height).
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    /// The unit vector along the view direction.
    pub fn forward(&self) -> Vec3 {
        (self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z)
    }

    /// The unit vectors to the right and up, in world space.
    pub fn right_and_up(&self) -> (Vec3, Vec3) {
        let view = self.view_from_world();
        (view.row(0).truncate(), view.row(1).truncate())
    }

    /// The unit vector from a world point towards the eye.
    pub fn to_eye(&self, point: Vec3) -> Vec3 {
        match self.projection {
            Projection::Perspective { .. } => (self.eye - point).try_normalize().unwrap_or(-self.forward()),
            Projection::Orthographic { .. } => -self.forward(),
        }
    }

    /// The ray through a point of the image: `ndc` is (−1, −1) at the lower left and (1, 1) at the upper right.
    pub fn ray_in_world(&self, ndc: Vec2, aspect: f32) -> Ray {
        let (right, up) = self.right_and_up();
        match self.projection {
            Projection::Perspective { fov_y_radians, .. } => {
                let slope = (fov_y_radians * 0.5).tan();
                let direction = self.forward() + right * (ndc.x * slope * aspect) + up * (ndc.y * slope);
                Ray { origin: self.eye, direction: direction.normalize() }
            }
            Projection::Orthographic { height, depth } => {
                let across = right * (ndc.x * height * aspect * 0.5) + up * (ndc.y * height * 0.5);
                let origin = self.target + across - self.forward() * (depth * 0.5);
                Ray { origin, direction: self.forward() }
            }
        }
    }

    /// The ray through a pixel of an image of `size` pixels. (0, 0) is the upper left corner.
    pub fn ray_through_pixel(&self, pixel: Vec2, size: Vec2) -> Ray {
        let ndc = Vec2::new(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0);
        self.ray_in_world(ndc, size.x / size.y)
    }

    /// The position of a world point in an image of `size` pixels, with (0, 0) at the upper left. `None` if it is
    /// behind the near plane.
    pub fn pixel_of(&self, point: Vec3, size: Vec2) -> Option<Vec2> {
        let clip = self.clip_from_world(size.x / size.y) * point.extend(1.0);
        (clip.w > 0.0 && clip.z > -clip.w).then(|| {
            let ndc = Vec2::new(clip.x, clip.y) / clip.w;
            Vec2::new(ndc.x + 1.0, 1.0 - ndc.y) * 0.5 * size
        })
    }

    /// World units per pixel at a world point, in an image `height` pixels high.
    pub fn units_per_pixel(&self, point: Vec3, height: f32) -> f32 {
        match self.projection {
            Projection::Perspective { fov_y_radians, near } => {
                let distance = (point - self.eye).dot(self.forward()).max(near);
                2.0 * distance * (fov_y_radians * 0.5).tan() / height
            }
            Projection::Orthographic { height: world, .. } => world / height,
        }
    }
}

/// The rigid transform into a space with these axes (orthonormal, right-handed) and this origin.
pub fn look(origin: Vec3, right: Vec3, up: Vec3, back: Vec3) -> Mat4 {
    let row = |axis: Vec3| axis.extend(-axis.dot(origin));
    Mat4::from_cols(row(right), row(up), row(back), Vec4::W).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cameras() -> [Camera; 3] {
        let perspective = Camera::perspective(Vec3::new(3.0, 2.0, 5.0), Vec3::new(0.5, 1.0, 0.0));
        let projection = Projection::Orthographic { height: 4.0, depth: 100.0 };
        let above = Camera { up: Vec3::Y, ..Camera::perspective(Vec3::new(0.0, 9.0, 0.0), Vec3::ZERO) };
        [perspective, Camera { projection, ..perspective }, above]
    }

    #[test]
    fn a_ray_goes_through_the_point_that_its_pixel_shows() {
        let size = Vec2::new(640.0, 360.0);
        for camera in cameras() {
            for point in [Vec3::ZERO, Vec3::new(0.3, 0.9, -0.4), Vec3::new(-0.5, 0.2, 0.7)] {
                let pixel = camera.pixel_of(point, size).unwrap();
                let ray = camera.ray_through_pixel(pixel, size);
                let off = (point - ray.origin).cross(ray.direction).length();
                assert!(off < 1e-4, "{off} from {point}");
            }
            let middle = camera.pixel_of(camera.target, size).unwrap();
            assert!(middle.distance(size * 0.5) < 1e-2);
        }
    }

    #[test]
    fn a_pixel_covers_its_units() {
        let size = Vec2::new(640.0, 360.0);
        for camera in cameras() {
            let (right, _) = camera.right_and_up();
            let unit = camera.units_per_pixel(camera.target, size.y);
            let pixel = camera.pixel_of(camera.target + right * unit * 10.0, size).unwrap();
            assert!((pixel.x - 330.0).abs() < 0.01, "{pixel}");
        }
    }

    #[test]
    fn a_point_behind_the_eye_has_no_pixel() {
        let camera = Camera::default();
        assert_eq!(camera.pixel_of(camera.eye + Vec3::Z, Vec2::splat(100.0)), None);
    }

    #[test]
    fn framing_shows_every_corner() {
        let bounds = Aabb { min: Vec3::new(-1.0, 0.0, -0.3), max: Vec3::new(0.5, 1.8, 0.4) };
        for from in [Vec3::Z, Vec3::X, Vec3::new(1.0, 0.5, 1.0)] {
            for size in [Vec2::new(480.0, 480.0), Vec2::new(300.0, 900.0), Vec2::new(900.0, 300.0)] {
                let camera = Camera::framing(&bounds.corners(), from, size.x / size.y, 0.1);
                let pixels = bounds.corners().map(|corner| camera.pixel_of(corner, size).unwrap());
                let ndc = pixels.map(|pixel| pixel / size * 2.0 - 1.0);
                let (low, high) =
                    (ndc.into_iter().reduce(Vec2::min).unwrap(), ndc.into_iter().reduce(Vec2::max).unwrap());
                // One dimension is filled to the margin on both sides; the other fits, nearly centred.
                let (size, off) = ((high - low) * 0.5, (high + low) * 0.5);
                assert!((size.max_element() - 0.9).abs() < 1e-3, "{from}: {low} {high}");
                assert!(off.abs().min_element() < 1e-3 && off.abs().max_element() < 0.05, "{from}: {low} {high}");
            }
        }
    }

    #[test]
    fn framing_no_points_gives_a_valid_camera() {
        for points in [&[][..], &[Vec3::NAN], &[Vec3::ONE]] {
            let camera = Camera::framing(points, Vec3::Z, 1.0, 0.1);
            assert!(camera.eye.is_finite() && camera.eye != camera.target);
        }
    }
}
