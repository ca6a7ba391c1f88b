//! Which entries of a folder the file browser shows, and in which order.

use std::cmp::Ordering;
use std::path::Path;

use crate::editor::ops::sentence::has_words;
use crate::editor::session::browser::entry::{Entry, Listing};
use crate::editor::session::browser::kinds::PathPurpose;

/// The column that a list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// By name; numbers in names by their value.
    #[default]
    Name,
    /// By size.
    Size,
    /// By date.
    Date,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub by: SortBy,
    /// Whether the order is reversed. Folders still come first.
    pub is_reversed: bool,
}

impl Sort {
    /// The order after a click on a column: the same column is reversed. Sizes and dates begin with the largest.
    pub fn clicked(self, by: SortBy) -> Sort {
        let is_reversed = if self.by == by { !self.is_reversed } else { by != SortBy::Name };
        Sort { by, is_reversed }
    }
}

/// Which entries are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shows {
    /// The purpose of the path.
    pub purpose: PathPurpose,
    /// Whether files that don't suit the purpose are shown, too.
    pub has_all: bool,
    /// Whether hidden files are shown.
    pub has_hidden: bool,
    /// The typed filter: words that names contain, in any case.
    pub filter: String,
    /// The typed start of the name, in any case.
    pub start: String,
}

impl Shows {
    fn has(&self, entry: &Entry) -> bool {
        let is_asked_for = self.start.starts_with('.') || self.filter.starts_with('.');
        (!entry.is_hidden || self.has_hidden || is_asked_for)
            && self.has_kind(entry)
            && entry.shown.to_lowercase().starts_with(&self.start.to_lowercase())
            && has_words(&entry.shown, &self.filter)
    }

    /// Whether the kind of an entry is shown.
    pub fn has_kind(&self, entry: &Entry) -> bool {
        self.has_all || entry.is_folder() || self.purpose.suits(Path::new(&entry.name))
    }
}

/// The indices of the shown entries in their order: folders first.
pub fn shown(listing: &Listing, shows: &Shows, sort: Sort) -> Vec<usize> {
    let entries = &listing.entries;
    let mut keyed: Vec<(SortKey, usize)> =
        (0..entries.len()).filter(|&at| shows.has(&entries[at])).map(|at| (sort_key(&entries[at]), at)).collect();
    keyed.sort_by(|(a_key, a), (b_key, b)| {
        let (a, b) = (&entries[*a], &entries[*b]);
        let by_name = || a_key.cmp(b_key).then_with(|| a.name.cmp(&b.name));
        let order = match sort.by {
            SortBy::Name => Ordering::Equal,
            SortBy::Size => a.bytes.cmp(&b.bytes),
            SortBy::Date => a.modified.cmp(&b.modified),
        };
        let order = order.then_with(by_name);
        b.is_folder().cmp(&a.is_folder()).then(if sort.is_reversed { order.reverse() } else { order })
    });
    keyed.into_iter().map(|(_, at)| at).collect()
}

/// A part of a name: numbers are compared by value, so that "walk 9" comes before "walk 10".
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u64),
    Text(String),
}

/// The name and the extension, so that "knight.wad" comes before "knight-old.wad".
type SortKey = (Vec<Part>, Vec<Part>);

fn sort_key(entry: &Entry) -> SortKey {
    match entry.shown.rsplit_once('.').filter(|(stem, _)| !stem.is_empty() && !entry.is_folder()) {
        Some((stem, extension)) => (name_key(stem), name_key(extension)),
        None => (name_key(&entry.shown), Vec::new()),
    }
}

fn name_key(name: &str) -> Vec<Part> {
    let (mut parts, mut rest) = (Vec::new(), name);
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest.find(|letter: char| letter.is_ascii_digit() != is_number).unwrap_or(rest.len());
        let part = &rest[..end];
        parts.push(match part.parse() {
            Ok(number) if is_number => Part::Number(number),
            _ => Part::Text(part.to_lowercase()),
        });
        rest = &rest[end..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::session::browser::kinds::FileKind;

    fn listing() -> Listing {
        let names = ["walk10.glb", "Walk9.glb", "notes.txt", ".secret.glb", "b.wad"];
        let mut entries: Vec<Entry> =
            names.iter().map(|name| Entry::new(*name, FileKind::of(Path::new(name)))).collect();
        entries.push(Entry::new("zoo", FileKind::Folder));
        for (at, entry) in entries.iter_mut().enumerate() {
            entry.bytes = if entry.is_folder() { 0 } else { 100 - at as u64 };
            entry.modified = Some(at as u64);
        }
        Listing { folder: "a".into(), entries, fault: None, read_at: 0 }
    }

    fn names(shows: &Shows, sort: Sort) -> Vec<String> {
        let listing = listing();
        shown(&listing, shows, sort).into_iter().map(|at| listing.entries[at].shown.clone()).collect()
    }

    fn models() -> Shows {
        let (filter, start) = (String::new(), String::new());
        Shows { purpose: PathPurpose::Open, has_all: false, has_hidden: false, filter, start }
    }

    #[test]
    fn folders_come_first_and_numbers_by_value() {
        assert_eq!(names(&models(), Sort::default()), ["zoo", "b.wad", "Walk9.glb", "walk10.glb"]);
        let by_size = Sort::default().clicked(SortBy::Size);
        assert_eq!(names(&models(), by_size), ["zoo", "walk10.glb", "Walk9.glb", "b.wad"]);
        let by_date = Sort::default().clicked(SortBy::Date).clicked(SortBy::Date);
        assert_eq!(names(&models(), by_date), ["zoo", "walk10.glb", "Walk9.glb", "b.wad"]);
    }

    #[test]
    fn other_and_hidden_files_are_shown_on_request() {
        let all = Shows { has_all: true, ..models() };
        assert_eq!(names(&all, Sort::default()), ["zoo", "b.wad", "notes.txt", "Walk9.glb", "walk10.glb"]);
        assert_eq!(names(&Shows { has_hidden: true, ..models() }, Sort::default()).len(), 5);
        let typed = Shows { start: ".se".into(), ..models() };
        assert_eq!(names(&typed, Sort::default()), [".secret.glb"]);
    }

    #[test]
    fn words_are_found_anywhere_in_any_case() {
        assert_eq!(
            names(&Shows { filter: "glb WALK".into(), ..models() }, Sort::default()),
            ["Walk9.glb", "walk10.glb"]
        );
        assert_eq!(names(&Shows { start: "WALK1".into(), ..models() }, Sort::default()), ["walk10.glb"]);
    }
}
