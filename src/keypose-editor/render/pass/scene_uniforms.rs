//! The uniforms of `mesh.frag` that are the same for a whole frame: eye, light, haze and shadow.

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::render::frame::Frame;
use crate::render::frame::camera::Projection;
use crate::render::frame::color::Color;
use crate::render::gl::error::GlError;
use crate::render::gl::program::{Program, Uniform};
use crate::render::pass::shadow::{LightView, SHADOW_UNIT};

/// The locations of the uniforms of camera, light and sky.
pub struct SceneUniforms {
    eye: Uniform<Vec4>,
    light: [Uniform<Vec3>; 4],
    haze_color: Uniform<Vec4>,
    haze_range: Uniform<Vec2>,
    shadow_from_world: Uniform<Mat4>,
    shadow_strength: Uniform<f32>,
    shadow_texel: Uniform<f32>,
}

impl SceneUniforms {
    /// Resolves the uniforms.
    pub fn of(program: &Program) -> Result<SceneUniforms, GlError> {
        let vec3 = |name| program.uniform::<Vec3>(name);
        program.set_sampler("u_shadow", SHADOW_UNIT)?;
        Ok(SceneUniforms {
            eye: program.uniform("u_eye")?,
            light: [vec3("u_to_key")?, vec3("u_key")?, vec3("u_sky")?, vec3("u_ground")?],
            haze_color: program.uniform("u_haze_color")?,
            haze_range: program.uniform("u_haze_range")?,
            shadow_from_world: program.uniform("u_shadow_from_world")?,
            shadow_strength: program.uniform("u_shadow_strength")?,
            shadow_texel: program.uniform("u_shadow_texel")?,
        })
    }

    /// Sets the uniforms. The program must be bound.
    pub fn set(&self, program: &Program, frame: &Frame, light_view: &LightView) {
        program.set(&self.eye, eye_of(frame));
        self.light.iter().zip(light_of(frame)).for_each(|(uniform, value)| program.set(uniform, value));
        let haze = frame.haze.map_or((Color::CLEAR, Vec2::Y), |haze| (haze.color, Vec2::new(haze.near, haze.far)));
        // The part of distances along a parallel view that is the same everywhere.
        let eye = eye_of(frame);
        let along = if eye.w > 0.0 { 0.0 } else { eye.truncate().dot(frame.camera.eye) };
        program.set(&self.haze_color, Vec4::from_array(haze.0.to_linear()));
        program.set(&self.haze_range, haze.1 - along);
        program.set(&self.shadow_from_world, light_view.clip_from_world);
        program.set(&self.shadow_strength, light_view.strength);
        program.set(&self.shadow_texel, light_view.texel);
    }
}

/// The eye with 1, or the direction to the eye of a parallel projection with 0.
pub fn eye_of(frame: &Frame) -> Vec4 {
    match frame.camera.projection {
        Projection::Perspective { .. } => frame.camera.eye.extend(1.0),
        Projection::Orthographic { .. } => (-frame.camera.forward()).extend(0.0),
    }
}

/// The direction to the key light, and the linear colours of key, sky and ground.
pub fn light_of(frame: &Frame) -> [Vec3; 4] {
    let light = &frame.light;
    let linear = |color: Color| Vec4::from_array(color.to_linear()).truncate();
    let to_key = light.to_key.try_normalize().unwrap_or(Vec3::Y);
    [to_key, linear(light.key), linear(light.sky), linear(light.ground)]
}
