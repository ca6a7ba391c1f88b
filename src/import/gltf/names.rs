//! Names that come from files: missing ones get one, repeated ones a number, endless ones an end.

use std::collections::{HashMap, HashSet};

use crate::import::report::Report;

/// The names of one kind of thing that are taken. Numbers as [`crate::assets::project::unique_name`] does, but keeps
/// count, so that a file with a hundred thousand equal names does not take for ever.
pub struct Names {
    /// "bone", "clip", …: for the report.
    kind: &'static str,
    taken: HashSet<String>,
    next: HashMap<String, u32>,
}

/// The longest name that is kept, in bytes.
const LONGEST: usize = 256;

impl Names {
    /// None taken yet.
    pub fn of(kind: &'static str) -> Names {
        Names { kind, taken: HashSet::new(), next: HashMap::new() }
    }

    /// The name itself where it is there and free, else one made from it or from the fallback. The report says so.
    pub fn take(&mut self, name: Option<&str>, fallback: &str, report: &mut Report) -> String {
        let Some(name) = name.filter(|name| !name.trim().is_empty()) else {
            let given = self.take_quietly(fallback);
            report.add(fallback, format_args!("it has no name; it is now {} \"{given}\"", self.kind));
            return given;
        };
        let given = self.take_quietly(name);
        if given != name {
            let why = if name.len() > LONGEST { "is too long" } else { "is taken" };
            report.add(fallback, format_args!("the name \"{}\" {why}; it is now \"{given}\"", shortened(name)));
        }
        given
    }

    /// As [`Names::take`] for a name that is not the file's own.
    pub fn take_quietly(&mut self, name: &str) -> String {
        let name = shortened(name);
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let digits = |digits: &str| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let stem = name.rsplit_once('.').filter(|(_, end)| digits(end)).map_or(name, |(stem, _)| stem);
        let next = self.next.entry(stem.to_owned()).or_insert(0);
        loop {
            *next = next.saturating_add(1);
            let numbered = format!("{stem}.{next:03}");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

fn shortened(name: &str) -> &str {
    let end = (0..=LONGEST).rev().find(|&end| name.is_char_boundary(end)).unwrap_or_default();
    if name.len() > LONGEST { name.get(..end).unwrap_or_default() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_and_unique() {
        let (mut names, mut report) = (Names::of("bone"), Report::default());
        let long = "é".repeat(300);
        let given = [Some("a"), Some("a"), None, Some("a.001"), Some(""), Some("a"), Some(&long)];
        let given: Vec<_> = given.into_iter().map(|name| names.take(name, "node", &mut report)).collect();
        assert_eq!(given[..6], ["a", "a.001", "node", "a.002", "node.001", "a.003"]);
        assert_eq!(given[6], "é".repeat(128));
        assert_eq!(report.into_lines().len(), 6);
    }
}
