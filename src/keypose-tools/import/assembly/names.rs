//! Names of imported items: missing names are generated, duplicates numbered, long ones shortened.

use std::borrow::Cow;

use crate::assets::project::UsedNames;
use crate::import::report::Findings;

/// The names in use for one kind of item.
pub struct Names {
    /// "bone", "clip", …: used in the report.
    kind: &'static str,
    used: UsedNames,
}

/// Maximum length of a name, in bytes.
const MAX_LENGTH: usize = 256;
/// Bytes of the start and of the end of a longer one: with an ellipsis, nearly as many.
const PART: usize = 126;

impl Names {
    /// Starts with no names in use.
    pub fn of(kind: &'static str) -> Names {
        Names { kind, used: UsedNames::default() }
    }

    /// Returns the name if it is set and free, else a unique one made from it or from its place, which is reported.
    pub fn take(&mut self, name: Option<&str>, findings: &mut Findings<'_>) -> String {
        let Some(name) = name.filter(|name| !name.trim().is_empty()) else {
            let given = self.take_quietly(&findings.place);
            let about = format!("{} without a name are now called after their place in the file", self.kinds());
            findings.add_name(format_args!("no name; the {} is now called \"{given}\"", self.kind), &about);
            return given;
        };
        let given = self.take_quietly(name);
        if given != name {
            let why = if name.len() > MAX_LENGTH { "is too long" } else { "is already used" };
            let about = format!("{} were renamed, because each name {why}", self.kinds());
            findings.add_name(format_args!("the name \"{}\" {why}; renamed to \"{given}\"", shortened(name)), &about);
        }
        given
    }

    /// Several items of the kind.
    fn kinds(&self) -> String {
        if self.kind.ends_with("sh") { format!("{}es", self.kind) } else { format!("{}s", self.kind) }
    }

    /// Like [`Names::take`], without a report.
    pub fn take_quietly(&mut self, name: &str) -> String {
        self.used.take(&shortened(name))
    }
}

/// A name; the start and the end of one of over 256 bytes. Readers shorten names before they copy or compare them: a file can refer to
/// one very often. Long names are paths, and the ends of two paths differ.
pub fn shortened(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_LENGTH {
        return Cow::Borrowed(name);
    }
    let start = name.get(..name.floor_char_boundary(PART)).unwrap_or_default();
    let end = name.get(name.ceil_char_boundary(name.len().saturating_sub(PART))..).unwrap_or_default();
    Cow::Owned(format!("{start}…{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::report::Report;

    #[test]
    fn every_item_gets_a_unique_name() {
        let (mut names, mut report) = (Names::of("bone"), Report::default());
        let [long, path] = ["é".repeat(300), format!("{}a", "é".repeat(300))];
        let given = [Some("a"), Some("a"), None, Some("a.001"), Some(""), Some("a"), Some(&long), Some(&path)];
        let given: Vec<_> = given.into_iter().map(|name| names.take(name, &mut report.at("node"))).collect();
        assert_eq!(given[..6], ["a", "a.001", "node", "a.002", "node.001", "a.003"]);
        assert_eq!(given[6], format!("{0}…{0}", "é".repeat(63)));
        assert!(given[7].ends_with("éa"));
        let lines = report.into_lines();
        assert_eq!(lines[0], "3 bones were renamed, because each name is already used");
        assert_eq!(lines[1], "2 bones without a name are now called after their place in the file");
        assert_eq!(lines.len(), 3);
    }
}
