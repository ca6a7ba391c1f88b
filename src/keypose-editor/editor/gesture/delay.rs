//! Delaying a chain of bones by dragging sideways, or by typed frames: each bone lags behind the one before it.

use glam::Vec2;

use crate::editor::document::edit::ClipEdit;
use crate::editor::gesture::Drag;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::ops::delay_chain::{Link, delays};
use crate::editor::posing::change::Change;
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::shortcuts::Modifiers;
use keypose::anim::clip::Clip;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::id::ClipId;

/// Points of the display that the mouse moves for a frame.
const POINTS_PER_FRAME: f32 = 40.0;
/// The speed of the mouse while Shift is held; then frames needn't be whole.
const FINE: f32 = 0.25;
/// The maximum, in frames either way.
const MAX_FRAMES: f32 = 10_000.0;
/// Initial lag of each bone behind the one before it, in frames.
const FIRST: f32 = 1.0;

/// A delay of a chain in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayDrag {
    id: ClipId,
    /// The clip before it, without its keyframes.
    before: Clip,
    chain: Vec<Link>,
    typed: TypedNumber,
    last_x: f32,
    frames: f32,
    is_fine: bool,
    pixels_per_point: f32,
}

impl DelayDrag {
    /// Starts with the mouse at `pixel` and one frame for each bone.
    pub fn new((id, clip): (ClipId, &Clip), chain: Vec<Link>, pixel: Vec2, pixels_per_point: f32) -> DelayDrag {
        let before = Clip { delays: clip.delays.clone(), frame_rate: clip.frame_rate, ..Clip::default() };
        let (typed, last_x) = (TypedNumber::default(), pixel.x);
        DelayDrag { id, before, chain, typed, last_x, frames: FIRST, is_fine: false, pixels_per_point }
    }

    /// Handles the mouse: a move to the right increases the delay, a click commits.
    pub fn pointer(&mut self, event: &PointerEvent) -> Drag {
        match event.kind {
            PointerKind::Moved => self.moved(event.pixel, event.held),
            PointerKind::Pressed | PointerKind::DoubleClicked => return Drag::Commit,
            PointerKind::Released | PointerKind::Exited | PointerKind::MenuClicked => return Drag::Ignore,
        }
        Drag::Preview(self.change())
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        self.typed.key(key).unwrap_or_else(|| Drag::Preview(self.change()))
    }

    fn moved(&mut self, pixel: Vec2, held: Modifiers) {
        let points = (pixel.x - self.last_x) / self.pixels_per_point.max(0.5);
        let frames = self.frames + points / POINTS_PER_FRAME * if held.shift { FINE } else { 1.0 };
        self.frames = frames.clamp(-MAX_FRAMES, MAX_FRAMES);
        (self.last_x, self.is_fine) = (pixel.x, held.shift);
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        let delays = delays(&self.before, &self.chain, time_of(self.frames(), self.before.frame_rate));
        Change::Edits(vec![ClipEdit::SetDelays { clip: self.id, delays }.into()])
    }

    /// The lag of each bone behind the one before it, in frames.
    fn frames(&self) -> f64 {
        let typed = self.typed.value().map(|frames| frames.clamp(-f64::from(MAX_FRAMES), f64::from(MAX_FRAMES)));
        typed.unwrap_or_else(|| {
            let frames = if self.is_fine { (self.frames * 10.0).round() / 10.0 } else { self.frames.round() };
            f64::from(frames)
        })
    }

    /// The status line: "Delay chain 2 frames a bone, 4 bones".
    pub fn status(&self) -> String {
        let (frames, bones) = (self.frames(), self.chain.len());
        format!("Delay chain {frames} frames a bone · {bones} bones{}", self.typed.status())
    }
}

/// The time of frames: exact if they are whole.
pub fn time_of(frames: f64, rate: FrameRate) -> Time {
    if frames.fract() == 0.0 { rate.time_of(frames as i64) } else { Time::from_secs(frames / rate.fps()) }
}
