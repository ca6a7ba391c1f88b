//! The skinning uniforms of `mesh.vert`, shared by all programs with that vertex shader; and reading its vertices back, to
//! compare them with the CPU's.

use std::cell::RefCell;

use glam::{Mat4, Vec3, Vec4};

use crate::render::frame::{Frame, ModelDraw};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::feedback;
use crate::render::gl::program::{Program, Source, Uniform};
use crate::render::gl::target::{Target, Viewport};
use crate::render::pass::cache::Cache;
use crate::render::pass::draws::{ModelParts, collect};
use crate::render::pass::palette::tier::{Tier, stride};
use crate::render::pass::palette::{NUMBERS_UNIT, PALETTE_SLOT, PALETTE_UNIT, Palettes, Place};
use crate::render::pass::variant::{Variant, Variants};
use crate::render::pass::vertex::ATTRIBUTES;
use crate::render::shaders::Shaders;
use keypose::anim::skin::cpu::Skinned;

/// The texture unit of the differences of morph targets.
pub const MORPH_UNIT: u32 = 6;

/// The part of its model's palette that a mesh uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skinning {
    /// Where the palette is.
    pub place: Place,
    /// World from model.
    pub world: Mat4,
    /// The first entry of the mesh.
    pub entry: usize,
    /// Sets of influences: 0 (rigid), 1 or 2.
    pub sets: usize,
    /// The texel with the weights of its morph targets; 0 if it has none.
    pub weights: usize,
    /// The texel with the mark of the model's first entry; 0 if there are none.
    pub marks: usize,
}

impl Skinning {
    /// For meshes that no bone moves.
    pub const NONE: Skinning =
        Skinning { place: Place::NONE, world: Mat4::IDENTITY, entry: 0, sets: 0, weights: 0, marks: 0 };
}

/// The uniforms that select a mesh's palette. A variant of the shader uses only some.
pub struct SkinningUniforms {
    array: Option<Uniform<Vec4>>,
    /// The vectors that the array has.
    sent: RefCell<Vec<[f32; 4]>>,
    base: Option<Uniform<i32>>,
    next: Option<Uniform<i32>>,
    fraction: Option<Uniform<f32>>,
    world: Uniform<Mat4>,
    sets: Option<Uniform<i32>>,
    weights: Uniform<i32>,
    marks: Option<Uniform<i32>>,
}

impl SkinningUniforms {
    /// Resolves the uniforms of a variant.
    pub fn of(program: &Program, variant: Variant) -> Result<SkinningUniforms, GlError> {
        let is_array = variant.tier == Some(Tier::Uniform);
        program.read_block("Palette", PALETTE_SLOT);
        if variant.tier == Some(Tier::Texture) {
            program.set_sampler("u_palette", PALETTE_UNIT)?;
        }
        program.set_sampler("u_morph", MORPH_UNIT)?;
        program.set_sampler("u_numbers", NUMBERS_UNIT)?;
        Ok(SkinningUniforms {
            array: is_array.then(|| program.uniform("u_palette")).transpose()?,
            sent: RefCell::default(),
            base: program.optional("u_palette_base"),
            next: program.optional("u_next"),
            fraction: program.optional("u_fraction"),
            world: program.uniform("u_world_from_model")?,
            sets: program.optional("u_influence_sets"),
            weights: program.uniform("u_morph_weights")?,
            marks: program.optional("u_marks"),
        })
    }

    /// Sets the uniforms for a mesh and makes its palette readable. The program must be bound.
    pub fn set(&self, program: &Program, skinning: &Skinning, palettes: &Palettes) {
        let place = &skinning.place;
        let start = match place.variant.tier {
            Some(Tier::Uniform) => {
                self.set_array(program, palettes, place);
                0
            }
            Some(Tier::Block) => palettes.bind_block(place),
            Some(Tier::Texture) | None => place.start,
        };
        let base = start + skinning.entry * stride(place.variant.method);
        let marks = if skinning.marks == 0 { 0 } else { skinning.marks + skinning.entry };
        let numbers = [(&self.base, base), (&self.next, place.next), (&self.sets, skinning.sets), (&self.marks, marks)];
        for (uniform, value) in numbers {
            if let Some(uniform) = uniform {
                program.set(uniform, value as i32);
            }
        }
        if let Some(fraction) = &self.fraction {
            program.set(fraction, place.fraction);
        }
        program.set(&self.world, skinning.world);
        program.set(&self.weights, skinning.weights as i32);
    }

