//! What other editors and programs do to a file, its folder, its lock and its journal while it is open: none overwrites the
//! work of another, and all that was acknowledged comes back.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use keypose::app::layers;
use keypose::app::recorder::Recorder;
use keypose::editor::state::Editor;
use keypose::editor::state::action::Origin;
use keypose::wad;

use crate::process::Program;
use crate::sample;

/// A folder with an archive in `project/`. What programs keep elsewhere goes to the folder.
fn desk(name: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hold-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("project")).unwrap();
    let archive = folder.join("project/a.wad");
    fs::write(&archive, sample::encode(&sample::small())).unwrap();
    (folder, archive)
}

fn open(archive: &Path, folder: &Path) -> Program {
    Program::start(Some(archive.as_os_str()), folder)
}

/// Saves a pose; returns when that is acknowledged.
fn work(program: &mut Program, pose: &str) {
    program.send(&format!("save-pose {pose}; show steps"));
    assert!(program.read().starts_with("steps = "));
}

fn poses(program: &mut Program) -> String {
    program.send("show poses");
    program.read()
}

fn poses_in(archive: &Path) -> Vec<String> {
    let project = wad::decode(&fs::read(archive).unwrap()).unwrap().project;
    project.models[0].poses.iter().map(|pose| pose.name.clone()).collect()
}

