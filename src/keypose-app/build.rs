//! Sets `has_models` if the larger set of test models is there, so that the tests that need it show as ignored without it.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_models)");
    println!("cargo::rerun-if-env-changed=KEYPOSE_MODELS");
    println!("cargo::rerun-if-changed=build.rs");
    let beside = || PathBuf::from("../../../shared/models");
    let folder = env::var_os("KEYPOSE_MODELS").map_or_else(beside, PathBuf::from).join("gltf");
    if folder.is_dir() {
        println!("cargo::rustc-cfg=has_models");
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}
