//! The hot loops for processors with wide registers, chosen at run time. The portable code beside the types defines
//! what they compute; they equal it to a few units in the last place, or bit by bit where they are called `EXACT`.
//!
//! Nothing here knows clips; the loops that sample them are in `bake`. Each loop is written once, in the operations of `eight`, `matrix` and `integer`: AVX2 and FMA on x86-64 if the
//! processor has them, NEON on 64-bit Arm, where it is always available. Linear skinning and local to model space have
//! another loop each for AVX-512.
//! On other processors every function here returns `false` and the caller runs the portable loop, which handles eight
//! lanes at a time.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

use crate::anim::lanes::TransformLanes;
use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::Skeleton;
use crate::anim::skin::Skin;
use crate::anim::skin::cpu::{Influences, LineMat4, Skinned, Source};
use crate::anim::skin::dual::DualQuat;

#[cfg(target_arch = "x86_64")]
pub(in crate::anim) mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512_model;
#[cfg(target_arch = "x86_64")]
mod avx512_skin;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
pub(in crate::anim) mod loops;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(in crate::anim) mod neon;
#[cfg(target_arch = "x86_64")]
pub(in crate::anim) use self::avx2 as registers;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(in crate::anim) use self::neon as registers;

/// Returns true if this processor has the registers for the loops.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    cfg!(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))
}

/// Returns true if this processor has the registers for the loops with AVX-512 as well.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_available() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
}

/// Returns true if sixteen matrices at a time are faster than eight. On Zen 5 they take a quarter less time; on Intel's
/// processors, where most stores of 64 bytes cost twice as much, a quarter more.
#[cfg(target_arch = "x86_64")]
fn prefers_sixteen_matrices() -> bool {
    static PREFERS: LazyLock<bool> = LazyLock::new(|| {
        // Miri has no processor to ask.
        if cfg!(miri) {
            return false;
        }
        let vendor = std::arch::x86_64::__cpuid(0);
        has_avx512() && [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() == b"AuthenticAMD"
    });
    *PREFERS
}

/// Calls a loop. `None` if this processor has no registers for it.
macro_rules! wide {
    ($($path:ident)::+ $(<$exact:ident>)? ($($argument:ident),*)) => {{
        #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
        // SAFETY: `is_available` checks for the features that the loops are compiled for.
        let result = if $crate::anim::simd::is_available() { Some(unsafe { $($path)::+ $(::<$exact>)? ($($argument),*) }) } else { None };
        #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))))]
        let result = { let _ = ($($argument),*); None };
        result
    }};
}
pub(in crate::anim) use wide;

/// Bytes that may be read past the last packed number: 16 from the start of any of them.
pub const PADDING: usize = 16;

/// Integer work that the compiler vectorizes, with the same result on every processor.
pub trait Work {
    /// The result.
    type Output;

    /// Does the work. This function and all that it calls must be `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Does work with the widest registers of this processor.
pub fn widened<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<W: Work>(work: W) -> W::Output {
            work.run()
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { with_avx2(work) };
        }
    }
    work.run()
}

/// Blends `from` and `to` with `weight` for `to` into `out`; all three have the same length. Returns false if the
/// caller must run the portable loop.
#[inline]
pub fn blend(from: &[TransformLanes], to: &[TransformLanes], weight: f32, out: &mut [TransformLanes]) -> bool {
    wide!(loops::blend::blend(from, to, weight, out)) == Some(())
}

/// Like [`blend`], in place.
#[inline]
pub fn blend_onto(pose: &mut [TransformLanes], to: &[TransformLanes], weight: f32) -> bool {
    wide!(loops::blend::blend_onto(pose, to, weight)) == Some(())
}

/// Replaces `out` by the average of layers, by their shares; all have the same length. Returns false if the caller must run the portable
/// loop.
#[inline]
pub fn layers<'a>(shares: impl Iterator<Item = (&'a [TransformLanes], f32)>, out: &mut [TransformLanes]) -> bool {
    wide!(loops::blend::layers(shares, out)) == Some(())
}

/// Transforms local transforms to model space. `bones` are as many as the skeleton has, `local` covers all of them.
/// Returns false if the caller must run the portable loop.
#[inline]
pub fn model_pose(skeleton: &Skeleton, local: &[TransformLanes], bones: &mut [Mat3x4]) -> bool {
    let parents = skeleton.parents();
    #[cfg(target_arch = "x86_64")]
    if bones.len() <= avx512_model::MAX_MATRICES && prefers_sixteen_matrices() {
        // SAFETY: the processor has AVX-512, AVX2 and FMA.
        unsafe { avx512_model::model_pose(skeleton, local, bones) };
        return true;
    }
    wide!(loops::model::model_pose(parents, local, bones)) == Some(())
}

/// Writes for each joint its bone's matrix times its inverse bind matrix, or only that for joints past the bones. Returns
/// false if the caller must run the portable loop.
#[inline]
pub fn palette(skin: &Skin, bones: &[Mat3x4], palette: &mut [Mat3x4]) -> bool {
    wide!(loops::model::palette(skin, bones, palette)) == Some(())
}

/// Skins vertices. Returns how many it skinned, from the first on; the caller must run the portable loop for the
/// others. `matrices` is the palette followed by an identity, each of the one or two sets is as long as the positions,
/// `out` has the lengths of the source.
#[inline]
pub fn skin(influences: &Influences<'_>, matrices: &[LineMat4], source: &Source<'_>, out: &mut Skinned) -> usize {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the processor has AVX-512, AVX2 and FMA.
        return unsafe { avx512_skin::skin(influences, matrices, source, out) };
    }
    wide!(loops::skin::skin(influences, matrices, source, out)).unwrap_or(0)
}

/// Like [`skin`], with dual quaternions without scale.
#[inline]
pub fn skin_dual(influences: &Influences<'_>, rigid: &[DualQuat], source: &Source<'_>, out: &mut Skinned) -> usize {
    wide!(loops::dual::skin(influences, rigid, source, out)).unwrap_or(0)
}
