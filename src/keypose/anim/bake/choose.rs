//! Chooses the form of a baked clip.

use std::cell::OnceCell;

use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::Form;
use crate::anim::bake::held::Held;
use crate::anim::bake::measure::Reach;
use crate::anim::bake::pack::pack;
use crate::anim::bake::quantize::quantize;
use crate::anim::bake::refine::{Moment, Motion, Refined, add_cuts, key_times, moments};
use crate::anim::bake::sampled_poses::{SampledPoses, stride};
use crate::anim::bake::sparse_tracks::SparseTracks;
use crate::anim::bake::{BakeOptions, SampleFormat};
use crate::anim::key::Channel;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// Bytes that samples may always take: below this, being smaller gains nothing.
const FREE_BYTES: usize = 8 * 1024;
/// As [`FREE_BYTES`], per animated channel if keys line up: sparse tracks would cost time for each channel.
const FREE_BYTES_PER_CHANNEL: usize = 1024;
/// How many times the bytes of the source keys samples may take.
const MAX_GROWTH: usize = 3;

/// Packing is chosen if it saves at least one part in this many of the bytes of 16-bit numbers, since it costs time.
const MIN_SAVING: usize = 5;
/// Bytes of eight 32-bit numbers.
const F32_BYTES: usize = 32;
/// 16-bit numbers are not tried below this bound, as a fraction of the model's size.
const MIN_QUANTIZED_BOUND: f32 = 1e-5;
/// The share of the bound for the choice of sample times if the rest is needed for rounding.
const REFINED: f32 = 0.5;

/// Returns the form, and its error as a fraction of the model's size.
pub fn choose(
    tracks: &[Track],
    constant: LocalPose,
    skeleton: &Skeleton,
    reach: &Reach,
    length: Time,
    source_bytes: usize,
    options: &BakeOptions,
) -> (Form, f32) {
    let whole_bound = options.max_error * reach.model_size;
    let held = Held::of(tracks, &constant, skeleton, reach, whole_bound);
    let moving = &held.moving[..];
    let mut key_times = key_times(moving, length);
    let free_bytes = if line_up(moving, &key_times) { FREE_BYTES_PER_CHANNEL * tracks.len() } else { 0 };
    add_cuts(moving, &mut key_times);
    let max_bytes = (source_bytes * MAX_GROWTH).max(FREE_BYTES).max(free_bytes);
    let sampler = Sampler {
        tracks: moving,
        constant: &held.constant,
        skeleton,
        reach: &reach.in_clip(skeleton, moving, &held.constant),
        animated: animated(moving, skeleton.len()),
        key_times,
        moments: OnceCell::new(),
        max_bytes,
    };
    let bound = whole_bound - held.error;
    let sampled = || sampler.sample(bound, F32_BYTES).map(|(samples, error)| (Form::SampledPoses(samples), error));
    let form = match options.format {
        SampleFormat::F32 => sampled(),
        SampleFormat::Quantized => match sampler.quantize(bound) {
            Quantized::Fits(form, error) => Some((*form, error)),
            Quantized::TooCoarse => sampled(),
            // 32-bit numbers leave twice the error to the sample times, but half of the samples.
            Quantized::TooMany => None,
        },
        SampleFormat::Packed => {
            let quantized = match sampler.quantize(bound) {
                Quantized::Fits(form, error) => Some((*form, error)),
                Quantized::TooCoarse | Quantized::TooMany => None,
            };
            let most = quantized.as_ref().map_or(usize::MAX, |(form, _)| form.bytes() - form.bytes() / MIN_SAVING);
            sampler.pack(bound).filter(|(packed, _)| packed.bytes() <= most).or(quantized).or_else(sampled)
        }
    };
    match form {
        Some((form, error)) => (form, (error + held.error) / reach.model_size),
        None => (Form::SparseTracks(SparseTracks::new(tracks, constant)), 0.0),
    }
}

/// Whether channels share most of their key times, so that the curvature of the tracks determines the number of
/// samples.
fn line_up(tracks: &[&Track], key_times: &[Time]) -> bool {
    let most = tracks.iter().map(|track| track.keys.len()).max().unwrap_or(0);
    key_times.len() <= 2 * (most + 1)
}

