//! What other editors and programs do to a file, its folder, its lock and its journal while it is open: none overwrites the
//! work of another, and all that was acknowledged comes back.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use keypose::wad;
use keypose_app::app::layers;
use keypose_app::app::recorder::Recorder;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::Origin;

use crate::process::Program;
use crate::sample;

/// A folder with an archive in `project/`. What programs keep elsewhere goes to the folder.
pub fn desk(name: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hold-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("project")).unwrap();
    let archive = folder.join("project/a.wad");
    fs::write(&archive, sample::encode(&sample::small())).unwrap();
    (folder, archive)
}

pub fn open(archive: &Path, folder: &Path) -> Program {
    Program::start(Some(archive.as_os_str()), folder)
}

/// Saves a pose; returns when that is acknowledged.
pub fn work(program: &mut Program, pose: &str) {
    program.send(&format!("save-pose {pose}; show steps"));
    assert!(program.read().starts_with("steps = "));
}

pub fn poses(program: &mut Program) -> String {
    program.send("show poses");
    program.read()
}

pub fn poses_in(archive: &Path) -> Vec<String> {
    let project = wad::decode(&fs::read(archive).unwrap()).unwrap().project;
    project.models[0].poses.iter().map(|pose| pose.name.clone()).collect()
}

/// `keypose` in a folder, with input.
pub fn run(folder: &Path, arguments: &[&str], input: &str, home: Option<&Path>) -> Output {
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

pub fn reports(output: &Output) -> String {
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

/// The journals that are kept for a desk, which have content.
pub fn journals(folder: &Path) -> Vec<PathBuf> {
    let entries = ["project", "keypose"].map(|part| fs::read_dir(folder.join(part)));
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.unwrap().path());
    let is_written = |path: &PathBuf| fs::metadata(path).is_ok_and(|about| about.len() > 100);
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "journal") && is_written(path)).collect()
}

