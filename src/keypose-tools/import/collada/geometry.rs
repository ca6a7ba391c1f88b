//! Geometry: the corners of triangles, polylists and polygons. Missing normals are flat, those of the face.

use glam::{DVec3, Vec2, Vec3};
use roxmltree::Node;

use crate::import::assembly::polygons;
use crate::import::assembly::vertices::{Corner, Streams, Vertices, byte};
use crate::import::collada::document::{Document, child, children, indices};
use crate::import::collada::sources::{Floats, Input, floats, inputs, source_of};
use crate::import::error::Fault;
use crate::import::report::Findings;

/// The elements of a mesh that hold faces.
pub const FACES: [&str; 5] = ["triangles", "polylist", "polygons", "tristrips", "trifans"];

/// One list of faces with one material.
pub struct Faces<'d, 'a> {
    document: &'d Document<'a>,
    element: Node<'a, 'a>,
    positions: Channel,
    normals: Option<Channel>,
    uvs: Option<Channel>,
    colors: Option<Channel>,
    /// Count of indices of a corner.
    stride: usize,
}

/// A source and the place of its index in a corner.
struct Channel {
    values: Floats,
    offset: usize,
}

impl<'d, 'a> Faces<'d, 'a> {
    /// Finds the sources of an element with faces. `mesh` is the element of its mesh, `uv_set` the set of its texture coordinates; or
    /// else they are the first ones.
    pub fn new(
        document: &'d Document<'a>,
        mesh: Node<'a, 'a>,
        element: Node<'a, 'a>,
        uv_set: Option<usize>,
        findings: &Findings<'_>,
    ) -> Result<Faces<'d, 'a>, Fault> {
        let own = inputs(element);
        let vertex = own.iter().find(|input| input.semantic == "VERTEX");
        let vertex = *vertex.ok_or_else(|| findings.fault("no VERTEX input"))?;
        let vertices = document.by_url(vertex.source).or(child(mesh, "vertices"));
        let shared = vertices.map(inputs).unwrap_or_default();
        let positions = source_of(&shared, "POSITION").and_then(|source| floats(document, source));
        let values = positions.ok_or_else(|| findings.fault("no POSITION input"))?;
        // Values of the vertices, or of the corner in the wanted or lowest set.
        let channel = |semantic: &str| {
            let is_other = |input: &Input<'_>| semantic == "TEXCOORD" && Some(input.set) != uv_set;
            let of_corner = own.iter().filter(|input| input.semantic == semantic);
            let at_corner = of_corner.min_by_key(|input| (is_other(input), input.set));
            let of = |input: &Input<'_>, offset| Some(Channel { values: floats(document, input.source)?, offset });
            let at_vertex = shared.iter().find(|input| input.semantic == semantic);
            at_corner
                .and_then(|input| of(input, input.offset))
                .or_else(|| at_vertex.and_then(|input| of(input, vertex.offset)))
        };
        let stride = own.iter().map(|input| input.offset).max().unwrap_or(0).saturating_add(1);
        Ok(Faces {
            document,
            element,
            positions: Channel { values, offset: vertex.offset },
            normals: channel("NORMAL"),
            uvs: channel("TEXCOORD"),
            colors: channel("COLOR"),
            stride,
        })
    }

    /// The indices of each face.
    pub fn polygons(&self) -> Vec<Vec<usize>> {
        let lists = || {
            let with_holes = children(self.element, "ph").filter_map(|face| child(face, "p"));
            children(self.element, "p").chain(with_holes).map(indices).inspect(|list| {
                self.document.take_steps(list.len());
            })
        };
        let cut = |list: Vec<usize>, corners: usize| -> Vec<Vec<usize>> {
            let length = corners.saturating_mul(self.stride).max(1);
            list.chunks_exact(length).map(<[usize]>::to_vec).collect()
        };
        match self.element.tag_name().name() {
            "triangles" => lists().flat_map(|list| cut(list, 3)).collect(),
            "polylist" => {
                let counts = child(self.element, "vcount").map(indices).unwrap_or_default();
                let list: Vec<usize> = lists().flatten().collect();
                let mut rest = list.as_slice();
                let face = |count: usize| {
                    let (face, after) = rest.split_at_checked(count.checked_mul(self.stride)?)?;
                    rest = after;
                    Some(face.to_vec())
                };
                counts.into_iter().map_while(face).collect()
            }
            "tristrips" => lists().flat_map(|list| self.strips(&cut(list, 1))).collect(),
            "trifans" => lists().flat_map(|list| fans(&cut(list, 1))).collect(),
            _ => lists().collect(),
        }
    }

    /// The triangles of a strip; every other one is turned.
    fn strips(&self, corners: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let triangle = |(at, three): (usize, &[Vec<usize>])| match three {
            [a, b, c] if at.is_multiple_of(2) => [a.as_slice(), b, c].concat(),
            [a, b, c] => [a.as_slice(), c, b].concat(),
            _ => Vec::new(),
        };
        corners.windows(3).enumerate().map(triangle).collect()
    }

