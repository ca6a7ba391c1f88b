//! The tools of the viewport and the spaces of a transform.

use crate::editor::ops::choice::choice;
use crate::editor::session::pointer::Axis;

/// The active tool: what dragging with the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    Select,
    Move,
    #[default]
    Rotate,
    Scale,
    /// Drags the effector of a limb or chain, and the pole of its joint.
    Reach,
}

impl Tool {
    /// The transform of its handles; `None` if it has none.
    pub fn kind(self) -> Option<TransformKind> {
        match self {
            Tool::Select => None,
            Tool::Move => Some(TransformKind::Move),
            Tool::Rotate => Some(TransformKind::Rotate),
            Tool::Scale => Some(TransformKind::Scale),
            Tool::Reach => Some(TransformKind::Reach),
        }
    }
}

choice! {
    /// The orientation of the gizmo and of transforms.
    #[derive(Default)]
    pub enum Space {
        /// The bone's axes.
        #[default]
        Local = "Local",
        /// The axes of the bone's parent.
        Parent = "Parent",
        /// The model's axes.
        Model = "Model",
        /// The axes of the screen: right, up, towards the eye.
        View = "View",
    }
}

choice! {
    /// How the inspector shows rotations as numbers.
    #[derive(Default)]
    pub enum RotationReading {
        /// Degrees about x, y and z, in the order of the bone.
        #[default]
        Euler = "Euler",
        /// The quaternion: w, x, y, z.
        Quaternion = "Quaternion",
        /// An angle in degrees and the axis about which it rotates.
        AxisAngle = "Axis-angle",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// The space of its handles for an orientation of the gizmo. A bone is scaled in its own space only.
    pub fn space(self, orientation: Space) -> Space {
        if self == TransformKind::Scale { Space::Local } else { orientation }
    }

    /// The space in which an axis is constrained first.
    pub fn first_space(self) -> Space {
        self.space(Space::Model)
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
