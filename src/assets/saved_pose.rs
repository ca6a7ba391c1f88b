//! The pose library of a model: named poses of some or all of its bones. Bones go by their names, so that a pose also
//! fits a model that was imported anew, or another one.

use std::collections::BTreeSet;

use glam::{Quat, Vec3, Vec4};

use crate::anim::key::Channel;

/// A named pose.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedPose {
    /// Unique within the model, not empty.
    pub name: String,
    /// In the order of the skeleton from which they were taken; at least one, each name once.
    pub bones: Vec<SavedBone>,
}

/// What a saved pose says about one bone: local values, finite; a channel that is `None` is left as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedBone {
    /// The bone's name; a model may lack it.
    pub bone: String,
    /// Against the parent, in its units.
    pub translation: Option<Vec3>,
    /// Of unit length.
    pub rotation: Option<Quat>,
    /// Factors per axis.
    pub scale: Option<Vec3>,
}

impl SavedBone {
    /// The channels that the pose sets, with their values as keys have them.
    pub fn channels(&self) -> impl Iterator<Item = (Channel, Vec4)> {
        let translation = self.translation.map(|value| (Channel::Translation, value.extend(0.0)));
        let rotation = self.rotation.map(|value| (Channel::Rotation, Vec4::from(value)));
        let scale = self.scale.map(|value| (Channel::Scale, value.extend(0.0)));
        [translation, rotation, scale].into_iter().flatten()
    }

    fn check(&self) -> Result<(), String> {
        let values: Vec<(Channel, Vec4)> = self.channels().collect();
        if values.is_empty() || values.iter().any(|(_, value)| !value.is_finite()) {
            return Err(format!("bone {}: it has no channel, or one that is not finite", self.bone));
        }
        match self.rotation {
            Some(rotation) if (rotation.length_squared() - 1.0).abs() > 1e-3 => {
                Err(format!("bone {}: its rotation is not of unit length", self.bone))
            }
            _ => Ok(()),
        }
    }
}

/// Checks that names are there and unique and values finite; the error names the pose.
pub fn check<'a>(poses: impl IntoIterator<Item = &'a SavedPose>) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for pose in poses {
        if pose.name.trim().is_empty() || !names.insert(pose.name.as_str()) {
            return Err(format!("the name of the pose \"{}\" is empty or taken", pose.name));
        }
        let mut bones = BTreeSet::new();
        if let Some(twice) = pose.bones.iter().find(|bone| !bones.insert(bone.bone.as_str())) {
            return Err(format!("pose {}: the bone {} stands in it twice", pose.name, twice.bone));
        }
        if pose.bones.is_empty() {
            return Err(format!("pose {}: it has no bones", pose.name));
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
        let good = pose("good", &["a", "b"]);
        let cases = [
            (vec![good.clone(), pose("other", &["a"])], None),
            (vec![good.clone(), good], Some("the name of the pose \"good\" is empty or taken")),
            (vec![pose(" ", &["a"])], Some("the name of the pose \" \" is empty or taken")),
            (vec![pose("none", &[])], Some("pose none: it has no bones")),
            (vec![pose("twice", &["a", "a"])], Some("pose twice: the bone a stands in it twice")),
            (vec![nan], Some("pose nan: bone a: it has no channel, or one that is not finite")),
            (vec![bare], Some("pose bare: bone a: it has no channel, or one that is not finite")),
            (vec![long], Some("pose long: bone a: its rotation is not of unit length")),
        ];
        for (poses, expected) in cases {
            assert_eq!(check(&poses).err().as_deref(), expected);
        }
    }
}
