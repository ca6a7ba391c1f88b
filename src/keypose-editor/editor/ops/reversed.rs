//! Reversed clips: what a clip shows at a time, its reverse shows at the same time before its end.

use std::collections::BTreeSet;

use keypose::anim::clip::{Clip, Event, Keyframe, LoopMode};
use keypose::anim::curve::free_tangents;
use keypose::anim::delay::Delay;
use keypose::anim::key::{Ease, Key};
use keypose::anim::keyframes::Keyframes;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::combat::Range;

/// How times of a clip are reversed: about its end.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    length: Time,
    /// Whether the end of the clip is its start, unless a keyframe closes the loop.
    is_ring: bool,
}

impl Turn {
    /// The turn of a clip.
    pub fn of(clip: &Clip) -> Turn {
        let is_closed = clip.keyframes.last().is_some_and(|last| last.duration == Time::ZERO);
        Turn { length: clip.length(), is_ring: clip.loop_mode == LoopMode::Loop && !is_closed }
    }

    /// A time in the reversed clip.
    fn time(self, time: Time) -> Time {
        match self.length - time {
            turned if turned < Time::ZERO => turned + self.length,
            turned if self.is_ring && turned == self.length => Time::ZERO,
            turned => turned,
        }
    }

    /// A range in the reversed clip.
    pub fn range(self, range: Range) -> Range {
        // A range of a file can end behind the clip.
        let turned = |time: Time| self.length - time.min(self.length);
        Range { start: turned(range.end), end: turned(range.start) }
    }
}

/// Reverses a clip. A key of a step moves to where the step ends, for there it begins when reversed; other keys stay at their poses and
/// take the ease of the key before, which then follows:
///
/// ```text
/// keys      A ─ease a→ B ─ease b→ C           A ▔▔▔step▔▔▔ B ▔step▔ C ▔▔▔
/// reversed  C ─ease b→ B ─ease a→ A       C ▔▔▔ B ▔step▔ A ▔▔▔step▔▔▔
/// ```
pub fn reversed(clip: &Clip) -> Clip {
    let name = format!("{} reversed", clip.name);
    let (length, turn) = (clip.length(), Turn::of(clip));
    if length == Time::ZERO {
        return Clip { name, ..clip.clone() };
    }
    let keys: Vec<(Time, Key)> =
        Track::keyed(clip, |_| true).into_iter().flat_map(|track| turned(track, turn)).collect();
    let starts = clip.starts().map(|start| turn.time(start)).filter(|start| *start < length);
    let times: BTreeSet<Time> = starts.chain(keys.iter().map(|(time, _)| *time)).chain([Time::ZERO]).collect();
    let times: Vec<Time> = times.into_iter().collect();
    let ends = times.iter().skip(1).chain([&length]);
    let mut keyframes: Vec<Keyframe> = (times.iter().zip(ends))
        .map(|(start, end)| Keyframe { duration: *end - *start, ..Keyframe::default() })
        .collect();
    let jumps = |keyframe: &Keyframe| !keyframe.keys.is_empty() && keyframe.keys.iter().all(|key| key.ease.jumps());
    let held = clip.keyframes.len().checked_sub(1).filter(|_| clip.loop_mode != LoopMode::Loop);
    for (at, (start, keyframe)) in clip.starts().zip(&clip.keyframes).enumerate() {
        // The mark belongs to the pose. The last pose is held, if it was begun by a jump.
        let is_begun =
            || at.checked_sub(1).filter(|_| held == Some(at)).is_some_and(|before| jumps(&clip.keyframes[before]));
        let at = if jumps(keyframe) || is_begun() { turn.time(start + keyframe.duration) } else { turn.time(start) };
        if let Ok(at) = times.binary_search(&at) {
            keyframes[at].kind = keyframe.kind;
        }
    }
    for (time, key) in keys {
        if let Ok(at) = times.binary_search(&time) {
            keyframes[at].set(key);
        }
    }
    let event = |event: &Event| Event { time: turn.time(event.time), name: event.name.clone() };
    let mut reversed = Clip { name, keyframes: Keyframes::from(keyframes), ..clip.clone() };
    reversed.events = clip.events.iter().map(event).collect();
    reversed.events.sort_by_key(|event| event.time);
    reversed.set_delays(clip.delays.iter().map(|delay| Delay { by: -delay.by, ..*delay }).collect());
    reversed
}

