//! A pose with bones identified by name, so that a program can send it to another one whose model has other bones or another
//! order.

use crate::anim::pose::LocalPose;
use crate::anim::scalar::Scalar;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::assets::model::Model;

/// The local transforms of a model's bones and the values of its scalars, and the clip and time that they are from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedPose {
    /// The model's name.
    pub model: String,
    /// The clip's name; empty for the rest pose.
    pub clip: String,
    /// The time in the clip.
    pub time: Time,
    /// The name and local transform of every bone, finite, in the order of the skeleton.
    pub bones: Vec<(String, Transform)>,
    /// Every weight, property and visibility: the name of its bone, its own, and its finite value.
    pub scalars: Vec<(String, String, f32)>,
}

impl NamedPose {
    /// The pose of a model; `local` has one transform for each bone.
    pub fn of(model: &Model, clip: &str, time: Time, local: &LocalPose) -> NamedPose {
        let bones = model.skeleton.bones().iter().zip(local.iter());
        let scalars = model.skeleton.scalars().iter().zip(local.scalars());
        let bone_name = |bone| model.skeleton.get(bone).map_or(String::new(), |bone| bone.name.clone());
        let named = |(scalar, value): (&Scalar, &f32)| (bone_name(scalar.bone), scalar.name.clone(), *value);
        NamedPose {
            model: model.name.clone(),
            clip: clip.to_owned(),
            time,
            bones: bones.map(|(bone, transform)| (bone.name.clone(), transform)).collect(),
            scalars: scalars.map(named).collect(),
        }
    }

    /// The pose on a skeleton. Bones and scalars that the skeleton lacks are ignored; those that the pose lacks stay at rest.
    pub fn on(&self, skeleton: &Skeleton) -> LocalPose {
        let mut local = skeleton.rest_pose();
        for (at, (name, transform)) in self.bones.iter().enumerate() {
            let is_in_place = skeleton.bones().get(at).is_some_and(|bone| bone.name == *name);
            let bone = if is_in_place { Some(at) } else { skeleton.find(name).map(usize::from) };
            if let Some(bone) = bone {
                local.set(bone, transform);
            }
        }
        for (bone, name, value) in &self.scalars {
            let scalar = skeleton.find(bone).and_then(|bone| skeleton.find_scalar(bone, name));
            if let Some(place) = scalar.and_then(|scalar| local.scalars_mut().get_mut(usize::from(scalar))) {
                *place = *value;
            }
        }
        local
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::anim::skeleton::tests::skeleton;

    #[test]
    fn bones_are_found_by_name_whatever_their_order_and_number() {
        let model = Model { skeleton: Arc::new(skeleton(&["a", "b", "c"])), ..Model::default() };
        let at = |x: f32| Transform::from_translation(Vec3::X * x);
        let pose = NamedPose::of(&model, "", Time::ZERO, &LocalPose::from_transforms([at(1.0), at(2.0), at(3.0)]));
        let cases: [(&[&str], &[f32]); 4] = [
            (&["a", "b", "c"], &[1.0, 2.0, 3.0]),
            (&["c", "a", "b"], &[3.0, 1.0, 2.0]),
            (&["b", "new"], &[2.0, 0.0]),
            (&[], &[]),
        ];
        for (names, expected) in cases {
            let local = pose.on(&skeleton(names));
            let found: Vec<f32> = local.iter().map(|transform| transform.translation.x).collect();
            assert_eq!(found, expected, "{names:?}");
        }
    }

    #[test]
    fn scalars_are_found_by_their_bone_and_name() {
        let smile =
            |bone| Scalar { name: "smile".into(), bone, kind: crate::anim::scalar::ScalarKind::Weight, default: 0.25 };
        let with = |skeleton: Skeleton, scalars| Arc::new(skeleton.with_scalars(scalars).unwrap());
        let model = Model { skeleton: with(skeleton(&["a", "b"]), vec![smile(0), smile(1)]), ..Model::default() };
        let mut local = model.skeleton.rest_pose();
        *local.scalars_mut() = vec![0.5, 0.75];
        let pose = NamedPose::of(&model, "", Time::ZERO, &local);
        let other = with(skeleton(&["b", "c"]), vec![smile(1), smile(0)]);
        assert_eq!(pose.on(&other).scalars(), [0.25, 0.75]);
    }
}
