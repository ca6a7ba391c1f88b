//! A number that the mouse changes sideways, or that is typed: the amount of a blend with the neighbouring keyframes, and the frames by
//! which each bone of a chain lags.

use glam::Vec2;

use crate::editor::document::edit::ClipEdit;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::gesture::{Drag, end};
use crate::editor::ops::delay_chain::{Link, delays};
use crate::editor::posing::change::Change;
use crate::editor::posing::mixing::Mix;
use crate::editor::session::pointer::{ModalKey, PointerEvent};
use crate::editor::session::shortcuts::Modifiers;
use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;

/// Points of the display that the mouse moves for an amount of 1.
const POINTS_PER_AMOUNT: f32 = 240.0;
/// Points of the display that the mouse moves for a frame.
const POINTS_PER_FRAME: f32 = 40.0;
/// The speed of the mouse while Shift is held.
const FINE: f32 = 0.1;
/// The step of a snapped amount.
const STEP: f32 = 0.1;
/// The steps of a frame while Shift is held.
const FINE_PARTS: f64 = 10.0;
/// The maximum of a typed amount, positive or negative.
const MAX_TYPED: f32 = 10.0;
/// The maximum, in frames either way.
const MAX_FRAMES: f32 = 10_000.0;

/// A mix or a delay whose number follows the mouse.
#[derive(Clone, Debug, PartialEq)]
pub enum Slid {
    /// The amount of a mix; percents are typed.
    Mix(Mix),
    /// The frames by which each bone of a chain lags behind the one before it.
    Delay {
        id: ClipId,
        /// The clip before it, without its keyframes.
        before: Box<Clip>,
        chain: Vec<Link>,
    },
}

/// A change of a number in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct SlideDrag {
    /// A mix or a delay.
    pub slid: Slid,
    typed: TypedNumber,
    last_x: f32,
    number: f32,
    held: Modifiers,
    pixels_per_point: f32,
}

impl SlideDrag {
    /// Starts a mix with the mouse at `pixel`, and its default amount.
    pub fn mix(mix: Mix, pixel: Vec2, pixels_per_point: f32) -> SlideDrag {
        SlideDrag::new(Slid::Mix(mix), mix.default_amount(), pixel, pixels_per_point)
    }

    /// Starts to delay a chain with the mouse at `pixel`, by one frame for each bone.
    pub fn delay((id, clip): (ClipId, &Clip), chain: Vec<Link>, pixel: Vec2, pixels_per_point: f32) -> SlideDrag {
        let before = Clip { delays: clip.delays.clone(), frame_rate: clip.frame_rate, ..Clip::default() };
        SlideDrag::new(Slid::Delay { id, before: before.into(), chain }, 1.0, pixel, pixels_per_point)
    }

    fn new(slid: Slid, number: f32, pixel: Vec2, pixels_per_point: f32) -> SlideDrag {
        let (typed, held) = (TypedNumber::default(), Modifiers::default());
        SlideDrag { slid, typed, last_x: pixel.x, number, held, pixels_per_point }
    }

    /// Handles the mouse: a move to the right increases the number, a click commits.
    pub fn pointer(&mut self, event: &PointerEvent) -> Drag {
        if let Some(end) = end(event.kind, true) {
            return end;
        }
        self.moved(event.pixel, event.held);
        Drag::Preview(self.change())
    }

    /// Handles a key of the keyboard.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        self.typed.key(key).unwrap_or_else(|| Drag::Preview(self.change()))
    }

    fn moved(&mut self, pixel: Vec2, held: Modifiers) {
        let (points_per_one, max) = match self.slid {
            Slid::Mix(_) => (POINTS_PER_AMOUNT, f32::MAX),
            Slid::Delay { .. } => (POINTS_PER_FRAME, MAX_FRAMES),
        };
        let points = (pixel.x - self.last_x) / self.pixels_per_point.max(0.5);
        let number = self.number + points / points_per_one * if held.shift { FINE } else { 1.0 };
        self.number = number.clamp(-max, max);
        (self.last_x, self.held) = (pixel.x, held);
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        match &self.slid {
            Slid::Mix(mix) => Change::Mix(*mix, self.amount(*mix)),
            Slid::Delay { id, before, chain } => {
                let delays = delays(before, chain, before.frame_rate.time_of_frames(self.frames()));
                Change::Edits(vec![ClipEdit::SetDelays { clip: *id, delays }.into()])
            }
        }
    }

    /// The typed amount, or the amount of the mouse within the range of the mix.
    fn amount(&self, mix: Mix) -> f32 {
        if let Some(percent) = self.typed.value() {
            return (percent as f32 / 100.0).clamp(-MAX_TYPED, MAX_TYPED);
        }
        let amount = if self.held.ctrl { (self.number / STEP).round() * STEP } else { self.number };
        amount.clamp(*mix.range().start(), *mix.range().end())
    }

    /// The typed frames, or the frames of the mouse, which are whole unless Shift is held.
    fn frames(&self) -> f64 {
        let typed = self.typed.value().map(|frames| frames.clamp(-f64::from(MAX_FRAMES), f64::from(MAX_FRAMES)));
        let parts = if self.held.shift { FINE_PARTS } else { 1.0 };
        typed.unwrap_or_else(|| (f64::from(self.number) * parts).round() / parts)
    }

    /// The status line: "Breakdown pose 45 %", "Delay chain 2 frames a bone · 4 bones".
    pub fn status(&self) -> String {
        let text = match &self.slid {
            Slid::Mix(mix) => format!("{} {:.0} %", mix.name(), self.amount(*mix) * 100.0),
            Slid::Delay { chain, .. } => {
                format!("Delay chain {} frames a bone · {} bones", self.frames(), chain.len())
            }
        };
        text + &self.typed.status()
    }
}
