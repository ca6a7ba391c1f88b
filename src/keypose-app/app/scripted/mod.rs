//! `keypose edit --script SCRIPT`: the editor without a window. Runs commands and prints their output; commands read and
//! write files.

use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use keypose_editor::editor::session::preferences::ModelFiles;

use crate::app::scripted::runner::ScriptRunner;
use crate::app::{console, files};

pub mod reach;
pub mod runner;

/// Whether a run records unsaved changes, as the window does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journal {
    /// Unsaved changes are discarded at the end.
    None,
    /// Unsaved changes of the previous run are recovered. Output is printed after its changes are recorded.
    Kept,
}

/// Maximum length of a line of a script.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Runs a script (`-`: standard input) on a file or an empty document, and prints its output.
pub fn run(files: &[PathBuf], script: &Path, journal: Journal, model_files: ModelFiles) -> Result<ExitCode, String> {
    let mut runner = ScriptRunner::open(files, journal, model_files)?;
    let name = if script == Path::new("-") { "standard input".to_owned() } else { script.display().to_string() };
    for (number, line) in (1..).zip(lines(script)?) {
        if let Err(reason) = line.and_then(|line| runner.run_line(&line)) {
            runner.keep().unwrap_or_else(console::warn);
            return Err(format!("{name}, line {number}: {reason}"));
        }
    }
    runner.close()?;
    Ok(ExitCode::SUCCESS)
}

/// The lines of a script, and the error if the next one can't be read.
type Lines = Box<dyn Iterator<Item = Result<String, String>>>;

/// Reads a script: a file at once, standard input as its lines arrive.
fn lines(script: &Path) -> Result<Lines, String> {
    if script != Path::new("-") {
        let text = String::from_utf8(files::read(script)?);
        let text = text.map_err(|_| format!("{}: not a text file", script.display()))?;
        let lines: Vec<String> = text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
        return Ok(Box::new(lines.into_iter().map(Ok)));
    }
    let mut input = io::stdin().lock();
    let lines = std::iter::from_fn(move || read_line(&mut input).transpose());
    Ok(Box::new(lines.map(|line| line.map_err(|error| error.to_string()))))
}

/// The next line; `None` at the end. One that never ends is an error.
fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let length = from.take(MAX_LINE_BYTES).read_line(&mut line)?;
    if length as u64 == MAX_LINE_BYTES {
        return Err(io::Error::new(ErrorKind::InvalidData, "the line is longer than 16 MiB"));
    }
    let end = line.trim_end_matches('\n').trim_end_matches('\r').len();
    line.truncate(end);
    Ok((length > 0).then_some(line))
}
