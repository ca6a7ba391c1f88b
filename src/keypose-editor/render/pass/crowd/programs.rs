//! The programs of crowds and their uniforms.

use glam::{Mat4, Vec4};

use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::pass::crowd::{Instances, UNITS};
use crate::render::pass::depth_material::DepthMaterial;
use crate::render::pass::material::MaterialUniforms;
use crate::render::pass::scene_uniforms::SceneUniforms;
use crate::render::pass::vertex::ATTRIBUTES;
use crate::render::shaders::Shaders;

/// The program that draws surfaces, and the one that draws their depth.
pub struct ScenePrograms {
    pub lit: Program,
    pub lit_uniforms: CrowdUniforms,
    pub scene: SceneUniforms,
    pub surface: Uniform<i32>,
    pub tint: Uniform<Vec4>,
    pub opacity: Uniform<f32>,
    pub material: MaterialUniforms,
    pub depth: Program,
    pub depth_uniforms: CrowdUniforms,
    pub depth_material: DepthMaterial,
}

/// The uniforms of `crowd.vert`, except those of materials.
pub struct CrowdUniforms {
    pub first: Uniform<i32>,
    pub entries: Uniform<i32>,
    pub base: Uniform<i32>,
    pub row: Uniform<i32>,
    pub frames: Uniform<i32>,
    pub cycle: Uniform<f32>,
    pub sets: Uniform<i32>,
    pub clip_from_world: Uniform<Mat4>,
}

impl ScenePrograms {
    /// Loads the programs.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<ScenePrograms, GlError> {
        let lit = Program::load(context, shaders, "crowd.vert+mesh.frag", &ATTRIBUTES)?;
        let depth = Program::load(context, shaders, "crowd.vert+depth.frag", &ATTRIBUTES)?;
        Ok(ScenePrograms {
            lit_uniforms: CrowdUniforms::of(&lit)?,
            scene: SceneUniforms::of(&lit)?,
            surface: lit.uniform("u_surface")?,
            tint: lit.uniform("u_tint")?,
            opacity: lit.uniform("u_opacity")?,
            material: MaterialUniforms::of(&lit)?,
            lit,
            depth_uniforms: CrowdUniforms::of(&depth)?,
            depth_material: DepthMaterial::of(&depth)?,
            depth,
        })
    }
}

impl CrowdUniforms {
    /// Resolves the uniforms.
    pub fn of(program: &Program) -> Result<CrowdUniforms, GlError> {
        let [members, matrices] = UNITS;
        program.set_sampler("u_members", members)?;
        program.set_sampler("u_matrices", matrices)?;
        Ok(CrowdUniforms {
            first: program.uniform("u_first_member")?,
            entries: program.uniform("u_entries")?,
            base: program.uniform("u_base")?,
            row: program.uniform("u_row")?,
            frames: program.uniform("u_frames")?,
            cycle: program.uniform("u_cycle")?,
            sets: program.uniform("u_influence_sets")?,
            clip_from_world: program.uniform("u_clip_from_world")?,
        })
    }

    /// Sets those of a draw. The program must be bound.
    pub fn set(&self, program: &Program, instances: &Instances) {
        program.set(&self.first, instances.first as i32);
        program.set(&self.row, instances.row as i32);
        program.set(&self.frames, instances.frames as i32);
        program.set(&self.cycle, instances.cycle);
    }
}
