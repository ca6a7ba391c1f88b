//! From amounts to poses: the channels of every bone after the transform.

use glam::{DQuat, DVec3, Quat, Vec3, Vec4};

use crate::editor::gesture::transform::{AngleSource, BoneStart, MirroredBone, TransformDrag};
use crate::editor::ops::posed::Posed;
use crate::editor::session::pointer::Axis;
use crate::editor::session::tool::{Constraint, Space, TransformKind};
use keypose::anim::key::Channel;

/// The step of a snapped rotation.
const ROTATION_STEP_DEGREES: f64 = 5.0;
/// The step of a snapped scale.
const SCALE_STEP: f32 = 0.1;

impl TransformDrag {
    /// The typed angle, or the snapped one of the mouse, in radians about the constraint's axis.
    pub(super) fn angle(&self) -> f64 {
        if let Some(degrees) = self.typed.value() {
            return degrees.to_radians();
        }
        let angle = self.rotated * self.sign();
        if self.snaps { snap(angle.to_degrees(), ROTATION_STEP_DEGREES).to_radians() } else { angle }
    }

    /// Counter-clockwise on the screen is positive about an axis that points to the eye, negative about others.
    fn sign(&self) -> f64 {
        match (self.angle_source, self.constraint) {
            (AngleSource::Screen, Constraint::Axis(axis)) if self.axis(axis).dot(self.view[2]) < 0.0 => -1.0,
            _ => 1.0,
        }
    }

    /// The offset of the active bone in model space.
    pub(super) fn total_offset(&self) -> Vec3 {
        if let Some(amount) = self.typed.value() {
            let axis = match self.constraint {
                Constraint::Axis(axis) => axis,
                Constraint::Plane(Axis::X) => Axis::Y,
                Constraint::Plane(_) | Constraint::Free => Axis::X,
            };
            return self.axis(axis) * amount as f32;
        }
        if !self.snaps {
            return self.offset;
        }
        let axes = Axis::ALL.map(|axis| self.axis(axis));
        let snapped = axes.map(|axis| axis * snap(f64::from(self.offset.dot(axis)), f64::from(self.move_step)) as f32);
        snapped.into_iter().sum()
    }

