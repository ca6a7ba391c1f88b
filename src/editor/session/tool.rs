//! The tools of the viewport: what the left mouse button does, and in which space.

use crate::editor::session::pointer::Axis;

/// What the left mouse button does in the viewport, beside picking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tool {
    Select,
    Move,
    #[default]
    Rotate,
    Scale,
    /// Drags the end of a limb or chain, and the pole of its joint.
    Reach,
}

/// Whose axes a transform follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The bone's own.
    #[default]
    Local,
    /// The bone's parent's.
    Parent,
    /// The model's.
    Model,
    /// The screen's: right, up, towards the eye.
    View,
}

impl Space {
    /// All, in the order in which they are shown.
    pub const ALL: [Space; 4] = [Space::Local, Space::Parent, Space::Model, Space::View];

    /// The word for panels.
    pub fn name(self) -> &'static str {
        match self {
            Space::Local => "Local",
            Space::Parent => "Parent",
            Space::Model => "Model",
            Space::View => "View",
        }
    }
}

/// What a transform does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TransformKind {
    Move,
    Rotate,
    Scale,
    /// Drags the ends of limbs.
    Reach,
    /// Drags the pole to which a limb's joint bends.
    Pole,
}

impl TransformKind {
    /// The label of the step.
    pub fn name(self) -> &'static str {
        match self {
            TransformKind::Move => "Move bones",
            TransformKind::Rotate => "Rotate bones",
            TransformKind::Scale => "Scale bones",
            TransformKind::Reach => "Move bones by IK",
            TransformKind::Pole => "Move pole",
        }
    }
}

/// What a transform is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constraint {
    /// The plane of the screen, the axis towards the eye, or all three factors.
    #[default]
    Free,
    /// Along, or about, one axis.
    Axis(Axis),
    /// Across an axis: in its plane.
    Plane(Axis),
}

/// What of the gizmo the mouse can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    /// What dragging it does.
    pub kind: TransformKind,
    /// What it is held to, in the session's space (scales: in the bone's own).
    pub constraint: Constraint,
}
