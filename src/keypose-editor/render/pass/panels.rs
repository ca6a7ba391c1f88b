//! Draws what Dear ImGui made of a frame into a window that doesn't encode colours itself, such as the canvas of a web page, where
//! imgui-glow-renderer doesn't compile: it wants GL's objects to be numbers.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use imgui::{DrawCmd, DrawCmdParams, DrawData, TextureId};

use crate::render::gl::buffer::{Buffer, Indices, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::gl::state::{Blend, State};
use crate::render::gl::target::Viewport;
use crate::render::gl::texture::Texture;
use crate::render::gl::vertex_array::{Attribute, Components, Primitive, Step, VertexArray};
use crate::render::shaders::Shaders;
use keypose::assets::material::{Filter, Wrap};

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct PanelVertex {
    position: [f32; 2],
    uv: [f32; 2],
    color: [u8; 4],
}

const ATTRIBUTES: [Attribute; 3] = [
    Attribute { location: 0, components: Components::Floats(2), offset: offset_of!(PanelVertex, position) },
    Attribute { location: 1, components: Components::Floats(2), offset: offset_of!(PanelVertex, uv) },
    Attribute { location: 2, components: Components::UnitBytes, offset: offset_of!(PanelVertex, color) },
];

/// The program, its vertices, and the atlas of fonts.
pub struct PanelPass {
    context: Context,
    program: Program,
    size: Uniform<Vec2>,
    is_linear: Uniform<i32>,
    vertices: Buffer,
    array: VertexArray,
    fonts: Texture,
}

impl PanelPass {
    /// The id of the atlas of fonts; pictures have others.
    const FONTS: TextureId = TextureId::new(usize::MAX);

    /// Loads its program and copies the fonts. Fonts that are added later need a new pass.
    pub fn new(context: &Context, shaders: &Shaders, imgui: &mut imgui::Context) -> Result<PanelPass, GlError> {
        let program = Program::load(context, shaders, "panel", &["a_position", "a_uv", "a_color"])?;
        program.set_sampler("u_picture", 0)?;
        let vertices = Buffer::new(context, Usage::Stream)?;
        let mut array = VertexArray::new(context)?;
        array.feed::<PanelVertex>(&vertices, Step::Vertex, &ATTRIBUTES);
        let atlas = imgui.fonts();
        let image = atlas.build_rgba32_texture();
        let mut fonts = Texture::numbers(context, [image.width, image.height], image.data)?;
        fonts.set_sampling([Wrap::Clamp; 2], Filter::Linear);
        atlas.tex_id = PanelPass::FONTS;
        imgui.io_mut().backend_flags |= imgui::BackendFlags::RENDERER_HAS_VTX_OFFSET;
        Ok(PanelPass {
            context: context.clone(),
            size: program.uniform("u_size_points")?,
            is_linear: program.uniform("u_is_linear")?,
            program,
            vertices,
            array,
            fonts,
        })
    }

    /// Fills a window of this size in pixels with a colour, and draws the panels over it. `find` returns the pictures that they show.
    pub fn draw<'t>(
        &mut self,
        data: &DrawData,
        (size, ground): ([u32; 2], [f32; 3]),
        find: &dyn Fn(TextureId) -> Option<&'t Texture>,
    ) -> Result<(), GlError> {
        self.context.clear_window(size, ground);
        let (lists, vertices, indices) = collected(data);
        if indices.is_empty() {
            return Ok(());
        }
        self.vertices.set(&vertices);
        let indices = Indices::new(&self.context, Usage::Stream, &indices)?;
        self.array.index(&indices);
        self.context.apply(&State { blend: Blend::Alpha, ..State::default() });
        self.program.bind();
        self.program.set(&self.size, Vec2::from(data.display_size));
        let scale = data.framebuffer_scale;
        for (first, count, DrawCmdParams { clip_rect, texture_id, .. }) in lists {
            let is_font = texture_id == PanelPass::FONTS;
            let Some(texture) = (if is_font { Some(&self.fonts) } else { find(texture_id) }) else { continue };
            let Some(scissor) = scissor(clip_rect, scale, size) else { continue };
            self.context.set_scissor(Some(scissor));
            texture.bind(0);
            self.program.set(&self.is_linear, i32::from(!is_font));
            self.array.draw_indexed(Primitive::Triangles, first..first + count);
        }
        self.context.reset();
        Ok(())
    }
}

/// The first index, the number of indices, and what else a draw needs.
type Part = (usize, usize, DrawCmdParams);

/// All draws, with the vertices and the indices of all lists in one buffer each.
fn collected(data: &DrawData) -> (Vec<Part>, Vec<PanelVertex>, Vec<u32>) {
    let (mut parts, mut vertices, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    if data.draw_lists_count() == 0 {
        // The list is a null pointer then.
        return (parts, vertices, indices);
    }
    for list in data.draw_lists() {
        let base = vertices.len();
        let vertex = |it: &imgui::DrawVert| PanelVertex { position: it.pos, uv: it.uv, color: it.col };
        vertices.extend(list.vtx_buffer().iter().map(vertex));
        for command in list.commands() {
            let DrawCmd::Elements { count, cmd_params } = command else { continue };
            let (offset, first) = ((base + cmd_params.vtx_offset) as u32, indices.len());
            let used = list.idx_buffer().iter().skip(cmd_params.idx_offset).take(count);
            indices.extend(used.map(|index| offset + u32::from(*index)));
            parts.push((first, indices.len() - first, cmd_params));
        }
    }
    (parts, vertices, indices)
}

/// A clip rectangle in pixels of the window, whose rows start at the bottom; `None` if it is empty.
fn scissor([left, top, right, bottom]: [f32; 4], scale: [f32; 2], size: [u32; 2]) -> Option<Viewport> {
    let x = [left, right].map(|side| (side * scale[0]).round().clamp(0.0, size[0] as f32) as u32);
    let y = [top, bottom].map(|side| (side * scale[1]).round().clamp(0.0, size[1] as f32) as u32);
    let viewport =
        Viewport { at: [x[0], size[1] - y[1]], size: [x[1].saturating_sub(x[0]), y[1].saturating_sub(y[0])] };
    (viewport.size[0] > 0 && viewport.size[1] > 0).then_some(viewport)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_rectangles_are_turned_over_and_stay_inside() {
        let inside = scissor([10.0, 20.0, 30.0, 50.0], [2.0, 2.0], [200, 100]);
        assert_eq!(inside, Some(Viewport { at: [20, 0], size: [40, 60] }));
        assert_eq!(scissor([-5.0, -5.0, 9999.0, 9999.0], [1.0; 2], [200, 100]).unwrap().size, [200, 100]);
        assert_eq!(scissor([30.0, 0.0, 30.0, 50.0], [1.0; 2], [200, 100]), None);
    }
}
