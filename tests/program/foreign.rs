//! Files that others made to do harm: models that refer to files outside their folder, pipes and devices in place of files,
//! names that forge what is printed, and preferences that the interface can't survive.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::sync::Arc;

use keypose_app::app::files::{self, Opening};
use keypose_app::app::preferences::{load, load_after_crash};
use keypose_editor::editor::session::preferences::ModelFiles;

use crate::folder::Folder;
use crate::process::{self, fed, keypose};
use crate::sample;

/// Writes a file in a folder that may not exist.
fn write(folder: &Folder, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

/// Runs the program in the folder with input.
fn run(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    fed(keypose(folder).args(arguments), input)
}

/// A triangle whose colours are the first twelve bytes of a file.
fn gltf(uri: &str) -> String {
    let positions: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let bytes: String = positions.iter().map(|byte| format!("%{byte:02X}")).collect();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"COLOR_0":1}}}}]}}],
        "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream,{bytes}"}},{{"byteLength":12,"uri":"{uri}"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":1,"byteLength":12}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
        {{"bufferView":1,"componentType":5121,"normalized":true,"count":3,"type":"VEC4"}}]}}"#
    )
}

const SECRET: &[u8] = b"TOP-SECRET-KEY";

fn secret_is_read(folder: &Folder, uri: &str, model_files: ModelFiles) -> Result<bool, String> {
    let model = write(folder, "models/model.gltf", gltf(uri));
    let opened = files::open_with(&model, &Opening { model_files, ..Opening::default() })?;
    Ok(!opened.project.models[0].meshes[0].mesh.colors.is_empty())
}

#[test]
fn a_model_reads_only_files_of_its_folder_unless_others_are_allowed() {
    let folder = Folder::new("model");
    write(&folder, "secret.txt", SECRET);
    write(&folder, "models/inside/colours.bin", SECRET);
    let inside =
        ["inside/colours.bin", "./inside/../inside/colours.bin", "inside%2Fcolours.bin", "inside\\\\colours.bin"];
    for uri in inside {
        assert_eq!(secret_is_read(&folder, uri, ModelFiles::InFolder), Ok(true), "{uri}");
    }
    let outside =
        ["../secret.txt", "inside/../../secret.txt", "%2e%2e/secret.txt", "%2E%2E%2Fsecret.txt", "..\\\\secret.txt"];
    for uri in outside {
        let error = secret_is_read(&folder, uri, ModelFiles::InFolder).unwrap_err();
        let names_both =
            error.contains("model.gltf") && error.contains("secret.txt\" is outside the folder of the model");
        assert!(names_both && error.contains("--any-files"), "{uri}: {error}");
        assert_eq!(secret_is_read(&folder, uri, ModelFiles::Anywhere), Ok(true), "{uri}");
    }
    for uri in ["/etc/passwd", "file:///etc/passwd", "C:/secret.txt", "%2Fetc%2Fpasswd"] {
        let error = secret_is_read(&folder, uri, ModelFiles::InFolder).unwrap_err();
        assert!(error.contains("is not a path relative to the file"), "{uri}: {error}");
    }
    assert!(secret_is_read(&folder, "missing.bin", ModelFiles::InFolder).unwrap_err().contains("no such file"));
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_folder_of_a_model() {
    let folder = Folder::new("model-link");
    write(&folder, "secret.txt", SECRET);
    write(&folder, "models/inside.bin", SECRET);
    for (target, name) in [("../secret.txt", "out.bin"), ("inside.bin", "in.bin"), ("..", "up")] {
        std::os::unix::fs::symlink(target, folder.join("models").join(name)).unwrap();
    }
    assert_eq!(secret_is_read(&folder, "in.bin", ModelFiles::InFolder), Ok(true));
    for uri in ["out.bin", "up/secret.txt"] {
        let error = secret_is_read(&folder, uri, ModelFiles::InFolder).unwrap_err();
        assert!(error.contains("is outside the folder of the model"), "{error}");
        assert_eq!(secret_is_read(&folder, uri, ModelFiles::Anywhere), Ok(true));
    }
    // The folder itself may be reached through a link.
    std::os::unix::fs::symlink("models", folder.join("link")).unwrap();
    write(&folder, "models/model.gltf", gltf("inside.bin"));
    assert!(files::open(&folder.join("link/model.gltf")).is_ok());
}

#[test]
fn the_command_line_allows_files_outside_the_folder() {
    let folder = Folder::new("any-files");
    write(&folder, "secret.txt", SECRET);
    write(&folder, "models/model.gltf", gltf("../secret.txt"));
    let commands: [&[&str]; 3] = [
        &["import", "models/model.gltf", "-o", "out.wad"],
        &["inspect", "models/model.gltf"],
        &["edit", "models/model.gltf", "--script", "-"],
    ];
    for command in commands {
        let refused = run(&folder, command, "");
        assert_eq!(refused.status.code(), Some(1), "{command:?}");
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains("\"../secret.txt\" is outside the folder of the model"), "{error}");
        let allowed = run(&folder, &[command, &["--any-files"]].concat(), "");
        assert!(allowed.status.success(), "{command:?}: {}", String::from_utf8_lossy(&allowed.stderr));
    }
}

