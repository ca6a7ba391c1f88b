//! Where a loop closes: whether it comes back to the pose that it began with, and at the speed that it began with.

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::ModelPose;
use crate::anim::time::Time;
use crate::assets::clip_check::{Finding, Kind, Sampler, Severity, Subject, frame};
use crate::assets::gait;

/// The part of the model's height by which the ends may lie apart.
const MAX_APART: f32 = 1e-3;
/// The change of speed at the seam that is never worth a word, in heights of the model a second.
const QUIET: f32 = 0.6;
/// How many times the largest change of speed elsewhere in the clip the seam's may be.
const MAX_TIMES: f32 = 2.0;
/// Most keyframes whose changes of speed are held against the seam's.
const MAX_KEYFRAMES: usize = 48;

pub fn check(subject: &Subject, clip: &Clip, sampler: &Sampler, found: &mut Vec<Finding>) {
    let length = clip.length();
    if clip.loop_mode != LoopMode::Loop || length <= Time::ZERO {
        return;
    }
    if !jump(subject, clip, sampler, found) {
        speed(subject, clip, sampler, found);
    }
}

/// A closing keyframe of no duration that is another pose than the first; true where it is.
fn jump(subject: &Subject, clip: &Clip, sampler: &Sampler, found: &mut Vec<Finding>) -> bool {
    let (Some(last), length) = (clip.keyframes.last(), clip.length()) else { return false };
    if last.duration > Time::ZERO {
        return false;
    }
    let poses = |time: Time, pose: &mut _| sampler.local(time, pose);
    let drift = gait::walking_from(&subject.skeleton, (length, &poses), &subject.bones, subject.height).drift;
    let (start, end) = (sampler.model(subject, Time::ZERO), sampler.model(subject, length));
    let apart = |&bone: &usize| {
        let way = end.bones[bone].translation() - drift - start.bones[bone].translation();
        (way.length(), bone)
    };
    let farthest = subject.bones.iter().map(apart).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((figure, bone)) = farthest.filter(|(figure, _)| *figure > MAX_APART * subject.height) else {
        return false;
    };
    let text = format!("the loop jumps at its seam: {} by {figure:.3}", subject.name(bone));
    found.push(Finding {
        kind: Kind::SeamJump,
        grade: Severity::Warning,
        bone: Some(bone as u16),
        time: length,
        figure,
        text,
        advice: "Give the last keyframe a duration: it is the way back to the first. Or copy the first pose to it.",
    });
    true
}

/// A bone whose speed breaks at the seam as it does at no keyframe of the clip.
fn speed(subject: &Subject, clip: &Clip, sampler: &Sampler, found: &mut Vec<Finding>) {
    let length = clip.length();
    let step = Time(clip.frame_rate.frame().0 / 4);
    if clip.keyframes.len() < 3 || step <= Time::ZERO || length < step * 8 {
        return;
    }
    let pose = |time: Time| sampler.model(subject, time);
    let breaks = |at: [ModelPose; 3], after: ModelPose| {
        // Two poses that end at the moment, and two that begin there.
        let [before, until, from] = at;
        let change = |&bone: &usize| {
            let place = |pose: &ModelPose| pose.bones[bone].translation();
            let speed_in = place(&until) - place(&before);
            let speed_out = place(&after) - place(&from);
            ((speed_out - speed_in).length() / step.secs() as f32, bone)
        };
        subject.bones.iter().map(change).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let (figure, bone) = breaks([pose(length - step), pose(length), pose(Time::ZERO)], pose(step));
    if figure < QUIET * subject.height {
        return;
    }
    let inner: Vec<Time> = clip.starts().filter(|&start| start >= step && start <= length - step).collect();
    let stride = inner.len().div_ceil(MAX_KEYFRAMES).max(1);
    let elsewhere =
        inner.iter().step_by(stride).map(|&at| breaks([pose(at - step), pose(at), pose(at)], pose(at + step)).0);
    if figure <= MAX_TIMES * elsewhere.fold(0.0, f32::max) {
        return;
    }
    let text = format!(
        "{} breaks its speed at the seam, frame {}: by {figure:.2} a second",
        subject.name(bone),
        frame(clip, length)
    );
    found.push(Finding {
        kind: Kind::SeamSpeed,
        grade: Severity::Warning,
        bone: Some(bone as u16),
        time: Time::ZERO,
        figure,
        text,
        advice: "Set the last duration to the pace of the others, and the keys at both ends to automatic tangents.",
    });
}
