//! The program's output. Lines have names from files in them: nothing in a line can end it, control the terminal or reverse
//! the order of letters.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use keypose::assets::printable::{is_unseen, printable};

/// Whether a line of the output was lost.
static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);

/// Prints a line to stdout.
pub fn print(line: impl Display) {
    write(&printable(&line.to_string()));
}

/// Prints lines to stdout that were made printable one by one.
pub fn print_lines(text: &str) {
    write(text.trim_end_matches('\n'));
}

/// A path as text for JSON, which has Unicode alone: other bytes of a name are replaced.
pub fn path_text(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Prints a value as JSON to stdout.
pub fn print_json(value: &Value) {
    print_json_text(&format!("{value:#}"));
}

/// Prints JSON to stdout. Lines may end only between its values.
pub fn print_json_text(text: &str) {
    write(&escaped(text.trim_end_matches('\n')));
}

/// Prints a line to stderr.
pub fn warn(line: impl Display) {
    // There is no other place for it.
    let _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}

/// Whether some output could not be written, for the exit code.
pub fn is_incomplete() -> bool {
    IS_INCOMPLETE.load(Ordering::Relaxed)
}

fn write(text: &str) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    match written {
        // The reader has seen enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) if !IS_INCOMPLETE.swap(true, Ordering::Relaxed) => warn(format_args!("keypose: stdout: {error}")),
        Ok(()) | Err(_) => {}
    }
}

/// JSON with its texts made printable.
fn escaped(text: &str) -> Cow<'_, str> {
    // The lines between the values end with \n; in texts it is escaped already.
    let is_shown = |letter: char| letter == '\n' || !is_unseen(letter);
    if text.chars().all(is_shown) {
        return text.into();
    }
    let units = |letter: char| {
        let mut units = [0; 2];
        letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>()
    };
    text.chars().map(|letter| if is_shown(letter) { letter.into() } else { units(letter) }).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_printable_and_the_same_value() {
        let value = serde_json::json!({ "a\u{202e}b": ["\n\u{1b}[31m", "\u{7f}\u{9b}", "\u{e0041}", "ü🚀"] });
        let text = escaped(&format!("{value:#}")).into_owned();
        assert!(!text.chars().any(|letter| letter != '\n' && is_unseen(letter)), "{text:?}");
        assert!(text.contains("\\u202e") && text.contains("ü🚀"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
