//! A part of a model: a shape with its colour, how soft its edges are, and the bones that move it.

use glam::DVec3;

use crate::geometry::shape::Shape;

/// Up to four bones and their weights, which sum to 1.
pub type Influences = Vec<(u16, f64)>;

/// A painted and bound shape.
#[derive(Clone, Debug)]
pub struct Part {
    /// Surface of the part.
    pub shape: Shape,
    /// The colour of each face: an index into the palette.
    pub swatches: Vec<u8>,
    /// Faces that meet at an angle whose cosine is above this are shaded as one surface.
    pub soft_cos: f64,
    /// Which bones move each point; empty in a rigid mesh.
    pub weights: Vec<Influences>,
}

impl Part {
    /// All of one colour, soft up to about 63°.
    pub fn new(shape: Shape, swatch: u8) -> Part {
        let swatches = vec![swatch; shape.faces.len()];
        Part { shape, swatches, soft_cos: 0.45, weights: Vec::new() }
    }

    /// Without edges, as for what is small or has few sides.
    pub fn round(self) -> Part {
        self.soft(-0.5)
    }

    /// Edges show from that cosine on: 1 makes every face flat, −1 none.
    pub fn soft(self, soft_cos: f64) -> Part {
        Part { soft_cos, ..self }
    }

    /// Paints the faces whose middle is inside.
    pub fn painted(mut self, swatch: u8, inside: impl Fn(DVec3) -> bool) -> Part {
        for (face, paint) in self.shape.faces.iter().zip(&mut self.swatches) {
            let middle = face.iter().map(|&at| self.shape.points[at]).sum::<DVec3>() / face.len() as f64;
            if inside(middle) {
                *paint = swatch;
            }
        }
        self
    }

    /// Returns the mirror image, on the bones that `other_side` gives.
    pub fn mirrored(&self, other_side: &[u16]) -> Part {
        let shape = self.shape.clone().mirrored();
        let flip = |influences: &Influences| influences.iter().map(|&(b, w)| (other_side[usize::from(b)], w)).collect();
        let weights = self.weights.iter().map(flip).collect();
        Part { shape, swatches: self.swatches.clone(), soft_cos: self.soft_cos, weights }
    }
}

/// The four strongest, summing to 1, sorted by bone.
pub fn strongest(mut influences: Influences) -> Influences {
    influences.retain(|&(_, weight)| weight > 1e-3);
    influences.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    influences.truncate(4);
    let sum: f64 = influences.iter().map(|&(_, weight)| weight).sum();
    influences.iter_mut().for_each(|(_, weight)| *weight /= sum);
    influences.sort_by_key(|&(bone, _)| bone);
    influences
}
