//! Reference images: images shown upright behind or in front of a model while it is posed. The game does not draw them.

use std::sync::Arc;

use glam::Vec2;

use crate::anim::choice::choice;
use crate::assets::model::Visibility;
use crate::assets::texture::Texture;

choice! {
    /// Direction that a reference image faces.
    #[derive(Default)]
    pub enum Facing {
        /// +z: visible in the front view.
        #[default]
        Front = "front",
        /// +x: visible in the right view.
        Side = "side",
    }
}

choice! {
    /// Whether a reference image is drawn behind or in front of the model. Its plane passes through the model's origin in both
    /// cases.
    #[derive(Default)]
    pub enum Depth {
        /// Drawn behind the model.
        #[default]
        Behind = "behind",
        /// Drawn over the model.
        Before = "before",
    }
}

/// Whether a reference image can be edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    /// Editable.
    #[default]
    Open,
    /// Not editable until it is unlocked.
    Locked,
}

/// A reference image of a model. `Image` is what holds its pixels: a texture, or in an archive the name of a lump.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference<Image = Arc<Texture>> {
    /// The pixels. The name of the texture is unique among the model's reference images.
    pub image: Image,
    /// The direction that it faces.
    pub facing: Facing,
    /// Whether it is behind or in front of the model.
    pub depth: Depth,
    /// From the model's origin to the middle of its lower edge, in world units: to its right as seen from the front, and up.
    pub offset: Vec2,
    /// In world units, positive. The width follows from the pixels.
    pub height: f32,
    /// 0..=1.
    pub opacity: f32,
    /// Whether it is drawn.
    pub visibility: Visibility,
    /// Whether it can be edited.
    pub lock: Lock,
}

impl<Image> Reference<Image> {
    /// Returns the reference with another holder of its pixels.
    pub fn with_image<Other>(&self, image: Other) -> Reference<Other> {
        let &Reference { facing, depth, offset, height, opacity, visibility, lock, .. } = self;
        Reference { image, facing, depth, offset, height, opacity, visibility, lock }
    }
}

impl Reference {
    /// The maximum number of reference images of a model.
    pub const MAX_COUNT: usize = 32;

    /// A reference image of this height at the model's origin.
    pub fn new(image: Arc<Texture>, height: f32) -> Reference {
        Reference {
            image,
            facing: Facing::Front,
            depth: Depth::Behind,
            offset: Vec2::ZERO,
            height,
            opacity: 0.5,
            visibility: Visibility::Shown,
            lock: Lock::Open,
        }
    }

    /// Returns the name of the texture.
    pub fn name(&self) -> &str {
        &self.image.name
    }
}

/// Checks the reference images of a model. The error names the image and the reason.
pub fn check(references: &[Arc<Reference>]) -> Result<(), String> {
    if references.len() > Reference::MAX_COUNT {
        let (count, max) = (references.len(), Reference::MAX_COUNT);
        return Err(format!("{count} reference images, more than the maximum of {max}"));
    }
    for (at, reference) in references.iter().enumerate() {
        let name = reference.name();
        let rules = [
            (!name.trim().is_empty(), "the name is empty"),
            (references[..at].iter().all(|other| other.name() != name), "the name is already used"),
            (reference.image.is_valid(), "the size does not match the number of pixels"),
            (reference.offset.is_finite() && reference.height.is_finite(), "the position or height is not finite"),
            (reference.height > 0.0, "the height is not positive"),
            ((0.0..=1.0).contains(&reference.opacity), "the opacity is outside 0 to 1"),
        ];
        if let Some((_, fault)) = rules.into_iter().find(|(holds, _)| !holds) {
            return Err(format!("reference image \"{name}\": {fault}"));
        }
    }
    Ok(())
}
