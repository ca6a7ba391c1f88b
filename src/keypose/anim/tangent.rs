//! Sets the tangents of a clip's keys from their neighbours, and makes rotations point into one hemisphere.
//! [`crate::anim::curve`] has the formula of an automatic tangent.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glam::Vec4;

use crate::anim::bezier::THIRD;
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::curve::auto_tangent;
use crate::anim::key::{Channel, HandleKind, Key};
use crate::anim::nearest_keys::{Way, channels_of};
use crate::anim::seam::Seam;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;

/// The maximum difference per component at which the two ends of a loop count as the same pose.
const SAME: f32 = 1e-4;

/// A key's value and its distance in seconds, more than zero.
type Neighbour = Option<(Vec4, f32)>;

/// Sets both handles of every key of kind auto, flat or vector, with lengths of a third; aligned and free ones keep theirs. Call it
/// after any change of keys, durations or loop mode. Calling it twice changes nothing.
///
/// - *auto*: from both neighbours, flat at extremes, without overshoot; zero at an end with only one neighbour.
/// - *flat*: zero. *Vector*: towards each neighbour; zero if there is none.
/// - In a looping clip the neighbour of the last key is the first. A closing key at the end that repeats the first one
///   gets the same tangents, so that the curve is smooth across the seam. A translation that ends elsewhere continues
///   from there ([`crate::anim::seam`]).
/// - A rotation of a cubic segment is negated, together with its tangents, if it is not in the hemisphere of the one
///   before. It stays the same rotation.
///
/// ```
/// use glam::Vec3;
/// use keypose::anim::{clip::{Clip, Keyframe}, key::Key, tangent::resolve_tangents, time::Time};
///
/// let keyframe = |x| Keyframe { duration: Time::SECOND, keys: vec![Key::translation(0, Vec3::X * x)].into(), ..Keyframe::default() };
/// let mut clip = Clip { keyframes: vec![keyframe(0.0), keyframe(1.0), keyframe(2.0)].into(), ..Clip::new("slide") };
/// resolve_tangents(&mut clip);
/// assert_eq!(clip.keyframes[1].keys[0].out_tangent.x, 1.0);
/// ```
pub fn resolve_tangents(clip: &mut Clip) {
    let channels = channels_of(&clip.keyframes);
    resolve_channels(clip, channels);
}

/// As [`resolve_tangents`] after a change of a clip whose tangents were resolved: only the keys around the change get new tangents.
/// The result is the same.
pub fn resolve_changed(clip: &mut Clip, before: &Clip) {
    let changed = clip.keyframes.changed_since(&before.keyframes);
    let secs =
        |clip: &Clip, range: &Range<usize>| -> Time { clip.keyframes.range(range.clone()).map(|it| it.duration).sum() };
    let [old, new] = &changed;
    if Seam::of(clip) != Seam::of(before) || secs(before, old) != secs(clip, new) {
        // Keys around the change are at other distances, or the root turns by another angle.
        return resolve_tangents(clip);
    }
    let keys_of = |clip: &Clip, range: &Range<usize>| -> Vec<(BoneIndex, Channel)> {
        clip.keyframes.range(range.clone()).flat_map(|it| it.keys.iter().map(Key::address)).collect()
    };
    let mut channels = keys_of(before, old);
    channels.extend(keys_of(clip, new));
    resolve_around(clip, channels, new);
}

/// As [`resolve_changed`], if no keys of other channels have other neighbours than before, except across the seam of a loop.
pub fn resolve_changed_channels(clip: &mut Clip, before: &Clip, channels: Vec<(BoneIndex, Channel)>) {
    if Seam::of(clip) != Seam::of(before) {
        return resolve_tangents(clip);
    }
    let [_, changed] = clip.keyframes.changed_since(&before.keyframes);
    resolve_around(clip, channels, &changed);
}

/// Resolves channels around keyframes that changed.
fn resolve_around(clip: &mut Clip, mut channels: Vec<(BoneIndex, Channel)>, changed: &Range<usize>) {
    channels.sort_unstable();
    channels.dedup();
    let places = around(clip, &channels, changed);
    let used: BTreeSet<usize> =
        places.iter().flat_map(|it| it.list.iter().chain(&it.ends)).map(|place| place.0).collect();
    let starts: BTreeMap<usize, Time> = used.into_iter().map(|at| (at, clip.start_of(at))).collect();
    let far: Vec<_> = (places.into_iter().zip(&channels))
        .filter(|(places, _)| !resolve_places(clip, &starts, places))
        .map(|(_, channel)| *channel)
        .collect();
    if !far.is_empty() {
        resolve_channels(clip, far);
    }
}

