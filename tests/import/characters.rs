//! Characters for tests of retargeting: files of the larger set, and variants made of them with other names, axes and rest poses.

use std::sync::Arc;

use glam::{DAffine3, DQuat, Quat, Vec3};
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::assets::bone_match::{parts_of, plain};
use keypose::assets::model::Model;

use crate::posing::keyed_pose;

fn with_skeleton(model: &Model, bones: Vec<Bone>) -> Model {
    Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..model.clone() }
}

/// Other names for the bones of a Mixamo character; those that are not in the list stay.
pub fn renamed(model: &Model, names: &[(&str, &str)]) -> Model {
    let name = |bone: &Bone| {
        let own = plain(&bone.name);
        let new = names.iter().find(|(old, _)| plain(old) == own);
        Bone { name: new.map_or(bone.name.clone(), |(_, new)| (*new).to_owned()), ..bone.clone() }
    };
    with_skeleton(model, model.skeleton.bones().iter().map(name).collect())
}

/// The character resting with its upper arms turned down and its forearms a little forward, by angles in radians.
pub fn with_arms_down(model: &Model, angle: f32) -> Model {
    let parts = parts_of(model.into());
    let mut pose = model.skeleton.rest_pose();
    for (bone, part) in parts.iter().enumerate() {
        let turn = match part.as_deref() {
            Some("left upper arm") => Quat::from_rotation_z(-angle),
            Some("right upper arm") => Quat::from_rotation_z(angle),
            Some("left lower arm") => Quat::from_rotation_y(-0.2 * angle),
            Some("right lower arm") => Quat::from_rotation_y(0.2 * angle),
            _ => continue,
        };
        turn_in_world(&model.skeleton, &mut pose, bone, turn);
    }
    resting(model, &pose)
}

/// Turns a bone in model space.
fn turn_in_world(skeleton: &Skeleton, pose: &mut LocalPose, bone: usize, turn: Quat) {
    let mut above = Quat::IDENTITY;
    let mut next = skeleton.parent(bone as u16);
    while let Some(parent) = next {
        above = pose.get(usize::from(parent)).rotation * above;
        next = skeleton.parent(parent);
    }
    let mut transform = pose.get(bone);
    transform.rotation = (above.inverse() * turn * above * transform.rotation).normalize();
    pose.set(bone, &transform);
}

/// The character resting in a pose.
pub fn resting(model: &Model, pose: &LocalPose) -> Model {
    let bones = model.skeleton.bones().iter().enumerate();
    with_skeleton(model, bones.map(|(at, bone)| Bone { rest: pose.get(at), ..bone.clone() }).collect())
}

/// A library resting in the first frame of its first clip.
pub fn resting_in_its_clip(model: &Model) -> Model {
    resting(model, &keyed_pose(model, &model.clips[0].clip, 0.0))
}

/// The character with other axes of all bones: each is turned by another rotation, and bones stay where they are.
pub fn with_axes(model: &Model, axes: impl Fn(usize) -> DQuat) -> Model {
    let bones = model.skeleton.bones();
    let turned = |at: usize, bone: &Bone| {
        let affine = |at: usize| DAffine3::from_quat(axes(at));
        let rest = &bone.rest;
        let own = DAffine3::from_scale_rotation_translation(
            rest.scale.as_dvec3(),
            rest.rotation.as_dquat(),
            rest.translation.as_dvec3(),
        );
        let above = bone.parent.map_or(DAffine3::IDENTITY, |parent| affine(usize::from(parent)));
        let (scale, rotation, translation) = (above.inverse() * own * affine(at)).to_scale_rotation_translation();
        let rest = keypose::anim::transform::Transform {
            translation: translation.as_vec3(),
            rotation: rotation.as_quat().normalize(),
            scale: scale.as_vec3(),
        };
        Bone { rest, ..bone.clone() }
    };
    let turned = with_skeleton(model, bones.iter().enumerate().map(|(at, bone)| turned(at, bone)).collect());
    let skin = |skin: &Arc<keypose::anim::skin::Skin>| {
        let pairs = skin.joints.iter().zip(&skin.inverse_binds);
        let inverse = |(joint, bind): (&u16, &glam::Mat4)| {
            glam::Mat4::from_quat(axes(usize::from(*joint)).as_quat().inverse()) * *bind
        };
        let inverse_binds = pairs.map(inverse).collect();
        Arc::new(keypose::anim::skin::Skin { inverse_binds, ..(**skin).clone() })
    };
    Model { skins: model.skins.iter().map(skin).collect(), ..turned }
}

