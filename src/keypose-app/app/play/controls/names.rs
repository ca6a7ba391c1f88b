//! The names of the controls' keys as the user sees them: in the line of help, in the title and in the menu.

use keypose_editor::editor::session::printed_keys::PrintedKeys;

use crate::app::play::controls::pad::PadStyle;
use crate::app::play::controls::{Control, Controls, Press, key_names};

/// Maximum number of keys of a control that a line of help names.
const MAX_NAMED: usize = 2;

/// The user's input device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The default.
    #[default]
    Keyboard,
    /// A gamepad.
    Pad(PadStyle),
}

/// How much help names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The controls that a newcomer needs to play.
    Needed,
    /// Every control.
    All,
}

/// The names of all controls, on a device.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The user's assignments.
    pub controls: &'a Controls,
    /// The letters on the user's keys.
    pub printed: &'a PrintedKeys,
    /// The device that was used last.
    pub device: Device,
    /// Whether the game was started in the editor, and not for players.
    pub has_editor: bool,
}

impl Names<'_> {
    /// The name of a key or a button.
    pub fn of_press(&self, press: Press) -> String {
        match press {
            Press::Key(code) => key_names::printed(code, self.printed),
            Press::Pad(button) => button.label(self.style()).to_owned(),
        }
    }

    /// Returns the labels of the gamepad's buttons.
    fn style(&self) -> PadStyle {
        if let Device::Pad(style) = self.device { style } else { PadStyle::default() }
    }

    /// The keys of a control, or its button: "J or X". `None` if it has none on this device.
    pub fn of(&self, control: Control) -> Option<String> {
        let names: Vec<String> = match self.device {
            Device::Keyboard => self.controls.keys(control).take(MAX_NAMED).map(Press::Key).collect::<Vec<_>>(),
            Device::Pad(_) => self.controls.pad(control).into_iter().map(Press::Pad).collect(),
        }
        .into_iter()
        .map(|press| self.of_press(press))
        .collect();
        (!names.is_empty()).then(|| names.join(" or "))
    }

    /// The first key of a control, or its button.
    fn first(&self, control: Control) -> Option<String> {
        match self.device {
            Device::Keyboard => self.controls.keys(control).next().map(|code| self.of_press(Press::Key(code))),
            Device::Pad(_) => self.of(control),
        }
    }

    /// The lines of help: what one needs to play, then the rest, or of that only where it is found.
    pub fn help(&self, extent: Extent) -> [Vec<(String, &'static str)>; 2] {
        let two = |a, b| Some(format!("{} and {}", self.first(a)?, self.first(b)?));
        let walk = match self.device {
            Device::Keyboard => two(Control::Left, Control::Right),
            Device::Pad(_) => Some("Left stick".to_owned()),
        };
        let with = |a, b| Some(format!("{} + {}", self.first(a)?, self.first(b)?));
        let row = |keys: Option<String>, does: &'static str| Some((keys?, does));
        let play = [
            row(walk, "walk"),
            row(self.first(Control::Run), "run"),
            row(self.of(Control::Jump), "jump"),
            row(self.of(Control::Attack), "attack"),
            row(self.of(Control::Roll), "roll"),
            row(self.of(Control::Down), "crouch"),
            row(with(Control::Down, Control::Attack), "stab"),
            row(two(Control::Up, Control::Down), "climb"),
        ];
        let menu = if self.device == Device::Keyboard { Some("Esc".to_owned()) } else { self.of(Control::Pause) };
        let editor = (self.device == Device::Keyboard).then(|| "F5".to_owned());
        let others = match extent {
            Extent::Needed => {
                let editor = editor.filter(|_| self.has_editor);
                vec![row(menu, "menu"), row(editor, "editor"), row(self.of(Control::Help), "all keys")]
            }
            Extent::All => vec![
                row(menu, "menu"),
                row(editor, "editor"),
                row(self.of(Control::Restart), "start again"),
                row(self.of(Control::Sound), "sound"),
                row(self.of(Control::Help), "hide the keys"),
                row(self.of(Control::StepTick), "step one tick"),
                row(self.of(Control::SlowMotion), "slow motion"),
                row(self.of(Control::Volumes), "volumes"),
            ],
        };
        [play.into_iter().flatten().collect(), others.into_iter().flatten().collect()]
    }
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use keypose_editor::editor::panels::window::manual::pages::PAGES;

    use super::*;
    use crate::app::play::controls::Slot;

    #[test]
    fn the_tutorial_names_the_keys_that_the_game_shows() {
        let (controls, printed) = (Controls::default(), PrintedKeys::default());
        let names = Names { controls: &controls, printed: &printed, device: Device::Keyboard, has_editor: true };
        let [left, right, jump, attack] =
            [Control::Left, Control::Right, Control::Jump, Control::Attack].map(|of| names.first(of).unwrap());
        let sentence = format!("Walk with {left} and {right}, jump with {jump}, attack with {attack}.");
        assert!(PAGES.iter().any(|page| page.text.contains(&sentence)), "{sentence}");
    }

    #[test]
    fn help_names_the_present_keys() {
        let (mut controls, printed) = (Controls::default(), PrintedKeys::default());
        let attack = |controls: &Controls, device| {
            let [play, _] = Names { controls, printed: &printed, device, has_editor: true }.help(Extent::Needed);
            play.into_iter().find(|(_, does)| *does == "attack").map(|(keys, _)| keys)
        };
        assert_eq!(attack(&controls, Device::Keyboard).as_deref(), Some("J or X"));
        assert_eq!(attack(&controls, Device::Pad(PadStyle::Shapes)).as_deref(), Some("Square"));
        controls.assign(Slot { control: Control::Attack, column: 0 }, Press::Key(KeyCode::KeyB));
        assert_eq!(attack(&controls, Device::Keyboard).as_deref(), Some("B or X"));
        for column in (0..crate::app::play::controls::KEYS).rev() {
            controls.clear(Slot { control: Control::Attack, column });
        }
        assert_eq!(attack(&controls, Device::Keyboard), None);
        let rest = |has_editor| {
            let names = Names { controls: &controls, printed: &printed, device: Device::Keyboard, has_editor };
            [Extent::Needed, Extent::All].map(|extent| names.help(extent)[1].len())
        };
        assert_eq!((rest(true), rest(false)), ([3, 8], [2, 8]), "players don't need the editor");
    }
}
