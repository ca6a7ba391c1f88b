//! Layers: a clip whose keys change another one where they are, by a weight. The result has all keys of the source that the layer doesn't
//! reach, so nothing is added when it is sampled.
//!
//! The keys of an adding layer are the rest pose and the difference, so that the layer looks like itself when it is opened; those of a
//! replacing one are poses.

use std::collections::BTreeSet;

use glam::{Quat, Vec4, Vec4Swizzles};

use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::key::{BoneIndex, Channel, Ease, Key};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::clip_notes::{ClipLayer, LayerBlend};
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// The source with a layer over it: with keys at all frames for the channels that the layer keys.
pub fn layered(source: &Clip, layer: &Clip, how: ClipLayer, skeleton: &Skeleton) -> Clip {
    let mut tracks = Track::keyed(source, |_| true);
    if !how.is_muted {
        for over in layer_tracks(source, layer, skeleton) {
            let at = tracks.iter().position(|track| (track.bone, track.channel) == (over.bone, over.channel));
            let under = at.map(|at| tracks.swap_remove(at));
            tracks.push(mixed(source, under.as_ref(), &over, how, skeleton));
        }
    }
    Clip { delays: source.delays.clone(), ..source.with_tracks(tracks) }
}

/// The layers of a clip, the last one first, each with the clip that it is a layer of; and the clip under all of them.
pub fn layers_of(model: &Model, clip: ClipId) -> (Vec<(ClipId, ClipLayer)>, ClipId) {
    let mut layers = Vec::new();
    let mut under = clip;
    // Malformed files may contain cycles.
    while let Some(derived) = model.derived(under).filter(|_| layers.len() < model.clips.len()) {
        let Some(layer) = derived.how.layer() else { break };
        layers.push((under, layer));
        under = derived.source;
    }
    (layers, under)
}

/// The tracks of a layer, as long as its source.
fn layer_tracks(source: &Clip, layer: &Clip, skeleton: &Skeleton) -> Vec<Track> {
    let length = source.length();
    let mut tracks = Track::all_of(layer);
    for track in &mut tracks {
        track.keys.retain(|(time, _)| *time <= length);
        track.seam = (source.loop_mode == LoopMode::Loop).then_some(length);
    }
    let scalars = skeleton.scalars().len();
    tracks.retain(|track| {
        let is_here =
            track.channel.scalar().map_or(usize::from(track.bone) < skeleton.len(), |at| usize::from(at) < scalars);
        is_here && !track.keys.is_empty()
    });
    tracks
}

fn mixed(source: &Clip, under: Option<&Track>, over: &Track, how: ClipLayer, skeleton: &Skeleton) -> Track {
    let (bone, channel) = (over.bone, over.channel);
    let rest = skeleton.rest_pose().value(bone, channel);
    let (length, rate) = (source.length(), source.frame_rate);
    let is_open = source.loop_mode == LoopMode::Loop && length > Time::ZERO;
    let frames = (0..=rate.nearest_frame(length).max(0)).map(|frame| rate.time_of(frame));
    let frames = frames.filter(|time| if is_open { *time < length } else { *time <= length });
    let of = |track: &Track| track.keys.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    let times: BTreeSet<Time> = frames.chain(under.map(of).unwrap_or_default()).chain(of(over)).collect();
    let mut before: Option<Vec4> = None;
    let key = |time: Time| {
        let base = under.map_or(rest, |track| track.sample(time));
        let mut value = with_layer(channel, base, rest, over.sample(time), how);
        if channel == Channel::Rotation && before.is_some_and(|before| before.dot(value) < 0.0) {
            value = -value;
        }
        before = Some(value);
        let holds = under.is_none_or(|track| holds(track, time)) && holds(over, time);
        let ease = if holds { Ease::Step } else { Ease::Linear };
        (time, Key { ease, ..Key::new(bone, channel, value) })
    };
    Track { bone, channel, keys: times.into_iter().map(key).collect(), seam: over.seam }
}

/// Whether a track has one value until its next key.
fn holds(track: &Track, time: Time) -> bool {
    let at = track.keys.partition_point(|(start, _)| *start <= time);
    track.keys.get(at.saturating_sub(1)).is_some_and(|(_, key)| key.ease.jumps())
}

/// The value with a layer over it.
fn with_layer(channel: Channel, base: Vec4, rest: Vec4, over: Vec4, how: ClipLayer) -> Vec4 {
    let weight = how.weight();
    match (channel, how.blend) {
        (Channel::Rotation, LayerBlend::Add) => turned(base, turn(rest, over, weight)),
        (Channel::Rotation, LayerBlend::Replace) => turned(base, turn(base, over, weight)),
        (Channel::Scale, LayerBlend::Add) => base * (Vec4::ONE + (ratio(over, rest) - 1.0) * weight),
        (Channel::Translation | Channel::Scalar(_), LayerBlend::Add) => base + (over - rest) * weight,
        (_, LayerBlend::Replace) => base + (over - base) * weight,
    }
}

/// The value of the layer with which `base` becomes `wanted`.
fn layer_value(channel: Channel, base: Vec4, rest: Vec4, wanted: Vec4, how: ClipLayer) -> Vec4 {
    let weight = how.weight().recip();
    match (channel, how.blend) {
        (Channel::Rotation, LayerBlend::Add) => turned(rest, turn(base, wanted, weight)),
        (Channel::Rotation, LayerBlend::Replace) => turned(base, turn(base, wanted, weight)),
        (Channel::Scale, LayerBlend::Add) => rest * (Vec4::ONE + (ratio(wanted, base) - 1.0) * weight),
        (Channel::Translation | Channel::Scalar(_), LayerBlend::Add) => rest + (wanted - base) * weight,
        (_, LayerBlend::Replace) => base + (wanted - base) * weight,
    }
}

/// The key of a layer with which its result has a value at a time.
pub fn key_of(source: &Clip, how: ClipLayer, skeleton: &Skeleton, time: Time, wanted: &Key) -> Key {
    let (bone, channel): (BoneIndex, Channel) = wanted.address();
    let rest = skeleton.rest_pose().value(bone, channel);
    let base = Track::of_keys(source, bone, channel).map_or(rest, |track| track.sample(time.min(source.length())));
    Key { value: layer_value(channel, base, rest, wanted.value, how), ..*wanted }
}

/// The part of the rotation from one to another, in the space of the first.
fn turn(from: Vec4, to: Vec4, part: f32) -> Quat {
    let turn = (Quat::from_vec4(from).inverse() * Quat::from_vec4(to)).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = Vec4::from(turn).xyz();
    let angle = 2.0 * f32::atan2(axis.length(), turn.w);
    axis.try_normalize().map_or(Quat::IDENTITY, |axis| Quat::from_axis_angle(axis, angle * part))
}

fn turned(base: Vec4, by: Quat) -> Vec4 {
    (Quat::from_vec4(base) * by).normalize().into()
}

/// 1 for an axis without extent.
fn ratio(of: Vec4, to: Vec4) -> Vec4 {
    let ratio = of / to;
    Vec4::select(ratio.is_finite_mask(), ratio, Vec4::ONE)
}
