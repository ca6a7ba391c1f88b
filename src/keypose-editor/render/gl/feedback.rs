//! Transform feedback: reads back what a vertex shader computes, to test shaders against the CPU.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::buffer::{Buffer, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::vertex_array::{Primitive, VertexArray};

/// Runs the bound program over `vertices` vertices in order and returns its output, `floats` floats per vertex. Nothing
/// is rasterised.
pub fn capture(context: &Context, array: &VertexArray, vertices: usize, floats: usize) -> Result<Vec<f32>, GlError> {
    let mut buffer = Buffer::new(context, Usage::Stream)?;
    buffer.reserve(vertices * floats * size_of::<f32>());
    let gl = &context.gl;
    // SAFETY: the buffer has room for the whole output; feedback ends before it is read.
    unsafe {
        gl.enable(glow::RASTERIZER_DISCARD);
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(buffer.handle));
        gl.begin_transform_feedback(Primitive::Points.name());
        array.draw(Primitive::Points, vertices);
        gl.end_transform_feedback();
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, None);
        gl.disable(glow::RASTERIZER_DISCARD);
    }
    Ok(bytemuck::pod_collect_to_vec(&buffer.read()))
}
