//! Dual quaternion skinning (Kavan, Collins, Žára, O'Sullivan: "Geometric Skinning with Approximate Dual Quaternion
//! Blending", 2008), with scale in its two-phase form: blended matrices scale first, then the rigid part moves.

use glam::{Mat3, Quat, Vec3, Vec4};

use crate::anim::mat34::Mat3x4;
use crate::anim::simd;
use crate::anim::skin::cpu::{self, Influences, Skinned, Source};
use crate::anim::skin::method::matrix_of;

/// A rotation and a translation as one unit dual quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// The rotation.
    pub real: Quat,
    /// Half the translation times the rotation.
    pub dual: Quat,
}

impl DualQuat {
    /// The motion that changes nothing.
    pub const IDENTITY: DualQuat = DualQuat { real: Quat::IDENTITY, dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) };

    /// From a unit quaternion and a translation.
    pub fn new(rotation: Quat, translation: Vec3) -> DualQuat {
        let half = Quat::from_vec4((translation * 0.5).extend(0.0));
        DualQuat { real: rotation, dual: half.mul_quat(rotation) }
    }

    /// Transforms a point; `self` has unit length.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.transform_vector(point) + self.translation()
    }

    /// Transforms a direction; `self` has unit length.
    pub fn transform_vector(&self, vector: Vec3) -> Vec3 {
        let (axis, w) = (self.real.xyz(), self.real.w);
        vector + 2.0 * axis.cross(axis.cross(vector) + w * vector)
    }

    /// The transformed origin.
    pub fn translation(&self) -> Vec3 {
        let (r, d) = (self.real.xyz(), self.dual.xyz());
        2.0 * (self.real.w * d - self.dual.w * r + r.cross(d))
    }
}

/// The palette of one skin in one pose, in two phases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DualPalette {
    /// The rigid part of each joint.
    pub rigid: Vec<DualQuat>,
    /// The scale and shear that each joint applies first, in the model space in which the mesh was bound; empty if no
    /// joint has any.
    pub stretch: Vec<Mat3>,
}

impl DualPalette {
    /// Splits every matrix of a palette into scale and rigid part (polar decomposition).
    ///
    /// A mirroring joint mirrors in its scale; one with determinant 0 gets the nearest rotation that was found, and a
    /// flat scale.
    pub fn compute(&mut self, palette: &[Mat3x4]) {
        self.rigid.clear();
        self.stretch.clear();
        let mut is_rigid = true;
        for matrix in palette {
            let axes = axes(matrix);
            let rotation = nearest_rotation(axes);
            let stretch = Mat3::from_quat(rotation.conjugate()) * axes;
            is_rigid &= stretch.abs_diff_eq(Mat3::IDENTITY, 1e-5);
            self.rigid.push(DualQuat::new(rotation, matrix.translation()));
            self.stretch.push(stretch);
        }
        if is_rigid {
            self.stretch.clear();
        }
    }

    /// The matrix that stretches as one joint and then moves as another. Joints past the palette count as identity.
    pub fn stretched_by(&self, moved: usize, stretched: usize) -> Mat3x4 {
        let stretch = self.stretch.get(stretched).copied().unwrap_or(Mat3::IDENTITY);
        matrix_of(stretch, &self.rigid.get(moved).copied().unwrap_or(DualQuat::IDENTITY))
    }

    /// The transform of one vertex: its scale, and its rigid part of unit length. Joints past the palette count as
    /// identity; weights that cancel out leave the vertex in place.
    pub fn blended(&self, influences: &Influences<'_>, vertex: usize) -> (Mat3, DualQuat) {
        let (mut real, mut dual, mut stretch) = (Vec4::ZERO, Vec4::ZERO, Mat3::ZERO);
        let (mut pivot, mut whole): (Option<Vec4>, f32) = (None, 0.0);
        for set in influences.sets {
            let (Some(joints), Some(weights)) = (set.joints.get(vertex), set.weights.get(vertex)) else { continue };
            for (&joint, &weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                let joint = usize::from(joint);
                let part = self.rigid.get(joint).copied().unwrap_or(DualQuat::IDENTITY);
                let part_real = Vec4::from(part.real);
                let side = if pivot.get_or_insert(part_real).dot(part_real) < 0.0 { -weight } else { weight };
                real += part_real * side;
                dual += Vec4::from(part.dual) * side;
                match self.stretch.get(joint) {
                    Some(part) => stretch += *part * weight,
                    None => whole += weight,
                }
            }
        }
        let recip = real.length_recip();
        if !recip.is_finite() {
            return (Mat3::IDENTITY, DualQuat::IDENTITY);
        }
        let (real, dual) = (real * recip, dual * recip);
        let stretch = stretch + Mat3::from_diagonal(Vec3::splat(whole));
        (stretch, DualQuat { real: Quat::from_vec4(real), dual: Quat::from_vec4(dual) })
    }
}

