//! A shader program. Uniforms and attributes are resolved when it is loaded; a missing one is an error with its name.
#![allow(unsafe_code)]

use glam::{IVec2, Mat4, Vec2, Vec3, Vec4};
use glow::HasContext;
use std::marker::PhantomData;

use crate::render::gl::context::{Context, Gl, Interface};
use crate::render::gl::error::GlError;
use crate::render::gl::shader_log::first_error;
use crate::render::shaders::Shaders;

/// The shaders of a program and how they are compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// The files of its stages: `crowd.vert+mesh.frag`, or `mesh` for `mesh.vert` and `mesh.frag`. They are GLSL 330 core that is also
    /// GLSL ES 3.00. A line with their version is replaced by that of the context.
    pub name: &'a str,
    /// Names that both shaders define, with their values: `PALETTE_ROWS 96`.
    pub defines: &'a [String],
    /// Every vertex attribute by name; its index is its location. If the shader reads any other, loading fails.
    pub attributes: &'a [&'a str],
    /// Outputs of the vertex shader that transform feedback writes; may be empty.
    pub feedback: &'a [&'a str],
    /// Whether the definitions leave out parts of the shaders, so that uniforms may be missing.
    pub is_partial: bool,
}

/// A linked program.
pub struct Program {
    gl: Gl,
    handle: glow::Program,
    name: String,
    is_partial: bool,
}

/// A uniform of a program, with its type.
pub struct Uniform<T> {
    /// `None` in a part of a program that doesn't use it.
    location: Option<glow::UniformLocation>,
    of: PhantomData<T>,
}

impl Program {
    /// Loads the program with this name, see [`Source::name`].
    pub fn load(context: &Context, shaders: &Shaders, name: &str, attributes: &[&str]) -> Result<Program, GlError> {
        Program::new(context, shaders, &Source { name, attributes, ..Source::default() })
    }

    /// Compiles and links. Errors contain the driver's log.
    pub fn new(context: &Context, shaders: &Shaders, source: &Source<'_>) -> Result<Program, GlError> {
        let gl = context.gl.clone();
        // SAFETY: the context is current (see `Context`); the handle is owned by `program` from here on.
        let handle = unsafe { gl.create_program() }.map_err(|reason| GlError::Object { what: "program", reason })?;
        let program = Program { gl, handle, name: source.name.to_owned(), is_partial: source.is_partial };
        let header = header(context, source.defines);
        for (ending, stage) in [("vert", glow::VERTEX_SHADER), ("frag", glow::FRAGMENT_SHADER)] {
            let file = file_of(source.name, ending);
            program.attach(stage, &file, &with_header(&header, shaders.text(&file)))?;
        }
        program.link(source)?;
        program.check_attributes(source.attributes)?;
        Ok(program)
    }

    /// Compiles a stage and attaches it. The shader object lives as long as the program.
    fn attach(&self, stage: u32, name: &str, text: &str) -> Result<(), GlError> {
        let gl = &self.gl;
        // SAFETY: handles are made and used within this context.
        unsafe {
            let shader = gl.create_shader(stage).map_err(|reason| GlError::Object { what: "shader", reason })?;
            gl.shader_source(shader, text);
            gl.compile_shader(shader);
            let log = (!gl.get_shader_compile_status(shader)).then(|| gl.get_shader_info_log(shader));
            if log.is_none() {
                gl.attach_shader(self.handle, shader);
            }
            // An attached shader is deleted with its program.
            gl.delete_shader(shader);
            log.map_or(Ok(()), |log| Err(compile_error(name, &log)))
        }
    }

    fn link(&self, source: &Source<'_>) -> Result<(), GlError> {
        let gl = &self.gl;
        // SAFETY: as above.
        unsafe {
            for (location, name) in source.attributes.iter().enumerate() {
                gl.bind_attrib_location(self.handle, location as u32, name);
            }
            if !source.feedback.is_empty() {
                gl.transform_feedback_varyings(self.handle, source.feedback, glow::INTERLEAVED_ATTRIBS);
            }
            gl.link_program(self.handle);
            if gl.get_program_link_status(self.handle) {
                return Ok(());
            }
            let log = gl.get_program_info_log(self.handle).trim().to_owned();
            Err(GlError::Link { program: self.name.clone(), log })
        }
    }

    fn check_attributes(&self, fed: &[&str]) -> Result<(), GlError> {
        // SAFETY: the indices are below the count.
        let names = unsafe {
            let count = self.gl.get_active_attributes(self.handle);
            (0..count).filter_map(|index| self.gl.get_active_attribute(self.handle, index))
        };
        let mut names = names.map(|attribute| attribute.name).filter(|name| !name.starts_with("gl_"));
        match names.find(|name| !fed.contains(&name.as_str())) {
            Some(name) => Err(GlError::Attribute { program: self.name.clone(), name }),
            None => Ok(()),
        }
    }

