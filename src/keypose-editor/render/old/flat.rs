//! Lines and triangles for OpenGL 2.1 and ES 2.0, expanded and projected on the CPU: the overlay, the grid and the background.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Line};
use crate::render::frame::{Background, Frame, Grid};
use crate::render::gl::vertex_array::{Attribute, Components};

/// A corner of a triangle in clip space.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct FlatVertex {
    position: [f32; 4],
    color: [u8; 4],
}

/// The attributes in a vertex.
pub const LAYOUT: [Attribute; 2] = [
    Attribute { location: 0, components: Components::Floats(4), offset: offset_of!(FlatVertex, position) },
    Attribute { location: 1, components: Components::UnitBytes, offset: offset_of!(FlatVertex, color) },
];

/// Lines of the grid in each direction at most.
const MAX_GRID_LINES: i32 = 100;
/// Parts of a line of the grid, each with an opacity of its own.
const GRID_PARTS: usize = 12;

/// The gradient of the background, at the far end of the scene.
pub fn background(background: &Background) -> Vec<FlatVertex> {
    let corner = |x: f32, y: f32| {
        let color = if y > 0.0 { background.top } else { background.bottom };
        FlatVertex { position: [x, y, 0.0, 1.0], color: color.to_bytes() }
    };
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| corner(x, y)).to_vec()
}

/// The triangles and then the lines of a layer.
pub fn layer(frame: &Frame, layer: Layer, clip: &Mat4, size: Vec2) -> Vec<FlatVertex> {
    let mut out = Vec::new();
    for triangle in frame.overlay.triangles.iter().filter(|triangle| triangle.layer == layer) {
        let corner = |place: Vec3| FlatVertex {
            position: (*clip * place.extend(1.0)).to_array(),
            color: triangle.color.to_bytes(),
        };
        out.extend(triangle.corners.map(corner));
    }
    for line in frame.overlay.lines.iter().filter(|line| line.layer == layer) {
        add_line(line, clip, size, frame.pixels_per_point, &mut out);
    }
    out
}

/// The lines of the ground, which fade with distance.
pub fn grid(frame: &Frame, height: f32, grid: &Grid, clip: &Mat4, size: Vec2) -> Vec<FlatVertex> {
    let mut out = Vec::new();
    let center = frame.camera.target.with_y(height);
    let count = ((grid.radius / grid.spacing.max(1e-6)) as i32).clamp(0, MAX_GRID_LINES);
    for (along, across, shift) in [(Vec3::Z, Vec3::X, grid.offset), (Vec3::X, Vec3::Z, 0.0)] {
        let middle = ((center.dot(across) - shift) / grid.spacing).round() as i32;
        for number in middle - count..=middle + count {
            let axis = grid.axes.filter(|_| number == 0).map(|axes| if along == Vec3::Z { axes[1] } else { axes[0] });
            let strength = if number % 10 == 0 { 1.0 } else { 0.5 };
            let color = axis.unwrap_or(grid.color.with_alpha(grid.color.a * strength));
            let place = across * (number as f32 * grid.spacing + shift) + along * center.dot(along) + Vec3::Y * height;
            let at = |part: usize| place + along * (part as f32 / GRID_PARTS as f32 * 2.0 - 1.0) * grid.radius;
            let faded = |place: Vec3| {
                let far = place.distance(center) / grid.radius.max(1e-6);
                color.with_alpha(color.a * (1.0 - ((far - 0.15) / 0.85).clamp(0.0, 1.0)))
            };
            for part in 0..GRID_PARTS {
                let (from, to) = (at(part), at(part + 1));
                let (from_color, to_color) = (faded(from), faded(to));
                let line = Line { from, to, from_color, to_color, width: 1.0, layer: Layer::Scene };
                add_line(&line, clip, size, frame.pixels_per_point, &mut out);
            }
        }
    }
    out
}

/// Adds a line of constant width as two triangles, cut off at the near plane.
fn add_line(line: &Line, clip: &Mat4, size: Vec2, pixels_per_point: f32, out: &mut Vec<FlatVertex>) {
    let (mut from, mut to) = (*clip * line.from.extend(1.0), *clip * line.to.extend(1.0));
    let (from_depth, to_depth) = (from.z + from.w, to.z + to.w);
    if (from_depth < 0.0 && to_depth < 0.0) || line.from_color.a.max(line.to_color.a) <= 0.0 {
        return;
    }
    let cut = from.lerp(to, ((from_depth - 1e-5) / (from_depth - to_depth)).clamp(0.0, 1.0));
    match (from_depth < 0.0, to_depth < 0.0) {
        (true, _) => from = cut,
        (_, true) => to = cut,
        _ => {}
    }
    let screen = |place: Vec4| Vec2::new(place.x, place.y) / place.w.max(1e-6) * size;
    let along = (screen(to) - screen(from)).try_normalize().unwrap_or(Vec2::X);
    let width = line.width * pixels_per_point;
    // A line thinner than a pixel is more transparent instead.
    let (half, cover) = (width.max(1.0) * 0.5, width.min(1.0));
    let side = along.perp() * half * 2.0 / size;
    let corner = |place: Vec4, sign: f32, color: Color| FlatVertex {
        position: (place + Vec4::new(side.x, side.y, 0.0, 0.0) * sign * place.w).to_array(),
        color: color.with_alpha(color.a * cover).to_bytes(),
    };
    let (a, b) = (corner(from, -1.0, line.from_color), corner(from, 1.0, line.from_color));
    let (c, d) = (corner(to, -1.0, line.to_color), corner(to, 1.0, line.to_color));
    out.extend([a, b, c, c, b, d]);
}
