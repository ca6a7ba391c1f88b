//! Crowds: one instanced draw for each mesh and each group of characters. Their clips are sampled once, into a texture; the shader
//! blends the matrices of neighbouring frames.

use std::ops::Range;

use glam::{Mat4, Vec4};

use crate::render::frame::Frame;
use crate::render::frame::bounds::Aabb;
use crate::render::frame::color::Color;
use crate::render::frame::crowd::{Crowd, CrowdDraw, CrowdRig, RigPart, cycle};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::Program;
use crate::render::gl::state::{Blend, Cull, DepthTest, State, Winding};
use crate::render::gl::texture::Texture;
use crate::render::pass::cache::Cache;
use crate::render::pass::crowd::baked::BakedClips;
use crate::render::pass::crowd::programs::{CrowdUniforms, ScenePrograms};
use crate::render::pass::crowd::table::{texels_of, texture_of};
use crate::render::pass::depth_material::DepthMaterial;
use crate::render::pass::draws::Maps;
use crate::render::pass::mesh::{Stage, surface_of};
use crate::render::pass::shadow::LightView;
use crate::render::shaders::Shaders;
use keypose::assets::material::AlphaMode;
use keypose::assets::recent::{ByAddress, Recent};

mod baked;
mod programs;
mod table;

/// The texture units of the characters and of their matrices.
const UNITS: [u32; 2] = [7, 8];

/// The programs, and the crowds on the GPU.
pub struct CrowdPass {
    context: Context,
    scene: ScenePrograms,
    crowds: Recent<ByAddress<Crowd>, GpuCrowd, { usize::MAX }>,
    frame: u64,
}

/// A crowd on the GPU.
struct GpuCrowd {
    rig: CrowdRig,
    bounds: Aabb,
    baked: BakedClips,
    /// The characters of each clip.
    groups: Vec<ClipGroup>,
    /// The characters in the order of the groups.
    members: Texture,
}

/// Characters of a clip.
struct ClipGroup {
    clip: usize,
    first: usize,
    count: usize,
}

/// An instanced draw.
#[derive(Clone, Copy, Debug)]
struct Instances {
    first: usize,
    count: usize,
    row: usize,
    frames: usize,
    cycle: f32,
}

impl CrowdPass {
    /// Loads its programs.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<CrowdPass, GlError> {
        let scene = ScenePrograms::new(context, shaders)?;
        Ok(CrowdPass { context: context.clone(), scene, crowds: Recent::default(), frame: 0 })
    }

    /// Uploads the frame's crowds.
    pub fn prepare(&mut self, frame: &Frame, cache: &mut Cache) -> Result<(), GlError> {
        self.frame += 1;
        if self.frame.is_multiple_of(240) {
            self.crowds.sweep();
        }
        for draw in &frame.crowds {
            let is_new = self.crowds.peek(&(&draw.crowd).into()).is_none();
            if is_new {
                std::iter::once(&draw.crowd.model)
                    .chain(&draw.crowd.props)
                    .try_for_each(|model| cache.prepare_bound(model))?;
            }
            let context = &self.context;
            let make = || GpuCrowd::new(context, &draw.crowd);
            let gpu = self.crowds.get_or_try_insert_with((&draw.crowd).into(), make)?;
            gpu.rig.parts.iter().try_for_each(|part| cache.prepare_bound(&part.model))?;
        }
        Ok(())
    }

    /// The triangles of the crowds of a frame.
    pub fn triangles(&self, frame: &Frame) -> usize {
        let of_rig = |rig: &CrowdRig| rig.parts.iter().map(|part| part.mesh.indices.len() / 3).sum::<usize>();
        self.of(frame).map(|(draw, crowd)| draw.crowd.members.len() * of_rig(&crowd.rig)).sum()
    }

    /// The box around all crowds of a frame.
    pub fn bounds(&self, frame: &Frame) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        let crowds = frame.crowds.iter().filter_map(|draw| self.crowds.peek(&(&draw.crowd).into()));
        crowds.for_each(|crowd| bounds.merge(&crowd.bounds));
        bounds
    }

    /// Draws the crowds of a frame, those parts of their surfaces that belong to a stage.
    pub fn draw(&self, frame: &Frame, stage: Stage, clip: Mat4, light: &LightView, cache: &mut Cache) {
        if frame.crowds.is_empty() || stage == Stage::Ghosts {
            return;
        }
        let ScenePrograms { lit, lit_uniforms, scene, surface, tint, opacity, material, .. } = &self.scene;
        lit.bind();
        scene.set(lit, frame, light);
        lit.set(tint, Vec4::from_array(Color::CLEAR.to_linear()));
        lit.set(opacity, 1.0);
        lit.set(&lit_uniforms.clip_from_world, clip);
        for (draw, crowd) in self.of(frame) {
            for part in &crowd.rig.parts {
                let of = &part.material;
                let is_blended = of.alpha_mode == AlphaMode::Blend;
                if is_blended != (stage == Stage::Blended) {
                    continue;
                }
                let blend = if is_blended { Blend::Alpha } else { Blend::Off };
                let cull = if of.double_sided { Cull::Off } else { Cull::Back };
                let state = State {
                    depth_test: DepthTest::LessOrEqual,
                    depth_write: !is_blended,
                    blend,
                    cull,
                    winding: if part.is_mirrored { Winding::Mirrored } else { Winding::Usual },
                    ..State::default()
                };
                self.context.apply(&state);
                lit.set(surface, surface_of(of));
                material.set(lit, of, Some(&Maps::of(&part.model, of)), cache);
                crowd.draw_part(part, lit, lit_uniforms, draw, cache);
            }
        }
    }

    /// Draws the depth of the crowds of a frame into the bound shadow map.
    pub fn draw_depth(&self, frame: &Frame, light: &LightView, cache: &mut Cache) {
        if frame.crowds.is_empty() || light.strength == 0.0 {
            return;
        }
        let ScenePrograms { depth, depth_uniforms, depth_material, .. } = &self.scene;
        DepthMaterial::begin(&self.context);
        depth.bind();
        depth.set(&depth_uniforms.clip_from_world, light.clip_from_world);
        for (draw, crowd) in self.of(frame) {
            for part in &crowd.rig.parts {
                let of = &part.material;
                depth_material.set(depth, of, Some(&Maps::of(&part.model, of)), cache);
                crowd.draw_part(part, depth, depth_uniforms, draw, cache);
            }
        }
    }

    fn of<'a>(&'a self, frame: &'a Frame) -> impl Iterator<Item = (&'a CrowdDraw, &'a GpuCrowd)> {
        frame.crowds.iter().filter_map(|draw| Some((draw, self.crowds.peek(&(&draw.crowd).into())?)))
    }
}

