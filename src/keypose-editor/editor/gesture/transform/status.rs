//! The status line of a transform: "Rotate 35.0° · local X".

use crate::editor::gesture::transform::TransformDrag;
use crate::editor::session::tool::{Constraint, TransformKind};

impl TransformDrag {
    /// The kind, the amounts, the constraint and the typed number.
    pub fn status(&self) -> String {
        let (constraint, typed) = (self.constraint_status(), self.typed.status());
        let moved = |name: &str| {
            let offset = self.total_offset();
            let joints = self.joints_status();
            format!("{name} {:.3} {:.3} {:.3}{constraint}{typed}{joints}", offset.x, offset.y, offset.z)
        };
        match self.kind {
            TransformKind::Move => moved("Move"),
            TransformKind::Reach => moved("IK"),
            TransformKind::Pole => moved("Pole"),
            TransformKind::Rotate => format!("Rotate {:.1}°{constraint}{typed}", self.angle().to_degrees()),
            TransformKind::Scale => {
                let factors = self.factors();
                format!("Scale {:.3} {:.3} {:.3}{constraint}{typed}", factors.x, factors.y, factors.z)
            }
        }
    }

    fn constraint_status(&self) -> String {
        let space = self.space.name().to_lowercase();
        match self.constraint {
            Constraint::Free => String::new(),
            Constraint::Axis(axis) => format!(" · {space} {}", axis.name()),
            Constraint::Plane(axis) => format!(" · {space} plane, {} locked", axis.name()),
        }
    }

    fn joints_status(&self) -> String {
        if self.body.is_some() {
            return " · whole body".to_owned();
        }
        match self.limbs.as_ref().map(|limbs| limbs.joints()) {
            None => String::new(),
            Some(1) => " · 1 joint".to_owned(),
            Some(joints) => format!(" · {joints} joints"),
        }
    }
}
