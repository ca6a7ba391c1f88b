//! The hot loops for processors with wide registers, chosen at run time, and nothing but them: what they compute is
//! defined by the portable code beside the types, and they agree with it to a few units in the last place.
//!
//! x86-64 with AVX2 and FMA has loops of its own. Elsewhere every function here answers `false` and the caller runs the portable
//! loops over eight lanes, which compilers turn into SSE2 or NEON by themselves, both being always there.

use crate::anim::bake::columns::Columns;
use crate::anim::bake::compact::Compact;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, TransformLanes};
use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::cpu::{Influences, LineMat4, Skinned, Source};
use crate::anim::skin::dual::DualQuat;
use crate::anim::time::Time;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_blend;
#[cfg(target_arch = "x86_64")]
mod avx2_compact;
#[cfg(target_arch = "x86_64")]
mod avx2_dual;
#[cfg(target_arch = "x86_64")]
mod avx2_model;
#[cfg(target_arch = "x86_64")]
mod avx2_sample;
#[cfg(target_arch = "x86_64")]
mod avx2_skin;

/// True where the wide loops run on this processor.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Samples columns; false where the portable loop must.
#[inline]
pub fn sample(columns: &Columns, time: Time, pose: &mut LocalPose) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::sample(columns, time, pose);
        return true;
    }
    let _ = (columns, time, pose);
    false
}

/// Samples the compact form; false where the portable loop must.
#[inline]
pub fn sample_compact(compact: &Compact, time: Time, pose: &mut LocalPose) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::sample_compact(compact, time, pose);
        return true;
    }
    let _ = (compact, time, pose);
    false
}

/// `weight` of `to` over `from` into `out`, all three equally long; false where the portable loop must.
#[inline]
pub fn mix(from: &[TransformLanes], to: &[TransformLanes], weight: f32, out: &mut [TransformLanes]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::mix(from, to, weight, out);
        return true;
    }
    let _ = (from, to, weight, out);
    false
}

/// As [`mix`], in place.
#[inline]
pub fn mix_onto(pose: &mut [TransformLanes], to: &[TransformLanes], weight: f32) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::mix_onto(pose, to, weight);
        return true;
    }
    let _ = (pose, to, weight);
    false
}

/// Chains local transforms into model space; false where the portable loop must. `parents`, `bones` are equally long,
/// parents come first (a root has an index past all bones), `local` covers all bones.
#[inline]
pub fn model_pose(parents: &[BoneIndex], local: &[TransformLanes], bones: &mut [Mat3x4]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::model_pose(parents, local, bones);
        return true;
    }
    let _ = (parents, local, bones);
    false
}

/// Puts each joint's bone in front of its matrix in `palette`; a joint past the bones leaves it. False where the portable
/// loop must.
#[inline]
pub fn palette(joints: &[BoneIndex], bones: &[Mat3x4], palette: &mut [Mat3x4]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::palette(joints, bones, palette);
        return true;
    }
    let _ = (joints, bones, palette);
    false
}

/// Skins vertices; false where the portable loop must. `columns` is the palette with an identity behind it, each of the
/// one or two sets is as long as the positions, `out` fits the source.
#[inline]
pub fn skin(influences: &Influences<'_>, columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        avx2::skin(influences, columns, source, out);
        return true;
    }
    let _ = (influences, columns, source, out);
    false
}

/// Skins vertices with dual quaternions that do not stretch; says how many of the first were done, the others the portable
/// loop must. Each of the sets is as long as the positions, `out` fits the source.
#[inline]
pub fn skin_dual(influences: &Influences<'_>, rigid: &[DualQuat], source: &Source<'_>, out: &mut Skinned) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        return avx2::skin_dual(influences, rigid, source, out);
    }
    let _ = (influences, rigid, source, out);
    0
}
