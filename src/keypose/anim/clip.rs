//! The editable animation: ordered keyframes, each with a duration and sparse keys. [`crate::anim::bake::bake`]
//! converts it to the form that is played.

use std::ops::Range;

use thiserror::Error;

use crate::anim::choice::choice;
use crate::anim::delay::Delay;
use crate::anim::key::{BoneIndex, Channel};
use crate::anim::keyframes::Keyframes;
pub use crate::anim::keyframes::{Keyframe, KeyframeKind};
use crate::anim::root_motion::RootMotion;
use crate::anim::shared_list::SharedList;
use crate::anim::time::{FrameRate, Time};

choice! {
    /// The behaviour at the end of a clip.
    #[derive(Default, Hash)]
    pub enum LoopMode {
        /// Keeps the last pose.
        #[default]
        Once = "once",
        /// Starts again; the last keyframe's duration interpolates to the first keyframe.
        Loop = "loop",
        /// Plays forwards, then backwards, and so on.
        PingPong = "ping-pong",
    }
}

/// A named point in time, such as a footstep or a sword swing.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// In 0..=length of the clip.
    pub time: Time,
    /// Not empty, not necessarily unique.
    pub name: String,
}

/// One animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Unique within its model; any text, not empty.
    pub name: String,
    /// The grid for snapping and display. Key times can be anywhere.
    pub frame_rate: FrameRate,
    /// The behaviour at the end.
    pub loop_mode: LoopMode,
    /// In order; can be empty. Used as a `Vec`.
    pub keyframes: Keyframes,
    /// Sorted by time.
    pub events: SharedList<Event>,
    /// Sorted by bone, at most one for each. The keys of these bones are played later or earlier than they are.
    pub delays: SharedList<Delay>,
    /// The part of the motion of the first bone that moves the character in a game.
    pub root_motion: RootMotion,
}

/// Why a clip is not valid.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum ClipError {
    #[error("keyframe {keyframe}: its duration of {duration} must be more than zero")]
    Duration { keyframe: usize, duration: Time },
    #[error("the clip is {length} long, the maximum is {}", Time::LONGEST)]
    TooLong { length: Time },
    #[error("keyframe {keyframe}: its keys are not sorted by bone and channel, or not unique")]
    KeyOrder { keyframe: usize },
    #[error("keyframe {keyframe}: the {} key of bone {bone} is not finite, not a unit rotation, or has handles of invalid length", channel.name())]
    Key { keyframe: usize, bone: BoneIndex, channel: Channel },
    #[error("event \"{name}\" at {time} is outside the clip, or out of order")]
    Event { name: String, time: Time },
    #[error("its delays are zero, longer than {}, or not sorted by bone", Time::LONGEST)]
    Delays,
}

impl Clip {
    /// A clip without keyframes.
    pub fn new(name: impl Into<String>) -> Clip {
        Clip { name: name.into(), ..Clip::default() }
    }

    /// The sum of all durations.
    pub fn length(&self) -> Time {
        self.keyframes.length()
    }

