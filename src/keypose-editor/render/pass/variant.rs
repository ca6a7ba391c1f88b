//! The variants of the programs with `mesh.vert`: where it finds palettes, and how it skins. A pass loads those that a frame needs.

use crate::render::gl::error::GlError;
use crate::render::pass::palette::tier::Tier;
use keypose::anim::skin::method::Method;

/// A variant of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// `None` for meshes that no bone moves.
    pub tier: Option<Tier>,
    pub method: Method,
    /// Vectors of its uniform array or block; 0 without one.
    pub array_rows: usize,
}

impl Variant {
    /// For meshes that no bone moves.
    pub const NONE: Variant = Variant { tier: None, method: Method::Linear, array_rows: 0 };

    /// The definitions of the shaders.
    pub fn defines(&self) -> Vec<String> {
        let tier = match self.tier {
            Some(Tier::Uniform) => "PALETTE_UNIFORM",
            Some(Tier::Block) => "PALETTE_BLOCK",
            Some(Tier::Texture) => "PALETTE_TEXTURE",
            None => "PALETTE_NONE",
        };
        let method = match self.method {
            Method::Rigid => "SKINNING_RIGID",
            Method::Linear => "SKINNING_LINEAR",
            Method::Dual => "SKINNING_DUAL",
            Method::Interpolated => "SKINNING_INTERPOLATED",
        };
        vec![tier.into(), method.into(), format!("PALETTE_ROWS {}", self.array_rows)]
    }
}

/// The loaded variants of a program.
pub struct Variants<P> {
    loaded: Vec<(Variant, P)>,
}

impl<P> Default for Variants<P> {
    fn default() -> Variants<P> {
        Variants { loaded: Vec::new() }
    }
}

impl<P> Variants<P> {
    /// Loads a variant, unless it is loaded.
    pub fn need(&mut self, variant: Variant, load: impl FnOnce() -> Result<P, GlError>) -> Result<(), GlError> {
        if self.get(variant).is_none() {
            self.loaded.push((variant, load()?));
        }
        Ok(())
    }

    /// A loaded variant.
    pub fn get(&self, variant: Variant) -> Option<&P> {
        self.loaded.iter().find(|(known, _)| *known == variant).map(|(_, program)| program)
    }

    /// The programs of all loaded variants.
    pub fn all(&self) -> impl Iterator<Item = &P> {
        self.loaded.iter().map(|(_, program)| program)
    }

    /// All loaded variants.
    pub fn names(&self) -> impl Iterator<Item = Variant> {
        self.loaded.iter().map(|(variant, _)| *variant)
    }
}