/// The keys of a reversed channel, in any order.
fn turned(track: Track, turn: Turn) -> Vec<(Time, Key)> {
    let mut keys = track.keys;
    let steps = keys.iter().filter(|(_, key)| key.ease.jumps()).count();
    if steps > 0 && steps < keys.len() {
        // Automatic tangents would change when keys move.
        keys.iter_mut().for_each(|(_, key)| free_tangents(key));
    }
    let (Some(&(start, first)), Some(&(end, last))) = (keys.first(), keys.last()) else { return Vec::new() };
    // The value before the first key, across the seam.
    let before_first = track.seam.map(|_| last);
    if let Some(length) = track.seam {
        keys.push((start + length, first));
    } else if end < turn.length && keys.iter().rev().take(2).next_back().is_some_and(|(_, key)| key.ease.jumps()) {
        // The last value is kept; begun by a jump, it needs a key when it comes first.
        keys.push((turn.length, last));
        keys.iter_mut().rev().nth(1).into_iter().for_each(|(_, key)| key.ease = Ease::Step);
    }
    let is_open = track.seam.is_none_or(|length| end == start + length);
    let begins = first.ease.jumps() && keys.len() > 1;
    let mut turned = Vec::new();
    if is_open && !begins {
        turned.push((turn.length - start, Key { ease: last.ease, ..backwards(&first) }));
    }
    for (at, pair) in keys.windows(2).enumerate().filter(|(_, pair)| pair[0].0 < pair[1].0) {
        let [(start, from), (end, to)] = [pair[0], pair[1]];
        let is_step = from.ease.jumps();
        // The key has the value of the step, and the handle of what leads to it.
        let shown = if is_step && from.value != to.value { &from } else { &to };
        turned.push((turn.time(end), Key { ease: from.ease, ..backwards(shown) }));
        let before = at.checked_sub(1).map(|at| keys[at].1).or(before_first);
        if !is_step && before.is_some_and(|before| before.ease.jumps() && before.value != from.value) {
            // The jump to here is now away from here, with the key of where it leads to: the value that it leaves needs another, before.
            let arrival = start + Time::TICK.min((end - start) / 2);
            turned.push((turn.time(arrival), Key { ease: Ease::Step, ..backwards(&from) }));
        }
    }
    turned
}

