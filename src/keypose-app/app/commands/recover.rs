//! `keypose recover`: lists the unsaved work that crashes left, writes it to archives, or deletes it.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use keypose::assets::printable::printable;

use super::save_archive;
use crate::app::console;
use crate::app::work::Store;
use crate::app::work::list::{Entry, list, millis};

/// List unsaved work that was kept after crashes, write it to an archive, or delete it
#[derive(clap::Args)]
pub struct Arguments {
    /// The number of an entry of the list
    #[arg(requires = "what")]
    number: Option<usize>,
    /// Write the last state of entry NUMBER to this archive; the entry stays
    #[arg(short, long, value_name = "ARCHIVE", group = "what", requires = "number")]
    output: Option<PathBuf>,
    /// Delete entry NUMBER
    #[arg(long, group = "what", requires = "number")]
    discard: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "what")]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let store = Store::of_user().ok_or("the system has no folder for application state")?;
    let entries = list(&store).map_err(|error| format!("the folder with unsaved work can't be read: {error}"))?;
    if let Some(number) = arguments.number {
        let entry = number.checked_sub(1).and_then(|at| entries.get(at));
        let entry = entry.ok_or_else(|| format!("there is no entry {number}; keypose recover lists them"))?;
        if let Some(output) = &arguments.output {
            let (project, left_out) = entry.last_state()?;
            save_archive(output, &project, &[])?;
            left_out.iter().for_each(console::warn);
        } else {
            entry.discard().map_err(|holder| format!("entry {number} is open in Keypose ({holder})"))?;
        }
    } else if arguments.json {
        console::print_json(&json!(entries.iter().map(as_json).collect::<Vec<_>>()));
    } else {
        console::print_lines(&as_text(&entries));
    }
    Ok(ExitCode::SUCCESS)
}

/// A paragraph for each entry.
fn as_text(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return "No unsaved work was found.".to_owned();
    }
    let mut text = String::new();
    for (number, entry) in (1..).zip(entries) {
        let advice = match (&entry.file, &entry.steps) {
            (Some(_), _) => "comes back when the file is opened".to_owned(),
            (None, Ok(_)) => format!("keypose recover {number} -o NEW.wad writes it to an archive"),
            (None, Err(_)) => format!("keypose recover {number} --discard deletes it"),
        };
        for line in [format!("{number}  {}", entry.what()), format!("   {}", entry.detail()), format!("   {advice}")] {
            text += &printable(&line);
            text.push('\n');
        }
    }
    text
}

fn as_json(entry: &Entry) -> Value {
    let steps = entry.steps.as_ref();
    json!({
        "title": entry.about.title,
        "path": entry.about.path.as_deref().map(console::path_text),
        "comes_back": entry.file.is_some(),
        "changed_ms": entry.changed.map(millis),
        "steps": steps.ok().map(|(count, _)| count),
        "last_step": steps.ok().and_then(|(_, last)| last.as_deref()),
        "error": steps.err(),
    })
}
