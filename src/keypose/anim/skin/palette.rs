//! The palette: the skinning matrices of one skin in one pose, as the shader reads them.

use crate::anim::mat34::Mat3x4;
use crate::anim::pose::ModelPose;
use crate::anim::simd;
use crate::anim::skin::Skin;

/// `model_from_bone * bone_from_bind_model` (S·T⁻¹ aggregated down the hierarchy) for each joint of the skin.
pub fn compute(skin: &Skin, model: &ModelPose, palette: &mut Vec<Mat3x4>) {
    palette.resize(skin.joints.len().min(skin.inverse_binds.len()), Mat3x4::IDENTITY);
    if !simd::palette(skin, &model.bones, palette) {
        for ((matrix, &joint), inverse) in palette.iter_mut().zip(&skin.joints).zip(&skin.inverse_binds) {
            *matrix = model.get(joint) * Mat3x4::from_mat4(inverse);
        }
    }
}
