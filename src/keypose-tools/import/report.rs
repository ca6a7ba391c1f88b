//! The import report: changes, ignored parts and warnings, one sentence per line.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::import::error::Fault;

/// The lines of a report in the order in which they were added. Their number is bounded, whatever the file.
#[derive(Clone, Debug, Default)]
pub struct Report {
    lines: Vec<String>,
    left_out: usize,
    counted: BTreeMap<String, usize>,
}

impl Report {
    /// The maximum number of findings; more are counted.
    pub const MAX_LINES: usize = 200;

    /// The findings at a place in the file.
    pub fn at(&mut self, place: impl Display) -> Findings<'_> {
        Findings { place: place.to_string(), report: self }
    }

    /// Adds a finding at a place.
    pub fn add(&mut self, place: impl Display, finding: impl Display) {
        if self.lines.len() < Self::MAX_LINES {
            self.lines.push(format!("{place}: {finding}"))
        } else {
            self.left_out = self.left_out.saturating_add(1)
        }
    }

    /// Adds the fault of a clip that is left out.
    pub fn left_out(&mut self, fault: &Fault) {
        self.add("clips", format_args!("{fault}; the clip is left out"));
    }

    /// Counts one item that is not imported. Each kind becomes one line with its count.
    pub fn not_imported(&mut self, kind: &str) {
        self.not_imported_many(kind, 1);
    }

    /// Counts several items of a kind that are not imported.
    pub fn not_imported_many(&mut self, kind: &str, added: usize) {
        if added > 0 {
            let count = self.counted.entry(kind.to_owned()).or_default();
            *count = count.saturating_add(added);
        }
    }

    /// All lines. The counts of items that were not imported come last.
    pub fn into_lines(self) -> Vec<String> {
        let mut lines = self.lines;
        if self.left_out > 0 {
            lines.push(format!("and {} more findings", self.left_out));
        }
        lines.extend(self.counted.into_iter().map(|(kind, count)| format!("not imported: {kind} ({count})")));
        lines
    }
}

/// A place in the file, such as "mesh 3, primitive 0", and the report that receives its findings.
pub struct Findings<'r> {
    /// Place in the file.
    pub place: String,
    /// The report of the whole file.
    pub report: &'r mut Report,
}

impl Findings<'_> {
    /// The findings at a place inside of this one.
    pub fn within(&mut self, part: impl Display) -> Findings<'_> {
        Findings { place: format!("{}, {part}", self.place), report: self.report }
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: impl Display) {
        self.report.add(&self.place, finding);
    }

    /// The error for a fault here, which ends the import.
    pub fn fault(&self, reason: impl Display) -> Fault {
        Fault::at(&self.place, reason)
    }
}
