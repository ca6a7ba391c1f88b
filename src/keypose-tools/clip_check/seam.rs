//! Checks the seam of a loop: whether it ends in the pose and with the speed that it begins with.

use glam::Vec3;

use crate::anim::clip::LoopMode;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::root_motion::{Anchor, Motion, RootMotion, take_back};
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::clip_check::{Finding, Kind, Samples, Severity, frame};

/// The maximum distance of both ends, in heights of the model.
const MAX_APART: f32 = 1e-3;
/// A smaller change of speed at the seam is never reported, in heights of the model per second.
const QUIET: f32 = 0.6;
/// The maximum ratio of the change of speed at the seam to the largest one elsewhere in the clip.
const MAX_RATIO: f32 = 2.0;
/// The maximum number of keyframes whose changes of speed are compared with the seam.
const MAX_KEYFRAMES: usize = 48;

pub fn check(samples: &Samples<'_>, found: &mut Vec<Finding>) {
    let is_loop = samples.clip.loop_mode == LoopMode::Loop && samples.clip.length() > Time::ZERO;
    if is_loop && !jump(samples, found) {
        speed(samples, found);
    }
}

/// Reports a closing keyframe without duration whose pose differs from the first. Returns whether it does.
fn jump(samples: &Samples<'_>, found: &mut Vec<Finding>) -> bool {
    let Samples { subject, clip, exact, gait, .. } = samples;
    let (Some(last), length) = (clip.keyframes.last(), clip.length()) else { return false };
    if last.duration > Time::ZERO {
        return false;
    }
    let skeleton = &subject.skeleton;
    let [first, mut last] = [Time::ZERO, length].map(|time| {
        let mut pose = LocalPose::default();
        exact.local(time, &mut pose);
        pose
    });
    // The way of root motion moves the character.
    take_back(skeleton, clip.root_motion, &first, &mut last);
    let drift = match clip.root_motion {
        RootMotion::None => gait.drift,
        RootMotion::Ground | RootMotion::Height | RootMotion::Turn => Vec3::ZERO,
    };
    let [start, end] = [&first, &last].map(|pose| {
        let mut model = ModelPose::default();
        model.compute(skeleton, pose);
        model
    });
    let apart = |&bone: &usize| {
        let offset = end.bones[bone].translation() - drift - start.bones[bone].translation();
        (offset.length(), bone)
    };
    let farthest = subject.bones.iter().map(apart).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((figure, bone)) = farthest.filter(|(figure, _)| *figure > MAX_APART * subject.height) else {
        return false;
    };
    let text = format!("the loop jumps at its seam: {} by {}", subject.name(bone), subject.length_text(figure));
    found.push(Finding {
        kind: Kind::SeamJump,
        grade: Severity::Warning,
        bone: Some(bone as u16),
        time: length,
        figure,
        text,
        advice: "Give the last keyframe a duration, in which it blends to the first. Or copy the first pose to it.",
    });
    true
}

/// Reports a bone whose speed changes more at the seam than at any keyframe of the clip.
fn speed(samples: &Samples<'_>, found: &mut Vec<Finding>) {
    let Samples { subject, clip, exact, .. } = samples;
    let length = clip.length();
    let step = Time(clip.frame_rate.frame().0 / 4);
    if clip.keyframes.len() < 3 || step <= Time::ZERO || length < step * 8 {
        return;
    }
    let pose = |time: Time| exact.model(time);
    let breaks = |at: [ModelPose; 3], after: ModelPose, back: Motion| {
        // Two poses up to the time, and two from it on.
        let [before, until, from] = at;
        let change = |&bone: &usize| {
            let place = |pose: &ModelPose| pose.bones[bone].translation();
            let speed_in = back.moved(place(&until)) - back.moved(place(&before));
            let speed_out = place(&after) - place(&from);
            ((speed_out - speed_in).length() / step.secs() as f32, bone)
        };
        subject.bones.iter().map(change).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let [start, end] = [Time::ZERO, length].map(|time| {
        let mut pose = LocalPose::default();
        exact.local(time, &mut pose);
        if pose.is_empty() { Transform::IDENTITY } else { pose.get(0) }
    });
    // A root that turns the character continues in another direction.
    let back = Anchor::at(&start, clip.root_motion).back(&end);
    let (figure, bone) = breaks([pose(length - step), pose(length), pose(Time::ZERO)], pose(step), back);
    if figure < QUIET * subject.height {
        return;
    }
    let inner: Vec<Time> = clip.starts().filter(|&start| start >= step && start <= length - step).collect();
    let stride = inner.len().div_ceil(MAX_KEYFRAMES).max(1);
    let elsewhere = inner
        .iter()
        .step_by(stride)
        .map(|&at| breaks([pose(at - step), pose(at), pose(at)], pose(at + step), Motion::NONE).0);
    if figure <= MAX_RATIO * elsewhere.fold(0.0, f32::max) {
        return;
    }
    let text = format!(
        "the speed of {} changes at the seam, frame {}, by {} per second",
        subject.name(bone),
        frame(clip, length),
        subject.length_text(figure)
    );
    found.push(Finding {
        kind: Kind::SeamSpeed,
        grade: Severity::Warning,
        bone: Some(bone as u16),
        time: Time::ZERO,
        figure,
        text,
        advice: "Adjust the last duration, and use automatic tangents for the keys at both ends.",
    });
}
