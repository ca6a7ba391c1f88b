//! Clips derived from one of the same model: mirrored, reversed, retimed, trimmed, layered. Keys become keys; only the two ends of a
//! trimmed clip and the channels of a layer are sampled. Retargeted clips are made by [`keypose_tools::retarget`].

use std::collections::BTreeSet;
use std::f32::consts::FRAC_1_SQRT_2;

use glam::{Mat4, Vec4};

use crate::editor::ops::layered::Layer;
use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::pose::sample;
use crate::editor::ops::reversed::reversed;
use keypose::anim::bake::measure::Reach;
use keypose::anim::clip::{Clip, Event, Keyframe};
use keypose::anim::curve::{free_tangents, split};
use keypose::anim::delay::Delay;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::keys::Keys;
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::model::Model;

/// Derives a clip from another one of the model. A retargeted clip is already a clip of the model.
pub fn derive(clip: &Clip, model: &Model, how: Derivation) -> Clip {
    match how {
        Derivation::Mirrored => mirrored(clip, &model.skeleton, &Pairs::of_model(model)),
        Derivation::Reversed => reversed(clip),
        Derivation::Retimed(percent) => retimed(clip, percent),
        Derivation::Trimmed(from, to) => trimmed(clip, from, to),
        Derivation::Retargeted => clip.clone(),
        Derivation::Layered(layer) => {
            Layer::new(model, clip, layer).map_or_else(|| clip.clone(), |layer| layer.result())
        }
    }
}

/// Scales the durations by a percentage. Rounds the starts, not the durations, so that errors don't add up.
fn retimed(clip: &Clip, percent: u32) -> Clip {
    let at =
        |time: Time| Time((i128::from(time.0) * i128::from(percent) / 100).min(i128::from(Time::LONGEST.0)) as i64);
    let starts: Vec<Time> = clip.starts().chain([clip.length()]).collect();
    let last = clip.keyframes.len().saturating_sub(1);
    let mut retimed = Clip { name: format!("{} retimed", clip.name), ..clip.clone() };
    let slower = 100.0 / percent as f32;
    for (place, keyframe) in retimed.keyframes.iter_mut().enumerate() {
        let min = if place == last { Time::ZERO } else { Time(1) };
        keyframe.duration = (at(starts[place + 1]) - at(starts[place])).max(min);
        for key in &mut keyframe.keys {
            (key.in_tangent, key.out_tangent) = (key.in_tangent * slower, key.out_tangent * slower);
        }
    }
    retimed.set_delays(clip.delays.iter().map(|delay| Delay { by: at(delay.by), ..*delay }).collect());
    let length = retimed.length();
    retimed.events.iter_mut().for_each(|event| event.time = at(event.time).min(length));
    retimed
}

/// A part of a clip that plays once. A cut between two keys inserts an interpolated key.
fn trimmed(clip: &Clip, from: Time, to: Time) -> Clip {
    let to = to.min(clip.length());
    let from = from.min(to);
    let tracks = Track::all_of(clip);
    // Delayed keys are at other times than the keyframes.
    let keys = Track::delayed(clip).into_iter().flat_map(|track| track.keys).map(|(time, _)| time);
    let times: BTreeSet<Time> = clip.starts().chain(keys).filter(|time| *time > from && *time < to).collect();
    let times: Vec<Time> = [from].into_iter().chain(times).chain((to > from).then_some(to)).collect();
    let mut keyframes: Vec<Keyframe> = times
        .iter()
        .zip(times[1..].iter().chain([&to]))
        .zip(clip.kinds_at(&times))
        .map(|((start, end), kind)| Keyframe { duration: *end - *start, kind, ..Keyframe::default() })
        .collect();
    for track in tracks {
        let mut keys = unrolled(&track);
        insert_key(&mut keys, None, from);
        insert_key(&mut keys, None, to);
        // Automatic tangents of keys that lose a neighbour would change.
        let inside = |(time, _): &&mut (Time, Key)| (from..=to).contains(time);
        let kept: Vec<&mut (Time, Key)> = keys.iter_mut().filter(inside).collect();
        let (count, is_loop) = (kept.len(), track.seam.is_some());
        for (at, (_, key)) in kept.into_iter().enumerate() {
            let loses_one =
                (from > Time::ZERO || is_loop) && at < 2 || (to < clip.length() || is_loop) && at + 2 >= count;
            if loses_one {
                free_tangents(key);
            }
        }
        for (time, key) in keys {
            if let Ok(place) = times.binary_search(&time) {
                keyframes[place].set(key);
            }
        }
    }
    let inside = clip.events.iter().filter(|event| event.time >= from && event.time <= to);
    let events = inside.map(|event| Event { time: event.time - from, name: event.name.clone() }).collect();
    let (name, frame_rate, root_motion) = (format!("{} trimmed", clip.name), clip.frame_rate, clip.root_motion);
    Clip { name, frame_rate, root_motion, keyframes: keyframes.into(), events, ..Clip::default() }
}