/// A keyframe, and the index of a key in it.
type Place = (usize, usize);

/// Keys of a channel around a change: two before it, all in it, and two after it.
struct Places {
    list: Vec<Place>,
    /// How many are before the change, and after it.
    outside: [usize; 2],
    /// The first two keys of the channel, and the last two, if it has an end near the change: across the seam of a loop, they are near it.
    ends: Vec<Place>,
}

/// The keys of channels around keyframes. Channels are sorted.
fn around(clip: &Clip, channels: &[(BoneIndex, Channel)], changed: &Range<usize>) -> Vec<Places> {
    let count = clip.keyframes.len();
    let found = |way: Way, most: usize, channels: &[(BoneIndex, Channel)]| {
        let mut places = vec![Vec::new(); channels.len()];
        clip.keyframes.nearest_keys(way, most, channels, |channel, at, key| places[channel].push((at, key)));
        places
    };
    let before = found(Way::Back(0..changed.start), 2, channels);
    let after = found(Way::Forth(changed.end..count), 2, channels);
    let inside = found(Way::Forth(changed.clone()), usize::MAX, channels);
    let mut places: Vec<Places> = (before.into_iter().zip(after).zip(inside))
        .map(|((mut before, after), inside)| {
            before.reverse();
            let outside = [before.len(), after.len()];
            Places { list: before.into_iter().chain(inside).chain(after).collect(), outside, ends: Vec::new() }
        })
        .collect();
    if clip.loop_mode == LoopMode::Loop {
        let (at_ends, ends): (Vec<_>, Vec<_>) = places
            .iter_mut()
            .zip(channels)
            .filter(|(places, _)| places.outside.contains(&0) || places.outside.contains(&1))
            .unzip();
        let (first, last) = (found(Way::Forth(0..count), 2, &ends), found(Way::Back(0..count), 2, &ends));
        for ((places, first), last) in at_ends.into_iter().zip(first).zip(last) {
            places.ends = first.into_iter().chain(last.into_iter().rev()).collect();
        }
    }
    places
}

/// Sets the tangents of keys around a change. Returns false if it reaches further, because rotations behind it change their sign.
fn resolve_places(clip: &mut Clip, starts: &BTreeMap<usize, Time>, places: &Places) -> bool {
    let timed = |&(keyframe, at): &Place| (starts[&keyframe], clip.keyframes[keyframe].keys[at]);
    let mut near: Vec<(Time, Key)> = places.list.iter().map(timed).collect();
    let [before, after] = places.outside;
    let furthest = if after == 2 { near.last().copied() } else { None };
    bring_together(&mut near);
    if furthest.is_some_and(|(_, key)| near.last().is_some_and(|(_, now)| now.value != key.value)) {
        return false;
    }
    // The keys in order, and whether both neighbours of each are known.
    let mut all: Vec<(Place, (Time, Key), bool)> = Vec::with_capacity(near.len() + places.ends.len());
    for (number, (place, key)) in places.list.iter().zip(near).enumerate() {
        let is_context = (number == 0 && before == 2) || (number + 1 == places.list.len() && after == 2);
        all.push((*place, key, !is_context));
    }
    for (number, place) in places.ends.iter().enumerate() {
        let is_outermost = number == 0 || number + 1 == places.ends.len();
        match all.binary_search_by_key(place, |(place, ..)| *place) {
            Ok(at) => all[at].2 |= is_outermost,
            Err(at) => all.insert(at, (*place, timed(place), is_outermost)),
        }
    }
    let mut keys: Vec<(Time, Key)> = all.iter().map(|(_, key, _)| *key).collect();
    let seam = Seam::of(clip).filter(|_| !places.ends.is_empty());
    set_tangents(&mut keys, seam);
    for (((keyframe, at), _, is_known), (_, key)) in all.into_iter().zip(keys) {
        if is_known && clip.keyframes[keyframe].keys[at] != key {
            clip.keyframes[keyframe].keys[at] = key;
        }
    }
    true
}

/// Resolves the tangents of some channels.
pub fn resolve_channels(clip: &mut Clip, mut channels: Vec<(BoneIndex, Channel)>) {
    channels.sort_unstable();
    channels.dedup();
    let seam = Seam::of(clip);
    let mut places: Vec<Vec<Place>> = vec![Vec::new(); channels.len()];
    let mut keys: Vec<Vec<(Time, Key)>> = vec![Vec::new(); channels.len()];
    for ((at, keyframe), start) in clip.keyframes.iter().enumerate().zip(clip.starts()) {
        keyframe.find_channels(&channels, |channel, key| {
            places[channel].push((at, key));
            keys[channel].push((start, keyframe.keys[key]));
        });
    }
    for (places, mut keys) in places.into_iter().zip(keys) {
        let before = keys.clone();
        resolve(&mut keys, seam);
        for ((keyframe, at), ((_, before), (_, key))) in places.into_iter().zip(before.into_iter().zip(keys)) {
            // Keyframes without a change stay shared with other states of the clip.
            if before != key {
                clip.keyframes[keyframe].keys[at] = key;
            }
        }
    }
}

