//! Keys in hand on the time line: moved, pushed along or scaled by the mouse or by a typed number. Pure: the mouse in,
//! the whole change since the start out.

use crate::editor::session::timing::Grip;
use crate::editor::session::timing::Lifted;
use glam::Vec4;

use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::anim::time::Time;
use crate::editor::document::edit::{KeyRef, Original};
use crate::editor::ops::curves;
use crate::editor::posing::key_times::{Grid, KeyTimes, KeysChange};
use crate::editor::session::timing::{TakeKeys, TimePoint};

/// What alone changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Lock {
    Time,
    Value,
}

/// The keys in hand.
#[derive(Clone, Debug)]
pub struct KeysInHand {
    /// What the mouse does.
    pub grip: Grip,
    /// Whether copies go.
    pub original: Original,
    /// Until a click or Enter.
    pub is_modal: bool,
    /// What alone changes.
    pub lock: Option<Lock>,
    /// A number that is typed instead of the mouse's way.
    pub typed: String,
    /// Values that go up and down with the mouse; `None` until the panel said which.
    pub lifted: Option<Vec<Lifted>>,
    from: Option<TimePoint>,
    now: TimePoint,
    /// The way that was gone with Shift counts a tenth.
    fine: (Time, f32),
}

impl KeysInHand {
    /// As they were taken.
    pub fn new(take: TakeKeys) -> KeysInHand {
        let TakeKeys { grip, original, is_modal, lifted, from } = take;
        let now = from.unwrap_or_default();
        let fine = (Time::ZERO, 0.0);
        KeysInHand { grip, original, is_modal, lock: None, typed: String::new(), lifted, from, now, fine }
    }

    /// The mouse is there now.
    pub fn point(&mut self, at: TimePoint) {
        if self.from.is_none() {
            self.from = Some(at);
        } else if at.held.shift {
            self.fine.0 += (at.time - self.now.time) * 9 / 10;
            self.fine.1 += (at.y - self.now.y) * 0.9;
        }
        self.now = at;
    }

    /// The way of the mouse: time, and points up.
    fn way(&self) -> (Time, f32) {
        let from = self.from.unwrap_or(self.now);
        (self.now.time - from.time - self.fine.0, from.y - self.now.y + self.fine.1)
    }

    /// The number that was typed.
    fn number(&self) -> Option<f64> {
        self.typed.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The whole change since the keys were taken; `clip` is as it was then, `snaps` whether the switch is on.
    pub fn change(&self, clip: &Clip, snaps: bool) -> KeysChange {
        let (by, up) = self.way();
        let typed = self.number();
        let frames = |count: f64| Time::from_secs(count / clip.frame_rate.fps());
        let by = match self.lock {
            Some(Lock::Value) => Time::ZERO,
            _ => typed.map_or(by, frames),
        };
        let times = match self.grip {
            Grip::Move => KeyTimes::Shift(by),
            Grip::Ripple => KeyTimes::Ripple(by),
            Grip::Scale { about } => {
                KeyTimes::Scale { about, factor: typed.unwrap_or_else(|| self.factor(about, clip)) }
            }
        };
        // A typed number of frames is just that, wherever the keys lie.
        let is_exact = typed.is_some() && !matches!(self.grip, Grip::Scale { .. });
        let is_free = self.lock == Some(Lock::Value) || is_exact || self.now.held.ctrl == snaps;
        let grid = Some(if is_free { Grid::Free } else { Grid::Frames });
        KeysChange { times, original: self.original, grid, values: self.values(clip, up, typed) }
    }

    /// How many times further from what stays the mouse is.
    fn factor(&self, about: Time, clip: &Clip) -> f64 {
        let from = self.from.map_or(about, |from| from.time) - about;
        let far = (from.0.abs() >= clip.frame_rate.frame().0 / 4).then_some(from);
        far.map_or(1.0, |from| (from + self.way().0).0 as f64 / from.0 as f64)
    }

    fn values(&self, clip: &Clip, up: f32, typed: Option<f64>) -> Vec<(KeyRef, Vec4)> {
        if self.lock == Some(Lock::Time) || matches!(self.grip, Grip::Scale { .. } | Grip::Ripple) {
            return Vec::new();
        }
        let by = |lifted: &Lifted| match (self.lock, typed) {
            (Some(Lock::Value), Some(typed)) => typed as f32,
            (_, Some(_)) => 0.0,
            _ => up * lifted.per_point,
        };
        let mut values: Vec<(KeyRef, Vec4)> = Vec::new();
        for lifted in self.lifted.iter().flatten() {
            let key = lifted.key;
            let there = clip.keyframes.get(key.keyframe).and_then(|keyframe| keyframe.key(key.bone, key.channel));
            let Some(there) = there else { continue };
            let before = match values.last() {
                Some((last, value)) if *last == key => *value,
                _ => there.value,
            };
            let mut shown = curves::shown(key.channel, before, glam::Vec3::ZERO);
            shown[lifted.axis.min(2)] += by(lifted);
            let value = curves::value(key.channel, shown);
            // Tangents by hand belong to the sign that the key has.
            let is_turned = key.channel == Channel::Rotation && value.dot(there.value) < 0.0;
            let value = if is_turned { -value } else { value };
            match values.last_mut() {
                Some((last, held)) if *last == key => *held = value,
                _ => values.push((key, value)),
            }
        }
        values
    }

    /// What is happening, for the panel: "Move 3 frames".
    pub fn text(&self, clip: &Clip) -> String {
        let frames = |time: Time| format!("{:+.1} frames", clip.frame_rate.frames_in(time)).replace(".0 ", " ");
        let typed = |unit: &str| format!("{}{unit}", self.typed);
        match (self.grip, self.lock) {
            (Grip::Scale { .. }, _) if !self.typed.is_empty() => format!("Scale {}", typed("×")),
            (Grip::Scale { about }, _) => format!("Scale {:.2}×", self.factor(about, clip)),
            (_, Some(Lock::Value)) if !self.typed.is_empty() => format!("Value {}", typed("")),
            (_, Some(Lock::Value)) => "Value".to_owned(),
            (Grip::Ripple, _) if self.typed.is_empty() => format!("Push {}", frames(self.way().0)),
            (Grip::Ripple, _) => format!("Push {}", typed(" frames")),
            (Grip::Move, _) if self.typed.is_empty() => format!("Move {}", frames(self.way().0)),
            (Grip::Move, _) => format!("Move {}", typed(" frames")),
        }
    }
}