/// What a pipe or an endless device is in place of: the arguments of the program that reads it.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_wherever_a_file_is_read() {
    let folder = Folder::new("devices");
    fs::write(folder.join("demo.wad"), sample::encode(&sample::small())).unwrap();
    fs::write(folder.join("model.gltf"), gltf("pipe")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero")).unwrap();
    let device = run(&folder, &["check", "/dev/zero"], "");
    assert!(String::from_utf8(device.stderr).unwrap().contains("not a regular file"));
    for odd in ["pipe", "zero"] {
        let commands: [&[&str]; 10] = [
            &["inspect", odd],
            &["check", odd],
            &["import", odd, "-o", "out.wad"],
            &["edit", odd, "--script", "-"],
            &["edit", "demo.wad", "--script", odd],
            &["play", "demo.wad", "--replay", odd, "--check"],
            &["play", "demo.wad", "--patch", odd, "--replay", "demo.wad", "--check"],
            &["wad", "verify", odd],
            &["wad", "salvage", odd, "-o", "out.wad"],
            &["wad", "merge", "demo.wad", odd, "-o", "out.wad"],
        ];
        for command in commands {
            let done = run(&folder, command, "");
            let error = String::from_utf8(done.stderr).unwrap();
            assert!(!done.status.success() && error.lines().count() == 1, "{command:?}: {error}");
            let is_about_replay = command.contains(&"--patch") && error.contains("demo.wad");
            assert!(error.contains("not a regular file") || is_about_replay, "{command:?}: {error}");
        }
        let scripted = run(&folder, &["edit", "demo.wad", "--script", "-"], &format!("import {odd}\n"));
        assert!(String::from_utf8(scripted.stderr).unwrap().contains("not a regular file"), "{odd}");
    }
    let referred = run(&folder, &["inspect", "model.gltf"], "");
    assert!(String::from_utf8(referred.stderr).unwrap().contains("pipe: not a regular file"));
    // Preferences that are a device cost the defaults, and are set aside.
    let (kept, notes) = load(&folder.join("zero"));
    assert_eq!((kept, notes.len()), (Default::default(), 1));
    assert!(notes[0].contains("not a regular file"), "{notes:?}");
}

#[cfg(unix)]
#[test]
fn a_line_of_a_script_that_never_ends_is_an_error() {
    let folder = Folder::new("endless");
    let zero = fs::File::open("/dev/zero").unwrap();
    let error = process::refused(keypose(&folder).args(["edit", "--script", "-"]).stdin(zero));
    assert!(error.contains("the line is longer than 16 MiB"), "{error}");
}

/// Characters that act instead of being seen.
fn acts(letter: char) -> bool {
    letter != '\n' && (letter.is_control() || "\u{202e}\u{2066}\u{200b}\u{2028}".contains(letter))
}

#[test]
fn names_that_forge_lines_or_reverse_text_are_printed_escaped() {
    let folder = Folder::new("names");
    let evil = "knight\u{202e}daw.\u{2066}\u{200b}\u{2028}";
    let mut project = sample::small();
    let model = Arc::make_mut(&mut project.models[0]);
    model.name = format!("{evil}\nfake line\u{1b}[31m");
    Arc::make_mut(&mut model.clips[0].clip).name = format!("{evil}\r\u{9b}31mclip");
    let bones: Vec<_> = model.skeleton.bones().iter().cloned().enumerate().collect();
    let named =
        bones.into_iter().map(|(at, bone)| keypose::anim::skeleton::Bone { name: format!("{evil}{at}\n"), ..bone });
    model.skeleton = Arc::new(keypose::anim::skeleton::Skeleton::new(named.collect()).unwrap());
    let lump =
        keypose::assets::project::UnknownLump { kind: *b"xTRA", name: evil.into(), version: 1, bytes: Arc::new([1]) };
    project.unknown.push(lump);
    write(&folder, "evil.wad", sample::encode(&project));
    let commands: [&[&str]; 15] = [
        &["wad", "list", "evil.wad"],
        &["wad", "list", "evil.wad", "--json"],
        &["wad", "verify", "evil.wad"],
        &["inspect", "evil.wad", "--time", "0"],
        &["inspect", "evil.wad", "--json"],
        &["check", "evil.wad", "--hints"],
        &["check", "evil.wad", "--hints", "--json"],
        &["wad", "extract", "evil.wad", "-o", "out"],
        &["wad", "extract", "evil.wad", "-o", "out", "--json"],
        &["inspect", "evil.wad", "--model", "other"],
        &["inspect", "evil.wad", "--clip", "other"],
        &["inspect", "evil\u{202e}\n.wad"],
        &["edit", "evil.wad", "--script", "-"],
        &["inspect", "--x\u{1b}]0;forged\u{7}\u{202e}"],
        &["render", "evil.wad", "-o", "x.png", "--clip", "a", "\u{9b}31m.wad\u{2028}"],
    ];
    for command in commands {
        let input =
            if command[0] == "edit" { "show clips\nshow bones\nshow models\nsave other\u{202e}.glb\n" } else { "" };
        let done = run(&folder, command, input);
        for printed in [done.stdout, done.stderr] {
            let printed = String::from_utf8(printed).unwrap();
            assert!(!printed.contains(acts) && !printed.contains("\nfake"), "{command:?}: {printed:?}");
        }
    }
    let list = String::from_utf8(run(&folder, &["wad", "list", "evil.wad"], "").stdout).unwrap();
    assert!(list.contains("knight\\u{202e}daw."), "{list}");
}

#[test]
fn preferences_of_a_start_that_crashed_are_set_aside() {
    let folder = Folder::new("crash");
    let path = write(&folder, "keypose/preferences.json", "{ \"theme\": \"Light\" }");
    for aside in ["preferences.json.damaged", "preferences.json.damaged-2"] {
        fs::write(&path, format!("{{ \"is\": \"{aside}\" }}")).unwrap();
        let (kept, notes) = load_after_crash(&path);
        assert_eq!((kept, notes.len()), (Default::default(), 1));
        assert!(notes[0].contains("the program crashed when it started") && notes[0].contains(aside), "{notes:?}");
        assert!(!path.exists() && fs::read_to_string(path.with_file_name(aside)).unwrap().contains(aside));
    }
    assert_eq!(load_after_crash(&path), Default::default(), "without a file there is nothing to say");
}
