//! Checks the keys alone: keyframes without duration, repeated poses, rotations of the opposite sign, missing bones.

use std::collections::BTreeMap;

use glam::Vec4;

use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::clip_check::{Finding, Kind, Severity, Subject, frame};

/// The maximum difference of equal values.
const SAME: f32 = 1e-5;

pub fn check(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    zero_durations(clip, found);
    same_keyframes(clip, found);
    missing_bones(subject, clip, found);
    flips(subject, clip, found);
}

fn zero_durations(clip: &Clip, found: &mut Vec<Finding>) {
    let last = clip.keyframes.len().saturating_sub(1);
    let is_zero = |(_, keyframe): &(usize, &Keyframe)| keyframe.duration <= Time::ZERO;
    for (at, _) in clip.keyframes.iter().enumerate().filter(is_zero) {
        // Allowed for the closing keyframe of a loop, and in a clip of one pose.
        if at == last && (clip.loop_mode == LoopMode::Loop || last == 0) {
            continue;
        }
        let (grade, advice) = match at == last {
            true => (Severity::Hint, "The pose is not held. Give it a duration to hold it."),
            false => (Severity::Warning, "It is never shown. Give it a duration, or delete it."),
        };
        let text = format!("keyframe {} has no duration", at + 1);
        found.push(Finding {
            kind: Kind::ZeroDuration,
            grade,
            bone: None,
            time: clip.start_of(at),
            figure: 0.0,
            text,
            advice,
        });
    }
}

fn same_keyframes(clip: &Clip, found: &mut Vec<Finding>) {
    let keyframes = &clip.keyframes;
    let mut push = |grade, at: usize, lasts: Time, text: String, advice| {
        let (kind, figure) = (Kind::SameKeyframes, lasts.secs() as f32);
        found.push(Finding { kind, grade, bone: None, time: clip.start_of(at), figure, text, advice });
    };
    let frames = |time| match frame(clip, time).as_str() {
        "1" => "1 frame".to_owned(),
        frames => format!("{frames} frames"),
    };
    for (at, pair) in keyframes.windows(2).enumerate().filter(|(_, pair)| are_same(&pair[0], &pair[1])) {
        let lasts = pair[0].duration;
        let text = format!("keyframes {} and {} are the same for {}", at + 1, at + 2, frames(lasts));
        push(
            Severity::Hint,
            at + 1,
            lasts,
            text,
            "The pose is held. Delete one of the two keyframes if the movement should continue.",
        );
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
    let is_same = |(a, b): (&Key, &Key)| a.address() == b.address() && distance(a, b) < SAME;
    !a.keys.is_empty() && a.keys.len() == b.keys.len() && a.keys.iter().zip(&b.keys).all(is_same)
}

/// The largest difference of the values; a rotation and its negation are equal.
fn distance(a: &Key, b: &Key) -> f32 {
    let apart = |other: Vec4| (a.value - other).abs().max_element();
    match a.channel {
        Channel::Rotation => apart(b.value).min(apart(-b.value)),
        Channel::Translation | Channel::Scale => apart(b.value),
    }
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

/// Reports each bone that rotates the long way, at its first flip; harmless flips are one finding.
fn flips(subject: &Subject, clip: &Clip, found: &mut Vec<Finding>) {
    let tracks = Track::all_of(clip);
    let is_here = |track: &&Track| usize::from(track.bone) < subject.skeleton.len();
    let mut harmless: Vec<(Time, BoneIndex, f32)> = Vec::new();
    for track in tracks.iter().filter(is_here).filter(|track| track.channel == Channel::Rotation) {
        let dot = |pair: &[(Time, Key)]| pair[0].1.value.dot(pair[1].1.value);
        let flips: Vec<&[(Time, Key)]> = track.keys.windows(2).filter(|pair| dot(pair) < -SAME).collect();
        let Some(first) = flips.first() else { continue };
        let angle = |pair: &[(Time, Key)]| 2.0 * dot(pair).clamp(-1.0, 1.0).acos().to_degrees();
        let Some(long) = flips.iter().find(|pair| pair[0].1.ease == Ease::Cubic) else {
            harmless.push((first[1].0, track.bone, angle(first)));
            continue;
        };
        let (name, at, figure) = (subject.name(usize::from(track.bone)), frame(clip, long[1].0), angle(long));
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
    let Some(&(time, bone, figure)) = harmless.iter().min_by_key(|(time, bone, _)| (*time, *bone)) else { return };
    let (name, at) = (subject.name(usize::from(bone)), frame(clip, time));
    let others = match harmless.len() - 1 {
        0 => String::new(),
        1 => ", and one more bone later".to_owned(),
        others => format!(", and {others} more bones later"),
    };
    found.push(Finding {
        kind: Kind::Flip,
        grade: Severity::Hint,
        bone: Some(bone),
        time,
        figure,
        text: format!("the rotation of {name} changes its sign at frame {at}{others}"),
        advice: "It plays correctly in Keypose. Other programs may rotate the bone the long way.",
    });
}
