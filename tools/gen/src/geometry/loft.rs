//! Surfaces through cross-sections: limbs, plates and shells along the y axis of a frame, tubes along a path.

use glam::DVec3;

use crate::geometry::shape::{Around, Shape};
use crate::maths::{mix, sin_cos};

/// A cross-section at a height: half widths to the sides (x), to the front (+z) and to the back (−z).
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Height above the ground.
    pub y: f64,
    /// x of the middle.
    pub x: f64,
    /// z of the middle.
    pub z: f64,
    /// Half its width.
    pub side: f64,
    /// How far it reaches forwards.
    pub front: f64,
    /// How far it reaches back.
    pub back: f64,
    /// 0 is an ellipse, 1 a rounded rectangle.
    pub square: f64,
    /// How far the middle of the front is drawn out into a ridge.
    pub keel: f64,
}

/// An ellipse about the axis.
pub fn section(y: f64, side: f64, front: f64, back: f64) -> Section {
    Section { y, x: 0.0, z: 0.0, side, front, back, square: 0.0, keel: 0.0 }
}

/// A circle about the axis.
pub fn circle(y: f64, radius: f64) -> Section {
    section(y, radius, radius, radius)
}

impl Section {
    /// Moves the middle.
    pub fn at(self, x: f64, z: f64) -> Section {
        Section { x, z, ..self }
    }

    /// With corners.
    pub fn square(self, square: f64) -> Section {
        Section { square, ..self }
    }

    /// With a ridge in front.
    pub fn keel(self, keel: f64) -> Section {
        Section { keel, ..self }
    }

    /// Larger by a margin on every side.
    pub fn grown(self, by: f64) -> Section {
        Section { side: self.side + by, front: self.front + by, back: self.back + by, ..self }
    }

    /// The point at an angle in degrees: 0 is +x, 90 the front, 180 −x.
    pub fn point(&self, degrees: f64) -> DVec3 {
        let (sin, cos) = sin_cos(degrees);
        let (s2, c2) = (sin * sin, cos * cos);
        let corner = 1.0 / (s2 * s2 + c2 * c2).sqrt().sqrt();
        let radius = mix(1.0, corner, self.square);
        let depth = if sin > 0.0 { self.front } else { self.back };
        let ridge = if sin > 0.0 { self.keel * s2 * s2 * s2 } else { 0.0 };
        DVec3::new(self.x + cos * radius * self.side, self.y, self.z + sin * radius * depth + ridge)
    }

    /// Between two sections.
    fn mix(&self, other: &Section, t: f64) -> Section {
        Section {
            y: mix(self.y, other.y, t),
            x: mix(self.x, other.x, t),
            z: mix(self.z, other.z, t),
            side: mix(self.side, other.side, t),
            front: mix(self.front, other.front, t),
            back: mix(self.back, other.back, t),
            square: mix(self.square, other.square, t),
            keel: mix(self.keel, other.keel, t),
        }
    }
}

/// The section at a height between sections that are sorted by height, rising or falling.
pub fn section_at(sections: &[Section], y: f64) -> Section {
    let rising = sections[sections.len() - 1].y > sections[0].y;
    let above = |section: &Section| if rising { section.y >= y } else { section.y <= y };
    match sections.iter().position(above) {
        Some(0) => sections[0],
        Some(at) => {
            let (a, b) = (&sections[at - 1], &sections[at]);
            a.mix(b, (y - a.y) / (b.y - a.y))
        }
        None => sections[sections.len() - 1],
    }
}

/// Cuts a row of sections into overlapping plates: each one's end stands out by `step` over the beginning of the next.
pub fn lames(sections: &[Section], cuts: &[f64], step: f64) -> Vec<Section> {
    let sign = (sections[sections.len() - 1].y - sections[0].y).signum();
    let mut out: Vec<Section> = Vec::new();
    let mut ends = cuts.to_vec();
    ends.push(sections[sections.len() - 1].y);
    let mut start = sections[0].y;
    for (index, &end) in ends.iter().enumerate() {
        let inside = |section: &&Section| (section.y - start) * sign > 1e-6 && (end - section.y) * sign > 1e-6;
        let lift = |y: f64| step * ((y - start) / (end - start)).clamp(0.0, 1.0);
        out.push(section_at(sections, start).grown(if index == 0 { 0.0 } else { -0.2 * step }));
        out.extend(sections.iter().filter(inside).map(|section| section.grown(lift(section.y))));
        out.push(section_at(sections, end).grown(step));
        start = end;
    }
    let last = out[out.len() - 1];
    out.push(last.grown(-step * 1.5));
    out
}

/// How the ends of a loft close: left open, or with a fan whose middle is pushed out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// Nothing is there.
    Open,
    /// A fan, its middle this far beyond the last section along y.
    Cap(f64),
}

/// A closed surface with `sides` points around each section.
pub fn loft(sections: &[Section], sides: usize, ends: [End; 2]) -> Shape {
    let rows = sections.len() - 1;
    let at = |u: f64, v: f64| sections[(v * rows as f64).round() as usize].point(u * 360.0);
    let mut shape = Shape::grid(sides, rows, Around::Closed, at);
    let up = if sections[rows].y > sections[0].y { 1.0 } else { -1.0 };
    if let End::Cap(push) = ends[0] {
        shape.cap(0, sides, DVec3::Y * (-push * up));
    }
    if let End::Cap(push) = ends[1] {
        shape.cap(rows * sides, sides, DVec3::Y * (push * up));
    }
    shape.outward()
}

