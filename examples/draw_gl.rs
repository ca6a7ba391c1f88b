//! Draws a clip of an archive with glow alone: textured meshes, skinned on the CPU, lit by one lamp, into a picture.
//! `cargo run --example draw_gl -- data/demo.wad [MODEL [CLIP]] --frame out.png`
//!
//! It needs no window, so that it runs anywhere; with one, the context comes from winit and glutin instead, and all
//! after [`Headless::open`] is the same. It fails where nothing was drawn or nothing moved, so it is a test as well.
#![allow(unsafe_code)] // Every call of GL is.

use std::error::Error;

use glow::HasContext;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skin::cpu::{self, InfluenceSet, Influences, Skinned, Source};
use keypose::anim::skin::palette;
use keypose::anim::time::Time;
use keypose::app::headless::{Checks, Driver, Headless};
use keypose::assets::mesh::Binding;
use keypose::assets::model::{Model, Visibility};
use keypose::export::{picture::Picture, png};
use keypose::render::frame::camera::Camera;

const SIZE: i32 = 480;
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

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let frame = words.iter().position(|word| word == "--frame").map(|at| words.drain(at..).nth(1));
    let path = words.first().cloned().unwrap_or_else(|| "data/demo.wad".into());
    let archive = keypose::wad::decode(&std::fs::read(&path).map_err(|reason| format!("{path}: {reason}"))?)?;
    let is_wanted = |at: usize, name: &str| words.get(at).is_none_or(|wanted| wanted == name);
    let character =
        archive.characters.iter().find(|it| is_wanted(1, &it.model.name)).ok_or("the archive has no such model")?;
    let clip = character.clips.iter().find(|it| is_wanted(2, &it.name)).ok_or("the model has no such clip")?;

    let headless = Headless::open(Driver::Any, Checks::Off)?;
    // SAFETY: the context is current on this thread until `headless` goes, and every slice is as long as GL is told.
    let pictures = unsafe {
        let gl = &*headless.gl;
        let scene = Scene::new(gl, &character.model)?;
        let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
        let mut draw = |step: i64| {
            clip.sample(Time(clip.length.0 / 8 * step), &mut local);
            pose.compute(&character.model.skeleton, &local);
            scene.draw(gl, &character.model, &pose)
        };
        (0..8).map(&mut draw).collect::<Vec<Vec<u8>>>()
    };
    let lit = pictures[3].chunks(4).filter(|pixel| *pixel != pictures[3][..4].iter().as_slice()).count();
    println!("{}, {}: {lit} pixels of {}", character.model.name, clip.name, SIZE * SIZE);
    if lit == 0 || pictures.iter().all(|picture| *picture == pictures[0]) {
        return Err("nothing was drawn, or nothing moved".into());
    }
    if let Some(file) = frame.flatten() {
        let rows = pictures[3].chunks(SIZE as usize * 4).rev().flatten().copied().collect();
        let picture = Picture::new(SIZE as u32, SIZE as u32, rows).ok_or("the picture has no size")?;
        std::fs::write(file, png::encode(&picture)?)?;
    }
    Ok(())
}

/// What the driver keeps of a model: for each visible mesh its place in the model, buffers, and its texture.
struct Scene {
    program: glow::Program,
    parts: Vec<(usize, glow::VertexArray, [glow::Buffer; 2], glow::Texture)>,
    camera: Camera,
}

