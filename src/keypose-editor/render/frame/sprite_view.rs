//! How sprites are seen: a camera without perspective that stands on one of several sides, in pixels around the origin of the model.
//! Models face +z.

use glam::{Mat3, Mat4, Vec2, Vec3};
use keypose::assets::sprite_recipe::{SpriteCamera, SpriteRecipe};

use crate::render::frame::camera::{Camera, Projection};

/// A direction in which the character looks on the screen; S is towards the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// By the compass.
    pub name: &'static str,
    /// Angle from S, counter-clockwise as seen from above.
    pub radians: f32,
    /// Whether it shows the mirror image of a model that looks to the other side.
    pub is_mirrored: bool,
}

/// The names of sixteen directions, counter-clockwise from S.
const NAMES: [&str; 16] =
    ["S", "SSE", "SE", "ESE", "E", "ENE", "NE", "NNE", "N", "NNW", "NW", "WNW", "W", "WSW", "SW", "SSW"];

/// The directions of a sheet: right for 1, right and left for 2. Four isometric ones are diagonal, along the edges of tiles.
pub fn directions(count: u32, camera: SpriteCamera) -> Vec<Direction> {
    let all: Vec<usize> = match count {
        1 => vec![4],
        2 => vec![4, 12],
        4 if camera == SpriteCamera::Isometric => vec![2, 6, 10, 14],
        4 => vec![0, 4, 8, 12],
        8 => (0..8).map(|at| 2 * at).collect(),
        _ => (0..16).collect(),
    };
    let radians = |at: usize| at as f32 * std::f32::consts::TAU / 16.0;
    let direction = |at: usize| Direction { name: NAMES[at], radians: radians(at), is_mirrored: false };
    all.into_iter().map(direction).collect()
}

/// The directions of a sheet of a recipe: those to the left are mirrored, if it says so.
pub fn directions_of(recipe: &SpriteRecipe) -> Vec<Direction> {
    let all = directions(recipe.directions, recipe.camera()).into_iter();
    if recipe.is_mirrored { all.map(Direction::mirrored).collect() } else { all.collect() }
}

impl Direction {
    /// As the mirror image of the right side, if it looks left.
    pub fn mirrored(self) -> Direction {
        Direction { is_mirrored: self.name.ends_with('W'), ..self }
    }
}

/// A view in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpriteView {
    /// Unit axes in world space: right, up and towards the eye.
    axes: [Vec3; 3],
    /// Pixels per world unit.
    scale: f32,
    /// The point at the pivot, in world space.
    origin: Vec3,
    /// Whether the model is reflected to its other side.
    is_mirrored: bool,
}

/// The part of a view that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Canvas {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The pixel corner at the origin, from the upper left. It may be outside.
    pub pivot: [i32; 2],
    /// The nearest and the farthest depth along the view, in pixels in front of the origin.
    pub depth: [f32; 2],
}

impl SpriteView {
    /// The view of a character that looks in a direction, from an angle above the ground.
    pub fn new(direction: Direction, elevation_degrees: f32, scale: f32, origin: Vec3) -> SpriteView {
        let (sin, cos) = if direction.is_mirrored { -direction.radians } else { direction.radians }.sin_cos();
        let (rise, run) = elevation_degrees.to_radians().sin_cos();
        let back = Vec3::new(-sin * run, rise, cos * run);
        let up = Vec3::new(sin * rise, run, -cos * rise);
        SpriteView { axes: [up.cross(back), up, back], scale, origin, is_mirrored: direction.is_mirrored }
    }

    /// Pixels per world unit.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Reflects a model to its other side if the view is mirrored.
    pub fn world_from_model(&self) -> Mat4 {
        let [right, ..] = self.axes;
        let reflected = |axis: Vec3| (axis - right * (2.0 * axis.dot(right))).extend(0.0);
        if self.is_mirrored {
            let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(reflected);
            return Mat4::from_cols(axes[0], axes[1], axes[2], (right * (2.0 * self.origin.dot(right))).extend(1.0));
        }
        Mat4::IDENTITY
    }

    /// A point of the model in pixels from the pivot: right, down, and towards the eye.
    pub fn place(&self, point: Vec3) -> Vec3 {
        self.place_in_world(self.world_from_model().transform_point3(point))
    }

