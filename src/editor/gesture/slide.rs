//! Mixing the pose with its neighbours by a movement of the mouse to the side, or a typed percentage. Pixels in, an
//! amount out; nothing here knows the editor.

use glam::Vec2;

use crate::editor::posing::mixing::Mix;
use crate::editor::session::shortcuts::Modifiers;

/// Points of the display that the mouse goes for the whole of an amount.
const WHOLE_POINTS: f32 = 240.0;
/// Steps of a snapped amount.
const STEP: f32 = 0.1;
/// Shift makes the mouse this much slower.
const FINE: f32 = 0.1;
/// The largest amount that can be typed, either way.
const MOST_TYPED: f32 = 10.0;

/// A mix that is under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// What is mixed.
    pub mix: Mix,
    /// The percentage that was typed, as typed.
    pub typed: String,
    last: f32,
    steered: f32,
    pixels_per_point: f32,
    snaps: bool,
}

impl Slide {
    /// Begins with the mouse at a pixel and the mix's usual amount.
    pub fn new(mix: Mix, pixel: Vec2, pixels_per_point: f32) -> Slide {
        let steered = mix.default_amount();
        Slide { mix, typed: String::new(), last: pixel.x, steered, pixels_per_point, snaps: false }
    }

    /// The mouse moved: to the right is more.
    pub fn moved(&mut self, pixel: Vec2, held: Modifiers) {
        let points = (pixel.x - self.last) / self.pixels_per_point.max(0.5);
        self.steered += points / WHOLE_POINTS * if held.shift { FINE } else { 1.0 };
        self.last = pixel.x;
        self.snaps = held.ctrl;
    }

    /// How much is mixed: typed, or as far as the mouse went and the mix goes.
    pub fn amount(&self) -> f32 {
        if let Some(percent) = self.typed.parse().ok().filter(|percent: &f32| percent.is_finite()) {
            return (percent / 100.0).clamp(-MOST_TYPED, MOST_TYPED);
        }
        let range = self.mix.range();
        let amount = if self.snaps { (self.steered / STEP).round() * STEP } else { self.steered };
        amount.clamp(*range.start(), *range.end())
    }

    /// One line that says what happens: "Breakdown 45 %".
    pub fn text(&self) -> String {
        let name = self.mix.name();
        let capital = name[..1].to_uppercase() + &name[1..];
        let typed = if self.typed.is_empty() { String::new() } else { format!(" · typed {}", self.typed) };
        format!("{capital} {:.0} %{typed}", self.amount() * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mouse_and_typed_numbers_set_the_amount() {
        let none = Modifiers::default();
        let mut slide = Slide::new(Mix::Breakdown, Vec2::ZERO, 1.0);
        assert_eq!(slide.text(), "Breakdown 50 %");
        slide.moved(Vec2::new(60.0, 500.0), none);
        assert!((slide.amount() - 0.75).abs() < 1e-6);
        slide.moved(Vec2::new(180.0, 0.0), Modifiers { shift: true, ..none });
        assert!((slide.amount() - 0.8).abs() < 1e-6);
        slide.moved(Vec2::new(188.0, 0.0), Modifiers { ctrl: true, ..none });
        assert!((slide.amount() - 0.8).abs() < 1e-6, "snapped: {}", slide.amount());
        slide.moved(Vec2::new(9e9, 0.0), none);
        assert_eq!(slide.amount(), *Mix::Breakdown.range().end());
        for (typed, expected) in [("30", 0.3), ("-20", -0.2), ("-", 1.5), ("99999", 10.0)] {
            slide.typed = typed.into();
            assert!((slide.amount() - expected).abs() < 1e-6, "{typed}");
        }
    }
}
