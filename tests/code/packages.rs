//! Packages: a published crate has every file that its code includes.

use crate::source::files;

/// Texts of includes that lead out of the folder of their crate. `name` is the path of the file, from `src`.
fn outside(name: &str, text: &str) -> Vec<String> {
    let depth = name.matches('/').count() - 2;
    let includes = ["include_str!(", "include_bytes!("];
    let starts = includes.into_iter().flat_map(|include| text.match_indices(include));
    let paths = starts.filter_map(|(at, _)| text[at..].split('"').nth(1));
    paths.filter(|path| path.matches("../").count() > depth).map(|path| format!("{name}: {path}")).collect()
}

#[test]
fn included_files_are_in_the_folder_of_the_crate() {
    let sources = files("src").into_iter().filter(|source| source.name.ends_with(".rs"));
    let wrong: Vec<String> = sources.flat_map(|source| outside(&source.name, &source.text)).collect();
    assert!(wrong.is_empty(), "cargo packages only that folder, with what links in it point to:\n{}", wrong.join("\n"));
}

#[test]
fn an_include_that_leads_outside_is_found() {
    let text = "include_str!(concat!(\"../../up/\", $file)) include_bytes!(\"../a\")";
    assert_eq!(outside("src/crate/a/b.rs", text), ["src/crate/a/b.rs: ../../up/"]);
    assert!(outside("src/crate/a/b/c.rs", text).is_empty());
}
