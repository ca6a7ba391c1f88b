//! The palette of a model as vectors of four numbers, as `mesh.vert` reads them.

use glam::Mat3;

use keypose::anim::mat34::Mat3x4;
use keypose::anim::skin::dual::DualPalette;
use keypose::anim::skin::method::Method;

/// The vectors of one palette or two.
#[derive(Debug, Default)]
pub struct Rows {
    dual: DualPalette,
}

impl Rows {
    /// Appends the vectors of a palette: three rows of each matrix, or for dual quaternions the rotation and three rows with
    /// stretch and translation. A matrix that is not finite becomes identity, so that the driver never gets NaN.
    pub fn push(&mut self, method: Method, palette: &[Mat3x4], out: &mut Vec<[f32; 4]>) {
        match method {
            Method::Rigid | Method::Linear | Method::Interpolated => {
                out.extend(palette.iter().flat_map(|matrix| finite(matrix).rows.map(|row| row.to_array())));
            }
            Method::Dual => self.push_dual(palette, out),
        }
    }

    fn push_dual(&mut self, palette: &[Mat3x4], out: &mut Vec<[f32; 4]>) {
        let sound: Vec<Mat3x4> = palette.iter().map(finite).collect();
        self.dual.compute(&sound);
        for (at, rigid) in self.dual.rigid.iter().enumerate() {
            let stretch = self.dual.stretch.get(at).copied().unwrap_or(Mat3::IDENTITY).transpose();
            let moved = sound[at].translation();
            out.push(rigid.real.to_array());
            let axes = [stretch.x_axis, stretch.y_axis, stretch.z_axis];
            out.extend(axes.iter().zip(moved.to_array()).map(|(axis, moved)| axis.extend(moved).to_array()));
        }
    }
}

fn finite(matrix: &Mat3x4) -> Mat3x4 {
    if matrix.is_finite() { *matrix } else { Mat3x4::IDENTITY }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat, Vec3, Vec4};

    use super::*;

    #[test]
    fn entries_have_the_form_of_the_shader() {
        let turned = Mat4::from_scale_rotation_translation(
            Vec3::new(1.0, 2.0, 3.0),
            Quat::from_rotation_z(1.0),
            Vec3::new(4.0, 5.0, 6.0),
        );
        let palette = [Mat3x4::from_mat4(&turned), Mat3x4 { rows: [Vec4::NAN; 3] }];
        let mut out = Vec::new();
        Rows::default().push(Method::Linear, &palette, &mut out);
        assert_eq!(out.len(), 6);
        assert_eq!(out[3..], [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
        out.clear();
        Rows::default().push(Method::Dual, &palette, &mut out);
        assert_eq!(out.len(), 8);
        assert!((Vec4::from_array(out[0]) - Vec4::from(Quat::from_rotation_z(1.0))).length() < 1e-5);
        for (row, expected) in out[1..4].iter().zip([[1.0, 0.0, 0.0, 4.0], [0.0, 2.0, 0.0, 5.0], [0.0, 0.0, 3.0, 6.0]])
        {
            assert!((Vec4::from_array(*row) - Vec4::from_array(expected)).length() < 1e-4, "{row:?}");
        }
        assert_eq!(out[4], [0.0, 0.0, 0.0, 1.0]);
    }
}
