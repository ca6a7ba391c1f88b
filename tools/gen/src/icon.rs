//! The icon of the program: a bone that points up, and a keyframe. Drawn once from shapes, as SVG and as PNG.

use std::fmt::Write;

use glam::Vec2;

/// Width and height of the drawing.
const SIDE: f32 = 64.0;
/// Samples per pixel of a bitmap, in each direction.
const SAMPLES: u32 = 8;

const GROUND: [u8; 3] = [35, 42, 52];
const LIT: [u8; 3] = [244, 241, 234];
const SHADED: [u8; 3] = [196, 190, 178];
const KEY: [u8; 3] = [242, 169, 59];
const KEY_SHADED: [u8; 3] = [214, 138, 30];

/// A part of the drawing; y points down.
enum Shape {
    /// A square over the whole drawing with corners of this radius.
    Ground(f32),
    Circle(Vec2, f32),
    Polygon(Vec<Vec2>),
}

impl Shape {
    fn contains(&self, at: Vec2) -> bool {
        match self {
            Shape::Ground(radius) => {
                let inner = at.clamp(Vec2::splat(*radius), Vec2::splat(SIDE - radius));
                at.distance(inner) <= *radius
            }
            Shape::Circle(center, radius) => at.distance(*center) <= *radius,
            Shape::Polygon(points) => {
                let edges = points.iter().zip(points.iter().cycle().skip(1));
                let crossed = edges.filter(|(a, b)| {
                    (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
                });
                crossed.count() % 2 == 1
            }
        }
    }

    fn svg(&self) -> String {
        match self {
            Shape::Ground(radius) => format!("<rect width=\"{SIDE}\" height=\"{SIDE}\" rx=\"{radius}\""),
            Shape::Circle(center, radius) => {
                format!("<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius}\"", center.x, center.y)
            }
            Shape::Polygon(points) => {
                let points: Vec<String> = points.iter().map(|at| format!("{:.2},{:.2}", at.x, at.y)).collect();
                format!("<polygon points=\"{}\"", points.join(" "))
            }
        }
    }
}

/// The parts, from back to front.
fn drawing() -> Vec<(Shape, [u8; 3])> {
    let (root, tip) = (Vec2::new(17.0, 49.0), Vec2::new(45.0, 15.0));
    let (along, wide) = (root.lerp(tip, 0.27), (tip - root).perp().normalize() * 9.0);
    let facet = |side: f32| Shape::Polygon(vec![root, along + wide * side, tip]);
    let (key, reach) = (Vec2::new(46.0, 46.0), 10.0);
    let (up, down) = (key - Vec2::Y * reach, key + Vec2::Y * reach);
    let half = |side: f32| Shape::Polygon(vec![up, key + Vec2::X * reach * side, down]);
    vec![
        (Shape::Ground(14.0), GROUND),
        (facet(-1.0), LIT),
        (facet(1.0), SHADED),
        (Shape::Circle(root, 5.5), LIT),
        (Shape::Circle(tip, 4.5), LIT),
        (half(-1.0), KEY),
        (half(1.0), KEY_SHADED),
    ]
}

/// The icon as a file for any size.
pub fn svg() -> Vec<u8> {
    let mut text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\">\n");
    for (shape, [red, green, blue]) in drawing() {
        let _ = writeln!(text, "  {} fill=\"#{red:02x}{green:02x}{blue:02x}\"/>", shape.svg());
    }
    text += "</svg>\n";
    text.into_bytes()
}

/// The icon as a PNG of `side` pixels, transparent around its corners.
///
/// # Errors
/// If it can't be encoded.
pub fn png(side: u32) -> Result<Vec<u8>, String> {
    let drawing = drawing();
    let pixels: Vec<u8> = (0..side * side).flat_map(|at| pixel(&drawing, at % side, at / side, side)).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Rgba);
    let failed = |error: png::EncodingError| format!("the icon: {error}");
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// The mean of a pixel's samples, not premultiplied.
fn pixel(drawing: &[(Shape, [u8; 3])], x: u32, y: u32, side: u32) -> [u8; 4] {
    let (mut sum, mut hits) = ([0; 3], 0);
    for at in 0..SAMPLES * SAMPLES {
        let sample = Vec2::new((x * SAMPLES + at % SAMPLES) as f32, (y * SAMPLES + at / SAMPLES) as f32) + 0.5;
        let place = sample * (SIDE / (side * SAMPLES) as f32);
        if let Some((_, color)) = drawing.iter().rev().find(|(shape, _)| shape.contains(place)) {
            hits += 1;
            sum.iter_mut().zip(color).for_each(|(sum, part)| *sum += u32::from(*part));
        }
    }
    let [red, green, blue] = sum.map(|sum| ((sum + hits / 2) / hits.max(1)) as u8);
    [red, green, blue, (hits * 255 / (SAMPLES * SAMPLES)) as u8]
}
