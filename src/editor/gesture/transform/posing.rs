//! From amounts to poses: what becomes of every bone, and the line that says it.

use glam::{DQuat, DVec3, Quat, Vec3, Vec4};

use crate::anim::key::Channel;
use crate::editor::gesture::transform::{BoneStart, Transforming, Turning};
use crate::editor::ops::posed::Posed;
use crate::editor::session::pointer::Axis;
use crate::editor::session::tool::Space;
use crate::editor::session::tool::{Constraint, TransformKind};

/// Steps of a snapped rotation.
const TURN_STEP_DEGREES: f64 = 5.0;
/// Steps of a snapped scale.
const SCALE_STEP: f32 = 0.1;

impl Transforming {
    /// The amount that was typed, where it is a number.
    pub fn typed_amount(&self) -> Option<f64> {
        self.typed.parse().ok().filter(|amount: &f64| amount.is_finite())
    }

    /// Radians, typed or turned, snapped; about the constraint's axis.
    pub fn angle(&self, camera_sign: f64) -> f64 {
        if let Some(degrees) = self.typed_amount() {
            return degrees.to_radians();
        }
        let angle = self.turned * camera_sign;
        if self.snaps { snap(angle.to_degrees(), TURN_STEP_DEGREES).to_radians() } else { angle }
    }

    /// On the screen counter-clockwise is positive about an axis that points at the eye.
    fn sign(&self) -> f64 {
        match (self.turning, self.constraint) {
            (Turning::Screen, Constraint::Axis(axis)) if self.axis(axis).dot(self.view[2]) < 0.0 => -1.0,
            _ => 1.0,
        }
    }

    /// How far it moves the active bone, in model space.
    pub fn total_offset(&self) -> Vec3 {
        if let Some(amount) = self.typed_amount() {
            let axis = if let Constraint::Axis(axis) = self.constraint { axis } else { Axis::X };
            return self.axis(axis) * amount as f32;
        }
        if !self.snaps {
            return self.offset;
        }
        let axes = Axis::ALL.map(|axis| self.axis(axis));
        let snapped = axes.map(|axis| axis * snap(f64::from(self.offset.dot(axis)), f64::from(self.move_step)) as f32);
        snapped.into_iter().sum()
    }

    /// Factors per axis of the bone.
    pub fn factors(&self) -> Vec3 {
        let factor = match self.typed_amount() {
            Some(amount) => amount as f32,
            None if self.snaps => snap(f64::from(self.factor), f64::from(SCALE_STEP)) as f32,
            None => self.factor,
        };
        match self.constraint {
            Constraint::Free => Vec3::splat(factor),
            Constraint::Axis(axis) => Vec3::ONE + axis.unit() * (factor - 1.0),
            Constraint::Plane(axis) => Vec3::ONE + (Vec3::ONE - axis.unit()) * (factor - 1.0),
        }
    }

    /// The pose of the bones now: the whole change since the start. Values that are not finite are left out.
    pub fn posed(&self) -> Vec<Posed> {
        let reached = match (&self.reach, self.kind) {
            (Some(reach), TransformKind::Reach) => reach.moved(self.total_offset()),
            (Some(reach), TransformKind::Pole) => reach.bent(self.total_offset()),
            _ => Vec::new(),
        };
        // A bone without a limb, the hips say, is moved.
        let is_free = |start: &&BoneStart| !self.reach.as_ref().is_some_and(|reach| reach.has(start.bone));
        let posed = self.bones.iter().filter(is_free).map(|start| match self.kind {
            TransformKind::Move | TransformKind::Reach | TransformKind::Pole => {
                (start.bone, Channel::Translation, self.moved_bone(start).extend(0.0))
            }
            TransformKind::Rotate => (start.bone, Channel::Rotation, Vec4::from(self.rotated_bone(start))),
            TransformKind::Scale => (start.bone, Channel::Scale, (start.local.scale * self.factors()).extend(0.0)),
        });
        let posed = posed.map(|(bone, channel, value)| Posed { bone, channel, value });
        let carried = self.bones.iter().filter(|_| self.is_pivot_shared).filter_map(|start| self.carried_bone(start));
        reached.into_iter().chain(posed).chain(carried).filter(|posed| posed.value.is_finite()).collect()
    }

