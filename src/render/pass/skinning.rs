//! The uniforms of `mesh.vert` that place a mesh, shared by all programs with that vertex shader; and its positions
//! read back, to hold them against the CPU.

use glam::{Mat4, Vec3};

use crate::render::frame::{Frame, ModelDraw};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::feedback;
use crate::render::gl::program::{Program, Source, Uniform};
use crate::render::gl::target::{Part, Target};
use crate::render::pass::draws::collect;
use crate::render::pass::palette::Palette;
use crate::render::pass::vertex::{ATTRIBUTES, GpuMesh};
use crate::render::shaders::Shaders;

/// The texture unit of the palette.
pub const PALETTE_UNIT: u32 = 1;

/// Where a draw finds its palette.
pub struct SkinningUniforms {
    palette: Uniform<i32>,
    base: Uniform<i32>,
    sets: Uniform<i32>,
}

impl SkinningUniforms {
    /// Resolves them.
    pub fn of(program: &Program) -> Result<SkinningUniforms, GlError> {
        Ok(SkinningUniforms {
            palette: program.uniform("u_palette")?,
            base: program.uniform("u_palette_base")?,
            sets: program.uniform("u_influence_sets")?,
        })
    }

    /// Sets them for a mesh whose palette begins at `base`; the program must be bound.
    pub fn set(&self, program: &Program, base: usize, sets: usize) {
        program.set(&self.palette, PALETTE_UNIT as i32);
        program.set(&self.base, base as i32);
        program.set(&self.sets, sets as i32);
    }
}

/// The vertex shader alone, its world positions read back.
pub struct SkinningProbe {
    context: Context,
    program: Program,
    skinning: SkinningUniforms,
    palette: Palette,
    /// Without a window a draw needs some target, though it draws nothing.
    target: Target,
}

impl SkinningProbe {
    /// Loads the same vertex shader that draws.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<SkinningProbe, GlError> {
        let (vertex, fragment) = (shaders.text("mesh.vert"), shaders.text("none.frag"));
        let source = Source { name: "mesh probe", vertex, fragment, attributes: &ATTRIBUTES, feedback: &["v_world"] };
        let program = Program::new(context, &source)?;
        let skinning = SkinningUniforms::of(&program)?;
        let (palette, target) = (Palette::new(context)?, Target::new(context, [1; 2], 1)?);
        Ok(SkinningProbe { context: context.clone(), program, skinning, palette, target })
    }

    /// World positions of every vertex, in file order, of each shown mesh of a model, as they are drawn.
    pub fn positions(&mut self, draw: &ModelDraw) -> Result<Vec<Vec<Vec3>>, GlError> {
        let frame = Frame { models: vec![draw.clone()], ..Frame::default() };
        let models = collect(&frame, &mut self.palette);
        self.palette.upload(PALETTE_UNIT)?;
        self.target.bind(Part::whole(&self.target));
        self.program.bind();
        let mut all = Vec::new();
        for part in models.iter().flat_map(|model| &model.parts) {
            let mesh = GpuMesh::of(&self.context, part.mesh)?;
            self.skinning.set(&self.program, part.base, mesh.sets);
            let floats = feedback::capture(&self.context, mesh.array(), mesh.vertices, 3)?;
            all.push(floats.chunks_exact(3).map(Vec3::from_slice).collect());
        }
        self.context.reset();
        self.target.unbind();
        Ok(all)
    }
}

/// Clip space from world space of programs with `mesh.vert`.
pub fn clip_uniform(program: &Program) -> Result<Uniform<Mat4>, GlError> {
    program.uniform("u_clip_from_world")
}
