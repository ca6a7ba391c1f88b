//! The import report: changes, ignored parts and warnings, one sentence per line. What is found at many places is one line.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt::Display;

use crate::import::error::Fault;

/// The lines of a report. Their number is bounded, whatever the file.
#[derive(Clone, Debug, Default)]
pub struct Report {
    lines: Vec<Line>,
    /// Lines by what they are about.
    known: HashMap<String, usize>,
    left_out: usize,
    counted: BTreeMap<String, usize>,
}

/// The importance of a line: the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A part of the file is missing.
    Lost,
    Finding,
    /// Another name.
    Name,
}

#[derive(Clone, Debug)]
struct Line {
    rank: Rank,
    place: String,
    finding: String,
    /// The sentence about several of them, after their number.
    about: Option<String>,
    count: usize,
}

impl Line {
    fn text(self) -> String {
        let Line { place, finding, count, .. } = self;
        match (self.about, count) {
            (_, 1) => format!("{place}: {finding}"),
            (Some(about), _) => format!("{count} {about}"),
            (None, _) => format!("{place} and {} more: {finding}", count.saturating_sub(1)),
        }
    }
}

impl Report {
    /// The maximum number of different findings; more are counted.
    pub const MAX_LINES: usize = 200;

    /// The findings at a place in the file.
    pub fn at(&mut self, place: impl Display) -> Findings<'_> {
        Findings { place: place.to_string(), report: self }
    }

    /// Adds a finding at a place.
    pub fn add(&mut self, place: impl Display, finding: impl Display) {
        self.push(Rank::Finding, &place, &finding, None);
    }

    /// Adds the fault of a clip that is left out.
    pub fn left_out(&mut self, fault: &Fault) {
        self.push(Rank::Lost, &"clips", &format_args!("{fault}; the clip is left out"), None);
    }

    fn push(&mut self, rank: Rank, place: &dyn Display, finding: &dyn Display, about: Option<&str>) {
        let key = about.map_or_else(|| finding.to_string(), str::to_owned);
        if let Some(line) = self.known.get(&key).and_then(|at| self.lines.get_mut(*at)) {
            line.count = line.count.saturating_add(1);
        } else if self.lines.len() < Self::MAX_LINES {
            self.known.insert(key, self.lines.len());
            let about = about.map(str::to_owned);
            let (place, finding) = (place.to_string(), finding.to_string());
            self.lines.push(Line { rank, place, finding, about, count: 1 });
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
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

    /// All lines: first what is missing, last other names and the counts of items that were not imported.
    pub fn into_lines(mut self) -> Vec<String> {
        self.lines.sort_by_key(|line| line.rank);
        let mut lines: Vec<String> = self.lines.into_iter().map(Line::text).collect();
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

    /// Adds another name of an item. `about` is the sentence for several of these, after their number.
    pub fn add_name(&mut self, finding: impl Display, about: &str) {
        self.report.push(Rank::Name, &self.place, &finding, Some(about));
    }

    /// The error for a fault here, which ends the import.
    pub fn fault(&self, reason: impl Display) -> Fault {
        Fault::at(&self.place, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_often_is_one_line_and_what_is_missing_comes_first() {
        let mut report = Report::default();
        for node in 0..214 {
            report.at(format_args!("node {node}")).add_name("no name", "nodes without a name");
        }
        report.add("mesh 1", "no normals");
        report.add("mesh 2", "no normals");
        report.add("skin 0", "no root");
        report.left_out(&Fault::at("animation 3", "no keys"));
        report.not_imported("camera");
        let lines = report.into_lines();
        assert!(lines[0].starts_with("clips: ") && lines[0].ends_with("the clip is left out"), "{lines:?}");
        let rest = [
            "mesh 1 and 1 more: no normals",
            "skin 0: no root",
            "214 nodes without a name",
            "not imported: camera (1)",
        ];
        assert_eq!(lines[1..], rest);
    }
}
