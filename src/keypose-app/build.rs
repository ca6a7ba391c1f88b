//! Sets `has_models` if the larger set of test models is there, so that the tests that need it show as ignored without it, and
//! `has_web_player` if tools/web has made the player for web pages. Gives the program for Windows its icon, its version and a manifest.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    find_models();
    find_web_player();
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        add_resources();
    }
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
    let _ = fs::create_dir_all(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    if let Ok(player) = folder.join("player.html").canonicalize() {
        println!("cargo::rustc-cfg=has_web_player");
        println!("cargo::rustc-env=KEYPOSE_WEB_PLAYER={}", player.display());
    }
}

/// The description of the program that Windows reads from its file. Without the compiler of resources, which comes with MinGW, the program
/// works, but has no icon, no name in lists of programs, and a console if it is started from the desktop.
fn add_resources() {
    println!("cargo::rerun-if-changed=windows");
    println!("cargo::rerun-if-changed=icon/keypose.png");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let (script, object) = (out.join("keypose.rc"), out.join("resources.o"));
    let written = fs::read("icon/keypose.png")
        .and_then(|png| fs::write(out.join("keypose.ico"), icon(&png)))
        .and_then(|()| fs::copy("windows/keypose.manifest", out.join("keypose.manifest")))
        .and_then(|_| fs::write(&script, resources()));
    if let Err(error) = written {
        return println!("cargo::warning=no resources for Windows: {error}");
    }
    let compile = |name: &&str| {
        let arguments: [&std::ffi::OsStr; 4] = ["-i".as_ref(), script.as_ref(), "-o".as_ref(), object.as_ref()];
        Command::new(name).args(arguments).current_dir(&out).status().is_ok_and(|status| status.success())
    };
    match ["x86_64-w64-mingw32-windres", "windres"].iter().find(|name| compile(name)) {
        Some(_) => println!("cargo::rustc-link-arg-bins={}", object.display()),
        None => println!("cargo::warning=windres was not found: the program has no icon and no manifest"),
    }
}

/// A file of one icon, which is an image of 256 × 256 pixels or fewer.
fn icon(png: &[u8]) -> Vec<u8> {
    let side = |at: usize| png.get(at).copied().unwrap_or_default();
    let (length, start) = (u32::try_from(png.len()).unwrap_or_default(), 22_u32);
    // The last byte of width and height in the head of the image: 0 is 256. Then one plane, 32 bits per pixel.
    let head = [0, 0, 1, 0, 1, 0, side(19), side(23), 0, 0, 1, 0, 32, 0];
    [&head, &length.to_le_bytes()[..], &start.to_le_bytes(), png].concat()
}

fn resources() -> String {
    let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    let (major, minor, patch) = (part("MAJOR"), part("MINOR"), part("PATCH"));
    let version = format!("{major}.{minor}.{patch}");
    let values = [
        ("FileDescription", "Keypose"),
        ("ProductName", "Keypose"),
        ("OriginalFilename", "keypose.exe"),
        ("FileVersion", &version),
        ("ProductVersion", &version),
    ];
    let values = values.map(|(name, value)| format!("VALUE \"{name}\", \"{value}\\0\"\n")).concat();
    format!(
        "1 ICON \"keypose.ico\"\n1 24 \"keypose.manifest\"\n1 VERSIONINFO\nFILEVERSION {major},{minor},{patch},0\n\
         PRODUCTVERSION {major},{minor},{patch},0\nFILETYPE 1\nBEGIN\nBLOCK \"StringFileInfo\" BEGIN BLOCK \"040904b0\" BEGIN\n{values}\
         END END\nBLOCK \"VarFileInfo\" BEGIN VALUE \"Translation\", 0x409, 1200 END\nEND\n"
    )
}
