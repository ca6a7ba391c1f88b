//! The fixed-function state of a draw as one value. Each pass sets all of it and relies on no earlier state.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::context::{Context, Gl, Interface};
use crate::render::gl::target::Viewport;

/// Whether a pixel is tested against the depth buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthTest {
    /// Always drawn.
    #[default]
    Off,
    /// Drawn if it is nearer or equally near.
    LessOrEqual,
}

/// How a pixel is combined with the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// Replaces the target's colour.
    #[default]
    Off,
    /// By straight alpha. The target's colour becomes premultiplied.
    Alpha,
    /// Adds to the target's colour.
    Add,
    /// Writes only depth.
    DepthOnly,
}

/// Which triangles are skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cull {
    /// None.
    #[default]
    Off,
    /// Triangles that face away.
    Back,
    /// Triangles that face the camera.
    Front,
}

/// The order of a triangle's corners, seen from its front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Winding {
    /// Counter-clockwise.
    #[default]
    Usual,
    /// Clockwise: that of surfaces whose transform mirrors.
    Mirrored,
}

/// How triangles are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Filled.
    #[default]
    Solid,
    /// Edges only.
    Lines,
}

/// All state of a draw except program, vertices and textures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    pub depth_test: DepthTest,
    /// Whether depth is written.
    pub depth_write: bool,
    /// The part of the depth range that is used, so that layers stay in front of each other.
    pub depth_range: DepthRange,
    /// The blending.
    pub blend: Blend,
    /// Which triangles are skipped.
    pub cull: Cull,
    /// Which side of triangles is their front. Shaders turn the normals of the other one.
    pub winding: Winding,
    /// How triangles are filled.
    pub fill: Fill,
    /// Pushes surfaces away from the eye, in units of their slope and of the buffer's precision.
    pub offset: f32,
}

/// A layer of the depth buffer. Each is wholly in front of the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthRange {
    /// Visible through the scene.
    OnTop,
    /// With the depth of the scene.
    #[default]
    Scene,
    /// Behind the scene.
    Behind,
    /// The whole range, for shadow maps: its depths are those of clip space.
    Whole,
}

impl DepthRange {
    fn limits(self) -> (f64, f64) {
        match self {
            DepthRange::OnTop => (0.0, 0.1),
            DepthRange::Scene => (0.1, 0.9),
            DepthRange::Behind => (0.9, 1.0),
            DepthRange::Whole => (0.0, 1.0),
        }
    }
}

impl Context {
    /// Sets the whole state.
    pub fn apply(&self, state: &State) {
        let gl = &self.gl;
        // SAFETY: sets state by names that every 3.3 context has.
        unsafe {
            switch(gl, glow::DEPTH_TEST, state.depth_test != DepthTest::Off || state.depth_write);
            gl.depth_func(if state.depth_test == DepthTest::Off { glow::ALWAYS } else { glow::LEQUAL });
            gl.depth_mask(state.depth_write);
            let (near, far) = state.depth_range.limits();
            self.depth_range(near, far);
            switch(gl, glow::BLEND, matches!(state.blend, Blend::Alpha | Blend::Add));
            gl.blend_equation(glow::FUNC_ADD);
            let over = glow::ONE_MINUS_SRC_ALPHA;
            let color = if state.blend == Blend::Add { glow::ONE } else { over };
            gl.blend_func_separate(glow::SRC_ALPHA, color, glow::ONE, over);
            let color = state.blend != Blend::DepthOnly;
            gl.color_mask(color, color, color, color);
            switch(gl, glow::CULL_FACE, state.cull != Cull::Off);
            gl.cull_face(if state.cull == Cull::Front { glow::FRONT } else { glow::BACK });
            gl.front_face(if state.winding == Winding::Mirrored { glow::CW } else { glow::CCW });
            switch(gl, glow::POLYGON_OFFSET_FILL, state.offset != 0.0);
            // OpenGL ES fills all triangles.
            if !gl.is_es() {
                gl.polygon_mode(glow::FRONT_AND_BACK, if state.fill == Fill::Lines { glow::LINE } else { glow::FILL });
                switch(gl, glow::POLYGON_OFFSET_LINE, state.offset != 0.0);
            }
            gl.polygon_offset(state.offset, state.offset * 2.0);
            gl.disable(glow::STENCIL_TEST);
            gl.disable(glow::RASTERIZER_DISCARD);
        }
    }

    /// # Safety
    /// The context is current.
    unsafe fn depth_range(&self, near: f64, far: f64) {
        // SAFETY: guaranteed by the caller; each interface has one of these.
        unsafe {
            if self.gl.is_es() {
                self.gl.depth_range_f32(near as f32, far as f32);
            } else {
                self.gl.depth_range_f64(near, far);
            }
        }
    }

    /// Draws only inside of a rectangle until the next call; everywhere if it is `None`.
    pub fn set_scissor(&self, rectangle: Option<Viewport>) {
        // SAFETY: sets state that every context has.
        unsafe {
            match rectangle {
                Some(Viewport { at, size }) => {
                    let ([x, y], [width, height]) = (at.map(|side| side as i32), size.map(|side| side as i32));
                    self.gl.enable(glow::SCISSOR_TEST);
                    self.gl.scissor(x, y, width, height);
                }
                None => self.gl.disable(glow::SCISSOR_TEST),
            }
        }
    }

    /// Directs draws to a window of this size, and fills it with a colour.
    pub fn clear_window(&self, size: [u32; 2], [red, green, blue]: [f32; 3]) {
        let [width, height] = size.map(|side| side as i32);
        // SAFETY: the window's framebuffer always exists.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            self.gl.viewport(0, 0, width, height);
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.clear_color(red, green, blue, 1.0);
            self.gl.clear(glow::COLOR_BUFFER_BIT);
        }
    }

    /// Resets the state to defaults with nothing bound, as other code expects it.
    pub fn reset(&self) {
        self.apply(&State { depth_write: true, ..State::default() });
        // SAFETY: as above.
        unsafe {
            self.gl.disable(glow::DEPTH_TEST);
            self.gl.disable(glow::SCISSOR_TEST);
            self.depth_range(0.0, 1.0);
            if self.gl.interface == Interface::Gl33 {
                self.gl.disable(glow::FRAMEBUFFER_SRGB);
            }
            self.gl.use_program(None);
            self.gl.active_texture(glow::TEXTURE0);
            self.gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }
}

/// # Safety
/// The capability must be one of the context's.
unsafe fn switch(gl: &Gl, capability: u32, on: bool) {
    // SAFETY: guaranteed by the caller.
    unsafe { if on { gl.enable(capability) } else { gl.disable(capability) } }
}
