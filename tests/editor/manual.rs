//! The manual against the command table: keys and labels that stand together belong together, and one page lists all keys.

use std::path::Path;

use keypose_app::app::play::controls::names::{Device, Names};
use keypose_app::app::play::controls::{Control, Controls};
use keypose_editor::editor::commands::{CATALOGUE, Menu, Row, Scope};
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::printed_keys::PrintedKeys;
use keypose_editor::editor::session::shortcuts::Stroke;

use crate::root::root;

fn text(file: &str) -> String {
    let path = root().join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The pages of the manual.
fn manual() -> Vec<String> {
    let folder = root().join("docs/manual");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.map(|name| format!("docs/manual/{name}")).collect();
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    names
}

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
    for name in manual().into_iter().chain(["docs/follow.md", "README.md"].map(String::from)) {
        let page = text(&name).replace("Num ", "Num_");
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
    // Most labels are in the panels, the names of choices beside their types, those of the game in its menu.
    let folders = ["src/keypose-editor/editor", "src/keypose-app/app/play/menu"];
    let panels: String = folders.map(|folder| sources(&root().join(folder))).concat();
    for name in manual() {
        let page = text(&name);
        let bold = marked(&page, "**");
        let without_bold = page.replace("**", "");
        let italic = marked(&without_bold, "*").into_iter().map(|(_, label)| label);
        let is_label = |label: &&str| label.starts_with(char::is_uppercase) && !label.ends_with('.');
        for label in bold.iter().map(|&(_, label)| label).chain(italic).filter(is_label) {
            assert!(row_of(label).is_some() || panels.contains(&format!("\"{label}\"")), "{name}: {label}");
        }
        for (end, label) in bold {
            let rest = page[end..].strip_prefix(" (menu ");
            let Some(menu) = rest.and_then(|rest| rest.split(')').next()) else { continue };
            assert_eq!(row_of(label).map(|row| row.menu.name()), Some(menu), "{name}: {label}");
        }
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
    assert!(text("src/keypose-app/app/commands/play.rs").contains(&format!("(Game menu, {label})")));
}

#[test]
fn the_page_of_the_game_names_the_keys_of_actions() {
    let (controls, printed) = (Controls::default(), PrintedKeys::default());
    let names = Names { controls: &controls, printed: &printed, device: Device::Keyboard, has_editor: true };
    for (control, does) in [(Control::Attack, "attacks"), (Control::Roll, "rolls")] {
        // The two that the game names, and perhaps others after them.
        let keys = names.of(control).unwrap();
        let all = keys.replace(" or ", ", ") + " or ";
        let page = text("docs/manual/game.md");
        assert!(page.contains(&format!("| {keys} |")) || page.contains(&all), "docs/manual/game.md: {keys} {does}");
    }
}

/// The tables of docs/manual/shortcuts.md: every command that has a key, by menu.
fn key_tables() -> String {
    let mut tables = String::new();
    for menu in Menu::ALL {
        let rows: Vec<&Row> = CATALOGUE.iter().filter(|row| row.menu == menu && !row.strokes.is_empty()).collect();
        if rows.is_empty() {
            continue;
        }
        tables += &format!("\n## {}\n\n| command | keys | over |\n|---|---|---|\n", menu.name());
        for row in rows {
            let keys: Vec<String> = row.strokes.iter().map(|stroke| format!("`{stroke}`")).collect();
            tables += &format!("| {} | {} | {} |\n", row.label, keys.join(", "), place_of(row.scope));
        }
    }
    tables
}

/// Over which panel a key works.
fn place_of(scope: Scope) -> &'static str {
    match scope {
        Scope::Anywhere => "",
        Scope::Viewport | Scope::Scene => "viewport, bones, inspector, poses",
        Scope::Bones => "bones",
        Scope::Timeline => "timeline",
        Scope::Clips => "clips",
        Scope::Machine => "state machine",
        Scope::Level => "level mode",
        Scope::Rig => "rig mode",
    }
}

/// `KEYPOSE_WRITE_KEYS=1 cargo test --test editor manual` writes the tables.
#[test]
fn the_page_of_keys_lists_those_of_the_command_table() {
    let page = text("docs/manual/shortcuts.md").replace('\r', "");
    let (introduction, tables) = page.split_once("<!-- keys -->\n").expect("the mark before the tables");
    let expected = key_tables();
    if std::env::var_os("KEYPOSE_WRITE_KEYS").is_some() {
        let path = root().join("docs/manual/shortcuts.md");
        return std::fs::write(path, format!("{introduction}<!-- keys -->\n{expected}")).unwrap();
    }
    assert_eq!(tables, expected, "docs/manual/shortcuts.md: write it again with KEYPOSE_WRITE_KEYS=1");
}

#[test]
fn the_summary_has_every_page_of_the_manual() {
    let summary = text("docs/SUMMARY.md");
    for name in manual() {
        let link = format!("]({})", name.trim_start_matches("docs/"));
        assert_eq!(summary.matches(&link).count(), 1, "docs/SUMMARY.md: {link}");
    }
}
