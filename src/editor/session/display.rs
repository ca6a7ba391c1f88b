//! How the model shows in the viewport: what its surface says, and whether it stands in a pose other than the clip's.

use crate::anim::skeleton::BoneIndex;
use crate::render::frame::Surface;

/// What the surface of the model shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Materials under light.
    #[default]
    Lit,
    /// The colours of the materials alone.
    Flat,
    /// The edges of its triangles.
    Wireframe,
    /// It is seen through.
    XRay,
    /// How much the selected bone moves each vertex.
    Weights,
    /// Each vertex in the colours of the bones that move it.
    BoneColors,
    /// Where its normals point.
    Normals,
}

impl Shading {
    /// All, in the order in which they are shown.
    pub const ALL: [Shading; 7] = [
        Shading::Lit,
        Shading::Flat,
        Shading::Wireframe,
        Shading::XRay,
        Shading::Weights,
        Shading::BoneColors,
        Shading::Normals,
    ];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Shading::Lit => "Lit",
            Shading::Flat => "Flat colours",
            Shading::Wireframe => "Wireframe",
            Shading::XRay => "X-ray",
            Shading::Weights => "Bone weights",
            Shading::BoneColors => "Bone colours",
            Shading::Normals => "Normals",
        }
    }

    /// As the renderer has it. `active` is the bone whose weights show; without one, nothing is moved by it.
    pub fn surface(self, active: Option<BoneIndex>) -> Surface {
        match self {
            Shading::Lit => Surface::Lit,
            Shading::Flat => Surface::Unlit,
            Shading::Wireframe => Surface::Wireframe,
            Shading::XRay => Surface::XRay,
            Shading::Weights => Surface::Weights(active.unwrap_or(BoneIndex::MAX)),
            Shading::BoneColors => Surface::BoneColors,
            Shading::Normals => Surface::Normals,
        }
    }
}

/// In which pose the model stands. Every pose but the clip's is only looked at: posing leads back to the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownPose {
    /// That of the clip at the playhead.
    #[default]
    Clip,
    /// That of bones without keys.
    Rest,
    /// That in which the mesh was bound to its bones.
    Bind,
}

impl ShownPose {
    /// All, in the order in which they are shown.
    pub const ALL: [ShownPose; 3] = [ShownPose::Clip, ShownPose::Rest, ShownPose::Bind];

    /// The word for panels and scripts.
    pub fn name(self) -> &'static str {
        match self {
            ShownPose::Clip => "Clip",
            ShownPose::Rest => "Rest pose",
            ShownPose::Bind => "Bind pose",
        }
    }
}

/// How the model shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Display {
    /// What its surface shows.
    pub shading: Shading,
    /// In which pose.
    pub pose: ShownPose,
    /// What its surface showed before.
    before: Shading,
}

impl Display {
    /// Shows something else on the surface.
    pub fn shade(&mut self, shading: Shading) {
        if shading != self.shading {
            self.before = std::mem::replace(&mut self.shading, shading);
        }
    }

    /// What a key shows that stands for a shading: that one, or what was shown before it.
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
