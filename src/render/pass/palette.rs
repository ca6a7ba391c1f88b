//! The palettes of a whole picture in one texture: four texels an entry, 256 entries a row.

use glam::Vec4;

use crate::anim::mat34::Mat3x4;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};

/// Texels in a row: 256 entries, as `mesh.vert` has it.
const ROW: usize = 1024;

/// Collects the palettes of a picture, then uploads them at once.
pub struct Palette {
    context: Context,
    texels: Vec<[f32; 4]>,
    texture: Texture,
}

impl Palette {
    /// Room for 4,096 entries; it grows as needed.
    pub fn new(context: &Context) -> Result<Palette, GlError> {
        let texture = Texture::empty(context, Format::Rgba32F, [ROW as u32, 16])?;
        Ok(Palette { context: context.clone(), texels: Vec::new(), texture })
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.texels.clear();
    }

    /// The index that the next entry gets.
    pub fn next(&self) -> usize {
        self.texels.len() / 4
    }

    /// Adds an entry. A matrix with a component that is not finite becomes identity: not-a-number never gets to the
    /// driver. `bone` is a linear colour and a mark, see `mesh.vert`.
    pub fn push(&mut self, matrix: &Mat3x4, bone: Vec4) {
        let [x, y, z] = if matrix.is_finite() { matrix.rows } else { Mat3x4::IDENTITY.rows };
        self.texels.extend([x, y, z, bone].map(|row| row.to_array()));
    }

    /// Writes all entries to the texture and binds it to a unit. What does not fit into the driver's largest texture
    /// (at least 262,144 entries) is left out.
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
