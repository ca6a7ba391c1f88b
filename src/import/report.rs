//! The import report: what was changed, ignored or looks wrong, one sentence per line.

use std::collections::BTreeMap;
use std::fmt::Display;

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

    /// Adds a finding at a place.
    pub fn add(&mut self, place: impl Display, finding: impl Display) {
        match self.lines.len() < Self::MAX_LINES {
            true => self.lines.push(format!("{place}: {finding}")),
            false => self.left_out = self.left_out.saturating_add(1),
        }
    }

    /// Counts one item that is not imported. Each kind becomes one line with its count.
    pub fn not_imported(&mut self, kind: &str) {
        let count = self.counted.entry(kind.to_owned()).or_default();
        *count = count.saturating_add(1);
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