    /// All positions, in metres.
    pub fn points(&self) -> Vec<Vec3> {
        points(self.document, &self.positions.values)
    }

    /// The normals of [`Vertices::corners`]; of any length. `None` without normals.
    pub fn corner_normals(&self) -> Option<Vec<Vec3>> {
        let channel = self.normals.as_ref()?;
        let normal = |corner: &[usize]| {
            let row = channel.values.row(*corner.get(channel.offset)?, 3)?;
            let [x, y, z] = *row.first_chunk()?;
            Some(DVec3::new(x, y, z).as_vec3())
        };
        let mut normals = Vec::new();
        for polygon in self.polygons() {
            self.document.take_steps(polygon.len());
            let corners = polygon.chunks_exact(self.stride);
            if corners.len() > 2 {
                normals.extend(corners.map(normal).collect::<Option<Vec<Vec3>>>()?);
            }
        }
        Some(normals)
    }

    /// Reads faces. Polygons are cut into triangles.
    pub fn read(&self, polygons: &[Vec<usize>], findings: &mut Findings<'_>) -> Result<Vertices, Fault> {
        let streams = Streams { has_uvs: self.uvs.is_some(), has_colors: self.colors.is_some() };
        let mut vertices = Vertices::new(streams);
        self.document.check_steps()?;
        self.report_unmapped(polygons, findings);
        let with_holes = children(self.element, "ph").count();
        if with_holes > 0 {
            findings.add(format_args!("{with_holes} faces have holes, which are filled"));
        }
        for polygon in polygons {
            let missing = || findings.fault("an index of a face has no value");
            let corners = polygon.chunks_exact(self.stride).map(|corner| self.corner(corner));
            let mut corners = corners.collect::<Option<Vec<Corner>>>().ok_or_else(missing)?;
            if self.normals.is_none() {
                let points: Vec<Vec3> = corners.iter().map(|corner| corner.position).collect();
                let normal = polygons::normal(&points);
                corners.iter_mut().for_each(|corner| corner.normal = normal);
            }
            if !vertices.add(&corners) {
                return Err(findings.fault("too many vertices"));
            }
        }
        match vertices.positions.iter().position(|position| !position.is_finite()) {
            Some(vertex) => Err(findings.fault(format!("vertex {vertex} is not finite"))),
            None => Ok(vertices),
        }
    }

    /// Reports corners whose texture coordinates don't exist.
    fn report_unmapped(&self, polygons: &[Vec<usize>], findings: &mut Findings<'_>) {
        let Some(uvs) = &self.uvs else { return };
        let corners = polygons.iter().flat_map(|polygon| polygon.chunks_exact(self.stride));
        let has_uv = |corner: &[usize]| corner.get(uvs.offset).is_some_and(|at| uvs.values.row(*at, 2).is_some());
        let count = corners.filter(|corner| !has_uv(corner)).count();
        if count > 0 {
            findings.add(format_args!("{count} corners have texture coordinates that don't exist; replaced by 0"));
        }
    }

    /// COLLADA counts v from the bottom.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn corner(&self, indices: &[usize]) -> Option<Corner> {
        let row = |channel: &'_ Channel, width: usize| -> Option<[f64; 4]> {
            let row = channel.values.row(*indices.get(channel.offset)?, width)?;
            Some(std::array::from_fn(|at| row.get(at).copied().unwrap_or(1.0)))
        };
        let vector = |row: [f64; 4]| DVec3::new(row[0], row[1], row[2]);
        let point = u32::try_from(*indices.get(self.positions.offset)?).ok()?;
        let position = (vector(row(&self.positions, 3)?) * self.document.unit).as_vec3();
        let normal = self.normals.as_ref().map_or(Some(Vec3::Y), |normals| Some(vector(row(normals, 3)?).as_vec3()))?;
        let uv = match &self.uvs {
            // An index out of range is reported once for all corners.
            Some(uvs) => row(uvs, 2).map_or(Vec2::ZERO, |[u, v, ..]| glam::DVec2::new(u, 1.0 - v).as_vec2()),
            None => Vec2::ZERO,
        };
        let color = match &self.colors {
            Some(colors) => row(colors, colors.values.stride.clamp(3, 4))?.map(byte),
            None => [255; 4],
        };
        Some(Corner { point, position, normal, uv, color })
    }
}

/// The positions of a source, in metres.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn points(document: &Document<'_>, values: &Floats) -> Vec<Vec3> {
    document.take_steps(values.count);
    let point = |at| {
        let [x, y, z] = *values.row(at, 3)?.first_chunk()?;
        Some((DVec3::new(x, y, z) * document.unit).as_vec3())
    };
    (0..values.count).map_while(point).collect()
}

/// The triangles of a fan.
fn fans(corners: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let Some((hub, rest)) = corners.split_first() else { return Vec::new() };
    let triangle = |pair: &[Vec<usize>]| match pair {
        [b, c] => [hub.as_slice(), b, c].concat(),
        _ => Vec::new(),
    };
    rest.windows(2).map(triangle).collect()
}
