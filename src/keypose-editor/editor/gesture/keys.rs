//! Dragging keys on the timeline: moving, rippling or scaling them with the mouse or by a typed number.

use glam::Vec4;

use crate::editor::document::Document;
use crate::editor::document::edit::{KeyRef, Original};
use crate::editor::gesture::Drag;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::ops::curves;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times::{Grid, KeyTimes, KeysChange};
use crate::editor::session::Session;
use crate::editor::session::pointer::{Axis, ModalKey};
use crate::editor::session::switch::Switch;
use crate::editor::session::timing::{DraggedValue, KeyDragKind, KeyDragStart, TimePoint};
use crate::editor::session::tool::TransformKind;
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;
use keypose::anim::time::Time;

/// The only coordinate that a drag changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    Time,
    Value,
}

/// A drag of keys in progress.
#[derive(Clone, Debug)]
pub struct KeyDrag {
    /// The effect of the mouse.
    pub kind: KeyDragKind,
    /// Whether the keys are moved or copied.
    pub original: Original,
    /// Whether it ends with a click or Enter; otherwise when the button is released.
    pub is_modal: bool,
    /// The values that follow the mouse up and down; `None` until the panel has set them.
    pub dragged_values: Option<Vec<DraggedValue>>,
    lock: Option<Lock>,
    typed: TypedNumber,
    from: Option<TimePoint>,
    now: TimePoint,
    /// The part of the mouse's way that Shift takes away.
    held_back: (Time, f32),
}

impl KeyDrag {
    /// Starts where the mouse is, or where it is first seen.
    pub fn new(start: KeyDragStart) -> KeyDrag {
        let KeyDragStart { kind, original, is_modal, dragged_values, from } = start;
        let (lock, typed, now) = (None, TypedNumber::default(), from.unwrap_or_default());
        KeyDrag { kind, original, is_modal, dragged_values, lock, typed, from, now, held_back: (Time::ZERO, 0.0) }
    }

    /// Handles a move of the mouse.
    pub fn point(&mut self, base: &Document, session: &Session, at: TimePoint) -> Drag {
        if self.from.is_none() {
            self.from = Some(at);
        } else if at.held.shift {
            self.held_back.0 += (at.time - self.now.time) * 9 / 10;
            self.held_back.1 += (at.y - self.now.y) * 0.9;
        }
        self.now = at;
        self.preview(base, session)
    }

    /// Sets the values that follow the mouse.
    pub fn drag_values(&mut self, base: &Document, session: &Session, dragged_values: Vec<DraggedValue>) -> Drag {
        self.dragged_values = Some(dragged_values);
        self.preview(base, session)
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, base: &Document, session: &Session, key: ModalKey) -> Drag {
        match key {
            ModalKey::Confirm => return Drag::Commit,
            ModalKey::Cancel => return Drag::Cancel,
            ModalKey::Char(digit) => self.typed.push(digit),
            ModalKey::Backspace => self.typed.pop(),
            ModalKey::Axis(axis) | ModalKey::Plane(axis) => self.toggle_lock(axis),
            ModalKey::Switch(TransformKind::Move) => self.kind = KeyDragKind::Move,
            ModalKey::Switch(TransformKind::Scale) => {
                self.kind = KeyDragKind::Scale { about: session.focus.playhead.time }
            }
            ModalKey::Switch(TransformKind::Rotate | TransformKind::Reach | TransformKind::Pole)
            | ModalKey::AddJoint
            | ModalKey::RemoveJoint => return Drag::Ignore,
        }
        self.preview(base, session)
    }

    fn toggle_lock(&mut self, axis: Axis) {
        let lock = if axis == Axis::X { Lock::Time } else { Lock::Value };
        self.lock = if self.lock == Some(lock) { None } else { Some(lock) };
    }

    fn preview(&self, base: &Document, session: &Session) -> Drag {
        let slot = session.focus.clip.and_then(|clip| base.clip(clip));
        let change = |clip: &Clip| Change::Keys(self.change(clip, session.is_on(Switch::SnapTime)));
        slot.map_or(Drag::Ignore, |slot| Drag::Preview(change(&slot.clip)))
    }

