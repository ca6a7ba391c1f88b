//! How the model is drawn in the viewport, and the poses in which it can be shown.

use crate::editor::ops::choice::choice;
use crate::render::frame::Surface;
use keypose::anim::skeleton::BoneIndex;

choice! {
    /// The shading of the model.
    #[derive(Default)]
    pub enum Shading {
        /// Lit materials.
        #[default]
        Lit = "Lit",
        /// Unlit base colours.
        Flat = "Flat colours",
        /// One dark colour on a light background.
        Silhouette = "Silhouette",
        /// The edges of the triangles.
        Wireframe = "Wireframe",
        /// Transparent.
        XRay = "X-ray",
        /// The weight of the active bone for each vertex.
        Weights = "Bone weights",
        /// Each vertex in the colours of the bones that move it.
        BoneColors = "Bone colours",
        /// The direction of the normals.
        Normals = "Normals",
        /// Lines along the normals.
        NormalLines = "Normal lines",
        /// Squares in texture coordinates.
        UvChecker = "UV checker",
        /// The number of surfaces behind each other.
        Overdraw = "Overdraw",
        /// The place of each vertex in the bind pose.
        SkinSpace = "Skin space",
    }
}

impl Shading {
    /// Whether it colours a mesh by its weights.
    pub fn shows_weights(self) -> bool {
        matches!(self, Shading::Weights | Shading::BoneColors)
    }

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Shading::Lit => "lit",
            Shading::Flat => "flat",
            Shading::Silhouette => "silhouette",
            Shading::Wireframe => "wireframe",
            Shading::XRay => "x-ray",
            Shading::Weights => "weights",
            Shading::BoneColors => "bone-colors",
            Shading::Normals => "normals",
            Shading::NormalLines => "normal-lines",
            Shading::UvChecker => "uv-checker",
            Shading::Overdraw => "overdraw",
            Shading::SkinSpace => "skin-space",
        }
    }

    /// The shading for the renderer. `active` is the bone whose weights are shown; without one, all weights are 0.
    pub fn surface(self, active: Option<BoneIndex>) -> Surface {
        match self {
            Shading::Lit | Shading::NormalLines => Surface::Lit,
            Shading::Flat => Surface::Unlit,
            Shading::Silhouette => Surface::Silhouette,
            Shading::Wireframe => Surface::Wireframe,
            Shading::XRay => Surface::XRay,
            Shading::Weights => Surface::Weights(active.unwrap_or(BoneIndex::MAX)),
            Shading::BoneColors => Surface::BoneColors,
            Shading::Normals => Surface::Normals,
            Shading::UvChecker => Surface::UvChecker,
            Shading::Overdraw => Surface::Overdraw,
            Shading::SkinSpace => Surface::SkinSpace,
        }
    }
}

choice! {
    /// The pose in which the model is shown. Only the clip's pose can be edited: posing returns to it.
    #[derive(Default)]
    pub enum ShownPose {
        /// The pose of the clip at the playhead.
        #[default]
        Clip = "Clip",
        /// The pose of bones without keys.
        Rest = "Rest pose",
        /// The pose in which the mesh was bound to its bones.
        Bind = "Bind pose",
    }
}

/// How the model is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Display {
    pub shading: Shading,
    /// The previous shading.
    before: Shading,
}

impl Display {
    /// Changes the shading.
    pub fn shade(&mut self, shading: Shading) {
        if shading != self.shading {
            self.before = std::mem::replace(&mut self.shading, shading);
        }
    }

    /// The shading after its key: the shading itself, or the previous one if it is active.
    pub fn toggled(&self, shading: Shading) -> Shading {
        match (self.shading == shading, self.before == shading) {
            (false, _) => shading,
            (true, false) => self.before,
            (true, true) => Shading::Lit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Normal lines are drawn over a lit surface.
    #[test]
    fn each_shading_has_a_surface_of_its_own() {
        let own: Vec<_> = Shading::ALL.into_iter().filter(|shading| *shading != Shading::NormalLines).collect();
        for (at, shading) in own.iter().enumerate() {
            let surface = shading.surface(Some(1));
            assert!(own[..at].iter().all(|other| other.surface(Some(1)) != surface), "{shading:?}");
        }
    }
}