/// Axes that differ from bone to bone.
pub fn mixed_axes(at: usize) -> DQuat {
    let by = at as f64;
    DQuat::from_euler(glam::EulerRot::XYZ, 1.3 * by, 0.7 + 2.1 * by, 0.4 * by)
}

/// The character with other lengths: positions of bones of some parts are multiplied.
pub fn with_lengths(model: &Model, factors: &[(&str, f32)]) -> Model {
    let parts = parts_of(model.into());
    let longer = |(at, bone): (usize, &Bone)| {
        let part = parts[at].as_deref().unwrap_or(&bone.name);
        let factor = factors.iter().find(|(end, _)| part.ends_with(end)).map_or(1.0, |(_, factor)| *factor);
        let mut bone = bone.clone();
        bone.rest.translation *= Vec3::splat(factor);
        bone
    };
    with_skeleton(model, model.skeleton.bones().iter().enumerate().map(longer).collect())
}

/// Raises the bones at the top so that the lowest bone is where it was.
pub fn grounded(model: &Model, like: &Model) -> Model {
    let lowest = |model: &Model| {
        let pose = model.skeleton.rest_model_pose();
        pose.bones.iter().map(|bone| bone.translation().y).fold(f32::MAX, f32::min)
    };
    let lift = lowest(like) - lowest(model);
    let raise = |bone: &Bone| {
        let mut bone = bone.clone();
        bone.rest.translation.y += if bone.name.ends_with("Hips") { lift } else { 0.0 };
        bone
    };
    with_skeleton(model, model.skeleton.bones().iter().map(raise).collect())
}

pub const UNREAL: [(&str, &str); 20] = [
    ("Hips", "pelvis"),
    ("Spine", "spine_01"),
    ("Spine1", "spine_02"),
    ("Spine2", "spine_03"),
    ("Neck", "neck_01"),
    ("Head", "head"),
    ("LeftShoulder", "clavicle_l"),
    ("RightShoulder", "clavicle_r"),
    ("LeftArm", "upperarm_l"),
    ("RightArm", "upperarm_r"),
    ("LeftForeArm", "lowerarm_l"),
    ("RightForeArm", "lowerarm_r"),
    ("LeftHand", "hand_l"),
    ("RightHand", "hand_r"),
    ("LeftUpLeg", "thigh_l"),
    ("RightUpLeg", "thigh_r"),
    ("LeftLeg", "calf_l"),
    ("RightLeg", "calf_r"),
    ("LeftFoot", "foot_l"),
    ("RightFoot", "foot_r"),
];

pub const RIGIFY: [(&str, &str); 22] = [
    ("Hips", "DEF-spine"),
    ("Spine", "DEF-spine.001"),
    ("Spine1", "DEF-spine.002"),
    ("Spine2", "DEF-spine.003"),
    ("Neck", "DEF-spine.004"),
    ("Head", "DEF-spine.006"),
    ("LeftShoulder", "DEF-shoulder.L"),
    ("RightShoulder", "DEF-shoulder.R"),
    ("LeftArm", "DEF-upper_arm.L"),
    ("RightArm", "DEF-upper_arm.R"),
    ("LeftForeArm", "DEF-forearm.L"),
    ("RightForeArm", "DEF-forearm.R"),
    ("LeftHand", "DEF-hand.L"),
    ("RightHand", "DEF-hand.R"),
    ("LeftUpLeg", "DEF-thigh.L"),
    ("RightUpLeg", "DEF-thigh.R"),
    ("LeftLeg", "DEF-shin.L"),
    ("RightLeg", "DEF-shin.R"),
    ("LeftFoot", "DEF-foot.L"),
    ("RightFoot", "DEF-foot.R"),
    ("LeftToeBase", "DEF-toe.L"),
    ("RightToeBase", "DEF-toe.R"),
];

