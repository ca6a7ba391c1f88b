//! Errors of the graphics driver.

use thiserror::Error;

/// Why rendering is not possible. All of these occur at start or when a shader is loaded, none in a running frame.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum GlError {
    #[error("the graphics driver supports version {major}.{minor}, but {needed} is needed; update the driver")]
    TooOld { major: u32, minor: u32, needed: &'static str },
    #[error("the driver could not create a {what}: {reason}")]
    Object { what: &'static str, reason: String },
    #[error("shader {name} does not compile: {log}")]
    Compile { name: String, log: String },
    #[error("shader program {program} does not link: {log}")]
    Link { program: String, log: String },
    #[error("shader program {program} has no uniform {name}")]
    Uniform { program: String, name: String },
    #[error("shader program {program} reads the vertex attribute {name}, which no buffer provides")]
    Attribute { program: String, name: String },
    #[error("a render target of {width} × {height} is not complete (status {status:#x})")]
    Target { width: u32, height: u32, status: u32 },
}
