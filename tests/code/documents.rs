//! What the documents for contributors say about files: each one that they name exists.

use crate::source::root;

/// Documents that are read.
const DOCUMENTS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "examples/README.md", "docs/manual.md"];
/// Folders whose paths are checked when they are named in code spans.
const FOLDERS: &[&str] = &["src", "tests", "tools", "docs", "data", "examples", "benches", "fuzz", "shaders"];
/// The longest that ARCHITECTURE.md may be, in lines.
const MAX_ARCHITECTURE_LINES: usize = 150;

/// The text between each pair of `open` and `close` on one line.
fn spans<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().flat_map(move |line| line.split(open).skip(1).step_by(if open == "`" { 2 } else { 1 }));
    lines
        .filter_map(move |rest| if open == "`" { Some(rest) } else { rest.split_once(close).map(|(inside, _)| inside) })
}

#[test]
fn documents_name_files_that_exist() {
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"));
        let is_path = |span: &&str| {
            let first = span.split('/').next().unwrap_or_default();
            FOLDERS.contains(&first) && span.contains('/') && !span.contains([' ', '{', '*'])
        };
        for path in spans(&text, "`", '`').filter(is_path) {
            if !root().join(path).exists() {
                missing.push(format!("{document}: {path}"));
            }
        }
        let folder = root().join(document).parent().unwrap_or(root()).to_owned();
        for link in spans(&text, "](", ')').filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
            if !folder.join(link.split('#').next().unwrap_or_default()).exists() {
                missing.push(format!("{document}: link to {link}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_architecture_stays_short() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let lines = text.lines().count();
    assert!(lines <= MAX_ARCHITECTURE_LINES, "{lines} lines");
}
