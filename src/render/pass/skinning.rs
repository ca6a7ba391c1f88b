//! The skinning uniforms of `mesh.vert`, shared by all programs with that vertex shader; and reading its positions
//! back, to compare them with the CPU's.

use glam::{Mat4, Vec3};

use crate::render::frame::{Frame, ModelDraw};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::feedback;
use crate::render::gl::program::{Program, Source, Uniform};
use crate::render::gl::target::{Target, Viewport};
use crate::render::pass::draws::collect;
use crate::render::pass::palette::Palette;
use crate::render::pass::vertex::{ATTRIBUTES, GpuMesh};
use crate::render::shaders::Shaders;

/// The texture unit of the palette.
pub const PALETTE_UNIT: u32 = 1;

/// The texture unit of the differences of morph targets.
pub const MORPH_UNIT: u32 = 6;

/// What a mesh uses of the palette.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skinning {
    /// Its first entry.
    pub base: usize,
    /// Sets of influences: 0 (rigid), 1 or 2.
    pub sets: usize,
    /// The entry with the weights of its morph targets; 0 if it has none.
    pub weights: usize,
}

/// The uniforms that select a mesh's palette.
pub struct SkinningUniforms {
    palette: Uniform<i32>,
    base: Uniform<i32>,
    sets: Uniform<i32>,
    morph: Uniform<i32>,
    weights: Uniform<i32>,
}

impl SkinningUniforms {
    /// Resolves the uniforms.
    pub fn of(program: &Program) -> Result<SkinningUniforms, GlError> {
        Ok(SkinningUniforms {
            palette: program.uniform("u_palette")?,
            base: program.uniform("u_palette_base")?,
            sets: program.uniform("u_influence_sets")?,
            morph: program.uniform("u_morph")?,
            weights: program.uniform("u_morph_weights")?,
        })
    }

    /// Sets the uniforms for a mesh. The program must be bound.
    pub fn set(&self, program: &Program, Skinning { base, sets, weights }: Skinning) {
        program.set(&self.palette, PALETTE_UNIT as i32);
        program.set(&self.base, base as i32);
        program.set(&self.sets, sets as i32);
        program.set(&self.morph, MORPH_UNIT as i32);
        program.set(&self.weights, weights as i32);
    }
}

/// Runs the vertex shader alone and reads its world positions back.
pub struct SkinningProbe {
    context: Context,
    program: Program,
    skinning: SkinningUniforms,
    palette: Palette,
    /// A draw needs a target, though nothing is rasterised.
    target: Target,
}

impl SkinningProbe {
    /// Loads the vertex shader that draws meshes.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<SkinningProbe, GlError> {
        let (vertex, fragment) = (shaders.text("mesh.vert"), shaders.text("none.frag"));
        let source = Source { name: "mesh probe", vertex, fragment, attributes: &ATTRIBUTES, feedback: &["v_world"] };
        let program = Program::new(context, &source)?;
        let skinning = SkinningUniforms::of(&program)?;
        let (palette, target) = (Palette::new(context)?, Target::new(context, [1; 2], 1)?);
        Ok(SkinningProbe { context: context.clone(), program, skinning, palette, target })
    }

    /// World positions of every vertex of each visible mesh of a model, in file order.
    pub fn positions(&mut self, draw: &ModelDraw) -> Result<Vec<Vec<Vec3>>, GlError> {
        let frame = Frame { models: vec![draw.clone()], ..Frame::default() };
        let models = collect(&frame, &mut self.palette);
        self.palette.upload(PALETTE_UNIT)?;
        self.target.bind(Viewport::whole(&self.target));
        self.program.bind();
        let mut all = Vec::new();
        for part in models.iter().flat_map(|model| &model.parts) {
            let mesh = GpuMesh::of(&self.context, part.mesh)?;
            self.skinning.set(&self.program, part.skinning(&mesh));
            mesh.bind_morphs();
            let floats = feedback::capture(&self.context, mesh.array(), mesh.vertices, 3)?;
            all.push(floats.chunks_exact(3).map(Vec3::from_slice).collect());
        }
        self.context.reset();
        self.target.unbind();
        Ok(all)
    }
}

/// Resolves the clip-from-world uniform of a program with `mesh.vert`.
pub fn clip_uniform(program: &Program) -> Result<Uniform<Mat4>, GlError> {
    program.uniform("u_clip_from_world")
}
