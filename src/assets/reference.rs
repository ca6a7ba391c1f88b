//! A reference image: a picture that stands upright behind or before a model while it is posed. The game does not show it.

use std::sync::Arc;

use glam::Vec2;

use crate::assets::model::Visibility;
use crate::assets::texture::Texture;

/// Which way a reference image faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// +z: it is seen in the front view.
    #[default]
    Front,
    /// +x: it is seen in the right view.
    Side,
}

impl Facing {
    /// All, in the order in which they are shown.
    pub const ALL: [Facing; 2] = [Facing::Front, Facing::Side];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Facing::Front => "front",
            Facing::Side => "side",
        }
    }
}

/// Whether the model hides a reference image or is hidden by it. Where it stands is the same: through the model's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// The model hides it.
    #[default]
    Behind,
    /// It lies over the model.
    Before,
}

impl Depth {
    /// All, in the order in which they are shown.
    pub const ALL: [Depth; 2] = [Depth::Behind, Depth::Before];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Depth::Behind => "behind",
            Depth::Before => "before",
        }
    }
}

/// Whether its place and look can be changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    /// They can.
    #[default]
    Open,
    /// They stay until it is unlocked.
    Locked,
}

/// A picture beside a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its pixels; its name is unique among the model's reference images.
    pub image: Arc<Texture>,
    /// Which way it faces.
    pub facing: Facing,
    /// Whether the model hides it.
    pub depth: Depth,
    /// World units from the model's origin to the middle of its lower edge: to its right as it is seen, and up.
    pub offset: Vec2,
    /// World units, more than zero; its width follows from its pixels.
    pub height: f32,
    /// 0..=1.
    pub opacity: f32,
    /// Whether it is drawn.
    pub visibility: Visibility,
    /// Whether it can be changed.
    pub lock: Lock,
}

impl Reference {
    /// The most that a model has.
    pub const MAX_COUNT: usize = 32;

    /// In the model's origin, so high.
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

    /// Its name.
    pub fn name(&self) -> &str {
        &self.image.name
    }
}

/// Checks the reference images of a model; the error names the one and the reason.
pub fn check(references: &[Arc<Reference>]) -> Result<(), String> {
    if references.len() > Reference::MAX_COUNT {
        return Err(format!("{} reference images, at most {} are possible", references.len(), Reference::MAX_COUNT));
    }
    for (at, reference) in references.iter().enumerate() {
        let name = reference.name();
        let fault = match () {
            _ if name.trim().is_empty() => "it has no name",
            _ if references[..at].iter().any(|other| other.name() == name) => "its name is taken",
            _ if !reference.image.is_valid() => "its size does not fit its pixels",
            _ if !(reference.offset.is_finite() && reference.height.is_finite()) => "its place is not finite",
            _ if reference.height <= 0.0 => "its height is not more than zero",
            _ if !(0.0..=1.0).contains(&reference.opacity) => "its opacity lies outside 0 to 1",
            _ => continue,
        };
        return Err(format!("reference image \"{name}\": {fault}"));
    }
    Ok(())
}
