//! The manual against the command table: keys and labels that stand together belong together.

use std::path::Path;

use keypose::editor::commands::{CATALOGUE, Row};
use keypose::editor::session::command::Command;
use keypose::editor::session::shortcuts::Stroke;
use keypose::game::play::HELP;

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

const PAGES: [&str; 3] = ["docs/manual.md", "docs/follow.md", "README.md"];

fn row_of(label: &str) -> Option<&'static Row> {
    CATALOGUE.iter().find(|row| row.label == label)
}

/// The pairs that look like "`Shift+P` (Pin or unpin bones)", with or without the marks.
fn keys_with_labels(page: &str) -> Vec<(Stroke, &str)> {
    let pair = |(at, _): (usize, &str)| {
        let key = page[..at].rsplit(char::is_whitespace).next()?.trim_start_matches('(').trim_matches('`');
        let label = page[at + 2..].split(')').next()?;
        let is_label = label.starts_with(char::is_uppercase) && key.len() < 16;
        Some((key.replace('_', " ").parse().ok().filter(|_| is_label)?, label))
    };
    page.match_indices(" (").filter_map(pair).collect()
}

/// The texts between pairs of a mark, with where they end.
fn marked<'a>(page: &'a str, mark: &str) -> Vec<(usize, &'a str)> {
    let ends: Vec<usize> = page.match_indices(mark).map(|(at, _)| at).collect();
    ends.chunks_exact(2).map(|pair| (pair[1] + mark.len(), &page[pair[0] + mark.len()..pair[1]])).collect()
}

#[test]
fn keys_of_the_pages_are_those_of_the_commands_beside_them() {
    let mut found = 0;
    for name in PAGES {
        let page = text(name).replace("Num ", "Num_");
        for (stroke, label) in keys_with_labels(&page) {
            let row = row_of(label).unwrap_or_else(|| panic!("{name}: {stroke} ({label}): no such command"));
            assert!(row.strokes.contains(&stroke), "{name}: {stroke} ({label}): its keys are {:?}", row.strokes);
            found += 1;
        }
    }
    assert!(found > 25, "{found} keys with labels");
}

#[test]
fn labels_of_the_manual_are_in_the_menus_or_in_the_panels() {
    let page = text("docs/manual.md");
    // Most labels are in the panels, the names of choices beside their types.
    let editor = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/editor"));
    let bold = marked(&page, "**");
    let without_bold = page.replace("**", "");
    let italic = marked(&without_bold, "*").into_iter().map(|(_, label)| label);
    let is_label = |label: &&str| label.starts_with(char::is_uppercase) && !label.ends_with('.');
    for label in bold.iter().map(|&(_, label)| label).chain(italic).filter(is_label) {
        assert!(row_of(label).is_some() || editor.contains(&format!("\"{label}\"")), "docs/manual.md: {label}");
    }
    for (end, label) in bold {
        let Some(menu) = page[end..].strip_prefix(" (menu ").and_then(|rest| rest.split(')').next()) else { continue };
        assert_eq!(row_of(label).map(|row| row.menu.name()), Some(menu), "docs/manual.md: {label}");
    }
}

/// All sources of a folder, one after the other.
fn sources(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        all += &if path.is_dir() { sources(&path) } else { std::fs::read_to_string(&path).unwrap() };
    }
    all
}

#[test]
fn follow_mode_is_switched_on_by_the_command_that_is_named() {
    let label = Command::ToggleFollow.label();
    assert!(text("docs/follow.md").contains(&format!("Game menu, **{label}**")));
    assert!(text("src/app/commands/play.rs").contains(&format!("(Game menu, {label})")));
}

#[test]
fn pages_name_the_key_of_the_game_that_attacks() {
    let (keys, what) = HELP.iter().find(|(_, what)| *what == "attack").unwrap();
    for name in ["README.md", "docs/manual.md"] {
        assert!(text(name).contains(&format!("{keys} {what}s")), "{name}: {keys} {what}s");
    }
}