/// The result of rounding to 16-bit numbers.
enum Quantized {
    /// The samples and their error in model units.
    Fits(Box<Form>, f32),
    /// The bound is too tight for 16 bits.
    TooCoarse,
    /// The samples would take too many bytes, or a curve is too steep for them.
    TooMany,
}

/// Samples a clip in each of the formats.
struct Sampler<'s> {
    /// The channels that move.
    tracks: &'s [&'s Track],
    constant: &'s LocalPose,
    skeleton: &'s Skeleton,
    reach: &'s Reach,
    animated: Vec<Channels>,
    key_times: Vec<Time>,
    /// Jumps and bends at the key times, found once there are few enough to sample.
    moments: OnceCell<Vec<Moment>>,
    /// Maximum size of the samples.
    max_bytes: usize,
}

impl Sampler<'_> {
    /// Samples in 16-bit numbers, if they keep the bound (model units).
    fn quantize(&self, bound: f32) -> Quantized {
        if bound < MIN_QUANTIZED_BOUND * self.reach.model_size {
            return Quantized::TooCoarse;
        }
        let Some((samples, error)) = self.sample(bound * REFINED, F32_BYTES / 2) else { return Quantized::TooMany };
        match quantize(&samples, bound - error, self.skeleton, self.reach) {
            Some((quantized, rounding)) => Quantized::Fits(Form::QuantizedSamples(quantized).into(), error + rounding),
            None => Quantized::TooCoarse,
        }
    }

    /// Packed samples and their error, if they keep the bound (model units).
    fn pack(&self, bound: f32) -> Option<(Form, f32)> {
        let (samples, error) = self.sample(bound, F32_BYTES)?;
        let (packed, rounding) = pack(&samples, bound - error, self.skeleton, self.reach)?;
        Some((Form::PackedSamples(packed), error + rounding))
    }

    /// Poses that keep a bound (model units), and their error. Returns `None` if they would take too many bytes at
    /// `bytes` per eight numbers, as they do if keys don't line up, or if a curve is too steep for samples.
    fn sample(&self, bound: f32, bytes: usize) -> Option<(SampledPoses, f32)> {
        let Sampler { tracks, constant, skeleton, reach, ref key_times, .. } = *self;
        let most = self.max_bytes / (stride(&self.animated) * bytes + size_of::<Time>());
        if key_times.len() > most {
            return None;
        }
        let moments = self.moments.get_or_init(|| moments(tracks, key_times));
        let refine = |is_slerp_corrected| {
            Motion { skeleton, reach, constant, tracks, key_times, moments, is_slerp_corrected }.samples(bound, most)
        };
        let refined = refine(false);
        // If slerps require more samples than there are keys, correcting the blend weight can avoid most of them.
        let count = |refined: &Refined| refined.times.len();
        let has_slerps = tracks
            .iter()
            .any(|track| track.channel == Channel::Rotation && track.keys.iter().any(|(_, key)| key.ease.slerps()));
        let is_dense = refined.as_ref().map_or(usize::MAX, count) > key_times.len();
        let corrected = if has_slerps && is_dense {
            refine(true).filter(|better| refined.as_ref().is_none_or(|plain| count(better) < count(plain)))
        } else {
            None
        };
        let extra = if corrected.is_some() { Channels::SLERP_CORRECTED } else { Channels::NONE };
        let refined = corrected.or(refined)?;
        let mut animated = self.animated.clone();
        for channels in animated.iter_mut().filter(|channels| channels.has(Channels::ROTATION)) {
            *channels = channels.with(extra);
        }
        Some((SampledPoses::new(refined.times, &refined.poses, animated, constant.clone()), refined.error))
    }
}

/// The animated channels of each eight bones.
fn animated(tracks: &[&Track], bones: usize) -> Vec<Channels> {
    let mut animated = vec![Channels::NONE; bones.div_ceil(8)];
    for track in tracks {
        let group = &mut animated[usize::from(track.bone) / 8];
        *group = group.with(track.channel.into());
    }
    animated
}