/// `keypose` in a folder, with input.
fn run(folder: &Path, arguments: &[&str], input: &str, home: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    for variable in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME", "LOCALAPPDATA", "APPDATA"] {
        match home {
            Some(home) => command.env(variable, home),
            None => command.env_remove(variable),
        };
    }
    let command = command.current_dir(folder).args(arguments).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn reports(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_was_saved_between_reading_and_locking_is_read_again() {
    let (folder, archive) = desk("between");
    let origin = Origin::Archive(archive.clone());
    let opened = layers::open(std::slice::from_ref(&archive), &Default::default()).unwrap();
    let mut editor = Editor::new(opened.project, &origin);
    // Another editor saves here.
    let mut other = open(&archive, &folder);
    other.send("save-pose saved; save");
    other.finish();
    let (recorder, notes) = Recorder::attach_read(&mut editor, &origin, Some(opened.digest));
    assert_eq!(notes, [""; 0]);
    let shown: Vec<&str> = editor.document.models[0].poses.iter().map(|pose| pose.name.as_str()).collect();
    assert_eq!(shown, poses_in(&archive));
    assert!(!shown.is_empty() && !editor.is_dirty() && editor.file.is_some());
    recorder.close();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_patch_that_was_saved_between_reading_and_locking_is_read_again() {
    let (folder, archive) = desk("between-layers");
    let patch = folder.join("project/p.wad");
    let project = folder.join("project");
    let script = ["edit", "a.wad", "--script", "-"];
    assert!(run(&project, &script, "save-pose p1; save-patch p.wad", Some(&folder)).status.success());
    let files = [archive, patch.clone()];
    let origin = Origin::Patch { below: vec![files[0].clone()], path: patch };
    let opened = layers::open(&files, &Default::default()).unwrap();
    let mut editor = Editor::new(opened.project, &origin);
    assert!(run(&project, &script, "save-pose p2; save-patch p.wad", Some(&folder)).status.success());
    let (recorder, _) = Recorder::attach_read(&mut editor, &origin, Some(opened.digest));
    let shown: Vec<&str> = editor.document.models[0].poses.iter().map(|pose| pose.name.as_str()).collect();
    assert_eq!(shown, ["p2"]);
    recorder.close();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_journal_of_another_editor_stays_when_the_folder_was_replaced() {
    let (folder, archive) = desk("replaced");
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    let project = folder.join("project");
    fs::rename(&project, folder.join("old")).unwrap();
    fs::create_dir(&project).unwrap();
    fs::copy(folder.join("old/a.wad"), &archive).unwrap();
    let mut second = open(&archive, &folder);
    work(&mut second, "two");
    work(&mut first, "three");
    first.send("save");
    let failure = first.fail();
    assert!(failure.contains("another program deleted or replaced the journal"), "{failure}");
    assert!(failure.contains("is open in another Keypose"), "{failure}");
    assert_eq!(poses_in(&archive), [""; 0], "nothing was overwritten");
    work(&mut second, "four");
    second.kill();
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = two four");
    let mut other = open(&archive, &folder);
    assert_eq!(poses(&mut other), "poses = one three");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_that_was_deleted_is_continued_elsewhere() {
    let (folder, archive) = desk("deleted");
    let journal = folder.join("project/a.wad.journal");
    for is_continued in [true, false] {
        let mut program = open(&archive, &folder);
        work(&mut program, "one");
        fs::remove_file(&journal).unwrap();
        let expected = if is_continued {
            work(&mut program, "two");
            program.kill();
            "poses = one two"
        } else {
            let output = program.finish();
            assert!(output.contains("changes are recorded in"), "{output}");
            "poses = one"
        };
        let mut again = open(&archive, &folder);
        assert_eq!(poses(&mut again), expected);
        again.send("answer discard; undo; undo");
        again.kill();
        fs::remove_dir_all(&folder).unwrap();
        desk("deleted");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_deleted_folder_costs_no_work_when_a_save_fails() {
    let (folder, archive) = desk("folder");
    let bytes = fs::read(&archive).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::remove_dir_all(folder.join("project")).unwrap();
    program.send("save");
    let failure = program.fail();
    assert!(failure.contains("could not be saved") && failure.contains("are recorded in"), "{failure}");
    fs::create_dir(folder.join("project")).unwrap();
    fs::write(&archive, bytes).unwrap();
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_that_was_deleted_does_not_disturb_a_save() {
    let (folder, archive) = desk("deleted-save");
    for deleted in ["a.wad.journal", "a.wad.journal.lock"] {
        let mut program = open(&archive, &folder);
        work(&mut program, "one");
        fs::remove_file(folder.join("project").join(deleted)).unwrap();
        program.send("save");
        work(&mut program, "two");
        program.kill();
        assert_eq!(poses_in(&archive).last().unwrap(), "one", "{deleted}");
        let mut again = open(&archive, &folder);
        assert!(poses(&mut again).ends_with("one two"), "{deleted}");
        again.send("undo; undo; save");
        again.finish();
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn two_editors_whose_lock_was_deleted_keep_both_their_work() {
    let (folder, archive) = desk("lock");
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    fs::remove_file(folder.join("project/a.wad.journal.lock")).unwrap();
    let mut second = open(&archive, &folder);
    assert_eq!(poses(&mut second), "poses = one", "it can't know that another one has it");
    work(&mut second, "two");
    work(&mut first, "three");
    work(&mut second, "four");
    first.kill();
    second.kill();
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = one two four");
    let mut other = open(&archive, &folder);
    assert_eq!(poses(&mut other), "poses = one three");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_patch_does_not_replace_a_file_that_another_editor_holds() {
    let (folder, archive) = desk("save-patch");
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    let other = folder.join("project/b.wad");
    fs::copy(&archive, &other).unwrap();
    let before = fs::read(&archive).unwrap();
    let mut second = open(&other, &folder);
    second.send(&format!("save-pose two; save-patch {}", archive.display()));
    let failure = second.fail();
    assert!(failure.contains("is open in another Keypose"), "{failure}");
    assert_eq!(fs::read(&archive).unwrap(), before);
    first.send("save");
    first.finish();
    assert_eq!(poses_in(&archive), ["one"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_editor_holds_a_patch_and_what_is_below_it() {
    let (folder, _) = desk("patch");
    let project = folder.join("project");
    let script = |files: &[&str], input: &str| {
        let arguments = [&["edit"], files, &["--journal", "--script", "-"]].concat();
        run(&project, &arguments, input, Some(&folder))
    };
    fs::copy(project.join("a.wad"), project.join("b.wad")).unwrap();
    for patch in ["p.wad", "q.wad"] {
        let done = script(&["a.wad"], &format!("save-pose {}; save-patch {patch}", &patch[..1]));
        assert!(done.status.success(), "{}", reports(&done));
    }
    assert!(script(&["b.wad"], "save-pose b; save").status.success());
    let layers = |patches: &[&str]| {
        let mut files = vec![project.join("a.wad").into_os_string()];
        patches.iter().for_each(|patch| files.extend(["--patch".into(), project.join(patch).into_os_string()]));
        Program::start_with(&files, &folder)
    };
    let mut first = layers(&["p.wad"]);
    work(&mut first, "one");
    let mut beside = layers(&["q.wad"]);
    work(&mut beside, "two");
    let output = layers(&["q.wad", "p.wad"]).finish();
    assert!(output.contains("p.wad is open in another Keypose"), "{output}");
    for command in [&["wad", "patch", "a.wad", "b.wad", "-o", "p.wad"][..], &["wad", "repack", "a.wad"]] {
        let refused = run(&project, command, "", Some(&folder));
        assert!(!refused.status.success() && reports(&refused).contains("open in Keypose"), "{}", reports(&refused));
    }
    beside.send("save");
    beside.finish();
    first.kill();
    let mut again = layers(&["p.wad"]);
    assert_eq!(poses(&mut again), "poses = p one");
    again.send("save");
    again.finish();
    let repacked = run(&project, &["wad", "repack", "a.wad"], "", Some(&folder));
    assert!(repacked.status.success(), "{}", reports(&repacked));
    let left = fs::read_dir(&project)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("journal"));
    assert_eq!(left.count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_new_file_is_saved_again_by_whatever_path_it_was_named() {
    let (folder, _) = desk("path");
    let project = folder.join("project");
    symlink("project", folder.join("link")).unwrap();
    let linked = folder.join("link/linked.wad");
    for path in ["relative.wad", linked.to_str().unwrap()] {
        let input = format!("import a.wad\nsave {path}\nsave-pose one\nsave\n");
        let saved = run(&project, &["edit", "--journal", "--script", "-"], &input, Some(&folder));
        assert!(saved.status.success(), "{path}: {}", reports(&saved));
        assert_eq!(poses_in(&project.join(path)), ["one"], "{path}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_script_fails_if_no_journal_keeps_what_it_did() {
    let (folder, _) = desk("homeless");
    let edit = |input: &str| run(&folder, &["edit", "--journal", "--script", "-"], input, None);
    let lost = edit("import project/a.wad\n");
    assert!(!lost.status.success() && reports(&lost).contains("no journal keeps them"), "{}", reports(&lost));
    assert!(!reports(&lost).contains("will be recovered"), "{}", reports(&lost));
    let saved = edit("import project/a.wad\nsave project/b.wad\n");
    assert!(saved.status.success(), "{}", reports(&saved));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_becomes_read_only_is_still_held() {
    let (folder, archive) = desk("read-only");
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    let mut second = open(&archive, &folder);
    assert_eq!(poses(&mut second), "poses = ", "the work of the first is not taken");
    let output = second.finish();
    assert!(output.contains("a.wad is open in another Keypose"), "{output}");
    work(&mut first, "two");
    fs::set_permissions(&archive, Permissions::from_mode(0o644)).unwrap();
    first.send("save");
    first.finish();
    assert_eq!(poses_in(&archive), ["one", "two"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_becomes_writable_is_still_held() {
    let (folder, archive) = desk("writable");
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    fs::set_permissions(&archive, Permissions::from_mode(0o644)).unwrap();
    let output = open(&archive, &folder).finish();
    assert!(output.contains("a.wad is open in another Keypose"), "{output}");
    first.send("save");
    first.finish();
    assert_eq!(poses_in(&archive), ["one"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_with_a_long_name_is_saved_and_recovered() {
    let (folder, archive) = desk("long");
    for (letter, bytes) in [("n", 240), ("ñ", 240), ("n", 253)] {
        let long = archive.with_file_name(format!("{}.wad", letter.repeat((bytes - 4) / letter.len())));
        fs::copy(&archive, &long).unwrap();
        let mut program = open(&long, &folder);
        program.send("save-pose one; save; save-pose two; save");
        work(&mut program, "three");
        program.kill();
        assert_eq!(poses_in(&long), ["one", "two"]);
        assert_eq!(poses(&mut open(&long, &folder)), "poses = one two three");
    }
    fs::remove_dir_all(folder).unwrap();
}
