//! The pressed controls in the game: keys, buttons of gamepads and a stick, as buttons of the simulation.

use winit::keyboard::KeyCode;

use keypose_editor::game::input::{Buttons, Held};

use crate::app::play::controls::names::Device;
use crate::app::play::controls::pad::PadStyle;
use crate::app::play::controls::{Controls, Press};
use crate::app::play::gamepad::{PadEvent, directions};

/// The input of a game.
#[derive(Debug, Default)]
pub struct PlayInput {
    /// The assignment of keys and gamepad buttons.
    pub controls: Controls,
    /// The device that was used last.
    pub device: Device,
    held: Vec<Press>,
    stick: Buttons,
    /// Buttons pressed since the last tick, even if they are released again.
    tapped: Buttons,
}

/// A movement through a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MenuKey {
    Up,
    Down,
    Left,
    Right,
    /// Takes what is selected.
    Confirm,
    /// Empties what is selected.
    Clear,
    /// Leaves the page.
    Back,
}

impl PlayInput {
    /// With these controls.
    pub fn new(controls: Controls) -> PlayInput {
        PlayInput { controls, ..PlayInput::default() }
    }

    /// Notes that something was pressed or released.
    pub fn note(&mut self, press: Press, state: Held) {
        self.held.retain(|held| *held != press);
        if state == Held::Down {
            self.held.push(press);
        }
    }

    /// Follows a gamepad. Returns what was pressed on it, a stick as its directions.
    pub fn pad(&mut self, event: PadEvent, style: PadStyle) -> Vec<PadPress> {
        match event {
            PadEvent::Button(button, state) => {
                self.note(Press::Pad(button), state);
                if state == Held::Up {
                    return Vec::new();
                }
                self.device = Device::Pad(style);
                vec![PadPress::Button(Press::Pad(button))]
            }
            PadEvent::Stick(place) => {
                let now = directions(self.stick, place);
                let pressed = now.pressed_since(self.stick);
                self.stick = now;
                if pressed == Buttons::NONE {
                    return Vec::new();
                }
                self.device = Device::Pad(style);
                vec![PadPress::Stick(pressed)]
            }
            PadEvent::Gone => {
                self.held.retain(|held| matches!(held, Press::Key(_)));
                (self.stick, self.device) = (Buttons::NONE, Device::Keyboard);
                Vec::new()
            }
        }
    }

    /// A press counts in the next tick, even if it is released before.
    pub fn tap(&mut self, buttons: Buttons) {
        self.tapped = self.tapped | buttons;
    }

    /// A press that a menu took: it counts again when it was released.
    pub fn take(&mut self, press: Press) {
        self.held.retain(|held| *held != press);
    }

    /// Releases everything, because the window lost the focus.
    pub fn release_all(&mut self) {
        (self.stick, self.tapped) = (Buttons::NONE, Buttons::NONE);
        self.held.clear();
    }

    /// The buttons of the next tick.
    pub fn next_tick(&mut self) -> Buttons {
        let of = |press: &Press| self.controls.control_of(*press).map_or(Buttons::NONE, |control| control.buttons());
        let held = self.held.iter().map(of).fold(self.stick | self.tapped, |all, buttons| all | buttons);
        self.tapped = Buttons::NONE;
        held
    }

    /// Returns the meaning of a press in a menu.
    pub fn menu_key(&self, press: Press) -> Option<MenuKey> {
        use crate::app::play::controls::pad::PadButton as P;
        let fixed = match press {
            Press::Key(KeyCode::ArrowUp) => Some(MenuKey::Up),
            Press::Key(KeyCode::ArrowDown) => Some(MenuKey::Down),
            Press::Key(KeyCode::ArrowLeft) => Some(MenuKey::Left),
            Press::Key(KeyCode::ArrowRight) => Some(MenuKey::Right),
            Press::Key(KeyCode::Enter | KeyCode::NumpadEnter | KeyCode::Space) | Press::Pad(P::South) => {
                Some(MenuKey::Confirm)
            }
            Press::Key(KeyCode::Delete | KeyCode::Backspace) | Press::Pad(P::North) => Some(MenuKey::Clear),
            Press::Key(KeyCode::Escape) | Press::Pad(P::East | P::Start) => Some(MenuKey::Back),
            Press::Key(_) | Press::Pad(_) => None,
        };
        let held = self.controls.control_of(press).map_or(Buttons::NONE, |control| control.buttons());
        fixed.or_else(|| direction(held))
    }
}

/// A press on a gamepad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadPress {
    /// A button of the gamepad.
    Button(Press),
    /// Directions of the stick.
    Stick(Buttons),
}

/// The movement through a menu of a direction.
pub fn direction(buttons: Buttons) -> Option<MenuKey> {
    let keys = [
        (Buttons::UP, MenuKey::Up),
        (Buttons::DOWN, MenuKey::Down),
        (Buttons::LEFT, MenuKey::Left),
        (Buttons::RIGHT, MenuKey::Right),
    ];
    keys.into_iter().find(|(side, _)| buttons.has(*side)).map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::play::controls::pad::PadButton;

    #[test]
    fn keys_buttons_and_the_stick_are_buttons_of_the_game() {
        let mut input = PlayInput::default();
        input.note(Press::Key(KeyCode::KeyD), Held::Down);
        input.pad(PadEvent::Button(PadButton::RightTrigger, Held::Down), PadStyle::Letters);
        assert_eq!(input.pad(PadEvent::Stick([0.0, -1.0]), PadStyle::Letters), [PadPress::Stick(Buttons::DOWN)]);
        assert_eq!(input.next_tick(), Buttons::RIGHT | Buttons::RUN | Buttons::DOWN);
        assert_eq!(input.device, Device::Pad(PadStyle::Letters));
        input.pad(PadEvent::Gone, PadStyle::Letters);
        assert_eq!((input.next_tick(), input.device), (Buttons::RIGHT, Device::Keyboard), "it was unplugged");
    }

    #[test]
    fn a_tap_counts_in_one_tick_and_a_taken_press_not_at_all() {
        let mut input = PlayInput::default();
        let jump = Press::Key(KeyCode::Space);
        input.note(jump, Held::Down);
        input.tap(Buttons::JUMP);
        input.note(jump, Held::Up);
        assert_eq!([input.next_tick(), input.next_tick()], [Buttons::JUMP, Buttons::NONE]);
        input.note(jump, Held::Down);
        assert_eq!(input.menu_key(jump), Some(MenuKey::Confirm));
        input.take(jump);
        assert_eq!(input.next_tick(), Buttons::NONE);
    }
}
