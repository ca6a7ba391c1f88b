//! The playhead: the time of the active clip, and how playback advances it. Time is an argument; there is no clock here.

use std::collections::BTreeSet;

use crate::editor::session::switch::Switch;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::playback::clip_time;
use keypose::anim::time::Time;

/// The range of playback speeds.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.05..=8.0;

/// The one playhead of all panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Playhead {
    /// The clip time on screen. Not negative; may be past the end of the clip while editing.
    pub time: Time,
    /// Whether the clip plays.
    pub is_playing: bool,
    /// Whether it plays backwards.
    pub is_reverse: bool,
    /// Playback speed; 1 is real time. Within [`SPEEDS`].
    pub speed: f64,
    /// The loop section, as far as the clip has it, is played instead of the whole clip; its start is before its end.
    pub loop_section: Option<(Time, Time)>,
    /// Playback time since zero, not wrapped: ping-pong needs it for the direction.
    elapsed: Time,
}

impl Default for Playhead {
    fn default() -> Playhead {
        Playhead {
            time: Time::ZERO,
            is_playing: false,
            is_reverse: false,
            speed: 1.0,
            loop_section: None,
            elapsed: Time::ZERO,
        }
    }
}

impl Playhead {
    /// Seeks to a time.
    pub fn seek(&mut self, time: Time) {
        self.time = time.clamp(Time::ZERO, Time::LONGEST);
        self.elapsed = self.time;
    }

    /// The playback time including all loops; the clip time is derived from it. Equal to the clip time while nothing plays.
    pub fn elapsed(&self) -> Time {
        self.elapsed
    }

    /// Starts playback; from the other end if the playhead is at the end of the clip or loop section, or outside.
    pub fn play(&mut self, clip: &Clip) {
        let (from, to) = self.section(clip.length()).unwrap_or((Time::ZERO, clip.length()));
        self.is_playing = from < to;
        if !self.is_reverse && !(from..to).contains(&self.time) {
            self.seek(from);
        } else if self.is_reverse && (self.time <= from || self.time > to) {
            self.seek(to);
        } else {
            self.elapsed = self.time;
        }
    }

    /// The loop section, as far as a clip of this length has it.
    pub fn section(&self, length: Time) -> Option<(Time, Time)> {
        self.loop_section.map(|(from, to)| (from, to.min(length))).filter(|(from, to)| from < to)
    }

    /// Pauses on the nearest frame of the clip's grid.
    pub fn pause(&mut self, clip: Option<&Clip>) {
        self.is_playing = false;
        if let Some(clip) = clip {
            let nearest = clip.frame_rate.snap(self.time);
            self.seek(nearest);
        }
    }

    /// Advances by `passed`. With [`Switch::Repeat`], clips with loop mode `once` start again instead of stopping; with
    /// [`Switch::PingPong`], the clip or loop section plays forwards and backwards in turn, regardless of its loop mode.
    pub fn tick(&mut self, passed: Time, clip: &Clip, switches: &BTreeSet<Switch>) {
        if !self.is_playing {
            return;
        }
        let step = Time((passed.0 as f64 * self.speed.clamp(*SPEEDS.start(), *SPEEDS.end())) as i64);
        self.elapsed += if self.is_reverse { -step } else { step };
        let (length, bounces) = (clip.length(), switches.contains(&Switch::PingPong));
        if let Some((from, to)) = self.section(length) {
            let mode = if bounces { LoopMode::PingPong } else { LoopMode::Loop };
            self.time = from + clip_time(self.elapsed - from, to - from, mode);
            return;
        }
        let mode = match clip.loop_mode {
            _ if bounces => LoopMode::PingPong,
            LoopMode::Once if switches.contains(&Switch::Repeat) => LoopMode::Loop,
            mode => mode,
        };
        self.time = clip_time(self.elapsed, length, mode);
        let is_over = self.elapsed < Time::ZERO || self.elapsed >= length;
        if mode == LoopMode::Once && is_over {
            self.is_playing = false;
            self.elapsed = self.time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::Keyframe;

    #[test]
    fn a_loop_section_ends_with_a_clip_that_became_shorter() {
        for (section, expected) in [((80, 140), 85), ((120, 140), 5)] {
            let keyframe = Keyframe { duration: Time(100), ..Keyframe::default() };
            let clip = Clip { keyframes: vec![keyframe].into(), loop_mode: LoopMode::Loop, ..Clip::new("test") };
            let loop_section = Some((Time(section.0), Time(section.1)));
            let mut playhead = Playhead { loop_section, ..Playhead::default() };
            playhead.seek(Time(95));
            playhead.play(&clip);
            playhead.tick(Time(10), &clip, &BTreeSet::new());
            assert_eq!(playhead.time, Time(expected), "{section:?}");
        }
    }
}
