//! The difference between a baked clip and the keys of its clip. A stored bake may have the right checksums and other content.

use crate::anim::bake::BakedClip;
use crate::anim::bake::form::Form;
use crate::anim::bake::measure::Reach;
use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The largest difference of two forms of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The distance in model space, as a fraction of the model's size. Infinite if a number is not finite.
    pub largest: f32,
    /// The time of the clip at which it is.
    pub at: Time,
}

/// How many bones are posed in all: equal keyframes take next to no bytes in a file. 67 bones with 60 keys a second reach it after 27 minutes.
const MAX_POSED: usize = 20_000_000;
/// How many bones are posed for any clip, and for each of its keys: every time of most clips, and not all bones of a large skeleton
/// for each key of a single one.
const MIN_POSED: usize = 1 << 17;
const POSED_PER_KEY: usize = 64;
/// Times that are compared for the largest skeleton.
const MIN_TIMES: usize = 48;

/// Samples both between all neighbouring keys and samples of the whole clip, and measures the distance of vertices that `reach` knows; if that is too much for the
/// number of its keys or more than 20 million bones, between some of them, evenly spread. Takes time in proportion to the keys.
pub fn difference(baked: &BakedClip, clip: &Clip, skeleton: &Skeleton, reach: &Reach) -> Difference {
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| usize::from(track.bone) < skeleton.len());
    let rest = skeleton.rest_pose();
    let (mut local, mut exact, mut stored) = (skeleton.rest_pose(), ModelPose::default(), ModelPose::default());
    let mut difference = Difference { largest: 0.0, at: Time::ZERO };
    let keys: usize = tracks.iter().map(|track| track.keys.len()).sum();
    let posed = keys.saturating_mul(POSED_PER_KEY).saturating_add(MIN_POSED).min(MAX_POSED);
    for at in times(baked, clip, posed / skeleton.len().max(1)) {
        local.clone_from(&rest);
        for track in &tracks {
            local.put(track.bone, track.channel, track.sample(at));
        }
        exact.compute(skeleton, &local);
        baked.sample(at, &mut local);
        stored.compute(skeleton, &local);
        let apart = reach.distance(&exact, &stored) / reach.model_size;
        let apart = if apart.is_finite() { apart } else { f32::INFINITY };
        if apart > difference.largest {
            difference = Difference { largest: apart, at };
        }
    }
    difference
}

/// Three times between each two neighbours: a keyframe without keys is none, so that the time is in proportion to the keys. At the keys
/// themselves a jump has two values.
fn times(baked: &BakedClip, clip: &Clip, most: usize) -> Vec<Time> {
    let stored = match baked.form() {
        Form::SampledPoses(form) => &form.timeline.times[..],
        Form::PackedSamples(form) => &form.layout().timeline.times,
        Form::QuantizedSamples(form) => &form.layout().timeline.times,
        // The keys are at the times of the keyframes.
        Form::SparseTracks(_) | Form::CurveWindows(_) => &[][..],
    };
    let keyed = clip
        .starts()
        .zip(clip.keyframes.iter())
        .filter(|(_, keyframe)| !keyframe.keys.is_empty())
        .map(|(start, _)| start);
    let mut marks: Vec<Time> = keyed.chain(stored.iter().copied()).chain([Time::ZERO, baked.length]).collect();
    marks.retain(|time| (Time::ZERO..=baked.length).contains(time));
    marks.sort_unstable();
    marks.dedup();
    let between = |pair: &[Time]| {
        let (start, length) = (pair[0].0, pair[1].0 - pair[0].0);
        [1, 4, 7].map(|eighths| Time(start + length / 8 * eighths))
    };
    let step = (3 * marks.len()).div_ceil(most.max(MIN_TIMES)).max(1);
    let mut times: Vec<Time> = marks.windows(2).step_by(step).flat_map(between).collect();
    if times.is_empty() {
        times.push(Time::ZERO);
    }
    times
}
