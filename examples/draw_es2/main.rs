//! Skins a mesh in a shader with nothing newer than OpenGL ES 2.0: each vertex has four pairs of floats, a bone and its weight, and
//! the palette is a uniform array. `cargo run --example draw_es2 -- data/demo.wad`
//!
//! The shaders are GLSL ES 1.00, which has no integers in vertices, no blocks and no textures in the vertex stage. The context is one
//! of ES 3.0, whose drivers accept such shaders. The example fails if nothing is drawn or nothing moves, so it is a test as well.
#![allow(unsafe_code)] // Every call of GL is.

use std::error::Error;

use glam::{Mat4, Vec2, Vec3, Vec4};
use glow::HasContext;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skin::palette;
use keypose::anim::time::Time;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{Model, Visibility};
use keypose_app::app::film::headless::{Checks, Driver, Headless, Interface};
use keypose_editor::render::frame::camera::Camera;

const SIZE: i32 = 480;
/// Every driver has room for 128 vectors of uniforms: 38 bones, and the other uniforms.
const MAX_BONES: usize = 38;

const VERTEX: &str = "#version 100
    uniform vec4 palette[3 * 38];
    uniform mat4 clip_from_model;
    attribute vec3 position; attribute vec3 normal;
    attribute vec2 bone_0; attribute vec2 bone_1; attribute vec2 bone_2; attribute vec2 bone_3;
    varying vec3 turned;
    vec4 row(vec2 bone, int at) { return bone.y * palette[int(bone.x + 0.5) * 3 + at]; }
    vec4 blended(int at) { return row(bone_0, at) + row(bone_1, at) + row(bone_2, at) + row(bone_3, at); }
    void main() {
        vec4 x = blended(0), y = blended(1), z = blended(2), at = vec4(position, 1.0);
        gl_Position = clip_from_model * vec4(dot(x, at), dot(y, at), dot(z, at), 1.0);
        turned = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    }";
const FRAGMENT: &str = "#version 100
    precision mediump float;
    uniform vec4 color;
    varying vec3 turned;
    void main() {
        float light = 0.35 + 0.65 * max(dot(normalize(turned), normalize(vec3(0.4, 0.7, 0.6))), 0.0);
        gl_FragColor = vec4(pow(color.rgb * light, vec3(1.0 / 2.2)), 1.0);
    }";
const ATTRIBUTES: [&str; 6] = ["position", "normal", "bone_0", "bone_1", "bone_2", "bone_3"];

/// Position, normal, and four bones with their weights: 56 bytes.
type Vertex = [f32; 14];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/demo.wad".into());
    let archive = keypose::wad::decode(&std::fs::read(&path).map_err(|reason| format!("{path}: {reason}"))?)?;
    let character = archive.characters.first().ok_or("the archive has no model")?;
    let (model, clip) = (&character.model, character.clips.first().ok_or("the model has no clip")?);
    let headless = Headless::open_as(Interface::Es3, Driver::Any, Checks::Off)?;
    let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
    // SAFETY: the context is current on this thread until `headless` goes, and every slice has the length that GL receives.
    let images = unsafe {
        let scene = Scene::new(&headless.gl, model)?;
        [0, 1].map(|half| {
            clip.sample(Time(clip.length.0 / 2 * half), &mut local);
            pose.compute(&model.skeleton, &local);
            scene.draw(&pose)
        })
    };
    let drawn = images[0].chunks(4).filter(|pixel| *pixel != &images[0][..4]).count();
    println!("{}, {}: {drawn} pixels of {}", model.name, clip.name, SIZE * SIZE);
    if drawn == 0 || images[0] == images[1] { Err("nothing was drawn, or nothing moved".into()) } else { Ok(()) }
}

/// Three vertices for each triangle of a skinned mesh. One without normals is lit as if it faced forwards.
fn vertices(mesh: &Mesh) -> Vec<Vertex> {
    let vertex = |&at: &u32| {
        let (mut vertex, at) = ([0.0; 14], at as usize);
        vertex[..3].copy_from_slice(&mesh.positions[at].to_array());
        vertex[3..6].copy_from_slice(&mesh.normals.get(at).unwrap_or(&Vec3::Z).to_array());
        let set = &mesh.influences[0];
        for (pair, (joint, weight)) in vertex[6..].chunks_mut(2).zip(set.joints[at].iter().zip(set.weights[at])) {
            pair.copy_from_slice(&Vec2::new(f32::from(*joint), weight).to_array());
        }
        vertex
    };
    mesh.indices.iter().map(vertex).collect()
}