/// A key with its handles exchanged.
fn backwards(key: &Key) -> Key {
    let (in_length, out_length) = (key.out_length, key.in_length);
    Key { in_tangent: -key.out_tangent, out_tangent: -key.in_tangent, in_length, out_length, ..*key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, Vec4};
    use keypose::anim::clip::KeyframeKind;
    use keypose::anim::key::HandleKind;

    /// The clip of some keyframes: ticks, value and ease.
    fn clip(loop_mode: LoopMode, keyframes: &[(i64, f32, Ease)]) -> Clip {
        let keyframe = |&(ticks, x, ease): &(i64, f32, Ease)| {
            let slopes = [3.0, -2.0].map(|slope| Vec4::new(slope, 0.0, 0.0, 0.0));
            let key = Key { ease, handles: HandleKind::Free, ..Key::translation(0, Vec3::X * x) };
            let key = Key { in_tangent: slopes[0], out_tangent: slopes[1], ..key };
            Keyframe { duration: Time::TICK * ticks, keys: vec![key].into(), ..Keyframe::default() }
        };
        Clip { loop_mode, keyframes: keyframes.iter().map(keyframe).collect(), ..Clip::new("test") }
    }

    fn ticks(clip: &Clip) -> Vec<i64> {
        clip.keyframes.iter().map(|keyframe| keyframe.duration.0 / Time::TICK.0).collect()
    }

    /// All clips of one to four keyframes with each combination of eases, whose last keyframe is held or not.
    fn clips() -> Vec<Clip> {
        let eases = [Ease::Step, Ease::Linear, Ease::Cubic];
        let mut clips = Vec::new();
        for (count, case) in [(1, 6), (2, 18), (3, 54), (4, 162)]
            .into_iter()
            .flat_map(|(n, cases)| (0..cases).map(move |case| (n, case)))
        {
            let mut rest: usize = case / 2;
            let mut keyframes = Vec::new();
            for at in 0..count {
                keyframes.push(([40, 32, 48, 24][at], [0.0, 1.0, 3.0, -1.0][at], eases[rest % 3]));
                rest /= 3;
            }
            if case % 2 == 0 && count > 1 {
                keyframes[count - 1].0 = 0;
            }
            clips.extend([LoopMode::Once, LoopMode::Loop].map(|mode| clip(mode, &keyframes)));
        }
        clips
    }

    #[test]
    fn a_reversed_clip_is_the_clip_backwards() {
        for clip in clips() {
            let back = reversed(&clip);
            assert_eq!((back.check(), back.length()), (Ok(()), clip.length()));
            let [there, here] = [&clip, &back].map(|clip| Track::all_of(clip).remove(0));
            let jumps: Vec<Time> = clip.starts().collect();
            for step in 1..120 {
                let time = clip.length() * step / 120;
                // What leads to a jump is a tick early.
                let is_near = |jump: &Time| time >= *jump && time - *jump <= Time::TICK;
                if jumps.iter().any(is_near) {
                    continue;
                }
                let (wanted, have) = (there.sample(time), here.sample(clip.length() - time));
                assert!((wanted - have).abs().max_element() < 0.25, "{step}: {wanted} {have} {clip:?} {back:?}");
            }
        }
    }

    #[test]
    fn poses_of_steps_last_as_long_as_before() {
        use Ease::Step;
        for mode in [LoopMode::Once, LoopMode::Loop] {
            let clip = clip(mode, &[(10, 0.0, Step), (2, 1.0, Step), (12, 3.0, Step)]);
            let back = reversed(&clip);
            assert_eq!(ticks(&back), [12, 2, 10]);
            assert_eq!(reversed(&back).keyframes, clip.keyframes);
        }
    }

    #[test]
    fn a_pose_that_was_held_keeps_the_way_that_leaves_it() {
        let clip = clip(LoopMode::Once, &[(10, 0.0, Ease::Step), (10, 0.0, Ease::Cubic), (10, 1.0, Ease::Linear)]);
        let [there, here] = [&clip, &reversed(&clip)].map(|clip| Track::all_of(clip).remove(0));
        for time in (0..30).map(|tick| Time::TICK * tick) {
            let (wanted, have) = (there.sample(time), here.sample(clip.length() - time));
            assert!(wanted.abs_diff_eq(have, 1e-4), "{time}: {wanted} {have}");
        }
    }

    #[test]
    fn marks_stay_with_their_poses() {
        let (plain, extreme) = (KeyframeKind::Plain, KeyframeKind::Extreme);
        let mut clip = clip(LoopMode::Once, &[(10, 0.0, Ease::Step), (10, 2.0, Ease::Step), (5, 1.0, Ease::Linear)]);
        for marked in 0..3 {
            clip.keyframes.iter_mut().for_each(|keyframe| keyframe.kind = plain);
            clip.keyframes[marked].kind = extreme;
            let kinds: Vec<KeyframeKind> = reversed(&clip).keyframes.iter().map(|keyframe| keyframe.kind).collect();
            assert_eq!(kinds.iter().rposition(|kind| *kind == extreme), Some(2 - marked), "{kinds:?}");
        }
    }

    #[test]
    fn the_hold_at_the_end_comes_first() {
        use Ease::{Cubic, Linear};
        let mut clip = clip(LoopMode::Once, &[(10, 0.0, Linear), (20, 2.0, Cubic), (7, 1.0, Linear)]);
        clip.events = vec![Event { time: Time::TICK * 4, name: "step".into() }].into();
        let back = reversed(&clip);
        assert_eq!((ticks(&back), back.events[0].time), (vec![7, 20, 10, 0], Time::TICK * 33));
        assert_eq!(reversed(&back).keyframes, clip.keyframes);
        clip.loop_mode = LoopMode::Loop;
        assert_eq!(ticks(&reversed(&clip)), [7, 20, 10]);
    }

    #[test]
    fn a_range_covers_the_same_poses() {
        let turn = Turn::of(&clip(LoopMode::Once, &[(24, 0.0, Ease::Linear)]));
        let turned = [(0, 21), (22, 24), (12, 90)].map(|(from, to)| turn.range(Range::of_ticks(from, to)));
        assert_eq!(turned, [(3, 24), (0, 2), (0, 12)].map(|(from, to)| Range::of_ticks(from, to)));
    }
}
