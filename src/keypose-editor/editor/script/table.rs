//! The tables of commands and facts: a form, and the function that handles it. `help` prints the forms.

use crate::editor::commands::CATALOGUE;
use crate::editor::document::edit::{Edit, Label, ModelEdit};
use crate::editor::posing::change::Change;
use crate::editor::script::args::{Args, name_of_command};
use crate::editor::script::{
    balance, bones, combat, commands, facts, level, machine, materials, sockets, sounds, springs, weights,
};
use crate::editor::state::action::{Action, DocumentAction};
use keypose::assets::rig_notes::RigNotes;

/// The result of a command.
pub enum Step {
    /// Sends actions to the editor.
    Act(Vec<Action>),
    /// Prints a fact.
    Show(String),
    /// Prints the document.
    Print,
    /// Prints the commands.
    Help,
}

/// The step of a command, or why it can't run.
pub type Outcome = Result<Step, String>;

/// A command. In the form, words in small letters are written as they are, words in capitals stand for arguments, `[…]` may be left
/// out; a last word that ends in `…` stands for any number of words. The first form that fits is taken.
pub type Verb = (&'static str, fn(&Args<'_>) -> Outcome);

/// A fact that `show` prints and that follows `=>`.
pub type Fact = (&'static str, fn(&Args<'_>) -> Result<String, String>);

/// The commands of all topics.
pub const VERBS: &[&[Verb]] = &[
    commands::VERBS,
    balance::VERBS,
    bones::VERBS,
    combat::VERBS,
    materials::VERBS,
    machine::VERBS,
    level::VERBS,
    sockets::VERBS,
    sounds::VERBS,
    springs::VERBS,
    weights::VERBS,
];

/// The facts of all topics.
pub const FACTS: &[&[Fact]] = &[
    facts::FACTS,
    balance::FACTS,
    bones::FACTS,
    combat::FACTS,
    materials::FACTS,
    machine::FACTS,
    level::FACTS,
    sockets::FACTS,
    sounds::FACTS,
    springs::FACTS,
    weights::FACTS,
];

/// The forms of a table.
pub fn forms<T: Copy>(tables: &[&[(&'static str, T)]]) -> impl Iterator<Item = &'static str> {
    tables.iter().flat_map(|table| table.iter().map(|(form, _)| *form))
}

/// The text that `help` prints: the forms, and the name, menu and label of each command that `run` takes.
pub fn help() -> String {
    let verbs: String = forms(VERBS).map(|form| format!("  {form}\n")).collect();
    let facts: String = forms(FACTS).map(|form| format!("  {form}\n")).collect();
    let mut text = format!("Commands:\n{verbs}\nFacts, for show and =>:\n{facts}\nNames for run:\n");
    for row in &CATALOGUE {
        text += &format!("  {} ({}: {})\n", name_of_command(row.command), row.menu.name(), row.label);
    }
    text
}

/// The function of the first form that words have, and their arguments.
///
/// # Errors
///
/// The forms that begin with the same word, or that there are none.
pub fn find<'a, T: Copy>(tables: &[&[(&'static str, T)]], words: &[&'a str]) -> Result<(T, Vec<&'a str>), String> {
    let rows = || tables.iter().flat_map(|table| table.iter());
    if let Some(found) = rows().find_map(|(form, run)| Some((*run, arguments(form, words)?))) {
        return Ok(found);
    }
    let near: Vec<&str> =
        rows().map(|(form, _)| *form).filter(|form| form.split(' ').next() == words.first().copied()).collect();
    match near.as_slice() {
        [] => Err("unknown word".to_owned()),
        near => Err(format!("expected {}", near.join(", or "))),
    }
}

/// The arguments of words that have a form; `None` if they don't.
pub fn arguments<'a>(form: &str, words: &[&'a str]) -> Option<Vec<&'a str>> {
    let (mut words, mut arguments) = (words.iter().copied(), Vec::new());
    for part in form.split(' ') {
        if part.ends_with('…') {
            arguments.extend(words);
            return Some(arguments);
        }
        match words.next() {
            Some(word) if part.starts_with(|first: char| first.is_ascii_lowercase()) => {
                if part != word {
                    return None;
                }
            }
            Some(word) => arguments.push(word),
            None => return part.starts_with('[').then_some(arguments),
        }
    }
    words.next().is_none().then_some(arguments)
}

/// Sends one action.
pub fn act(action: impl Into<Action>) -> Outcome {
    Ok(Step::Act(vec![action.into()]))
}

/// Makes an edit as one undo step.
pub fn edit(label: impl Into<Label>, edit: impl Into<Edit>) -> Outcome {
    act(Action::edit(label, edit))
}

/// Replaces the notes of the active model's rig as one undo step.
pub fn set_rig(a: &Args<'_>, label: &'static str, rig: RigNotes) -> Outcome {
    edit(label, ModelEdit::SetRig { model: a.active_index(), rig: rig.into() })
}

/// Makes a change as one undo step.
pub fn change(label: impl Into<Label>, change: Change) -> Outcome {
    act(DocumentAction::Edit { label: label.into(), change })
}
