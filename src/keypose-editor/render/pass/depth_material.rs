//! The uniforms and the texture of a material in `depth.frag`, for shadows.

use glam::{Vec3, Vec4};

use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::gl::state::{Cull, DepthRange, DepthTest, State};
use crate::render::pass::cache::Cache;
use crate::render::pass::draws::Maps;
use crate::render::pass::material::{cutoff, uv_rows};
use keypose::assets::material::Material;
use keypose::assets::texture::Use;

/// The uniforms of a material that only writes depth.
pub struct DepthMaterial {
    uv: [Uniform<Vec3>; 2],
    base_color: Uniform<Vec4>,
    cutoff: Uniform<f32>,
}

impl DepthMaterial {
    /// Resolves the uniforms.
    pub fn of(program: &Program) -> Result<DepthMaterial, GlError> {
        program.set_sampler("u_texture", 0)?;
        Ok(DepthMaterial {
            uv: [program.uniform("u_uv_across")?, program.uniform("u_uv_down")?],
            base_color: program.uniform("u_base_color")?,
            cutoff: program.uniform("u_cutoff")?,
        })
    }

    /// Sets the state in which depth is written to a shadow map.
    pub fn begin(context: &Context) {
        let state = State { depth_test: DepthTest::LessOrEqual, depth_write: true, offset: 2.0, ..State::default() };
        context.apply(&State { cull: Cull::Off, depth_range: DepthRange::Whole, ..state });
    }

    /// Sets the uniforms and binds the prepared image of a material. The program must be bound.
    pub fn set(&self, program: &Program, material: &Material, maps: Option<&Maps<'_>>, cache: &mut Cache) {
        let rows = uv_rows(&material.uv_transform);
        self.uv.iter().zip(rows).for_each(|(uniform, row)| program.set(uniform, row));
        program.set(&self.base_color, Vec4::from_array(material.base_color));
        program.set(&self.cutoff, cutoff(material.alpha_mode));
        match maps.and_then(|maps| cache.texture(maps.color?, Use::Colors)) {
            Some(texture) => texture.bind(0),
            None => cache.white().bind(0),
        }
    }
}
