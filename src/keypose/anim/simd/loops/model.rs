//! Local to model space: the matrices of eight bones at a time, then each one times its parent's. No unsafe code.

use crate::anim::lanes::TransformLanes;
use crate::anim::mat34::Mat3x4;
use crate::anim::simd::registers::eight::{Eight, add, all, load, mul, mul_add, mul_sub, neg_mul_add, sub, turned};
use crate::anim::simd::registers::matrix;
use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::Skin;

/// Equals the portable [`crate::anim::pose::ModelPose::compute`] to 1e-6 of the largest component per level of the
/// hierarchy.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn model_pose(parents: &[BoneIndex], local: &[TransformLanes], bones: &mut [Mat3x4]) {
    for ((group, local), parents) in local.iter().enumerate().zip(parents.chunks(8)) {
        let [x, y, z] = matrices(local);
        let [x, y, z] = [turned(x), turned(y), turned(z)];
        // Not a loop: constant lanes make it a tenth faster.
        macro_rules! each {
            ($($lane:literal)*) => { $(
                let Some(&parent) = parents.get($lane) else { return };
                let Some((before, [bone, ..])) = bones.split_at_mut_checked(group * 8 + $lane) else { return };
                let rows = [matrix::row(&x, $lane), matrix::row(&y, $lane), matrix::row(&z, $lane)];
                match before.get(usize::from(parent)) {
                    Some(parent) => matrix::put_chained(parent, rows, bone),
                    None => matrix::put(rows, bone),
                }
            )* };
        }
        each!(0 1 2 3 4 5 6 7);
    }
}

/// The twelve components of eight matrices, row by row.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn matrices(local: &TransformLanes) -> [[Eight; 4]; 3] {
    let [x, y, z, w] = [0, 1, 2, 3].map(|part| load(&local.rotation[part]));
    let [sx, sy, sz] = [0, 1, 2].map(|part| load(&local.scale[part]));
    let [tx, ty, tz] = [0, 1, 2].map(|part| load(&local.translation[part]));
    let one = all(1.0);
    let (x2, y2, z2) = (add(x, x), add(y, y), add(z, z));
    let (wx, wy, wz) = (mul(w, x2), mul(w, y2), mul(w, z2));
    let xx = neg_mul_add(x, x2, one);
    let yy = mul(y, y2);
    [
        [mul(neg_mul_add(z, z2, sub(one, yy)), sx), mul(mul_sub(x, y2, wz), sy), mul(mul_add(x, z2, wy), sz), tx],
        [mul(mul_add(x, y2, wz), sx), mul(neg_mul_add(z, z2, xx), sy), mul(mul_sub(y, z2, wx), sz), ty],
        [mul(mul_sub(x, z2, wy), sx), mul(mul_add(y, z2, wx), sy), mul(sub(xx, yy), sz), tz],
    ]
}

/// Multiplies each joint's bone by its inverse bind matrix, which is transposed in registers.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn palette(skin: &Skin, bones: &[Mat3x4], palette: &mut [Mat3x4]) {
    for ((matrix, &joint), inverse) in palette.iter_mut().zip(&skin.joints).zip(&skin.inverse_binds) {
        let inverse = Mat3x4::from_mat4(inverse);
        match bones.get(usize::from(joint)) {
            Some(bone) => matrix::put_chained(bone, matrix::rows(&inverse), matrix),
            None => *matrix = inverse,
        }
    }
}
