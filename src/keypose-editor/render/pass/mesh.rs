//! Models and solids: one program for all surfaces.

use glam::{Mat4, Vec3, Vec4};

use crate::render::frame::bounds::Aabb;
use crate::render::frame::color::Color;
use crate::render::frame::{Frame, Surface};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Source, Uniform};
use crate::render::gl::state::{Blend, Cull, DepthRange, DepthTest, Fill, State, Winding};
use crate::render::pass::cache::Cache;
use crate::render::pass::draws::{ModelParts, Part};
use crate::render::pass::material::{MaterialUniforms, SEEN};
use crate::render::pass::palette::Palettes;
use crate::render::pass::scene_uniforms::SceneUniforms;
use crate::render::pass::shadow::LightView;
use crate::render::pass::skinning::{Skinning, SkinningUniforms, clip_uniform};
use crate::render::pass::variant::{Variant, Variants};
use crate::render::pass::vertex::{ATTRIBUTES, GpuMesh};
use crate::render::shaders::Shaders;
use keypose::assets::material::{Material, Outline, Shading};

/// The colour modes of `mesh.frag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coloring {
    Lit = 0,
    Unlit = 1,
    Flat = 2,
    Weights = 3,
    Bones = 4,
    Normals = 5,
    Ghost = 6,
    Wires = 7,
    UvChecker = 8,
    Overdraw = 9,
    SkinSpace = 10,
    Toon = 11,
    Geometry = 12,
    Emission = 13,
}

impl Coloring {
    /// The colouring of a material under the frame's light.
    fn of(material: &Material) -> Coloring {
        match material.shading {
            Shading::Lit => Coloring::Lit,
            Shading::Toon => Coloring::Toon,
            Shading::Unlit => Coloring::Unlit,
        }
    }
}

/// The colour mode of a material under the frame's light, for `u_surface`.
pub fn surface_of(material: &Material) -> i32 {
    Coloring::of(material) as i32
}

/// The stages in which models are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Opaque surfaces.
    Opaque,
    /// Ghosts, behind all opaque surfaces.
    Ghosts,
    /// Transparent surfaces, over all opaque ones.
    Blended,
}

/// The variants of the program.
pub struct MeshPass {
    context: Context,
    programs: Variants<MeshProgram>,
}

/// A variant of the program and its uniforms.
struct MeshProgram {
    context: Context,
    program: Program,
    skinning: SkinningUniforms,
    clip_from_world: Uniform<Mat4>,
    surface: Uniform<i32>,
    material: MaterialUniforms,
    tint: Uniform<Vec4>,
    opacity: Uniform<f32>,
    /// World units by which vertices move along their normals.
    outline: Uniform<f32>,
    skin_space: [Uniform<Vec3>; 2],
    scene: SceneUniforms,
}

/// The stage of a model that a pass draws, and its sources.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    pub stage: Stage,
    /// The palettes of the frame.
    pub palettes: &'a Palettes,
}

/// The draws of the blended stage, far ones first: each blended part alone, models whole whose surface needs that. A sheet is last.
pub fn blended<'a>(models: Vec<ModelParts<'a>>) -> Vec<ModelParts<'a>> {
    let mut draws = Vec::with_capacity(models.len());
    for model in models {
        match model.draw.surface {
            Surface::Sheet => draws.push(ModelParts { distance: f32::NEG_INFINITY, ..model }),
            surface if is_whole(surface) || surface == Surface::SkinSpace => draws.push(model),
            _ => {
                let parts = model.parts.iter().filter(|part| part.is_blended() && !part.is_outline);
                let alone = |part: &Part<'a>| {
                    let (distance, parts) = (part.distance, vec![part.clone()]);
                    ModelParts { distance, parts, ..model }
                };
                draws.extend(parts.map(alone));
            }
        }
    }
    draws.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    draws
}

impl MeshPass {
    /// Without programs; see [`MeshPass::need`].
    pub fn new(context: &Context) -> MeshPass {
        MeshPass { context: context.clone(), programs: Variants::default() }
    }

