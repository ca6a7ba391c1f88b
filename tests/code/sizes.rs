//! Sizes of files and functions, and how files are named.

use crate::functions::{Function, functions};
use crate::source::{Source, code_of_src, files, root};

/// Maximum lines of a file.
const MAX_FILE_LINES: usize = 600;
/// Lines of a function that is no table.
const MAX_FUNCTION_LINES: usize = 60;

/// Functions that are tables: one line for each case. An entry that isn't needed fails.
const TABLES: &[(&str, &str)] =
    &[("keypose-editor/editor/ops/machine_edit.rs", "change"), ("keypose/wad/assemble.rs", "model")];

/// Every function of `src`, with its file.
fn all_functions() -> Vec<(String, Function)> {
    let of = |source: &'static Source| functions(&source.text).into_iter().map(move |f| (source.name.clone(), f));
    let all: Vec<_> = code_of_src().iter().flat_map(of).collect();
    assert!(all.len() > 2000, "only {} functions were found", all.len());
    all
}

#[test]
fn functions_are_short() {
    let all = all_functions();
    let mut wrong = Vec::new();
    for (file, function) in all.iter().filter(|(_, function)| function.lines > MAX_FUNCTION_LINES) {
        if !TABLES.contains(&(file.as_str(), function.name.as_str())) {
            wrong.push(format!("src/{file}:{}: {} has {} lines", function.line, function.name, function.lines));
        }
    }
    for (file, name) in TABLES {
        let is_long = |(at, f): &(String, Function)| at == file && f.name == *name && f.lines > MAX_FUNCTION_LINES;
        if !all.iter().any(is_long) {
            wrong.push(format!("(\"{file}\", \"{name}\") is no long table any more: delete it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_and_stays_small() {
    let mut wrong = Vec::new();
    for source in files("src").iter().chain(&files("tests")).filter(|file| file.name.ends_with(".rs")) {
        if !source.text.starts_with("//!") {
            wrong.push(format!("{}:1: does not begin with //!", source.name));
        }
        let lines = source.text.lines().count();
        if lines > MAX_FILE_LINES && source.name.starts_with("src/") {
            wrong.push(format!("{}: {lines} lines, at most {MAX_FILE_LINES}", source.name));
        }
    }
    for source in code_of_src() {
        for text in ["todo!(", "unimplemented!(", "dbg!("] {
            if source.text.contains(text) {
                wrong.push(format!("src/{} has {text})", source.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files beside a folder of the same name.
fn beside_folders(names: &[String]) -> Vec<String> {
    let has_folder = |name: &str| {
        let folder = format!("{}/", name.trim_end_matches(".rs"));
        names.iter().any(|other| other.starts_with(&folder))
    };
    names
        .iter()
        .filter(|name| has_folder(name))
        .map(|name| format!("src/{name}: make it mod.rs of its folder"))
        .collect()
}

#[test]
fn a_module_with_a_folder_is_its_mod_rs() {
    let names: Vec<String> = code_of_src().iter().map(|source| source.name.clone()).collect();
    let wrong = beside_folders(&names);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Paths of one machine, split so that this file is not found.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/tmp", "/s/")];

fn names_machine(line: &str) -> bool {
    let is_start = |at: usize| !line[..at].ends_with(|letter: char| letter.is_alphanumeric());
    MACHINE_PATHS.iter().any(|path| line.match_indices(path).any(|(at, _)| is_start(at)))
}

#[test]
fn no_file_names_paths_of_a_machine() {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if [".git", "target", "Cargo.lock"].contains(&name.as_str()) {
            continue;
        }
        for file in files(&name) {
            let lines = (1..).zip(file.text.lines());
            let bad = lines.filter(|(_, line)| names_machine(line));
            wrong.extend(bad.map(|(at, line)| format!("{}:{at}: {}", file.name, line.trim())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_checks_can_fail() {
    let names = ["a/b.rs", "a/b/c.rs", "a/bc.rs", "a/mod.rs"].map(str::to_owned);
    assert_eq!(beside_folders(&names), ["src/a/b.rs: make it mod.rs of its folder"]);
    assert!(names_machine(concat!("see /wo", "rk/main")) && !names_machine("$folder/home/x"));
}