    /// The start times of all keyframes, in order.
    pub fn starts(&self) -> impl Iterator<Item = Time> + '_ {
        self.keyframes.iter().scan(Time::ZERO, |next, keyframe| {
            let start = *next;
            *next += keyframe.duration;
            Some(start)
        })
    }

    /// The start time of a keyframe; the length of the clip for an index past the last.
    pub fn start_of(&self, keyframe: usize) -> Time {
        self.keyframes.start_of(keyframe)
    }

    /// The keyframe that starts exactly at a time.
    pub fn keyframe_at(&self, time: Time) -> Option<usize> {
        let (keyframe, start) = self.keyframes.containing(time)?;
        (start == time).then_some(keyframe)
    }

    /// The keyframe that is current at a time: the last that starts at or before it. `None` before the first.
    pub fn keyframe_containing(&self, time: Time) -> Option<usize> {
        Some(self.keyframes.containing(time)?.0)
    }

    /// The kinds of the keyframes at ascending times; plain where none starts.
    pub fn kinds_at(&self, times: &[Time]) -> Vec<KeyframeKind> {
        let mut here = self.starts().zip(&self.keyframes).peekable();
        let kind = |time: &Time| {
            while here.next_if(|(start, _)| start < time).is_some() {}
            here.peek().filter(|(start, _)| start == time).map_or(KeyframeKind::Plain, |(_, keyframe)| keyframe.kind)
        };
        times.iter().map(kind).collect()
    }

    /// Checks everything that baking and saving rely on. Keys of bones that a skeleton lacks are allowed: the clip
    /// check reports them, and nothing is removed.
    pub fn check(&self) -> Result<(), ClipError> {
        self.check_times()?;
        // Packed keyframes were checked when they were read.
        if self.keyframes.is_packed() { Ok(()) } else { self.check_keys() }
    }

    /// As [`Clip::check`], of a clip that was changed: keyframes that it shares with the valid clip before are not checked again.
    pub fn check_changed(&self, before: &Clip) -> Result<(), ClipError> {
        let [_, changed] = self.keyframes.changed_since(&before.keyframes);
        // The last keyframe before may have no duration, and be followed by others now.
        self.check_durations_of(changed.start.saturating_sub(1)..changed.end)?;
        self.check_length_and_events()?;
        self.check_keys_of(changed)
    }

    /// Checks durations, length and events.
    pub fn check_times(&self) -> Result<(), ClipError> {
        if !self.keyframes.is_packed() {
            self.check_durations_of(0..self.keyframes.len())?;
        }
        self.check_length_and_events()
    }

    fn check_length_and_events(&self) -> Result<(), ClipError> {
        let length = self.length();
        if length > Time::LONGEST {
            return Err(ClipError::TooLong { length });
        }
        let mut before = Time::ZERO;
        for event in &self.events {
            if event.time < before || event.time > length {
                return Err(ClipError::Event { name: event.name.clone(), time: event.time });
            }
            before = event.time;
        }
        if self.has_valid_delays() { Ok(()) } else { Err(ClipError::Delays) }
    }

    fn check_durations_of(&self, keyframes: Range<usize>) -> Result<(), ClipError> {
        let last = self.keyframes.len().saturating_sub(1);
        for (keyframe, Keyframe { duration, .. }) in keyframes.clone().zip(self.keyframes.range(keyframes)) {
            let duration = *duration;
            if duration < Time::ZERO || (duration == Time::ZERO && keyframe != last) {
                return Err(ClipError::Duration { keyframe, duration });
            }
        }
        Ok(())
    }

    fn check_keys(&self) -> Result<(), ClipError> {
        self.check_keys_of(0..self.keyframes.len())
    }

    fn check_keys_of(&self, keyframes: Range<usize>) -> Result<(), ClipError> {
        for (index, keyframe) in keyframes.clone().zip(self.keyframes.range(keyframes)) {
            if !keyframe.keys.is_sorted_by(|a, b| a.address() < b.address()) {
                return Err(ClipError::KeyOrder { keyframe: index });
            }
            if let Some(key) = keyframe.keys.iter().find(|key| !key.is_valid()) {
                return Err(ClipError::Key { keyframe: index, bone: key.bone, channel: key.channel });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::key::Key;
    use glam::Vec3;

    fn clip(frames: &[i64]) -> Clip {
        let keyframes = frames.iter().map(|&frames| Keyframe { duration: Time(frames), ..Keyframe::default() });
        Clip { keyframes: keyframes.collect(), ..Clip::new("test") }
    }

    /// ```text
    /// durations   3   4   2
    /// starts    0   3     7  9
    /// ```
    #[test]
    fn starts_are_the_sums_of_the_durations() {
        let clip = clip(&[3, 4, 2]);
        assert_eq!(clip.starts().collect::<Vec<_>>(), [Time(0), Time(3), Time(7)]);
        assert_eq!(clip.length(), Time(9));
        let cases = [(-1, None, None), (0, Some(0), Some(0)), (2, None, Some(0)), (3, Some(1), Some(1))];
        for (time, at, containing) in cases.into_iter().chain([(8, None, Some(2)), (99, None, Some(2))]) {
            assert_eq!(clip.keyframe_at(Time(time)), at, "{time}");
            assert_eq!(clip.keyframe_containing(Time(time)), containing, "{time}");
        }
    }

    #[test]
    fn only_the_last_duration_may_be_zero() {
        assert_eq!(clip(&[3, 0]).check(), Ok(()));
        assert_eq!(clip(&[0]).check(), Ok(()));
        assert!(clip(&[0, 3]).check().is_err());
        assert!(clip(&[3, -1]).check().is_err());
        assert!(clip(&[i64::MAX, i64::MAX]).check().is_err());
    }

    #[test]
    fn keys_stay_sorted_and_unique() {
        let mut keyframe = Keyframe::default();
        for bone in [5, 1, 3, 1] {
            keyframe.set(Key::scale(bone, Vec3::splat(f32::from(bone))));
            keyframe.set(Key::translation(bone, Vec3::ZERO));
        }
        assert!(keyframe.keys.is_sorted_by_key(Key::address));
        assert_eq!(keyframe.keys.len(), 6);
        assert!(keyframe.remove(3, Channel::Scale).is_some());
        assert!(keyframe.key(3, Channel::Scale).is_none());
        assert!(keyframe.key(3, Channel::Translation).is_some());
    }
}