    /// Loads a variant of its program, unless it is loaded.
    pub fn need(&mut self, shaders: &Shaders, variant: Variant) -> Result<(), GlError> {
        let MeshPass { context, programs } = self;
        programs.need(variant, || MeshProgram::new(context, shaders, variant))
    }

    /// The variants that are loaded.
    pub fn variants(&self) -> impl Iterator<Item = Variant> {
        self.programs.names()
    }

    /// Sets the uniforms of the whole frame in all programs.
    pub fn begin(&self, frame: &Frame, clip_from_world: Mat4, light_view: &LightView) {
        self.programs.all().for_each(|program| program.begin(frame, clip_from_world, light_view));
    }

    /// Draws the solids of a level. Their vertices are in world space.
    pub fn draw_solids(&self, solids: &GpuMesh, palettes: &Palettes, cache: &mut Cache) {
        if let Some(program) = self.programs.get(Variant::NONE) {
            program.program.bind();
            program.draw_solids(solids, palettes, cache);
        }
    }

    /// Draws the parts of a model that belong to a stage.
    pub fn draw_model(&self, model: &ModelParts<'_>, drawn: Drawn<'_>, cache: &mut Cache) {
        if let Some(program) = self.programs.get(model.place.variant) {
            program.program.bind();
            program.draw_model(model, drawn, cache);
        }
    }
}

impl MeshProgram {
    fn new(context: &Context, shaders: &Shaders, variant: Variant) -> Result<MeshProgram, GlError> {
        let (mut defines, is_partial) = (variant.defines(), shaders.is_unlit);
        if is_partial {
            defines.push("UNLIT_ONLY".into());
        }
        let source =
            Source { name: "mesh", defines: &defines, attributes: &ATTRIBUTES, is_partial, ..Source::default() };
        let program = Program::new(context, shaders, &source)?;
        let vec3 = |name| program.uniform::<Vec3>(name);
        Ok(MeshProgram {
            context: context.clone(),
            skinning: SkinningUniforms::of(&program, variant)?,
            clip_from_world: clip_uniform(&program)?,
            surface: program.uniform("u_surface")?,
            material: MaterialUniforms::of(&program)?,
            tint: program.uniform("u_tint")?,
            opacity: program.uniform("u_opacity")?,
            outline: program.uniform("u_outline")?,
            skin_space: [vec3("u_skin_low")?, vec3("u_skin_scale")?],
            scene: SceneUniforms::of(&program)?,
            program,
        })
    }

    fn begin(&self, frame: &Frame, clip_from_world: Mat4, light_view: &LightView) {
        self.program.bind();
        self.program.set(&self.clip_from_world, clip_from_world);
        self.scene.set(&self.program, frame, light_view);
    }

    fn draw_solids(&self, solids: &GpuMesh, palettes: &Palettes, cache: &mut Cache) {
        self.context.apply(&State { cull: Cull::Back, ..SOLID });
        self.set_tint(Color::CLEAR, 1.0);
        self.program.set(&self.surface, Coloring::Lit as i32);
        self.material.set(&self.program, &Material { base_color: [1.0; 4], ..Material::default() }, None, cache);
        self.skinning.set(&self.program, &Skinning::NONE, palettes);
        solids.draw();
    }