    /// Sets the uniform array, unless it has these vectors.
    fn set_array(&self, program: &Program, palettes: &Palettes, place: &Place) {
        let (Some(array), rows) = (&self.array, palettes.array(place)) else { return };
        let mut sent = self.sent.borrow_mut();
        if sent.len() < rows.len() || sent[..rows.len()] != *rows {
            program.set_rows(array, rows);
            palettes.counter().add(rows.len());
            sent.clear();
            sent.extend_from_slice(rows);
        }
    }
}

/// Runs the vertex shader alone and reads its vertices back.
pub struct SkinningProbe {
    context: Context,
    shaders: Shaders,
    programs: Variants<(Program, SkinningUniforms)>,
    palettes: Palettes,
    cache: Cache,
    /// A draw needs a target, though nothing is rasterised.
    target: Target,
}

impl SkinningProbe {
    /// For the vertex shader that draws meshes. `asked` is the tier of palettes to use where it has room.
    pub fn new(context: &Context, shaders: &Shaders, asked: Option<Tier>) -> Result<SkinningProbe, GlError> {
        Ok(SkinningProbe {
            context: context.clone(),
            shaders: shaders.clone(),
            programs: Variants::default(),
            palettes: Palettes::new(context, asked)?,
            cache: Cache::new(context)?,
            target: Target::new(context, [1; 2], 1)?,
        })
    }

    /// World positions of every vertex of each visible mesh of a model, in file order.
    pub fn positions(&mut self, draw: &ModelDraw) -> Result<Vec<Vec<Vec3>>, GlError> {
        Ok(self.vertices(draw)?.into_iter().map(|mesh| mesh.positions).collect())
    }

    /// World positions and normals, the latter not normalized, as [`SkinningProbe::positions`].
    pub fn vertices(&mut self, draw: &ModelDraw) -> Result<Vec<Skinned>, GlError> {
        let frame = Frame { models: vec![draw.clone()], ..Frame::default() };
        self.cache.begin();
        self.cache.prepare(&draw.model)?;
        self.palettes.clear();
        let models = collect(&frame, None, &mut self.palettes, &mut self.cache);
        self.palettes.upload()?;
        self.target.bind(Viewport::whole(&self.target));
        let mut all = Vec::new();
        for model in &models {
            self.capture(model, &mut all)?;
        }
        self.context.reset();
        self.target.unbind();
        Ok(all)
    }

    /// The variant with which a model was drawn last; `None` before the first.
    pub fn variants(&self) -> impl Iterator<Item = Variant> {
        self.programs.names()
    }

    fn capture(&mut self, model: &ModelParts<'_>, all: &mut Vec<Skinned>) -> Result<(), GlError> {
        let variant = model.place.variant;
        self.programs.need(variant, || load(&self.context, &self.shaders, variant))?;
        let Some((program, uniforms)) = self.programs.get(variant) else { return Ok(()) };
        program.bind();
        for part in &model.parts {
            let Some(mesh) = self.cache.mesh(part) else { continue };
            uniforms.set(program, &model.skinning(part, mesh), &self.palettes);
            mesh.prepare();
            let floats = feedback::capture(&self.context, mesh.array(), mesh.vertices, 6)?;
            let vector = |vertex: &[f32], at: usize| Vec3::from_slice(&vertex[at..]);
            all.push(Skinned {
                positions: floats.chunks_exact(6).map(|vertex| vector(vertex, 0)).collect(),
                normals: floats.chunks_exact(6).map(|vertex| vector(vertex, 3)).collect(),
                tangents: Vec::new(),
            });
        }
        Ok(())
    }
}

fn load(context: &Context, shaders: &Shaders, variant: Variant) -> Result<(Program, SkinningUniforms), GlError> {
    let source = Source {
        name: "mesh.vert+none.frag",
        defines: &variant.defines(),
        attributes: &ATTRIBUTES,
        feedback: &["v_world", "v_normal"],
        ..Source::default()
    };
    let program = Program::new(context, shaders, &source)?;
    let uniforms = SkinningUniforms::of(&program, variant)?;
    Ok((program, uniforms))
}

/// Resolves the clip-from-world uniform of a program with `mesh.vert`.
pub fn clip_uniform(program: &Program) -> Result<Uniform<Mat4>, GlError> {
    program.uniform("u_clip_from_world")
}
