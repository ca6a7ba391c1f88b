//! Axes of a model: which of them points up and which one forward.

use glam::{Mat3, Quat, Vec3};

use crate::anim::choice::choice;

choice! {
    /// A direction along an axis.
    #[allow(missing_docs)]
    pub enum Axis {
        X = "x",
        Y = "y",
        Z = "z",
        NegativeX = "-x",
        NegativeY = "-y",
        NegativeZ = "-z",
    }
}

/// The axes of a model as its file has them, after what the format says about axes was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The one that points up.
    pub up: Axis,
    /// The one that the front looks along; `None` for [`Axis::usual_forward`].
    pub forward: Option<Axis>,
}

impl Default for Axes {
    fn default() -> Axes {
        Axes { up: Axis::Y, forward: None }
    }
}

impl Axis {
    /// Finds the axis of an option: its name in any case, with or without +.
    pub fn of_word(word: &str) -> Option<Axis> {
        Axis::named(&word.strip_prefix('+').unwrap_or(word).to_ascii_lowercase())
    }

    /// The front of models with this up axis: with Z up they look along -Y, as in Blender, else along Z.
    pub fn usual_forward(self) -> Axis {
        match self {
            Axis::X | Axis::Y | Axis::NegativeX => Axis::Z,
            Axis::Z => Axis::NegativeY,
            Axis::NegativeY => Axis::NegativeZ,
            Axis::NegativeZ => Axis::Y,
        }
    }

    /// Whether both are the same axis, in any direction.
    pub fn is_along(self, other: Axis) -> bool {
        self.vector().dot(other.vector()) != 0.0
    }

    fn vector(self) -> Vec3 {
        match self {
            Axis::X => Vec3::X,
            Axis::Y => Vec3::Y,
            Axis::Z => Vec3::Z,
            Axis::NegativeX => Vec3::NEG_X,
            Axis::NegativeY => Vec3::NEG_Y,
            Axis::NegativeZ => Vec3::NEG_Z,
        }
    }
}

impl Axes {
    /// The front.
    pub fn forward(self) -> Axis {
        self.forward.unwrap_or(self.up.usual_forward())
    }

    /// The rotation that brings up to +Y and the front to +Z; the identity if both are the same axis.
    pub fn rotation(self) -> Quat {
        let (up, forward) = (self.up.vector(), self.forward().vector());
        if self.up.is_along(self.forward()) {
            return Quat::IDENTITY;
        }
        Quat::from_mat3(&Mat3::from_cols(up.cross(forward), up, forward).transpose()).normalize()
    }
}
