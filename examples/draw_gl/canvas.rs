//! The GL part of any program: a target, a program with its shaders, buffers, a texture, and the picture at the end.

use std::error::Error;

use bytemuck::NoUninit;
use glow::HasContext;
use keypose::assets::texture::Texture;
use keypose_tools::export::{bitmap::Bitmap, png};

/// Width and height of the picture.
pub const SIZE: i32 = 480;

const VERTEX: &str = "#version 330 core
    uniform mat4 clip_from_model;
    layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; layout(location = 2) in vec2 uv;
    out vec3 turned; out vec2 place;
    void main() { gl_Position = clip_from_model * vec4(position, 1.0); turned = normal; place = uv; }";
const FRAGMENT: &str = "#version 330 core
    uniform vec4 color; uniform sampler2D image;
    in vec3 turned; in vec2 place; out vec4 pixel;
    void main() {
        float light = 0.35 + 0.65 * max(dot(normalize(turned), normalize(vec3(0.4, 0.7, 0.6))), 0.0);
        pixel = vec4(pow((color * texture(image, place)).rgb * light, vec3(1.0 / 2.2)), 1.0);
    }";

/// The program that draws, into a picture in memory.
pub struct Canvas {
    program: glow::Program,
    clip_from_model: Option<glow::UniformLocation>,
    /// The colour of what is drawn next.
    pub color: Option<glow::UniformLocation>,
}

impl Canvas {
    pub unsafe fn new(gl: &glow::Context) -> Result<Canvas, String> {
        unsafe {
            let program = gl.create_program()?;
            for (kind, text) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, text);
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(gl.get_program_info_log(program));
            }
            let target = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target));
            let [colors, depths] = [glow::COLOR_ATTACHMENT0, glow::DEPTH_ATTACHMENT];
            for (place, format) in [(colors, glow::RGBA8), (depths, glow::DEPTH_COMPONENT24)] {
                let buffer = gl.create_renderbuffer()?;
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
                gl.renderbuffer_storage(glow::RENDERBUFFER, format, SIZE, SIZE);
                gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
            }
            let clip_from_model = gl.get_uniform_location(program, "clip_from_model");
            let color = gl.get_uniform_location(program, "color");
            Ok(Canvas { program, clip_from_model, color })
        }
    }

    /// Clears the picture and makes everything ready to draw.
    pub unsafe fn begin(&self, gl: &glow::Context, clip_from_model: glam::Mat4) {
        unsafe {
            gl.viewport(0, 0, SIZE, SIZE);
            gl.enable(glow::DEPTH_TEST);
            gl.clear_color(0.16, 0.17, 0.2, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            gl.use_program(Some(self.program));
            let matrix = clip_from_model.to_cols_array();
            gl.uniform_matrix_4_f32_slice(self.clip_from_model.as_ref(), false, &matrix);
        }
    }
}

/// A buffer for an attribute of `width` numbers a vertex.
pub unsafe fn attribute(gl: &glow::Context, place: u32, width: i32) -> Result<glow::Buffer, String> {
    unsafe {
        let buffer = gl.create_buffer()?;
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
        gl.enable_vertex_attrib_array(place);
        gl.vertex_attrib_pointer_f32(place, width, glow::FLOAT, false, 0, 0);
        Ok(buffer)
    }
}

/// Fills the buffer that is bound.
pub unsafe fn fill<T: NoUninit>(gl: &glow::Context, target: u32, values: &[T], usage: u32) {
    unsafe { gl.buffer_data_u8_slice(target, bytemuck::cast_slice(values), usage) }
}

/// The texture of an image; one white pixel where there is none.
pub unsafe fn texture(gl: &glow::Context, image: Option<&Texture>) -> Result<glow::Texture, String> {
    let pixels = image.map_or_else(|| Ok(vec![255; 4].into()), Texture::pixels)?;
    let (width, height) = image.map_or((1, 1), |it| (it.width as i32, it.height as i32));
    unsafe {
        let texture = gl.create_texture()?;
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, glow::LINEAR as i32);
        let (format, kind) = (glow::RGBA, glow::UNSIGNED_BYTE);
        let inner = glow::SRGB8_ALPHA8 as i32;
        gl.tex_image_2d(glow::TEXTURE_2D, 0, inner, width, height, 0, format, kind, Some(&pixels));
        Ok(texture)
    }
}

/// The pixels, from the lower left.
pub unsafe fn pixels(gl: &glow::Context) -> Vec<u8> {
    let mut pixels = vec![0; (SIZE * SIZE * 4) as usize];
    let into = glow::PixelPackData::Slice(&mut pixels);
    unsafe { gl.read_pixels(0, 0, SIZE, SIZE, glow::RGBA, glow::UNSIGNED_BYTE, into) };
    pixels
}

/// Writes pixels as a PNG.
pub fn save(pixels: &[u8], file: &str) -> Result<(), Box<dyn Error>> {
    let rows = pixels.chunks(SIZE as usize * 4).rev().flatten().copied().collect();
    let picture = Bitmap::new(SIZE as u32, SIZE as u32, rows).ok_or("the picture has no size")?;
    Ok(std::fs::write(file, png::encode(&picture)?)?)
}
