//! Documents: the files that they name exist, and their lines are short.

use crate::source::root;

/// Documents outside `docs` that are read.
const DOCUMENTS: [&str; 5] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "examples/README.md"];
/// Folders whose paths are checked when they are named in code spans: those of the repository, and the modules of the crates.
const FOLDERS: &[&str] = &[
    "src", "tests", "tools", "docs", "data", "examples", "benches", "fuzz", "shaders", "anim", "assets", "wad",
    "import", "export", "render", "editor", "game", "app",
];
/// The longest that ARCHITECTURE.md may be, in lines.
const MAX_ARCHITECTURE_LINES: usize = 180;

/// The text between each pair of `open` and `close` on one line.
fn spans<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().flat_map(move |line| line.split(open).skip(1).step_by(if open == "`" { 2 } else { 1 }));
    lines
        .filter_map(move |rest| if open == "`" { Some(rest) } else { rest.split_once(close).map(|(inside, _)| inside) })
}

/// The documents that are read.
fn documents() -> Vec<String> {
    let mut all: Vec<String> = DOCUMENTS.map(String::from).to_vec();
    for folder in ["docs", "docs/manual", "docs/decisions"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        all.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    all
}

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// Whether a document has a heading that a link names after `#`, as code hosts write it.
fn has_heading(text: &str, anchor: &str) -> bool {
    let is_it = |heading: &str| {
        let kept = heading.trim().chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.collect::<String>().to_lowercase().replace(' ', "-") == anchor
    };
    text.contains(&format!("<a id=\"{anchor}\">"))
        || text.lines().filter(|line| line.starts_with('#')).any(|line| is_it(line.trim_start_matches('#')))
}

/// Whether a path of a document exists: in the repository or, as ARCHITECTURE.md shortens paths, in the folder of a crate.
fn exists(path: &str) -> bool {
    let mut crates = std::fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path());
    root().join(path).exists() || crates.any(|folder| folder.join(path).exists())
}

#[test]
fn documents_name_files_that_exist() {
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        let is_path = |span: &&str| {
            let first = span.split('/').next().unwrap_or_default();
            FOLDERS.contains(&first) && span.contains('/') && !span.contains([' ', '{', '*'])
        };
        for path in spans(&text, "`", '`').filter(is_path) {
            if !exists(path) {
                missing.push(format!("{document}: {path}"));
            }
        }
        let folder = root().join(&document).parent().unwrap_or(root()).to_owned();
        for link in spans(&text, "](", ')').filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if file.is_empty() { root().join(&document) } else { folder.join(file) };
            let has_anchor = || has_heading(&std::fs::read_to_string(&path).unwrap_or_default(), anchor);
            if !path.exists() || !anchor.is_empty() && !has_anchor() {
                missing.push(format!("{document}: link to {link}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn headings_are_found_as_code_hosts_name_them() {
    let text = "# Levels as text\n## `keypose wad`, in short\n<a id=\"here\"></a>";
    let found = ["levels-as-text", "keypose-wad-in-short", "here", "there"].map(|anchor| has_heading(text, anchor));
    assert_eq!(found, [true, true, true, false]);
}

/// Maximum characters of a line.
const MAX_LINE: usize = 160;

/// The lines of a document that are too long to compare versions of it, with their numbers. Rows of tables, images and code blocks may
/// be long.
fn long_lines(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut is_long = |line: &str| {
        is_code ^= line.starts_with("```");
        line.chars().count() > MAX_LINE && !is_code && !line.trim_start().starts_with('|') && !line.starts_with("![")
    };
    (1..).zip(text.lines()).filter(|(_, line)| is_long(line)).collect()
}

#[test]
fn the_lines_of_documents_are_short() {
    let mut wrong = Vec::new();
    for document in documents() {
        let text = read(&document);
        wrong.extend(long_lines(&text).iter().map(|(at, line)| format!("{document}:{at}: {line}")));
    }
    assert!(wrong.is_empty(), "{} lines are longer than {MAX_LINE}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn long_lines_are_found_except_in_tables_images_and_code() {
    let (long, fine) = ("é".repeat(161), "é".repeat(160));
    let text = format!("short\n{fine}\n{long}\n| {long} |\n![a]({long})\n```text\n{long}\n```\n{long}");
    assert_eq!(long_lines(&text), [(3, long.as_str()), (9, long.as_str())]);
}

#[test]
fn the_architecture_stays_short() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let lines = text.lines().count();
    assert!(lines <= MAX_ARCHITECTURE_LINES, "{lines} lines");
}

/// `name version` of the packages of Cargo.lock.
fn locked() -> Vec<String> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap().replace('\r', "");
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    let title = |package: &str| Some(format!("{} {}", field(package, "name")?, field(package, "version")?));
    lock.split("[[package]]").filter_map(title).collect()
}

/// The crates of others that the manifests of ours name.
fn direct_dependencies() -> Vec<String> {
    let mut found = Vec::new();
    for package in ["keypose", "keypose-tools", "keypose-editor", "keypose-app"] {
        let manifest = std::fs::read_to_string(root().join("src").join(package).join("Cargo.toml")).unwrap();
        let direct = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
        let names = direct.lines().filter_map(|line| line.split(['.', ' ']).next());
        found.extend(names.filter(|name| !name.is_empty() && !name.starts_with("keypose")).map(str::to_owned));
    }
    found
}

#[test]
fn the_licences_are_those_of_the_linked_crates() {
    let page = std::fs::read_to_string(root().join("THIRD-PARTY.md")).unwrap();
    let table = page.split("## Crates").nth(1).unwrap().split("## Licence texts").next().unwrap();
    let named: Vec<&str> =
        table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).skip(1).collect();
    let locked = locked();
    let stale: Vec<&&str> = named.iter().filter(|name| !locked.iter().any(|title| title == **name)).collect();
    assert!(stale.is_empty() && named.len() > 100, "run tools/third_party.py: {stale:?} are not in Cargo.lock");
    for name in direct_dependencies() {
        // A procedural macro is not linked.
        let is_named = named.iter().any(|title| title.split(' ').next() == Some(name.as_str()));
        assert!(is_named, "run tools/third_party.py: THIRD-PARTY.md lacks {name}");
    }
}
