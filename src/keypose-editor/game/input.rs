//! The buttons held in one tick, as bits. The application maps keys to buttons.

use std::ops::BitOr;

/// The buttons that are held in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buttons(pub u16);

impl Buttons {
    /// No button.
    pub const NONE: Buttons = Buttons(0);
    /// Walk left.
    pub const LEFT: Buttons = Buttons(1);
    /// Walk right.
    pub const RIGHT: Buttons = Buttons(2);
    /// Climb up; jump if no ladder is in reach.
    pub const UP: Buttons = Buttons(4);
    /// Crouch; climb down on a ladder; with Jump, drop through a platform.
    pub const DOWN: Buttons = Buttons(8);
    pub const JUMP: Buttons = Buttons(16);
    pub const ATTACK: Buttons = Buttons(32);
    /// Run instead of walk.
    pub const RUN: Buttons = Buttons(64);
    pub const ROLL: Buttons = Buttons(128);
    /// All that a player holds while playing.
    pub const ALL: Buttons = Buttons(255);
    /// Return to the last checkpoint, which costs a life: an entry of the menu.
    pub const RETURN: Buttons = Buttons(256);

    /// Returns true if any of `other` is held.
    pub fn has(self, other: Buttons) -> bool {
        self.0 & other.0 != 0
    }

    /// Sets the state of the buttons in `other`.
    pub fn with(self, other: Buttons, held: Held) -> Buttons {
        match held {
            Held::Down => Buttons(self.0 | other.0),
            Held::Up => Buttons(self.0 & !other.0),
        }
    }

    /// The buttons that are held now and were not before.
    pub fn pressed_since(self, before: Buttons) -> Buttons {
        Buttons(self.0 & !before.0)
    }

    /// -1, 0 or 1: left, neither or both, right.
    pub fn across(self) -> f32 {
        f32::from(u8::from(self.has(Self::RIGHT))) - f32::from(u8::from(self.has(Self::LEFT)))
    }

    /// -1, 0 or 1: down, neither or both, up.
    pub fn upward(self) -> f32 {
        f32::from(u8::from(self.has(Self::UP))) - f32::from(u8::from(self.has(Self::DOWN)))
    }
}

impl BitOr for Buttons {
    type Output = Buttons;
    fn bitor(self, other: Buttons) -> Buttons {
        Buttons(self.0 | other.0)
    }
}

/// The state of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Released.
    Up,
    /// Pressed.
    Down,
}