#[test]
fn a_journal_that_is_deleted_while_nothing_happens_is_written_again() {
    let (folder, archive) = desk("idle");
    let patch = folder.join("project/p.wad");
    let made = run(&folder.join("project"), &["edit", "a.wad", "--script", "-"], "save-patch p.wad", Some(&folder));
    assert!(made.status.success(), "{}", reports(&made));
    let import = format!("import {}; show poses", archive.display());
    let kinds: [(&str, Vec<&std::ffi::OsStr>, &str); 4] = [
        ("archive", vec![archive.as_os_str()], "show poses"),
        ("second editor", vec![archive.as_os_str()], "show poses"),
        ("patch", vec![archive.as_os_str(), "--patch".as_ref(), patch.as_os_str()], "show poses"),
        ("untitled", Vec::new(), &import),
    ];
    for (kind, files, first) in kinds {
        let holder = (kind == "second editor").then(|| {
            let mut holder = open(&archive, &folder);
            poses(&mut holder);
            holder
        });
        let mut program = Program::start_with(&files, &folder);
        program.send(first);
        program.read();
        work(&mut program, "one");
        let before = journals(&folder);
        assert_eq!(before.len(), 1, "{kind}: {before:?}");
        fs::remove_file(&before[0]).unwrap();
        let since = Instant::now();
        while journals(&folder).is_empty() {
            assert!(since.elapsed() < Duration::from_secs(60), "{kind}: it is not written again");
            std::thread::sleep(Duration::from_millis(20));
        }
        program.kill();
        let mut again = Program::start_with(&files, &folder);
        assert_eq!(poses(&mut again), "poses = one", "{kind}");
        again.send("answer discard; undo");
        again.kill();
        holder.into_iter().for_each(|holder| drop(holder.kill()));
        journals(&folder).iter().for_each(|left| fs::remove_file(left).unwrap());
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
    first.pause(true);
    fs::remove_file(folder.join("project/a.wad.journal.lock")).unwrap();
    let mut second = open(&archive, &folder);
    assert_eq!(poses(&mut second), "poses = one", "it can't know that another one has it");
    first.pause(false);
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

#[cfg(target_os = "linux")]
#[test]
fn names_that_differ_only_in_bytes_that_are_no_unicode_are_two_documents() {
    use std::os::unix::ffi::OsStrExt;
    let (folder, archive) = desk("bytes");
    let files = [&b"x\xff.wad"[..], b"x\xfe.wad"].map(|name| archive.with_file_name(std::ffi::OsStr::from_bytes(name)));
    for file in &files {
        fs::copy(&archive, file).unwrap();
        fs::set_permissions(file, Permissions::from_mode(0o444)).unwrap();
    }
    let mut first = open(&files[0], &folder);
    work(&mut first, "one");
    first.kill();
    assert_eq!(poses(&mut open(&files[1], &folder)), "poses = ");
    assert_eq!(poses(&mut open(&files[0], &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_older_version_that_is_open_stays_where_it_is() {
    let (folder, archive) = desk("older");
    let save = |pose: &str| {
        let mut program = open(&archive, &folder);
        program.send(&format!("save-pose {pose}; save"));
        program.finish();
    };
    let version = |number: u32| archive.with_file_name(format!("a.wad.{number}"));
    ["a", "b"].into_iter().for_each(save);
    let before = fs::read(version(1)).unwrap();
    let mut other = open(&version(1), &folder);
    work(&mut other, "work");
    ["c", "d"].into_iter().for_each(save);
    other.kill();
    // Now no editor has it open, but its journal is there.
    ["e", "f", "g"].into_iter().for_each(save);
    assert_eq!(fs::read(version(1)).unwrap(), before);
    for (number, pose) in [(2, "f"), (3, "e"), (4, "d")] {
        assert_eq!(poses_in(&version(number)).last().unwrap(), pose, "{number}");
    }
    assert_eq!(poses(&mut open(&version(1), &folder)), "poses = a work");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_link_in_place_of_an_older_version_does_not_stop_them() {
    let (folder, archive) = desk("older-link");
    symlink("a.wad", archive.with_file_name("a.wad.1")).unwrap();
    for pose in ["a", "b", "c"] {
        let mut program = open(&archive, &folder);
        program.send(&format!("save-pose {pose}; save"));
        program.finish();
    }
    assert_eq!(poses_in(&archive.with_file_name("a.wad.1")), ["a", "b"]);
    assert_eq!(poses_in(&archive.with_file_name("a.wad.2")), ["a"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_with_the_names_of_temporary_journals_stay() {
    let (folder, archive) = desk("names");
    let project = folder.join("project");
    fs::write(project.join("a.wad.journal.rewritten"), "my notes").unwrap();
    fs::copy(&archive, project.join("a.wad.journal.next")).unwrap();
    poses(&mut open(&archive, &folder));
    assert_eq!(fs::read_to_string(project.join("a.wad.journal.rewritten")).unwrap(), "my notes");
    assert_eq!(fs::read(project.join("a.wad.journal.next")).unwrap(), fs::read(&archive).unwrap());
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    // A journal of a newer version.
    let mut newer = fs::read(project.join("a.wad.journal")).unwrap();
    newer[8] = 99;
    fs::write(project.join("a.wad.journal.rewritten"), &newer).unwrap();
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one");
    assert_eq!(fs::read(project.join("a.wad.journal.rewritten")).unwrap(), newer);
    fs::remove_dir_all(folder).unwrap();
}

/// Whether a file of a folder has these bytes.
pub fn is_kept(folder: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| fs::read(entry.unwrap().path()).unwrap() == bytes)
}

#[test]
fn a_damaged_journal_is_kept_when_another_one_replaces_it() {
    let (folder, archive) = desk("replaced-damaged");
    let project = folder.join("project");
    let journal = project.join("a.wad.journal");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    let first = fs::read(&journal).unwrap();
    ["two", "three", "four"].into_iter().for_each(|pose| work(&mut program, pose));
    program.kill();
    let whole = fs::read(&journal).unwrap();
    // The damage is in the first record, or behind those that the other one has.
    for at in [60, first.len() + 40] {
        for other in ["a.wad.journal.unread", "a.wad.journal.rewritten"] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&journal, &damaged).unwrap();
            fs::write(project.join(other), &first).unwrap();
            let mut again = open(&archive, &folder);
            assert_eq!(poses(&mut again), "poses = one", "{at}, {other}");
            let output = again.finish();
            assert!(is_kept(&project, &damaged), "{at}, {other}: {output}");
            assert!(output.contains(".damaged"), "{at}, {other}: {output}");
            let journals =
                journals(&folder).into_iter().chain(fs::read_dir(&project).unwrap().map(|e| e.unwrap().path()));
            journals.filter(|path| *path != archive).for_each(|path| drop(fs::remove_file(path)));
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_over_a_file_with_unsaved_work_is_refused() {
    let (folder, archive) = desk("save-over");
    let other = folder.join("project/b.wad");
    fs::copy(&archive, &other).unwrap();
    let mut program = open(&other, &folder);
    work(&mut program, "one");
    program.kill();
    let journal = fs::read(folder.join("project/b.wad.journal")).unwrap();
    let mut program = open(&archive, &folder);
    let before = fs::read(&other).unwrap();
    program.send(&format!("save-pose two; save {}", other.display()));
    let output = program.fail();
    assert!(output.contains("an editor ended without saving it") && output.contains("b.wad.journal"), "{output}");
    assert_eq!(fs::read(folder.join("project/b.wad.journal")).unwrap(), journal);
    assert_eq!(fs::read(&other).unwrap(), before);
    assert_eq!(poses(&mut open(&other, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn work_in_the_state_folder_is_recovered_though_an_outdated_journal_is_beside_the_archive() {
    let (folder, archive) = desk("outdated");
    let mut program = open(&archive, &folder);
    work(&mut program, "old");
    program.kill();
    let journal = fs::read(folder.join("project/a.wad.journal")).unwrap();
    fs::write(&archive, sample::encode(&sample::rich())).unwrap();
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "work");
    program.kill();
    fs::set_permissions(&archive, Permissions::from_mode(0o644)).unwrap();
    let mut again = open(&archive, &folder);
    let found = poses(&mut again);
    assert!(found.starts_with("poses = fist ") && found.ends_with(" work"), "{found}");
    let output = again.finish();
    assert!(output.contains("another version of this file"), "{output}");
    assert!(is_kept(&folder.join("project"), &journal));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn work_after_an_undo_on_a_read_only_file_is_the_document_when_it_is_writable_again() {
    let (folder, archive) = desk("undone");
    let mut program = open(&archive, &folder);
    work(&mut program, "p1");
    work(&mut program, "p2");
    program.kill();
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = p1 p2");
    program.send("undo");
    work(&mut program, "p3");
    program.kill();
    fs::set_permissions(&archive, Permissions::from_mode(0o644)).unwrap();
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = p1 p3");
    let output = again.finish();
    assert!(!output.contains("Another window"), "{output}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn unsaved_changes_that_cannot_be_copied_to_the_state_folder_are_named() {
    let (folder, archive) = desk("uncopied");
    let mut program = open(&archive, &folder);
    work(&mut program, "p1");
    program.kill();
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    // A file has the name of the folder for journals.
    fs::remove_dir_all(folder.join("keypose")).unwrap();
    fs::write(folder.join("keypose"), "").unwrap();
    let mut again = open(&archive, &folder);
    assert_eq!(poses(&mut again), "poses = ");
    let output = again.finish();
    assert!(output.contains("a.wad.journal: unsaved changes are kept there, but could not be recovered"), "{output}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_keeps_owner_and_group_or_gives_the_group_no_more_than_others() {
    use std::os::unix::fs::{MetadataExt, chown};
    let (folder, archive) = desk("owner");
    if chown(&archive, Some(65_534), Some(100)).is_err() {
        eprintln!("skipped: only the administrator gives files to others");
        return;
    }
    fs::set_permissions(&archive, Permissions::from_mode(0o640)).unwrap();
    let mut program = open(&archive, &folder);
    program.send("save-pose one; save");
    program.finish();
    for file in ["a.wad", "a.wad.1"] {
        let about = fs::metadata(archive.with_file_name(file)).unwrap();
        assert_eq!((about.uid(), about.gid(), about.mode() & 0o7777), (65_534, 100, 0o640), "{file}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_another_program_changes_costs_no_work() {
    let (folder, archive) = desk("changed");
    for (kind, change) in [
        ("overwritten", (|archive| fs::write(archive, sample::encode(&sample::rich())).unwrap()) as fn(&Path)),
        ("deleted", |archive| fs::remove_file(archive).unwrap()),
    ] {
        let bytes = fs::read(&archive).unwrap();
        let mut program = open(&archive, &folder);
        work(&mut program, "one");
        change(&archive);
        work(&mut program, "two");
        program.kill();
        // The journal belongs to no file that is left: it holds the document itself.
        if kind == "deleted" {
            fs::write(&archive, &bytes).unwrap();
        }
        let mut again = open(&archive, &folder);
        assert_eq!(poses(&mut again), "poses = one two", "{kind}");
        again.kill();
        fs::remove_dir_all(&folder).unwrap();
        desk("changed");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_read_only_archive_without_a_state_folder_has_no_journal() {
    let (folder, archive) = desk("stateless");
    fs::set_permissions(&archive, Permissions::from_mode(0o444)).unwrap();
    let done = run(&folder, &["edit", "project/a.wad", "--journal", "--script", "-"], "save-pose one\n", None);
    assert!(!done.status.success(), "{}", reports(&done));
    assert!(!reports(&done).contains("will be recovered"), "{}", reports(&done));
    assert!(!folder.join("project/a.wad.journal").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_name_with_a_line_break_is_no_spare_journal() {
    let (folder, archive) = desk("break");
    let mut first = open(&archive, &folder);
    poses(&mut first);
    let mut second = open(&archive, &folder);
    work(&mut second, "two");
    second.kill();
    // A file whose name is that of the second editor's journal, as it was named.
    let named = archive.with_file_name("a.wad.journal\n2");
    fs::copy(&archive, &named).unwrap();
    fs::set_permissions(&named, Permissions::from_mode(0o444)).unwrap();
    assert_eq!(poses(&mut open(&named, &folder)), "poses = ");
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = two");
    first.kill();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn commands_do_not_replace_an_archive_whose_changes_wait_to_be_recovered() {
    let (folder, archive) = desk("waiting");
    let project = folder.join("project");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    let before = fs::read(&archive).unwrap();
    for (command, input) in [
        (&["wad", "repack", "a.wad"][..], ""),
        (&["wad", "merge", "a.wad", "-o", "a.wad"], ""),
        (&["edit", "a.wad", "--script", "-"], "save-pose two; save\n"),
    ] {
        let refused = run(&project, command, input, Some(&folder));
        assert!(!refused.status.success(), "{command:?}");
        assert!(reports(&refused).contains("an editor ended without saving it"), "{}", reports(&refused));
        assert_eq!(fs::read(&archive).unwrap(), before, "{command:?}");
    }
    // What was saved does not wait.
    let mut program = open(&archive, &folder);
    program.send("save; show poses");
    assert_eq!(program.read(), "poses = one");
    program.kill();
    let repacked = run(&project, &["wad", "repack", "a.wad"], "", Some(&folder));
    assert!(repacked.status.success(), "{}", reports(&repacked));
    fs::remove_dir_all(folder).unwrap();
}
