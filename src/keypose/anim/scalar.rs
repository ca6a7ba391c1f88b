//! Scalars: numbers of a skeleton that clips key besides the transforms of bones, such as the weight of a morph target
//! ([`crate::anim::morph`]) or a property that the game reads.

use crate::anim::choice::choice;
use crate::anim::key::BoneIndex;
pub use crate::anim::key::{MAX_SCALARS, ScalarIndex};

choice! {
    /// The effect of a scalar.
    #[derive(Default, Hash)]
    pub enum ScalarKind {
        /// The weight of a morph target: 0 is no deformation, 1 all of it. Values outside 0..=1 are allowed.
        #[default]
        Weight = "weight",
        /// A value that the game and other programs read, such as `glow`.
        Property = "property",
        /// Shows the mesh of the same name while it is above one half.
        Visibility = "visibility",
    }
}

/// A number that clips can key. Its value without keys is the default.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Not empty; unique among the scalars of its bone.
    pub name: String,
    /// The bone to which its keys belong; for a weight, the bone of the mesh.
    pub bone: BoneIndex,
    /// The effect.
    pub kind: ScalarKind,
    /// The value without keys. Finite.
    pub default: f32,
}

/// Blends the values of scalars in place. A scalar that one of the two poses lacks keeps its value.
#[inline]
pub(super) fn blend(values: &mut [f32], to: &[f32], weight: impl Fn(usize) -> f32) {
    for (at, (value, to)) in values.iter_mut().zip(to).enumerate() {
        *value += (to - *value) * weight(at);
    }
}