impl GpuCrowd {
    fn new(context: &Context, crowd: &Crowd) -> Result<GpuCrowd, GlError> {
        let rig = CrowdRig::of(&crowd.model, &crowd.props);
        let (groups, order) = clip_groups(crowd);
        let members = members_texture(context, crowd, &order)?;
        let baked = BakedClips::new(context, crowd, &rig)?;
        Ok(GpuCrowd { rig, bounds: crowd.bounds(), baked, groups, members })
    }

    fn draw_part(&self, part: &RigPart, program: &Program, uniforms: &CrowdUniforms, draw: &CrowdDraw, cache: &Cache) {
        let [members, matrices] = UNITS;
        self.members.bind(members);
        self.baked.texture.bind(matrices);
        program.set(&uniforms.entries, self.rig.skin.joints.len() as i32);
        program.set(&uniforms.base, part.base as i32);
        let Some(mesh) = cache.bound_mesh(&part.mesh) else { return };
        program.set(&uniforms.sets, mesh.sets as i32);
        for instances in self.instances(draw) {
            let draw = |copies: Range<usize>, triangles: Range<usize>| {
                let some = Instances { first: instances.first + copies.start, count: copies.len(), ..instances };
                uniforms.set(program, &some);
                mesh.draw_instanced(triangles, some.count);
            };
            cache.draw_copies(instances.count, mesh, draw);
        }
    }

    /// The draws of a mesh.
    fn instances(&self, draw: &CrowdDraw) -> Vec<Instances> {
        let instances = |group: &ClipGroup| {
            let (range, clip) = (self.baked.clips.get(group.clip)?, draw.crowd.clips.get(group.clip)?);
            let cycle = cycle(clip);
            let cycle = (draw.elapsed % cycle).fraction_of(cycle) as f32;
            let ClipGroup { first, count, .. } = *group;
            Some(Instances { first, count, row: range.row, frames: range.frames, cycle })
        };
        self.groups.iter().filter_map(instances).collect()
    }
}

/// The characters by clip, and their order. Those whose clip doesn't exist are left out.
fn clip_groups(crowd: &Crowd) -> (Vec<ClipGroup>, Vec<usize>) {
    let mut order: Vec<usize> = (0..crowd.members.len()).collect();
    order.sort_by_key(|&at| crowd.members[at].clip);
    let mut groups: Vec<ClipGroup> = Vec::new();
    for (place, clip) in order.iter().map(|&at| crowd.members[at].clip).enumerate() {
        match groups.last_mut().filter(|group| group.clip == clip) {
            Some(group) => group.count += 1,
            None => groups.push(ClipGroup { clip, first: place, count: 1 }),
        }
    }
    (groups, order)
}

/// Place, phase and tint of the characters.
fn members_texture(context: &Context, crowd: &Crowd, order: &[usize]) -> Result<Texture, GlError> {
    let mut texels = Vec::with_capacity(order.len() * 5);
    for member in order.iter().map(|&at| &crowd.members[at]) {
        texels.extend(texels_of(&member.world_from_model));
        texels.push([member.phase, 0.0, 0.0, 0.0]);
        texels.push(member.tint.to_linear());
    }
    texture_of(context, texels)
}