    /// The scale factor of each axis of the bone.
    pub(super) fn factors(&self) -> Vec3 {
        let factor = match self.typed.value() {
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

    /// The channels after the whole change since the start. Values that are not finite are left out.
    pub fn posed(&self) -> Vec<Posed> {
        if let Some(body) = &self.body {
            return body.moved(self.total_offset()).into_iter().filter(|posed| posed.value.is_finite()).collect();
        }
        // Bones without a limb, such as the hips, are moved.
        let has_limb = |start: &&BoneStart| self.limbs.as_ref().is_some_and(|limbs| limbs.has(start.bone));
        let own = self.bones.iter().filter(|start| !has_limb(start)).map(|start| self.transformed_bone(start));
        let carried = self.bones.iter().filter(|_| self.is_pivot_shared).filter_map(|start| self.carried_bone(start));
        let all = self.dragged_limbs().into_iter().chain(own).chain(carried);
        all.filter(|posed| posed.value.is_finite()).collect()
    }

    fn dragged_limbs(&self) -> Vec<Posed> {
        match (&self.limbs, self.kind) {
            (Some(limbs), TransformKind::Reach) => limbs.moved(self.total_offset()),
            (Some(limbs), TransformKind::Pole) => limbs.bent(self.total_offset()),
            (Some(_), TransformKind::Move | TransformKind::Rotate | TransformKind::Scale) | (None, _) => Vec::new(),
        }
    }

    fn transformed_bone(&self, start: &BoneStart) -> Posed {
        let (channel, value) = match self.kind {
            TransformKind::Move | TransformKind::Reach | TransformKind::Pole => {
                (Channel::Translation, self.moved_bone(start).extend(0.0))
            }
            TransformKind::Rotate => {
                let (rotated, limit) = (self.rotated_bone(start), self.joint_limits.get(&start.bone));
                (Channel::Rotation, Vec4::from(limit.map_or(rotated, |limit| limit.clamp(rotated))))
            }
            TransformKind::Scale => (Channel::Scale, (start.local.scale * self.factors()).extend(0.0)),
        };
        Posed { bone: start.bone, channel, value }
    }

    fn moved_bone(&self, start: &BoneStart) -> Vec3 {
        let total = self.total_offset();
        let offset = match (self.constraint, self.space) {
            // Each of several bones moves along its own axis.
            (Constraint::Axis(axis), Space::Local | Space::Parent) => {
                start.axis(axis, self.space, &self.view) * total.dot(self.axis(axis))
            }
            _ => total,
        };
        start.local.translation + start.model_from_parent.inverse().transform_vector3(offset)
    }

    /// The origin of a bone that is rotated or scaled about the shared pivot.
    fn carried_bone(&self, start: &BoneStart) -> Option<Posed> {
        let arm = start.head() - self.pivot;
        let arm = match self.kind {
            TransformKind::Rotate => self.rotation_about(self.shared_axis()).as_quat() * arm,
            TransformKind::Scale => {
                let axes = Axis::ALL.map(|axis| self.axis(axis));
                let factors = self.factors().to_array();
                axes.into_iter().zip(factors).map(|(axis, factor)| axis * (arm.dot(axis) * factor)).sum()
            }
            TransformKind::Move | TransformKind::Reach | TransformKind::Pole => return None,
        };
        let value = start.model_from_parent.inverse().transform_point3(self.pivot + arm).extend(0.0);
        Some(Posed { bone: start.bone, channel: Channel::Translation, value })
    }

    /// The axis in model space about which all bones rotate that share a pivot: the active bone's.
    fn shared_axis(&self) -> Vec3 {
        match self.constraint {
            Constraint::Free => self.view[2],
            Constraint::Axis(axis) | Constraint::Plane(axis) => self.axis(axis),
        }
    }

    fn rotation_about(&self, axis: Vec3) -> DQuat {
        DQuat::from_axis_angle(axis.as_dvec3().normalize_or(DVec3::Z), self.angle())
    }

    /// The rotation of a bone after the turn of the one on the other side, mirrored. It is the mirror image however the body is posed.
    fn mirrored_rotation(&self, start: &BoneStart, mirrored: &MirroredBone) -> Quat {
        let MirroredBone { lead, reflection, .. } = mirrored;
        let turn = self.turned_bone(lead) * lead.local.rotation.as_dquat().inverse();
        // A reflection turns the axis around.
        let axis = reflection.inverse().transform_vector3(turn.xyz()) * reflection.determinant().signum();
        let axis = axis.normalize_or_zero() * turn.xyz().length();
        let turn = DQuat::from_vec4(axis.extend(turn.w));
        (turn * start.local.rotation.as_dquat()).normalize().as_quat()
    }

    fn rotated_bone(&self, start: &BoneStart) -> Quat {
        match self.mirrored.iter().find(|mirrored| mirrored.bone == start.bone) {
            Some(mirrored) => self.mirrored_rotation(start, mirrored),
            None => self.turned_bone(start).as_quat(),
        }
    }

    /// The rotation of a bone about an axis of its own, or the one that all share.
    fn turned_bone(&self, start: &BoneStart) -> DQuat {
        let local = start.local.rotation.as_dquat();
        // Below a mirrored parent the rotation is the other way round.
        let mirrored = if start.model_from_parent.determinant() < 0.0 { -1.0 } else { 1.0 };
        let about = |axis: Vec3| self.rotation_about(start.turn_axis(axis)) * local;
        let rotation = match (self.constraint, self.space) {
            _ if self.is_pivot_shared => about(self.shared_axis()),
            (Constraint::Axis(axis), Space::Local) => local * self.rotation_about(axis.unit() * mirrored),
            (Constraint::Axis(axis), Space::Parent) => self.rotation_about(axis.unit() * mirrored) * local,
            (Constraint::Axis(axis) | Constraint::Plane(axis), _) => about(start.axis(axis, self.space, &self.view)),
            (Constraint::Free, _) => about(self.view[2]),
        };
        rotation.normalize()
    }
}

fn snap(value: f64, step: f64) -> f64 {
    (value / step).round() * step
}
