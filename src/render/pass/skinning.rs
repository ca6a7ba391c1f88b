//! The uniforms of `mesh.vert` that place a mesh, shared by all programs with that vertex shader; and its positions
//! read back, to hold them against the CPU.

use glam::{Mat4, Vec3};

use crate::assets::mesh::Mesh;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::feedback;
use crate::render::gl::program::{Program, Source, Uniform};
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
}

impl SkinningProbe {
    /// Loads the same vertex shader that draws.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<SkinningProbe, GlError> {
        let (vertex, fragment) = (shaders.text("mesh.vert"), shaders.text("none.frag"));
        let source = Source { name: "mesh probe", vertex, fragment, attributes: &ATTRIBUTES, feedback: &["v_world"] };
        let program = Program::new(context, &source)?;
        let skinning = SkinningUniforms::of(&program)?;
        Ok(SkinningProbe { context: context.clone(), program, skinning })
    }

    /// World positions of every vertex of a mesh in file order, under a palette that begins at `base` and that must
    /// hold every joint of the mesh.
    pub fn positions(&self, mesh: &Mesh, palette: &mut Palette, base: usize) -> Result<Vec<Vec3>, GlError> {
        let gpu = GpuMesh::of(&self.context, mesh)?;
        palette.upload(PALETTE_UNIT)?;
        self.program.bind();
        self.skinning.set(&self.program, base, gpu.sets);
        let floats = feedback::capture(&self.context, gpu.array(), gpu.vertices, 3)?;
        Ok(floats.chunks_exact(3).map(Vec3::from_slice).collect())
    }
}

/// Clip space from world space of programs with `mesh.vert`.
pub fn clip_uniform(program: &Program) -> Result<Uniform<Mat4>, GlError> {
    program.uniform("u_clip_from_world")
}