/// The keys of a track; in a loop also the last one before the start, and the first one behind the end.
fn unrolled(track: &Track) -> Vec<(Time, Key)> {
    let mut keys = track.keys.clone();
    let ends = keys.first().copied().zip(keys.last().copied()).zip(track.seam);
    if let Some((((start, first), (end, last)), length)) =
        ends.filter(|((first, last), length)| last.0 < first.0 + *length)
    {
        keys.insert(0, (end - length, last.towards(&first)));
        keys.push((start + length, first.towards(&last)));
    }
    keys
}

/// Inserts a key at a time without changing the curve, and returns its index; if there is one, nothing changes. `keys` aren't empty. A
/// loop has a seam: its length. Without one, the curve is constant before its first and after its last key.
pub fn insert_key(keys: &mut Vec<(Time, Key)>, seam: Option<Time>, time: Time) -> usize {
    let at = match keys.binary_search_by_key(&time, |(time, _)| *time) {
        Ok(at) => return at,
        Err(at) => at,
    };
    let count = keys.len();
    let around = match seam {
        Some(_) if count > 1 => Some(((at + count - 1) % count, at % count)),
        _ if at > 0 && at < count => Some((at - 1, at)),
        _ => None,
    };
    let key = if let Some((a, b)) = around {
        let length = seam.unwrap_or_default();
        let since = |from: Time, to: Time| if to < from { to - from + length } else { to - from };
        let [(from_time, mut from), (to_time, mut to)] = [keys[a], keys[b]];
        let (way, part) = (since(from_time, to_time), since(from_time, time));
        let key = split(&mut from, &mut to, way.secs() as f32, part.fraction_of(way) as f32);
        (keys[a].1, keys[b].1) = (from, to);
        key
    } else {
        let held = &mut keys[at.saturating_sub(1)].1;
        if at > 0 {
            held.ease = Ease::Linear;
        }
        Key { ease: Ease::Linear, ..*held }
    };
    keys.insert(at, (time, key));
    at
}

/// The clip with keys of all its channels at a keyframe between their others, which change no value.
pub fn keyed_at(clip: &Clip, keyframe: usize) -> Clip {
    let (mut keyed, time) = (clip.clone(), clip.start_of(keyframe));
    for mut track in Track::keyed(clip, |_| true) {
        let ends = [track.keys.first(), track.keys.last()].map(|end| end.map_or(time, |(at, _)| *at));
        if ends[0] < time && time < ends[1] {
            insert_key(&mut track.keys, None, time);
            let places = track.keys.into_iter().filter_map(|(at, key)| Some((clip.keyframe_at(at)?, key)));
            places.for_each(|(place, key)| keyed.keyframes[place].set(key));
        }
    }
    keyed
}

/// Swaps the sides. Keys keep their times, eases and handles. Bones whose partners have another parent get keys at all keyframes.
fn mirrored(clip: &Clip, skeleton: &Skeleton, pairs: &Pairs) -> Clip {
    let mut mirrored = clip.clone();
    mirrored.name = format!("{} mirrored", clip.name);
    for keyframe in mirrored.keyframes.iter_mut() {
        let mut other = Keyframe { keys: Keys::default(), ..keyframe.clone() };
        for key in &keyframe.keys {
            other.set(mirrored_key(key, skeleton, pairs));
        }
        *keyframe = other;
    }
    let delays = clip.delays.iter().map(|delay| Delay { bone: pairs.partner(delay.bone), ..*delay });
    mirrored.set_delays(delays.collect());
    let crossed: Vec<BoneIndex> = skeleton.indices().filter(|&bone| pairs.is_crossed(skeleton, bone)).collect();
    if !crossed.is_empty() {
        key_places(&mut mirrored, clip, skeleton, pairs, &crossed);
    }
    mirrored
}

