//! The palettes of all models of a frame in one texture: four texels per entry, 256 entries per row.

use glam::Vec4;

use crate::anim::mat34::Mat3x4;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};

/// Texels per row: 256 entries, as in `mesh.vert`.
const ROW: usize = 1024;

/// Collects the palettes of a frame and uploads them together.
pub struct Palette {
    context: Context,
    texels: Vec<[f32; 4]>,
    texture: Texture,
}

impl Palette {
    /// Creates a texture for 4,096 entries. It grows as needed.
    pub fn new(context: &Context) -> Result<Palette, GlError> {
        let texture = Texture::empty(context, Format::Rgba32F, [ROW as u32, 16])?;
        Ok(Palette { context: context.clone(), texels: Vec::new(), texture })
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.texels.clear();
    }

    /// The index of the next entry.
    pub fn next(&self) -> usize {
        self.texels.len() / 4
    }

    /// Adds an entry. A matrix that is not finite becomes identity, so that the driver never gets NaN. `bone` is a
    /// linear colour and a mark, see `mesh.vert`.
    pub fn push(&mut self, matrix: &Mat3x4, bone: Vec4) {
        let [x, y, z] = if matrix.is_finite() { matrix.rows } else { Mat3x4::IDENTITY.rows };
        self.texels.extend([x, y, z, bone].map(|row| row.to_array()));
    }

    /// Adds entries of plain numbers, sixteen each. Numbers that are not finite become 0.
    pub fn push_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        let mut numbers = numbers.into_iter().map(|number| if number.is_finite() { number } else { 0.0 }).peekable();
        while numbers.peek().is_some() {
            let entry: [[f32; 4]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| numbers.next().unwrap_or(0.0)));
            self.texels.extend(entry);
        }
    }

    /// Uploads all entries and binds the texture to a unit. Entries beyond the driver's maximum texture size (at least
    /// 262,144 entries) are ignored.
    pub fn upload(&mut self, unit: u32) -> Result<(), GlError> {
        let most = self.context.limits().texture_size as usize;
        let rows = self.texels.len().div_ceil(ROW).clamp(1, most);
        if rows > self.texture.size()[1] as usize {
            let rows = rows.next_power_of_two().min(most) as u32;
            self.texture = Texture::empty(&self.context, Format::Rgba32F, [ROW as u32, rows])?;
        }
        self.texels.resize(rows * ROW, [0.0; 4]);
        self.texture.write_rows(&self.texels);
        self.texture.bind(unit);
        Ok(())
    }
}
