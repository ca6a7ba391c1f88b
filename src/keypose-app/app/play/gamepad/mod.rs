//! Gamepads: what happened to their buttons and sticks since the last frame. Without one, without the system's library for
//! them, or without the feature `gamepad`, nothing ever does.

use keypose_editor::game::input::{Buttons, Held};

use crate::app::play::controls::pad::{PadButton, PadStyle};

#[cfg(feature = "gamepad")]
mod system;

/// An event of a gamepad.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(any(feature = "gamepad", test)), expect(dead_code, reason = "without the feature nothing happens"))]
pub enum PadEvent {
    /// A button was pressed or released.
    Button(PadButton, Held),
    /// The left stick moved: right and up, -1..=1 each.
    Stick([f32; 2]),
    /// The gamepad was unplugged.
    Gone,
}

/// All gamepads; they act as one.
#[derive(Debug)]
pub struct Gamepads {
    /// `None` if the system has no library for them.
    #[cfg(feature = "gamepad")]
    system: Option<system::System>,
}

#[cfg(feature = "gamepad")]
impl Gamepads {
    /// Starts to listen to them.
    pub fn open() -> Gamepads {
        Gamepads { system: system::System::open() }
    }

    /// Returns the events since the last call.
    pub fn poll(&mut self) -> Vec<PadEvent> {
        self.system.as_mut().map(system::System::poll).unwrap_or_default()
    }

    /// Whether one is plugged in.
    pub fn is_connected(&self) -> bool {
        self.system.as_ref().is_some_and(system::System::is_connected)
    }

    /// Returns the labels on the gamepad that was used last.
    pub fn style(&self) -> PadStyle {
        self.system.as_ref().map(system::System::style).unwrap_or_default()
    }
}

#[cfg(not(feature = "gamepad"))]
impl Gamepads {
    /// There are none.
    pub fn open() -> Gamepads {
        Gamepads {}
    }

    /// Nothing happened.
    pub fn poll(&mut self) -> Vec<PadEvent> {
        Vec::new()
    }

    /// None is.
    pub fn is_connected(&self) -> bool {
        false
    }

    /// The usual one.
    pub fn style(&self) -> PadStyle {
        PadStyle::default()
    }
}

/// A stick counts as pressed in a direction from here on …
const PRESSED: f32 = 0.5;
/// … until it is nearer than this, so that it doesn't flicker at the edge.
const RELEASED: f32 = 0.35;

/// The directions in which a stick is held, from those before and its place: right and up, -1..=1 each.
pub fn directions(before: Buttons, [x, y]: [f32; 2]) -> Buttons {
    let sides = [(Buttons::LEFT, -x), (Buttons::RIGHT, x), (Buttons::DOWN, -y), (Buttons::UP, y)];
    let is_held = |(side, push): &(Buttons, f32)| *push > if before.has(*side) { RELEASED } else { PRESSED };
    sides.into_iter().filter(is_held).fold(Buttons::NONE, |all, (side, _)| all | side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_does_not_flicker_at_the_edge() {
        let none = Buttons::NONE;
        assert_eq!(directions(none, [0.45, 0.0]), none);
        let right = directions(none, [0.6, -0.2]);
        assert_eq!(right, Buttons::RIGHT);
        assert_eq!(directions(right, [0.45, 0.0]), Buttons::RIGHT);
        assert_eq!(directions(right, [0.3, 0.0]), none);
        assert_eq!(directions(none, [-0.7, 0.7]), Buttons::LEFT | Buttons::UP);
        assert_eq!(directions(right, [f32::NAN, 0.0]), none);
    }
}
