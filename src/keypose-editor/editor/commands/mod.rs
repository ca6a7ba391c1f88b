//! The command table, from which menus, tooltips, the command search and key handling come. Commands only read the
//! editor: each stands for an action.

/// The two functions of a row that toggles a switch.
macro_rules! switch {
    ($switch:ident) => {
        (|_| ViewAction::Toggle(Switch::$switch).into(), |editor| editor.session.is_on(Switch::$switch))
    };
}

/// A row that chooses a value of a field of the session, by an action that takes the value.
macro_rules! choose {
    ($command:ident, $group:literal, $label:literal, $value:expr, $action:expr, $($field:ident).+) => {
        row(Command::$command, $group, $label, |_| $action($value).into())
            .on(|editor| editor.session.$($field).+ == $value)
    };
}

/// The two functions of a row that shows a shading, or the shading before it.
macro_rules! shading {
    ($shading:ident) => {
        (
            |editor| ViewAction::SetShading(editor.session.workspace.display.toggled(Shading::$shading)).into(),
            |editor| editor.session.workspace.display.shading == Shading::$shading,
        )
    };
}

mod bindings;
mod menus;
pub mod needs;
mod prelude;
mod row;
pub mod stored;
pub mod synonyms;

pub use row::{Menu, Row, Scope};

use crate::editor::session::command::Command;
use crate::editor::session::display::Shading;
use crate::editor::state::Editor;
use crate::editor::state::action::Action;

/// All commands, in the order of the menus. A command without a row, or out of order, doesn't compile.
pub static CATALOGUE: [Row; Command::ALL.len()] = const {
    let menus = [
        (Menu::File, menus::file::ROWS),
        (Menu::Edit, menus::edit::ROWS),
        (Menu::Pose, menus::pose::ROWS),
        (Menu::Clip, menus::clip::ROWS),
        (Menu::Keys, menus::keys::ROWS),
        (Menu::View, menus::view::ROWS),
        (Menu::Rig, menus::rig::ROWS),
        (Menu::Level, menus::level::ROWS),
        (Menu::Game, menus::game::ROWS),
        (Menu::Help, menus::help::ROWS),
    ];
    let mut table = [menus::file::ROWS[0]; Command::ALL.len()];
    let (mut menu, mut at) = (0, 0);
    while menu < menus.len() {
        let (name, rows) = menus[menu];
        let mut row = 0;
        while row < rows.len() {
            assert!(rows[row].command as usize == at, "the rows are in the order of the enum, each once");
            table[at] = Row { menu: name, ..rows[row] };
            (row, at) = (row + 1, at + 1);
        }
        menu += 1;
    }
    assert!(at == table.len(), "a command has no row");
    table
};

impl Command {
    /// The row of the command.
    pub fn row(self) -> &'static Row {
        &CATALOGUE[self as usize]
    }

    /// The label in menus and the command search.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// The action that it stands for.
    pub fn action(self, editor: &Editor) -> Action {
        (self.row().run)(editor)
    }

    /// Whether it can run now, or the reason why not.
    pub fn can_run(self, editor: &Editor) -> Result<(), &'static str> {
        (self.row().can)(editor)
    }

    /// For commands that switch or choose something: whether it is on.
    pub fn is_on(self, editor: &Editor) -> Option<bool> {
        self.row().is_on.map(|is_on| is_on(editor))
    }
}

/// The commands that a query finds by their label, their names in other programs and their menu, in any case; the best first.
pub fn search(query: &str) -> Vec<Command> {
    let mut found: Vec<_> =
        CATALOGUE.iter().filter_map(|row| Some((synonyms::rank_of(row, query)?, row.command))).collect();
    found.sort();
    found.into_iter().map(|(_, command)| command).collect()
}

pub fn command_of_shading(shading: Shading) -> Command {
    match shading {
        Shading::Lit => Command::ShadeLit,
        Shading::Flat => Command::ShadeFlat,
        Shading::Silhouette => Command::ShadeSilhouette,
        Shading::Wireframe => Command::ToggleWireframe,
        Shading::XRay => Command::ToggleXRay,
        Shading::Weights => Command::ShadeWeights,
        Shading::BoneColors => Command::ShadeBoneColors,
        Shading::Normals => Command::ShadeNormals,
        Shading::NormalLines => Command::ShadeNormalLines,
        Shading::UvChecker => Command::ShadeUvChecker,
        Shading::Overdraw => Command::ShadeOverdraw,
        Shading::SkinSpace => Command::ShadeSkinSpace,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_unique_and_short() {
        for (at, row) in CATALOGUE.iter().enumerate() {
            assert!(!CATALOGUE[..at].iter().any(|other| other.label == row.label), "{}", row.label);
            assert!(row.label.split_whitespace().count() <= 4, "{}", row.label);
            assert_eq!(row.command.label(), row.label);
        }
    }

    #[test]
    fn groups_are_contiguous_and_submenus_have_commands() {
        for menu in Menu::ALL {
            let is_submenu = |group: &u8| menu.submenus().iter().any(|(submenu, _)| submenu == group);
            let groups = CATALOGUE.iter().filter(|row| row.menu == menu).map(|row| row.group);
            let (submenus, others): (Vec<u8>, Vec<u8>) = groups.partition(is_submenu);
            assert!(others.is_sorted(), "{}: {others:?}", menu.name());
            assert!(!others.is_empty(), "{}", menu.name());
            for (group, name) in menu.submenus() {
                assert!(submenus.contains(group), "{name}");
            }
        }
    }

    #[test]
    fn each_shading_has_its_command() {
        for shading in Shading::ALL {
            let mut editor = Editor::new(Default::default(), &crate::editor::state::action::Origin::New);
            editor.session.workspace.display.shade(shading);
            assert_eq!(command_of_shading(shading).is_on(&editor), Some(true), "{shading:?}");
        }
    }
}
