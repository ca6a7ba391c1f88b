//! The fixed-function state of a draw as one value: each pass sets all of it and relies on nothing set before.
#![allow(unsafe_code)]

use glow::HasContext;

use crate::render::gl::context::Context;

/// How depth decides whether a pixel is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthTest {
    /// It does not.
    #[default]
    Off,
    /// Nearer or as near.
    LessOrEqual,
}

/// How a pixel goes over what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// It replaces it.
    #[default]
    Off,
    /// By its straight alpha; the target's colour becomes premultiplied.
    Alpha,
    /// Nothing is written to the colour.
    DepthOnly,
}

/// Which triangles are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cull {
    /// None.
    #[default]
    Off,
    /// Those that face away.
    Back,
    /// Those that face the eye; for transforms that mirror.
    Front,
}

/// How triangles are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Wholly.
    #[default]
    Solid,
    /// Edges only.
    Lines,
}

/// Everything that a draw depends on beside program, vertices and textures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// How depth decides.
    pub depth_test: DepthTest,
    /// Whether depth is written.
    pub depth_write: bool,
    /// The part of the depth buffer's range used, near and far, so that layers keep in front of each other.
    pub depth_range: DepthRange,
    /// How it goes over what is there.
    pub blend: Blend,
    /// Which triangles are left out.
    pub cull: Cull,
    /// How triangles are filled.
    pub fill: Fill,
    /// Pushes surfaces away from the eye, in units of their slope and of the buffer's precision.
    pub offset: f32,
}

/// A layer of the depth buffer: each lies wholly in front of the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthRange {
    /// What shows through the scene.
    OnTop,
    /// The scene.
    #[default]
    Scene,
    /// What stays behind the scene.
    Behind,
    /// All of it, for a buffer that is looked up: its depths are those of clip space.
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
            gl.depth_range_f64(near, far);
            switch(gl, glow::BLEND, state.blend == Blend::Alpha);
            gl.blend_equation(glow::FUNC_ADD);
            let over = glow::ONE_MINUS_SRC_ALPHA;
            gl.blend_func_separate(glow::SRC_ALPHA, over, glow::ONE, over);
            let color = state.blend != Blend::DepthOnly;
            gl.color_mask(color, color, color, color);
            switch(gl, glow::CULL_FACE, state.cull != Cull::Off);
            gl.cull_face(if state.cull == Cull::Front { glow::FRONT } else { glow::BACK });
            gl.front_face(glow::CCW);
            gl.polygon_mode(glow::FRONT_AND_BACK, if state.fill == Fill::Lines { glow::LINE } else { glow::FILL });
            for kind in [glow::POLYGON_OFFSET_FILL, glow::POLYGON_OFFSET_LINE] {
                switch(gl, kind, state.offset != 0.0);
            }
            gl.polygon_offset(state.offset, state.offset * 2.0);
            for off in [glow::SCISSOR_TEST, glow::STENCIL_TEST, glow::RASTERIZER_DISCARD] {
                gl.disable(off);
            }
        }
    }

    /// Leaves the context as others expect to find it: defaults, nothing bound.
    pub fn reset(&self) {
        self.apply(&State { depth_write: true, ..State::default() });
        // SAFETY: as above.
        unsafe {
            self.gl.disable(glow::DEPTH_TEST);
            self.gl.depth_range_f64(0.0, 1.0);
            self.gl.disable(glow::FRAMEBUFFER_SRGB);
            self.gl.use_program(None);
            self.gl.active_texture(glow::TEXTURE0);
            self.gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }
}

/// # Safety
/// The capability must be one of the context's.
unsafe fn switch(gl: &glow::Context, capability: u32, on: bool) {
    // SAFETY: by the caller's promise.
    unsafe { if on { gl.enable(capability) } else { gl.disable(capability) } }
}