/// The program, and a buffer for each skinned mesh.
struct Scene<'a> {
    gl: &'a glow::Context,
    model: &'a Model,
    program: glow::Program,
    parts: Vec<(&'a Mesh, usize, glow::Buffer)>,
    clip_from_model: Mat4,
}

impl<'a> Scene<'a> {
    unsafe fn new(gl: &'a glow::Context, model: &'a Model) -> Result<Scene<'a>, String> {
        let mut parts = Vec::new();
        for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
            let Binding::Skin(skin) = slot.mesh.binding else { continue };
            if model.skins[skin].joints.len() > MAX_BONES {
                return Err(format!("{}: more than {MAX_BONES} bones; skin it on the CPU", slot.mesh.name));
            }
            let vertices = vertices(&slot.mesh);
            // SAFETY: guaranteed by the caller.
            let buffer = unsafe { gl.create_buffer()? };
            unsafe {
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
                gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytemuck::cast_slice(&vertices), glow::STATIC_DRAW);
            }
            parts.push((&*slot.mesh, skin, buffer));
        }
        let rest = model.skeleton.rest_model_pose();
        let joints: Vec<Vec3> = rest.bones.iter().map(|bone| bone.translation()).collect();
        let camera = Camera::framing(&joints, Vec3::new(0.5, 0.3, 1.0), 1.0, 0.2);
        // SAFETY: guaranteed by the caller.
        let program = unsafe { target_and_program(gl)? };
        Ok(Scene { gl, model, program, parts, clip_from_model: camera.clip_from_world(1.0) })
    }

    /// The pixels from the lower left.
    unsafe fn draw(&self, pose: &ModelPose) -> Vec<u8> {
        let (gl, mut matrices) = (self.gl, Vec::new());
        let uniform = |name: &str| unsafe { gl.get_uniform_location(self.program, name) };
        unsafe {
            gl.viewport(0, 0, SIZE, SIZE);
            gl.enable(glow::DEPTH_TEST);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            gl.use_program(Some(self.program));
            let clip = self.clip_from_model.to_cols_array();
            gl.uniform_matrix_4_f32_slice(uniform("clip_from_model").as_ref(), false, &clip);
            for (mesh, skin, buffer) in &self.parts {
                palette::compute(&self.model.skins[*skin], pose, &mut matrices);
                let rows: Vec<Vec4> = matrices.iter().flat_map(|matrix| matrix.rows).collect();
                gl.uniform_4_f32_slice(uniform("palette").as_ref(), bytemuck::cast_slice(&rows));
                gl.uniform_4_f32_slice(uniform("color").as_ref(), &self.model.materials[mesh.material].base_color);
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(*buffer));
                for (place, (width, offset)) in [(3, 0), (3, 12), (2, 24), (2, 32), (2, 40), (2, 48)].iter().enumerate()
                {
                    gl.enable_vertex_attrib_array(place as u32);
                    gl.vertex_attrib_pointer_f32(
                        place as u32,
                        *width,
                        glow::FLOAT,
                        false,
                        size_of::<Vertex>() as i32,
                        *offset,
                    );
                }
                gl.draw_arrays(glow::TRIANGLES, 0, mesh.indices.len() as i32);
            }
            let mut pixels = vec![0; (SIZE * SIZE * 4) as usize];
            let into = glow::PixelPackData::Slice(&mut pixels);
            gl.read_pixels(0, 0, SIZE, SIZE, glow::RGBA, glow::UNSIGNED_BYTE, into);
            pixels
        }
    }
}

/// A target in memory, which is bound, and the program.
unsafe fn target_and_program(gl: &glow::Context) -> Result<glow::Program, String> {
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(gl.create_framebuffer()?));
        for (place, format) in
            [(glow::COLOR_ATTACHMENT0, glow::RGB565), (glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT16)]
        {
            let buffer = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, format, SIZE, SIZE);
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
        }
        let program = gl.create_program()?;
        for (kind, text) in [(glow::VERTEX_SHADER, VERTEX), (glow::FRAGMENT_SHADER, FRAGMENT)] {
            let shader = gl.create_shader(kind)?;
            gl.shader_source(shader, text);
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
        }
        for (place, name) in ATTRIBUTES.iter().enumerate() {
            gl.bind_attrib_location(program, place as u32, name);
        }
        gl.link_program(program);
        if gl.get_program_link_status(program) { Ok(program) } else { Err(gl.get_program_info_log(program)) }
    }
}
