//! Output of the commands: text or JSON on stdout, and on a terminal a progress line on stderr.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::path::Path;

use serde_json::Value;

use keypose::assets::printable::printable;

use crate::app::console;

/// The output of a command.
pub struct Output {
    is_json: bool,
    is_terminal: bool,
    /// The number of letters of the progress line.
    shown: Cell<usize>,
}

impl Output {
    /// Shows progress on a terminal only.
    pub fn new(is_json: bool) -> Output {
        Output { is_json, is_terminal: std::io::stderr().is_terminal(), shown: Cell::new(0) }
    }

    /// Prints a line of text, unless JSON is requested.
    pub fn line(&self, text: impl std::fmt::Display) {
        if !self.is_json {
            self.show("");
            console::print(text);
        }
    }

    /// Prints the result, if JSON is requested.
    pub fn json(&self, value: impl FnOnce() -> Value) {
        if self.is_json {
            self.show("");
            console::print_json(&value());
        }
    }

    /// Prints fixed problems to stderr as text. JSON contains them elsewhere.
    pub fn findings(&self, findings: &[String]) {
        if !self.is_json {
            self.show("");
            findings.iter().for_each(|finding| console::warn(format_args!("keypose: {finding}")));
        }
    }

    /// Shows the stage of a long operation, and its file.
    pub fn stage(&self, verb: &str, file: &Path) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        self.show(&format!("{verb} {}", printable(&name)));
    }

    /// Replaces the progress line.
    fn show(&self, line: &str) {
        let shown = self.shown.replace(line.chars().count());
        if self.is_terminal && shown + line.len() > 0 {
            eprint!("\r{:shown$}\r{line}", "");
            let _ = std::io::stderr().flush();
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.show("");
    }
}
