//! Channels that are held at one value: those whose keys differ by so little that the model moves by much less than a bake may be
//! off. Other programs write such keys for all bones, and samples of them would take as many bytes as motion does.

use std::cell::Cell;

use glam::Vec4;

use crate::anim::bake::measure::Reach;
use crate::anim::bake::refine::{Side, key_times, poses};
use crate::anim::key::Channel;
use crate::anim::parallel;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The share of the error bound that all held channels may take.
const SHARE: f32 = 0.125;
/// The share of the error bound that one held channel may take.
const SHARE_OF_ONE: f32 = SHARE / 8.0;
/// Times at which a thread compares poses.
const BLOCK: usize = 32;

/// The animated channels of a clip without those that are held.
pub struct Held<'t> {
    /// The channels that move.
    pub moving: Vec<&'t Track>,
    /// The values of all others.
    pub constant: LocalPose,
    /// The maximum distance from the exact pose at the times of the keys, in model units.
    pub error: f32,
}

impl<'t> Held<'t> {
    /// Holds what moves the model little: by an estimate for the rest pose, then measured. `bound` is in model units; the error is
    /// at most an eighth of it.
    pub fn of(tracks: &'t [Track], constant: &LocalPose, skeleton: &Skeleton, reach: &Reach, bound: f32) -> Held<'t> {
        let (held, moving) = split(tracks, skeleton, reach, bound);
        let error = if held.is_empty() { 0.0 } else { distance(tracks, &held, constant, skeleton, reach) };
        if error > bound * SHARE {
            return Held { moving: tracks.iter().collect(), constant: constant.clone(), error: 0.0 };
        }
        let mut constant = constant.clone();
        held.iter().for_each(|track| constant.put(track.bone, track.channel, value(track)));
        Held { moving, constant, error }
    }
}

/// The value at which a channel is held.
fn value(track: &Track) -> Vec4 {
    track.sample(Time::ZERO)
}

/// The channels to hold, and the others. Tracks are sorted by bone.
fn split<'t>(tracks: &'t [Track], skeleton: &Skeleton, reach: &Reach, bound: f32) -> (Vec<&'t Track>, Vec<&'t Track>) {
    let (mut held, mut moving) = (Vec::new(), Vec::new());
    let mut of_bones = tracks.chunk_by(|a, b| a.bone == b.bone).peekable();
    // How far each bone is moved by its own held channels and by those above it.
    let mut sums: Vec<f32> = Vec::with_capacity(skeleton.len());
    for bone in skeleton.indices() {
        let mut sum = skeleton.parent(bone).map_or(0.0, |parent| sums[usize::from(parent)]);
        for track in of_bones.next_if(|tracks| tracks[0].bone == bone).unwrap_or_default() {
            let moved = reach.moved(skeleton, bone, track.channel, change(track));
            let is_held = moved <= bound * SHARE_OF_ONE && sum + moved <= bound * SHARE;
            sum += if is_held { moved } else { 0.0 };
            if is_held { &mut held } else { &mut moving }.push(track);
        }
        sums.push(sum);
    }
    (held, moving)
}

/// The largest change from the first key. Infinite with cubic keys, whose curves go beyond them.
fn change(track: &Track) -> f32 {
    let first = track.keys[0].1.value.to_array();
    let changed = |sign: f32, value: [f32; 4]| {
        let [x, y, z, w] = std::array::from_fn(|part| value[part] * sign - first[part]);
        (x * x + y * y) + (z * z + w * w)
    };
    let mut largest = 0.0_f32;
    for (_, key) in &track.keys {
        if key.ease.has_tangents() {
            return f32::INFINITY;
        }
        let value = key.value.to_array();
        let opposite = if track.channel == Channel::Rotation { changed(-1.0, value) } else { f32::INFINITY };
        largest = largest.max(changed(1.0, value).min(opposite));
    }
    largest.sqrt()
}

/// The maximum distance between the exact poses and those with held channels, at the times of all keys.
fn distance(tracks: &[Track], held: &[&Track], constant: &LocalPose, skeleton: &Skeleton, reach: &Reach) -> f32 {
    let all: Vec<&Track> = tracks.iter().collect();
    let length = all.iter().filter_map(|track| track.keys.last()).map(|(time, _)| *time).max().unwrap_or_default();
    let times = key_times(&all, length);
    let values: Vec<Vec4> = held.iter().map(|track| value(track)).collect();
    let blocks: Vec<&[Time]> = times.chunks(BLOCK).collect();
    let of_block = |block: &&[Time]| {
        let at: Vec<(Time, Side)> = block.iter().map(|&time| (time, Side::At)).collect();
        let places = vec![Cell::new(0); all.len()];
        let (mut exact, mut rough, mut worst) = (ModelPose::default(), ModelPose::default(), 0.0_f32);
        for mut pose in poses(&all, constant, &places, &at) {
            exact.compute_portable(skeleton, &pose);
            held.iter().zip(&values).for_each(|(track, value)| pose.put(track.bone, track.channel, *value));
            rough.compute_portable(skeleton, &pose);
            worst = worst.max(reach.distance(&exact, &rough));
        }
        worst
    };
    parallel::map(&blocks, size_of_val(constant.lanes()) * times.len(), of_block).into_iter().fold(0.0, f32::max)
}
