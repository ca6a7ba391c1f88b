//! Blending the pose with its neighbouring keyframes by dragging sideways, or by a typed percentage.

use glam::Vec2;

use crate::editor::gesture::Drag;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::posing::change::Change;
use crate::editor::posing::mixing::Mix;
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::shortcuts::Modifiers;

/// Points of the display that the mouse moves for an amount of 1.
const POINTS_PER_AMOUNT: f32 = 240.0;
/// The step of a snapped amount.
const STEP: f32 = 0.1;
/// The speed of the mouse while Shift is held.
const FINE: f32 = 0.1;
/// The maximum of a typed amount, positive or negative.
const MAX_TYPED: f32 = 10.0;

/// A mix in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct MixDrag {
    /// The kind of mix.
    pub mix: Mix,
    typed: TypedNumber,
    last_x: f32,
    amount: f32,
    pixels_per_point: f32,
    snaps: bool,
}

impl MixDrag {
    /// Starts with the mouse at `pixel` and the default amount of the mix.
    pub fn new(mix: Mix, pixel: Vec2, pixels_per_point: f32) -> MixDrag {
        let amount = mix.default_amount();
        MixDrag { mix, typed: TypedNumber::default(), last_x: pixel.x, amount, pixels_per_point, snaps: false }
    }

    /// Handles the mouse: a move to the right increases the amount, a click commits.
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
        self.amount += points / POINTS_PER_AMOUNT * if held.shift { FINE } else { 1.0 };
        self.last_x = pixel.x;
        self.snaps = held.ctrl;
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        Change::Mix(self.mix, self.amount())
    }

    /// The typed amount, or the amount of the mouse within the range of the mix.
    pub fn amount(&self) -> f32 {
        if let Some(percent) = self.typed.value() {
            return (percent as f32 / 100.0).clamp(-MAX_TYPED, MAX_TYPED);
        }
        let range = self.mix.range();
        let amount = if self.snaps { (self.amount / STEP).round() * STEP } else { self.amount };
        amount.clamp(*range.start(), *range.end())
    }

    /// The status line: "Breakdown pose 45 %".
    pub fn status(&self) -> String {
        format!("{} {:.0} %{}", self.mix.name(), self.amount() * 100.0, self.typed.status())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_and_typed_numbers_set_the_amount() {
        let none = Modifiers::default();
        let mut drag = MixDrag::new(Mix::Breakdown, Vec2::ZERO, 1.0);
        assert_eq!(drag.status(), "Breakdown pose 50 %");
        drag.moved(Vec2::new(60.0, 500.0), none);
        assert!((drag.amount() - 0.75).abs() < 1e-6);
        drag.moved(Vec2::new(180.0, 0.0), Modifiers { shift: true, ..none });
        assert!((drag.amount() - 0.8).abs() < 1e-6);
        drag.moved(Vec2::new(188.0, 0.0), Modifiers { ctrl: true, ..none });
        assert!((drag.amount() - 0.8).abs() < 1e-6, "snapped: {}", drag.amount());
        drag.moved(Vec2::new(9e9, 0.0), none);
        assert_eq!(drag.amount(), *Mix::Breakdown.range().end());
        for (typed, expected) in [("30", 0.3), ("-20", -0.2), ("-", 1.5), ("99999", 10.0)] {
            drag.typed = TypedNumber::default();
            typed.chars().for_each(|digit| drop(drag.key(ModalKey::Char(digit))));
            assert!((drag.amount() - expected).abs() < 1e-6, "{typed}");
        }
    }
}
