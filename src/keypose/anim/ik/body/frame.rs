//! How a model moves with the rotation of a joint, under any scale.

use glam::{DMat3, DVec3};

/// The space in which a joint rotates: that of its bone before its own scale, which is applied before the rotation.
pub(super) struct Frame {
    /// From that space to the model's, without translation.
    axes: DMat3,
    /// 0 below a scale of 0, where no rotation counts.
    inverse: DMat3,
    /// The joint in model space.
    pub origin: DVec3,
}

impl Frame {
    pub fn new(axes: DMat3, origin: DVec3) -> Frame {
        let inverse = axes.inverse();
        Frame { axes, inverse: if inverse.is_finite() { inverse } else { DMat3::ZERO }, origin }
    }

    /// The way in model space of a point that is this far from the joint, by the rotation as an axis times an angle in the joint's space.
    pub fn moved(&self, from_joint: DVec3) -> DMat3 {
        self.axes * -skew(self.inverse * from_joint)
    }

    /// How far a bone with this rotation of its first two axes rotates in model space, by the rotation of the joint. Where scales differ
    /// by axis these two are not the same.
    pub fn turned(&self, rotation: DMat3) -> DMat3 {
        let (into, back) = (rotation.transpose() * self.axes, self.inverse * rotation);
        let about = |axis: DVec3| {
            let change = into * skew(axis) * back;
            rotation * DVec3::new(change.y_axis.z, -change.x_axis.z, change.x_axis.y)
        };
        DMat3::from_cols(about(DVec3::X), about(DVec3::Y), about(DVec3::Z))
    }
}

fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::anim::ik::rig::rotation_of;

    #[test]
    fn small_rotations_move_and_turn_a_bone_as_far_as_the_frame_says() {
        let turn = |x, y, z| DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(x, y, z)));
        let below = turn(-0.3, 0.2, 0.9);
        for scale in [DVec3::ONE, DVec3::new(-1.0, 1.0, 1.0), DVec3::new(0.8, 1.5, 0.6)] {
            let frame = Frame::new(DMat3::from_diagonal(scale) * turn(0.5, -0.4, 0.3), DVec3::ZERO);
            let bone = |by: DMat3| frame.axes * by * below;
            let rotation = |by: DMat3| rotation_of(&bone(by).as_mat3()).unwrap().as_dquat();
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let by = turn(axis.x * 1e-3, axis.y * 1e-3, axis.z * 1e-3);
                let moved = (bone(by) - bone(DMat3::IDENTITY)) * DVec3::ONE;
                let expected = frame.moved(bone(DMat3::IDENTITY) * DVec3::ONE) * axis * 1e-3;
                assert!(moved.distance(expected) < 2e-5, "{scale} {axis}: {moved} {expected}");
                let before = rotation(DMat3::IDENTITY);
                let turned = (rotation(by) * before.inverse()).to_scaled_axis();
                let expected = frame.turned(DMat3::from_quat(before)) * axis * 1e-3;
                assert!(turned.distance(expected) < 2e-5, "{scale} {axis}: {turned} {expected}");
            }
        }
        let flat = Frame::new(DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0)), DVec3::ZERO);
        assert_eq!(flat.moved(DVec3::ONE), DMat3::ZERO);
    }
}
