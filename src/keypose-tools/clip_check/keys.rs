//! Checks the keys alone: keyframes without duration, repeated poses, rotations of the opposite sign, missing bones.

use std::collections::BTreeMap;

use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::clip_check::{Finding, Kind, Severity, Subject, frame};

/// The maximum difference of equal values.
const SAME: f32 = 1e-5;

pub fn check(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    zero_durations(clip, found);
    same_keyframes(clip, found);
    missing_bones(subject, clip, found);
    missing_scalars(subject, clip, found);
    flips(subject, clip, found);
}

fn zero_durations(clip: &Clip, found: &mut Vec<Finding>) {
    let last = clip.keyframes.len().saturating_sub(1);
    let is_zero = |(_, keyframe): &(usize, &Keyframe)| keyframe.duration <= Time::ZERO;
    // The last keyframe may have none: the end of a loop is its start, and the pose of other clips stays.
    let starts = clip.starts();
    for ((at, _), time) in
        clip.keyframes.iter().enumerate().zip(starts).filter(|(one, _)| is_zero(one) && one.0 != last)
    {
        found.push(Finding {
            kind: Kind::ZeroDuration,
            grade: Severity::Warning,
            bone: None,
            time,
            figure: 0.0,
            text: format!("keyframe {} has no duration", at + 1),
            advice: "It is never shown. Give it a duration, or delete it.",
        });
    }
}

fn same_keyframes(clip: &Clip, found: &mut Vec<Finding>) {
    let (keyframes, starts): (_, Vec<Time>) = (&clip.keyframes, clip.starts().collect());
    let mut push = |grade, at: usize, lasts: Time, text: String, advice| {
        let (kind, figure) = (Kind::SameKeyframes, lasts.secs() as f32);
        found.push(Finding { kind, grade, bone: None, time: starts[at], figure, text, advice });
    };
    let frames = |time| match frame(clip, time).as_str() {
        "1" => "1 frame".to_owned(),
        frames => format!("{frames} frames"),
    };
    let all: Vec<usize> = (0..keyframes.len()).collect();
    for run in all.chunk_by(|a, b| are_same(&keyframes[*a], &keyframes[*b])).filter(|run| run.len() > 1) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let lasts = keyframes.range(first..last).map(|keyframe| keyframe.duration).sum();
        let and = if run.len() == 2 { "and" } else { "to" };
        let text = format!("keyframes {} {and} {} are the same for {}", first + 1, last + 1, frames(lasts));
        let advice = "The pose is held. Delete all but one of them if the movement should continue.";
        push(Severity::Hint, first + 1, lasts, text, advice);
    }
    let (Some(first), Some(last)) = (keyframes.first(), keyframes.last()) else { return };
    let is_loop = clip.loop_mode == LoopMode::Loop && keyframes.len() > 2 && last.duration > Time::ZERO;
    if is_loop && are_same(last, first) {
        let text =
            format!("the loop stands still for {} at its seam: the last keyframe is the first", frames(last.duration));
        let advice = "The last duration blends to the first keyframe anyway. Delete the last keyframe.";
        push(Severity::Warning, keyframes.len() - 1, last.duration, text, advice);
    }
}

/// Whether both have the same keys with the same values. False for keyframes without keys.
fn are_same(a: &Keyframe, b: &Keyframe) -> bool {
    let is_same = |(a, b): (&Key, &Key)| a.address() == b.address() && a.channel.difference(a.value, b.value) < SAME;
    !a.keys.is_empty() && a.keys.len() == b.keys.len() && a.keys.iter().zip(&b.keys).all(is_same)
}

fn missing_bones(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    let mut missing: BTreeMap<BoneIndex, (Time, usize)> = BTreeMap::new();
    for (start, keyframe) in clip.starts().zip(&clip.keyframes) {
        for key in keyframe.keys.iter().filter(|key| usize::from(key.bone) >= subject.skeleton.len()) {
            missing.entry(key.bone).or_insert((start, 0)).1 += 1;
        }
    }
    for (bone, (time, count)) in missing {
        let keys = if count == 1 { "1 key".to_owned() } else { format!("{count} keys") };
        let text = format!("{keys} for bone {bone}, but the skeleton has {} bones", subject.skeleton.len());
        found.push(Finding {
            kind: Kind::MissingBone,
            grade: Severity::Warning,
            bone: Some(bone),
            time,
            figure: count as f32,
            text,
            advice: "They have no effect. Import the clip with its own skeleton, or delete it.",
        });
    }
}

/// Reports keys of values that the skeleton lacks.
fn missing_scalars(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    if !clip.keyframes.has_scalars() {
        return;
    }
    let scalars = subject.skeleton.scalars().len();
    for track in Track::all_of(clip) {
        let Some(scalar) = track.channel.scalar().filter(|scalar| usize::from(*scalar) >= scalars) else { continue };
        let count = track.keys.len();
        let keys = if count == 1 { "1 key".to_owned() } else { format!("{count} keys") };
        found.push(Finding {
            kind: Kind::MissingBone,
            grade: Severity::Warning,
            bone: Some(track.bone),
            time: track.keys[0].0,
            figure: count as f32,
            text: format!("{keys} for value {scalar}, but the skeleton has {scalars} values"),
            advice: "They have no effect. Delete the keys, or import the clip with its own skeleton.",
        });
    }
}

/// Reports each bone that rotates the long way, at its first flip. Only a cubic follows the signs of its keys; other keys
/// take the shorter way.
fn flips(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    let tracks = Track::keyed(clip, |_| true);
    let is_here = |track: &&Track| usize::from(track.bone) < subject.skeleton.len();
    for track in tracks.iter().filter(is_here).filter(|track| track.channel == Channel::Rotation) {
        let dot = |pair: &[(Time, Key)]| pair[0].1.value.dot(pair[1].1.value);
        let is_long = |pair: &&[(Time, Key)]| dot(pair) < -SAME && pair[0].1.ease.has_tangents();
        let Some(long) = track.keys.windows(2).find(is_long) else { continue };
        let figure = 2.0 * dot(long).clamp(-1.0, 1.0).acos().to_degrees();
        let (name, at) = (subject.name(usize::from(track.bone)), frame(clip, long[1].0));
        found.push(Finding {
            kind: Kind::Flip,
            grade: Severity::Warning,
            bone: Some(track.bone),
            time: long[1].0,
            figure,
            text: format!("{name} rotates the long way to frame {at}: {figure:.0}°"),
            advice: "The quaternion changes its sign. Pose the bone there again, or make the key before it linear.",
        });
    }
}