/// Keys bones at the keyframes at which they aren't at rest, so that their places are those of the mirrored poses there.
fn key_places(mirrored: &mut Clip, clip: &Clip, skeleton: &Skeleton, pairs: &Pairs, bones: &[BoneIndex]) {
    let poses: Vec<LocalPose> =
        clip.starts().map(|start| pairs.mirrored_pose(skeleton, &sample(clip, skeleton, start))).collect();
    let still = 1e-6 * Reach::of(skeleton).model_size;
    for &bone in bones {
        mirrored.set_delay(bone, Time::ZERO);
        let rest = skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
        let moves = poses.iter().any(|pose| pose.get(usize::from(bone)).distance(&rest) > still);
        let mut before = rest.rotation;
        for ((keyframe, source), pose) in mirrored.keyframes.iter_mut().zip(&clip.keyframes).zip(&poses) {
            let mut place = pose.get(usize::from(bone));
            place.rotation = if place.rotation.dot(before) < 0.0 { -place.rotation } else { place.rotation };
            before = place.rotation;
            let own = source.keys.iter().find(|key| key.bone == pairs.partner(bone)).map(|key| key.ease);
            let holds = !source.keys.is_empty() && source.keys.iter().all(|key| key.ease == Ease::Step);
            let ease = own.unwrap_or(if holds { Ease::Step } else { Ease::Linear });
            for channel in Channel::ALL {
                keyframe.remove(bone, channel);
                if moves {
                    keyframe.set(Key { ease, ..Key::new(bone, channel, channel.of(&place)) });
                }
            }
        }
    }
}

/// Mirrors one channel; the bone's other channels have their rest values.
fn mirrored_key(key: &Key, skeleton: &Skeleton, pairs: &Pairs) -> Key {
    if let Channel::Scalar(scalar) = key.channel {
        let partner = pairs.scalar_partner(scalar);
        let bone = skeleton.scalar(partner).map_or(key.bone, |scalar| scalar.bone);
        return Key { bone, channel: Channel::Scalar(partner), ..*key };
    }
    let (Some(bone), true) = (skeleton.get(key.bone), pairs.has_mirror(skeleton, key.bone)) else { return *key };
    let mirrored = |value: Vec4| {
        let mut local: Transform = bone.rest;
        key.channel.put(&mut local, value);
        key.channel.of(&pairs.mirrored(skeleton, key.bone, &local))
    };
    let (value, [in_tangent, out_tangent]) =
        mirrored_slopes(key.channel, &mirrored, key.value, [key.in_tangent, key.out_tangent]);
    Key { bone: pairs.partner(key.bone), value, in_tangent, out_tangent, ..*key }
}

