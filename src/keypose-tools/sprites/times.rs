//! The frames of a clip: when, and for how long.

use keypose::anim::clip::{Clip, Event, LoopMode};
use keypose::anim::time::Time;
use keypose::assets::sprite_recipe::Take;

/// A frame of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameTime {
    /// The time of the pose.
    pub at: Time,
    /// How long it is shown.
    pub duration: Time,
}

/// The events of a clip while one of its frames is shown. The end of a loop is the start of the next one, that of other clips in the last
/// frame.
pub fn events<'c>(clip: &'c Clip, frames: &[FrameTime], at: usize) -> impl Iterator<Item = &'c Event> {
    let shown = frames.get(at).map_or(Time::ZERO..Time::ZERO, |frame| frame.at..frame.at + frame.duration);
    let (end, is_loop) = (clip.length(), clip.loop_mode == LoopMode::Loop);
    let has_end = at == if is_loop { 0 } else { frames.len().saturating_sub(1) };
    let is_shown = move |time: Time| if time == end { has_end } else { shown.contains(&time) };
    clip.events.iter().filter(move |event| is_shown(event.time))
}

/// The frames of a clip, in order. A loop doesn't show its first pose again at the end; other clips show their last one.
pub fn frames(clip: &Clip, take: Take) -> Vec<FrameTime> {
    let frames = match take {
        Take::Poses => of_keyframes(clip, 0),
        Take::Between(count) => of_keyframes(clip, count),
        Take::Rate(fps) if clip.length() > Time::ZERO => at_rate(clip, f64::from(fps)),
        Take::Rate(_) => Vec::new(),
    };
    if frames.is_empty() { vec![FrameTime { at: Time::ZERO, duration: clip.frame_rate.frame() }] } else { frames }
}

fn of_keyframes(clip: &Clip, between: u32) -> Vec<FrameTime> {
    let (last, parts) = (clip.keyframes.len().saturating_sub(1), i64::from(between) + 1);
    let mut frames = Vec::new();
    for (at, (start, keyframe)) in clip.starts().zip(clip.keyframes.iter()).enumerate() {
        let is_hold = at == last && clip.loop_mode != LoopMode::Loop;
        match keyframe.duration {
            Time::ZERO if !is_hold => {}
            Time::ZERO => frames.push(FrameTime { at: start, duration: clip.frame_rate.frame() }),
            duration if is_hold => frames.push(FrameTime { at: start, duration }),
            duration => {
                let time = |part: i64| Time((i128::from(duration.0) * i128::from(part) / i128::from(parts)) as i64);
                let part = |part: i64| FrameTime { at: start + time(part), duration: time(part + 1) - time(part) };
                frames.extend((0..parts).map(part));
            }
        }
    }
    frames
}

fn at_rate(clip: &Clip, fps: f64) -> Vec<FrameTime> {
    let length = clip.length();
    let count = (length.secs() * fps).round().max(1.0);
    let (whole, duration) = (count as usize, Time::from_secs(length.secs() / count));
    let at = |frame: usize| FrameTime { at: length.part(frame, whole), duration };
    let mut frames: Vec<FrameTime> = (0..whole).map(at).collect();
    if clip.loop_mode != LoopMode::Loop {
        frames.push(FrameTime { at: length, duration: Time::from_secs(1.0 / fps) });
    }
    frames
}

/// The durations in milliseconds, each at least 1. Rounding the ends keeps errors from adding up.
pub fn millis(frames: &[FrameTime]) -> Vec<u32> {
    let (mut end, mut shown) = (Time::ZERO, 0_i64);
    let of = |frame: &FrameTime| {
        end += frame.duration;
        let millis = (end.millis().round() as i64 - shown).max(1);
        shown += millis;
        u32::try_from(millis).unwrap_or(u32::MAX)
    };
    frames.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::Keyframe;

    fn clip(ticks: &[i64], loop_mode: LoopMode) -> Clip {
        let keyframe = |ticks: &i64| Keyframe { duration: Time::TICK * *ticks, ..Keyframe::default() };
        Clip { keyframes: ticks.iter().map(keyframe).collect(), loop_mode, ..Clip::new("test") }
    }

    fn ticks(clip: &Clip, take: Take) -> Vec<[i64; 2]> {
        frames(clip, take).iter().map(|frame| [frame.at.0, frame.duration.0].map(|time| time / Time::TICK.0)).collect()
    }

    #[test]
    fn a_loop_ends_before_its_first_pose_and_others_with_their_last() {
        let (looped, once) = (clip(&[4, 6, 0], LoopMode::Loop), clip(&[4, 6, 0], LoopMode::Once));
        assert_eq!(ticks(&looped, Take::Poses), [[0, 4], [4, 6]]);
        assert_eq!(ticks(&once, Take::Poses), [[0, 4], [4, 6], [10, 2]]);
        assert_eq!(ticks(&looped, Take::Between(1)), [[0, 2], [2, 2], [4, 3], [7, 3]]);
        assert_eq!(ticks(&looped, Take::Rate(12.0)), [[0, 5], [5, 5]]);
        assert_eq!(ticks(&once, Take::Rate(12.0)), [[0, 5], [5, 5], [10, 5]]);
        assert_eq!(
            ticks(&clip(&[4, 6], LoopMode::Once), Take::Between(3)).last(),
            Some(&[4, 6]),
            "a hold is one frame"
        );
        assert_eq!(frames(&Clip::new("empty"), Take::Poses).len(), 1);
    }

    #[test]
    fn every_event_is_in_one_frame() {
        for (loop_mode, last) in LoopMode::ALL.into_iter().flat_map(|mode| [(mode, 0), (mode, 3)]) {
            let ends = [0, 4, 9, 10 + last];
            let event = |at: i64| Event { time: Time::TICK * at, name: at.to_string() };
            let clip = Clip { events: ends.map(event).to_vec().into(), ..clip(&[4, 6, last], loop_mode) };
            for take in [Take::Poses, Take::Rate(12.0)] {
                let frames = frames(&clip, take);
                let of = |at: usize| events(&clip, &frames, at).map(|event| event.name.clone()).collect::<Vec<_>>();
                let shown: Vec<Vec<String>> = (0..frames.len()).map(of).collect();
                let count = |at: i64| shown.iter().flatten().filter(|name| **name == at.to_string()).count();
                assert_eq!(ends.map(count), [1; 4], "{loop_mode:?} {last} {take:?}");
                let end = if loop_mode == LoopMode::Loop { shown.first() } else { shown.last() };
                assert!(end.unwrap().contains(&(10 + last).to_string()), "{loop_mode:?} {last} {take:?}");
            }
        }
    }

    #[test]
    fn a_pose_without_a_length_is_one_frame() {
        for loop_mode in LoopMode::ALL {
            let clip = clip(&[0], loop_mode);
            for take in [Take::Poses, Take::Rate(12.0)] {
                assert_eq!(frames(&clip, take).len(), 1, "{loop_mode:?} {take:?}");
            }
        }
    }

    #[test]
    fn milliseconds_add_up() {
        let frames = frames(&clip(&[1; 60], LoopMode::Loop), Take::Poses);
        assert_eq!(millis(&frames).iter().sum::<u32>(), 1000);
    }
}
