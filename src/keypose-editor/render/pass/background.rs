//! The background gradient.

use glam::Vec4;

use crate::render::frame::Background;
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::gl::state::State;
use crate::render::gl::vertex_array::{Primitive, VertexArray};
use crate::render::shaders::Shaders;

/// The program and its uniforms.
pub struct BackgroundPass {
    context: Context,
    program: Program,
    top: Uniform<Vec4>,
    bottom: Uniform<Vec4>,
    array: VertexArray,
}

impl BackgroundPass {
    /// Loads its program.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<BackgroundPass, GlError> {
        let program = Program::load(context, shaders, "background", &[])?;
        let (top, bottom) = (program.uniform("u_top")?, program.uniform("u_bottom")?);
        Ok(BackgroundPass { context: context.clone(), program, top, bottom, array: VertexArray::new(context)? })
    }

    /// Fills the viewport.
    pub fn draw(&self, background: &Background) {
        self.context.apply(&State::default());
        self.program.bind();
        self.program.set(&self.top, Vec4::from_array(background.top.to_array()));
        self.program.set(&self.bottom, Vec4::from_array(background.bottom.to_array()));
        self.array.draw(Primitive::Triangles, 3);
    }
}
