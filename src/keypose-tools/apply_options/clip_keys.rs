//! Keys of clips: samples them at a frame rate, and removes keys within a maximum error.

use std::sync::Arc;

use glam::Vec4;

use crate::anim::bake::measure::Reach;
use crate::anim::clip::{Clip, Keyframe};
use crate::anim::fit;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::parallel;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::{FrameRate, Time};
use crate::anim::track::Track;
use crate::assets::import_options::ImportOptions;
use crate::assets::model::{ClipSlot, Model};
use crate::exact_poses::ExactPoses;
use crate::lengths::length_text;

/// Key times may miss a frame by this much and are still on it.
const ON_FRAME_MILLIS: f64 = 0.1;
/// Keys that all sampled clips of a model may have.
const FREE_KEYS: usize = 1 << 19;
/// As many more for each key of the file.
const KEYS_PER_KEY: usize = 16;
/// Maximum number of times that tolerances are halved.
const HALVINGS: i32 = 12;

/// Changes the clips of a model as the options say.
pub fn change(model: &mut Model, options: &ImportOptions, findings: &mut Vec<String>) {
    if options.frame_rate.is_none() && options.max_error.is_none() {
        return;
    }
    let (skeleton, mut clips) = (model.skeleton.clone(), std::mem::take(&mut model.clips));
    let mut left = FREE_KEYS + KEYS_PER_KEY * clips.iter().map(|slot| key_count(&slot.clip)).sum::<usize>();
    if let Some(rate) = options.frame_rate {
        for slot in &mut clips {
            findings.extend(set_rate(Arc::make_mut(&mut slot.clip), rate, &mut left));
        }
    }
    let Some(max_error) = options.max_error else {
        model.clips = clips;
        return;
    };
    let bytes = clips.iter().map(|slot| slot.clip.keyframes.bytes()).sum::<usize>().saturating_mul(16);
    for (slot, line) in parallel::map(&clips, bytes, |slot| with_fewer_keys(slot, &skeleton, max_error)) {
        model.clips.push(slot);
        findings.extend(line);
    }
}

/// Samples a clip at a rate, unless its keys are on frames already. Returns a line about it.
fn set_rate(clip: &mut Clip, rate: FrameRate, left: &mut usize) -> Option<String> {
    let line = match at_rate(clip, rate, left) {
        Ok(Some(sampled)) => {
            *clip = sampled;
            format!("sampled at {} frames per second", rate.fps())
        }
        Ok(None) => {
            clip.frame_rate = rate;
            return None;
        }
        Err(reason) => reason,
    };
    Some(format!("clip {}: {line}", clip.name))
}

fn with_fewer_keys(slot: &ClipSlot, skeleton: &Skeleton, max_error: f32) -> (ClipSlot, Option<String>) {
    let reduced = reduce(&slot.clip, skeleton, max_error);
    let (kept, all) = (key_count(&reduced.clip), key_count(&slot.clip));
    if kept == all {
        return (slot.clone(), None);
    }
    let error = length_text(reduced.error);
    let line = format!("clip {}: {kept} of {all} keys kept, largest error {error}", slot.clip.name);
    (ClipSlot { id: slot.id, clip: Arc::new(reduced.clip) }, Some(line))
}

fn key_count(clip: &Clip) -> usize {
    clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum()
}

/// The clip with its keys on the frames of a rate, which are taken from those that are left; `None` if they are there already.
fn at_rate(clip: &Clip, rate: FrameRate, left: &mut usize) -> Result<Option<Clip>, String> {
    let apart = |time: Time| (rate.snap(time) - time).millis().abs();
    if clip.starts().chain([clip.length()]).all(|time| apart(time) <= ON_FRAME_MILLIS) {
        return Ok(None);
    }
    let (tracks, last) = (Track::keyed(clip, |_| true), clip.keyframes.len().saturating_sub(1));
    let end = clip.start_of(last);
    let frames = rate.nearest_frame(end).max(i64::from(end > Time::ZERO)) as usize;
    let too_long = || format!("too long to be sampled at {} frames per second", rate.fps());
    *left = left.checked_sub(frames.saturating_mul(tracks.len())).ok_or_else(too_long)?;
    let rest = clip.length() - end;
    let hold = if rest > Time::ZERO { rate.snap(rest).max(rate.frame()) } else { Time::ZERO };
    let start = |frame: usize| rate.time_of(frame as i64);
    let duration = |frame: usize| if frame == frames { hold } else { start(frame + 1) - start(frame) };
    let keyframe = |frame| Keyframe { duration: duration(frame), ..Keyframe::default() };
    let mut keyframes: Vec<Keyframe> = (0..=frames).map(keyframe).collect();
    for track in &tracks {
        for (frame, key) in sampled(track, rate, (frames, end)) {
            keyframes[frame].set(key);
        }
    }
    let mut sampled = Clip { frame_rate: rate, keyframes: keyframes.into(), ..clip.clone() };
    let length = sampled.length();
    sampled.events.iter_mut().for_each(|event| event.time = event.time.min(length));
    Ok(Some(sampled))
}

