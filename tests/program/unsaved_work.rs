//! Journals as files: whatever became of the name and place of an archive, its unsaved work is listed and can be opened.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::hold::{desk, open, poses, poses_in, reports, run, work};
use crate::root::root;

/// A folder with an archive that has unsaved work in a journal beside it.
fn left(name: &str) -> (PathBuf, PathBuf) {
    let (folder, archive) = desk(name);
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    (folder, archive)
}

/// The journals that are listed: the name of each, what becomes of it, and the number of its steps.
fn listed(folder: &Path, path: &str) -> Vec<(String, String, u64)> {
    let done = run(folder, &["recover", path, "--json"], "", Some(folder));
    assert!(done.status.success(), "{}", reports(&done));
    let value: Value = serde_json::from_slice(&done.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let name = |value: &Value| Path::new(value.as_str().unwrap()).file_name().unwrap().to_string_lossy().into_owned();
    let journals = value["journals"].as_array().unwrap();
    journals.iter().map(|one| (name(&one["journal"]), text(&one["fate"]), one["steps"].as_u64().unwrap())).collect()
}

fn one(name: &str, fate: &str) -> Vec<(String, String, u64)> {
    vec![(name.to_owned(), fate.to_owned(), 1)]
}

#[test]
fn a_journal_is_listed_whatever_became_of_its_archive() {
    let (folder, archive) = left("listed");
    assert_eq!(listed(&folder, "project"), one("a.wad.journal", "comes back"));
    assert_eq!(listed(&folder, "project/a.wad"), one("a.wad.journal", "comes back"));
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    assert_eq!(listed(&folder, "project"), one("a.wad.journal", "in use"));
    program.kill();
    fs::rename(&archive, folder.join("project/b.wad")).unwrap();
    assert_eq!(listed(&folder, "project"), one("a.wad.journal", "kept"));
    fs::rename(folder.join("project/b.wad"), folder.join("away.wad")).unwrap();
    assert_eq!(listed(&folder, "project"), one("a.wad.journal", "base not found"));
    // Keypose knows where it left it.
    assert_eq!(listed(&folder, "."), one("a.wad.journal", "starts elsewhere"));
    let nowhere = run(&folder, &["recover", "nowhere"], "", Some(&folder));
    assert!(!nowhere.status.success() && reports(&nowhere).contains("nowhere: "), "{}", reports(&nowhere));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn steps_that_were_undone_and_replaced_are_not_counted() {
    let (folder, archive) = left("replaced");
    let mut program = open(&archive, &folder);
    work(&mut program, "two");
    program.send("undo; show poses");
    assert_eq!(program.read(), "poses = one");
    work(&mut program, "three");
    program.kill();
    let done = run(&folder, &["recover", "project"], "", Some(&folder));
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(text.contains("2 steps on a.wad, the last one \"Save pose\""), "{text}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_is_opened_as_a_document() {
    let (folder, archive) = left("opened");
    let journal = folder.join("project/a.wad.journal.orphan");
    fs::rename(folder.join("project/a.wad.journal"), &journal).unwrap();
    // An older version is the start as well.
    fs::rename(&archive, folder.join("project/c.wad.1")).unwrap();
    let before = fs::read(&journal).unwrap();
    let mut program = open(&journal, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    work(&mut program, "two");
    program.send(&format!("save {}", folder.join("new.wad").display()));
    program.finish();
    assert_eq!(fs::read(&journal).unwrap(), before);
    assert_eq!(poses_in(&folder.join("new.wad")), ["one", "two"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_is_written_to_an_archive_over_the_one_that_is_named() {
    let (folder, archive) = left("written");
    fs::rename(&archive, folder.join("away.wad")).unwrap();
    fs::copy(root().join("data/demo.wad"), folder.join("other.wad")).unwrap();
    let write = |more: &[&str]| {
        let arguments = [&["recover", "project/a.wad.journal", "-o", "new.wad"], more].concat();
        run(&folder, &arguments, "", Some(&folder))
    };
    let missing = write(&[]);
    assert!(reports(&missing).contains("version of a.wad that was not found"), "{}", reports(&missing));
    let wrong = write(&["--over", "other.wad"]);
    assert!(reports(&wrong).contains("another version of this archive"), "{}", reports(&wrong));
    assert!(!folder.join("new.wad").exists());
    let done = write(&["--over", "away.wad"]);
    assert!(done.status.success(), "{}", reports(&done));
    assert_eq!(poses_in(&folder.join("new.wad")), ["one"]);
    assert!(folder.join("project/a.wad.journal").exists());
    let no_journal = run(&folder, &["recover", "away.wad", "-o", "x.wad"], "", Some(&folder));
    assert!(reports(&no_journal).contains("away.wad: not a journal"), "{}", reports(&no_journal));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn work_without_a_file_is_listed_with_its_models() {
    let (folder, archive) = left("untitled");
    let mut program = open(&archive, &folder);
    program.send("show poses");
    program.read();
    // A second editor's journal holds the whole document.
    let mut second = open(&archive, &folder);
    work(&mut second, "two");
    second.kill();
    program.kill();
    let text = run(&folder, &["recover", "project"], "", Some(&folder));
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("1 step on a.wad") && text.contains("1 step on a document with "), "{text}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_keeps_the_older_version_that_a_journal_starts_from() {
    let (folder, archive) = left("start-kept");
    let start = fs::read(&archive).unwrap();
    let aside = folder.join("project/x.wad.journal.damaged");
    fs::rename(folder.join("project/a.wad.journal"), &aside).unwrap();
    for pose in ["p1", "p2", "p3", "p4", "p5"] {
        let done = run(
            &folder,
            &["edit", "project/a.wad", "--script", "-"],
            &format!("save-pose {pose}; save"),
            Some(&folder),
        );
        assert!(done.status.success(), "{}", reports(&done));
    }
    assert_eq!(fs::read(folder.join("project/a.wad.1")).unwrap(), start);
    assert_eq!(listed(&folder, "project"), one("x.wad.journal.damaged", "kept"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_start_is_found_in_a_folder_of_many_files() {
    let (folder, archive) = left("many");
    for number in 0..5000 {
        fs::write(folder.join(format!("project/f{number}")), b"").unwrap();
    }
    fs::rename(&archive, folder.join("project/z.wad")).unwrap();
    assert_eq!(listed(&folder, "project"), one("a.wad.journal", "kept"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_of_another_archive_at_the_path_does_not_come_back_there() {
    let (folder, archive) = desk("not-back");
    // The journal is in the folder for application state.
    symlink("nowhere", folder.join("project/a.wad.journal.lock")).unwrap();
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    assert_eq!(listed(&folder, "project")[0].1, "comes back");
    fs::rename(&archive, folder.join("gone.wad")).unwrap();
    fs::copy(root().join("data/demo.wad"), &archive).unwrap();
    assert_eq!(listed(&folder, "project")[0].1, "kept");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn another_journal_of_the_same_name_shows_its_own_work() {
    let (folder, archive) = left("same-name");
    let journal = folder.join("project/a.wad.journal.orphan");
    fs::rename(folder.join("project/a.wad.journal"), &journal).unwrap();
    let mut program = open(&journal, &folder);
    work(&mut program, "more");
    program.kill();
    assert_eq!(poses(&mut open(&journal, &folder)), "poses = one more");
    let mut program = open(&archive, &folder);
    // What was set aside is of this archive, and is handed out to it.
    assert_eq!(poses(&mut program), "poses = one");
    work(&mut program, "other");
    program.kill();
    fs::rename(folder.join("project/a.wad.journal"), &journal).unwrap();
    assert_eq!(poses(&mut open(&journal, &folder)), "poses = one other");
    assert!(listed(&folder, "project").iter().any(|(_, fate, _)| fate == "kept"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_keeps_what_is_older_than_a_journal_that_cannot_be_read() {
    let (folder, archive) = left("unread");
    let start = fs::read(&archive).unwrap();
    let aside = folder.join("project/x.wad.journal.damaged");
    let journal = fs::read(folder.join("project/a.wad.journal")).unwrap();
    fs::remove_file(folder.join("project/a.wad.journal")).unwrap();
    let mut newer = journal.clone();
    newer[8] = 99;
    fs::write(&aside, newer).unwrap();
    // Times that programs set say nothing: a restored archive, a journal of the future.
    let set = |path: &Path, time| fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    set(&archive, SystemTime::now());
    set(&aside, SystemTime::now() + Duration::from_hours(1_000_000));
    for pose in ["p1", "p2", "p3", "p4", "p5"] {
        let script = format!("save-pose {pose}; save");
        let done = run(&folder, &["edit", "project/a.wad", "--script", "-"], &script, Some(&folder));
        assert!(done.status.success(), "{}", reports(&done));
    }
    assert_eq!(fs::read(folder.join("project/a.wad.1")).unwrap(), start);
    let versions = (1..9).filter(|number| folder.join(format!("project/a.wad.{number}")).exists()).count();
    assert_eq!(versions, 4, "those that were made later are replaced");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn damaged_steps_behind_a_save_are_not_listed_as_saved() {
    let (folder, archive) = desk("damaged-behind");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.send("save; show dirty");
    assert_eq!(program.read(), "dirty = no");
    for pose in ["two", "three"] {
        work(&mut program, pose);
    }
    program.kill();
    let journal = folder.join("project/a.wad.journal");
    let mut bytes = fs::read(&journal).unwrap();
    let offsets = keypose::wad::journal::read(&bytes).unwrap().offsets;
    bytes[offsets[offsets.len() - 2] + 40] ^= 1;
    fs::write(&journal, bytes).unwrap();
    let listed = listed(&folder, "project");
    assert!(listed.len() == 1 && listed[0].1 == "comes back", "{listed:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_without_a_readable_record_is_listed_as_unreadable() {
    let (folder, archive) = left("unreadable");
    let journal = folder.join("project/a.wad.journal");
    let whole = fs::read(&journal).unwrap();
    fs::remove_file(&archive).unwrap();
    // Its first byte, its version, its first record.
    for at in [0, 8, 40] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&journal, bytes).unwrap();
        let done = run(&folder, &["recover", "project", "--json"], "", Some(&folder));
        let value: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(value["journals"][0]["fate"], "unreadable", "{at}: {value}");
        assert!(value["journals"][0]["error"].is_string() && value["not_read"].as_array().unwrap().is_empty());
    }
    fs::write(folder.join("project/notes.journal"), b"dear diary").unwrap();
    fs::write(folder.join("project/b.wad.journal.lock"), b"process 1").unwrap();
    let done = run(&folder, &["recover", "project", "--json"], "", Some(&folder));
    let value: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(value["journals"].as_array().unwrap().len(), 1, "{value}");
    fs::remove_dir_all(folder).unwrap();
}
