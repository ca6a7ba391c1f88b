//! The shadow map: the depth of everything that casts a shadow, rendered from the key light.

use glam::{Mat4, Vec2, Vec3};

use crate::render::frame::bounds::Aabb;
use crate::render::frame::camera::look;
use crate::render::frame::{Frame, Shadow, Surface};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Source, Uniform};
use crate::render::gl::target::ShadowMap;
use crate::render::pass::cache::Cache;
use crate::render::pass::depth_material::DepthMaterial;
use crate::render::pass::draws::{ModelParts, Part};
use crate::render::pass::palette::Palettes;
use crate::render::pass::skinning::{Skinning, SkinningUniforms, clip_uniform};
use crate::render::pass::variant::{Variant, Variants};
use crate::render::pass::vertex::{ATTRIBUTES, GpuMesh};
use crate::render::shaders::Shaders;
use keypose::assets::material::Material;

/// The texture unit of the shadow map.
pub const SHADOW_UNIT: u32 = 2;

/// Width and height of the map in texels.
const SIZE: u32 = 1024;

/// Width of the empty border in texels, so that soft lookups stay inside of the map.
const BORDER: f32 = 8.0;

/// The light's camera and the strength of its shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightView {
    /// The map's clip space from world space.
    pub clip_from_world: Mat4,
    /// World units per texel.
    pub texel: f32,
    /// 0 if nothing casts a shadow.
    pub strength: f32,
}

/// The variants of the program, and the map.
pub struct ShadowPass {
    context: Context,
    programs: Variants<ShadowProgram>,
    map: ShadowMap,
}

/// A variant of the program and its uniforms.
struct ShadowProgram {
    context: Context,
    program: Program,
    skinning: SkinningUniforms,
    clip_from_world: Uniform<Mat4>,
    material: DepthMaterial,
}

impl ShadowPass {
    /// Creates the map; without programs, see [`ShadowPass::need`].
    pub fn new(context: &Context) -> Result<ShadowPass, GlError> {
        let (programs, map) = (Variants::default(), ShadowMap::new(context, SIZE)?);
        Ok(ShadowPass { context: context.clone(), programs, map })
    }

    /// Loads a variant of its program, unless it is loaded.
    pub fn need(&mut self, shaders: &Shaders, variant: Variant) -> Result<(), GlError> {
        let ShadowPass { context, programs, .. } = self;
        programs.need(variant, || ShadowProgram::new(context, shaders, variant))
    }

