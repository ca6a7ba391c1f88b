//! The fastest baked form: poses of 32-bit numbers at sorted times, eight bones at a time. Constant channels are left
//! out.
//!
//! Sampling is one search for the stored pose before the time and one interpolation of two stored poses, so seeking
//! costs the same as playing.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::check;
use crate::anim::bake::form::{BakedForm, FormError};
use crate::anim::bake::timeline::Timeline;
use crate::anim::bake::wide;
use crate::anim::clip::LoopMode;
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::time::Time;

/// Coefficients of the correction that lets a normalized linear blend of two quaternions follow slerp. For a weight `t`
/// and a dot product 1 − x the corrected weight is t + t (t − ½) (t − 1) · x (c₀ + x (c₁ + c₂ (t − ½)²)). The first
/// term is the series of the exact correction; the others are fitted for rotations of up to 115°.
pub const SLERP_CORRECTION: [f32; 3] = [2.0 / 3.0, 0.14, 0.6];

/// The weight with which a normalized linear blend of two rotations follows slerp.
#[inline(always)]
fn corrected_weight(dot: f32, fraction: f32) -> f32 {
    let [first, second, third] = SLERP_CORRECTION;
    let (half, apart) = (fraction - 0.5, 1.0 - dot);
    let bend = apart * (first + apart * (second + third * half * half));
    fraction + fraction * half * (fraction - 1.0) * bend
}

/// Poses at sorted times.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledPoses {
    /// The time of each pose.
    pub timeline: Timeline,
    /// One set for each eight bones.
    pub animated: Vec<Channels>,
    /// The values of constant channels. Animated channels are overwritten.
    pub constant: LocalPose,
    /// Pose by pose the animated channels of each eight bones, in the order of [`TransformLanes::components`].
    /// Rotations of neighbouring poses are in one hemisphere.
    pub lanes: Vec<Lanes>,
    /// Lanes per pose.
    pub stride: usize,
}

/// Two neighbouring poses, and the fraction of the way between them.
pub struct PosePair<'c> {
    /// The animated lanes at or before the time.
    pub from: &'c [Lanes],
    /// The animated lanes after it, or the same ones at the end.
    pub to: &'c [Lanes],
    /// In 0..1.
    pub fraction: f32,
}

impl SampledPoses {
    /// Stores the animated channels of `poses`. `poses` and `times` have the same length, at least one; times ascend;
    /// all poses have as many bones as `constant`.
    pub fn new(times: Vec<Time>, poses: &[LocalPose], animated: Vec<Channels>, constant: LocalPose) -> SampledPoses {
        let stride = stride(&animated);
        let mut lanes = Vec::with_capacity(stride * poses.len());
        for pose in poses {
            for (group, animated) in pose.lanes().iter().zip(&animated) {
                let components = group.components();
                lanes.extend(animated.components().map(|component| *components[component]));
            }
        }
        SampledPoses { timeline: Timeline::new(times), animated, constant, lanes, stride }
    }

    /// The poses before and after a time, which may be outside the clip.
    #[inline(always)]
    pub fn pair(&self, time: Time) -> PosePair<'_> {
        let (before, after, fraction) = self.timeline.pair(time);
        PosePair { from: self.stored(before), to: self.stored(after), fraction }
    }

    #[inline(always)]
    fn stored(&self, index: usize) -> &[Lanes] {
        &self.lanes[index * self.stride..(index + 1) * self.stride]
    }

    /// Copies one stored pose, which is the only way to tell apart two at the same time.
    pub fn copy_stored(&self, index: usize, pose: &mut LocalPose) {
        let lanes = self.stored(index);
        self.blend(&PosePair { from: lanes, to: lanes, fraction: 0.0 }, pose);
    }

    fn blend(&self, &PosePair { from, to, fraction }: &PosePair<'_>, pose: &mut LocalPose) {
        pose.copy_from(&self.constant);
        let mut pairs = from.iter().zip(to);
        for (group, &animated) in pose.lanes_mut().iter_mut().zip(&self.animated) {
            if animated.has(Channels::TRANSLATION) {
                blend(&mut group.translation, &mut pairs, fraction);
            }
            if animated.has(Channels::ROTATION) {
                let is_corrected = animated.has(Channels::SLERP_CORRECTED);
                blend_rotations(&mut group.rotation, &mut pairs, fraction, is_corrected);
            }
            if animated.has(Channels::SCALE) {
                blend(&mut group.scale, &mut pairs, fraction);
            }
        }
    }
}