    fn moved_bone(&self, start: &BoneStart) -> Vec3 {
        let total = self.total_offset();
        let offset = match (self.constraint, self.space) {
            // Several bones each along an axis of their own.
            (Constraint::Axis(axis), Space::Local | Space::Parent) => {
                start.axis(axis, self.space, &self.view) * total.dot(self.axis(axis))
            }
            _ => total,
        };
        start.local.translation + start.model_from_parent.inverse().transform_vector3(offset)
    }

    /// Where a turn or scale about the shared pivot takes a bone's origin.
    fn carried_bone(&self, start: &BoneStart) -> Option<Posed> {
        let arm = start.head() - self.pivot;
        let arm = match self.kind {
            TransformKind::Rotate => self.shared_turn().as_quat() * arm,
            TransformKind::Scale => {
                let axes = Axis::ALL.map(|axis| self.axis(axis));
                let factors = self.factors().to_array();
                axes.into_iter().zip(factors).map(|(axis, factor)| axis * (arm.dot(axis) * factor)).sum()
            }
            _ => return None,
        };
        let value = start.model_from_parent.inverse().transform_point3(self.pivot + arm).extend(0.0);
        Some(Posed { bone: start.bone, channel: Channel::Translation, value })
    }

    /// The turn of all bones about the shared pivot, in model space: about the active bone's axis.
    fn shared_turn(&self) -> DQuat {
        let axis = match self.constraint {
            Constraint::Free => self.view[2],
            Constraint::Axis(axis) | Constraint::Plane(axis) => self.axis(axis),
        };
        DQuat::from_axis_angle(axis.as_dvec3().normalize_or(DVec3::Z), self.angle(self.sign()))
    }

    fn rotated_bone(&self, start: &BoneStart) -> Quat {
        if self.is_pivot_shared {
            let parent = start.parent_rotation().as_dquat();
            let rotation = parent.inverse() * self.shared_turn() * parent * start.local.rotation.as_dquat();
            return rotation.normalize().as_quat();
        }
        let angle = self.angle(self.sign());
        let turn = |axis: Vec3| DQuat::from_axis_angle(axis.as_dvec3().normalize_or(DVec3::Z), angle);
        let local = start.local.rotation.as_dquat();
        // A mirrored parent turns the other way round.
        let mirrored = if start.model_from_parent.determinant() < 0.0 { -1.0 } else { 1.0 };
        let in_parent = |axis: Vec3| start.parent_rotation().inverse() * axis * mirrored;
        let rotation = match (self.constraint, self.space) {
            (Constraint::Axis(axis), Space::Local) => local * turn(axis.unit() * mirrored),
            (Constraint::Axis(axis), Space::Parent) => turn(axis.unit() * mirrored) * local,
            (Constraint::Axis(axis) | Constraint::Plane(axis), _) => {
                turn(in_parent(start.axis(axis, self.space, &self.view))) * local
            }
            (Constraint::Free, _) => turn(in_parent(self.view[2])) * local,
        };
        rotation.normalize().as_quat()
    }

    /// One line that says what happens: "Rotate 35.0° about local X".
    pub fn text(&self) -> String {
        let held = match self.constraint {
            Constraint::Free => String::new(),
            Constraint::Axis(axis) => format!(" · {} {}", self.space.name().to_lowercase(), axis.name()),
            Constraint::Plane(axis) => format!(" · {} plane across {}", self.space.name().to_lowercase(), axis.name()),
        };
        let typed = if self.typed.is_empty() { String::new() } else { format!(" · typed {}", self.typed) };
        match self.kind {
            TransformKind::Move | TransformKind::Reach | TransformKind::Pole => {
                let offset = self.total_offset();
                let what = match self.kind {
                    TransformKind::Reach => "IK",
                    TransformKind::Pole => "Pole",
                    _ => "Move",
                };
                let joints = self.reach.as_ref().map(|reach| reach.joints()).unwrap_or_default();
                let chain = match joints {
                    0 => String::new(),
                    1 => " · 1 joint".to_owned(),
                    joints => format!(" · {joints} joints"),
                };
                format!("{what} {:.3} {:.3} {:.3}{held}{typed}{chain}", offset.x, offset.y, offset.z)
            }
            TransformKind::Rotate => format!("Rotate {:.1}°{held}{typed}", self.angle(self.sign()).to_degrees()),
            TransformKind::Scale => {
                let factors = self.factors();
                format!("Scale {:.3} {:.3} {:.3}{held}{typed}", factors.x, factors.y, factors.z)
            }
        }
    }
}

fn snap(value: f64, step: f64) -> f64 {
    (value / step).round() * step
}
