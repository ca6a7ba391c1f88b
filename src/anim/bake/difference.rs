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

/// Samples both between all neighbouring keys and samples of the whole clip, and measures the distance. Takes time in
/// proportion to their number.
pub fn difference(baked: &BakedClip, clip: &Clip, skeleton: &Skeleton) -> Difference {
    let reach = Reach::of(skeleton);
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| usize::from(track.bone) < skeleton.len());
    let rest = skeleton.rest_pose();
    let (mut local, mut exact, mut stored) = (skeleton.rest_pose(), ModelPose::default(), ModelPose::default());
    let mut difference = Difference { largest: 0.0, at: Time::ZERO };
    for at in times(baked, clip) {
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

/// Three times between each two neighbours. At the keys themselves a jump has two values.
fn times(baked: &BakedClip, clip: &Clip) -> Vec<Time> {
    let stored = match baked.form() {
        Form::SampledPoses(form) => &form.timeline.times[..],
        Form::PackedSamples(form) => &form.layout().timeline.times,
        Form::QuantizedSamples(form) => &form.layout().timeline.times,
        // Their times are those of the keyframes.
        Form::SparseTracks(_) | Form::CurveWindows(_) => &[][..],
    };
    let mut marks: Vec<Time> = clip.starts().chain(stored.iter().copied()).chain([Time::ZERO, baked.length]).collect();
    marks.retain(|time| (Time::ZERO..=baked.length).contains(time));
    marks.sort_unstable();
    marks.dedup();
    let between = |pair: &[Time]| {
        let (start, length) = (pair[0].0, pair[1].0 - pair[0].0);
        [1, 4, 7].map(|eighths| Time(start + length / 8 * eighths))
    };
    let mut times: Vec<Time> = marks.windows(2).flat_map(between).collect();
    if times.is_empty() {
        times.push(Time::ZERO);
    }
    times
}
