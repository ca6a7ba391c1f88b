//! Output of the commands: text or JSON on stdout, and on a terminal a progress line on stderr.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use keypose::assets::printable::printable;

use crate::app::console;
use crate::app::files::progress::Progress;

/// Time between two changes of the progress line.
const TICK: Duration = Duration::from_millis(100);
/// Letters of a part that is done.
const PART_LETTERS: usize = 7;

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

    /// Does long work, and shows the part of it that is done, which the work sets.
    pub fn watched<T>(&self, verb: &str, file: &Path, work: impl FnOnce(&Progress) -> T) -> T {
        self.stage(verb, file);
        let (progress, shown) = (Progress::default(), self.shown.get());
        if !self.is_terminal {
            return work(&progress);
        }
        thread::scope(|scope| {
            let (ended, has_ended) = channel::<()>();
            let progress = &progress;
            scope.spawn(move || {
                while has_ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let percent = progress.fraction().map(|part| format!(", {:.0} %", part * 100.0));
                    eprint!("\r\x1b[{shown}C{}", percent.unwrap_or_default());
                    let _ = std::io::stderr().flush();
                }
            });
            let done = work(progress);
            drop(ended);
            done
        })
    }

    /// Replaces the progress line.
    fn show(&self, line: &str) {
        let shown = self.shown.replace(line.chars().count());
        if self.is_terminal && shown + line.len() > 0 {
            let width = shown + PART_LETTERS;
            eprint!("\r{:width$}\r{line}", "");
            let _ = std::io::stderr().flush();
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.show("");
    }
}
