//! `keypose recover`: lists the unsaved work that journals keep, and writes it to archives.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::save_archive;
use crate::app::journal::kept::{Base, Kept};
use crate::app::unsaved_work::{Fate, advice, fate, list, millis, what};
use crate::app::{console, files};
use crate::assets::printable::printable;
use crate::wad::journal::is_journal;

/// List unsaved work that was kept after crashes, or write it to an archive
#[derive(clap::Args)]
pub struct Arguments {
    /// A folder, or a file in it: lists the journals there, those in the folder for application state, and those that Keypose left
    /// beside archives elsewhere
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Write the last state of the journal PATH to this archive; the journal stays
    #[arg(short, long, value_name = "ARCHIVE")]
    output: Option<PathBuf>,
    /// The archive that the journal starts from, if it is not found
    #[arg(long, value_name = "ARCHIVE", requires = "output")]
    over: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    if let Some(output) = &arguments.output {
        return write(&arguments.path, arguments.over.as_deref(), output);
    }
    let (kept, failed) = list(folder_of(&arguments.path)?);
    if arguments.json {
        console::print_json(&json!({ "journals": kept.iter().map(as_json).collect::<Vec<_>>(), "not_read": failed }))
    } else {
        if !kept.is_empty() || failed.is_empty() {
            console::print_lines(&as_text(&kept));
        }
        failed.iter().for_each(console::warn);
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the folder itself, or the folder of a file.
fn folder_of(path: &Path) -> Result<&Path, String> {
    let about = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = if about.is_dir() { Some(path) } else { path.parent() };
    Ok(folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

fn write(journal: &Path, over: Option<&Path>, output: &Path) -> Result<ExitCode, String> {
    let bytes = files::read(journal)?;
    if !is_journal(&bytes) {
        return Err(format!("{}: not a journal; keypose recover without -o lists journals", journal.display()));
    }
    let opened = files::unsaved_work(journal, &bytes, over)?;
    opened.report.iter().for_each(console::warn);
    save_archive(output, &opened.project, &opened.characters)?;
    Ok(ExitCode::SUCCESS)
}

/// A paragraph for each journal.
fn as_text(kept: &[Kept]) -> String {
    if kept.is_empty() {
        return "No unsaved work was found.".to_owned();
    }
    let mut text = String::new();
    for one in kept {
        let lines = [one.journal.display().to_string(), format!("    {}", what(one)), format!("    {}", advice(one))];
        for line in lines {
            text += &printable(&line);
            text.push('\n');
        }
    }
    text
}

fn as_json(kept: &Kept) -> Value {
    let (fate, file) = match fate(kept) {
        Fate::InUse(_) => ("in use", None),
        Fate::Saved(file) => ("saved", Some(file)),
        Fate::ComesBack(file) => ("comes back", Some(file)),
        Fate::Kept => ("kept", None),
        Fate::Elsewhere(file) => ("starts elsewhere", Some(file)),
        Fate::NoBase => ("base not found", None),
        Fate::Damaged(file, _) => ("base damaged", Some(file)),
        Fate::Unreadable(_) => ("unreadable", None),
    };
    let content = kept.content.as_ref();
    let base = content.ok().and_then(|content| match &content.base {
        Base::File(path) | Base::Saved(path) => Some(path.as_path()),
        Base::Whole | Base::Damaged(..) | Base::Missing => None,
    });
    json!({
        "journal": console::path_text(&kept.journal),
        "archive": kept.archive.as_deref().map(console::path_text),
        "changed_ms": kept.changed.map(millis),
        "steps": content.ok().map(|content| content.steps),
        "last_step": content.ok().and_then(|content| content.last.as_deref()),
        "starts_from": base.map(console::path_text),
        "fate": fate,
        "file": file.map(console::path_text),
        "holder": kept.holder,
        "error": content.err().or_else(|| content.ok()?.damage.as_ref()),
    })
}
