//! A resolved target as the picture of a window that doesn't encode colours itself, such as the canvas of a web page.

use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::Program;
use crate::render::gl::state::State;
use crate::render::gl::target::Target;
use crate::render::gl::vertex_array::{Primitive, VertexArray};
use crate::render::shaders::Shaders;

/// The program and its picture.
pub struct PresentPass {
    context: Context,
    program: Program,
    array: VertexArray,
}

impl PresentPass {
    /// Loads its program.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<PresentPass, GlError> {
        let program = Program::load(context, shaders, "background.vert+present.frag", &[])?;
        program.set_sampler("u_picture", 0)?;
        Ok(PresentPass { context: context.clone(), program, array: VertexArray::new(context)? })
    }

    /// Fills the window, which has the size of the target.
    pub fn draw(&self, target: &Target) {
        target.bind_window();
        self.context.apply(&State::default());
        self.program.bind();
        target.texture().bind(0);
        self.array.draw(Primitive::Triangles, 3);
        self.context.reset();
    }
}
