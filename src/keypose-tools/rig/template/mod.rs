//! Templates of skeletons: bones whose joints are placed between markers. Names are those by which clips of other characters are
//! retargeted ([`crate::assets::bone_match`]); paired bones and markers end in ".L" and ".R". Characters face the front with their left
//! side at the ".L" markers, which is +X for a character that faces +Z.

mod tables;

pub use tables::TEMPLATES;

/// A kind of skeleton.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// For the command line and scripts.
    pub name: &'static str,
    /// For lists.
    pub title: &'static str,
    /// Places on the mesh that determine the joints.
    pub markers: &'static [Marker],
    /// Parents come before their children.
    pub bones: &'static [TemplateBone],
}

/// A place on the mesh.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Without a side.
    pub name: &'static str,
    /// One or two.
    pub sides: Sides,
    /// Where it is usually.
    pub place: Place,
}

/// Whether there is one on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// One, on the plane of symmetry.
    Middle,
    /// Left and right, mirrored.
    Both,
}

/// The usual place of a marker.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// In the box around the mesh: to the left from the middle (1 at the side of the box), up from the ground (1 at the top), and to the
    /// front from the middle (1 at the front of the box).
    Box([f32; 3]),
    /// In the middle of the slice at this fraction of the longest side.
    Along(f32),
}

/// A bone, or a pair of bones, and the place of its joint.
#[derive(Clone, Copy, Debug)]
pub struct TemplateBone {
    /// Without a side.
    pub name: &'static str,
    /// The name of its parent without a side; empty for a child of the root.
    pub parent: &'static str,
    /// One or two.
    pub sides: Sides,
    /// The joint: markers and their shares, which sum to 1. A paired bone uses the markers of its side, and those of the other side with a
    /// leading "-".
    pub joint: &'static [(&'static str, f32)],
    /// How the joint is moved into the volume.
    pub snap: Snap,
}

/// How a joint is moved into the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snap {
    /// Left between its markers.
    Stay,
    /// To the middle between front and back surface.
    Depth,
    /// To the middle between front and back, and between top and bottom: of a limb that points to the side or forward.
    Section,
}

/// The suffixes of the sides, left first.
pub const SIDES: [&str; 2] = [".L", ".R"];

impl Template {
    /// The template of a name.
    pub fn named(name: &str) -> Option<&'static Template> {
        TEMPLATES.iter().find(|template| template.name == name)
    }

    /// The names of all markers, with sides.
    pub fn marker_names(&self) -> impl Iterator<Item = String> + use<> {
        let markers = self.markers;
        markers.iter().flat_map(|marker| named(marker.name, marker.sides))
    }

    /// Number of bones, sides counted, without the root.
    pub fn bone_count(&self) -> usize {
        self.bones.iter().map(|bone| if bone.sides == Sides::Both { 2 } else { 1 }).sum()
    }
}

/// The names with sides.
pub fn named(name: &str, sides: Sides) -> Vec<String> {
    match sides {
        Sides::Middle => vec![name.to_owned()],
        Sides::Both => SIDES.map(|side| format!("{name}{side}")).to_vec(),
    }
}
