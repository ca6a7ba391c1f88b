//! The files of the repository, and Rust source without its comments and strings.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// A text file.
pub struct Source {
    /// Relative to the repository, with forward slashes.
    pub name: String,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Every text file at or below a path of the repository, sorted by name. Empty if the path doesn't exist.
pub fn files(path: &str) -> Vec<Source> {
    let (mut found, mut open) = (Vec::new(), vec![root().join(path)]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push(Source { name: name_of(&path), text });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/")
}

/// Every Rust file of `src`, named relative to it, as code without comments and strings. They are read once.
pub fn code_of_src() -> &'static [Source] {
    static FOUND: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let files = files("src").into_iter().filter(|file| file.name.ends_with(".rs"));
        files.map(|file| Source { name: file.name["src/".len()..].to_owned(), text: code_of(&file.text) }).collect()
    });
    assert!(FOUND.len() > 100, "the sources were not found");
    &FOUND
}

/// Rust source with its comments removed and its strings and characters emptied. Keeps the line breaks.
pub fn code_of(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut code, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = match rest[0] {
            b'/' if rest.starts_with(b"//") => at + length_until(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => at + block_comment(rest),
            b'"' => at + string(rest),
            b'r' if !follows_word(&code) && raw_string(rest).is_some() => at + raw_string(rest).unwrap(),
            b'\'' => at + character(rest),
            _ => at,
        };
        if end == at {
            code.push(bytes[at]);
            at += 1;
        } else {
            code.extend(bytes[at..end].iter().filter(|byte| **byte == b'\n'));
            code.extend_from_slice(if rest[0] == b'/' { b"" } else { b"\"\"" });
            at = end;
        }
    }
    String::from_utf8_lossy(&code).into_owned()
}

fn follows_word(code: &[u8]) -> bool {
    code.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn length_until(rest: &[u8], end: &[u8]) -> usize {
    rest.windows(end.len()).position(|window| window == end).unwrap_or(rest.len())
}

fn block_comment(rest: &[u8]) -> usize {
    (length_until(rest, b"*/") + 2).min(rest.len())
}

fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'"' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

fn raw_string(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    let start = 2 + hashes;
    (rest.get(start - 1) == Some(&b'"')).then(|| {
        let end = [b"\"", "#".repeat(hashes).as_bytes()].concat();
        (start + length_until(&rest[start..], &end) + end.len()).min(rest.len())
    })
}

/// The length of a character literal; 0 for a lifetime.
fn character(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        return 3 + length_until(&rest[3..], b"'") + 1;
    }
    let text = String::from_utf8_lossy(&rest[1..rest.len().min(8)]).into_owned();
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), Some('\'')) => 2 + letter.len_utf8(),
        _ => 0,
    }
}

/// The line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1
}

#[test]
fn comments_and_strings_are_removed() {
    assert_eq!(code_of("a \"crate::game\" b // c\nd"), "a \"\" b \nd");
    assert_eq!(code_of("r#\"a \" // b\"# c '\"' 'a"), "\"\" c \"\" 'a");
    assert_eq!(code_of("x /* a\nb */ '\\'' \"\\\"\" y"), "x \n \"\" \"\" y");
    assert_eq!(code_of("for<'a> 'é' \"two\nlines\""), "for<'a> \"\" \n\"\"");
    assert_eq!(line_of("a\nb", 2), 2);
}
