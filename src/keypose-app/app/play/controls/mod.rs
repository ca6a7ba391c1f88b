//! The controls of the game: which keys of the keyboard and which button of a gamepad stand for what. A preference of the
//! user; the game itself knows buttons only.

use winit::keyboard::KeyCode;

use keypose::choice;
use keypose_editor::game::input::Buttons;

pub mod key_names;
pub mod names;
pub mod pad;
pub mod stored;

use pad::PadButton;

choice! {
    /// A control: a function of keys and gamepad buttons in the game, with its name in the preference file.
    #[derive(PartialOrd, Ord)]
    pub enum Control {
        Left = "Left",
        Right = "Right",
        Up = "Up",
        Down = "Down",
        Jump = "Jump",
        Attack = "Attack",
        Roll = "Roll",
        Run = "Run",
        Pause = "Pause",
        Restart = "Restart",
        Sound = "Sound",
        Help = "Help",
        StepTick = "StepTick",
        SlowMotion = "SlowMotion",
        Volumes = "Volumes",
    }
}

/// How many keys a control may have.
pub const KEYS: usize = 3;

impl Control {
    /// The number of controls.
    pub const COUNT: usize = Control::ALL.len();

    /// The name in the table of controls.
    pub fn label(self) -> &'static str {
        match self {
            Control::Left => "Walk left",
            Control::Right => "Walk right",
            Control::Up => "Climb up, jump",
            Control::Down => "Crouch, climb down",
            Control::Jump => "Jump",
            Control::Attack => "Attack",
            Control::Roll => "Roll",
            Control::Run => "Run",
            Control::Pause => "Pause",
            Control::Restart => "Start again",
            Control::Sound => "Sound on or off",
            Control::Help => "Show controls",
            Control::StepTick => "Step one tick",
            Control::SlowMotion => "Slow motion",
            Control::Volumes => "Show volumes",
        }
    }

    /// The button of the simulation; none for those that concern the program.
    pub fn buttons(self) -> Buttons {
        match self {
            Control::Left => Buttons::LEFT,
            Control::Right => Buttons::RIGHT,
            Control::Up => Buttons::UP,
            Control::Down => Buttons::DOWN,
            Control::Jump => Buttons::JUMP,
            Control::Attack => Buttons::ATTACK,
            Control::Roll => Buttons::ROLL,
            Control::Run => Buttons::RUN,
            Control::Pause
            | Control::Restart
            | Control::Sound
            | Control::Help
            | Control::StepTick
            | Control::SlowMotion
            | Control::Volumes => Buttons::NONE,
        }
    }

    /// Returns the default keys and the default button: for a hand on the arrows and one on Z, X and C, and for one on W, A, S and D
    /// and one on J, K and L.
    fn default(self) -> (&'static [KeyCode], Option<PadButton>) {
        use KeyCode as K;
        match self {
            Control::Left => (&[K::KeyA, K::ArrowLeft], Some(PadButton::DpadLeft)),
            Control::Right => (&[K::KeyD, K::ArrowRight], Some(PadButton::DpadRight)),
            Control::Up => (&[K::KeyW, K::ArrowUp], Some(PadButton::DpadUp)),
            Control::Down => (&[K::KeyS, K::ArrowDown], Some(PadButton::DpadDown)),
            Control::Jump => (&[K::Space, K::KeyZ, K::KeyK], Some(PadButton::South)),
            Control::Attack => (&[K::KeyJ, K::KeyX, K::ControlLeft], Some(PadButton::West)),
            Control::Roll => (&[K::KeyL, K::KeyC], Some(PadButton::East)),
            Control::Run => (&[K::ShiftLeft, K::ShiftRight], Some(PadButton::RightTrigger)),
            Control::Pause => (&[K::KeyP, K::Enter], Some(PadButton::Start)),
            Control::Restart => (&[K::KeyR], None),
            Control::Sound => (&[K::KeyM], None),
            Control::Help => (&[K::F1], Some(PadButton::Select)),
            Control::StepTick => (&[K::Period], None),
            Control::SlowMotion => (&[K::Comma], None),
            Control::Volumes => (&[K::KeyV], None),
        }
    }
}

/// Something that is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key, by its place on the keyboard.
    Key(KeyCode),
    /// A button of a gamepad.
    Pad(PadButton),
}

/// A place in the table of controls: the keys of a control are in the first columns, its button in the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The row.
    pub control: Control,
    /// The column, 0..=[`KEYS`].
    pub column: usize,
}

impl Slot {
    /// Whether it has a button of a gamepad, not a key.
    pub fn is_pad(self) -> bool {
        self.column == KEYS
    }
}

/// The keys and the button of each control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controls {
    keys: [[Option<KeyCode>; KEYS]; Control::COUNT],
    pads: [Option<PadButton>; Control::COUNT],
}