    /// Draws every model and solid that casts a shadow; not needed if the strength is 0. What casts one as well may be drawn to the map until [`ShadowPass::bind`].
    pub fn draw(
        &self,
        view: &LightView,
        (models, solids): (&[ModelParts<'_>], Option<&GpuMesh>),
        palettes: &Palettes,
        cache: &mut Cache,
    ) {
        self.map.bind();
        self.context.clear([0.0; 4]);
        for model in models.iter().filter(|model| casts(model)) {
            let Some(program) = self.programs.get(model.place.variant) else { continue };
            program.begin(view);
            let parts = model.parts.iter().filter(|part| !part.is_outline);
            parts.for_each(|part| program.draw_part(model, part, palettes, cache));
        }
        if let (Some(solids), Some(program)) = (solids, self.programs.get(Variant::NONE)) {
            program.begin(view);
            program.prepare(&Skinning::NONE, None, palettes, cache);
            solids.draw();
        }
    }

    /// Binds the map for the following passes.
    pub fn bind(&self) {
        self.map.texture().bind(SHADOW_UNIT);
    }
}

impl ShadowProgram {
    fn new(context: &Context, shaders: &Shaders, variant: Variant) -> Result<ShadowProgram, GlError> {
        let (name, defines) = ("mesh.vert+depth.frag", variant.defines());
        let source = Source { name, defines: &defines, attributes: &ATTRIBUTES, ..Source::default() };
        let program = Program::new(context, shaders, &source)?;
        Ok(ShadowProgram {
            context: context.clone(),
            skinning: SkinningUniforms::of(&program, variant)?,
            clip_from_world: clip_uniform(&program)?,
            material: DepthMaterial::of(&program)?,
            program,
        })
    }

    fn begin(&self, view: &LightView) {
        self.program.bind();
        self.program.set(&self.clip_from_world, view.clip_from_world);
    }

    fn draw_part(&self, model: &ModelParts<'_>, part: &Part<'_>, palettes: &Palettes, cache: &mut Cache) {
        let Some(skinning) = cache.mesh(part).map(|mesh| model.skinning(part, mesh)) else { return };
        self.prepare(&skinning, Some(part), palettes, cache);
        if let Some(mesh) = cache.mesh(part) {
            cache.draw(mesh);
        }
    }

    fn prepare(&self, skinning: &Skinning, part: Option<&Part<'_>>, palettes: &Palettes, cache: &mut Cache) {
        DepthMaterial::begin(&self.context);
        self.skinning.set(&self.program, skinning, palettes);
        match part {
            Some(part) => self.material.set(&self.program, &part.material, Some(&part.maps), cache),
            None => self.material.set(&self.program, &Material::default(), None, cache),
        }
    }
}

/// Whether a model casts a shadow.
fn casts(model: &ModelParts<'_>) -> bool {
    model.draw.shadow == Shadow::Cast && model.draw.surface != Surface::Ghost
}

/// The light's view of everything near the camera's target that casts a shadow. It moves in whole texels and grows in
/// steps, so that shadows don't flicker when things move.
pub fn light_view(frame: &Frame, models: &[ModelParts<'_>], crowds: Aabb, cache: &mut Cache) -> LightView {
    let mut bounds = crowds;
    for model in models.iter().filter(|model| casts(model)) {
        let parts = model.draw.bounds.clone().unwrap_or_else(|| cache.bounds(&model.draw.model));
        let posed = parts.posed(&model.draw.pose);
        bounds.merge(&posed.transformed(&model.draw.world_from_model));
    }
    for solid in frame.solids.iter().filter(|solid| solid.shadow == Shadow::Cast) {
        bounds.merge(&Aabb { min: solid.min, max: solid.max });
    }
    let back = frame.light.to_key.try_normalize().unwrap_or(Vec3::Y);
    let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::X);
    let light_from_world = look(Vec3::ZERO, right, back.cross(right), back);
    let bounds = bounds.transformed(&light_from_world);
    // Models far from the camera's target must not reduce the resolution near it. Those between it and the light cast shadows on it.
    let reach = Vec2::splat(frame.camera.eye.distance(frame.camera.target) * 1.2).extend(f32::INFINITY);
    let target = light_from_world.transform_point3(frame.camera.target);
    let bounds = Aabb { min: bounds.min.max(target - reach), max: bounds.max.min(target + reach) };
    let strength = if bounds.is_empty() || !bounds.radius().is_finite() { 0.0 } else { frame.light.shadow };
    let (clip_from_light, texel) = fit(&bounds);
    LightView { clip_from_world: clip_from_light * light_from_world, texel, strength }
}

/// An orthographic view of a box in the space of the light, and the size of a texel.
fn fit(seen: &Aabb) -> (Mat4, f32) {
    let (size, center) = (seen.max - seen.min, seen.center());
    // Steps of 20 %.
    let side = 1.2_f32.powf(size.truncate().max_element().max(1e-4).log(1.2).ceil());
    let side = side * SIZE as f32 / (SIZE as f32 - 2.0 * BORDER);
    let texel = side / SIZE as f32;
    let snapped = (Vec2::new(center.x, center.y) / texel).round() * texel;
    let depth = size.z.max(side);
    let scale = Vec3::new(2.0 / side, 2.0 / side, -1.0 / depth);
    let middle = Vec3::new(snapped.x, snapped.y, center.z);
    (Mat4::from_scale(scale) * Mat4::from_translation(-middle), texel)
}
