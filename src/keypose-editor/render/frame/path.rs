//! A path through space with dots on it, for motion trails, made of overlay lines and triangles.

use glam::Vec3;

use crate::render::frame::Frame;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Line, circle};

/// A point of a motion path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Position in world space.
    pub position: Vec3,
    /// Colour of the line at this point, interpolated between points.
    pub color: Color,
    /// A dot: its colour, and its radius in points of the display.
    pub dot: Option<(Color, f32)>,
}

/// Sides of a dot.
const SIDES: usize = 10;

/// Adds a path to a frame, `width` points of the display wide, and its dots over that. `height` is the image's height
/// in pixels.
pub fn draw(frame: &mut Frame, points: &[PathPoint], width: f32, height: f32) {
    let Frame { camera, overlay, pixels_per_point, .. } = frame;
    overlay.lines.extend(points.windows(2).map(|pair| {
        let ([from, to], [from_color, to_color]) =
            ([pair[0].position, pair[1].position], [pair[0].color, pair[1].color]);
        Line { from, to, from_color, to_color, width, layer: Layer::OnTop }
    }));
    let (right, up) = camera.right_and_up();
    let mut dots: Vec<(Vec3, Color, f32)> =
        points.iter().filter_map(|point| point.dot.map(|(color, radius)| (point.position, color, radius))).collect();
    // If several dots are at one position, the largest is on top.
    dots.sort_by(|a, b| a.2.total_cmp(&b.2));
    for (position, color, radius) in dots {
        let radius = radius * *pixels_per_point * camera.units_per_pixel(position, height);
        let rim = circle(position, right * radius, up * radius, SIDES);
        // Lines of a layer are over its triangles, so dots are one layer higher.
        overlay.fan(position, &rim, color, Layer::Above);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::render::frame::camera::Camera;

    #[test]
    fn a_dot_has_the_same_size_in_pixels_at_every_distance() {
        let camera = Camera::default();
        let size = Vec2::new(800.0, 600.0);
        let near = camera.eye + camera.forward() * 2.0;
        let far = camera.eye + camera.forward() * 20.0;
        for position in [near, far] {
            let mut frame = Frame { camera, pixels_per_point: 2.0, ..Frame::default() };
            let dot = Some((Color::WHITE, 5.0));
            draw(&mut frame, &[PathPoint { position, color: Color::WHITE, dot }], 2.0, size.y);
            let overlay = &frame.overlay;
            assert_eq!((overlay.lines.len(), overlay.triangles.len()), (0, SIDES));
            let pixel = |corner| camera.pixel_of(corner, size).unwrap();
            let [center, rim, _] = overlay.triangles[0].corners;
            let radius = pixel(center).distance(pixel(rim));
            assert!((radius - 10.0).abs() < 0.2, "{radius} pixels at {position}");
        }
    }
}
