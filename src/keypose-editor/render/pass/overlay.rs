//! Lines and triangles over the scene, layer by layer.

use std::cmp::Reverse;
use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2};

use crate::render::frame::Frame;
use crate::render::frame::overlay::{Layer, Line, Overlay, Triangle};
use crate::render::gl::buffer::{Buffer, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::gl::state::{Blend, DepthTest, State};
use crate::render::gl::vertex_array::{Attribute, Components, Primitive, Step, VertexArray};
use crate::render::shaders::Shaders;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LineInstance {
    from: [f32; 3],
    to: [f32; 3],
    from_color: [u8; 4],
    to_color: [u8; 4],
    width: f32,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct FlatVertex {
    position: [f32; 3],
    color: [u8; 4],
}

/// The programs and vertex streams of lines and triangles.
pub struct OverlayPass {
    context: Context,
    line: Program,
    line_clip: Uniform<Mat4>,
    line_size: Uniform<Vec2>,
    line_scale: Uniform<f32>,
    line_buffer: Buffer,
    line_array: VertexArray,
    flat: Program,
    flat_clip: Uniform<Mat4>,
    flat_buffer: Buffer,
    flat_array: VertexArray,
}

impl OverlayPass {
    /// Loads its programs.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<OverlayPass, GlError> {
        let line_attributes = ["a_from", "a_to", "a_from_color", "a_to_color", "a_width"];
        let line = Program::load(context, shaders, "line", &line_attributes)?;
        let flat = Program::load(context, shaders, "flat", &["a_position", "a_color"])?;
        let (line_buffer, line_array) = stream::<LineInstance>(context, Step::Instance, &LINE_ATTRIBUTES)?;
        let (flat_buffer, flat_array) = stream::<FlatVertex>(context, Step::Vertex, &FLAT_ATTRIBUTES)?;
        Ok(OverlayPass {
            context: context.clone(),
            line_clip: line.uniform("u_clip_from_world")?,
            line_size: line.uniform("u_size_pixels")?,
            line_scale: line.uniform("u_pixels_per_point")?,
            flat_clip: flat.uniform("u_clip_from_world")?,
            line,
            line_buffer,
            line_array,
            flat,
            flat_buffer,
            flat_array,
        })
    }

    /// Draws all layers of an overlay of the frame. Each has its triangles before its lines.
    pub fn draw(&mut self, frame: &Frame, overlay: &Overlay, clip_from_world: Mat4, size: [u32; 2]) {
        self.line.bind();
        self.line.set(&self.line_clip, clip_from_world);
        self.line.set(&self.line_size, Vec2::new(size[0] as f32, size[1] as f32));
        self.line.set(&self.line_scale, frame.pixels_per_point);
        self.flat.bind();
        self.flat.set(&self.flat_clip, clip_from_world);
        for layer in [Layer::Scene, Layer::OnTop, Layer::Above] {
            let depth_test = if layer == Layer::Scene { DepthTest::LessOrEqual } else { DepthTest::Off };
            let state = State { depth_test, blend: Blend::Alpha, offset: -1.0, ..State::default() };
            let mut triangles: Vec<&Triangle> =
                overlay.triangles.iter().filter(|triangle| triangle.layer == layer).collect();
            if layer == Layer::OnTop {
                let distance = |triangle: &&Triangle| {
                    let [a, b, c] = triangle.corners;
                    ((a + b + c) / 3.0).distance_squared(frame.camera.eye)
                };
                // Bits of positive numbers have their order.
                triangles.sort_by_cached_key(|triangle| Reverse(distance(triangle).to_bits()));
            }
            self.draw_triangles(&triangles, &state);
            let lines: Vec<LineInstance> =
                overlay.lines.iter().filter(|line| line.layer == layer).map(instance).collect();
            self.draw_lines(&lines, &state);
        }
    }

    fn draw_triangles(&mut self, triangles: &[&Triangle], state: &State) {
        if triangles.is_empty() {
            return;
        }
        let vertices = triangles.iter().flat_map(|triangle| {
            let color = triangle.color.to_bytes();
            triangle.corners.map(|corner| FlatVertex { position: corner.to_array(), color })
        });
        let vertices: Vec<FlatVertex> = vertices.collect();
        self.flat_buffer.set(&vertices);
        self.context.apply(state);
        self.flat.bind();
        self.flat_array.draw(Primitive::Triangles, vertices.len());
    }

    fn draw_lines(&mut self, lines: &[LineInstance], state: &State) {
        if lines.is_empty() {
            return;
        }
        self.line_buffer.set(lines);
        self.context.apply(state);
        self.line.bind();
        self.line_array.draw_instanced(Primitive::TriangleStrip, 4, lines.len());
    }
}

fn instance(line: &Line) -> LineInstance {
    LineInstance {
        from: line.from.to_array(),
        to: line.to.to_array(),
        from_color: line.from_color.to_bytes(),
        to_color: line.to_color.to_bytes(),
        width: line.width,
    }
}

const LINE_ATTRIBUTES: [Attribute; 5] = [
    Attribute { location: 0, components: Components::Floats(3), offset: offset_of!(LineInstance, from) },
    Attribute { location: 1, components: Components::Floats(3), offset: offset_of!(LineInstance, to) },
    Attribute { location: 2, components: Components::UnitBytes, offset: offset_of!(LineInstance, from_color) },
    Attribute { location: 3, components: Components::UnitBytes, offset: offset_of!(LineInstance, to_color) },
    Attribute { location: 4, components: Components::Floats(1), offset: offset_of!(LineInstance, width) },
];

const FLAT_ATTRIBUTES: [Attribute; 2] = [
    Attribute { location: 0, components: Components::Floats(3), offset: offset_of!(FlatVertex, position) },
    Attribute { location: 1, components: Components::UnitBytes, offset: offset_of!(FlatVertex, color) },
];

/// A buffer that is refilled for each draw, and its vertex array.
fn stream<T: Pod>(context: &Context, step: Step, attributes: &[Attribute]) -> Result<(Buffer, VertexArray), GlError> {
    let (buffer, mut array) = (Buffer::new(context, Usage::Stream)?, VertexArray::new(context)?);
    array.feed::<T>(&buffer, step, attributes);
    Ok((buffer, array))
}
