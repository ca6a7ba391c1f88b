//! The helmet: a skull with a comb and a brow, the dark behind the slit, and a pointed visor on pivots.

use glam::DVec3;

use crate::geometry::loft::{End, circle, loft, section, section_at, slab};
use crate::geometry::part::Part;
use crate::geometry::shape::{Around, Frame, Shape};
use crate::knight::palette::{BLACK, GOLD, STEEL, STEEL_DARK, STEEL_LIGHT};
use crate::maths::{mix, sin_cos, smoothstep, turn};
use crate::rig::{Bind, Rig};

const HEAD: Bind<'_> = Bind::To("head");
/// Where the skull is widest.
const WIDEST: f64 = 1.615;
/// The crown, without the comb.
const CROWN: f64 = 1.795;
/// The upper edge of the slit.
const BROW: f64 = 1.652;
/// The lower edge of the slit.
const SLIT: f64 = 1.610;

/// The parts in the middle.
pub fn parts(rig: &Rig) -> Vec<Part> {
    [skull(rig), rig.part(dark(), BLACK, &HEAD).round(), visor(rig)].into_iter().map(worn).collect()
}

/// From the measures of this file to where the helmet sits: it is drawn a little small and high.
pub fn worn(part: Part) -> Part {
    let shape = part.shape.map(|at| DVec3::new(at.x * 1.08, 1.412 + (at.y - 1.448) * 1.08, at.z * 1.08));
    Part { shape, ..part }
}

/// The parts on the left side of the helmet.
pub fn left(rig: &Rig) -> Vec<Part> {
    let frame = Frame::at(0.140, 1.628, 0.012).turned(turn(DVec3::Z, -90.0));
    let rings = [circle(-0.004, 0.030), circle(0.010, 0.027)];
    let disc = loft(&rings, 10, [End::Open, End::Cap(0.0)]).placed(&frame);
    let rings = [circle(0.008, 0.014), circle(0.020, 0.009)];
    let stud = loft(&rings, 6, [End::Open, End::Cap(0.002)]).placed(&frame);
    let mut parts = vec![rig.part(disc, STEEL_DARK, &HEAD).round(), rig.part(stud, GOLD, &HEAD).round()];
    parts.extend([38.0, 52.0, 66.0].map(|degrees| rig.part(breath(degrees), BLACK, &HEAD).soft(-2.0)));
    parts.into_iter().map(worn).collect()
}

/// The skull's surface at an angle and a height.
fn skin(degrees: f64, y: f64) -> DVec3 {
    let (sin, cos) = sin_cos(degrees);
    let above = ((y - WIDEST) / (CROWN - WIDEST)).clamp(0.0, 1.0);
    let below = ((WIDEST - y) / 0.15).clamp(0.0, 1.2);
    let rear = smoothstep(-0.35, -0.9, sin);
    let radius = (1.0 - above * above).max(0.0).sqrt() * mix(1.0, 0.97, above) - 0.12 * below * below
        + 0.34 * rear * smoothstep(1.535, 1.450, y);
    let comb = if cos.abs() < 0.05 { 0.011 * smoothstep(1.62, 1.72, y) } else { 0.0 };
    let depth = if sin > 0.0 { 0.146 } else { 0.150 };
    DVec3::new(cos * radius * 0.136, y + comb, sin * (radius * depth + comb))
}

/// Where the skull ends: over the eyes in front, at the nape behind.
fn rim(degrees: f64) -> f64 {
    let (sin, _) = sin_cos(degrees);
    mix(1.452, BROW, smoothstep(-0.18, 0.06, sin))
}

fn skull(rig: &Rig) -> Part {
    let rows = [0.0, 0.12, 0.15, 0.40, 0.64, 0.84, 0.96];
    let last = rows.len() - 1;
    let at = |u: f64, v: f64| {
        let degrees = u * 360.0;
        let row = (v * last as f64).round() as usize;
        let lip = match row {
            0 | 1 => 0.011,
            _ => 0.0,
        };
        // Rows lie closer together towards the crown, where the surface turns.
        let point = skin(degrees, mix(rim(degrees), CROWN, rows[row]));
        let (sin, cos) = sin_cos(degrees);
        point + DVec3::new(cos, 0.0, sin) * lip
    };
    let mut shape = Shape::grid(20, last, Around::Closed, at);
    shape.cap(last * 20, 20, DVec3::Y * 0.008);
    let edge = BROW + 0.02;
    rig.part(shape.outward(), STEEL, &HEAD).painted(STEEL_LIGHT, |at| at.z > 0.04 && at.y < edge)
}

/// The dark inside that shows through the slit.
fn dark() -> Shape {
    let rings =
        [section(1.52, 0.100, 0.106, 0.104), section(1.62, 0.122, 0.132, 0.128), section(1.70, 0.100, 0.105, 0.105)];
    loft(&rings, 8, [End::Open, End::Cap(0.0)])
}

fn visor_sections() -> [crate::geometry::loft::Section; 5] {
    [
        section(1.448, 0.086, 0.092, 0.100),
        section(1.505, 0.120, 0.142, 0.100).keel(0.016),
        section(1.545, 0.134, 0.160, 0.100).keel(0.024),
        section(1.590, 0.144, 0.163, 0.100).keel(0.017),
        section(SLIT, 0.144, 0.153, 0.100).keel(0.006),
    ]
}

fn visor(rig: &Rig) -> Part {
    // Its two edges are turned in; nothing else of its inside is seen.
    let [low, .., high] = visor_sections().map(|section| section.grown(-0.012));
    let sections: Vec<_> = [low].into_iter().chain(visor_sections()).chain([high]).collect();
    let last = sections.len() - 1;
    let at = |u: f64, v: f64| {
        let degrees = mix(-24.0, 204.0, u);
        let (sin, _) = sin_cos(degrees);
        let point = sections[(v * last as f64).round() as usize].point(degrees);
        // At the sides it rises to its pivots.
        let rise = ((point.y - 1.448) / (SLIT - 1.448)).clamp(0.0, 1.0);
        point + DVec3::Y * (0.055 * rise * smoothstep(0.45, -0.1, sin))
    };
    let mut sheet = Shape::grid(14, last, Around::Open, at);
    sheet.faces.iter_mut().for_each(|face| face.reverse());
    rig.part(sheet, STEEL, &HEAD).painted(STEEL_LIGHT, |at| at.y > 1.598 && at.z > 0.05)
}

/// A slot in the visor.
fn breath(degrees: f64) -> Shape {
    let at = section_at(&visor_sections(), 1.545).point(degrees);
    let frame = Frame { origin: at, rotation: turn(DVec3::Y, 90.0 - degrees) * turn(DVec3::X, 14.0) };
    slab(DVec3::new(0.0055, 0.017, 0.004)).placed(&frame)
}
