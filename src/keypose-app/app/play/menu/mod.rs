//! The menus of the game as values: the pause, the end of a level, and the table of controls. Drawn in `draw`.

use crate::app::play::input::MenuKey;
use crate::app::play::menu::table::ControlsTable;

pub mod draw;
pub mod draw_table;
pub mod table;

/// An entry of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Continues the game.
    Continue,
    /// Returns to the last checkpoint.
    Checkpoint,
    /// Opens the next level.
    Next,
    /// Starts the level again.
    Restart,
    /// Opens the table of controls.
    Controls,
    /// Mutes all sounds, or ends it.
    Sound,
    /// Leaves the game for the editor.
    Edit,
    /// Ends the program.
    Quit,
}

/// The optional entries of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offers {
    /// The label of the entry that opens another level, if there is one.
    pub next: Option<&'static str>,
    /// Whether there is a checkpoint to return to.
    pub has_checkpoint: bool,
    /// Whether the program was started to play, not to edit.
    pub is_own_program: bool,
}

/// The occasion of a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The game is paused.
    Pause,
    /// The goal was reached.
    Goal,
}

/// An open menu.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Why it is open.
    pub occasion: Occasion,
    /// The selected entry.
    pub selected: usize,
    /// The table of controls, if it is open.
    pub table: Option<ControlsTable>,
}

impl Menu {
    /// A menu with its first entry selected.
    pub fn new(occasion: Occasion) -> Menu {
        Menu { occasion, selected: 0, table: None }
    }

    /// Returns the entries of the menu, from the top.
    pub fn entries(&self, offers: Offers) -> Vec<Choice> {
        let is_offered = |choice: &Choice| match choice {
            Choice::Next => offers.next.is_some(),
            Choice::Checkpoint => offers.has_checkpoint,
            Choice::Quit => offers.is_own_program,
            Choice::Continue | Choice::Restart | Choice::Controls | Choice::Sound | Choice::Edit => true,
        };
        let all: &[Choice] = match self.occasion {
            Occasion::Pause => &[
                Choice::Continue,
                Choice::Checkpoint,
                Choice::Restart,
                Choice::Controls,
                Choice::Sound,
                Choice::Edit,
                Choice::Quit,
            ],
            Occasion::Goal => &[Choice::Next, Choice::Restart, Choice::Edit, Choice::Quit],
        };
        all.iter().copied().filter(is_offered).collect()
    }

    /// Moves the selection, around the ends. Returns the entry that was chosen.
    pub fn key(&mut self, key: MenuKey, offers: Offers) -> Option<Choice> {
        let entries = self.entries(offers);
        let count = entries.len();
        match key {
            MenuKey::Up => self.selected = (self.selected + count - 1) % count,
            MenuKey::Down => self.selected = (self.selected + 1) % count,
            MenuKey::Confirm => return entries.get(self.selected).copied(),
            MenuKey::Back if self.occasion == Occasion::Pause => return Some(Choice::Continue),
            MenuKey::Left | MenuKey::Right | MenuKey::Clear | MenuKey::Back => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFERS: Offers = Offers { next: None, has_checkpoint: false, is_own_program: false };

    #[test]
    fn the_selection_moves_around_the_ends() {
        let mut menu = Menu::new(Occasion::Pause);
        assert_eq!(menu.key(MenuKey::Up, OFFERS), None);
        assert_eq!(menu.key(MenuKey::Confirm, OFFERS), Some(Choice::Edit));
        menu.key(MenuKey::Down, OFFERS);
        assert_eq!(menu.key(MenuKey::Confirm, OFFERS), Some(Choice::Continue));
    }

    #[test]
    fn only_a_pause_is_left_without_a_choice() {
        assert_eq!(Menu::new(Occasion::Pause).key(MenuKey::Back, OFFERS), Some(Choice::Continue));
        assert_eq!(Menu::new(Occasion::Goal).key(MenuKey::Back, OFFERS), None);
    }

    #[test]
    fn what_is_not_available_is_not_offered() {
        let menu = Menu::new(Occasion::Pause);
        let none = menu.entries(OFFERS);
        assert!(!none.contains(&Choice::Checkpoint) && !none.contains(&Choice::Quit));
        let all = menu.entries(Offers { next: None, has_checkpoint: true, is_own_program: true });
        assert_eq!(all.len(), none.len() + 2);
    }
}
