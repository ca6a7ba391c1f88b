//! Phrases that the language of the project avoids (see `docs/glossary.md`), in source, documents, tests and tools.

use std::sync::OnceLock;

use crate::source::{Source, files};

/// Files and folders that are read.
const READ: &[&str] = &[
    "src",
    "docs",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "tests",
    "examples",
    "benches",
    ".github",
];

/// Whole words; case, underscores and capitals inside identifiers don't matter.
const PHRASES: &[&str] = &[
    "reset position",
    "clear position",
    "stands here",
    "stand here",
    "lies in",
    "lie in",
    "lies here",
    "so many",
    "so long",
    "told",
    "tells",
    "said",
    "held against",
    "holds against",
    "held to",
    "goes on",
    "go on",
    "anew",
    "by itself",
    "the most",
    "the least",
    "in hand",
    "mend",
    "mends",
    "mended",
    "throw away",
    "thrown away",
    "throws away",
    "take off",
    "takes off",
    "taken off",
    "put on",
    "puts on",
    "let go",
    "lets go",
    "can't be had",
    "be had",
    "house",
    "floor 1",
    "floor 2",
    "floors",
    "whoever",
    "somebody",
    "nobody",
    "what there is",
    "true where",
    "false where",
    "bring on",
    "brings on",
    "brought",
    "dies away",
    "no such thing as",
    "stands where",
    "of its own accord",
];

/// Uses of these phrases that mean something else.
const FINE: &[&str] = &["the most recent", "the least significant", "the most significant"];

/// Parts of identifiers, in capitals.
const PARTS: &[&str] = &["MOST_", "LEAST_"];

/// The phrases between spaces.
fn spaced() -> &'static [String] {
    static SPACED: OnceLock<Vec<String>> = OnceLock::new();
    SPACED.get_or_init(|| PHRASES.iter().map(|phrase| format!(" {phrase} ")).collect())
}

/// The text in small letters: words of identifiers apart, everything but letters, digits and apostrophes one space.
fn normalized(line: &str) -> String {
    let (mut words, mut before) = (String::from(" "), ' ');
    for letter in line.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        before = letter;
        if letter.is_alphanumeric() || letter == '\'' {
            words.extend(letter.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words.push(' ');
    words
}

/// The phrase of a line that is to be avoided. `next` is the line after it, in which a phrase may end.
fn avoided(line: &str, next: &str) -> Option<&'static str> {
    if let Some(part) = PARTS
        .iter()
        .find(|part| line.match_indices(*part).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric())))
    {
        return Some(part);
    }
    let comment = |line: &str| line.trim_start().trim_start_matches(['/', '!', '#']).to_owned();
    let first = normalized(line);
    let mut words = format!("{}{}", first.trim_end(), normalized(&comment(next)));
    for fine in FINE {
        words = words.replace(&format!(" {fine} "), " ");
    }
    let starts_here = |phrase: &str| words.find(phrase).is_some_and(|at| at < first.trim_end().len());
    spaced().iter().find(|phrase| starts_here(phrase)).map(|phrase| phrase.trim())
}

/// Every line of a file with a phrase that is to be avoided.
fn check(file: &Source) -> Vec<String> {
    let whole = normalized(&file.text);
    let has_part = PARTS.iter().any(|part| file.text.contains(*part));
    if !has_part && !spaced().iter().any(|phrase| whole.contains(phrase.as_str())) {
        return Vec::new();
    }
    let lines: Vec<&str> = file.text.lines().collect();
    let next = |at: usize| lines.get(at + 1).copied().unwrap_or_default();
    let found = lines.iter().enumerate().filter_map(|(at, line)| {
        let phrase = avoided(line, next(at))?;
        Some(format!("{}:{}: \"{phrase}\" in: {}", file.name, at + 1, line.trim()))
    });
    found.collect()
}

#[test]
fn the_language_is_plain() {
    let skipped = ["tests/code/words.rs", "docs/glossary.md"];
    let is_read = |file: &Source| !skipped.contains(&file.name.as_str()) && !file.name.ends_with(".lock");
    let all = READ.iter().flat_map(|path| files(path)).filter(is_read);
    let wrong: Vec<String> = all.flat_map(|file| check(&file)).collect();
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_check_can_fail() {
    assert_eq!(avoided("/// What the Game tells.", ""), Some("tells"));
    assert_eq!(avoided("const MOST_BYTES: usize = 1;", ""), Some("MOST_"));
    assert_eq!(avoided("let x = UTMOST_BYTES;", ""), None);
    assert_eq!(avoided("fn is_told(x: u8)", ""), Some("told"));
    assert_eq!(avoided("struct NobodyKnows;", ""), Some("nobody"));
    assert_eq!(avoided("// a file that stands", "// here is one"), Some("stands here"));
    assert_eq!(avoided("// a file", "// that stands here"), None);
    assert_eq!(avoided("x.floor() and the most recent file, recommended", ""), None);
    let file = Source { name: "a.md".into(), text: "one\nit goes on\n".into() };
    assert_eq!(check(&file), ["a.md:2: \"goes on\" in: it goes on"]);
}
