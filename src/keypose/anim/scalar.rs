//! Scalars: numbers of a skeleton that clips key besides the transforms of bones, such as the weight of a morph target
//! ([`crate::anim::morph`]) or a property that the game reads.

use glam::Vec2;

use crate::anim::key::BoneIndex;
pub use crate::anim::key::{MAX_SCALARS, ScalarIndex};

/// Follows the name of the material in the name of its frame.
const FRAME_SUFFIX: &str = " frame";

/// The effect of a scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// The weight of a morph target: 0 is no deformation, 1 all of it. Values outside 0..=1 are allowed.
    #[default]
    Weight,
    /// A value that the game and other programs read, such as `glow`.
    Property,
    /// Shows the mesh of the same name while it is above one half.
    Visibility,
    /// The frame that a material shows of its texture sheet, counted from 0. [`Scalar::frame_name`] is its name.
    Frame(Sheet),
    /// The weight of the clip as a layer over another one, 0 to 1.
    LayerWeight,
}

impl ScalarKind {
    /// The name of the kind in panels and files.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarKind::Weight => "weight",
            ScalarKind::Property => "property",
            ScalarKind::Visibility => "visibility",
            ScalarKind::Frame(_) => "frame",
            ScalarKind::LayerWeight => "layer-weight",
        }
    }

    /// Finds the kind of a name. `sheet` is that of a frame.
    pub fn named(name: &str, sheet: Sheet) -> Option<ScalarKind> {
        use ScalarKind::{Frame, LayerWeight, Property, Visibility, Weight};
        [Weight, Property, Visibility, Frame(sheet), LayerWeight].into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the value switches instead of changing gradually: keys are stepped, and a blend shows one of its two poses.
    pub const fn is_stepped(self) -> bool {
        matches!(self, ScalarKind::Visibility | ScalarKind::Frame(_))
    }
}

/// A texture image that is divided into frames of equal size, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sheet {
    /// At least 1.
    pub columns: u8,
    /// At least 1.
    pub rows: u8,
}

impl Sheet {
    /// The number of frames.
    pub fn count(self) -> u16 {
        u16::from(self.columns) * u16::from(self.rows)
    }

    /// The size of a frame, in texture coordinates.
    pub fn size(self) -> Vec2 {
        Vec2::new(self.columns.into(), self.rows.into()).recip()
    }

    /// The frame of a value: rounded down. Values past the last frame start again from the first, also below 0.
    pub fn frame(self, value: f32) -> u16 {
        // A curve may miss its key by a rounding error.
        (value + 1e-3).floor().rem_euclid(f32::from(self.count())) as u16
    }

    /// The distance from the first frame to that of a value, in texture coordinates.
    pub fn offset(self, value: f32) -> Vec2 {
        let (frame, columns) = (self.frame(value), u16::from(self.columns));
        Vec2::new(f32::from(frame % columns), f32::from(frame / columns)) * self.size()
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

impl Scalar {
    /// The weight of layers: of each clip that is one.
    pub fn layer_weight() -> Scalar {
        Scalar { name: "layer weight".into(), bone: 0, kind: ScalarKind::LayerWeight, default: 1.0 }
    }

    /// The name of the frame that a material shows.
    pub fn frame_name(material: &str) -> String {
        format!("{material}{FRAME_SUFFIX}")
    }

    /// The name of the material whose frame it is.
    pub fn material(&self) -> Option<&str> {
        let is_frame = matches!(self.kind, ScalarKind::Frame(_));
        if is_frame { self.name.strip_suffix(FRAME_SUFFIX) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_go_row_by_row_and_start_again_past_the_last() {
        let sheet = Sheet { columns: 4, rows: 2 };
        let places = [(0.0, [0.0, 0.0]), (3.0, [0.75, 0.0]), (4.9, [0.0, 0.5]), (8.0, [0.0, 0.0]), (-1.0, [0.75, 0.5])];
        for (value, place) in places {
            assert_eq!(sheet.offset(value), Vec2::from(place), "{value}");
        }
        assert_eq!([2.999_9, f32::NAN, f32::INFINITY].map(|value| sheet.frame(value)), [3, 0, 0]);
    }
}
