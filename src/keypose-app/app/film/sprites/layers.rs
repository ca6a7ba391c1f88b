//! Layers of a sheet beside its colours.

use keypose::anim::choice::choice;

choice! {
    /// A kind of image of the same places as the colours.
    #[derive(PartialOrd, Ord)]
    pub enum Layer {
        /// Normals in the space of the screen.
        Normals = "normals",
        /// Light that surfaces emit.
        Emission = "emission",
        /// Near is bright.
        Depth = "depth",
        /// A colour for each material.
        Mask = "mask",
        /// White where the body is.
        Silhouette = "silhouette",
        /// The shadow on the ground.
        Shadow = "shadow",
    }
}

choice! {
    /// The direction of green in normals.
    #[derive(Default)]
    pub enum Up {
        /// Up, as Godot and Unity expect it.
        #[default]
        Y = "y-up",
        /// Down, as Unreal expects it.
        NegativeY = "y-down",
    }
}