/// The part of a loft between two angles, seen from outside only.
pub fn sheet(sections: &[Section], angles: [f64; 2], columns: usize) -> Shape {
    let rows = sections.len() - 1;
    let at = |u: f64, v: f64| sections[(v * rows as f64).round() as usize].point(mix(angles[0], angles[1], u));
    outwards(Shape::grid(columns, rows, Around::Open, at))
}

/// A ring around a loft that stays at its surface: a band, a belt, a rim.
pub fn band(sections: &[Section], y: [f64; 2], grow: f64, sides: usize) -> Shape {
    let [low, high] = y.map(|y| section_at(sections, y));
    let bevel = (y[1] - y[0]) * 0.2;
    let rings = [
        low.grown(-0.004),
        Section { y: y[0] + bevel, ..low.grown(grow) },
        Section { y: y[1] - bevel, ..high.grown(grow) },
        high.grown(-0.004),
    ];
    loft(&rings, sides, [End::Open, End::Open])
}

/// A thin ring around a loft: a seam or a rim, round to the outside.
pub fn cord(sections: &[Section], y: [f64; 2], grow: f64, sides: usize) -> Shape {
    let [low, high] = y.map(|y| section_at(sections, y));
    let middle = section_at(sections, (y[0] + y[1]) / 2.0).grown(grow);
    loft(&[low.grown(-0.004), middle, high.grown(-0.004)], sides, [End::Open, End::Open])
}

/// Thickens a sheet to the side that lies away from its normals once they point away from its middle's axis.
pub fn thick(sheet: Shape, thickness: f64) -> Shape {
    outwards(sheet).thickened(thickness)
}

/// Reverses the faces of a sheet if they look to the axis of its middle.
fn outwards(mut sheet: Shape) -> Shape {
    let middle = sheet.points.iter().sum::<DVec3>() / sheet.points.len() as f64;
    let axis = DVec3::new(0.0, middle.y, 0.0);
    let outward = |face: &Vec<usize>| sheet.face_normal(face).dot(sheet.points[face[0]] - axis);
    if sheet.faces.iter().map(outward).sum::<f64>() < 0.0 {
        sheet.faces.iter_mut().for_each(|face| face.reverse());
    }
    sheet
}

/// A node of a tube: a place, and half widths across (towards `side`) and through.
pub type Node = (DVec3, f64, f64);

/// A tube along a path with elliptical sections of `sides` points, closed at both ends; `side` is its width's direction.
pub fn tube(nodes: &[Node], side: DVec3, sides: usize, bulge: f64) -> Shape {
    let last = nodes.len() - 1;
    let ring = |at: usize, u: f64| {
        let (middle, across, through) = nodes[at];
        let along = (nodes[(at + 1).min(last)].0 - nodes[at.saturating_sub(1)].0).normalize();
        let deep = side.cross(along).normalize();
        let wide = along.cross(deep);
        let (sin, cos) = sin_cos(u * 360.0);
        middle + wide * (cos * across) + deep * (sin * through)
    };
    let at = |u: f64, v: f64| ring((v * last as f64).round() as usize, u);
    let mut shape = Shape::grid(sides, last, Around::Closed, at);
    let ends = [(nodes[0].0 - nodes[1].0).normalize(), (nodes[last].0 - nodes[last - 1].0).normalize()];
    shape.cap(0, sides, ends[0] * bulge);
    shape.cap(last * sides, sides, ends[1] * bulge);
    shape.outward()
}

/// A rounded block: half sizes, and how much of its edges is cut off.
pub fn block(half: DVec3, bevel: f64) -> Shape {
    let inner = |y: f64| section(y, half.x - bevel, half.z - bevel, half.z - bevel).square(0.8);
    let outer = |y: f64| section(y, half.x, half.z, half.z).square(0.8);
    let rings = [inner(-half.y), outer(bevel - half.y), outer(half.y - bevel), inner(half.y)];
    loft(&rings, 8, [End::Cap(0.0), End::Cap(0.0)])
}

/// A plain block with sharp edges.
pub fn slab(half: DVec3) -> Shape {
    let corner = |at: usize| {
        let sign = |bit: usize| if at & bit == 0 { -1.0 } else { 1.0 };
        DVec3::new(sign(1), sign(2), sign(4)) * half
    };
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Shape { points: (0..8).map(corner).collect(), faces: faces.map(Vec::from).to_vec() }.outward()
}

/// An ellipsoid of `sides` by `rows`, flat at the poles' fans.
pub fn ball(half: DVec3, sides: usize, rows: usize) -> Shape {
    let ring = |row: usize| {
        let (sin, cos) = sin_cos(180.0 * row as f64 / rows as f64);
        section(-cos * half.y, sin * half.x, sin * half.z, sin * half.z)
    };
    let rings: Vec<_> = (1..rows).map(ring).collect();
    let push = half.y + rings[0].y;
    loft(&rings, sides, [End::Cap(push), End::Cap(push)])
}
