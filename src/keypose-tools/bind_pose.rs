//! The bind pose, computed from the inverse bind matrices of the skins.

use glam::Mat4;

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::transform::Transform;
use crate::assets::model::Model;

/// The model-from-bone matrix of every bone in the bind pose.
///
/// The space of a skin may differ from the model's (centimetres, z up): each skin is placed so that its topmost joint is at
/// its rest transform. The first skin with a bone decides. A bone of no skin, or with an inverse bind matrix that can't be
/// inverted, keeps its rest transform relative to its parent.
pub fn bind_pose(model: &Model) -> ModelPose {
    bound(model, false)
}

/// As [`bind_pose`], for skins that share one space, which is placed by the first of them: those of the parts of one character.
pub fn bind_pose_of_parts(model: &Model) -> ModelPose {
    bound(model, true)
}

fn bound(model: &Model, is_shared: bool) -> ModelPose {
    let skeleton = &*model.skeleton;
    let rest = skeleton.rest_model_pose();
    let mut bound: Vec<Option<Mat3x4>> = vec![None; skeleton.len()];
    let mut shared = None;
    for skin in &model.skins {
        let joints = || skin.joints.iter().copied().zip(&skin.inverse_binds);
        let Some((top, top_bind)) = joints().min_by_key(|(joint, _)| *joint) else { continue };
        let by_rest = rest.get(top).to_mat4() * *top_bind;
        let model_from_skin = if is_shared { *shared.get_or_insert(by_rest) } else { by_rest };
        for (joint, inverse) in joints() {
            let model_from_bone = model_from_skin * inverse.inverse();
            if let Some(place) = bound.get_mut(usize::from(joint)).filter(|place| place.is_none()) {
                *place = model_from_bone.is_finite().then(|| Mat3x4::from_mat4(&model_from_bone));
            }
        }
    }
    let mut pose = ModelPose { bones: Vec::with_capacity(skeleton.len()), ..ModelPose::default() };
    for (bone, bound) in skeleton.bones().iter().zip(bound) {
        let parent = bone.parent.map_or(Mat3x4::IDENTITY, |parent| pose.get(parent));
        pose.bones.push(bound.unwrap_or_else(|| parent * bone.rest.to_mat34()));
    }
    pose
}

/// The local transforms of a pose. Shear is lost; a bone whose transform can't be decomposed rests.
pub fn local_of(skeleton: &Skeleton, pose: &ModelPose) -> LocalPose {
    let local = |(bone, at): (&crate::anim::skeleton::Bone, u16)| {
        let parent = bone.parent.map_or(Mat4::IDENTITY, |parent| pose.get(parent).to_mat4());
        let matrix = parent.inverse() * pose.get(at).to_mat4();
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let transform = Transform { translation, rotation: rotation.normalize(), scale };
        if transform.is_finite() { transform } else { bone.rest }
    };
    LocalPose::from_transforms(skeleton.bones().iter().zip(skeleton.indices()).map(local))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::skin::Skin;
    use glam::{Quat, Vec3};
    use std::sync::Arc;

    /// Bound along x in centimetres, at rest along y in metres; the last bone is no joint.
    #[test]
    fn a_skin_is_placed_with_its_root_at_the_rest_transform() {
        let bone = |name: &str, parent, rest| Bone { name: name.into(), parent, rest };
        let up = |angle: f32| Transform {
            translation: Vec3::Y,
            rotation: Quat::from_rotation_z(angle),
            ..Transform::IDENTITY
        };
        let bones = vec![
            bone("root", None, Transform { translation: Vec3::X * 3.0, ..up(0.0) }),
            bone("arm", Some(0), up(1.2)),
            bone("hand", Some(1), up(0.4)),
        ];
        let hundred = |x: f32| Mat4::from_scale(Vec3::splat(100.0)) * Mat4::from_translation(Vec3::X * x);
        let skin = Skin {
            name: String::new(),
            joints: vec![1, 0],
            inverse_binds: vec![hundred(2.0).inverse(), hundred(0.0).inverse()],
        };
        let skeleton = Arc::new(crate::anim::skeleton::Skeleton::new(bones).unwrap());
        let model = Model { skeleton: skeleton.clone(), skins: vec![Arc::new(skin)], ..Model::default() };
        let pose = bind_pose(&model);
        let expected = [Vec3::X * 3.0, Vec3::X * 5.0, Vec3::new(5.0, 1.0, 0.0)];
        for (bone, expected) in skeleton.indices().zip(expected) {
            assert!(pose.get(bone).translation().distance(expected) < 1e-4, "{bone}: {:?}", pose.get(bone));
        }
        let mut again = ModelPose::default();
        again.compute(&skeleton, &local_of(&skeleton, &pose));
        for bone in skeleton.indices() {
            assert!(again.get(bone).translation().distance(pose.get(bone).translation()) < 1e-4, "{bone}");
        }
    }

    #[test]
    fn a_bone_with_a_singular_inverse_bind_matrix_rests() {
        let rest = Transform::from_translation(Vec3::Z);
        let skeleton = Skeleton::new(vec![
            Bone { name: "a".into(), parent: None, rest },
            Bone { name: "b".into(), parent: Some(0), rest },
        ]);
        let skin = Skin { name: String::new(), joints: vec![0, 1], inverse_binds: vec![Mat4::IDENTITY, Mat4::ZERO] };
        let skeleton = Arc::new(skeleton.unwrap());
        let model = Model { skeleton: skeleton.clone(), skins: vec![Arc::new(skin)], ..Model::default() };
        let pose = bind_pose(&model);
        assert!(pose.bones.iter().all(Mat3x4::is_finite));
        assert_eq!(pose.get(1).translation(), Vec3::Z * 2.0);
    }
}
