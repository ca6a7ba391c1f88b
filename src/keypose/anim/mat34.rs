//! Affine matrices as three rows of four numbers, as in a palette: the fastest form to multiply.

use std::ops::Mul;

use glam::{Mat4, Vec3, Vec4};

/// An affine 4 × 4 matrix without its last row, by rows: `row · (x, y, z, 1)` is one coordinate of the result.
///
/// Can hold shear, which a chain of transforms can produce.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3x4 {
    /// Rows for x, y and z; `w` of each is the translation.
    pub rows: [Vec4; 3],
}

impl Mat3x4 {
    /// The matrix that changes nothing.
    pub const IDENTITY: Mat3x4 = Mat3x4 { rows: [Vec4::X, Vec4::Y, Vec4::Z] };

    /// Drops the last row of an affine matrix.
    pub fn from_mat4(matrix: &Mat4) -> Mat3x4 {
        let rows = matrix.transpose();
        Mat3x4 { rows: [rows.x_axis, rows.y_axis, rows.z_axis] }
    }

    /// As a column-major 4 × 4 matrix with the last row `0 0 0 1`, as glam and GL expect.
    pub fn to_mat4(&self) -> Mat4 {
        let [x, y, z] = self.rows;
        Mat4::from_cols(x, y, z, Vec4::W).transpose()
    }

    /// The transformed origin.
    pub fn translation(&self) -> Vec3 {
        Vec3::new(self.rows[0].w, self.rows[1].w, self.rows[2].w)
    }

    /// Transforms a point, with the same bits on every machine. The result of glam's products depends on the processor.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let image = |row: Vec4| (row.x * point.x + row.z * point.z) + (row.y * point.y + row.w);
        Vec3::from_array(self.rows.map(image))
    }

    /// Transforms a direction: no translation.
    pub fn transform_vector(&self, vector: Vec3) -> Vec3 {
        Vec3::from_array(self.rows.map(|row| row.truncate().dot(vector)))
    }

    /// Returns true if every component is finite.
    pub fn is_finite(&self) -> bool {
        self.rows.iter().all(|row| row.is_finite())
    }
}

impl Default for Mat3x4 {
    fn default() -> Mat3x4 {
        Mat3x4::IDENTITY
    }
}

impl Mul for Mat3x4 {
    type Output = Mat3x4;
    /// `self * other` applies `other` first.
    fn mul(self, other: Mat3x4) -> Mat3x4 {
        let [x, y, z] = other.rows;
        Mat3x4 {
            rows: self.rows.map(|row| {
                let chained = x * row.x + y * row.y + z * row.z;
                chained + Vec4::new(0.0, 0.0, 0.0, row.w)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_multiplies_as_4_by_4_matrices_do() {
        let a = Mat4::from_cols_array(&[1., 2., 3., 0., -4., 5., 6., 0., 7., 8., -9., 0., 10., 11., 12., 1.]);
        let b = Mat4::from_cols_array(&[2., 0., 1., 0., 0., 3., 1., 0., 1., 1., 1., 0., -5., 6., 2., 1.]);
        let product = Mat3x4::from_mat4(&a) * Mat3x4::from_mat4(&b);
        assert_eq!(product.to_mat4(), a * b);
        let point = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(product.transform_point(point), (a * b).transform_point3(point));
        assert_eq!(product.transform_vector(point), (a * b).transform_vector3(point));
    }
}
