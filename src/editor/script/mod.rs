//! Scripts: text commands that become actions, and the document as text. Journeys of the tests and
//! `keypose edit --script FILE` use the same commands, so a bug report is a test. File access is returned as effects.

use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;

mod commands;
mod machine;
mod materials;
mod parse;
mod print;

pub use print::{document, show};

/// The results of a script.
#[derive(Debug, Default)]
pub struct Run {
    /// The output of its `show` and `print` commands.
    pub printed: Vec<String>,
    /// What the program must do outside the editor, in order.
    pub effects: Vec<Effect>,
}

/// What one command does.
enum Step {
    Act(Vec<crate::editor::state::action::Action>),
    Show(String),
    Print,
}

/// Runs every line in order. Empty lines and lines that start with `#` are skipped; `;` separates commands on one line.
///
/// # Errors
///
/// The line number and the reason. The commands before it have been run.
pub fn run(editor: &mut Editor, text: &str) -> Result<Run, String> {
    let mut done = Run::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        run_line(editor, line, &mut done).map_err(|reason| format!("line {number}: {reason}"))?;
    }
    Ok(done)
}

/// Runs the commands of one line.
pub fn run_line(editor: &mut Editor, line: &str, done: &mut Run) -> Result<(), String> {
    for part in split_outside_quotes(line, ';') {
        let words = words_of(part)?;
        let Some((verb, rest)) = words.split_first() else { continue };
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        match commands::step(editor, verb, &rest).map_err(|reason| format!("{}: {reason}", part.trim()))? {
            Step::Act(actions) => {
                for action in actions {
                    done.effects.extend(editor.update(action));
                }
            }
            Step::Show(what) => done.printed.push(format!("{what} = {}", show(editor, &what)?)),
            Step::Print => done.printed.extend(document(editor)),
        }
    }
    Ok(())
}

/// Splits a command at spaces outside double quotes.
fn words_of(part: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut is_quoted, mut has_word) = (Vec::new(), String::new(), false, false);
    for letter in part.chars() {
        match letter {
            '"' => (is_quoted, has_word) = (!is_quoted, true),
            letter if letter.is_whitespace() && !is_quoted => {
                if std::mem::take(&mut has_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            letter => {
                word.push(letter);
                has_word = true;
            }
        }
    }
    if is_quoted {
        return Err(format!("missing closing quote in {}", part.trim()));
    }
    if has_word {
        words.push(word);
    }
    Ok(words)
}

/// The parts of a line between separators outside double quotes.
pub fn split_outside_quotes(line: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (at, letter) in line.char_indices() {
        if letter == '"' {
            is_quoted = !is_quoted;
        } else if letter == separator && !is_quoted {
            parts.push(&line[start..at]);
            start = at + letter.len_utf8();
        }
    }
    parts.push(&line[start..]);
    parts
}
