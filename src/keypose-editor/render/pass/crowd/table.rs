//! A texture that is read as a list of vectors, in rows of 1,024.

use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};
use keypose::anim::mat34::Mat3x4;

/// Texels per row, as in `crowd.vert`.
pub const ROW: usize = 1024;

/// The rows that a number of texels needs, at least one.
pub fn rows_for(texels: usize) -> usize {
    texels.div_ceil(ROW).max(1)
}

/// The rows of a matrix. One that is not finite becomes identity, so that the driver never gets NaN.
pub fn texels_of(matrix: &Mat3x4) -> [[f32; 4]; 3] {
    let rows = if matrix.is_finite() { matrix.rows } else { Mat3x4::IDENTITY.rows };
    rows.map(|row| row.to_array())
}

/// A texture of these texels, the last row filled up.
pub fn texture_of(context: &Context, mut texels: Vec<[f32; 4]>) -> Result<Texture, GlError> {
    let rows = rows_for(texels.len());
    texels.resize(rows * ROW, [0.0; 4]);
    let mut texture = Texture::empty(context, Format::Rgba32F, [ROW as u32, rows as u32])?;
    texture.write_rows(&texels);
    Ok(texture)
}
