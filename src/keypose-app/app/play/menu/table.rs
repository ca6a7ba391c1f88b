//! The table of controls as a value: the selected place, and what is asked about it.

use crate::app::play::controls::{Control, Controls, KEYS, Press, Slot, reserved};
use crate::app::play::input::MenuKey;

/// The message about the selected place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asking {
    /// No question is open.
    #[default]
    Nothing,
    /// Waits for a key, or a button in the last column.
    Press,
    /// Asks whether to take it from another control.
    Conflict(Press, Control),
    /// Says why it can't be chosen.
    Refused(&'static str),
}

/// The rows below the controls.
pub const RESET: usize = Control::COUNT;
/// The last row.
pub const DONE: usize = Control::COUNT + 1;

/// The state of the table of controls.
#[derive(Clone, Debug, Default)]
pub struct ControlsTable {
    /// The selected row: a control, [`RESET`] or [`DONE`].
    pub row: usize,
    /// The selected column.
    pub column: usize,
    /// The open question.
    pub asking: Asking,
}

impl ControlsTable {
    /// The selected place; `None` in the rows below.
    pub fn slot(&self) -> Option<Slot> {
        Control::ALL.get(self.row).map(|&control| Slot { control, column: self.column })
    }

    /// Whether the next press is for the selected place.
    pub fn is_listening(&self) -> bool {
        self.asking == Asking::Press
    }

    /// Takes a press for the selected place. Esc, or a press on the other device, cancels.
    pub fn hear(&mut self, press: Press, controls: &mut Controls) {
        let (true, Some(slot)) = (self.is_listening(), self.slot()) else { return };
        let is_escape = press == Press::Key(winit::keyboard::KeyCode::Escape);
        self.asking = match (reserved(press), controls.conflict(slot, press)) {
            _ if is_escape || matches!(press, Press::Pad(_)) != slot.is_pad() => Asking::Nothing,
            (Some(reason), _) => Asking::Refused(reason),
            (None, Some(other)) => Asking::Conflict(press, other),
            (None, None) => {
                controls.assign(slot, press);
                Asking::Nothing
            }
        };
    }

    /// Answers whether to take a press from another control.
    pub fn answer(&mut self, takes: Answer, controls: &mut Controls) {
        if let (Asking::Conflict(press, _), Some(slot), Answer::Reassign) = (self.asking, self.slot(), takes) {
            controls.assign(slot, press);
        }
        self.asking = Asking::Nothing;
    }

    /// Selects a place and asks for its key.
    pub fn ask(&mut self, slot: Slot) {
        (self.row, self.column, self.asking) = (slot.control as usize, slot.column, Asking::Press);
    }

    /// Moves the selection, or does what is selected. Returns true if the table is left.
    pub fn key(&mut self, key: MenuKey, controls: &mut Controls) -> bool {
        if let Asking::Conflict(..) = self.asking {
            let takes = if key == MenuKey::Confirm { Answer::Reassign } else { Answer::Cancel };
            self.answer(takes, controls);
            return false;
        }
        self.asking = Asking::Nothing;
        match key {
            MenuKey::Up => self.row = (self.row + DONE) % (DONE + 1),
            MenuKey::Down => self.row = (self.row + 1) % (DONE + 1),
            MenuKey::Left => self.column = self.column.saturating_sub(1),
            MenuKey::Right => self.column = (self.column + 1).min(KEYS),
            MenuKey::Clear => {
                if let Some(slot) = self.slot() {
                    controls.clear(slot);
                }
            }
            MenuKey::Back => return true,
            MenuKey::Confirm => match self.slot() {
                Some(slot) => self.ask(slot),
                None if self.row == RESET => *controls = Controls::default(),
                None => return true,
            },
        }
        false
    }
}

/// The answer to a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Takes it from the other control.
    Reassign,
    /// Leaves everything as it is.
    Cancel,
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;
    use crate::app::play::controls::pad::PadButton;

    fn listening(control: Control, column: usize) -> ControlsTable {
        let mut table = ControlsTable::default();
        table.ask(Slot { control, column });
        table
    }

    #[test]
    fn a_free_key_is_assigned_and_a_used_one_asked_about() {
        let mut controls = Controls::default();
        let mut table = listening(Control::Jump, 0);
        table.hear(Press::Key(KeyCode::KeyB), &mut controls);
        assert_eq!(
            (table.asking, controls.control_of(Press::Key(KeyCode::KeyB))),
            (Asking::Nothing, Some(Control::Jump))
        );
        for (answer, owner) in [(MenuKey::Back, Control::Attack), (MenuKey::Confirm, Control::Jump)] {
            let used = Press::Key(KeyCode::KeyX);
            table.key(MenuKey::Confirm, &mut controls);
            table.hear(used, &mut controls);
            assert_eq!(table.asking, Asking::Conflict(used, Control::Attack));
            assert!(!table.key(answer, &mut controls));
            assert_eq!(controls.control_of(used), Some(owner));
        }
    }

    #[test]
    fn reserved_keys_are_refused_and_escape_cancels() {
        let mut controls = Controls::default();
        let mut table = listening(Control::Jump, 0);
        table.hear(Press::Key(KeyCode::F5), &mut controls);
        assert!(matches!(table.asking, Asking::Refused(_)));
        for (column, press) in
            [(0, Press::Key(KeyCode::Escape)), (0, Press::Pad(PadButton::South)), (KEYS, Press::Key(KeyCode::KeyB))]
        {
            let mut table = listening(Control::Jump, column);
            table.hear(press, &mut controls);
            assert_eq!((table.asking, &controls), (Asking::Nothing, &Controls::default()), "{press:?}");
        }
    }

    #[test]
    fn the_last_rows_reset_and_leave() {
        let mut controls = Controls::default();
        let mut table = ControlsTable::default();
        table.key(MenuKey::Clear, &mut controls);
        assert_ne!(controls, Controls::default());
        table.key(MenuKey::Up, &mut controls);
        assert_eq!(table.row, DONE);
        table.key(MenuKey::Up, &mut controls);
        assert!(!table.key(MenuKey::Confirm, &mut controls));
        assert_eq!(controls, Controls::default());
        table.key(MenuKey::Down, &mut controls);
        assert!(table.key(MenuKey::Confirm, &mut controls) && table.key(MenuKey::Back, &mut controls));
    }
}
