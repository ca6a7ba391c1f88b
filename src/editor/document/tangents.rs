//! Automatic, flat and linear tangents of all keys of a clip, set after each edit of it. Free and broken ones stay.

use glam::Vec4;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::curve::auto_tangent;
use crate::anim::key::{Channel, Key, TangentKind};
use crate::anim::time::Time;

/// A key's value and its distance in seconds.
type Neighbour = Option<(Vec4, f32)>;

/// Sets the tangents of every key whose kind is not free or broken.
pub fn resolve(clip: &mut Clip) {
    let (length, loops) = (clip.length(), clip.loop_mode == LoopMode::Loop);
    let starts: Vec<Time> = clip.starts().collect();
    let mut tracks: Vec<_> = (clip.keyframes.iter().enumerate())
        .flat_map(|(keyframe, column)| {
            column.keys.iter().enumerate().map(move |(at, key)| (key.address(), keyframe, at))
        })
        .collect();
    tracks.sort_unstable();
    for track in tracks.chunk_by(|a, b| a.0 == b.0) {
        let key = |at: usize| (starts[track[at].1], clip.keyframes[track[at].1].keys[track[at].2]);
        let keys: Vec<(Time, Key)> = (0..track.len()).map(key).collect();
        for (at, &(_, keyframe, place)) in track.iter().enumerate() {
            let (before, after) = neighbours(&keys, at, loops.then_some(length));
            set(&mut clip.keyframes[keyframe].keys[place], before, after);
        }
    }
}

/// The keys before and after one, across the seam where the clip loops.
fn neighbours(keys: &[(Time, Key)], at: usize, seam: Option<Time>) -> (Neighbour, Neighbour) {
    let (time, key) = &keys[at];
    let towards = |other: &(Time, Key), distance: Time| {
        let value = other.1.value;
        let is_far = key.channel == Channel::Rotation && value.dot(key.value) < 0.0;
        (distance > Time::ZERO).then(|| (if is_far { -value } else { value }, distance.secs() as f32))
    };
    let (first, last) = (&keys[0], &keys[keys.len() - 1]);
    let before = match at.checked_sub(1) {
        Some(before) => towards(&keys[before], *time - keys[before].0),
        None => seam.and_then(|length| towards(last, *time + length - last.0)),
    };
    let after = match keys.get(at + 1) {
        Some(after) => towards(after, after.0 - *time),
        None => seam.and_then(|length| towards(first, first.0 + length - *time)),
    };
    (before, after)
}

fn set(key: &mut Key, before: Neighbour, after: Neighbour) {
    let slope = |neighbour: Neighbour, sign: f32| match neighbour {
        Some((value, secs)) if secs > 0.0 => (value - key.value) * (sign / secs),
        _ => Vec4::ZERO,
    };
    let (into, out) = match key.tangents {
        TangentKind::Auto => {
            let tangent = match (before, after) {
                (Some(before), Some(after)) => auto_tangent(before, key.value, after),
                _ => Vec4::ZERO,
            };
            (tangent, tangent)
        }
        TangentKind::Flat => (Vec4::ZERO, Vec4::ZERO),
        TangentKind::Linear => (slope(before, -1.0), slope(after, 1.0)),
        TangentKind::Free | TangentKind::Broken => return,
    };
    if into.is_finite() && out.is_finite() {
        (key.in_tangent, key.out_tangent) = (into, out);
    }
}
