//! The hot loops for processors with wide registers, chosen at run time, and nothing but them: what they compute is
//! defined by the portable code beside the types, and they agree with it to a few units in the last place.
//!
//! Each loop is written once, in the few operations that `eight`, `matrix` and `whole` stand for: on x86-64 those of AVX2 and FMA,
//! where the processor has them, on 64-bit Arm those of NEON, which is always there. Linear skinning has a loop of its own for
//! AVX-512. Elsewhere every function here answers `false` and the caller runs the portable loops over eight lanes.
#![allow(unsafe_code)]

use crate::anim::bake::columns::Columns;
use crate::anim::bake::compact::Compact;
use crate::anim::bake::short::Short;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, TransformLanes};
use crate::anim::skeleton::BoneIndex;
use crate::anim::skin::cpu::{Influences, LineMat4, Skinned, Source};
use crate::anim::skin::dual::DualQuat;
use crate::anim::time::Time;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512_skin;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
mod loops;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(target_arch = "x86_64")]
use self::avx2 as registers;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use self::neon as registers;

/// True where the wide loops run on this processor.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    cfg!(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))
}

/// What a loop answers; `None` where this processor runs none.
macro_rules! wide {
    ($($path:ident)::+($($argument:ident),*)) => {{
        #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
        // SAFETY: `is_available` asks for what the loops are compiled for.
        let answer = if is_available() { Some(unsafe { $($path)::+($($argument),*) }) } else { None };
        #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))))]
        let answer = { let _ = ($($argument),*); None };
        answer
    }};
}

/// Samples columns; false where the portable loop must.
#[inline]
pub fn sample(columns: &Columns, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::sample::sample(columns, time, pose)) == Some(())
}

/// Samples columns of 16 bits; false where the portable loop must.
#[inline]
pub fn sample_short(short: &Short, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::short::sample(short, time, pose)) == Some(())
}

/// Samples the compact form; false where the portable loop must.
#[inline]
pub fn sample_compact(compact: &Compact, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::compact::sample(compact, time, pose)) == Some(())
}

/// `weight` of `to` over `from` into `out`, all three equally long; false where the portable loop must.
#[inline]
pub fn mix(from: &[TransformLanes], to: &[TransformLanes], weight: f32, out: &mut [TransformLanes]) -> bool {
    wide!(loops::blend::mix(from, to, weight, out)) == Some(())
}

/// As [`mix`], in place.
#[inline]
pub fn mix_onto(pose: &mut [TransformLanes], to: &[TransformLanes], weight: f32) -> bool {
    wide!(loops::blend::mix_onto(pose, to, weight)) == Some(())
}

/// Chains local transforms into model space; false where the portable loop must. `parents`, `bones` are equally long,
/// parents come first (a root has an index past all bones), `local` covers all bones.
#[inline]
pub fn model_pose(parents: &[BoneIndex], local: &[TransformLanes], bones: &mut [Mat3x4]) -> bool {
    wide!(loops::model::model_pose(parents, local, bones)) == Some(())
}

/// Puts each joint's bone in front of its matrix in `palette`; a joint past the bones leaves it. False where the portable
/// loop must.
#[inline]
pub fn palette(joints: &[BoneIndex], bones: &[Mat3x4], palette: &mut [Mat3x4]) -> bool {
    wide!(loops::model::palette(joints, bones, palette)) == Some(())
}

/// Skins vertices; says how many of the first were done, the others the portable loop must. `columns` is the palette with an
/// identity behind it, each of the one or two sets is as long as the positions, `out` fits the source.
#[inline]
pub fn skin(influences: &Influences<'_>, columns: &[LineMat4], source: &Source<'_>, out: &mut Skinned) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_available() && is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512, AVX2 and FMA.
        return unsafe { avx512_skin::skin(influences, columns, source, out) };
    }
    wide!(loops::skin::skin(influences, columns, source, out)).unwrap_or(0)
}

/// As [`skin`], with dual quaternions that do not stretch.
#[inline]
pub fn skin_dual(influences: &Influences<'_>, rigid: &[DualQuat], source: &Source<'_>, out: &mut Skinned) -> usize {
    wide!(loops::dual::skin(influences, rigid, source, out)).unwrap_or(0)
}
