//! Which module may import which: the layers inside crates, and those inside the editor.

use std::collections::BTreeSet;

use crate::source::{code_of, code_of_src};

/// The modules of a crate that each of its modules may not import. `render/frame` is a layer of its own. That crates import only those
/// below them is checked by the compiler.
const MAY_NOT_IMPORT: &[(&str, &[&str])] = &[
    ("keypose/anim", &["keypose/assets", "keypose/wad"]),
    ("keypose/assets", &["keypose/wad"]),
    ("keypose/wad", &[]),
    ("keypose-tools/import", &["keypose-tools/export"]),
    ("keypose-tools/export", &["keypose-tools/import"]),
    ("keypose-editor/render/frame", &["keypose-editor/render", "keypose-editor/editor", "keypose-editor/game"]),
    ("keypose-editor/render", &["keypose-editor/editor", "keypose-editor/game"]),
    ("keypose-editor/editor", &["keypose-editor/render", "keypose-editor/game"]),
    ("keypose-editor/game", &["keypose-editor/render", "keypose-editor/editor"]),
];

/// The modules inside a module, the lowest first: each may import only those before it.
const INNER: &[(&str, &[&str])] = &[(
    "keypose-editor/editor",
    &["ops", "document", "session", "view", "posing", "gesture", "state", "commands", "update", "script", "panels"],
)];

/// Upward imports that remain: file and imported module. An entry that isn't needed fails, so that the list can only shrink.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// A path of the code, resolved to segments: the folder of the crate, then its modules.
type Path = Vec<String>;

/// The module of a file: `keypose-editor/editor/ops/limb.rs` is `keypose-editor::editor::ops::limb`.
fn module_of(name: &str) -> Path {
    let name = name.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").unwrap_or(name);
    name.split('/').map(str::to_owned).collect()
}

/// Every path that begins with `crate`, `super` or `self`, with groups expanded.
fn imports(module: &[String], code: &str) -> BTreeSet<Path> {
    let (mut found, mut inner, mut depth) = (BTreeSet::new(), Vec::new(), 0_usize);
    let mut at = 0;
    while at < code.len() {
        let rest = &code[at..];
        let word: &str = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())];
        let follows_path = code[..at].ends_with("::") || code[..at].ends_with('$');
        match rest.as_bytes()[0] {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                inner.retain(|open| *open <= depth);
            }
            _ if word == "mod" && opens_module(rest) => inner.push(depth + 1),
            _ if ["crate", "super", "self"].contains(&word)
                && !follows_path
                && rest[word.len()..].starts_with("::") =>
            {
                let own: Path = module.iter().cloned().chain(inner.iter().map(|_| "inline".to_owned())).collect();
                expand(&own, &[], rest, &mut found);
            }
            _ => {}
        }
        at += word.len().max(rest.chars().next().map_or(1, char::len_utf8));
    }
    found
}

fn opens_module(rest: &str) -> bool {
    let name = rest.strip_prefix("mod ").unwrap_or_default().trim_start();
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    end > 0 && name[end..].trim_start().starts_with('{')
}

/// Adds the paths of one tree, such as `a::{b, c::d}`; the text behind it. A `*` ends a path.
fn expand<'a>(own: &[String], before: &[String], mut rest: &'a str, found: &mut BTreeSet<Path>) -> &'a str {
    let mut path = before.to_vec();
    loop {
        rest = rest.trim_start();
        if let Some(mut group) = rest.strip_prefix('{') {
            loop {
                group = group.trim_start();
                if group.is_empty() || group.starts_with('}') {
                    return group.strip_prefix('}').unwrap_or(group);
                }
                group = expand(own, &path, group, found).trim_start();
                let comma = group.find([',', '}']).unwrap_or(group.len());
                group = group[comma..].strip_prefix(',').unwrap_or(&group[comma..]);
            }
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        match &rest[..end] {
            "crate" => path = own[..1].to_vec(),
            "self" if path.is_empty() => path = own.to_vec(),
            "super" => {
                if path.is_empty() && before.is_empty() {
                    path = own.to_vec();
                }
                path.pop();
            }
            "self" | "" => {}
            word => path.push(word.to_owned()),
        }
        match rest[end..].strip_prefix("::") {
            Some(more) => rest = more,
            None => {
                found.insert(path);
                return &rest[end..];
            }
        }
    }
}

/// Whether a path is in a module, given as folders.
fn is_in(path: &[String], module: &str) -> bool {
    module.split('/').enumerate().all(|(at, word)| path.get(at).is_some_and(|it| it == word))
}

