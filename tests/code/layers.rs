//! The rules of the house, read off the source: which floor may import which, and what may stand only where.
//! Arrows are `crate::…` and `super::…` paths; comments do not count, tests inside a module do.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules that each module may name, beside itself. `render/frame` is a floor of its own.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("anim", &[]),
    ("assets", &["anim"]),
    ("wad", &["anim", "assets"]),
    ("import", &["anim", "assets", "wad"]),
    ("export", &["anim", "assets", "wad"]),
    ("render/frame", &["anim", "assets"]),
    ("render", &["anim", "assets", "wad", "render/frame"]),
    ("editor", &["anim", "assets", "wad", "import", "export", "render/frame"]),
    ("game", &["anim", "assets", "render/frame"]),
    ("app", &["anim", "assets", "wad", "import", "export", "render", "render/frame", "editor", "game"]),
];

/// Words that may stand only in files whose path starts with one of these.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("glow::", &["render/", "app/"]),
    ("imgui::", &["editor/panels", "render/pass/ui", "app/"]),
    ("std::fs", &["app/"]),
    ("std::time", &["app/"]),
    ("std::net", &["app/"]),
    ("std::process", &["app/", "main.rs"]),
    ("winit::", &["app/"]),
    ("glutin::", &["app/"]),
    ("serde::", &["wad/record"]),
    ("bincode::", &["wad/"]),
    ("HashSet<", &["app/", "editor/", "render/", "wad/", "import/"]),
    (
        "allow(unsafe_code)",
        &["render/gl/", "anim/simd/", "app/gl", "app/headless", "editor/panels/ui/sys", "app/buffer"],
    ),
];

/// Runtime floors: what links with `--no-default-features`.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("anim", &["std", "core", "glam", "thiserror", "proptest", "wide"]),
    ("assets", &["std", "core", "glam", "thiserror", "proptest"]),
    ("game", &["std", "core", "glam", "thiserror", "proptest"]),
];

struct Source {
    path: PathBuf,
    /// Relative to `src`, with forward slashes.
    name: String,
    /// Without comments and string literals.
    code: String,
    lines: usize,
    first: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                let first = text.lines().next().unwrap_or_default().to_owned();
                found.push(Source { path, name, code: code_of(&text), lines: text.lines().count(), first });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(found.len() > 20, "the sources were not found");
    found
}

/// The text without line comments and without what stands between double quotes on one line.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let (mut quoted, mut before) = (false, ' ');
        for (at, letter) in line.char_indices() {
            if !quoted && line[at..].starts_with("//") {
                break;
            }
            match letter {
                '"' if before != '\\' && before != '\'' => quoted = !quoted,
                _ if quoted => {}
                _ => code.push(letter),
            }
            before = if before == '\\' { ' ' } else { letter };
        }
        code.push('\n');
    }
    code
}

/// The floor that a file stands on.
fn floor_of(name: &str) -> Option<&'static str> {
    let stands_on = |floor: &&str| {
        let rest = name.strip_prefix(*floor)?;
        (rest.starts_with('/') || rest.starts_with(".rs")).then_some(())
    };
    let mut floors: Vec<&str> = MAY_IMPORT.iter().map(|(floor, _)| *floor).collect();
    floors.sort_by_key(|floor| std::cmp::Reverse(floor.len()));
    floors.into_iter().find(|floor| stands_on(floor).is_some())
}

/// Every module of the crate that the code names by a `crate::` path, grouped imports included.
fn imports(code: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        if before.is_alphanumeric() || before == '_' || before == '$' {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            named.extend(top_level(group));
        } else {
            named.push(path_of(rest));
        }
    }
    named
}

/// The paths at the first level of a `{…}` group.
fn top_level(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                paths.push(path_of(group[start..at].trim()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                paths.push(path_of(group[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    paths
}

/// `render::frame::…` as "render/frame", everything else by its first word.
fn path_of(path: &str) -> String {
    let path: String = path.chars().take_while(|letter| letter.is_alphanumeric() || "_:{".contains(*letter)).collect();
    let mut words = path.split("::").filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    match words.next() {
        Some("frame") if first == "render" => "render/frame".into(),
        _ => first.into(),
    }
}

#[test]
fn no_floor_imports_upwards() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(floor) = floor_of(&source.name) else { continue };
        let allowed = MAY_IMPORT.iter().find(|(name, _)| *name == floor).unwrap().1;
        let own = floor.split('/').next().unwrap();
        for named in imports(&source.code) {
            let known = MAY_IMPORT.iter().any(|(name, _)| *name == named);
            let fine = named == floor || allowed.contains(&named.as_str()) || (named == own && floor == own);
            if known && !fine {
                wrong.push(format!("{} ({floor}) names crate::{named}", source.name));
            }
        }
    }
    assert!(wrong.is_empty(), "upward imports:\n{}", wrong.join("\n"));
}

#[test]
fn words_stand_only_where_they_may() {
    let mut wrong = Vec::new();
    for source in sources() {
        for (word, places) in ONLY_IN {
            let may = places.iter().any(|place| source.name.starts_with(place));
            let named = source.code.match_indices(word).any(|(at, _)| {
                let before = source.code[..at].chars().next_back().unwrap_or(' ');
                !before.is_alphanumeric() && before != '_'
            });
            if named && !may {
                wrong.push(format!("{} has {word}", source.name));
            }
        }
    }
    assert!(wrong.is_empty(), "words out of place:\n{}", wrong.join("\n"));
}

#[test]
fn lower_floors_use_few_crates() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some((floor, crates)) = OUTSIDE.iter().find(|(floor, _)| floor_of(&source.name) == Some(floor)) else {
            continue;
        };
        for line in source.code.lines().filter_map(|line| line.trim().strip_prefix("use ")) {
            let first: String = line.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            if !["crate", "super", "self"].contains(&first.as_str()) && !crates.contains(&first.as_str()) {
                wrong.push(format!("{} ({floor}) uses {first}", source.name));
            }
        }
    }
    assert!(wrong.is_empty(), "crates out of place:\n{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_and_stays_small() {
    let mut wrong = Vec::new();
    for source in sources() {
        if !source.first.starts_with("//!") {
            wrong.push(format!("{} does not begin with //!", source.path.display()));
        }
        if source.lines > 600 {
            wrong.push(format!("{} has {} lines, 600 are the most", source.name, source.lines));
        }
        for word in ["todo!(", "unimplemented!(", "dbg!("] {
            if source.code.contains(word) {
                wrong.push(format!("{} has {word})", source.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_checks_can_fail() {
    assert_eq!(imports(&code_of("use crate::editor::x; // crate::game\n")), ["editor"]);
    let grouped = imports("use crate::{anim::time, render::{frame::Camera}, render::frame::Frame, game};");
    assert_eq!(grouped, ["anim", "render", "render/frame", "game"]);
    assert_eq!(code_of("a \"crate::game\" b // c"), "a  b \n");
    assert_eq!(floor_of("render/frame/camera.rs"), Some("render/frame"));
    assert_eq!(floor_of("render/gl/buffer.rs"), Some("render"));
    assert_eq!(floor_of("renderer.rs"), None);
}
