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
    use glam::Vec4;

    use super::*;

    #[test]
    fn a_matrix_that_is_not_finite_becomes_identity() {
        let (palette, mut out) = ([Mat3x4 { rows: [Vec4::NAN; 3] }], Vec::new());
        Rows::default().push(Method::Linear, &palette, &mut out);
        assert_eq!(out, [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
        out.clear();
        Rows::default().push(Method::Dual, &palette, &mut out);
        assert_eq!(out[0], [0.0, 0.0, 0.0, 1.0]);
    }
}
