//! Draws a clip of an archive with glow alone: textured meshes, skinned on the CPU, lit by one lamp, into a picture.
//! `cargo run --example draw_gl -- data/demo.wad [MODEL [CLIP]] --frame out.png`
//!
//! Here is what a game does with Keypose; `canvas` is what any program does with GL. It needs no window, so that it runs
//! anywhere, and fails where nothing was drawn or nothing moved, so it is a test as well.
#![allow(unsafe_code)] // Every call of GL is.

mod canvas;

use std::error::Error;

use canvas::{Canvas, SIZE};
use glow::HasContext;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skin::cpu::Skinned;
use keypose::anim::time::Time;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::skinned_mesh::mesh_vertices;
use keypose_app::app::film::headless::{Checks, Driver, Headless};
use keypose_editor::render::frame::camera::Camera;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let frame = words.iter().position(|word| word == "--frame").and_then(|at| words.drain(at..).nth(1));
    let path = words.first().cloned().unwrap_or_else(|| "data/demo.wad".into());
    let archive = keypose::wad::decode(&std::fs::read(&path).map_err(|reason| format!("{path}: {reason}"))?)?;
    let is_wanted = |at: usize, name: &str| words.get(at).is_none_or(|wanted| wanted == name);
    let character =
        archive.characters.iter().find(|it| is_wanted(1, &it.model.name)).ok_or("the archive has no such model")?;
    let clip = character.clips.iter().find(|it| is_wanted(2, &it.name)).ok_or("the model has no such clip")?;

    let headless = Headless::open(Driver::Any, Checks::Off)?;
    // SAFETY: the context is current on this thread until `headless` goes, and every slice has the length that GL receives.
    let pictures = unsafe {
        let scene = Scene::new(&headless.gl, &character.model)?;
        let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
        let mut draw = |step: i64| {
            clip.sample(Time(clip.length.0 / 8 * step), &mut local);
            pose.compute(&character.model.skeleton, &local);
            scene.draw(&pose)
        };
        (0..8).map(&mut draw).collect::<Vec<Vec<u8>>>()
    };
    let lit = pictures[3].chunks(4).filter(|pixel| *pixel != &pictures[3][..4]).count();
    println!("{}, {}: {lit} pixels of {}", character.model.name, clip.name, SIZE * SIZE);
    if lit == 0 || pictures.iter().all(|picture| *picture == pictures[0]) {
        return Err("nothing was drawn, or nothing moved".into());
    }
    frame.map_or(Ok(()), |file| canvas::save(&pictures[3], &file))
}

/// The buffers of a model: for each visible mesh its place in the model, buffers, and its texture.
struct Scene<'a> {
    gl: &'a glow::Context,
    model: &'a Model,
    canvas: Canvas,
    parts: Vec<(usize, glow::VertexArray, [glow::Buffer; 2], glow::Texture)>,
    camera: Camera,
}

impl<'a> Scene<'a> {
    unsafe fn new(gl: &'a glow::Context, model: &'a Model) -> Result<Scene<'a>, String> {
        unsafe {
            let canvas = Canvas::new(gl)?;
            let mut parts = Vec::new();
            for (at, slot) in model.meshes.iter().enumerate().filter(|(_, it)| it.visibility == Visibility::Shown) {
                let array = gl.create_vertex_array()?;
                gl.bind_vertex_array(Some(array));
                let moving = [canvas::attribute(gl, 0, 3)?, canvas::attribute(gl, 1, 3)?];
                if !slot.mesh.uvs.is_empty() {
                    canvas::attribute(gl, 2, 2)?;
                    canvas::fill(gl, glow::ARRAY_BUFFER, &slot.mesh.uvs, glow::STATIC_DRAW);
                }
                gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(gl.create_buffer()?));
                canvas::fill(gl, glow::ELEMENT_ARRAY_BUFFER, &slot.mesh.indices, glow::STATIC_DRAW);
                let image = model.materials[slot.mesh.material].texture.map(|at| &*model.textures[at]);
                parts.push((at, array, moving, canvas::texture(gl, image)?));
            }
            let rest = model.skeleton.rest_model_pose();
            let joints: Vec<glam::Vec3> = rest.bones.iter().map(|it| it.translation()).collect();
            let camera = Camera::framing(&joints, glam::Vec3::new(0.5, 0.3, 1.0), 1.0, 0.2);
            Ok(Scene { gl, model, canvas, parts, camera })
        }
    }

    /// The pixels from the lower left.
    unsafe fn draw(&self, pose: &ModelPose) -> Vec<u8> {
        unsafe {
            let gl = self.gl;
            self.canvas.begin(gl, self.camera.clip_from_world(1.0));
            let (mut matrices, mut skinned) = (Vec::new(), Skinned::default());
            for (at, array, [positions, normals], texture) in &self.parts {
                let mesh = &self.model.meshes[*at].mesh;
                mesh_vertices(self.model, mesh, pose, &mut matrices, &mut skinned);
                for (buffer, values) in [(positions, &skinned.positions), (normals, &skinned.normals)] {
                    gl.bind_buffer(glow::ARRAY_BUFFER, Some(*buffer));
                    canvas::fill(gl, glow::ARRAY_BUFFER, values, glow::STREAM_DRAW);
                }
                gl.bind_texture(glow::TEXTURE_2D, Some(*texture));
                gl.uniform_4_f32_slice(self.canvas.color.as_ref(), &self.model.materials[mesh.material].base_color);
                gl.bind_vertex_array(Some(*array));
                gl.draw_elements(glow::TRIANGLES, mesh.indices.len() as i32, glow::UNSIGNED_INT, 0);
            }
            canvas::pixels(gl)
        }
    }
}