impl Scene {
    unsafe fn new(gl: &glow::Context, model: &Model) -> Result<Scene, String> {
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
            for (place, format) in
                [(glow::COLOR_ATTACHMENT0, glow::RGBA8), (glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT24)]
            {
                let buffer = gl.create_renderbuffer()?;
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
                gl.renderbuffer_storage(glow::RENDERBUFFER, format, SIZE, SIZE);
                gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
            }
            let mut parts = Vec::new();
            let shown = |(_, slot): &(usize, _)| {
                matches!(slot, keypose::assets::model::MeshSlot { visibility: Visibility::Shown, .. })
            };
            for (at, slot) in model.meshes.iter().cloned().enumerate().filter(shown) {
                let array = gl.create_vertex_array()?;
                gl.bind_vertex_array(Some(array));
                let buffer = |place: u32, width: i32| -> Result<glow::Buffer, String> {
                    let buffer = gl.create_buffer()?;
                    gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
                    gl.enable_vertex_attrib_array(place);
                    gl.vertex_attrib_pointer_f32(place, width, glow::FLOAT, false, 0, 0);
                    Ok(buffer)
                };
                let moving = [buffer(0, 3)?, buffer(1, 3)?];
                if !slot.mesh.uvs.is_empty() {
                    buffer(2, 2)?;
                    gl.buffer_data_u8_slice(
                        glow::ARRAY_BUFFER,
                        bytemuck::cast_slice(&slot.mesh.uvs),
                        glow::STATIC_DRAW,
                    );
                }
                gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(gl.create_buffer()?));
                let indices = bytemuck::cast_slice(&slot.mesh.indices);
                gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, indices, glow::STATIC_DRAW);
                parts.push((at, array, moving, texture(gl, model, slot.mesh.material)?));
            }
            let rest: Vec<glam::Vec3> =
                model.skeleton.rest_model_pose().bones.iter().map(|it| it.translation()).collect();
            let camera = Camera::framing(&rest, glam::Vec3::new(0.5, 0.3, 1.0), 1.0, 0.2);
            Ok(Scene { program, parts, camera })
        }
    }

    /// The pixels from the lower left.
    unsafe fn draw(&self, gl: &glow::Context, model: &Model, pose: &ModelPose) -> Vec<u8> {
        unsafe {
            gl.viewport(0, 0, SIZE, SIZE);
            gl.enable(glow::DEPTH_TEST);
            gl.clear_color(0.16, 0.17, 0.2, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            gl.use_program(Some(self.program));
            let matrix = self.camera.clip_from_world(1.0).to_cols_array();
            gl.uniform_matrix_4_f32_slice(
                gl.get_uniform_location(self.program, "clip_from_model").as_ref(),
                false,
                &matrix,
            );
            let color = gl.get_uniform_location(self.program, "color");
            let (mut matrices, mut skinned) = (Vec::new(), Skinned::default());
            for (at, array, [positions, normals], texture) in &self.parts {
                let mesh = &model.meshes[*at].mesh;
                let source = Source { positions: &mesh.positions, normals: &mesh.normals, tangents: &[] };
                // A rigid mesh is one whose every vertex hangs on one joint.
                let rigid = [InfluenceSet {
                    joints: vec![[0; 4]; mesh.positions.len()],
                    weights: vec![[1., 0., 0., 0.]; mesh.positions.len()],
                }];
                let sets = match mesh.binding {
                    Binding::Skin(skin) => {
                        palette::compute(&model.skins[skin], pose, &mut matrices);
                        &mesh.influences[..]
                    }
                    Binding::Bone(bone) => {
                        matrices = vec![pose.get(bone)];
                        &rigid[..]
                    }
                };
                cpu::vertices(&Influences::of(sets), &matrices, &source, &mut skinned);
                for (buffer, values) in [(positions, &skinned.positions), (normals, &skinned.normals)] {
                    gl.bind_buffer(glow::ARRAY_BUFFER, Some(*buffer));
                    gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytemuck::cast_slice(values), glow::STREAM_DRAW);
                }
                gl.bind_texture(glow::TEXTURE_2D, Some(*texture));
                gl.uniform_4_f32_slice(color.as_ref(), &model.materials[mesh.material].base_color);
                gl.bind_vertex_array(Some(*array));
                gl.draw_elements(glow::TRIANGLES, mesh.indices.len() as i32, glow::UNSIGNED_INT, 0);
            }
            let mut pixels = vec![0; (SIZE * SIZE * 4) as usize];
            gl.read_pixels(0, 0, SIZE, SIZE, glow::RGBA, glow::UNSIGNED_BYTE, glow::PixelPackData::Slice(&mut pixels));
            pixels
        }
    }
}

/// The texture of a material; one white pixel where it has none.
unsafe fn texture(gl: &glow::Context, model: &Model, material: usize) -> Result<glow::Texture, String> {
    let image = model.materials[material].texture.map(|at| &model.textures[at]);
    let (width, height, pixels) =
        image.map_or((1, 1, &[255; 4][..]), |it| (it.width as i32, it.height as i32, &it.pixels[..]));
    unsafe {
        let texture = gl.create_texture()?;
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, glow::LINEAR as i32);
        let (format, kind) = (glow::RGBA, glow::UNSIGNED_BYTE);
        let inner = glow::SRGB8_ALPHA8 as i32;
        gl.tex_image_2d(glow::TEXTURE_2D, 0, inner, width, height, 0, format, kind, Some(pixels));
        Ok(texture)
    }
}
