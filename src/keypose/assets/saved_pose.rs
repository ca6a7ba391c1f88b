//! The pose library of a model: named poses of some or all bones. Bones are identified by name, so a pose also applies to a
//! model that was imported again, or to another model.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use crate::anim::key::Channel;
use crate::anim::shared_list::SharedList;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::unique::bad_name;

/// A named pose.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedPose {
    /// Unique within the model, not empty.
    pub name: String,
    /// In the order of the skeleton that the pose was saved from; at least one, each name at most once.
    pub bones: Vec<SavedBone>,
}

/// The local transform of one bone in a saved pose, and its weights and properties; finite. Channels that are `None` are not
/// changed.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedBone {
    /// The name of the bone; a model may lack it.
    pub bone: String,
    /// Relative to the parent.
    pub translation: Option<Vec3>,
    /// Of unit length.
    pub rotation: Option<Quat>,
    /// A factor for each axis.
    pub scale: Option<Vec3>,
    /// The weights, properties and visibilities of the bone by their names, each at most once; a model may lack them.
    pub scalars: Vec<(String, f32)>,
}

/// Renames a value of a bone in saved poses. The value of another one that had the new name is lost.
pub fn rename_value(poses: &mut SharedList<Arc<SavedPose>>, (bone, from): (&str, &str), to: &str) {
    let has_it = |saved: &SavedBone| saved.bone == bone && saved.scalars.iter().any(|(name, _)| name == from);
    for pose in poses.iter_mut().filter(|pose| pose.bones.iter().any(has_it)) {
        for saved in Arc::make_mut(pose).bones.iter_mut().filter(|saved| has_it(saved)) {
            saved.scalars.retain(|(name, _)| name != to);
            let renamed = saved.scalars.iter_mut().filter(|(name, _)| name == from);
            renamed.for_each(|(name, _)| to.clone_into(name));
        }
    }
}

impl SavedBone {
    /// The channels that the pose sets on the bone of that index, with their values as in keys. Scalars that the skeleton lacks are
    /// left out.
    pub fn channels_on(&self, skeleton: &Skeleton, bone: BoneIndex) -> Vec<(Channel, Vec4)> {
        let found = |(name, value): &(String, f32)| {
            Some((Channel::Scalar(skeleton.find_scalar(bone, name)?), Vec4::X * *value))
        };
        self.transform().chain(self.scalars.iter().filter_map(found)).collect()
    }

    /// Whether the pose sets nothing on the bone.
    pub fn is_empty(&self) -> bool {
        self.scalars.is_empty() && self.transform().next().is_none()
    }

    /// The parts of the transform that the pose sets.
    fn transform(&self) -> impl Iterator<Item = (Channel, Vec4)> {
        let translation = self.translation.map(|value| (Channel::Translation, value.extend(0.0)));
        let rotation = self.rotation.map(|value| (Channel::Rotation, Vec4::from(value)));
        let scale = self.scale.map(|value| (Channel::Scale, value.extend(0.0)));
        [translation, rotation, scale].into_iter().flatten()
    }

    fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        if let Some((name, _)) = self.scalars.iter().find(|(name, _)| name.is_empty() || !names.insert(name)) {
            return Err(format!("bone {}: the value \"{name}\" has no name or occurs twice", self.bone));
        }
        let is_finite = self.transform().all(|(_, value)| value.is_finite());
        if self.is_empty() || !is_finite || self.scalars.iter().any(|(_, value)| !value.is_finite()) {
            return Err(format!("bone {}: no channel, or a value that is not finite", self.bone));
        }
        match self.rotation {
            Some(rotation) if (rotation.length_squared() - 1.0).abs() > 1e-3 => {
                Err(format!("bone {}: rotation is not a unit quaternion", self.bone))
            }
            _ => Ok(()),
        }
    }
}

/// Checks that names are not empty and unique and that values are finite. The error names the pose.
pub fn check(poses: &SharedList<Arc<SavedPose>>) -> Result<(), String> {
    check_changed(poses, &SharedList::default())
}

/// As [`check`], of a library that was changed: poses that it shares with the valid one before are not checked again.
pub fn check_changed(poses: &SharedList<Arc<SavedPose>>, before: &SharedList<Arc<SavedPose>>) -> Result<(), String> {
    if let Some(name) = bad_name(poses, before, |pose| &pose.name) {
        return Err(format!("the pose name \"{name}\" is empty or already used"));
    }
    let known: BTreeSet<_> = before.unshared(poses).map(Arc::as_ptr).collect();
    for pose in poses.unshared(before).filter(|pose| !known.contains(&Arc::as_ptr(pose))) {
        let mut bones = BTreeSet::new();
        if let Some(twice) = pose.bones.iter().find(|bone| !bones.insert(bone.bone.as_str())) {
            return Err(format!("pose {}: the bone {} occurs twice", pose.name, twice.bone));
        }
        if pose.bones.is_empty() {
            return Err(format!("pose {}: no bones", pose.name));
        }
        pose.bones.iter().try_for_each(SavedBone::check).map_err(|reason| format!("pose {}: {reason}", pose.name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(name: &str, bones: &[&str]) -> SavedPose {
        let bone = |bone: &&str| SavedBone {
            bone: (*bone).into(),
            translation: None,
            rotation: Some(Quat::IDENTITY),
            scale: None,
            scalars: Vec::new(),
        };
        SavedPose { name: name.into(), bones: bones.iter().map(bone).collect() }
    }

    #[test]
    fn a_library_is_checked_pose_by_pose() {
        let mut nan = pose("nan", &["a"]);
        nan.bones[0].translation = Some(Vec3::NAN);
        let mut long = pose("long", &["a"]);
        long.bones[0].rotation = Some(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
        let mut bare = pose("bare", &["a"]);
        bare.bones[0].rotation = None;
        let mut twice_named = pose("face", &["a"]);
        twice_named.bones[0].scalars = vec![("smile".into(), 1.0), ("smile".into(), 0.0)];
        let mut face = pose("face", &["a"]);
        (face.bones[0].rotation, face.bones[0].scalars) = (None, vec![("smile".into(), 1.0)]);
        let good = pose("good", &["a", "b"]);
        let cases = [
            (vec![good.clone(), pose("other", &["a"])], None),
            (vec![good.clone(), good], Some("the pose name \"good\" is empty or already used")),
            (vec![pose(" ", &["a"])], Some("the pose name \" \" is empty or already used")),
            (vec![pose("none", &[])], Some("pose none: no bones")),
            (vec![pose("twice", &["a", "a"])], Some("pose twice: the bone a occurs twice")),
            (vec![face], None),
            (vec![twice_named], Some("pose face: bone a: the value \"smile\" has no name or occurs twice")),
            (vec![nan], Some("pose nan: bone a: no channel, or a value that is not finite")),
            (vec![bare], Some("pose bare: bone a: no channel, or a value that is not finite")),
            (vec![long], Some("pose long: bone a: rotation is not a unit quaternion")),
        ];
        for (poses, expected) in cases {
            let poses = poses.into_iter().map(Arc::new).collect();
            assert_eq!(check(&poses).err().as_deref(), expected);
        }
    }
}