/// The layer of a path.
fn layer_of(path: &[String]) -> Option<&'static str> {
    MAY_NOT_IMPORT.iter().map(|(layer, _)| *layer).filter(|layer| is_in(path, layer)).max_by_key(|layer| layer.len())
}

#[test]
fn no_layer_imports_one_above_it() {
    let mut wrong = Vec::new();
    for source in code_of_src() {
        let module = module_of(&source.name);
        let Some(layer) = layer_of(&module) else { continue };
        let forbidden = MAY_NOT_IMPORT.iter().find(|(name, _)| *name == layer).unwrap().1;
        for path in imports(&module, &source.text) {
            if layer_of(&path).is_some_and(|named| forbidden.contains(&named)) {
                wrong.push(format!("src/{} ({layer}) imports {}", source.name, path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "upward imports:\n{}", wrong.join("\n"));
}

/// Imports of a module above, or of one that isn't listed: file, imported module, path.
fn upward(outer: &str, order: &[&str], name: &str, code: &str) -> Vec<(String, String, String)> {
    let (module, depth) = (module_of(name), outer.split('/').count());
    let place = |path: &[String]| order.iter().position(|layer| path.get(depth).is_some_and(|word| word == layer));
    let Some(own) = place(&module) else { return Vec::new() };
    if !is_in(&module, outer) {
        return Vec::new();
    }
    let paths = imports(&module, code).into_iter().filter(|path| path.len() > depth && is_in(path, outer));
    let wrong = paths.filter(|path| place(path).is_none_or(|imported| imported > own));
    wrong.map(|path| (name.to_owned(), path[depth].clone(), path.join("::"))).collect()
}

#[test]
fn inner_layers_import_only_those_below() {
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for (outer, order) in INNER {
        for source in code_of_src() {
            for (name, imported, path) in upward(outer, order, &source.name, &source.text) {
                let exception = EXCEPTIONS.iter().find(|(file, module)| *file == name && *module == imported);
                match exception {
                    Some(exception) => drop(used.insert(*exception)),
                    None => wrong.push(format!("src/{name} imports {path}")),
                }
            }
        }
    }
    for (file, module) in EXCEPTIONS.iter().filter(|exception| !used.contains(*exception)) {
        wrong.push(format!("(\"{file}\", \"{module}\") is no exception any more: delete it"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_layer_exists() {
    let modules: Vec<_> = code_of_src().iter().map(|source| module_of(&source.name)).collect();
    for (layer, others) in MAY_NOT_IMPORT {
        for layer in others.iter().chain([layer]) {
            assert!(modules.iter().any(|module| layer_of(module) == Some(layer)), "there is no src/{layer}");
        }
    }
    for (outer, order) in INNER {
        let depth = outer.split('/').count();
        let inside = modules.iter().filter(|module| is_in(module, outer) && module.len() > depth);
        let inner: BTreeSet<&str> = inside.map(|module| module[depth].as_str()).collect();
        assert_eq!(inner, order.iter().copied().collect(), "the modules of src/{outer}");
    }
}

#[test]
fn the_checks_can_fail() {
    let of = |name: &str, code: &str| -> Vec<String> {
        imports(&module_of(name), &code_of(code)).iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(of("k/a.rs", "use crate::editor::x; // crate::game\n"), ["k::editor::x"]);
    let grouped = of("k/a.rs", "use crate::{anim::time, render::{self, frame::{Camera, Pose as P}}, game::*};");
    assert_eq!(
        grouped,
        ["k::anim::time", "k::game", "k::render", "k::render::frame::Camera", "k::render::frame::Pose"]
    );
    assert_eq!(of("k/editor/ops/limb.rs", "fn f(a: super::super::view::X) {}"), ["k::editor::view::X"]);
    assert_eq!(
        of("k/editor/ops/mod.rs", "mod tests { use super::*; } use super::view;"),
        ["k::editor::ops", "k::editor::view"]
    );
    let order = ["ops", "view"];
    let found = upward("k/editor", &order, "k/editor/ops/limb.rs", "use crate::editor::{ops::a, view::X};");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].1.as_str(), found[0].2.as_str()), ("view", "k::editor::view::X"));
    assert!(upward("k/editor", &order, "k/editor/view/x.rs", "use crate::editor::ops::a;").is_empty());
    assert_eq!(upward("k/editor", &order, "k/editor/view/x.rs", "use super::super::lost::a;").len(), 1);
    let layer = |name: &str| layer_of(&module_of(name));
    assert_eq!(layer("keypose-editor/render/frame/camera.rs"), Some("keypose-editor/render/frame"));
    assert_eq!(layer("keypose-editor/render/gl/buffer.rs"), Some("keypose-editor/render"));
    assert_eq!(layer("keypose-editor/renderer.rs"), None);
}