impl Default for Controls {
    fn default() -> Controls {
        let keys = Control::ALL.map(|control| std::array::from_fn(|at| control.default().0.get(at).copied()));
        Controls { keys, pads: Control::ALL.map(|control| control.default().1) }
    }
}

impl Controls {
    /// The keys of a control.
    pub fn keys(&self, control: Control) -> impl Iterator<Item = KeyCode> + '_ {
        self.keys[control as usize].iter().flatten().copied()
    }

    /// The button of a control.
    pub fn pad(&self, control: Control) -> Option<PadButton> {
        self.pads[control as usize]
    }

    /// Returns the press in a slot of the table.
    pub fn at(&self, slot: Slot) -> Option<Press> {
        if slot.is_pad() {
            self.pad(slot.control).map(Press::Pad)
        } else {
            self.keys[slot.control as usize][slot.column].map(Press::Key)
        }
    }

    /// The control that something pressed stands for.
    pub fn control_of(&self, press: Press) -> Option<Control> {
        Control::ALL.into_iter().find(|&control| match press {
            Press::Key(code) => self.keys(control).any(|key| key == code),
            Press::Pad(button) => self.pad(control) == Some(button),
        })
    }

    /// The control other than the one of a place that has this already.
    pub fn conflict(&self, slot: Slot, press: Press) -> Option<Control> {
        self.control_of(press).filter(|other| *other != slot.control)
    }

    /// Puts a key or a button in a place. It leaves the place that it had, and keys move up to empty places. A key is not put
    /// in the place of a button, nor the other way round.
    pub fn assign(&mut self, slot: Slot, press: Press) {
        match press {
            Press::Key(code) if !slot.is_pad() => {
                self.keys.iter_mut().flatten().filter(|key| **key == Some(code)).for_each(|key| *key = None);
                self.keys[slot.control as usize][slot.column] = Some(code);
                self.close_gaps();
            }
            Press::Pad(button) if slot.is_pad() => {
                self.pads.iter_mut().filter(|pad| **pad == Some(button)).for_each(|pad| *pad = None);
                self.pads[slot.control as usize] = Some(button);
            }
            Press::Key(_) | Press::Pad(_) => {}
        }
    }

    fn close_gaps(&mut self) {
        self.keys.iter_mut().for_each(|keys| keys.sort_by_key(Option::is_none));
    }

    /// Empties a place. The keys after it move up.
    pub fn clear(&mut self, slot: Slot) {
        if slot.is_pad() {
            self.pads[slot.control as usize] = None;
        } else {
            self.keys[slot.control as usize][slot.column] = None;
        }
        self.close_gaps();
    }
}

/// Why a key can't be chosen; `None` if it can.
pub fn reserved(press: Press) -> Option<&'static str> {
    match press {
        Press::Key(KeyCode::Escape) => Some("Esc is reserved for the menu."),
        Press::Key(KeyCode::F5) => Some("F5 is reserved for the editor."),
        Press::Key(code) if key_names::label(code).is_none() => Some("This key has no name."),
        Press::Key(_) | Press::Pad(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_controls_at_first_and_all_have_names() {
        let controls = Controls::default();
        for control in Control::ALL {
            for key in controls.keys(control) {
                assert_eq!(controls.control_of(Press::Key(key)), Some(control), "{key:?}");
                assert_eq!(reserved(Press::Key(key)), None, "{key:?}");
            }
            if let Some(button) = controls.pad(control) {
                assert_eq!(controls.control_of(Press::Pad(button)), Some(control));
            }
        }
    }

    #[test]
    fn a_key_that_is_assigned_leaves_its_other_place() {
        let mut controls = Controls::default();
        let slot = Slot { control: Control::Jump, column: 0 };
        let key = Press::Key(KeyCode::KeyX);
        assert_eq!(controls.conflict(slot, key), Some(Control::Attack));
        controls.assign(slot, key);
        assert_eq!((controls.control_of(key), controls.at(slot)), (Some(Control::Jump), Some(key)));
        assert_eq!(controls.conflict(slot, key), None);
        assert_eq!(controls.control_of(Press::Key(KeyCode::Space)), None, "it was replaced");
        assert!(controls.keys(Control::Attack).eq([KeyCode::KeyJ, KeyCode::ControlLeft]));
        let pad = Slot { column: KEYS, ..slot };
        controls.assign(pad, key);
        controls.assign(slot, Press::Pad(PadButton::West));
        assert_eq!(controls.at(pad), Some(Press::Pad(PadButton::South)), "a key is no button");
        controls.assign(pad, Press::Pad(PadButton::West));
        assert_eq!((controls.pad(Control::Jump), controls.pad(Control::Attack)), (Some(PadButton::West), None));
        controls.clear(slot);
        assert!(controls.keys(Control::Jump).eq([KeyCode::KeyZ, KeyCode::KeyK]), "the others moved up");
    }
}
