//! Scripts: text commands that become actions, and the document as text. Journeys of the tests and
//! `keypose edit --script SCRIPT` use the same lines, so a bug report is a test. File access is returned as effects.

use crate::editor::script::args::Args;
use crate::editor::script::table::{FACTS, Step, VERBS};
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;

mod args;
mod balance;
mod bones;
mod combat;
mod commands;
mod facts;
mod level;
mod machine;
mod materials;
mod sockets;
mod sounds;
mod springs;
mod table;
mod weights;

pub use args::name_of_command;
pub use facts::document;
pub use table::help;

/// The manual of scripts, with every form.
pub const MANUAL: &str = include_str!("../../scripts.md");

/// The results of a script.
#[derive(Debug, Default)]
pub struct Run {
    /// The output of its `show` and `print` commands.
    pub printed: Vec<String>,
    /// The effects that the program must perform, in order.
    pub effects: Vec<Effect>,
}

/// The forms of all commands.
pub fn commands() -> Vec<&'static str> {
    table::forms(VERBS).collect()
}

/// The forms of all facts.
pub fn facts() -> Vec<&'static str> {
    table::forms(FACTS).collect()
}

/// Whether the words of a command have a form.
pub fn fits(form: &str, words: &[&str]) -> bool {
    table::arguments(form, words).is_some()
}

/// One fact about the editor.
///
/// # Errors
///
/// If there is no such fact, or the bone or channel it names is missing.
pub fn show(editor: &Editor, what: &str) -> Result<String, String> {
    let words = words_of(what)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (fact, arguments) = table::find(FACTS, &words).map_err(|reason| format!("fact {what}: {reason}"))?;
    fact(&Args::new(editor, arguments))
}

/// Runs every line in order. Empty lines and lines that start with `#` are skipped; `;` separates commands on one line,
/// and `=>` introduces facts that must be true after them.
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
        let (commands, expected) = split_expectation(line);
        let result = run_line(editor, commands, &mut done).and_then(|()| expect(editor, expected));
        result.map_err(|reason| format!("line {number}: {reason}"))?;
    }
    Ok(done)
}

/// The commands of a line and the expectation after `=>`, which may be empty.
pub fn split_expectation(line: &str) -> (&str, &str) {
    let arrow = outside_quotes(line).find(|(at, _)| line[*at..].starts_with("=>"));
    arrow.map_or((line, ""), |(at, _)| (&line[..at], &line[at + 2..]))
}

/// Checks facts: `what = value, what = value`. Empty text expects nothing.
///
/// # Errors
///
/// The first fact that differs, with both values, or that can't be read.
pub fn expect(editor: &Editor, expected: &str) -> Result<(), String> {
    if expected.trim().is_empty() {
        return Ok(());
    }
    for fact in split_outside_quotes(expected, ',') {
        let sign = outside_quotes(fact).find(|(_, letter)| *letter == '=').map(|(at, _)| at);
        let sign = sign.ok_or_else(|| format!("{}: expected FACT = VALUE", fact.trim()))?;
        let (what, value) = (fact[..sign].trim(), fact[sign + 1..].trim());
        let found = show(editor, what)?;
        // A name in quotes, or a whole text.
        if found.trim() != value && words_of(value).ok().is_none_or(|words| words != [found.trim()]) {
            return Err(format!("{what} = {found}, expected {value}"));
        }
    }
    Ok(())
}

/// Runs the commands of one line, which has no `=>`.
pub fn run_line(editor: &mut Editor, line: &str, done: &mut Run) -> Result<(), String> {
    for part in split_outside_quotes(line, ';') {
        let words = words_of(part)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words.is_empty() {
            continue;
        }
        let found = table::find(VERBS, &words).and_then(|(run, arguments)| run(&Args::new(editor, arguments)));
        match found.map_err(|reason| format!("{}: {reason}", part.trim()))? {
            Step::Act(actions) => {
                for action in actions {
                    done.effects.extend(editor.update(action));
                }
            }
            Step::Show(what) => done.printed.push(format!("{what} = {}", show(editor, &what)?)),
            Step::Print => done.printed.extend(document(editor)),
            Step::Help => done.printed.extend(table::help().lines().map(str::to_owned)),
        }
    }
    Ok(())
}

/// Splits a command at spaces outside double quotes. In quotes, a backslash precedes a quote or a backslash.
fn words_of(part: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut is_quoted, mut has_word) = (Vec::new(), String::new(), false, false);
    let mut letters = part.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if is_quoted => word.push(letters.next_if(|next| matches!(next, '"' | '\\')).unwrap_or('\\')),
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
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, letter) in outside_quotes(line).filter(|(_, letter)| *letter == separator) {
        parts.push(&line[start..at]);
        start = at + letter.len_utf8();
    }
    parts.push(&line[start..]);
    parts
}

/// The characters outside double quotes, with their places.
fn outside_quotes(line: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    line.char_indices().filter(move |(_, letter)| {
        if *letter == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        is_escaped = is_quoted && !is_escaped && *letter == '\\';
        !is_quoted && *letter != '"'
    })
}
