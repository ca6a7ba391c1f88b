//! The ground plane: the fading grid and the shadows on it.

use glam::{Mat4, Vec3, Vec4};

use crate::render::frame::color::Color;
use crate::render::frame::{Frame, Grid};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::gl::state::{Blend, DepthTest, State};
use crate::render::gl::vertex_array::{Primitive, VertexArray};
use crate::render::pass::shadow::{LightView, SHADOW_UNIT};
use crate::render::shaders::Shaders;

/// The program, its uniforms and its vertices.
pub struct GroundPass {
    context: Context,
    program: Program,
    clip_from_world: Uniform<Mat4>,
    center: Uniform<Vec3>,
    radius: Uniform<f32>,
    spacing: Uniform<f32>,
    offset: Uniform<f32>,
    colors: [Uniform<Vec4>; 3],
    shadow_from_world: Uniform<Mat4>,
    shadow_strength: Uniform<f32>,
    array: VertexArray,
}

impl GroundPass {
    /// Loads its program.
    pub fn new(context: &Context, shaders: &Shaders) -> Result<GroundPass, GlError> {
        let program = Program::load(context, shaders, "ground", &[])?;
        let color = |name| program.uniform::<Vec4>(name);
        program.set_sampler("u_shadow", SHADOW_UNIT)?;
        Ok(GroundPass {
            context: context.clone(),
            clip_from_world: program.uniform("u_clip_from_world")?,
            center: program.uniform("u_center")?,
            radius: program.uniform("u_radius")?,
            spacing: program.uniform("u_spacing")?,
            offset: program.uniform("u_offset")?,
            colors: [color("u_line_color")?, color("u_x_color")?, color("u_z_color")?],
            shadow_from_world: program.uniform("u_shadow_from_world")?,
            shadow_strength: program.uniform("u_shadow_strength")?,
            array: VertexArray::new(context)?,
            program,
        })
    }

    /// Draws the ground, if the frame has one, over opaque surfaces.
    pub fn draw(&self, frame: &Frame, clip_from_world: Mat4, light_view: &LightView) {
        let Some(ground) = &frame.ground else { return };
        let nothing = Grid { spacing: 1.0, radius: 0.0, color: Color::CLEAR, offset: 0.0, axes: None };
        let grid = ground.grid.unwrap_or(nothing);
        let reach = frame.camera.eye.distance(frame.camera.target) * 4.0;
        let state = State { depth_test: DepthTest::LessOrEqual, blend: Blend::Alpha, offset: 1.0, ..State::default() };
        self.context.apply(&state);
        let program = &self.program;
        program.bind();
        program.set(&self.clip_from_world, clip_from_world);
        program.set(&self.center, frame.camera.target.with_y(ground.height));
        program.set(&self.radius, if grid.radius > 0.0 { grid.radius } else { reach });
        program.set(&self.spacing, grid.spacing.max(1e-6));
        program.set(&self.offset, grid.offset);
        let axes = grid.axes.unwrap_or([Color::CLEAR; 2]);
        for (uniform, color) in self.colors.iter().zip([grid.color, axes[0], axes[1]]) {
            program.set(uniform, Vec4::from_array(color.to_linear()));
        }
        program.set(&self.shadow_from_world, light_view.clip_from_world);
        program.set(&self.shadow_strength, light_view.strength);
        self.array.draw(Primitive::TriangleStrip, 4);
    }
}
