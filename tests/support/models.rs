//! Model files for the tests: the ones in `data/tests`, made for this project, and a larger set outside the repository.
//! Tests that need the larger set are ignored if it was missing when they were built (see `build.rs`).

#![allow(dead_code)]

use std::path::{Path, PathBuf};

use keypose::assets::model::Model;
use keypose_app::app::files::{Opening, open_with};

use crate::root::root;

/// The folder of test data that the repository contains.
pub fn own() -> PathBuf {
    root().join("data/tests")
}

/// The folder of the larger set, from `KEYPOSE_MODELS` or beside the repository. Panics if it is missing.
pub fn larger() -> PathBuf {
    let beside = || root().join("../shared/models");
    let folder = std::env::var_os("KEYPOSE_MODELS").map_or_else(beside, PathBuf::from);
    assert!(folder.join("gltf").is_dir(), "no models in {} (set KEYPOSE_MODELS)", folder.display());
    folder
}

/// The contents of a file. Panics if it can't be read.
pub fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The first model of a file; clips of imported ones are not baked. Panics if it can't be opened.
pub fn model(path: &Path) -> Model {
    let opening = Opening { leaves_clips_unbaked: true, ..Opening::default() };
    let opened = open_with(path, &opening).unwrap();
    (*opened.project.models[0]).clone()
}