/// The keys of a track on frames: steps at the first one that shows them, a single key at the nearest one, curves on each.
fn sampled(track: &Track, rate: FrameRate, (frames, end): (usize, Time)) -> Vec<(usize, Key)> {
    let nearest = |time: Time| usize::try_from(rate.nearest_frame(time)).unwrap_or(0).min(frames);
    let is_step = track.keys.iter().all(|(_, key)| key.ease.jumps());
    if let [(time, key)] = track.keys[..] {
        return vec![(nearest(time), key)];
    }
    // The frame at or before a time, and that at or after it.
    let around = |time: Time, is_before: bool| {
        let (near, late) = (nearest(time), (rate.snap(time) - time).millis());
        match is_before {
            true => near.saturating_sub(usize::from(late > ON_FRAME_MILLIS)),
            false => (near + usize::from(late < -ON_FRAME_MILLIS)).min(frames),
        }
    };
    let ends = track.keys.first().zip(track.keys.last());
    let (first, last) = ends.map_or((0, 0), |(first, last)| (around(first.0, true), around(last.0, false)));
    if is_step {
        let held = track.keys.first().map(|(_, key)| (first, *key));
        return held.into_iter().chain(track.keys.iter().map(|(time, key)| (around(*time, false), *key))).collect();
    }
    let key = |frame: usize| {
        let time = if frame == frames { end } else { rate.time_of(frame as i64).min(end) };
        let (_, like) = track.keys[0];
        let value = track.sample(time);
        Key { ease: Ease::Linear, value, in_tangent: Vec4::ZERO, out_tangent: Vec4::ZERO, ..like }
    };
    (first..=last).map(|frame| (frame, key(frame))).collect()
}

struct Reduced {
    clip: Clip,
    /// The largest distance of a point, in model units.
    error: f32,
}

/// Removes keys so that no point of the model moves by more than `max_error`: bones add up, so tolerances shrink until the
/// measured error is small enough.
fn reduce(clip: &Clip, skeleton: &Skeleton, max_error: f32) -> Reduced {
    let reach = Reach::of(skeleton);
    let arms = arms(skeleton, reach.model_size);
    for halving in 0..HALVINGS {
        let share = max_error * 0.5_f32.powi(halving);
        let reduced = fit::reduce_clip_by(clip, |track| arms.tolerance(track, share));
        let error = distance(clip, &reduced, skeleton, &reach);
        if error <= max_error {
            return Reduced { clip: reduced, error };
        }
    }
    Reduced { clip: clip.clone(), error: 0.0 }
}

/// Lever arms of bones, which turn errors of bones into distances.
struct Arms {
    /// The distance from each bone to the farthest point that moves with it, in model units.
    lengths: Vec<f32>,
    /// The scales of parents.
    scales: Vec<f32>,
}

impl Arms {
    fn tolerance(&self, track: &Track, share: f32) -> f32 {
        let bone = usize::from(track.bone);
        let (length, scale) = (self.lengths.get(bone).copied(), self.scales.get(bone).copied());
        match track.channel {
            Channel::Translation => share / scale.unwrap_or(1.0),
            // How far a weight moves vertices is not known here: only keys that say nothing are removed.
            Channel::Scalar(_) => 0.0,
            Channel::Rotation | Channel::Scale => share / length.unwrap_or(1.0),
        }
    }
}

fn arms(skeleton: &Skeleton, model_size: f32) -> Arms {
    let rest = skeleton.rest_model_pose();
    let places: Vec<_> = rest.bones.iter().map(|bone| bone.translation()).collect();
    // A skeleton doesn't show how far a head or a hand reaches.
    let mut lengths = vec![0.1 * model_size; skeleton.len()];
    for (bone, place) in places.iter().enumerate() {
        let mut above = skeleton.bones()[bone].parent.map(usize::from);
        while let Some(at) = above {
            lengths[at] = lengths[at].max(places[at].distance(*place) + 0.1 * model_size);
            above = skeleton.bones()[at].parent.map(usize::from);
        }
    }
    Arms { lengths, scales: skeleton.parent_scales() }
}

/// The largest distance between two clips in model space, at each keyframe of the first and between them.
fn distance(a: &Clip, b: &Clip, skeleton: &Skeleton, reach: &Reach) -> f32 {
    let exact = [a, b].map(|clip| ExactPoses::new(skeleton, clip));
    let starts: Vec<Time> = a.starts().collect();
    let ends = starts.iter().skip(1).copied().chain([a.length()]);
    let times = starts.iter().zip(ends).flat_map(|(start, end)| [*start, *start + (end - *start) / 2]);
    times.map(|time| reach.distance(&exact[0].model(time), &exact[1].model(time))).fold(0.0, f32::max)
}
