//! Drawing with OpenGL 2.1 and ES 2.0: models with their base colour under the key light, the grid and the overlay. Palettes are a
//! uniform array; what doesn't fit it is skinned on the CPU. No shadows, normal maps, reflection, toon shading, outlines or debug shading.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::anim::mat34::Mat3x4;
use crate::anim::morph;
use crate::anim::skin::method::Method;
use crate::assets::material::{AlphaMode, Material, Shading};
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::recent::{ByAddress, Recent};
use crate::assets::texture::Texture as Image;
use crate::render::frame::overlay::Layer;
use crate::render::frame::{Frame, ModelDraw, Surface};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::plain::{PlainArray, PlainTarget};
use crate::render::gl::program::{Program, Source, Uniform};
use crate::render::gl::state::{Blend, Cull, DepthTest, State, Winding};
use crate::render::gl::texture::Texture;
use crate::render::pass::draws::{Maps, bones_of, palette_of};
use crate::render::pass::material::uv_rows;
use crate::render::pass::palette::layout::PaletteLayout;
use crate::render::pass::palette::tier::{Room, Tier};
use crate::render::pass::posed;
use crate::render::pass::scene_uniforms::{eye_of, light_of};
use crate::render::shaders::Shaders;

pub mod flat;
pub mod mesh;

/// Draws frames with an old driver.
pub struct OldRenderer {
    context: Context,
    flat: Program,
    mesh: Program,
    uniforms: Uniforms,
    /// Vectors of the palette.
    rows: usize,
    asked: Option<Tier>,
    meshes: Recent<ByAddress<Mesh>, PlainArray, 4096>,
    textures: Recent<ByAddress<Image>, Texture, 4096>,
    white: Texture,
}

/// The uniforms of `old_mesh`.
struct Uniforms {
    palette: Uniform<Vec4>,
    world: Uniform<Mat4>,
    clip: Uniform<Mat4>,
    uv: [Uniform<Vec3>; 2],
    texture: Uniform<i32>,
    base_color: Uniform<Vec4>,
    numbers: [Uniform<f32>; 4],
    tint: Uniform<Vec4>,
    eye: Uniform<Vec4>,
    emissive: Uniform<Vec3>,
    light: [Uniform<Vec3>; 4],
}

impl Uniforms {
    fn of(program: &Program) -> Result<Uniforms, GlError> {
        let (vec3, number) = (|name| program.uniform::<Vec3>(name), |name| program.uniform::<f32>(name));
        Ok(Uniforms {
            palette: program.uniform("u_palette")?,
            world: program.uniform("u_world_from_model")?,
            clip: program.uniform("u_clip_from_world")?,
            uv: [vec3("u_uv_across")?, vec3("u_uv_down")?],
            texture: program.uniform("u_texture")?,
            base_color: program.uniform("u_base_color")?,
            numbers: [number("u_cutoff")?, number("u_alpha_counts")?, number("u_light")?, number("u_opacity")?],
            tint: program.uniform("u_tint")?,
            eye: program.uniform("u_eye")?,
            emissive: vec3("u_emissive")?,
            light: [vec3("u_to_key")?, vec3("u_key")?, vec3("u_sky")?, vec3("u_ground")?],
        })
    }
}

/// The stages in which models are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Opaque,
    Blended,
}

