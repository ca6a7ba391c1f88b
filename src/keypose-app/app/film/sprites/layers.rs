//! Layers of a sheet beside its colours.

pub use keypose::assets::sprite_recipe::{Layer, Up};
