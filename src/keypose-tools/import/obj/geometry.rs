//! The vertices and faces of an OBJ file: a part for each object and material. Polygons are cut into triangles. Without normals a face
//! is smooth within its smoothing group, or flat.

use std::borrow::Cow;
use std::collections::HashMap;

use glam::{Vec2, Vec3};

use crate::assets::printable::printable;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::names::shortened;
use crate::import::assembly::polygons;
use crate::import::assembly::vertices::{Corner, Streams, Vertices, byte};
use crate::import::error::Fault;
use crate::import::obj::lines::{Line, lines};
use crate::import::obj::smooth::{self, Smooth};
use crate::import::report::Report;

/// About what a part costs beside its corners: a mesh and a material with their names.
const BYTES_PER_PART: usize = 3072;

/// The faces of an object that have the same material.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part<'a> {
    /// Name of the object; empty before the first one.
    pub object: Cow<'a, str>,
    /// The name of its material; empty for none.
    pub material: Cow<'a, str>,
}

/// Contents of an OBJ file.
#[derive(Default)]
pub struct Geometry<'a> {
    /// In the order of their first faces.
    pub parts: Vec<(Part<'a>, Vertices)>,
    /// The files with materials.
    pub libraries: Vec<String>,
}

/// The values that faces refer to.
#[derive(Default)]
struct Values {
    positions: Vec<Vec3>,
    /// As many as positions, if any position has one.
    colors: Vec<[u8; 4]>,
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    /// Corners whose texture coordinates don't exist.
    unmapped: usize,
    /// Corners whose normals don't exist.
    unlit: usize,
}

impl<'a> Geometry<'a> {
    /// Reads a file.
    pub fn read(text: &'a str, report: &mut Report) -> Result<Geometry<'a>, Fault> {
        let (of_objects, streams) = (of_objects(text), streams(text));
        let (mut values, mut geometry, mut part) = (Values::default(), Geometry::default(), Part::default());
        let (mut known, mut budget) = (HashMap::new(), Budget::of(text.len()));
        let (smooth, mut group) = (Smooth::of(text, &budget)?, 0);
        // The index of the part, until a line changes it: names can be long.
        let mut current = None;
        for line in lines(text) {
            match &*line.keyword {
                "v" | "vt" | "vn" => values.read(&line)?,
                "f" => {
                    let next = geometry.parts.len();
                    let at = *current.get_or_insert_with(|| *known.entry(part.clone()).or_insert(next));
                    if at == next {
                        if !budget.take(BYTES_PER_PART) {
                            return Err(line.fault("too many objects and materials"));
                        }
                        geometry.parts.push((part.clone(), Vertices::new(streams)));
                    }
                    if let Some((_, vertices)) = geometry.parts.get_mut(at) {
                        values.face(&line, (&smooth, group), vertices, &mut budget)?;
                    }
                }
                keyword if keyword == of_objects => (part.object, current) = (name(&line), None),
                "s" => group = smooth::group(&line),
                "usemtl" => (part.material, current) = (name(&line), None),
                "mtllib" => geometry.libraries.push(line.rest.replace('\\', "/")),
                "l" | "p" => report.not_imported("points and lines"),
                "curv" | "curv2" | "surf" => report.not_imported("curves and surfaces"),
                _ => {}
            }
        }
        let Values { unmapped, unlit, .. } = values;
        if unmapped > 0 {
            let fault = format_args!("{unmapped} corners have texture coordinates that don't exist; replaced by 0");
            report.add("faces", fault);
        }
        if unlit > 0 {
            report.add("faces", format_args!("{unlit} corners have normals that don't exist; their faces are flat"));
        }
        Ok(geometry)
    }
}

/// Returns the keyword that begins objects: `o` or, without any, `g`.
fn of_objects(text: &str) -> &'static str {
    if text.lines().any(|line| begins(line, "o")) { "o" } else { "g" }
}

/// The name in a line; empty if the line is continued.
fn name<'a>(line: &Line<'a>) -> Cow<'a, str> {
    match line.rest {
        Cow::Borrowed(name) => shortened(name),
        Cow::Owned(_) => "".into(),
    }
}

