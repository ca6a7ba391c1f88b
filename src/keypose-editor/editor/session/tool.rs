//! The tools of the viewport and the spaces of a transform.

use crate::editor::session::pointer::Axis;

/// The active tool: what dragging with the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tool {
    Select,
    Move,
    #[default]
    Rotate,
    Scale,
    /// Drags the effector of a limb or chain, and the pole of its joint.
    Reach,
}

/// The orientation of the gizmo and of transforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The bone's axes.
    #[default]
    Local,
    /// The axes of the bone's parent.
    Parent,
    /// The model's axes.
    Model,
    /// The axes of the screen: right, up, towards the eye.
    View,
}

impl Space {
    /// All, in menu order.
    pub const ALL: [Space; 4] = [Space::Local, Space::Parent, Space::Model, Space::View];

    /// The label in panels.
    pub fn name(self) -> &'static str {
        match self {
            Space::Local => "Local",
            Space::Parent => "Parent",
            Space::Model => "Model",
            Space::View => "View",
        }
    }
}

/// How the inspector shows rotations as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationReading {
    /// Degrees about x, y and z, in the order of the bone.
    #[default]
    Euler,
    /// The quaternion: w, x, y, z.
    Quaternion,
    /// An angle in degrees and the axis about which it rotates.
    AxisAngle,
}

impl RotationReading {
    /// All, in menu order.
    pub const ALL: [RotationReading; 3] =
        [RotationReading::Euler, RotationReading::Quaternion, RotationReading::AxisAngle];

    /// The label in panels.
    pub fn name(self) -> &'static str {
        match self {
            RotationReading::Euler => "Euler",
            RotationReading::Quaternion => "Quaternion",
            RotationReading::AxisAngle => "Axis-angle",
        }
    }
}

/// The kind of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TransformKind {
    Move,
    Rotate,
    Scale,
    /// Moves effectors by inverse kinematics.
    Reach,
    /// Moves the pole of a limb.
    Pole,
}

impl TransformKind {
    /// The label of the undo step of bones.
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

/// The constraint of a transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constraint {
    /// None: in the plane of the screen, about the view axis, or uniform.
    #[default]
    Free,
    /// Along or about one axis.
    Axis(Axis),
    /// In the plane perpendicular to an axis.
    Plane(Axis),
}

/// A handle of the gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    /// The kind of transform.
    pub kind: TransformKind,
    /// The constraint, in the session's space (for scaling: in the bone's space).
    pub constraint: Constraint,
}
