//! Matrices in NEON registers, a row or a column in each. `avx2/matrix.rs` has the same functions.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use glam::Vec4;

use crate::anim::mat34::Mat3x4;
use crate::anim::simd::neon::eight::Eight;
use crate::anim::skin::cpu::LineMat4;

/// A row of a matrix.
pub type Row = float32x4_t;

/// A matrix by columns, as it is summed for a vertex.
pub type Sum = [float32x4_t; 4];

/// A row of a matrix, from [`crate::anim::simd::neon::eight::turned`].
#[inline]
#[target_feature(enable = "neon")]
pub fn row(turned: &[Eight; 4], lane: usize) -> Row {
    if lane < 4 { turned[lane % 4].0 } else { turned[lane % 4].1 }
}

/// The rows of a matrix.
#[inline]
#[target_feature(enable = "neon")]
pub fn rows(matrix: &Mat3x4) -> [Row; 3] {
    matrix.rows.map(float32x4_t::from)
}

#[inline]
#[target_feature(enable = "neon")]
pub fn put(rows: [Row; 3], out: &mut Mat3x4) {
    out.rows = rows.map(Vec4::from);
}

/// `out` = the parent times the matrix with these rows.
#[inline]
#[target_feature(enable = "neon")]
pub fn put_chained(parent: &Mat3x4, [x, y, z]: [Row; 3], out: &mut Mat3x4) {
    out.rows = parent.rows.map(|row| {
        let row = float32x4_t::from(row);
        let translation = vcopyq_laneq_f32::<3, 3>(vdupq_n_f32(0.0), row);
        let sum = vfmaq_laneq_f32::<0>(translation, x, row);
        let sum = vfmaq_laneq_f32::<1>(sum, y, row);
        Vec4::from(vfmaq_laneq_f32::<2>(sum, z, row))
    });
}

#[inline]
#[target_feature(enable = "neon")]
pub fn nothing() -> Sum {
    [vdupq_n_f32(0.0); 4]
}

/// The sum plus the matrix times its weight.
#[inline]
#[target_feature(enable = "neon")]
pub fn with(matrix: &LineMat4, weight: &f32, [x, y, z, w]: Sum) -> Sum {
    let columns = &matrix.0;
    [(x, columns.x_axis), (y, columns.y_axis), (z, columns.z_axis), (w, columns.w_axis)]
        .map(|(sum, column)| vfmaq_n_f32(sum, column.into(), *weight))
}

/// Transforms the point x, y, z.
#[inline]
#[target_feature(enable = "neon")]
pub fn point([x, y, z, w]: Sum, xyz: float32x4_t) -> float32x4_t {
    vfmaq_laneq_f32::<2>(vfmaq_laneq_f32::<1>(vfmaq_laneq_f32::<0>(w, x, xyz), y, xyz), z, xyz)
}

/// Transforms the direction x, y, z.
#[inline]
#[target_feature(enable = "neon")]
pub fn direction([x, y, z, _]: Sum, xyz: float32x4_t) -> float32x4_t {
    vfmaq_laneq_f32::<2>(vfmaq_laneq_f32::<1>(vmulq_laneq_f32::<0>(x, xyz), y, xyz), z, xyz)
}

/// Four joints, each clamped to the last one: the first in the lowest 16 bits.
#[inline]
#[target_feature(enable = "neon")]
pub fn up_to(last: u16, joints: &[u16; 4]) -> u64 {
    // SAFETY: four numbers of 16 bits are read.
    let joints = unsafe { vld1_u16(joints.as_ptr()) };
    vget_lane_u64::<0>(vreinterpret_u64_u16(vmin_u16(joints, vdup_n_u16(last))))
}

/// x, y, z of the first, w of the second.
#[inline]
#[target_feature(enable = "neon")]
pub fn with_w(xyz: float32x4_t, w: float32x4_t) -> float32x4_t {
    vcopyq_laneq_f32::<3, 3>(xyz, w)
}