impl OldRenderer {
    /// Loads its programs.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<OldRenderer, GlError> {
        let rows = Room::of(&context.limits()).rows(Tier::Uniform) / 3 * 3;
        let load = |name: &'static str, attributes: &[&str]| {
            let [vertex, fragment] = ["vert", "frag"].map(|stage| shaders.text(&format!("{name}.{stage}")));
            let defines = &[format!("PALETTE_ROWS {rows}")];
            Program::new(context, &Source { name, vertex, fragment, defines, attributes, feedback: &[] })
        };
        let (flat, mesh) = (load("old_flat", &["a_position", "a_color"])?, load("old_mesh", &mesh::ATTRIBUTES)?);
        Ok(OldRenderer {
            context: context.clone(),
            uniforms: Uniforms::of(&mesh)?,
            flat,
            mesh,
            rows,
            asked: None,
            meshes: Recent::default(),
            textures: Recent::default(),
            white: Texture::plain(context, [1, 1], Some(&[255; 4]))?,
        })
    }

    /// Skins on the CPU from now on, if this is that tier.
    pub fn ask_for_tier(&mut self, tier: Option<Tier>) {
        self.asked = tier;
    }

    /// Draws a frame into the whole target.
    pub fn render(&mut self, frame: &Frame, target: &PlainTarget) -> Result<(), GlError> {
        target.bind();
        self.context.apply(&State::default());
        self.context.clear([0.0; 4]);
        let [width, height] = target.size().map(|side| side as f32);
        let (size, clip) = (Vec2::new(width, height), frame.camera.clip_from_world(width / height));
        self.draw_flat(&flat::background(&frame.background), State::default())?;
        self.draw_models(frame, Stage::Opaque, clip)?;
        let behind = State { depth_test: DepthTest::LessOrEqual, blend: Blend::Alpha, ..State::default() };
        if let Some((height, grid)) = frame.ground.and_then(|ground| Some((ground.height, ground.grid?))) {
            self.draw_flat(&flat::grid(frame, height, &grid, &clip, size), State { offset: 1.0, ..behind })?;
        }
        self.draw_models(frame, Stage::Blended, clip)?;
        for layer in [Layer::Scene, Layer::OnTop, Layer::Above] {
            let depth_test = if layer == Layer::Scene { DepthTest::LessOrEqual } else { DepthTest::Off };
            let state = State { depth_test, offset: -1.0, ..behind };
            self.draw_flat(&flat::layer(frame, layer, &clip, size), state)?;
        }
        Ok(())
    }

    fn draw_flat(&self, vertices: &[flat::FlatVertex], state: State) -> Result<(), GlError> {
        if vertices.is_empty() {
            return Ok(());
        }
        self.context.apply(&state);
        self.flat.bind();
        PlainArray::new(&self.context, vertices, &flat::LAYOUT)?.draw();
        Ok(())
    }

    fn draw_models(&mut self, frame: &Frame, stage: Stage, clip: Mat4) -> Result<(), GlError> {
        let (program, uniforms) = (&self.mesh, &self.uniforms);
        program.bind();
        program.set(&uniforms.clip, clip);
        program.set(&uniforms.texture, 0);
        program.set(&uniforms.eye, eye_of(frame));
        uniforms.light.iter().zip(light_of(frame)).for_each(|(uniform, value)| program.set(uniform, value));
        let mut models: Vec<&ModelDraw> = frame.models.iter().collect();
        let distance = |draw: &ModelDraw| frame.camera.eye.distance(draw.world_from_model.transform_point3(Vec3::ZERO));
        models.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        models.into_iter().try_for_each(|draw| self.draw_model(draw, stage))
    }

    fn draw_model(&mut self, draw: &ModelDraw, stage: Stage) -> Result<(), GlError> {
        let model = &*draw.model;
        let layout = PaletteLayout::of(&model.skins);
        let bones = bones_of(model, &draw.pose);
        let palette = palette_of(&layout, &bones, &draw.pose);
        let is_small = palette.len() * 3 <= self.rows && self.asked != Some(Tier::Cpu);
        self.mesh.set(&self.uniforms.world, draw.world_from_model);
        for slot in model.meshes.iter().filter(|slot| model.is_visible(slot, &draw.pose)) {
            let Some(material) = model.materials.get(slot.mesh.material) else { continue };
            let is_clear = draw.surface != Surface::Lit && draw.surface != Surface::Unlit;
            let is_blended = material.alpha_mode == AlphaMode::Blend || (is_clear && draw.tint.a < 1.0);
            if is_blended != (stage == Stage::Blended) {
                continue;
            }
            let entry = match slot.mesh.binding {
                Binding::Bone(bone) => bones.iter().position(|known| *known == bone).map(|at| layout.len() + at),
                Binding::Skin(skin) => layout.skins.get(skin).map(|place| place.first),
            };
            let Some(entry) = entry else { continue };
            let mirrored =
                palette.get(entry).is_some_and(|matrix| (draw.world_from_model * matrix.to_mat4()).determinant() < 0.0);
            self.set_material(draw, material, stage, mirrored)?;
            let morphs = || slot.mesh.morphs.iter().map(|target| morph::weight(target, &draw.pose.scalars));
            let is_simple = draw.method == Method::Linear && slot.mesh.influences.len() < 2;
            if is_small && is_simple && morphs().all(|weight| weight == 0.0) {
                let entries = match slot.mesh.binding {
                    Binding::Skin(skin) => layout.skins[skin].entries.clone(),
                    Binding::Bone(_) => None,
                };
                self.draw_bound(&slot.mesh, &palette, entry, entries.as_deref())?;
            } else {
                self.draw_posed(draw, &slot.mesh)?;
            }
        }
        Ok(())
    }

    /// Draws a mesh that the GPU skins. Its vertices are kept: the entry of a mesh changes only with its model.
    fn draw_bound(
        &mut self,
        mesh: &Arc<Mesh>,
        palette: &[Mat3x4],
        entry: usize,
        entries: Option<&[u16]>,
    ) -> Result<(), GlError> {
        let finite = |matrix: &Mat3x4| if matrix.is_finite() { *matrix } else { Mat3x4::IDENTITY };
        // The array starts with the entry of the mesh, so that its vertices don't depend on it.
        let entries_of_mesh = palette[entry..].iter();
        let rows: Vec<[f32; 4]> =
            entries_of_mesh.flat_map(|matrix| finite(matrix).rows.map(|row| row.to_array())).collect();
        self.mesh.set_rows(&self.uniforms.palette, &rows);
        let make = || {
            let from = mesh::From::Bound { entry: 0, entries };
            PlainArray::new(&self.context, &mesh::triangles(mesh, from), &mesh::LAYOUT)
        };
        self.meshes.get_or_try_insert_with(mesh.into(), make)?.draw();
        Ok(())
    }

    /// Draws a mesh that is skinned on the CPU.
    fn draw_posed(&mut self, draw: &ModelDraw, mesh: &Mesh) -> Result<(), GlError> {
        self.mesh.set_rows(&self.uniforms.palette, &Mat3x4::IDENTITY.rows.map(|row| row.to_array()));
        let vertices = posed::posed_vertices(draw, draw.method, mesh);
        let triangles = mesh::triangles(mesh, mesh::From::Posed(&vertices));
        PlainArray::new(&self.context, &triangles, &mesh::LAYOUT)?.draw();
        Ok(())
    }

    fn set_material(
        &mut self,
        draw: &ModelDraw,
        material: &Material,
        stage: Stage,
        mirrored: bool,
    ) -> Result<(), GlError> {
        let is_flat = matches!(draw.surface, Surface::Ghost | Surface::Silhouette);
        let cull = if material.double_sided { Cull::Off } else { Cull::Back };
        let blend = if stage == Stage::Blended { Blend::Alpha } else { Blend::Off };
        let winding = if mirrored { Winding::Mirrored } else { Winding::Usual };
        let depth_write = stage == Stage::Opaque;
        let depth_test = DepthTest::LessOrEqual;
        self.context.apply(&State { depth_test, depth_write, cull, blend, winding, ..State::default() });
        let maps = Maps::of(&draw.model, material);
        match maps.color.filter(|_| !is_flat) {
            Some(image) => {
                let texture =
                    self.textures.get_or_try_insert_with(image.into(), || plain_copy(&self.context, image))?;
                texture.set_sampling(material.wrap, material.filter);
                texture.bind(0);
            }
            None => self.white.bind(0),
        }
        let (program, uniforms) = (&self.mesh, &self.uniforms);
        let rows = uv_rows(&material.uv_transform);
        uniforms.uv.iter().zip(rows).for_each(|(uniform, row)| program.set(uniform, row));
        program.set(&uniforms.base_color, material.base_color.into());
        let cutoff = if let AlphaMode::Mask(cutoff) = material.alpha_mode { cutoff } else { 0.0 };
        let counts = f32::from(u8::from(material.alpha_mode == AlphaMode::Blend));
        let is_lit = material.shading != Shading::Unlit && !is_flat && draw.surface != Surface::Unlit;
        let tint = Vec4::from_array(draw.tint.to_linear());
        let opacity = if is_flat { tint.w } else { 1.0 };
        let numbers = [cutoff, counts, f32::from(u8::from(is_lit)), opacity];
        uniforms.numbers.iter().zip(numbers).for_each(|(uniform, number)| program.set(uniform, number));
        program.set(&uniforms.tint, if is_flat { tint.truncate().extend(1.0) } else { tint });
        program.set(&uniforms.emissive, material.emissive.into());
        Ok(())
    }
}

/// The copy of an image, with sides that are powers of two.
fn plain_copy(context: &Context, image: &Image) -> Result<Texture, GlError> {
    let most = context.limits().texture_size;
    if !image.is_valid() || image.width == 0 || image.height == 0 {
        return Texture::plain(context, [1, 1], Some(&[255; 4]));
    }
    let side = |side: u32| side.checked_next_power_of_two().unwrap_or(most).min(most.next_power_of_two()).min(most);
    let size = [side(image.width), side(image.height)];
    if size == [image.width, image.height] {
        return Texture::plain(context, size, Some(&image.pixels));
    }
    let from = |at: u32, whole: u32, of: u32| (u64::from(at) * u64::from(of) / u64::from(whole)) as usize;
    let mut pixels = Vec::with_capacity(4 * size[0] as usize * size[1] as usize);
    for y in 0..size[1] {
        let row = from(y, size[1], image.height) * image.width as usize;
        for x in 0..size[0] {
            let at = 4 * (row + from(x, size[0], image.width));
            pixels.extend_from_slice(&image.pixels[at..at + 4]);
        }
    }
    Texture::plain(context, size, Some(&pixels))
}