    fn draw_model(&self, model: &ModelParts<'_>, Drawn { stage, palettes }: Drawn<'_>, cache: &mut Cache) {
        let surface = model.draw.surface;
        if (surface, stage) == (Surface::Wireframe, Stage::Opaque) {
            return self.draw_wireframe(model, palettes, cache);
        }
        self.set_tint(model.draw.tint, if surface == Surface::XRay { XRAY_OPACITY } else { 1.0 });
        let (coloring, states) = draws(surface, stage);
        if coloring == Coloring::SkinSpace {
            let values = skin_space(model, cache);
            self.skin_space.iter().zip(values).for_each(|(uniform, value)| self.program.set(uniform, value));
        }
        let is_drawn = |part: &&Part<'_>| {
            !part.is_outline && (is_whole(surface) || part.is_blended() == (stage == Stage::Blended))
        };
        for state in states {
            for part in model.parts.iter().filter(is_drawn) {
                self.draw_part((model, part), (coloring, *state), palettes, cache);
            }
        }
        if stage == Stage::Opaque {
            let blended = model.parts.iter().filter(|part| part.is_blended() && !part.is_outline && !is_whole(surface));
            blended.for_each(|part| self.draw_part((model, part), (Coloring::Flat, HIDING), palettes, cache));
            self.draw_outlines(model, palettes, cache);
        }
    }

    /// Draws the far sides of hulls that are a little larger than their meshes.
    fn draw_outlines(&self, model: &ModelParts<'_>, palettes: &Palettes, cache: &mut Cache) {
        for part in model.parts.iter().filter(|part| part.is_outline) {
            let Outline { width, color: [red, green, blue] } = part.material.outline;
            self.set_tint(Color::of_linear([red, green, blue, 1.0]), 1.0);
            self.program.set(&self.outline, width * model.metre);
            self.draw_part((model, part), (Coloring::Flat, SOLID), palettes, cache);
        }
        self.program.set(&self.outline, 0.0);
    }

    /// Draws a dim surface that hides what is behind it, and the edges over it.
    fn draw_wireframe(&self, model: &ModelParts<'_>, palettes: &Palettes, cache: &mut Cache) {
        let dim = (Coloring::Lit, State { offset: 1.0, ..SOLID });
        let edges = (Coloring::Wires, State { fill: Fill::Lines, ..OVER });
        let tints = [Color::hex(0x20242b).with_alpha(0.82), Color::hex(0xaebbd0).with_alpha(0.34)];
        for (tint, look) in tints.into_iter().zip([dim, edges]) {
            self.set_tint(tint, 1.0);
            let parts = model.parts.iter().filter(|part| !part.is_outline);
            parts.for_each(|part| self.draw_part((model, part), look, palettes, cache));
        }
    }

    fn draw_part(
        &self,
        (model, part): (&ModelParts<'_>, &Part<'_>),
        (coloring, state): (Coloring, State),
        palettes: &Palettes,
        cache: &mut Cache,
    ) {
        let coloring = if coloring == Coloring::Lit { Coloring::of(&part.material) } else { coloring };
        self.program.set(&self.surface, coloring as i32);
        let cull = match part.is_outline {
            true => Cull::Front,
            false if part.material.double_sided => Cull::Off,
            false => Cull::Back,
        };
        let winding = if part.mirrored { Winding::Mirrored } else { Winding::Usual };
        self.context.apply(&State { cull, winding, ..state });
        self.material.set(&self.program, &part.material, Some(&part.maps), cache);
        if let Some(cutoff) = cutoff(part, coloring, &state) {
            self.material.cut(&self.program, cutoff);
        }
        if let Some(mesh) = cache.mesh(part) {
            self.skinning.set(&self.program, &model.skinning(part, mesh), palettes);
            cache.draw(mesh);
        }
    }

    fn set_tint(&self, tint: Color, opacity: f32) {
        self.program.set(&self.tint, Vec4::from_array(tint.to_linear()));
        self.program.set(&self.opacity, opacity);
    }
}

/// Opacity of X-ray surfaces.
const XRAY_OPACITY: f32 = 0.38;

const SOLID: State = State {
    depth_test: DepthTest::LessOrEqual,
    depth_write: true,
    depth_range: DepthRange::Scene,
    blend: Blend::Off,
    cull: Cull::Off,
    winding: Winding::Usual,
    fill: Fill::Solid,
    offset: 0.0,
};

const OVER: State = State { blend: Blend::Alpha, depth_write: false, ..SOLID };

