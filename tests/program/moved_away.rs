//! Unsaved work whose archive went to another folder without its journal, or can't be read any more.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::hold::{desk, open, poses, poses_in, reports, run, work};

/// A folder with an archive that has unsaved work, and another folder.
fn left(name: &str) -> (PathBuf, PathBuf, PathBuf) {
    let (folder, archive) = desk(name);
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    fs::create_dir(folder.join("other")).unwrap();
    let moved = folder.join("other/a.wad");
    (folder, archive, moved)
}

/// Edits and saves, and returns the messages.
fn save(folder: &Path, archive: &str, pose: &str) -> String {
    let script = format!("save-pose {pose}; save");
    let done = run(folder, &["edit", archive, "--script", "-", "--journal"], &script, Some(folder));
    assert!(done.status.success(), "{}", reports(&done));
    reports(&done)
}

/// The fates of the journals that are listed.
fn fates(folder: &Path, path: &str) -> Vec<String> {
    let done = run(folder, &["recover", path, "--json"], "", Some(folder));
    let value: Value = serde_json::from_slice(&done.stdout).unwrap();
    value["journals"].as_array().unwrap().iter().map(|one| one["fate"].as_str().unwrap().to_owned()).collect()
}

fn entries_of_register(folder: &Path) -> usize {
    let names = fs::read_dir(folder.join("keypose")).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".beside")).count()
}

#[test]
fn an_archive_shows_the_work_that_was_left_in_another_folder() {
    let (folder, archive, moved) = left("away-shown");
    fs::copy(&archive, folder.join("other/copy.wad")).unwrap();
    assert_eq!(poses(&mut open(&folder.join("other/copy.wad"), &folder)), "poses = ");
    fs::rename(&archive, &moved).unwrap();
    let refused = run(&folder, &["wad", "repack", "other/a.wad"], "", Some(&folder));
    assert!(reports(&refused).contains("ended without saving it"), "{}", reports(&refused));
    let mut program = open(&moved, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    program.send("save");
    program.finish();
    assert_eq!(poses_in(&moved), ["one"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_link_at_the_old_path_does_not_hide_the_work_from_the_new_one() {
    let (folder, archive, moved) = left("away-linked");
    fs::rename(&archive, &moved).unwrap();
    symlink(&moved, &archive).unwrap();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn saves_in_another_folder_keep_the_start_of_a_journal() {
    let (folder, archive, moved) = left("away-kept");
    let start = fs::read(&archive).unwrap();
    fs::rename(&archive, &moved).unwrap();
    for pose in ["p1", "p2", "p3", "p4", "p5"] {
        save(&folder, "other/a.wad", pose);
    }
    let kept = folder.join("other/a.wad.1");
    assert_eq!(fs::read(&kept).unwrap(), start);
    assert_eq!(fates(&folder, "other"), ["base not found"], "it is listed for every folder");
    let over = ["recover", "project/a.wad.journal", "--over", "other/a.wad.1", "-o", "new.wad"];
    let done = run(&folder, &over, "", Some(&folder));
    assert!(done.status.success(), "{}", reports(&done));
    assert_eq!(poses_in(&folder.join("new.wad")), ["one"]);
    fs::remove_file(folder.join("project/a.wad.journal")).unwrap();
    for pose in ["p6", "p7", "p8", "p9"] {
        save(&folder, "other/a.wad", pose);
    }
    assert_ne!(fs::read(&kept).unwrap(), start);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_register_has_only_journals_that_are_there() {
    let (folder, archive, _) = left("away-register");
    assert_eq!(entries_of_register(&folder), 1);
    save(&folder, "project/a.wad", "two");
    assert_eq!(entries_of_register(&folder), 0, "its journal was deleted");
    let mut program = open(&archive, &folder);
    work(&mut program, "three");
    program.kill();
    fs::remove_file(folder.join("project/a.wad.journal")).unwrap();
    fs::copy(&archive, folder.join("other/b.wad")).unwrap();
    let mut program = open(&folder.join("other/b.wad"), &folder);
    work(&mut program, "four");
    program.kill();
    assert_eq!(entries_of_register(&folder), 1, "the other one was deleted by the user");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_archive_does_not_count_as_one_with_the_work() {
    let (folder, archive) = desk("away-damaged");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.send("save; show dirty");
    assert_eq!(program.read(), "dirty = no");
    program.kill();
    assert_eq!(fates(&folder, "project"), ["saved"]);
    let mut bytes = fs::read(&archive).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&archive, bytes).unwrap();
    assert_eq!(fates(&folder, "project"), ["kept"]);
    let write = ["recover", "project/a.wad.journal", "-o", "new.wad"];
    let done = run(&folder, &write, "", Some(&folder));
    assert!(done.status.success(), "{}", reports(&done));
    assert_eq!(poses_in(&folder.join("new.wad")), ["one"]);
    fs::remove_file(folder.join("project/a.wad.1")).unwrap();
    assert_eq!(fates(&folder, "project"), ["base damaged"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_state_folder_that_cannot_be_listed_is_reported_and_keeps_what_was_there() {
    let (folder, archive) = desk("away-unlisted");
    fs::write(folder.join("keypose"), b"a file").unwrap();
    let start = fs::read(&archive).unwrap();
    for number in 0..8 {
        let messages = save(&folder, "project/a.wad", &format!("p{number}"));
        assert!(messages.contains("saving keeps more than three older versions"), "{messages}");
    }
    assert_eq!(fs::read(folder.join("project/a.wad.1")).unwrap(), start, "it was there before");
    let versions = (1..20).filter(|number| folder.join(format!("project/a.wad.{number}")).exists()).count();
    assert_eq!(versions, 4, "those that were made later are replaced");
    fs::remove_dir_all(folder).unwrap();
}
