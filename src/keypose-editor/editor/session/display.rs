//! How the model is drawn in the viewport, and the poses in which it can be shown.

use crate::anim::skeleton::BoneIndex;
use crate::render::frame::Surface;

/// The shading of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Lit materials.
    #[default]
    Lit,
    /// Unlit base colours.
    Flat,
    /// One dark colour on a light background.
    Silhouette,
    /// The edges of the triangles.
    Wireframe,
    /// Transparent.
    XRay,
    /// The weight of the active bone for each vertex.
    Weights,
    /// Each vertex in the colours of the bones that move it.
    BoneColors,
    /// The direction of the normals.
    Normals,
    /// Lines along the normals.
    NormalLines,
    /// Squares in texture coordinates.
    UvChecker,
    /// The number of surfaces behind each other.
    Overdraw,
    /// The place of each vertex in the bind pose.
    SkinSpace,
}

impl Shading {
    /// All, in menu order.
    pub const ALL: [Shading; 12] = [
        Shading::Lit,
        Shading::Flat,
        Shading::Silhouette,
        Shading::Wireframe,
        Shading::XRay,
        Shading::Weights,
        Shading::BoneColors,
        Shading::Normals,
        Shading::NormalLines,
        Shading::UvChecker,
        Shading::Overdraw,
        Shading::SkinSpace,
    ];

    /// The label in panels and the word in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Shading::Lit => "Lit",
            Shading::Flat => "Flat colours",
            Shading::Silhouette => "Silhouette",
            Shading::Wireframe => "Wireframe",
            Shading::XRay => "X-ray",
            Shading::Weights => "Bone weights",
            Shading::BoneColors => "Bone colours",
            Shading::Normals => "Normals",
            Shading::NormalLines => "Normal lines",
            Shading::UvChecker => "UV checker",
            Shading::Overdraw => "Overdraw",
            Shading::SkinSpace => "Skin space",
        }
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

/// The pose in which the model is shown. Only the clip's pose can be edited: posing returns to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownPose {
    /// The pose of the clip at the playhead.
    #[default]
    Clip,
    /// The pose of bones without keys.
    Rest,
    /// The pose in which the mesh was bound to its bones.
    Bind,
}

impl ShownPose {
    /// All, in menu order.
    pub const ALL: [ShownPose; 3] = [ShownPose::Clip, ShownPose::Rest, ShownPose::Bind];

    /// The label in panels and the word in scripts.
    pub fn name(self) -> &'static str {
        match self {
            ShownPose::Clip => "Clip",
            ShownPose::Rest => "Rest pose",
            ShownPose::Bind => "Bind pose",
        }
    }
}

/// How the model is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Display {
    /// The shading.
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

    /// What the key of a shading does: selects it, or returns to the previous one.
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

    #[test]
    fn a_key_leads_back_to_what_was_shown_before() {
        let mut display = Display::default();
        let steps = [
            (Shading::Weights, Shading::Weights),
            (Shading::Wireframe, Shading::Wireframe),
            (Shading::Wireframe, Shading::Weights),
            (Shading::XRay, Shading::XRay),
            (Shading::XRay, Shading::Weights),
            (Shading::Lit, Shading::Lit),
            (Shading::Lit, Shading::Weights),
        ];
        for (key, expected) in steps {
            display.shade(display.toggled(key));
            assert_eq!(display.shading, expected, "{key:?}");
        }
        let mut fresh = Display::default();
        fresh.shade(fresh.toggled(Shading::Lit));
        assert_eq!(fresh.shading, Shading::Lit);
    }
}
