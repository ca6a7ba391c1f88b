//! Sets `has_models` if the larger set of test models is there, so that the tests that need it show as ignored without it, and
//! `has_web_player` if tools/web has made the player for web pages.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    find_models();
    find_web_player();
}

fn find_models() {
    println!("cargo::rustc-check-cfg=cfg(has_models)");
    println!("cargo::rerun-if-env-changed=KEYPOSE_MODELS");
    let beside = || PathBuf::from("../../../shared/models");
    let folder = env::var_os("KEYPOSE_MODELS").map_or_else(beside, PathBuf::from).join("gltf");
    if folder.is_dir() {
        println!("cargo::rustc-cfg=has_models");
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

fn find_web_player() {
    println!("cargo::rustc-check-cfg=cfg(has_web_player)");
    let folder = Path::new("../../target/web");
    // Cargo would run this each time if the folder weren't there.
    let _ = std::fs::create_dir_all(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    if let Ok(player) = folder.join("player.html").canonicalize() {
        println!("cargo::rustc-cfg=has_web_player");
        println!("cargo::rustc-env=KEYPOSE_WEB_PLAYER={}", player.display());
    }
}