    /// As [`SpriteView::place`], for a point that is reflected already.
    pub fn place_in_world(&self, point: Vec3) -> Vec3 {
        let [right, up, back] = self.axes.map(|axis| axis.dot(point - self.origin) * self.scale);
        Vec3::new(right, -up, back)
    }

    /// Rotates normals to right, up and towards the eye.
    pub fn view_from_world(&self) -> Mat3 {
        let [right, up, back] = self.axes;
        Mat3::from_cols(right, up, back).transpose()
    }

    /// The camera that shows a canvas.
    pub fn camera(&self, canvas: &Canvas) -> Camera {
        let [right, up, back] = self.axes;
        let size = Vec2::from(canvas.size.map(|side| side as f32));
        let pivot = Vec2::from(canvas.pivot.map(|side| side as f32));
        let aside = (size * 0.5 - pivot) / self.scale;
        let [near, far] = canvas.depth.map(|depth| depth / self.scale);
        let (middle, depth) = ((near + far) * 0.5, (near - far).max(1e-3));
        let target = self.origin + right * aside.x - up * aside.y + back * middle;
        let projection = Projection::Orthographic { height: size.y / self.scale, depth };
        Camera { eye: target + back * depth, target, up, projection }
    }

    /// Flattens a model to its shadow on the ground through the origin. The light is fixed to the camera, from above and from the left.
    pub fn shadow_from_world(&self) -> Mat4 {
        let [right, _, back] = self.axes;
        let along = -right * 0.35 + back.with_y(0.0).normalize_or_zero() * 0.2;
        let flat = Mat4::from_cols(Vec3::X.extend(0.0), (-along).extend(0.0), Vec3::Z.extend(0.0), glam::Vec4::W);
        let ground = Mat4::from_translation(self.origin.with_x(0.0).with_z(0.0));
        ground * flat * ground.inverse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_looks_where_its_direction_says() {
        let origin = Vec3::new(0.0, 0.1, 0.0);
        for camera in SpriteCamera::ALL {
            let all = directions(8, camera);
            for direction in all.iter().copied().chain(all.iter().map(|direction| direction.mirrored())) {
                let view = SpriteView::new(direction, camera.elevation_degrees(), 20.0, origin);
                let nose = view.place(origin + Vec3::Z);
                let expected = match direction.name {
                    "E" | "SE" | "NE" => 1.0,
                    "S" | "N" => 0.0,
                    _ => -1.0,
                };
                assert!(nose.x.abs() < 1e-3 && expected == 0.0 || nose.x.signum() == expected, "{direction:?} {nose}");
                let is_down = direction.name.starts_with('S') && camera != SpriteCamera::Side;
                assert!(!is_down || nose.y > 0.0, "{camera:?} {direction:?} {nose}");
            }
        }
        let [right, left] = directions(2, SpriteCamera::Side)[..] else { panic!() };
        let view = SpriteView::new(right, 0.0, 20.0, origin);
        let mirrored = SpriteView::new(left.mirrored(), 0.0, 20.0, origin);
        let hand = Vec3::new(0.3, 0.8, 0.4);
        assert!(mirrored.place(hand).distance(view.place(hand) * Vec3::new(-1.0, 1.0, 1.0)) < 1e-3);
        assert!(view.place(Vec3::new(0.0, 1.1, 0.5)).distance(Vec3::new(10.0, -20.0, 0.0)) < 1e-3);
    }

    #[test]
    fn the_camera_agrees_with_places() {
        let canvas = Canvas { size: [60, 50], pivot: [20, 45], depth: [30.0, -10.0] };
        for direction in directions(16, SpriteCamera::Side) {
            for elevation in [0.0, 30.0, 90.0] {
                let view = SpriteView::new(direction.mirrored(), elevation, 20.0, Vec3::new(0.3, 0.1, 0.0));
                for point in [Vec3::ZERO, Vec3::new(0.4, 1.0, -0.2)] {
                    let seen = view.world_from_model().transform_point3(point);
                    let pixel = view.camera(&canvas).pixel_of(seen, Vec2::new(60.0, 50.0)).unwrap();
                    let expected = view.place(point).truncate() + Vec2::new(20.0, 45.0);
                    assert!(pixel.distance(expected) < 1e-2, "{direction:?} {elevation}: {pixel} {expected}");
                }
                let shadow = view.shadow_from_world().transform_point3(Vec3::new(0.4, 1.1, -0.2));
                assert!((shadow.y - 0.1).abs() < 1e-5);
            }
        }
    }
}
