//! Where a shader finds the palette of a model, by what the driver has room for.

use crate::render::gl::context::Limits;
use keypose::anim::skin::method::Method;
use keypose::choice;

choice! {
    /// Where the vertex shader finds a palette, in the order in which they are tried.
    #[derive(Hash)]
    pub enum Tier {
        /// A uniform array: small, and set for each draw.
        Uniform = "uniform",
        /// A uniform block.
        Block = "ubo",
        /// A texture of floats.
        Texture = "texture",
    }
}

impl Tier {
    /// A description for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Tier::Uniform => "uniform array",
            Tier::Block => "uniform block",
            Tier::Texture => "float texture",
        }
    }
}

/// Vectors that a uniform block holds on every driver: 341 matrices.
pub const BLOCK_ROWS: usize = 1024;
/// Vectors of a uniform array that is chosen without being asked for: 32 matrices.
const SMALL: usize = 96;
/// Vectors of uniforms that shaders use for other things.
const OTHER_UNIFORMS: usize = 32;
/// Vectors in a row of a palette texture, as in `mesh.vert`.
pub const TEXTURE_WIDTH: usize = 1024;
/// Vectors of a block or an array at most: larger ones are no faster than textures.
const MAX_UNIFORM_ROWS: usize = 4096;

/// The room for the palette of one model, in vectors of four numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    uniform: usize,
    block: usize,
    texture: usize,
}

impl Room {
    /// The room that a driver has.
    pub fn of(limits: &Limits) -> Room {
        Room {
            uniform: (limits.uniform_vectors as usize).saturating_sub(OTHER_UNIFORMS).min(MAX_UNIFORM_ROWS),
            block: (limits.block_bytes as usize / 16 / BLOCK_ROWS * BLOCK_ROWS).min(MAX_UNIFORM_ROWS),
            texture: if limits.vertex_textures > 0 { TEXTURE_WIDTH * limits.texture_size as usize } else { 0 },
        }
    }

    /// The vectors that fit a tier.
    pub fn rows(&self, tier: Tier) -> usize {
        match tier {
            Tier::Uniform => self.uniform,
            Tier::Block => self.block,
            Tier::Texture => self.texture,
        }
    }

    /// The bones that fit a tier, skinned linearly.
    pub fn bones(&self, tier: Tier) -> usize {
        self.rows(tier) / stride(Method::Linear)
    }

    /// The tier of a palette with this number of vectors: the asked one if it fits, else the first that does; `None` without
    /// room. `textured` vectors of other palettes share the texture.
    pub fn choose(&self, rows: usize, asked: Option<Tier>, textured: usize) -> Option<Tier> {
        let fits = |tier: &Tier| match tier {
            Tier::Uniform | Tier::Block => rows <= self.rows(*tier),
            Tier::Texture => rows + textured <= self.texture,
        };
        let is_suited = |tier: &Tier| fits(tier) && (*tier != Tier::Uniform || rows <= SMALL);
        asked.filter(fits).or_else(|| Tier::ALL.into_iter().find(is_suited))
    }

    /// The length of the uniform array that holds this number of vectors: few lengths, so that there are few programs.
    pub fn array_rows(&self, rows: usize) -> usize {
        rows.max(SMALL).next_power_of_two().min(self.uniform).max(rows)
    }
}

/// The vectors of one entry of a palette, as in `mesh.vert`.
pub fn stride(method: Method) -> usize {
    match method {
        Method::Rigid | Method::Linear | Method::Interpolated => 3,
        Method::Dual => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: Limits =
        Limits { texture_size: 1024, samples: 4, uniform_vectors: 256, block_bytes: 16384, vertex_textures: 16 };

    #[test]
    fn a_minimal_driver_holds_what_is_promised() {
        let room = Room::of(&MINIMAL);
        assert_eq!(Tier::ALL.map(|tier| room.bones(tier)), [74, 341, 349_525]);
        let choose = |bones: usize| room.choose(3 * bones, None, 0);
        assert_eq!([30, 300, 1000].map(choose), Tier::ALL.map(Some));
        assert_eq!([30_000, 1_000_000].map(choose), [Some(Tier::Texture), None]);
        assert_eq!(room.choose(3000, None, 1024 * 1024 - 2999), None);
    }

    #[test]
    fn what_is_asked_for_is_taken_if_it_fits() {
        let room = Room::of(&MINIMAL);
        let choose = |rows, asked| room.choose(rows, Some(asked), 0);
        assert_eq!(choose(3 * 60, Tier::Uniform), Some(Tier::Uniform));
        assert_eq!(choose(3 * 300, Tier::Uniform), Some(Tier::Block));
        assert_eq!(choose(3, Tier::Texture), Some(Tier::Texture));
    }
}
