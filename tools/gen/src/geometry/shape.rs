//! A surface: points and the polygons between them. No colour, no bones.

use glam::{DQuat, DVec3};

/// Points and polygons; seen from outside a polygon runs counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// In the space of what it belongs to, metres.
    pub points: Vec<DVec3>,
    /// Indices into the points, three or more each.
    pub faces: Vec<Vec<usize>>,
}

/// A place to build in: its own axes and origin.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where its zero lies.
    pub origin: DVec3,
    /// Where its axes point.
    pub rotation: DQuat,
}

impl Frame {
    /// Upright, at a place.
    pub fn at(x: f64, y: f64, z: f64) -> Frame {
        Frame { origin: DVec3::new(x, y, z), rotation: DQuat::IDENTITY }
    }

    /// Turned about its own origin.
    pub fn turned(self, by: DQuat) -> Frame {
        Frame { rotation: self.rotation * by, ..self }
    }

    /// Moved along its own axes.
    pub fn moved(self, x: f64, y: f64, z: f64) -> Frame {
        Frame { origin: self.point(DVec3::new(x, y, z)), ..self }
    }

    /// A point of the frame in the space around it.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.origin + self.rotation * point
    }
}

/// Whether the columns of a grid close into a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// The last column joins the first.
    Closed,
    /// A strip with two edges.
    Open,
}

impl Shape {
    /// A grid of quads over `point(u, v)`, both from 0 to 1; a closed grid has its last column at `1 - 1/columns`.
    pub fn grid(columns: usize, rows: usize, around: Around, point: impl Fn(f64, f64) -> DVec3) -> Shape {
        let width = if around == Around::Closed { columns } else { columns + 1 };
        let mut shape = Shape::default();
        for row in 0..=rows {
            let v = row as f64 / rows as f64;
            shape.points.extend((0..width).map(|column| point(column as f64 / columns as f64, v)));
        }
        for row in 0..rows {
            for column in 0..columns {
                let next = (column + 1) % width;
                let (here, above) = (row * width, (row + 1) * width);
                shape.faces.push(vec![here + column, here + next, above + next, above + column]);
            }
        }
        shape
    }

    /// Closes a ring of points (the `count` from `first` on) with a fan about its middle, pushed out by `push`.
    pub fn cap(&mut self, first: usize, count: usize, push: DVec3) {
        let ring = &self.points[first..first + count];
        let middle = ring.iter().sum::<DVec3>() / count as f64 + push;
        let tip = self.points.len();
        self.points.push(middle);
        let bottom = first == 0;
        for at in 0..count {
            let (a, b) = (first + at, first + (at + 1) % count);
            self.faces.push(if bottom { vec![b, a, tip] } else { vec![a, b, tip] });
        }
    }

    /// Gives an open sheet a second side `thickness` beneath it, and rims between the two.
    pub fn thickened(mut self, thickness: f64) -> Shape {
        let count = self.points.len();
        let normals = self.point_normals();
        self.points.extend_from_within(..);
        for (at, normal) in normals.into_iter().enumerate() {
            self.points[count + at] -= normal * thickness;
        }
        let edges = self.open_edges();
        let inside: Vec<_> = self.faces.iter().map(|face| face.iter().rev().map(|at| at + count).collect()).collect();
        self.faces.extend(inside);
        self.faces.extend(edges.into_iter().map(|(a, b)| vec![b, a, a + count, b + count]));
        self
    }

    /// Edges that only one polygon has, in that polygon's direction.
    fn open_edges(&self) -> Vec<(usize, usize)> {
        let of = |face: &Vec<usize>| {
            let next = face.iter().copied().cycle().skip(1);
            face.iter().copied().zip(next).collect::<Vec<_>>()
        };
        let all: Vec<_> = self.faces.iter().flat_map(of).collect();
        let known: std::collections::BTreeSet<_> = all.iter().copied().collect();
        all.into_iter().filter(|&(a, b)| !known.contains(&(b, a))).collect()
    }

    /// The mean of the surrounding polygons' normals at every point.
    fn point_normals(&self) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; self.points.len()];
        for face in &self.faces {
            let normal = self.face_normal(face);
            face.iter().for_each(|&at| normals[at] += normal);
        }
        normals.into_iter().map(|normal| normal.normalize_or_zero()).collect()
    }

    /// The normal of a polygon, as long as twice its area (Newell's sum).
    pub fn face_normal(&self, face: &[usize]) -> DVec3 {
        let corner = |at: usize| self.points[face[at % face.len()]];
        (0..face.len()).map(|at| (corner(at) - corner(0)).cross(corner(at + 1) - corner(0))).sum()
    }

    /// Turns every polygon round where the shape encloses a negative volume.
    pub fn outward(mut self) -> Shape {
        let middle = self.points.iter().sum::<DVec3>() / self.points.len() as f64;
        let volume = |face: &Vec<usize>| self.face_normal(face).dot(self.points[face[0]] - middle);
        if self.faces.iter().map(volume).sum::<f64>() < 0.0 {
            self.faces.iter_mut().for_each(|face| face.reverse());
        }
        self
    }

    /// Every point moved.
    pub fn map(mut self, to: impl Fn(DVec3) -> DVec3) -> Shape {
        self.points.iter_mut().for_each(|point| *point = to(*point));
        self
    }

    /// Transformed from a frame to the space around it.
    pub fn placed(self, frame: &Frame) -> Shape {
        self.map(|point| frame.point(point))
    }

    /// Returns the mirror image in the plane x = 0.
    pub fn mirrored(self) -> Shape {
        let mut shape = self.map(|point| DVec3::new(-point.x, point.y, point.z));
        shape.faces.iter_mut().for_each(|face| face.reverse());
        shape
    }

    /// Both in one.
    pub fn and(mut self, other: Shape) -> Shape {
        let count = self.points.len();
        self.points.extend(other.points);
        self.faces.extend(other.faces.into_iter().map(|face| face.into_iter().map(|at| at + count).collect()));
        self
    }
}
