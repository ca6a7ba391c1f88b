//! The text that `help` prints: every command and fact of scripts, and the names of the menus' commands.

use crate::editor::commands::CATALOGUE;
use crate::editor::script::forms::{COMMANDS, FACTS};
use crate::editor::script::parse::name_of_command;

/// The forms of commands and facts, and the name, menu and label of each command that `run` takes.
pub fn text() -> String {
    let forms = |list: &[&str]| list.iter().map(|form| format!("  {form}\n")).collect::<String>();
    let mut text =
        format!("Commands:\n{}\nFacts, for show and =>:\n{}\nNames for run:\n", forms(COMMANDS), forms(FACTS));
    for row in &CATALOGUE {
        text += &format!("  {} ({}: {})\n", name_of_command(row.command), row.menu.name(), row.label);
    }
    text
}
