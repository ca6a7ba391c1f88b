//! Rigs for static meshes: the volume of a mesh, skeletons placed in it, and weights, automatic and painted. Editing of single bones is the
//! editor's.

pub mod bind;
pub mod fit;
pub mod markers;
pub mod paint;
pub mod problems;
pub mod segments;
pub mod surface;
pub mod template;
pub mod transfer;
pub mod vertex;
pub mod volume;
pub mod weights;

#[cfg(test)]
mod tests;

use thiserror::Error;

/// Hears which part of a work is done, 0 to 1. Its error ends the work: [`RigError::Cancelled`].
pub type Reach<'r> = dyn FnMut(f32) -> Result<(), RigError> + 'r;

/// Hears nothing, for work that is never cancelled.
pub fn unheard(_: f32) -> Result<(), RigError> {
    Ok(())
}

/// Why a mesh can't be rigged.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum RigError {
    #[error("there are no triangles to bind")]
    NoTriangles,
    #[error("vertex {vertex}: the position is not finite")]
    NotFinite { vertex: usize },
    #[error("triangle {triangle}: vertex {index} doesn't exist")]
    NoVertex { triangle: usize, index: u32 },
    #[error("the mesh has no size: all vertices are at the same place, too far apart, or too far from the origin")]
    NoSize,
    #[error("there are no bones to bind to")]
    NoBones,
    #[error("marker {name} is missing")]
    NoMarker { name: String },
    #[error("marker {name} is far outside the mesh")]
    MarkerOutside { name: String },
    #[error("markers, line {line}: {reason}")]
    MarkerLine { line: usize, reason: String },
    #[error("{weights} lists of weights for {vertices} vertices")]
    Count { weights: usize, vertices: usize },
    #[error("it has no mesh with weights")]
    NoWeights,
    #[error("there is no bone {name}, which the weights need")]
    NoBoneNamed { name: String },
    #[error("vertex {vertex}: bone {bone} doesn't exist")]
    NoBone { vertex: usize, bone: u16 },
    #[error("cancelled")]
    Cancelled,
}
