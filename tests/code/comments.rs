//! Doc comments that say nothing: those that begin with a pronoun instead of the thing, and those that repeat the name of their item.
//! Each folder has a budget of lines that are left from before this check; it may only be lowered.

use std::collections::BTreeMap;

use crate::source::{Source, files};

/// The lines that a folder still has. Folders without a row have none.
const BUDGETS: &[(&str, usize)] = &[("keypose-tools", 8), ("tests", 48)];

/// Folders that are read.
const READ: [&str; 6] = ["src", "tests", "tools", "benches", "examples", "fuzz"];

/// First words that refer to something which isn't named.
const PRONOUNS: [&str; 11] = ["Its", "It", "That", "Those", "They", "Their", "Theirs", "Them", "What", "Who", "Whose"];

/// Words that add nothing to the name of an item.
const EMPTY: [&str; 15] =
    ["the", "a", "an", "its", "of", "whether", "is", "are", "it", "all", "in", "this", "new", "and", "to"];

/// Whether a doc comment begins with a pronoun: "Its place.", "The same of a foe.".
fn begins_with_pronoun(text: &str) -> bool {
    let mut words = text.split([' ', ',', '.', ':', ';']);
    let [first, second, third] = [(); 3].map(|()| words.next().unwrap_or_default());
    let is_reference = ["of", "as", "for", "on", "with", "without", "in", "from", "at"].contains(&third);
    PRONOUNS.contains(&first) || (first, second) == ("The", "same") && is_reference
}

/// The words of a text or an identifier, in small letters and the singular.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut before) = (vec![String::new()], ' ');
    for letter in text.chars() {
        let is_start = letter.is_uppercase() && before.is_lowercase();
        if is_start || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    let singular = |word: String| match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').filter(|stem| stem.len() > 1).map(str::to_owned).unwrap_or(word),
    };
    words.into_iter().filter(|word| !word.is_empty()).map(singular).collect()
}

/// The name that a line declares: `pub fn width(…)` is `width`.
fn name_of(line: &str) -> &str {
    const BEFORE: [&str; 14] = [
        "pub",
        "pub(super)",
        "pub(crate)",
        "const",
        "unsafe",
        "async",
        "fn",
        "struct",
        "enum",
        "trait",
        "type",
        "mod",
        "static",
        "mut",
    ];
    let word = line.split_whitespace().find(|word| !BEFORE.contains(word) && !word.starts_with("pub(")).unwrap_or("");
    &word[..word.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(word.len())]
}

/// Whether a doc comment of one line has no word that isn't in the name of its item.
fn repeats(text: &str, item: &str) -> bool {
    let name = words(name_of(item));
    !name.is_empty() && words(text).iter().all(|word| name.contains(word) || EMPTY.contains(&word.as_str()))
}

/// The doc comments of a file that say nothing, with their lines.
fn check(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let is_doc = |line: &str| line.starts_with("///") || line.starts_with("//!");
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let follows = at > 0 && is_doc(lines[at - 1]);
        let Some(text) = line.strip_prefix("/// ").or(line.strip_prefix("//! ")).filter(|_| !follows) else { continue };
        let item = lines[at + 1..].iter().find(|line| !line.starts_with("#["));
        let is_alone = line.starts_with("///") && !lines.get(at + 1).is_some_and(|next| is_doc(next));
        if begins_with_pronoun(text) || is_alone && item.is_some_and(|item| repeats(text, item)) {
            found.push(format!("{}:{}: {text}", source.name, at + 1));
        }
    }
    found
}

/// The folder of a file whose budget counts: a crate, a module of the runtime or of the editor's crate, or a top-level folder.
fn folder(name: &str) -> &str {
    let mut parts = name.split('/');
    match (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next()) {
        ("src", "keypose" | "keypose-editor", Some(module)) => module,
        ("src", crate_name, _) => crate_name,
        (top, ..) => top,
    }
}

#[test]
fn doc_comments_name_the_thing_and_add_to_its_name() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in READ.iter().flat_map(|path| files(path)).filter(|source| source.name.ends_with(".rs")) {
        found.entry(folder(&source.name).to_owned()).or_default().extend(check(&source));
    }
    let budget = |folder: &str| BUDGETS.iter().find(|(name, _)| *name == folder).map_or(0, |(_, count)| *count);
    let mut wrong = Vec::new();
    for (folder, lines) in &found {
        if lines.len() > budget(folder) {
            wrong.push(format!("{folder}: {} lines, at most {}:\n{}", lines.len(), budget(folder), lines.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "name the thing, or say more than its name\n{}", wrong.join("\n"));
}

#[test]
fn the_check_can_fail() {
    let empty = ["Its place.", "What the drag does.", "The same of what flies.", "Those, sorted."];
    assert!(empty.into_iter().all(begins_with_pronoun));
    let full = ["The place of a foe.", "The same bits on each machine.", "Italics.", "Whether it is open."];
    assert!(!full.into_iter().any(begins_with_pronoun));
    assert!(repeats("The width.", "pub fn width(&self) -> f32 {") && repeats("All entries.", "entries: Vec<Entry>,"));
    assert!(repeats("Whether it is a folder.", "pub fn is_folder(&self) -> bool {"));
    assert!(!repeats("The width in pixels.", "pub fn width(&self) -> f32 {"));
    let text =
        "/// The width.\n#[inline]\npub width: f32,\n\n/// Its\n/// place.\nplace: u8,\n// Its place.\nfn f() {}\n";
    let source = Source { name: "src/a.rs".into(), text: text.into() };
    assert_eq!(check(&source), ["src/a.rs:1: The width.", "src/a.rs:5: Its"]);
    let folders = ["src/keypose/anim/a.rs", "src/keypose-app/app/b.rs", "tests/ui/main.rs"].map(folder);
    assert_eq!(folders, ["anim", "keypose-app", "tests"]);
}