/// Hides what is behind and not drawn yet.
const HIDING: State = State { blend: Blend::DepthOnly, ..SOLID };

const BEHIND: State = State { depth_range: DepthRange::Behind, ..SOLID };

/// The alpha below which a blended surface doesn't hide what is behind it.
const SOLID_ALPHA: f32 = 0.99;

/// The alpha below which a draw leaves out pixels of a part; `None` if it blends them or its material isn't blended.
fn cutoff(part: &Part<'_>, coloring: Coloring, state: &State) -> Option<f32> {
    let cutoff = match state.blend {
        _ if coloring == Coloring::Ghost => SEEN,
        Blend::Off if !part.is_outline => SEEN,
        Blend::Off | Blend::DepthOnly => SOLID_ALPHA,
        Blend::Alpha | Blend::Add => return None,
    };
    part.is_blended().then_some(cutoff)
}

/// Whether all parts of a surface are drawn in the same stage, whatever their materials.
fn is_whole(surface: Surface) -> bool {
    matches!(
        surface,
        Surface::Ghost
            | Surface::Backdrop
            | Surface::Sheet
            | Surface::XRay
            | Surface::Silhouette
            | Surface::Overdraw
            | Surface::Geometry
    )
}

/// The colours of a surface, and the states with which a stage draws its parts, in order.
fn draws(surface: Surface, stage: Stage) -> (Coloring, &'static [State]) {
    match (surface, stage) {
        (Surface::Ghost, Stage::Ghosts) => (
            Coloring::Ghost,
            &[State { blend: Blend::DepthOnly, ..BEHIND }, State { blend: Blend::Alpha, depth_write: false, ..BEHIND }],
        ),
        (Surface::Backdrop, Stage::Ghosts) => (Coloring::Unlit, &[State { depth_range: DepthRange::Behind, ..OVER }]),
        (Surface::Sheet, Stage::Blended) => (Coloring::Unlit, &[State { depth_range: DepthRange::OnTop, ..OVER }]),
        (Surface::XRay, Stage::Blended) => (Coloring::Lit, &[HIDING, OVER]),
        (Surface::Silhouette, Stage::Opaque) => (Coloring::Flat, &[SOLID]),
        (Surface::Geometry, Stage::Opaque) => (Coloring::Geometry, &[SOLID]),
        (Surface::Overdraw, Stage::Blended) => (
            Coloring::Overdraw,
            &[State { depth_test: DepthTest::Off, blend: Blend::Add, depth_write: false, ..SOLID }],
        ),
        (_, Stage::Ghosts) | (Surface::Wireframe, _) => (Coloring::Lit, &[]),
        (surface, _) if is_whole(surface) => (Coloring::Lit, &[]),
        (surface, Stage::Opaque) => (coloring(surface), &[SOLID]),
        (surface, Stage::Blended) => (coloring(surface), &[OVER]),
    }
}

/// The lowest corner of a model's meshes as they were bound, and one over their sides.
fn skin_space(model: &ModelParts<'_>, cache: &Cache) -> [Vec3; 2] {
    let mut bounds = Aabb::EMPTY;
    model.parts.iter().filter_map(|part| cache.mesh(part)).for_each(|mesh| bounds.merge(&mesh.bound));
    let sides = bounds.max - bounds.min;
    let least = sides.max_element() * 1e-3;
    if least.is_finite() && least > 0.0 { [bounds.min, sides.max(Vec3::splat(least)).recip()] } else { [Vec3::ZERO; 2] }
}

fn coloring(surface: Surface) -> Coloring {
    match surface {
        Surface::Unlit => Coloring::Unlit,
        Surface::Weights(_) => Coloring::Weights,
        Surface::BoneColors => Coloring::Bones,
        Surface::Normals => Coloring::Normals,
        Surface::UvChecker => Coloring::UvChecker,
        Surface::SkinSpace => Coloring::SkinSpace,
        Surface::Emission => Coloring::Emission,
        _ => Coloring::Lit,
    }
}