/// Skins positions, normals and tangents with dual quaternions. Twisted limbs keep their volume. About normals see
/// [`crate::anim::skin::cpu::vertices`].
///
/// If no joint scales, it uses the widest registers of the processor, which equals [`vertices_portable`] to 4e-6 of the
/// largest component.
pub fn vertices(influences: &Influences<'_>, palette: &DualPalette, source: &Source<'_>, out: &mut Skinned) {
    out.fit(source);
    let is_wide = palette.stretch.is_empty() && influences.are_regular(source.positions.len());
    let done = if is_wide { simd::skin_dual(influences, &palette.rigid, source, out) } else { 0 };
    from(done, influences, palette, source, out);
}

/// Like [`vertices`], but with the same bits on every machine.
pub fn vertices_portable(influences: &Influences<'_>, palette: &DualPalette, source: &Source<'_>, out: &mut Skinned) {
    out.fit(source);
    from(0, influences, palette, source, out);
}

/// Skins the vertices from `first` on.
fn from(first: usize, influences: &Influences<'_>, palette: &DualPalette, source: &Source<'_>, out: &mut Skinned) {
    for (vertex, &position) in source.positions.iter().enumerate().skip(first) {
        let (stretch, rigid) = palette.blended(influences, vertex);
        out.positions[vertex] = rigid.transform_point(stretch * position);
        if let Some(normal) = out.normals.get_mut(vertex) {
            *normal = rigid.transform_vector(stretch * source.normals[vertex]);
        }
        if let Some(tangent) = out.tangents.get_mut(vertex) {
            let rest = source.tangents[vertex];
            *tangent = rigid.transform_vector(stretch * rest.truncate()).extend(rest.w);
        }
    }
}

/// Skins every vertex with its strongest joint only: for rigid parts, such as a robot's.
pub fn vertices_rigid(influences: &Influences<'_>, palette: &[Mat3x4], source: &Source<'_>, out: &mut Skinned) {
    out.fit(source);
    cpu::transform_vertices(0, source, out, |vertex| {
        strongest(influences, vertex).and_then(|joint| palette.get(joint)).copied().unwrap_or_default()
    });
}

/// The joint with the largest weight; the first of equals.
pub(crate) fn strongest(influences: &Influences<'_>, vertex: usize) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for set in influences.sets {
        let (Some(joints), Some(weights)) = (set.joints.get(vertex), set.weights.get(vertex)) else { continue };
        for (&joint, &weight) in joints.iter().zip(weights) {
            if best.is_none_or(|(_, most)| weight > most) {
                best = Some((usize::from(joint), weight));
            }
        }
    }
    best.map(|(joint, _)| joint)
}

fn axes(matrix: &Mat3x4) -> Mat3 {
    Mat3::from_cols_array_2d(&matrix.rows.map(|row| row.truncate().to_array())).transpose()
}

/// The rotation of the polar decomposition, by Newton's iteration (Higham 1986); for a mirroring matrix that of its
/// negative.
fn nearest_rotation(axes: Mat3) -> Quat {
    let mut near = if axes.determinant() < 0.0 { -axes } else { axes };
    for _ in 0..12 {
        let determinant = near.determinant();
        if !determinant.is_normal() || near.abs_diff_eq(Mat3::ZERO, 1e-12) {
            break;
        }
        let next = (near + near.inverse().transpose()) * 0.5;
        let is_done = next.abs_diff_eq(near, 1e-6);
        near = next;
        if is_done {
            break;
        }
    }
    let unit = |axis: Vec3, instead: Vec3| axis.try_normalize().unwrap_or(instead);
    let x = unit(near.x_axis, Vec3::X);
    let y = unit(near.y_axis - x * x.dot(near.y_axis), x.any_orthonormal_vector());
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y)));
    if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY }
}
