//! Tab completion of typed paths.

use std::path::MAIN_SEPARATOR;

use crate::editor::session::browser::entry::{Entry, Listing};
use crate::editor::session::browser::order::{Shows, Sort, shown};

/// The names with the typed start: only names in the typed case if there are any.
fn candidates<'a>(listing: &'a Listing, start: &str, shows: &Shows) -> Vec<&'a Entry> {
    let shows = Shows { filter: String::new(), start: start.to_owned(), ..shows.clone() };
    let found = shown(listing, &shows, Sort::default()).into_iter().map(|at| &listing.entries[at]);
    let (exact, others): (Vec<&Entry>, Vec<&Entry>) = found.partition(|entry| entry.shown.starts_with(start));
    if exact.is_empty() { others } else { exact }
}

/// Completes the start of a name to the longest common start of all matching names, with a separator if only one folder matches.
/// `None` if no name starts so.
pub fn completed(listing: &Listing, start: &str, shows: &Shows) -> Option<String> {
    let candidates = candidates(listing, start, shows);
    let (first, rest) = candidates.split_first()?;
    let common = rest.iter().fold(first.shown.as_str(), |common, entry| common_start(common, &entry.shown));
    if rest.is_empty() && first.is_folder() {
        return Some(format!("{common}{MAIN_SEPARATOR}"));
    }
    // The common start of names that differ in case may be shorter than the typed text.
    Some(if common.chars().count() < start.chars().count() { start.to_owned() } else { common.to_owned() })
}

fn common_start<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.char_indices().zip(b.chars()).take_while(|((_, a), b)| a == b);
    let end = same.last().map_or(0, |((at, letter), _)| at + letter.len_utf8());
    &a[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::session::browser::kinds::{FileKind, PathPurpose};
    use std::path::Path;

    #[test]
    fn tab_completes_what_names_have_in_common() {
        let names = ["knight.wad", "knight-old.wad", "köln.glb", "könig.glb", "notes.txt", ".hidden.wad", "Zoo.glb"];
        let mut entries: Vec<Entry> =
            names.iter().map(|name| Entry::new(*name, FileKind::of(Path::new(name)))).collect();
        entries.push(Entry::new("models", FileKind::Folder));
        let listing = Listing { folder: "a".into(), entries, fault: None, read_at: 0 };
        let (filter, start) = (String::new(), String::new());
        let shows = Shows { purpose: PathPurpose::Open, has_all: false, has_hidden: false, filter, start };
        let done = |start: &str| completed(&listing, start, &shows);
        assert_eq!(done("kn").as_deref(), Some("knight"));
        assert_eq!(done("knight.").as_deref(), Some("knight.wad"));
        assert_eq!(done("k\u{f6}").as_deref(), Some("k\u{f6}"));
        assert_eq!(done("zo").as_deref(), Some("Zoo.glb"), "another case");
        assert_eq!(done("m"), Some(format!("models{MAIN_SEPARATOR}")), "a folder");
        assert_eq!((done("n"), done("x")), (None, None), "text files don't suit");
        assert_eq!(done(".h").as_deref(), Some(".hidden.wad"));
    }
}
