//! Samples baked clips with wide registers. If `EXACT`, the result has the bits of the portable loop. Each function returns
//! false if this processor has no registers for it, and the caller must run the portable loop.
#![allow(unsafe_code)]

use crate::anim::bake::curve_windows::CurveWindows;
use crate::anim::bake::packed_samples::PackedSamples;
use crate::anim::bake::quantized_samples::QuantizedSamples;
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::pose::LocalPose;
use crate::anim::simd::wide;
use crate::anim::time::Time;

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
))]
use crate::anim::bake::loops;

/// Samples 32-bit poses.
#[inline]
pub fn sampled_poses<const EXACT: bool>(samples: &SampledPoses, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::sampled_poses::sample<EXACT>(samples, time, pose)) == Some(())
}

/// Samples 16-bit poses.
#[inline]
pub fn quantized_samples<const EXACT: bool>(samples: &QuantizedSamples, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::quantized_samples::sample<EXACT>(samples, time, pose)) == Some(())
}

/// Samples packed poses.
#[inline]
pub fn packed_samples<const EXACT: bool>(samples: &PackedSamples, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::packed_samples::sample<EXACT>(samples, time, pose)) == Some(())
}

/// Samples windows of curves.
#[inline]
pub fn curve_windows<const EXACT: bool>(windows: &CurveWindows, time: Time, pose: &mut LocalPose) -> bool {
    wide!(loops::curve_windows::sample<EXACT>(windows, time, pose)) == Some(())
}
