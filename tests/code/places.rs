//! Crates, files, time and unsafe code are used only in some places.

use crate::source::{Source, code_of_src, root};

/// Text that may occur only in files whose path starts with one of these.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("glow::", &["keypose-editor/render/", "keypose-app/app/", "keypose-web/page"]),
    ("wasm_bindgen::", &["keypose-web/page", "keypose-web/editor/page"]),
    (
        "imgui::",
        &[
            "keypose-editor/editor/panels",
            "keypose-editor/image_previews",
            "keypose-editor/thumbnails",
            "keypose-editor/render/pass/panels",
            "keypose-app/app/",
            "keypose-web/editor/",
        ],
    ),
    ("std::fs", &["keypose-app/app/", "keypose-app/build", "keypose-web/bindings"]),
    ("std::time", &["keypose-app/app/"]),
    ("std::net", &["keypose-app/app/"]),
    ("std::process", &["keypose-app/app/", "keypose-app/build", "keypose-app/main.rs", "keypose-web/bindings"]),
    ("winit::", &["keypose-app/app/"]),
    ("glutin::", &["keypose-app/app/"]),
    ("serde::", &["keypose/wad/record"]),
    ("bincode::", &["keypose/wad/"]),
    ("rodio::", &["keypose-app/app/play/sound/"]),
    ("gilrs::", &["keypose-app/app/play/gamepad/"]),
    ("hound::", &["keypose-tools/import/sound"]),
    ("HashSet", &["keypose-tools/import/"]),
    (
        "allow(unsafe_code)",
        &[
            "keypose-editor/render/gl/",
            "keypose/anim/simd/",
            "keypose/anim/bake/wide",
            "keypose/anim/bake/loops/packed_samples",
            "keypose-app/app/window/gl_window",
            "keypose-app/app/film/headless",
            "keypose-app/app/win32",
            "keypose-editor/editor/panels/ui/sys",
            "keypose-web/page",
            "keypose-web/editor/memory",
        ],
    ),
];

/// Folders that may write the editor; the rest returns what is to be done.
const WRITERS: &[&str] = &[
    "keypose-editor/editor/update/",
    "keypose-editor/editor/state/",
    "keypose-editor/editor/script/",
    "keypose-app/app/",
];

/// The crates that the layers of the runtime and the game may use.
const CRATES: &[(&str, &[&str])] = &[
    ("keypose/anim", &["std", "core", "glam", "thiserror", "proptest"]),
    ("keypose/assets", &["std", "core", "glam", "thiserror", "image", "proptest"]),
    ("keypose-editor/game", &["std", "core", "glam", "keypose", "thiserror", "proptest"]),
];

fn has(source: &Source, text: &str) -> bool {
    source.text.match_indices(text).any(|(at, _)| {
        let before = source.text[..at].chars().next_back().unwrap_or(' ');
        !before.is_alphanumeric() && before != '_'
    })
}

#[test]
fn what_belongs_to_some_places_is_used_only_there() {
    let sources = code_of_src();
    let mut wrong = Vec::new();
    for (text, places) in ONLY_IN {
        let is_in = |source: &Source, place: &str| source.name.starts_with(place);
        for source in sources.iter().filter(|source| has(source, text)) {
            if !places.iter().any(|place| is_in(source, place)) {
                wrong.push(format!("src/{} has {text}", source.name));
            }
        }
        for place in *places {
            if !sources.iter().any(|source| is_in(source, place) && has(source, text)) {
                wrong.push(format!("nothing in src/{place} has {text}: remove the place from the list"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_updates_write_the_editor() {
    let writes = |source: &Source| source.text.contains("&mut Editor");
    let wrong: Vec<String> = code_of_src()
        .iter()
        .filter(|source| writes(source) && !WRITERS.iter().any(|place| source.name.starts_with(place)))
        .map(|source| format!("src/{} takes &mut Editor", source.name))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lower_layers_use_few_crates() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (sources, mut wrong) = (code_of_src(), Vec::new());
    for (layer, crates) in CRATES {
        for name in crates.iter().filter(|name| !["std", "core"].contains(*name)) {
            assert!(manifest.contains(&format!("\n{name} = ")), "{name} is not in Cargo.toml");
        }
        let inside = sources.iter().filter(|source| source.name.starts_with(&format!("{layer}/")));
        assert!(inside.clone().count() > 0, "there is no src/{layer}");
        for source in inside {
            let used = used_crates(&source.text).into_iter().filter(|name| !crates.contains(name));
            wrong.extend(used.map(|name| format!("src/{} ({layer}) uses {name}", source.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first names of `use` lines that are not of this crate.
fn used_crates(code: &str) -> Vec<&str> {
    let uses = code.lines().filter_map(|line| line.strip_prefix("use "));
    let names = uses.map(|path| &path[..path.find([':', ';', ' ']).unwrap_or(path.len())]);
    names.filter(|name| !["crate", "super", "self"].contains(name)).collect()
}

#[test]
fn the_checks_can_fail() {
    assert_eq!(used_crates("use serde::Serialize;\nuse crate::x;\nuse glam::{Vec3};"), ["serde", "glam"]);
    let source = |text: &str| Source { name: "keypose/anim/x.rs".into(), text: text.into() };
    assert!(has(&source("let a = std::fs::read();"), "std::fs"));
    assert!(!has(&source("let a = my_glow::read();"), "glow::"));
}