    /// Resolves a uniform. One that the shader doesn't use is an error, so that typing errors show at once.
    pub fn uniform<T: UniformValue>(&self, name: &str) -> Result<Uniform<T>, GlError> {
        // SAFETY: the program is linked.
        let location = unsafe { self.gl.get_uniform_location(self.handle, name) };
        match location.is_some() || self.is_partial {
            true => Ok(Uniform { location, of: PhantomData }),
            false => Err(GlError::Uniform { program: self.name.clone(), name: name.to_owned() }),
        }
    }

    /// The same; `None` if the shader doesn't use it.
    pub fn optional<T: UniformValue>(&self, name: &str) -> Option<Uniform<T>> {
        self.uniform(name).ok().filter(|uniform| uniform.location.is_some())
    }

    /// Makes a sampler read a texture unit in all draws. No program is bound afterwards.
    ///
    /// # Errors
    /// As [`Program::uniform`].
    pub fn set_sampler(&self, name: &str, unit: u32) -> Result<(), GlError> {
        let sampler = self.uniform::<i32>(name)?;
        self.bind();
        self.set(&sampler, unit as i32);
        // SAFETY: binding no program is always allowed.
        unsafe { self.gl.use_program(None) }
        Ok(())
    }

    /// Reads the uniform block of a name from a slot. Without effect if the shader doesn't use it.
    pub fn read_block(&self, name: &str, slot: u32) {
        // SAFETY: the program is linked, and the index is one of its blocks.
        unsafe {
            if let Some(block) = self.gl.get_uniform_block_index(self.handle, name) {
                self.gl.uniform_block_binding(self.handle, block, slot);
            }
        }
    }

    /// Sets the first elements of an array of vectors. The program must be bound.
    pub fn set_rows(&self, uniform: &Uniform<Vec4>, rows: &[[f32; 4]]) {
        // SAFETY: the location belongs to the bound program; elements beyond the array are ignored.
        unsafe { self.gl.uniform_4_f32_slice(uniform.location.as_ref(), rows.as_flattened()) }
    }

    /// Binds it for the following draws.
    pub fn bind(&self) {
        // SAFETY: the handle is valid while `self` lives.
        unsafe { self.gl.use_program(Some(self.handle)) }
    }

    /// Sets a uniform of this program, which must be bound.
    pub fn set<T: UniformValue>(&self, uniform: &Uniform<T>, value: T) {
        value.put(&self.gl, uniform.location.as_ref());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, and the context is still current (see `Context`).
        unsafe { self.gl.delete_program(self.handle) }
    }
}

/// The file of a stage: that of the program's name with the ending, or that of a name like `crowd.vert+mesh.frag`.
fn file_of(program: &str, ending: &str) -> String {
    let is_of_stage = |file: &&str| file.rsplit_once('.').is_some_and(|(_, last)| last == ending);
    program.split('+').find(is_of_stage).map_or_else(|| format!("{program}.{ending}"), str::to_owned)
}

/// The error of a shader: its file, the line and what is wrong there.
fn compile_error(name: &str, log: &str) -> GlError {
    let (line, log) = first_error(log);
    GlError::Compile { name: line.map_or(name.to_owned(), |line| format!("{name}:{line}")), log }
}

/// The first lines of a shader: its version and precision, and the definitions.
fn header(context: &Context, defines: &[String]) -> String {
    let version = match context.interface() {
        Interface::Gl33 => "#version 330 core\n",
        Interface::Es3 => {
            "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp sampler2DShadow;\n"
        }
    };
    let defines: String = defines.iter().map(|define| format!("#define {define}\n")).collect();
    format!("{version}{defines}")
}

/// The text with a header instead of its version. Its lines keep their numbers in errors.
fn with_header(header: &str, text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.trim_start().starts_with("#version") {
        true => format!("{header}#line 2\n{rest}"),
        false => format!("{header}#line 1\n{text}"),
    }
}

/// A type of uniforms.
pub trait UniformValue: private::Put {}

mod private {
    /// Writes a value to a uniform of the bound program. Sealed.
    pub trait Put {
        /// Writes it.
        fn put(self, gl: &glow::Context, location: Option<&glow::UniformLocation>);
    }
}

macro_rules! uniform_values {
    ($($type:ty: |$gl:ident, $at:ident, $value:ident| $call:expr;)*) => {$(
        impl UniformValue for $type {}
        impl private::Put for $type {
            fn put(self, $gl: &glow::Context, $at: Option<&glow::UniformLocation>) {
                let $value = self;
                // SAFETY: the location belongs to the bound program; a wrong type is a GL error, not undefined.
                unsafe { $call }
            }
        }
    )*};
}

uniform_values! {
    i32: |gl, at, value| gl.uniform_1_i32(at, value);
    f32: |gl, at, value| gl.uniform_1_f32(at, value);
    IVec2: |gl, at, value| gl.uniform_2_i32(at, value.x, value.y);
    Vec2: |gl, at, value| gl.uniform_2_f32(at, value.x, value.y);
    Vec3: |gl, at, value| gl.uniform_3_f32(at, value.x, value.y, value.z);
    Vec4: |gl, at, value| gl.uniform_4_f32(at, value.x, value.y, value.z, value.w);
    Mat4: |gl, at, value| gl.uniform_matrix_4_f32_slice(at, false, value.as_ref());
}
