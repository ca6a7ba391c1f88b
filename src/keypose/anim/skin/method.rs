//! The methods by which bones move vertices, and the transform of one vertex by each: the reference for the shaders.

use glam::{Mat3, Vec3, Vec4};

use crate::anim::choice::choice;
use crate::anim::mat34::Mat3x4;
use crate::anim::skin::cpu::{self, Influences};
use crate::anim::skin::dual::{DualPalette, DualQuat, strongest};

choice! {
    /// How the bones of a skin move its vertices.
    #[derive(Default, Hash)]
    pub enum Method {
        /// Matrices are blended. Twisted joints lose volume.
        #[default]
        Linear = "linear",
        /// Dual quaternions are blended, after scale. Twisted joints keep their volume.
        Dual = "dual-quaternion",
        /// Each vertex follows its strongest bone: for robots and other rigid parts.
        Rigid = "rigid",
        /// Linear, and between two poses the matrices are interpolated: cheap, and not rigid between the poses.
        Interpolated = "interpolated",
    }
}

impl Method {
    /// The name in panels.
    pub fn label(self) -> &'static str {
        match self {
            Method::Rigid => "Rigid",
            Method::Linear => "Linear",
            Method::Dual => "Dual quaternion",
            Method::Interpolated => "Matrix-interpolated",
        }
    }

    /// The next one in display order; after the last the first.
    pub fn next(self) -> Method {
        let at = Method::ALL.iter().position(|method| *method == self).unwrap_or_default();
        Method::ALL[(at + 1) % Method::ALL.len()]
    }

    /// The method to compare this one with, side by side: linear ones with dual quaternions, others with linear.
    pub fn compared(self) -> [Method; 2] {
        [Method::Linear, if self == Method::Linear { Method::Dual } else { self }]
    }
}

/// A palette, prepared for a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    method: Method,
    palette: Vec<Mat3x4>,
    dual: DualPalette,
}

impl Prepared {
    /// Prepares a palette. One for [`Method::Interpolated`] is already [`interpolated`].
    pub fn new(method: Method, palette: Vec<Mat3x4>) -> Prepared {
        let mut dual = DualPalette::default();
        if method == Method::Dual {
            dual.compute(&palette);
        }
        Prepared { method, palette, dual }
    }

    /// The palette that was prepared.
    pub fn matrices(&self) -> &[Mat3x4] {
        &self.palette
    }

    /// The rigid parts and stretches; empty for other methods than [`Method::Dual`].
    pub fn dual(&self) -> &DualPalette {
        &self.dual
    }

    /// The first matrix; the identity without one.
    pub fn first(&self) -> Mat3x4 {
        self.palette.first().copied().unwrap_or_default()
    }

    /// The transform of one vertex: the identity without influences.
    pub fn matrix(&self, influences: &Influences<'_>, vertex: usize) -> Mat3x4 {
        match self.method {
            Method::Linear | Method::Interpolated => cpu::blended(influences.sets, &self.palette, vertex),
            Method::Rigid => {
                let joint = strongest(influences, vertex);
                joint.and_then(|joint| self.palette.get(joint)).copied().unwrap_or_default()
            }
            Method::Dual => {
                let (stretch, rigid) = self.dual.blended(influences, vertex);
                matrix_of(stretch, &rigid)
            }
        }
    }
}

/// The matrix that stretches first and then moves.
pub(crate) fn matrix_of(stretch: Mat3, rigid: &DualQuat) -> Mat3x4 {
    let axes = Mat3::from_quat(rigid.real) * stretch;
    let (rows, moved) = (axes.transpose(), rigid.translation());
    Mat3x4 { rows: [rows.x_axis.extend(moved.x), rows.y_axis.extend(moved.y), rows.z_axis.extend(moved.z)] }
}

