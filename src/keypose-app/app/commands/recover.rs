//! `keypose recover`: lists the unsaved work that crashes left, writes it to archives, or deletes it.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};

use keypose::assets::printable::printable;

use super::{Target, save_archive};
use crate::app::console;
use crate::app::work::Store;
use crate::app::work::list::{Entry, discard, last_state, list};

/// List unsaved work that was kept after crashes, write it to an archive, or delete it
#[derive(clap::Args)]
pub struct Arguments {
    /// Numbers of entries of the list
    #[arg(value_name = "NUMBER", requires = "what")]
    numbers: Vec<usize>,
    /// Write the last state of the one entry NUMBER to this archive; the entry stays
    #[arg(short, long, value_name = "ARCHIVE", group = "what", requires = "numbers")]
    output: Option<PathBuf>,
    /// Delete the entries NUMBER. Those that stay have other numbers then
    #[arg(long, group = "what", requires = "numbers")]
    discard: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "what")]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let store = Store::of_user().ok_or("the system has no folder for application state")?;
    let entries = list(&store).map_err(|error| format!("the folder with unsaved work can't be read: {error}"))?;
    let chosen = arguments.numbers.iter().map(|number| {
        let entry = number.checked_sub(1).and_then(|at| entries.get(at));
        entry.ok_or_else(|| format!("there is no entry {number}; keypose recover lists them"))
    });
    let chosen: Vec<&Entry> = chosen.collect::<Result<_, _>>()?;
    if let Some(output) = &arguments.output {
        let [entry] = chosen[..] else { return Err("an archive takes the state of one entry".into()) };
        let (project, left_out) = last_state(&entry.work.stored.0)?;
        save_archive(&Target::hold(output)?, &project, &[])?;
        left_out.iter().for_each(console::warn);
    } else if arguments.discard {
        for entry in chosen {
            let what = entry.what();
            discard(&entry.work.stored.0).map_err(|holder| format!("{what}: it is open in Keypose ({holder})"))?;
            console::print(format_args!("Deleted: {}", printable(&what)));
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
        let advice = match &entry.work.steps {
            Ok(_) if entry.comes_back() => "comes back when the file is opened".to_owned(),
            Ok(_) => format!("keypose recover {number} -o NEW.wad writes it to an archive"),
            Err(_) => format!("keypose recover {number} --discard deletes it"),
        };
        for line in [format!("{number}  {}", entry.what()), format!("   {}", entry.detail()), format!("   {advice}")] {
            text += &printable(&line);
            text.push('\n');
        }
    }
    text
}

fn as_json(entry: &Entry) -> Value {
    let work = &entry.work;
    json!({
        "title": entry.about.title,
        "path": entry.about.path.as_deref().map(console::path_text),
        "comes_back": entry.comes_back(),
        "changed_ms": work.changed,
        "steps": work.steps.as_ref().ok(),
        "last_step": work.last_step,
        "error": work.steps.as_ref().err(),
    })
}
