//! The mouse over the viewport and the keys of a modal transform, as values.

use crate::editor::session::tool::TransformKind;
use glam::Vec2;

use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::tool::Handle;

/// What the mouse did. Orbiting and the like are actions of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum PointerKind {
    Moved,
    /// The left button.
    Pressed,
    /// The left button.
    Released,
    /// Pressed twice quickly.
    DoubleClicked,
    /// The mouse left the viewport: nothing is hovered. A drag goes on; a lost window is `DocumentAction::Cancel`.
    Left,
}

/// The mouse over the viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerEvent {
    /// What it did.
    pub kind: PointerKind,
    /// In pixels of the viewport, (0, 0) its top left.
    pub pixel: Vec2,
    /// What is held: Ctrl snaps, Shift is fine (while dragging) or adds (while picking).
    pub held: Modifiers,
}

/// Where the left button went down on nothing that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Press {
    pub pixel: Vec2,
    pub held: Modifiers,
}

/// The mouse between two events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointerState {
    /// Where it is, in pixels of the viewport.
    pub pixel: Vec2,
    /// The handle of the gizmo under it.
    pub hot: Option<Handle>,
    /// The next press begins a box, whatever lies under it.
    pub is_boxing: bool,
    /// Down, and becoming a click or a box.
    pub press: Option<Press>,
}

impl PointerState {
    /// The corners of the box that is being drawn.
    pub fn selection_box(&self) -> Option<(Vec2, Vec2)> {
        let press = self.press?;
        (press.pixel.distance(self.pixel) > 4.0).then(|| (press.pixel.min(self.pixel), press.pixel.max(self.pixel)))
    }
}

/// A key while a transform runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModalKey {
    /// Locks an axis; again, the same axis of the other space (bone or model); a third time frees it.
    Axis(Axis),
    /// Locks the plane across an axis.
    Plane(Axis),
    /// '0' to '9', '.', '-': a typed amount. Letters too where a duration is typed.
    Digit(char),
    /// Takes back a typed character.
    Backspace,
    /// One joint more above the end that is dragged.
    Longer,
    /// One joint less.
    Shorter,
    /// Goes on with another kind of transform, from the same start.
    Switch(TransformKind),
    /// Keeps it.
    Confirm,
    /// Puts everything back.
    Cancel,
}

/// One of three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    /// All three.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// The axis of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Axis> {
        Axis::ALL.into_iter().find(|axis| axis.name().starts_with(letter.to_ascii_uppercase()))
    }

    /// Of unit length.
    pub fn unit(self) -> glam::Vec3 {
        glam::Vec3::AXES[self as usize]
    }

    /// "X".
    pub fn name(self) -> &'static str {
        ["X", "Y", "Z"][self as usize]
    }
}