/// The palette between two others, matrix by matrix.
pub fn interpolated(from: &[Mat3x4], to: &[Mat3x4], fraction: f32) -> Vec<Mat3x4> {
    let between = |(from, to): (&Mat3x4, &Mat3x4)| Mat3x4 {
        rows: std::array::from_fn(|row| from.rows[row] + (to.rows[row] - from.rows[row]) * fraction),
    };
    from.iter().zip(to).map(between).collect()
}

/// A normal under a matrix, not normalized: exact for any scale, and outward for mirroring matrices. The shaders do the same.
pub fn normal(matrix: &Mat3x4, normal: Vec3) -> Vec3 {
    let [x, y, z] = matrix.rows.map(Vec4::truncate);
    let cofactors = [y.cross(z), z.cross(x), x.cross(y)];
    let sign = match x.dot(cofactors[0]) {
        determinant if determinant > 0.0 => 1.0,
        determinant if determinant < 0.0 => -1.0,
        _ => 0.0,
    };
    Vec3::from_array(cofactors.map(|row| row.dot(normal) * sign))
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat};

    use super::*;
    use crate::anim::skin::cpu::{InfluenceSet, Skinned, Source};
    use crate::anim::skin::dual;

    fn set(joints: [u16; 4], weights: [f32; 4]) -> Vec<InfluenceSet> {
        vec![InfluenceSet { joints: vec![joints], weights: vec![weights] }]
    }

    fn palette() -> Vec<Mat3x4> {
        let turned = Mat4::from_rotation_translation(Quat::from_rotation_x(2.5), Vec3::new(0.1, 2.0, 0.3));
        let scaled = turned * Mat4::from_scale(Vec3::new(0.5, 2.0, 1.0));
        [Mat4::IDENTITY, turned, scaled].iter().map(Mat3x4::from_mat4).collect()
    }

    #[test]
    fn each_method_has_the_vertices_of_its_loop() {
        let sets = set([0, 1, 2, 0], [0.3, 0.45, 0.25, 0.0]);
        let (influences, place) = (Influences { sets: &sets, per_vertex: 4 }, [Vec3::new(0.4, -1.0, 2.0)]);
        let source = Source { positions: &place, ..Source::default() };
        let found = |method| Prepared::new(method, palette()).matrix(&influences, 0).transform_point(place[0]);
        let mut out = Skinned::default();
        cpu::vertices_portable(&influences, &palette(), &source, &mut out);
        assert!(found(Method::Linear).abs_diff_eq(out.positions[0], 1e-5));
        dual::vertices_rigid(&influences, &palette(), &source, &mut out);
        assert!(found(Method::Rigid).abs_diff_eq(out.positions[0], 1e-5));
        let mut dual_palette = DualPalette::default();
        dual_palette.compute(&palette());
        dual::vertices_portable(&influences, &dual_palette, &source, &mut out);
        assert!(found(Method::Dual).abs_diff_eq(out.positions[0], 1e-5));
        assert!(!found(Method::Dual).abs_diff_eq(found(Method::Linear), 0.05));
    }

    #[test]
    fn normals_stay_at_right_angles_and_outward() {
        for scale in [Vec3::new(1.0, 3.0, 1.0), Vec3::new(-1.0, 3.0, 0.5)] {
            let matrix = Mat4::from_rotation_z(0.7) * Mat4::from_scale(scale);
            let matrix = Mat3x4::from_mat4(&matrix);
            let (along, out) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0));
            let found = normal(&matrix, out);
            assert!(matrix.transform_vector(along).dot(found).abs() < 1e-5);
            assert!(matrix.transform_vector(out).dot(found) > 0.0);
        }
    }

    #[test]
    fn halfway_between_two_palettes_lies_the_mean() {
        let (from, to) = (palette(), vec![Mat3x4::IDENTITY; 2]);
        let between = interpolated(&from, &to, 0.5);
        assert_eq!(between.len(), 2);
        assert_eq!(between[1].rows[0], (from[1].rows[0] + Vec4::X) * 0.5);
    }
}
