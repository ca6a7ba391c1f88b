//! The system's gamepads, by the library for them: udev on Linux.

use gilrs::{Axis, Button, EventType, Gilrs, GilrsBuilder};

use keypose_editor::game::input::Held;

use crate::app::play::controls::pad::{PadButton, PadStyle};
use crate::app::play::gamepad::PadEvent;

/// The maker of gamepads with shapes on their buttons.
const SHAPES_VENDOR: u16 = 0x054c;

/// The open library.
#[derive(Debug)]
pub struct System {
    gilrs: Gilrs,
    /// The left stick of the gamepad that was used last.
    stick: [f32; 2],
    style: PadStyle,
}

impl System {
    /// Opens it; `None` if it is not available.
    pub fn open() -> Option<System> {
        let gilrs = GilrsBuilder::new().with_force_feedback(false).build().ok()?;
        Some(System { gilrs, stick: [0.0; 2], style: PadStyle::default() })
    }

    /// Returns the events since the last call.
    pub fn poll(&mut self) -> Vec<PadEvent> {
        let mut events = Vec::new();
        while let Some(event) = self.gilrs.next_event() {
            events.extend(self.event(event.event));
            if self.gilrs.connected_gamepad(event.id).is_some() {
                let vendor = self.gilrs.gamepad(event.id).vendor_id();
                self.style = if vendor == Some(SHAPES_VENDOR) { PadStyle::Shapes } else { PadStyle::Letters };
            }
        }
        events
    }

    fn event(&mut self, event: EventType) -> Option<PadEvent> {
        let button = |button, held| Some(PadEvent::Button(button_of(button)?, held));
        match event {
            EventType::ButtonPressed(pressed, _) => button(pressed, Held::Down),
            EventType::ButtonReleased(released, _) => button(released, Held::Up),
            EventType::AxisChanged(axis @ (Axis::LeftStickX | Axis::LeftStickY), value, _) => {
                self.stick[usize::from(axis == Axis::LeftStickY)] = value;
                Some(PadEvent::Stick(self.stick))
            }
            EventType::Disconnected => {
                self.stick = [0.0; 2];
                Some(PadEvent::Gone)
            }
            // Those of other sticks, repeats, and what later versions of the library report.
            _ => None,
        }
    }

    /// Whether one is plugged in.
    pub fn is_connected(&self) -> bool {
        self.gilrs.gamepads().next().is_some()
    }

    /// Returns the labels on the gamepad that was used last.
    pub fn style(&self) -> PadStyle {
        self.style
    }
}

fn button_of(button: Button) -> Option<PadButton> {
    Some(match button {
        Button::South => PadButton::South,
        Button::East => PadButton::East,
        Button::West => PadButton::West,
        Button::North => PadButton::North,
        Button::LeftTrigger => PadButton::LeftShoulder,
        Button::RightTrigger => PadButton::RightShoulder,
        Button::LeftTrigger2 => PadButton::LeftTrigger,
        Button::RightTrigger2 => PadButton::RightTrigger,
        Button::Select => PadButton::Select,
        Button::Start => PadButton::Start,
        Button::LeftThumb => PadButton::LeftStick,
        Button::RightThumb => PadButton::RightStick,
        Button::DPadUp => PadButton::DpadUp,
        Button::DPadDown => PadButton::DpadDown,
        Button::DPadLeft => PadButton::DpadLeft,
        Button::DPadRight => PadButton::DpadRight,
        Button::C | Button::Z | Button::Mode | Button::Unknown => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_librarys_upper_triggers_are_our_shoulders() {
        assert_eq!(button_of(Button::LeftTrigger), Some(PadButton::LeftShoulder));
        assert_eq!(button_of(Button::RightTrigger2), Some(PadButton::RightTrigger));
        assert_eq!(button_of(Button::Mode), None, "the system's");
    }

    const LIBRARY: [Button; 20] = [
        Button::South,
        Button::East,
        Button::North,
        Button::West,
        Button::C,
        Button::Z,
        Button::LeftTrigger,
        Button::LeftTrigger2,
        Button::RightTrigger,
        Button::RightTrigger2,
        Button::Select,
        Button::Start,
        Button::Mode,
        Button::LeftThumb,
        Button::RightThumb,
        Button::DPadUp,
        Button::DPadDown,
        Button::DPadLeft,
        Button::DPadRight,
        Button::Unknown,
    ];

    #[test]
    fn each_of_our_buttons_is_one_of_the_librarys() {
        let mut found: Vec<_> = LIBRARY.into_iter().filter_map(button_of).map(|button| button as usize).collect();
        found.sort_unstable();
        assert_eq!(found, PadButton::ALL.map(|button| button as usize));
    }
}