/// The mirrored value of a channel, and tangents there.
///
/// A position mirrors by an affine map. A rotation q becomes a·q·b, which is linear in its numbers, so that signs of neighbours that agree
/// still do; the columns are those of rotations less than a half turn from the identity, whose sign is known. A scale mirrors nearly
/// linearly.
fn mirrored_slopes(
    channel: Channel,
    mirrored: &dyn Fn(Vec4) -> Vec4,
    value: Vec4,
    tangents: [Vec4; 2],
) -> (Vec4, [Vec4; 2]) {
    if channel == Channel::Rotation {
        let identity = mirrored(Vec4::W);
        let column = |axis: Vec4| {
            let quarter = mirrored((axis + Vec4::W) * FRAC_1_SQRT_2);
            quarter * quarter.dot(identity).signum() / FRAC_1_SQRT_2 - identity
        };
        let map = Mat4::from_cols(column(Vec4::X), column(Vec4::Y), column(Vec4::Z), identity);
        return ((map * value).normalize(), tangents.map(|slope| map * slope));
    }
    let start = if channel == Channel::Scale { value } else { Vec4::ZERO };
    let step = |slope: Vec4| if channel == Channel::Scale { 0.01 / slope.length().max(1.0) } else { 1.0 };
    let slope = |slope: Vec4| (mirrored(start + slope * step(slope)) - mirrored(start)) / step(slope);
    (mirrored(value), tangents.map(|tangent| if tangent == Vec4::ZERO { tangent } else { slope(tangent) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3, Vec4, Vec4Swizzles};
    use keypose::anim::clip::LoopMode;
    use keypose::anim::key::{Ease, HandleKind};
    use keypose::anim::skeleton::Bone;
    use keypose::anim::track::Track;

    #[test]
    fn a_mirrored_clip_is_the_mirror_image_between_its_keys_too() {
        let bone = |name: &str, parent, at: Vec3, turn: Quat| Bone {
            name: name.into(),
            parent,
            rest: Transform { translation: at, rotation: turn, scale: Vec3::ONE },
        };
        let bones = vec![
            bone("root", None, Vec3::ZERO, Quat::IDENTITY),
            bone("arm.L", Some(0), Vec3::new(0.5, 1.0, 0.0), Quat::from_rotation_z(-1.2) * Quat::from_rotation_y(0.7)),
            bone("arm.R", Some(0), Vec3::new(-0.5, 1.0, 0.0), Quat::from_rotation_x(0.4)),
        ];
        let model = Model { skeleton: Skeleton::new(bones).unwrap().into(), ..Model::default() };
        let (skeleton, pairs) = (&model.skeleton, Pairs::of_model(&model));
        let turn = |at: f32| Quat::from_rotation_x(at) * Quat::from_rotation_z(1.0 - at * 2.0);
        let handles = |key: Key, slope: f32| Key {
            ease: Ease::Cubic,
            handles: HandleKind::Free,
            in_tangent: key.value.zxyw() * slope,
            out_tangent: key.value.yzxw() * -slope,
            out_length: 0.6,
            ..key
        };
        let keyframe = |at: f32| {
            let keys = vec![
                handles(Key::translation(1, Vec3::new(0.5 + at, 1.0 - at, at)), 2.0),
                handles(Key::rotation(1, turn(at)), 1.5),
                handles(Key::scale(1, Vec3::splat(1.0 + at)), 0.5),
            ];
            Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }
        };
        let clip = Clip { keyframes: [0.0, 0.8, -0.6].map(keyframe).into(), ..Clip::new("test") };
        let other = mirrored(&clip, skeleton, &pairs);
        for (track, mirror) in Track::all_of(&clip).iter().zip(Track::all_of(&other)) {
            assert_eq!((mirror.bone, mirror.channel), (2, track.channel));
            for time in (0..=60).map(|step| Time::SECOND * 3 * step / 60) {
                let mut local = skeleton.bones()[1].rest;
                track.channel.put(&mut local, track.sample(time));
                let (wanted, have) = (track.channel.of(&pairs.mirrored(skeleton, 1, &local)), mirror.sample(time));
                let off = (wanted - have).abs().max_element().min((wanted + have).abs().max_element());
                assert!(off < 1e-4, "{:?} at {time}: {wanted} {have}", track.channel);
            }
        }
    }

    fn ramp() -> Clip {
        let key = |x: f32, ease| Key { ease, ..Key::translation(0, Vec3::splat(x)) };
        let keyframe =
            |x, ease| Keyframe { duration: Time::SECOND, keys: vec![key(x, ease)].into(), ..Keyframe::default() };
        let keyframes = [keyframe(0.0, Ease::Linear), keyframe(2.0, Ease::Cubic), keyframe(-1.0, Ease::Linear)].into();
        let mut clip = Clip { keyframes, ..Clip::new("ramp") };
        clip.events = vec![Event { time: Time::SECOND, name: "step".into() }].into();
        keypose::anim::tangent::resolve_tangents(&mut clip);
        clip
    }

    #[test]
    fn a_trimmed_clip_is_the_clip_between_its_ends() {
        let clip = ramp();
        let mut short = ramp();
        // Before its first key and after its last one a channel holds, or moves across the seam.
        short.keyframes.get_mut(0).unwrap().keys = Keys::default();
        let free = |x| Key {
            ease: Ease::Cubic,
            handles: HandleKind::Free,
            in_tangent: Vec4::ONE,
            out_tangent: Vec4::splat(3.0),
            ..Key::translation(0, Vec3::splat(x))
        };
        for (at, x) in [(1, 2.0), (2, -1.0)] {
            short.keyframes.get_mut(at).unwrap().set(free(x));
        }
        let looping = Clip { loop_mode: LoopMode::Loop, ..short.clone() };
        for clip in [&clip, &short, &looping] {
            let (from, to) = (Time::from_millis(500.0), clip.length() - Time::from_millis(200.0));
            let mut part = trimmed(clip, from, to);
            keypose::anim::tangent::resolve_tangents(&mut part);
            assert_eq!(part.check(), Ok(()));
            assert_eq!((part.length(), part.events[0].time), (to - from, Time::SECOND - from));
            let track = |clip: &Clip| Track::all_of(clip).remove(0);
            for part_of_length in 0..=1000 {
                let time = (to - from) * part_of_length / 1000;
                let (there, here) = (track(clip).sample(from + time), track(&part).sample(time));
                assert!((there - here).abs().max_element() < 1e-4, "{part_of_length}: {there} {here}");
            }
        }
        assert_eq!(trimmed(&clip, Time::SECOND * 9, Time::SECOND * 10).check(), Ok(()));
    }

    #[test]
    fn a_retimed_clip_is_the_clip_at_another_pace() {
        let clip = ramp();
        for percent in [1, 33, 50, 100, 250] {
            let other = retimed(&clip, percent);
            assert_eq!(other.check(), Ok(()));
            let track = |clip: &Clip| Track::all_of(clip).remove(0);
            for step in 0..=60 {
                let time = Time::SECOND * 3 * step / 60;
                let there = track(&clip).sample(time);
                let here = track(&other).sample(time * i64::from(percent) / 100);
                assert!((there - here).abs().max_element() < 1e-3, "{percent} % {step}: {there} {here}");
            }
        }
    }
}