/// Resolves the tangents of the keys of one channel, sorted by time; with a seam if the clip loops.
pub fn resolve(keys: &mut [(Time, Key)], seam: Option<Seam>) {
    bring_together(keys);
    set_tangents(keys, seam);
}

fn set_tangents(keys: &mut [(Time, Key)], seam: Option<Seam>) {
    for at in 0..keys.len() {
        let (before, after) = neighbours(keys, at, seam);
        set(&mut keys[at].1, before, after);
    }
}

/// Negates rotations so that no cubic segment takes the long way.
fn bring_together(keys: &mut [(Time, Key)]) {
    for at in 1..keys.len() {
        let before = keys[at - 1].1;
        let key = &mut keys[at].1;
        let is_cubic = key.channel == Channel::Rotation && before.ease.has_tangents();
        if is_cubic && before.value.dot(key.value) < 0.0 {
            *key = key.negated();
        }
    }
}

/// The keys before and after a key, across the seam if the clip loops.
fn neighbours(keys: &[(Time, Key)], at: usize, seam: Option<Seam>) -> (Neighbour, Neighbour) {
    let (time, key) = keys[at];
    // With keys at both ends, a round begins where the one before ended.
    let whole = seam.filter(|seam| keys.len() > 1 && keys[keys.len() - 1].0 - keys[0].0 == seam.length);
    let ends = [keys[0].1.value, keys[keys.len() - 1].1.value];
    // How many loops the neighbour is ahead of the key: -1, 0 or 1.
    let towards = |other: usize, loops: i64| {
        let (other_time, other) = keys[other];
        let distance = other_time + seam.map_or(Time::ZERO, |seam| seam.length) * loops - time;
        let secs = distance.secs().abs() as f32;
        let value = whole.map_or(other.value, |seam| seam.carry(key.address(), ends, other.value, loops));
        (secs > 0.0).then(|| (nearer(key, value), secs))
    };
    let last = keys.len() - 1;
    // The closing key is the first one of the next round, so each of them uses the neighbour beyond the other.
    let skip = usize::from(whole.is_some_and(|seam| closes(key, ends, seam)));
    let before = match at.checked_sub(1) {
        Some(before) => towards(before, 0),
        None => seam.and_then(|_| towards(last - skip, -1)),
    };
    let after = if at < last { towards(at + 1, 0) } else { seam.and_then(|_| towards(skip, 1)) };
    (before, after)
}

/// Whether the value at the end of a loop is the first of the next round.
fn closes(key: Key, [first, last]: [Vec4; 2], seam: Seam) -> bool {
    let next = seam.carry(key.address(), [first, last], first, 1);
    let value = if key.channel == Channel::Rotation && next.dot(last) < 0.0 { -last } else { last };
    (value - next).abs().max_element() <= SAME
}

/// The one of `value` and its negative that is nearer to a key; only rotations have both.
fn nearer(key: Key, value: Vec4) -> Vec4 {
    if key.channel == Channel::Rotation && value.dot(key.value) < 0.0 { -value } else { value }
}

