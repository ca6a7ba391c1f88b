//! The report of an import: what was changed, left behind or is suspicious, one sentence a line.

use std::collections::BTreeMap;
use std::fmt::Display;

/// Lines in the order in which they came up. A broken file cannot make it grow without bound.
#[derive(Clone, Debug, Default)]
pub struct Report {
    lines: Vec<String>,
    left_out: usize,
    counted: BTreeMap<String, usize>,
}

impl Report {
    /// More lines than anybody reads.
    pub const MOST_LINES: usize = 200;

    /// A finding at a place.
    pub fn add(&mut self, place: impl Display, finding: impl Display) {
        match self.lines.len() < Self::MOST_LINES {
            true => self.lines.push(format!("{place}: {finding}")),
            false => self.left_out = self.left_out.saturating_add(1),
        }
    }

    /// A kind of thing that is not carried over; each kind becomes one line with its number.
    pub fn left_behind(&mut self, kind: &str) {
        let count = self.counted.entry(kind.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    /// All lines; what was left behind comes last.
    pub fn into_lines(self) -> Vec<String> {
        let mut lines = self.lines;
        if self.left_out > 0 {
            lines.push(format!("and {} findings more", self.left_out));
        }
        lines.extend(self.counted.into_iter().map(|(kind, count)| format!("not carried over: {kind} ({count})")));
        lines
    }
}
