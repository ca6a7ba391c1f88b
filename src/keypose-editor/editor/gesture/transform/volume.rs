//! Moving, rotating and scaling a hit volume, a hurt volume or a collider: it is handled as a child of its bone, whose Y axis is the axis of the capsule.

use glam::{Mat4, Quat, Vec3};

use crate::editor::document::edit::Edit;
use crate::editor::gesture::transform::BoneStart;
use crate::editor::session::Session;
use crate::editor::session::volumes::Picked;
use crate::editor::view::View;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Volume;

/// The smallest factor of a scaling.
const LEAST: f32 = 1e-3;
/// The smallest length of a unit of a bone, in the model.
const MIN_UNIT: f32 = 1e-6;

/// The volume that a transform changes.
#[derive(Clone, Debug)]
pub struct VolumeStart {
    picked: Picked,
    volume: Volume,
    bone: BoneIndex,
    model_from_bone: Mat4,
}

impl VolumeStart {
    /// The selected volume in the pose on screen; `None` if none is selected or its bone is missing.
    pub fn of(view: &View, session: &Session) -> Option<VolumeStart> {
        let model = view.model.as_ref()?;
        let picked = Picked::of(model, &session.focus)?;
        let volume = picked.volume()?.clone();
        let bone = model.skeleton.find(&volume.bone).filter(|bone| usize::from(*bone) < view.pose.bones.len())?;
        let model_from_bone = view.pose.get(bone).to_mat4();
        Some(VolumeStart { picked, volume, bone, model_from_bone })
    }

    /// The transform, as if the volume were a bone.
    pub fn as_bone(&self) -> BoneStart {
        let local = Transform { translation: self.center(), rotation: self.rotation(), scale: Vec3::ONE };
        BoneStart { bone: self.bone, local, model_from_parent: self.model_from_bone }
    }

    fn center(&self) -> Vec3 {
        (self.volume.from + self.volume.to) / 2.0
    }

    fn rotation(&self) -> Quat {
        let axis = (self.volume.to - self.volume.from).try_normalize();
        axis.map_or(Quat::IDENTITY, |axis| Quat::from_rotation_arc(Vec3::Y, axis))
    }

    /// The edits that give the volume a transform.
    pub fn edits(&self, transform: &Transform) -> Vec<Edit> {
        let scale = transform.scale.abs().max(Vec3::splat(LEAST));
        let unit = self.model_from_bone.transform_vector3(transform.rotation * Vec3::Y).length();
        let volume = placed(&self.volume, transform.translation, transform.rotation, scale, unit);
        self.picked.edit(Some(volume)).into_iter().collect()
    }
}

/// The volume with its middle at `center` and its axis along the rotated Y axis. `scale.y` scales its length, the others its radius.
/// A sphere that is scaled along Y alone becomes a capsule. `unit` is the length in the model of a unit of the bone along the axis.
fn placed(volume: &Volume, center: Vec3, rotation: Quat, scale: Vec3, unit: f32) -> Volume {
    let half = volume.from.distance(volume.to) / 2.0;
    let across = if scale.x == scale.z { scale.x } else { scale.x * scale.z };
    let radius = volume.radius / unit.max(MIN_UNIT);
    let half = if half > 0.0 || scale.y == across { half * scale.y } else { radius * (scale.y - 1.0).max(0.0) };
    let arm = if half > 0.0 { rotation * Vec3::Y * half } else { Vec3::ZERO };
    Volume { from: center - arm, to: center + arm, radius: volume.radius * across, ..volume.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capsule() -> Volume {
        Volume { from: Vec3::X, to: Vec3::X + Vec3::Y * 2.0, radius: 0.5, ..Volume::sphere("a", "b", Vec3::ZERO, 0.5) }
    }

    #[test]
    fn a_capsule_is_scaled_in_length_or_radius() {
        let center = Vec3::new(1.0, 1.0, 0.0);
        let at = |scale| placed(&capsule(), center, Quat::IDENTITY, scale, 1.0);
        assert_eq!(at(Vec3::ONE), capsule());
        let long = at(Vec3::new(1.0, 2.0, 1.0));
        assert_eq!((long.from, long.to, long.radius), (Vec3::new(1.0, -1.0, 0.0), Vec3::new(1.0, 3.0, 0.0), 0.5));
        let thick = at(Vec3::new(2.0, 1.0, 1.0));
        assert_eq!((thick.from, thick.radius), (Vec3::X, 1.0));
        let large = at(Vec3::splat(2.0));
        assert_eq!((large.from.y, large.to.y, large.radius), (-1.0, 3.0, 1.0));
    }

    #[test]
    fn a_sphere_stays_one_unless_it_is_scaled_along_its_axis() {
        let sphere = Volume::sphere("a", "b", Vec3::ZERO, 0.5);
        let in_units = |scale, unit| placed(&sphere, Vec3::ONE, Quat::from_rotation_z(1.0), scale, unit);
        let at = |scale| in_units(scale, 1.0);
        assert_eq!(at(Vec3::splat(3.0)), Volume { radius: 1.5, from: Vec3::ONE, to: Vec3::ONE, ..sphere.clone() });
        let long = at(Vec3::new(1.0, 3.0, 1.0));
        assert!((long.from.distance(long.to) - 2.0).abs() < 1e-6 && long.radius == 0.5);
        // In centimetres, the same capsule.
        let long = in_units(Vec3::new(1.0, 3.0, 1.0), 0.01);
        assert!((long.from.distance(long.to) - 200.0).abs() < 1e-3 && long.radius == 0.5);
    }
}