fn set(key: &mut Key, before: Neighbour, after: Neighbour) {
    let slope = |neighbour: Neighbour, sign: f32| {
        neighbour.map_or(Vec4::ZERO, |(value, secs)| (value - key.value) * (sign / secs))
    };
    let (into, out) = match key.handles {
        HandleKind::Auto => {
            let tangent = before.zip(after).map(|(before, after)| auto_tangent(before, key.value, after));
            (tangent.unwrap_or_default(), tangent.unwrap_or_default())
        }
        HandleKind::Flat => (Vec4::ZERO, Vec4::ZERO),
        HandleKind::Vector => (slope(before, -1.0), slope(after, 1.0)),
        HandleKind::Aligned | HandleKind::Free => return,
    };
    (key.in_length, key.out_length) = (THIRD, THIRD);
    // Values near the limits of f32 over one flick can overflow; such a key is flat.
    key.in_tangent = if into.is_finite() { into } else { Vec4::ZERO };
    key.out_tangent = if out.is_finite() { out } else { Vec4::ZERO };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Keyframe;
    use crate::anim::key::Ease;
    use crate::anim::root_motion::RootMotion;
    use crate::anim::track::Track;
    use glam::{Quat, Vec3};

    fn clip(loop_mode: LoopMode, kind: HandleKind, columns: &[(i64, f32)]) -> Clip {
        let column = |&(secs, x): &(i64, f32)| {
            let key = Key { handles: kind, ease: Ease::Cubic, ..Key::translation(0, Vec3::X * x) };
            let nine = Vec4::X * 9.0;
            Keyframe {
                duration: Time::SECOND * secs,
                keys: vec![Key { in_tangent: nine, out_tangent: nine, ..key }].into(),
                ..Keyframe::default()
            }
        };
        Clip { loop_mode, keyframes: columns.iter().map(column).collect(), ..Clip::new("test") }
    }

    fn tangents(clip: &Clip) -> Vec<(f32, f32)> {
        clip.keyframes.iter().map(|it| (it.keys[0].in_tangent.x, it.keys[0].out_tangent.x)).collect()
    }

    /// ```text
    /// time    0    1    3    4 (loops: 5)
    /// value   0    1    5    4
    /// ```
    #[test]
    fn each_kind_has_its_tangents() {
        let [auto, flat, linear] = [HandleKind::Auto, HandleKind::Flat, HandleKind::Vector];
        let columns = [(1, 0.0), (2, 1.0), (1, 5.0), (1, 4.0)];
        let cases = [
            (LoopMode::Once, auto, [(0.0, 0.0), (5.0 / 3.0, 5.0 / 3.0), (0.0, 0.0), (0.0, 0.0)]),
            (LoopMode::Loop, auto, [(0.0, 0.0), (5.0 / 3.0, 5.0 / 3.0), (0.0, 0.0), (-2.5, -2.5)]),
            (LoopMode::Once, linear, [(0.0, 1.0), (1.0, 2.0), (2.0, -1.0), (-1.0, 0.0)]),
            (LoopMode::Loop, linear, [(-4.0, 1.0), (1.0, 2.0), (2.0, -1.0), (-1.0, -4.0)]),
            (LoopMode::PingPong, flat, [(0.0, 0.0); 4]),
            (LoopMode::Loop, HandleKind::Aligned, [(9.0, 9.0); 4]),
            (LoopMode::Loop, HandleKind::Free, [(9.0, 9.0); 4]),
        ];
        for (mode, kind, expected) in cases {
            let mut clip = clip(mode, kind, &columns);
            resolve_tangents(&mut clip);
            for (got, expected) in tangents(&clip).into_iter().zip(expected) {
                assert!((got.0 - expected.0).abs() < 1e-6, "{mode:?} {kind:?} {got:?} {expected:?}");
                assert!((got.1 - expected.1).abs() < 1e-6, "{mode:?} {kind:?} {got:?} {expected:?}");
            }
            let once = clip.clone();
            resolve_tangents(&mut clip);
            assert_eq!(clip, once);
        }
    }

    /// Numbers that look random.
    fn dice(state: &mut u64, sides: usize) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) % sides as u64) as usize
    }

    fn any_key(state: &mut u64, bone: usize) -> Key {
        // Often the same, so that loops close.
        let sides = [2, 360][dice(state, 2)];
        let angle = dice(state, sides) as f32 / 50.0;
        let key = match dice(state, 2) {
            0 => Key::rotation(bone as u16, Quat::from_rotation_y(angle) * Quat::from_rotation_z(angle)),
            _ => Key::translation(bone as u16, Vec3::new(angle, 0.0, 1.0 - angle)),
        };
        let value = if dice(state, 5) == 0 && key.channel == Channel::Rotation { -key.value } else { key.value };
        let kinds = [HandleKind::Auto, HandleKind::Vector, HandleKind::Flat, HandleKind::Aligned];
        let ease = if dice(state, 4) == 0 { Ease::Linear } else { Ease::Cubic };
        Key { ease, handles: kinds[dice(state, 4)], value, ..key }
    }

    fn any_keyframe(state: &mut u64) -> Keyframe {
        let bones: Vec<usize> = (0..4).filter(|_| dice(state, 3) > 0).collect();
        let keys: Vec<Key> = bones.into_iter().map(|bone| any_key(state, bone)).collect();
        Keyframe { duration: Time(1 + dice(state, 3) as i64) * 1000, keys: keys.into(), ..Keyframe::default() }
    }

    #[test]
    fn what_is_resolved_around_a_change_is_as_if_all_were() {
        let mut state = 7;
        for round in 0..3000 {
            let modes = [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong];
            let count = dice(&mut state, 12);
            let keyframes = (0..count).map(|_| any_keyframe(&mut state)).collect();
            let root_motion = [RootMotion::None, RootMotion::Turn][dice(&mut state, 2)];
            let loop_mode = modes[dice(&mut state, 3)];
            let mut before = Clip { loop_mode, root_motion, keyframes, ..Clip::new("test") };
            resolve_tangents(&mut before);
            let mut after = before.clone();
            for _ in 0..=dice(&mut state, 2) {
                let at = dice(&mut state, after.keyframes.len() + 1);
                let made = any_keyframe(&mut state);
                match dice(&mut state, 5) {
                    0 => after.keyframes.insert(at, made),
                    1 if at < after.keyframes.len() => drop(after.keyframes.remove(at)),
                    2 if at < after.keyframes.len() => after.keyframes[at].keys = made.keys,
                    3 if at < after.keyframes.len() => after.keyframes[at].duration = made.duration,
                    _ if at < after.keyframes.len() => {
                        // Split in two.
                        let half = after.keyframes[at].duration - Time(500);
                        after.keyframes[at].duration = Time(500);
                        after.keyframes.insert(at + 1, Keyframe { duration: half, ..made });
                    }
                    _ => {}
                }
            }
            let mut expected = after.clone();
            resolve_tangents(&mut expected);
            resolve_changed(&mut after, &before);
            assert_eq!(after, expected, "{round}");
        }
    }

    #[test]
    fn a_closing_key_that_repeats_the_first_is_smooth_across_the_seam() {
        let mut closed = clip(LoopMode::Loop, HandleKind::Auto, &[(1, 0.0), (1, 1.0), (1, -1.0), (0, 0.0)]);
        resolve_tangents(&mut closed);
        let got = tangents(&closed);
        assert_eq!(got[0], got[3]);
        assert_eq!(got[0], (1.0, 1.0));
    }

    #[test]
    fn a_translation_that_ends_elsewhere_keeps_its_speed_across_the_seam() {
        // The same steps round after round; the last is the first of the next round.
        let walk = [(1, 0.0), (1, 1.0), (1, 4.0), (0, 5.0)];
        let mut round = clip(LoopMode::Loop, HandleKind::Auto, &walk);
        let mut rounds = clip(
            LoopMode::Once,
            HandleKind::Auto,
            &[(1, 0.0), (1, 1.0), (1, 4.0), (1, 5.0), (1, 6.0), (1, 9.0), (1, 10.0), (1, 11.0)],
        );
        resolve_tangents(&mut round);
        resolve_tangents(&mut rounds);
        let expected = &tangents(&rounds)[3..7];
        assert_eq!(tangents(&round), expected);
        assert_eq!(expected[0], expected[3]);
    }

    #[test]
    fn one_key_and_no_keys_are_flat() {
        for mode in LoopMode::ALL {
            for duration in [0, 1] {
                let mut one = clip(mode, HandleKind::Auto, &[(duration, 3.0)]);
                resolve_tangents(&mut one);
                assert_eq!(tangents(&one), [(0.0, 0.0)]);
            }
            resolve_tangents(&mut Clip { loop_mode: mode, ..Clip::new("empty") });
        }
    }

    #[test]
    fn a_cubic_rotation_takes_the_short_way_for_any_signs() {
        for mode in [LoopMode::Once, LoopMode::Loop] {
            for signs in 0..16 {
                let column = |at: usize| {
                    let turn = Quat::from_rotation_y(at as f32 * std::f32::consts::FRAC_PI_2);
                    let turn = if signs >> at & 1 == 1 { -turn } else { turn };
                    Keyframe {
                        duration: Time::SECOND,
                        keys: vec![Key { ease: Ease::Cubic, ..Key::rotation(0, turn) }].into(),
                        ..Keyframe::default()
                    }
                };
                let mut clip = Clip { loop_mode: mode, keyframes: (0..4).map(column).collect(), ..Clip::new("turn") };
                resolve_tangents(&mut clip);
                let track = Track::of(&clip, 0, Channel::Rotation).unwrap();
                let loops = if mode == LoopMode::Loop { 8 } else { 6 };
                for half in 0..loops {
                    let got = Quat::from_vec4(track.sample(Time(Time::FLICKS_PER_SEC * half / 2)));
                    let wanted = Quat::from_rotation_y(half as f32 * std::f32::consts::FRAC_PI_4);
                    assert!(got.dot(wanted).abs() > 0.98, "{mode:?} signs {signs:04b} half {half}: {got}");
                }
            }
        }
    }
}
