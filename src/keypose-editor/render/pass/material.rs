//! The uniforms and textures of a material in `mesh.frag`.

use glam::{Vec3, Vec4};

use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::pass::cache::Cache;
use crate::render::pass::draws::Maps;
use keypose::assets::material::{AlphaMode, Material, UvTransform};
use keypose::assets::texture::Use;

/// The locations of the uniforms that a material sets.
pub struct MaterialUniforms {
    uv: [Uniform<Vec3>; 2],
    base_color: Uniform<Vec4>,
    alpha_mode: Uniform<i32>,
    cutoff: Uniform<f32>,
    emissive: Uniform<Vec3>,
    /// Metalness, roughness, and the scale of normals, 0 without a normal map.
    reflection: Uniform<Vec3>,
    /// How much of the occlusion counts, 0 without its texture.
    occlusion: Uniform<f32>,
    /// Colour and roughness of the sheen.
    sheen: Uniform<Vec4>,
}

/// The texture units of colour, emission, normals, metalness with roughness, and occlusion. Those between are of palettes, shadows, morph
/// targets and crowds.
const UNITS: [u32; 5] = [0, 3, 4, 5, 10];

impl MaterialUniforms {
    /// Resolves the uniforms.
    pub fn of(program: &Program) -> Result<MaterialUniforms, GlError> {
        let maps = ["u_texture", "u_emissive_map", "u_normal_map", "u_reflection_map", "u_occlusion_map"];
        maps.into_iter().zip(UNITS).try_for_each(|(name, unit)| program.set_sampler(name, unit))?;
        Ok(MaterialUniforms {
            uv: [program.uniform("u_uv_across")?, program.uniform("u_uv_down")?],
            base_color: program.uniform("u_base_color")?,
            alpha_mode: program.uniform("u_alpha_mode")?,
            cutoff: program.uniform("u_cutoff")?,
            emissive: program.uniform("u_emissive")?,
            reflection: program.uniform("u_reflection")?,
            occlusion: program.uniform("u_occlusion")?,
            sheen: program.uniform("u_sheen")?,
        })
    }

    /// Sets the uniforms and binds the prepared images of a material. The program must be bound.
    pub fn set(&self, program: &Program, material: &Material, maps: Option<&Maps<'_>>, cache: &mut Cache) {
        let mode = match material.alpha_mode {
            AlphaMode::Opaque => 0,
            AlphaMode::Mask(_) => 1,
            AlphaMode::Blend => 2,
        };
        program.set(&self.base_color, material.base_color.into());
        program.set(&self.alpha_mode, mode);
        program.set(&self.cutoff, cutoff(material.alpha_mode));
        let rows = uv_rows(&material.uv_transform);
        self.uv.iter().zip(rows).for_each(|(uniform, row)| program.set(uniform, row));
        program.set(&self.emissive, material.emissive.into());
        let has_normals = maps.is_some_and(|maps| maps.normal.is_some());
        let normal_scale = if has_normals { material.normal_scale } else { 0.0 };
        program.set(&self.reflection, Vec3::new(material.metallic, material.roughness, normal_scale));
        let has_occlusion = maps.is_some_and(|maps| maps.occlusion.is_some());
        program.set(&self.occlusion, if has_occlusion { material.occlusion_strength } else { 0.0 });
        program.set(&self.sheen, Vec3::from(material.sheen.color).extend(material.sheen.roughness));
        self.bind(material, maps, cache);
    }

    /// Leaves out what is below an alpha and blends nothing, as for a mask. After [`MaterialUniforms::set`].
    pub fn cut(&self, program: &Program, cutoff: f32) {
        program.set(&self.alpha_mode, 1);
        program.set(&self.cutoff, cutoff);
    }

    fn bind(&self, material: &Material, maps: Option<&Maps<'_>>, cache: &mut Cache) {
        let [color, emissive, normal, metallic_roughness, occlusion] = UNITS;
        let maps = maps.copied().unwrap_or_default();
        // Setting how a texture is sampled binds it to the first unit, so that one is bound last.
        let images = [
            (emissive, maps.emissive, Use::Colors),
            (normal, maps.normal, Use::Numbers),
            (metallic_roughness, maps.metallic_roughness, Use::Numbers),
            (occlusion, maps.occlusion, Use::Numbers),
            (color, maps.color, Use::Colors),
        ];
        for (unit, image, what) in images {
            match image.and_then(|image| cache.texture(image, what)) {
                Some(texture) => {
                    texture.set_sampling(material.wrap, material.filter);
                    texture.bind(unit);
                }
                None => cache.white().bind(unit),
            }
        }
    }
}

/// The alpha below which a blended surface is mostly see-through: it isn't part of silhouettes, ghosts, shadows and sprites.
pub const SEEN: f32 = 0.5;

/// The alpha below which a surface that isn't blended is left out. Interpolated alphas are off by rounding.
pub fn cutoff(mode: AlphaMode) -> f32 {
    match mode {
        AlphaMode::Opaque => 0.0,
        AlphaMode::Mask(cutoff) => cutoff - 1e-4,
        AlphaMode::Blend => SEEN,
    }
}

/// The two rows that transform texture coordinates, `row · (u, v, 1)`. glTF rotates counter-clockwise with v down,
/// hence the signs (KHR_texture_transform).
pub fn uv_rows(uv: &UvTransform) -> [Vec3; 2] {
    let (sin, cos) = uv.rotation.sin_cos();
    let (scale, offset) = (uv.scale, uv.offset);
    [Vec3::new(cos * scale.x, sin * scale.y, offset.x), Vec3::new(-sin * scale.x, cos * scale.y, offset.y)]
}
