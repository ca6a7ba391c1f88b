//! A way through space with dots on it: motion trails. Plain lines and triangles of the overlay.

use glam::{Vec2, Vec3};

use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Line, Overlay, Triangle};

/// One end of a piece of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// World space.
    pub place: Vec3,
    /// Of the line here; between two points it changes evenly.
    pub color: Color,
    /// A dot: its colour, and its radius in points of the display.
    pub dot: Option<(Color, f32)>,
}

/// Sides of a dot.
const SIDES: usize = 10;

/// Adds the way over the scene, so wide in points of the display, and its dots over that. `size` is the picture's in
/// pixels, `pixels_per_point` as the frame has it.
pub fn draw(
    overlay: &mut Overlay,
    camera: &Camera,
    points: &[PathPoint],
    width: f32,
    size: Vec2,
    pixels_per_point: f32,
) {
    overlay.lines.extend(points.windows(2).map(|pair| {
        let ([from, to], [from_color, to_color]) = ([pair[0].place, pair[1].place], [pair[0].color, pair[1].color]);
        Line { from, to, from_color, to_color, width, layer: Layer::OnTop }
    }));
    let (right, up) = camera.right_and_up();
    let mut dots: Vec<(Vec3, Color, f32)> =
        points.iter().filter_map(|point| point.dot.map(|(color, radius)| (point.place, color, radius))).collect();
    // Where several stand in one place, the largest shows.
    dots.sort_by(|a, b| a.2.total_cmp(&b.2));
    for (place, color, radius) in dots {
        let radius = radius * pixels_per_point * camera.units_per_pixel(place, size.y);
        let rim = |at: usize| {
            let (sin, cos) = (at as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            place + (right * cos + up * sin) * radius
        };
        let slice = |at: usize| {
            let corners = [place, rim(at), rim(at + 1)];
            // Lines of a layer lie over its triangles: dots lie one higher.
            Triangle { corners, color, layer: Layer::Above }
        };
        overlay.triangles.extend((0..SIDES).map(slice));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_is_as_large_on_the_screen_wherever_it_is() {
        let camera = Camera::default();
        let size = Vec2::new(800.0, 600.0);
        let near = camera.eye + camera.forward() * 2.0;
        let far = camera.eye + camera.forward() * 20.0;
        for place in [near, far] {
            let mut overlay = Overlay::default();
            let dot = Some((Color::WHITE, 5.0));
            draw(&mut overlay, &camera, &[PathPoint { place, color: Color::WHITE, dot }], 2.0, size, 2.0);
            assert_eq!((overlay.lines.len(), overlay.triangles.len()), (0, SIDES));
            let pixel = |corner| camera.pixel_of(corner, size).unwrap();
            let [center, rim, _] = overlay.triangles[0].corners;
            let radius = pixel(center).distance(pixel(rim));
            assert!((radius - 10.0).abs() < 0.2, "{radius} pixels at {place}");
        }
    }
}