impl BakedForm for SampledPoses {
    fn sample_count(&self) -> usize {
        self.timeline.times.len()
    }

    fn bytes(&self) -> usize {
        self.timeline.bytes()
            + size_of_val(&self.animated[..])
            + size_of_val(self.constant.lanes())
            + size_of_val(&self.lanes[..])
    }

    #[inline]
    fn sample_wide<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) -> bool {
        wide::sampled_poses::<EXACT>(self, time, pose)
    }

    fn sample_lanes(&self, time: Time, pose: &mut LocalPose) {
        self.blend(&self.pair(time), pose);
    }

    fn check(&self, bones: usize, length: Time, _: LoopMode) -> Result<(), FormError> {
        check::sampled_poses(self, bones, length)
    }
}

/// Lanes per pose for these animated channels.
pub fn stride(animated: &[Channels]) -> usize {
    animated.iter().map(|animated| animated.components().count()).sum()
}

fn blend<'c, const N: usize>(
    out: &mut [Lanes; N],
    pairs: &mut impl Iterator<Item = (&'c Lanes, &'c Lanes)>,
    fraction: f32,
) {
    for (out, (from, to)) in out.iter_mut().zip(pairs) {
        for lane in 0..8 {
            out.0[lane] = from.0[lane] + (to.0[lane] - from.0[lane]) * fraction;
        }
    }
}

/// Blends rotations and normalizes them.
fn blend_rotations<'c>(
    out: &mut [Lanes; 4],
    pairs: &mut impl Iterator<Item = (&'c Lanes, &'c Lanes)>,
    fraction: f32,
    is_corrected: bool,
) {
    if is_corrected {
        let (mut from, mut to) = ([Lanes([0.0; 8]); 4], [Lanes([0.0; 8]); 4]);
        for ((from, to), pair) in from.iter_mut().zip(&mut to).zip(pairs.take(4)) {
            (*from, *to) = (*pair.0, *pair.1);
        }
        *out = blend_corrected(&from, &to, fraction);
    } else {
        blend(out, pairs, fraction);
    }
    normalize(out);
}

/// Blends two rotations of eight bones with [`corrected_weight`]. The result is not normalized.
pub(super) fn blend_corrected(from: &[Lanes; 4], to: &[Lanes; 4], fraction: f32) -> [Lanes; 4] {
    let mut out = [Lanes([0.0; 8]); 4];
    for lane in 0..8 {
        let (a, b) = (from.each_ref().map(|part| part.0[lane]), to.each_ref().map(|part| part.0[lane]));
        let weight = corrected_weight((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]), fraction);
        for part in 0..4 {
            out[part].0[lane] = a[part] + (b[part] - a[part]) * weight;
        }
    }
    out
}

#[inline(always)]
pub(super) fn normalize([x, y, z, w]: &mut [Lanes; 4]) {
    for lane in 0..8 {
        let (a, b, c, d) = (x.0[lane], y.0[lane], z.0[lane], w.0[lane]);
        let recip = 1.0 / ((a * a + b * b) + (c * c + d * d)).sqrt();
        (x.0[lane], y.0[lane], z.0[lane], w.0[lane]) = (a * recip, b * recip, c * recip, d * recip);
    }
}

/// Blends eight bones towards `to`, as sampling between two stored poses does.
pub fn blend_group(group: &mut TransformLanes, to: &TransformLanes, fraction: f32, is_corrected: bool) {
    let from = *group;
    let mut pairs = from.components().into_iter().zip(to.components());
    blend(&mut group.translation, &mut pairs, fraction);
    blend_rotations(&mut group.rotation, &mut pairs, fraction, is_corrected);
    blend(&mut group.scale, &mut pairs, fraction);
}
