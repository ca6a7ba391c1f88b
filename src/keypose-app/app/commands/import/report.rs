//! The report of an import, file by file, as text or JSON; and its progress.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use keypose::assets::model::Model;

use crate::app::console;

/// The result of importing one file.
#[derive(Debug, Default)]
pub struct FileReport {
    /// The imported file.
    pub file: PathBuf,
    /// The archive that has it, and its size in bytes; `None` if none was written.
    pub output: Option<(PathBuf, usize)>,
    /// A line about each model, and its figures.
    pub models: Vec<ModelFigures>,
    /// Names of the clips that it added to the model of another file.
    pub added_clips: Vec<String>,
    /// Changes, ignored parts and warnings, one sentence each.
    pub findings: Vec<String>,
    /// Why it was not imported.
    pub error: Option<String>,
}

/// The findings that a report prints.
#[derive(Clone, Copy, Debug)]
pub enum Findings {
    /// The first ones, which are the worst.
    First,
    /// All of them.
    All,
}

/// Maximum number of lines about findings in a short report.
const MAX_FINDINGS: usize = 10;

/// Counts of a model's parts.
#[derive(Debug)]
pub struct ModelFigures {
    name: String,
    bones: usize,
    meshes: usize,
    vertices: usize,
    clips: usize,
}

impl ModelFigures {
    /// Counts the parts of a model.
    pub fn of(model: &Model) -> ModelFigures {
        ModelFigures {
            name: model.name.clone(),
            bones: model.skeleton.len(),
            meshes: model.meshes.len(),
            vertices: model.meshes.iter().map(|slot| slot.mesh.positions.len()).sum(),
            clips: model.clips.len(),
        }
    }

    fn text(&self) -> String {
        let ModelFigures { name, bones, meshes, vertices, clips } = self;
        format!("{name}: {bones} bones, {meshes} meshes with {vertices} vertices, {clips} clips")
    }

    fn json(&self) -> Value {
        let ModelFigures { name, bones, meshes, vertices, clips } = self;
        json!({ "name": name, "bones": bones, "meshes": meshes, "vertices": vertices, "clips": clips })
    }
}

impl FileReport {
    /// A report about a file.
    pub fn of(file: &Path) -> FileReport {
        FileReport { file: file.to_owned(), ..FileReport::default() }
    }

    /// Prints findings, then a line for each model; errors go to stderr. If not all findings are asked for, at most ten lines.
    pub fn print(&self, wanted: Findings) {
        let shown = match wanted {
            Findings::First if self.findings.len() > MAX_FINDINGS => MAX_FINDINGS - 1,
            Findings::First | Findings::All => self.findings.len(),
        };
        self.findings.iter().take(shown).for_each(console::print);
        let more = self.findings.len() - shown;
        if more > 0 {
            console::print(format_args!("{}: {more} more findings; --verbose prints them", self.file.display()));
        }
        if let Some((output, bytes)) = &self.output {
            let line = |model: &ModelFigures| format!("{} -> {}, {bytes} bytes", model.text(), output.display());
            self.models.iter().map(line).for_each(console::print);
        }
        if let Some(error) = &self.error {
            console::warn(format_args!("keypose: {error}"));
        }
    }

    fn json(&self) -> Value {
        let mut value = json!({
            "file": console::path_text(&self.file),
            "findings": self.findings,
            "models": self.models.iter().map(ModelFigures::json).collect::<Vec<_>>(),
            "added_clips": self.added_clips,
        });
        if let Some((output, bytes)) = &self.output {
            value["output"] = json!(console::path_text(output));
            value["bytes"] = json!(bytes);
        }
        if let Some(error) = &self.error {
            value["error"] = json!(error);
        }
        value
    }
}

/// Prints all reports as one JSON value: `{ "files": [ … ] }`.
pub fn print_json(reports: &[FileReport]) {
    console::print_json(&json!({ "files": reports.iter().map(FileReport::json).collect::<Vec<_>>() }));
}

/// Counts files that are done. On a terminal each is a line of stderr.
#[derive(Debug)]
pub struct Counter {
    all: usize,
    done: AtomicUsize,
    is_shown: bool,
}

impl Counter {
    /// A counter of files.
    pub fn new(all: usize) -> Counter {
        Counter { all, done: AtomicUsize::new(0), is_shown: all > 1 && std::io::stderr().is_terminal() }
    }

    /// Counts a file.
    pub fn count(&self, path: &Path) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown {
            console::warn(format_args!("[{done}/{}] {}", self.all, path.display()));
        }
    }
}