/// Names that say "leg" for a thigh, as in models for VRChat, and the parts that a VRM file declares for them.
pub const SOCIAL: [(&str, &str, &str); 20] = [
    ("Hips", "Hips", "hips"),
    ("Spine", "Spine", "spine"),
    ("Spine1", "Chest", "chest"),
    ("Spine2", "Upper Chest", "upperChest"),
    ("Neck", "Neck", "neck"),
    ("Head", "Head", "head"),
    ("LeftShoulder", "Left shoulder", "leftShoulder"),
    ("RightShoulder", "Right shoulder", "rightShoulder"),
    ("LeftArm", "Left arm", "leftUpperArm"),
    ("RightArm", "Right arm", "rightUpperArm"),
    ("LeftForeArm", "Left elbow", "leftLowerArm"),
    ("RightForeArm", "Right elbow", "rightLowerArm"),
    ("LeftHand", "Left wrist", "leftHand"),
    ("RightHand", "Right wrist", "rightHand"),
    ("LeftUpLeg", "Left leg", "leftUpperLeg"),
    ("RightUpLeg", "Right leg", "rightUpperLeg"),
    ("LeftLeg", "Left knee", "leftLowerLeg"),
    ("RightLeg", "Right knee", "rightLowerLeg"),
    ("LeftFoot", "Left ankle", "leftFoot"),
    ("RightFoot", "Right ankle", "rightFoot"),
];

/// Names of VRoid's models, which are VRM, and the parts that the file declares for them.
pub const VROID: [(&str, &str, &str); 22] = [
    ("Hips", "J_Bip_C_Hips", "hips"),
    ("Spine", "J_Bip_C_Spine", "spine"),
    ("Spine1", "J_Bip_C_Chest", "chest"),
    ("Spine2", "J_Bip_C_UpperChest", "upperChest"),
    ("Neck", "J_Bip_C_Neck", "neck"),
    ("Head", "J_Bip_C_Head", "head"),
    ("LeftShoulder", "J_Bip_L_Shoulder", "leftShoulder"),
    ("RightShoulder", "J_Bip_R_Shoulder", "rightShoulder"),
    ("LeftArm", "J_Bip_L_UpperArm", "leftUpperArm"),
    ("RightArm", "J_Bip_R_UpperArm", "rightUpperArm"),
    ("LeftForeArm", "J_Bip_L_LowerArm", "leftLowerArm"),
    ("RightForeArm", "J_Bip_R_LowerArm", "rightLowerArm"),
    ("LeftHand", "J_Bip_L_Hand", "leftHand"),
    ("RightHand", "J_Bip_R_Hand", "rightHand"),
    ("LeftUpLeg", "J_Bip_L_UpperLeg", "leftUpperLeg"),
    ("RightUpLeg", "J_Bip_R_UpperLeg", "rightUpperLeg"),
    ("LeftLeg", "J_Bip_L_LowerLeg", "leftLowerLeg"),
    ("RightLeg", "J_Bip_R_LowerLeg", "rightLowerLeg"),
    ("LeftFoot", "J_Bip_L_Foot", "leftFoot"),
    ("RightFoot", "J_Bip_R_Foot", "rightFoot"),
    ("LeftToeBase", "J_Bip_L_ToeBase", "leftToes"),
    ("RightToeBase", "J_Bip_R_ToeBase", "rightToes"),
];

/// Names of ReadyPlayerMe and Kenney: those of Mixamo without a prefix.
pub const READY: [(&str, &str); 22] = [
    ("Hips", "Hips"),
    ("Spine", "Spine"),
    ("Spine1", "Spine1"),
    ("Spine2", "Spine2"),
    ("Neck", "Neck"),
    ("Head", "Head"),
    ("LeftShoulder", "LeftShoulder"),
    ("RightShoulder", "RightShoulder"),
    ("LeftArm", "LeftArm"),
    ("RightArm", "RightArm"),
    ("LeftForeArm", "LeftForeArm"),
    ("RightForeArm", "RightForeArm"),
    ("LeftHand", "LeftHand"),
    ("RightHand", "RightHand"),
    ("LeftUpLeg", "LeftUpLeg"),
    ("RightUpLeg", "RightUpLeg"),
    ("LeftLeg", "LeftLeg"),
    ("RightLeg", "RightLeg"),
    ("LeftFoot", "LeftFoot"),
    ("RightFoot", "RightFoot"),
    ("LeftToeBase", "LeftToeBase"),
    ("RightToeBase", "RightToeBase"),
];

/// The character with other names, and the parts that a file declares for them.
pub fn declared(model: &Model, names: &[(&str, &str, &str)]) -> Model {
    let pairs: Vec<(&str, &str)> = names.iter().map(|(old, new, _)| (*old, *new)).collect();
    let mut renamed = renamed(model, &pairs);
    renamed.rig.humanoid = names.iter().map(|(_, bone, part)| ((*part).to_owned(), (*bone).to_owned())).collect();
    renamed
}