/// Whether there are texture coordinates and colours.
fn streams(text: &str) -> Streams {
    let has_color = |line: &str| begins(line, "v") && line.split_whitespace().count() >= 7;
    Streams { has_uvs: text.lines().any(|line| begins(line, "vt")), has_colors: text.lines().any(has_color) }
}

fn begins(line: &str, keyword: &str) -> bool {
    line.split_whitespace().next() == Some(keyword)
}

impl Values {
    fn read(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        match &*line.keyword {
            "v" => {
                let ([x, y, z, a, b, c, d], count) = line.numbers::<7>(3)?;
                self.positions.push(Vec3::new(x, y, z));
                // Some have a fourth coordinate.
                let color = match count {
                    6 => [a, b, c],
                    7 => [b, c, d],
                    _ => [1.0; 3],
                };
                let [red, green, blue] = color.map(|part| byte(f64::from(part)));
                self.colors.push([red, green, blue, 255]);
            }
            "vt" => {
                let ([u, v], _) = line.numbers::<2>(1)?;
                self.uvs.push(Vec2::new(u, flipped(v)));
            }
            _ => self.normals.push(Vec3::from_array(line.numbers::<3>(3)?.0)),
        }
        Ok(())
    }

    fn face(
        &mut self,
        line: &Line<'_>,
        (smooth, group): (&Smooth, u32),
        vertices: &mut Vertices,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        let corners: Vec<(Corner, bool)> =
            line.words().map(|word| self.corner(word, line)).collect::<Result<Vec<_>, _>>()?;
        if corners.len() < 3 {
            return Err(line.fault(format!("a face of {} corners", corners.len())));
        }
        // Each corner is at most one vertex and three indices.
        if !budget.take_corners(corners.len()) {
            return Err(line.fault("too many faces"));
        }
        let points: Vec<Vec3> = corners.iter().map(|(corner, _)| corner.position).collect();
        let flat = polygons::normal(&points);
        let corner = |(corner, has_normal): (Corner, bool)| match has_normal {
            true => corner,
            false => Corner { normal: smooth.normal(group, corner.point, flat).unwrap_or(flat), ..corner },
        };
        let corners: Vec<Corner> = corners.into_iter().map(corner).collect();
        if !vertices.add(&corners) {
            return Err(line.fault("too many vertices"));
        }
        Ok(())
    }

    /// A corner such as `1`, `1/2`, `1//3` or `-1/-1/-1`, and whether it has a normal.
    fn corner(&mut self, word: &str, line: &Line<'_>) -> Result<(Corner, bool), Fault> {
        let mut parts = word.split('/');
        let mut next = || parts.next().filter(|part| !part.is_empty());
        let index = |part: &str, count: usize, what: &str| {
            let missing = || line.fault(format!("{what} {} doesn't exist; there are {count}", printable(part)));
            found(part, count).ok_or_else(missing)
        };
        let point = next().ok_or_else(|| line.fault("a corner without a vertex"))?;
        let point = index(point, self.positions.len(), "vertex")?;
        let uv = next().map(|part| found(part, self.uvs.len()));
        self.unmapped = self.unmapped.saturating_add(usize::from(uv == Some(None)));
        let uv = uv.flatten();
        let normal = next().map(|part| found(part, self.normals.len()));
        self.unlit = self.unlit.saturating_add(usize::from(normal == Some(None)));
        let normal = normal.flatten();
        let corner = Corner {
            point: u32::try_from(point).unwrap_or(u32::MAX),
            position: self.positions.get(point).copied().unwrap_or_default(),
            normal: normal.and_then(|at| self.normals.get(at).copied()).unwrap_or_default(),
            uv: uv.and_then(|at| self.uvs.get(at).copied()).unwrap_or_default(),
            color: self.colors.get(point).copied().unwrap_or([255; 4]),
        };
        Ok((corner, normal.is_some()))
    }
}

/// An index from 1, or from the end if it is negative.
pub fn found(word: &str, count: usize) -> Option<usize> {
    let number = word.parse::<i64>().ok()?;
    let index = match number {
        1.. => usize::try_from(number).ok()?.checked_sub(1)?,
        _ => count.checked_sub(usize::try_from(number.checked_neg()?).ok()?)?,
    };
    (index < count).then_some(index)
}

/// OBJ counts v from the bottom.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn flipped(v: f32) -> f32 {
    1.0 - v
}
