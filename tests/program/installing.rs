//! What is installed: the files of the package, the entries for desktops, the manual pages and completions.

use std::fs;
use std::process::Command;

use keypose::wad::directory::MAGIC;
use keypose_tools::import::format::EXTENSIONS;

use crate::folder::Folder;
use crate::process::{done, keypose, refused};
use crate::root::root;

/// The files that `cargo package` packs of a crate.
fn packed(package: &str) -> Vec<String> {
    let listed = Command::new(env!("CARGO"))
        .args(["package", "-p", package, "--list", "--allow-dirty", "--offline", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    String::from_utf8(listed.stdout).unwrap().lines().map(|line| line.replace('\\', "/")).collect()
}

/// Sources and what they include; no tests, tools or working papers.
#[test]
fn packages_have_what_they_are_built_from_and_nothing_else() {
    let packages: [(&str, &[&str], &[&str]); 4] = [
        ("keypose", &["README.md", "anim/mod.rs", "assets/mod.rs", "wad/mod.rs"], &["anim", "assets", "wad"]),
        ("keypose-tools", &["import/mod.rs"], &[]),
        ("keypose-editor", &["shaders/mesh.vert", "manual/install.md", "scripts.md"], &[]),
        ("keypose-app", &["README.md", "main.rs", "demo.wad", "icon/keypose.png"], &["app", "icon", "windows"]),
    ];
    for (package, needed, folders) in packages {
        let files = packed(package);
        for file in ["Cargo.toml", "lib.rs"].iter().chain(needed) {
            assert!(files.iter().any(|packed| packed == file), "{package}: {file} is not packed");
        }
        for file in files.iter().filter(|file| file.contains('/') && !folders.is_empty()) {
            assert!(folders.contains(&file.split('/').next().unwrap()), "{package}: {file} is packed");
        }
    }
}

#[test]
fn the_desktop_opens_all_formats_and_knows_archives_by_their_magic() {
    let read = |name: &str| fs::read_to_string(root().join("tools/desktop").join(name)).unwrap();
    let entry = read("keypose.desktop");
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_else(|| panic!("{key}")).to_owned()
    };
    assert_eq!((value(&entry, "Exec").as_str(), value(&entry, "Icon").as_str()), ("keypose %f", "keypose"));
    let types = read("keypose.xml");
    let magic: String = MAGIC
        .iter()
        .map(|&byte| match byte {
            b'\r' => "\\r".to_owned(),
            b'\n' => "\\n".to_owned(),
            0x20..0x7f => char::from(byte).to_string(),
            _ => format!("\\x{byte:02x}"),
        })
        .collect();
    assert!(types.contains(&format!("value=\"{magic}\"")), "{magic}");
    let opened = value(&entry, "MimeType");
    for kind in value(&read("keypose.thumbnailer"), "MimeType").split_terminator(';') {
        assert!(opened.split(';').any(|other| other == kind) && types.contains(&format!("type=\"{kind}\"")), "{kind}");
    }
    let types_of = [
        ("glb", "model/gltf-binary"),
        ("vrm", "model/gltf-binary"),
        ("gltf", "model/gltf+json"),
        ("fbx", "application/x-fbx"),
        ("dae", "model/vnd.collada+xml"),
        ("obj", "model/obj"),
        ("bvh", "application/x-bvh"),
        ("vrma", "model/gltf-binary"),
    ];
    for extension in EXTENSIONS {
        let (_, kind) = types_of.into_iter().find(|(other, _)| *other == extension).expect(extension);
        assert!(opened.split(';').any(|other| other == kind), "{kind}");
    }
}

#[test]
fn shells_complete_commands_and_man_has_a_page_for_each() {
    let pages = Folder::new("man");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = done(keypose(&pages).args(["completions", shell]));
        assert!(
            ["reimport", "salvage", "--contact", "--turntable"].iter().filter(|word| script.contains(**word)).count()
                >= 2,
            "{shell}"
        );
    }
    done(keypose(&pages).args(["man-pages", "."]));
    let names: Vec<String> =
        fs::read_dir(&*pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in ["keypose.1", "keypose-render.1", "keypose-wad-salvage.1"] {
        assert!(names.iter().any(|other| other == name), "{name} of {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("read-model")), "what is hidden has no page");
    done(keypose(&pages).args(["man-pages", "."]));
    let foreign = pages.join("keypose-wad.1");
    fs::write(&foreign, "My notes.").unwrap();
    let error = refused(keypose(&pages).args(["man-pages", "."]));
    assert!(error.contains("keypose-wad.1: an existing file that is not a manual page is not replaced"), "{error}");
    assert_eq!(fs::read_to_string(&foreign).unwrap(), "My notes.");
}

#[cfg(unix)]
#[test]
fn pages_and_pictures_go_through_no_link() {
    let folder = Folder::new("links");
    let other = folder.join("other");
    fs::write(&other, "").unwrap();
    let demo = root().join("data/demo.wad");
    let [page, picture] = ["keypose.1", "a.png"].map(|name| folder.join(name));
    [&page, &picture].into_iter().for_each(|link| std::os::unix::fs::symlink(&other, link).unwrap());
    // A name that the user gave is replaced, one that the program made is not.
    done(keypose(&folder).arg("thumbnail").args([&demo, &picture]));
    assert!(fs::symlink_metadata(picture).unwrap().is_file());
    let error = refused(keypose(&folder).args(["man-pages", "."]));
    assert!(error.contains("keypose.1: it is no ordinary file and is not replaced"), "{error}");
    assert_eq!(fs::read(&other).unwrap(), b"");
}

#[test]
fn file_managers_get_a_picture_of_an_archive() {
    let folder = Folder::new("thumbnail");
    // File managers choose the name.
    let image = folder.join("thumbnail.XYZ");
    let demo = root().join("data/demo.wad");
    done(keypose(&folder).arg("thumbnail").args([&demo, &image]).args(["--size", "128"]));
    let pixels = image::load_from_memory(&fs::read(&image).unwrap()).unwrap().into_rgba8();
    assert_eq!(pixels.dimensions(), (128, 128));
    let colors: std::collections::HashSet<_> = pixels.pixels().map(|pixel| pixel.0.map(|part| part / 32)).collect();
    assert!(colors.len() > 8, "the knight has more colours than that: {}", colors.len());
    // A second one replaces it; what is no picture is never replaced.
    done(keypose(&folder).arg("thumbnail").args([&demo, &image]).args(["--size", "16"]));
    let archive = folder.join("a.wad");
    fs::copy(&demo, &archive).unwrap();
    let error = refused(keypose(&folder).arg("thumbnail").args([&demo, &archive]));
    assert!(error.contains("a.wad: an existing file that is not a PNG is not replaced"), "{error}");
    assert_eq!(fs::read(archive).unwrap(), fs::read(demo).unwrap());
}
