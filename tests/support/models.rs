//! The folder of shared test models. Where it is absent tests say so and skip, except under CI.

use std::path::PathBuf;

/// The folder, from `KEYPOSE_MODELS` or beside the project. `None` where it is absent.
pub fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    let folder = std::env::var_os("KEYPOSE_MODELS").map_or_else(beside, PathBuf::from);
    if folder.join("gltf").is_dir() {
        return Some(folder);
    }
    let absent = format!("there are no test models in {} (set KEYPOSE_MODELS)", folder.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{absent}");
    eprintln!("skipped: {absent}");
    None
}

/// The file's bytes.
#[allow(dead_code)]
pub fn bytes(relative: &str) -> Option<Vec<u8>> {
    let path = folder()?.join(relative);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}
