//! Mouse events over the viewport and keys of a modal transform, as values.

use crate::editor::session::tool::TransformKind;
use glam::Vec2;

use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::tool::Handle;

/// A mouse event. Orbiting and the like are actions of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerKind {
    Moved,
    /// The left button was pressed.
    Pressed,
    /// The left button was released.
    Released,
    /// Double click.
    DoubleClicked,
    /// The right button was clicked, and a context menu opens.
    MenuClicked,
    /// The mouse left the viewport: nothing is hovered. A drag continues; a lost window sends `DocumentAction::Cancel`.
    Exited,
}

/// A mouse event over the viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointerEvent {
    /// The kind of event.
    pub kind: PointerKind,
    /// In pixels of the viewport; (0, 0) is its top left.
    pub pixel: Vec2,
    /// The modifiers: Ctrl snaps, Shift is precise (while dragging) or extends the selection (while picking).
    pub held: Modifiers,
}

/// A press of the left button on nothing that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    pub pixel: Vec2,
    pub held: Modifiers,
    /// Whether it begins a box, whatever is under the mouse.
    pub is_box: bool,
}

impl Press {
    /// Whether the mouse at a pixel is too far away for a click.
    pub fn is_drag(&self, pixel: Vec2, pixels_per_point: f32) -> bool {
        self.pixel.distance(pixel) > 4.0 * pixels_per_point
    }
}

/// The state of the mouse between two events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointerState {
    /// The position of the mouse in pixels of the viewport.
    pub pixel: Vec2,
    /// Whether the mouse is over the viewport now, and not over what is drawn on it.
    pub is_inside: bool,
    /// The hovered handle of the gizmo.
    pub hot: Option<Handle>,
    /// Whether the next press starts a box selection, even over a bone or handle.
    pub is_boxing: bool,
    /// The press that will become a click or a box.
    pub press: Option<Press>,
}

impl PointerState {
    /// The corners of the selection box.
    pub fn selection_box(&self, pixels_per_point: f32) -> Option<(Vec2, Vec2)> {
        let press = self.press?;
        press.is_drag(self.pixel, pixels_per_point).then(|| (press.pixel.min(self.pixel), press.pixel.max(self.pixel)))
    }
}

/// A key during a modal transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModalKey {
    /// Locks an axis; pressed again, the same axis in the other space (bone or model); a third time unlocks it.
    Axis(Axis),
    /// Locks the plane perpendicular to an axis.
    Plane(Axis),
    /// '0' to '9', '.', '-': a typed amount. Letters too if a duration is typed.
    Char(char),
    /// Deletes a typed character.
    Backspace,
    /// One more joint above the effector.
    AddJoint,
    /// One joint less.
    RemoveJoint,
    /// Switches to another kind of transform, from the same start.
    Switch(TransformKind),
    Confirm,
    Cancel,
}

/// One of three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The unit vector.
    pub fn unit(self) -> glam::Vec3 {
        glam::Vec3::AXES[self as usize]
    }

    /// "X".
    pub fn name(self) -> &'static str {
        ["X", "Y", "Z"][self as usize]
    }
}
