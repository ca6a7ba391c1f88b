//! Linear blend skinning on the CPU: the reference for the shader, and exact vertices without GL.
//! [`crate::anim::skin::dual`] has dual quaternions.

use glam::{Mat4, Vec3, Vec4};

use crate::anim::mat34::Mat3x4;
use crate::anim::simd;

/// Up to four influences for every vertex; a mesh has one or two of these sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceSet {
    /// Indices into the skin's joint list, per vertex.
    pub joints: Vec<[u16; 4]>,
    /// The weights of a vertex over all sets of a mesh add up to 1; an unused slot has weight 0.
    pub weights: Vec<[f32; 4]>,
}

/// The influence sets of a mesh, and the number of used slots, so that the loops skip the others.
#[derive(Clone, Copy, Debug)]
pub struct Influences<'m> {
    /// None, one or two; each as long as the mesh has vertices.
    pub sets: &'m [InfluenceSet],
    /// 1, 2, 4 or 8: all slots from there on have weight 0 for every vertex.
    pub per_vertex: usize,
}

impl<'m> Influences<'m> {
    /// Returns true if there are one or two sets, each for at least this many vertices.
    pub(crate) fn are_regular(&self, vertices: usize) -> bool {
        let covers = |set: &InfluenceSet| set.joints.len() >= vertices && set.weights.len() >= vertices;
        matches!(self.sets.len(), 1 | 2) && self.sets.iter().all(covers)
    }

    /// Finds the last slot with a weight. The result can be kept as long as the sets don't change.
    pub fn of(sets: &'m [InfluenceSet]) -> Influences<'m> {
        let used = |slot: usize| sets.first().is_some_and(|set| set.weights.iter().any(|weights| weights[slot] != 0.0));
        let per_vertex = if sets.len() > 1 {
            8
        } else if used(2) || used(3) {
            4
        } else if used(1) {
            2
        } else {
            1
        };
        Influences { sets, per_vertex }
    }
}

/// The vertices of a mesh in its bind pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'m> {
    /// In the model space in which the mesh was bound.
    pub positions: &'m [Vec3],
    /// As many as positions, or none.
    pub normals: &'m [Vec3],
    /// As many as positions, or none; `w` is the sign of the bitangent and doesn't change.
    pub tangents: &'m [Vec4],
}

/// Skinned vertices, as many of each kind as the source has.
///
/// Normals and tangents are transformed by the blended matrix as directions and not normalized; with non-uniform scale
/// this is not exact for normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skinned {
    /// In model space.
    pub positions: Vec<Vec3>,
    /// Not normalized.
    pub normals: Vec<Vec3>,
    /// Not normalized.
    pub tangents: Vec<Vec4>,
}

impl Skinned {
    /// Resizes to the lengths of the source; a kind that is not as long as the positions counts as absent.
    pub(crate) fn fit(&mut self, source: &Source<'_>) {
        let count = source.positions.len();
        self.positions.resize(count, Vec3::ZERO);
        self.normals.resize(if source.normals.len() == count { count } else { 0 }, Vec3::ZERO);
        self.tangents.resize(if source.tangents.len() == count { count } else { 0 }, Vec4::ZERO);
    }
}

/// The weighted sum of the palette for one vertex (linear blend skinning). Joints past the palette count as identity,
/// vertices past a set as having no influence in it.
pub fn blended(sets: &[InfluenceSet], palette: &[Mat3x4], vertex: usize) -> Mat3x4 {
    let mut sum = Mat3x4 { rows: [Vec4::ZERO; 3] };
    for set in sets {
        let (Some(joints), Some(weights)) = (set.joints.get(vertex), set.weights.get(vertex)) else { continue };
        for (&joint, &weight) in joints.iter().zip(weights) {
            let matrix = palette.get(usize::from(joint)).copied().unwrap_or_default();
            sum.rows.iter_mut().zip(matrix.rows).for_each(|(sum, row)| *sum += row * weight);
        }
    }
    sum
}

/// Skins positions, normals and tangents with the palette, with the widest registers of the processor; equals
/// [`vertices_portable`] to 1e-6 of the largest component.
pub fn vertices(influences: &Influences<'_>, palette: &[Mat3x4], source: &Source<'_>, out: &mut Skinned) {
    out.fit(source);
    let is_wide = influences.are_regular(source.positions.len());
    let skin = |columns: &[LineMat4]| simd::skin(influences, columns, source, out);
    let done = if is_wide { with_columns(palette, skin) } else { 0 };
    transform_vertices(done, source, out, |vertex| blended(influences.sets, palette, vertex));
}

/// Like [`vertices`], but with the same bits on every machine.
pub fn vertices_portable(influences: &Influences<'_>, palette: &[Mat3x4], source: &Source<'_>, out: &mut Skinned) {
    out.fit(source);
    transform_vertices(0, source, out, |vertex| blended(influences.sets, palette, vertex));
}

/// Transforms the vertices from `first` on. `of` returns the matrix of a vertex.
pub(super) fn transform_vertices(first: usize, source: &Source<'_>, out: &mut Skinned, of: impl Fn(usize) -> Mat3x4) {
    for (vertex, &position) in source.positions.iter().enumerate().skip(first) {
        let matrix = of(vertex);
        out.positions[vertex] = matrix.transform_point(position);
        if let Some(normal) = out.normals.get_mut(vertex) {
            *normal = matrix.transform_vector(source.normals[vertex]);
        }
        if let Some(tangent) = out.tangents.get_mut(vertex) {
            let rest = source.tangents[vertex];
            *tangent = matrix.transform_vector(rest.truncate()).extend(rest.w);
        }
    }
}

/// A matrix of a palette by columns, in a cache line of its own.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct LineMat4(pub Mat4);

/// The palette by columns, followed by an identity for joints past its end; on the stack for all common skeletons.
fn with_columns<R>(palette: &[Mat3x4], work: impl FnOnce(&[LineMat4]) -> R) -> R {
    const COMMON: usize = 128;
    let columns = palette.iter().map(Mat3x4::to_mat4).chain([Mat4::IDENTITY]).map(LineMat4);
    if palette.len() < COMMON {
        let mut stack = [LineMat4(Mat4::IDENTITY); COMMON];
        stack.iter_mut().zip(columns).for_each(|(out, matrix)| *out = matrix);
        return work(&stack[..=palette.len()]);
    }
    work(&columns.collect::<Vec<_>>())
}
