//! Clips made of others: mirrored, reversed. Exact: keys become keys, nothing is sampled.

use crate::anim::clip::{Clip, Event, Keyframe};
use crate::anim::key::{Key, TangentKind};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::editor::mirror::Pairs;

/// What one side did, the other does. Keys keep their times and their ease; tangents set by hand become automatic, as
/// they belong to axes that are other ones now.
pub fn mirrored(clip: &Clip, skeleton: &Skeleton, pairs: &Pairs) -> Clip {
    let mut mirrored = clip.clone();
    mirrored.name = format!("{} mirrored", clip.name);
    for keyframe in &mut mirrored.keyframes {
        let mut other = Keyframe { duration: keyframe.duration, keys: Vec::new() };
        for key in &keyframe.keys {
            other.set(mirrored_key(key, skeleton, pairs));
        }
        *keyframe = other;
    }
    mirrored
}

/// A channel mirrors by itself: the channels that are not keyed here come from the rest pose.
fn mirrored_key(key: &Key, skeleton: &Skeleton, pairs: &Pairs) -> Key {
    let Some(bone) = skeleton.get(key.bone).filter(|_| pairs.has_mirror(skeleton, key.bone)) else { return *key };
    let mut local: Transform = bone.rest;
    key.channel.put(&mut local, key.value);
    let mirrored = pairs.mirrored(skeleton, key.bone, &local);
    let new = Key::new(pairs.partner(key.bone), key.channel, key.channel.of(&mirrored));
    let kind = if key.tangents == TangentKind::Flat { TangentKind::Flat } else { TangentKind::Auto };
    Key { ease: key.ease, tangents: kind, ..new }
}

/// The last pose first. Each key takes the ease of the key before it on its channel, since that is what leads back. (A
/// step still holds from its key on, so a stepped clip shows each pose as long as before, from the other end.)
///
/// ```text
/// keys      A ─ease a→ B ─ease b→ C
/// reversed  C ─ease b→ B ─ease a→ A
/// ```
pub fn reversed(clip: &Clip) -> Clip {
    let length = clip.length();
    let starts: Vec<Time> = clip.starts().collect();
    let mut reversed = Clip { name: format!("{} reversed", clip.name), keyframes: Vec::new(), ..clip.clone() };
    let last = starts.last().copied().unwrap_or_default();
    for at in (0..clip.keyframes.len()).rev() {
        // From this keyframe the way leads to the one before it; the first one takes over the hold at the end.
        let duration = if at > 0 { starts[at] - starts[at - 1] } else { length - last };
        let keys = clip.keyframes[at].keys.iter().map(|key| reversed_key(clip, at, key)).collect();
        reversed.keyframes.push(Keyframe { duration, keys });
    }
    let event = |event: &Event| Event { time: (last - event.time).max(Time::ZERO), name: event.name.clone() };
    reversed.events = clip.events.iter().map(event).collect();
    reversed.events.sort_by_key(|event| event.time);
    reversed
}

fn reversed_key(clip: &Clip, at: usize, key: &Key) -> Key {
    // The first key's way back is the last one's, across the seam where the clip loops.
    let others = (0..at).rev().chain((at..clip.keyframes.len()).rev());
    let before = others.into_iter().find_map(|at| clip.keyframes[at].key(key.bone, key.channel));
    let ease = before.map_or(key.ease, |before| before.ease);
    Key { ease, in_tangent: -key.out_tangent, out_tangent: -key.in_tangent, ..*key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::key::Ease;
    use crate::anim::track::Track;
    use glam::{Vec3, Vec4};

    #[test]
    fn a_reversed_clip_is_the_clip_backwards() {
        let key = |x: f32, ease, tangent: f32| Key {
            ease,
            tangents: TangentKind::Broken,
            in_tangent: Vec4::splat(tangent),
            out_tangent: Vec4::splat(-tangent * 0.5),
            ..Key::translation(0, Vec3::splat(x))
        };
        let keys = [key(0.0, Ease::Linear, 1e8), key(2.0, Ease::Cubic, 2e8), key(1.0, Ease::Linear, -1e8)];
        let durations = [10, 20, 7].map(Time);
        let keyframe = |(duration, key)| Keyframe { duration, keys: vec![key] };
        let keyframes = durations.into_iter().zip(keys).map(keyframe).collect();
        let clip = Clip { keyframes, ..Clip::new("test") };
        let back = reversed(&clip);
        let track = |clip: &Clip| Track::all_of(clip).remove(0);
        assert_eq!(back.keyframes.iter().map(|keyframe| keyframe.duration.0).collect::<Vec<_>>(), [20, 10, 7]);
        for time in 0..=30 {
            let (there, here) = (track(&clip).sample(Time(time)), track(&back).sample(Time(30 - time)));
            assert!((there - here).abs().max_element() < 1e-4, "{time}: {there} {here}");
        }
        assert_eq!(reversed(&back).keyframes, clip.keyframes);
    }
}