    /// The way of the mouse since the start: time, and points up.
    fn way(&self) -> (Time, f32) {
        let from = self.from.unwrap_or(self.now);
        (self.now.time - from.time - self.held_back.0, from.y - self.now.y + self.held_back.1)
    }

    /// The whole change since the start. `clip` is the base's; `snaps` is whether Snap is switched on.
    fn change(&self, clip: &Clip, snaps: bool) -> KeysChange {
        let typed = self.typed.value();
        let frames = |count: f64| Time::from_secs(count / clip.frame_rate.fps());
        let by = match self.lock {
            Some(Lock::Value) => Time::ZERO,
            Some(Lock::Time) | None => typed.map_or(self.way().0, frames),
        };
        let times = match self.kind {
            KeyDragKind::Move => KeyTimes::Shift(by),
            KeyDragKind::Ripple => KeyTimes::Ripple(by),
            KeyDragKind::Scale { about } => {
                KeyTimes::Scale { about, factor: typed.unwrap_or_else(|| self.factor(about, clip)) }
            }
        };
        // A typed number of frames is exact, even if the keys are off the grid.
        let is_exact = typed.is_some() && !matches!(self.kind, KeyDragKind::Scale { .. });
        let is_free = self.lock == Some(Lock::Value) || is_exact || self.now.held.ctrl == snaps;
        let grid = Some(if is_free { Grid::Free } else { Grid::Frames });
        KeysChange { times, original: self.original, grid, values: self.values(clip) }
    }

    /// The distance of the mouse from `about`, relative to its distance at the start.
    fn factor(&self, about: Time, clip: &Clip) -> f64 {
        let from = self.from.map_or(about, |from| from.time) - about;
        let far = (from.0.abs() >= clip.frame_rate.frame().0 / 4).then_some(from);
        far.map_or(1.0, |from| (from + self.way().0).0 as f64 / from.0 as f64)
    }

    /// The change of a dragged value.
    fn rise(&self, dragged_values: &DraggedValue) -> f32 {
        match (self.lock, self.typed.value()) {
            (Some(Lock::Value), Some(typed)) => typed as f32,
            (Some(Lock::Time) | None, Some(_)) => 0.0,
            (_, None) => self.way().1 * dragged_values.per_point,
        }
    }

    /// The new values of the keys whose values are dragged.
    fn values(&self, clip: &Clip) -> Vec<(KeyRef, Vec4)> {
        if self.lock == Some(Lock::Time) || matches!(self.kind, KeyDragKind::Scale { .. } | KeyDragKind::Ripple) {
            return Vec::new();
        }
        let all = self.dragged_values.as_deref().unwrap_or_default();
        // The axes of one key follow each other.
        let of_key = |axes: &[DraggedValue]| {
            let (key, (mut shown, order)) = (axes.first()?.key, axes.first()?.shown);
            let keyframe = clip.keyframes.get(key.keyframe)?;
            let original = keyframe.key(key.bone, key.channel)?.value;
            axes.iter().for_each(|axis| shown[axis.axis.min(2)] += self.rise(axis));
            let value = curves::value(key.channel, shown, order);
            // Manual tangents belong to the sign of the original quaternion.
            let is_opposite = key.channel == Channel::Rotation && value.dot(original) < 0.0;
            Some((key, if is_opposite { -value } else { value }))
        };
        all.chunk_by(|a, b| a.key == b.key).filter_map(of_key).collect()
    }

    /// The status line: "Move 3 frames".
    pub fn status(&self, clip: &Clip) -> String {
        let moved = |unit: &str| match self.typed.text() {
            Some(typed) => format!("{unit} {typed} frames"),
            None => {
                let frames = clip.frame_rate.frames_in(self.way().0);
                format!("{unit} {frames:+.1} frames").replace(".0 ", " ")
            }
        };
        match (self.kind, self.lock) {
            (KeyDragKind::Scale { about }, _) => match self.typed.text() {
                Some(typed) => format!("Scale {typed}×"),
                None => format!("Scale {:.2}×", self.factor(about, clip)),
            },
            (_, Some(Lock::Value)) => format!("Value {}", self.typed.text().unwrap_or_default()).trim_end().to_owned(),
            (KeyDragKind::Ripple, _) => moved("Ripple"),
            (KeyDragKind::Move, _) => moved("Move"),
        }
    }
}
