//! Unsaved work whose archive went to another folder without its journal, or can't be read any more.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

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

fn version(archive: &Path, number: u32) -> PathBuf {
    archive.with_file_name(format!("a.wad.{number}"))
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
    let reason = reports(&refused);
    assert!(
        reason.contains("project/a.wad, which is no longer there") && reason.contains("other/a.wad in Keypose once"),
        "{reason}"
    );
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
    assert_eq!(fates(&folder, "other"), ["starts elsewhere"], "it is listed for every folder");
    assert_eq!(fates(&folder, "project"), ["base not found"]);
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
    assert_eq!(entries_of_register(&folder), 2, "the folder of the first one may come back");
    let long_ago = SystemTime::now() - Duration::from_secs(100 * 24 * 60 * 60);
    for entry in fs::read_dir(folder.join("keypose")).unwrap().map(|entry| entry.unwrap().path()) {
        fs::File::open(entry).unwrap().set_modified(long_ago).unwrap();
    }
    fs::copy(&archive, folder.join("other/c.wad")).unwrap();
    let mut program = open(&folder.join("other/c.wad"), &folder);
    work(&mut program, "five");
    program.kill();
    assert_eq!(entries_of_register(&folder), 2, "the first one is gone for long");
    // There is room for 256: as many more of journals that are gone make room for one that is there.
    let text = |number: u32| {
        let path = folder.join(format!("gone/{number}.wad.journal")).display().to_string();
        format!("{path}\n{:016x}\n", xxhash_rust::xxh3::xxh3_64(path.as_bytes()))
    };
    for number in 0..300 {
        fs::write(folder.join(format!("keypose/{number:016x}.beside")), text(number)).unwrap();
    }
    fs::copy(&archive, folder.join("other/d.wad")).unwrap();
    let mut program = open(&folder.join("other/d.wad"), &folder);
    work(&mut program, "six");
    program.kill();
    assert_eq!(entries_of_register(&folder), 256);
    assert_eq!(fates(&folder, "project").len(), 3, "those that are there stay");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_journal_that_cannot_be_looked_up_keeps_its_start() {
    let (folder, archive, moved) = left("away-looped");
    let start = fs::read(&archive).unwrap();
    fs::rename(&archive, &moved).unwrap();
    fs::rename(folder.join("project"), folder.join("hidden")).unwrap();
    // A link to itself is another error than that nothing is there.
    symlink("project", folder.join("project")).unwrap();
    for pose in ["p1", "p2", "p3", "p4", "p5"] {
        save(&folder, "other/a.wad", pose);
    }
    assert_eq!(fates(&folder, "other"), ["unreadable"]);
    let is_start =
        |number: u32| fs::read(folder.join(format!("other/a.wad.{number}"))).is_ok_and(|bytes| bytes == start);
    assert!((1..8).any(is_start));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_was_moved_while_it_is_open_is_held() {
    let (folder, archive, moved) = left("away-open");
    let mut first = open(&archive, &folder);
    assert_eq!(poses(&mut first), "poses = one");
    fs::rename(&archive, &moved).unwrap();
    let mut second = open(&moved, &folder);
    assert_eq!(poses(&mut second), "poses = ");
    let messages = second.finish();
    assert!(messages.contains("under another name), so it is read-only here"), "{messages}");
    first.kill();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn another_file_at_the_old_path_does_not_hide_the_work() {
    for is_archive in [true, false] {
        let (folder, archive, moved) = left("away-other");
        fs::rename(&archive, &moved).unwrap();
        let script = if is_archive { "save-pose x; save project/a.wad" } else { "show poses" };
        fs::copy(&moved, folder.join("b.wad")).unwrap();
        let done = run(&folder, &["edit", "b.wad", "--script", "-"], script, None);
        assert!(done.status.success(), "{}", reports(&done));
        if !is_archive {
            fs::write(&archive, b"").unwrap();
        }
        assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
        fs::remove_dir_all(folder).unwrap();
    }
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
fn a_whole_copy_is_kept_while_the_archive_beside_the_journal_is_damaged() {
    let (folder, archive, _) = left("away-copy");
    let start = fs::read(&archive).unwrap();
    fs::write(folder.join("other/b.wad"), &start).unwrap();
    let mut bytes = start.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&archive, bytes).unwrap();
    for pose in ["p1", "p2", "p3", "p4", "p5"] {
        save(&folder, "other/b.wad", pose);
    }
    let is_start =
        |number: u32| fs::read(folder.join(format!("other/b.wad.{number}"))).is_ok_and(|bytes| bytes == start);
    assert!((1..8).any(is_start));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_entry_is_renewed_while_its_journal_is_there() {
    let (folder, archive, moved) = left("away-renewed");
    let long_ago = SystemTime::now() - Duration::from_secs(100 * 24 * 60 * 60);
    for entry in fs::read_dir(folder.join("keypose")).unwrap().map(|entry| entry.unwrap().path()) {
        fs::File::open(entry).unwrap().set_modified(long_ago).unwrap();
    }
    let mut program = open(&archive, &folder);
    work(&mut program, "two");
    program.kill();
    fs::rename(folder.join("project"), folder.join("away")).unwrap();
    fs::write(folder.join("other/x.wad"), crate::sample::encode(&crate::sample::small())).unwrap();
    let mut program = open(&folder.join("other/x.wad"), &folder);
    work(&mut program, "x");
    program.kill();
    fs::rename(folder.join("away"), folder.join("project")).unwrap();
    fs::rename(&archive, &moved).unwrap();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_was_set_aside_without_an_entry_gets_one() {
    let (folder, archive, moved) = left("away-aside");
    fs::rename(folder.join("project/a.wad.journal"), folder.join("project/a.wad.journal.orphan")).unwrap();
    fs::remove_dir_all(folder.join("keypose")).unwrap();
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    program.kill();
    assert_eq!(entries_of_register(&folder), 2, "it has a copy of the work beside it");
    fs::remove_file(folder.join("project/a.wad.journal")).unwrap();
    fs::rename(&archive, &moved).unwrap();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_state_folder_that_cannot_be_listed_is_reported_and_keeps_all_versions() {
    let (folder, archive) = desk("away-unlisted");
    fs::write(folder.join("keypose"), b"a file").unwrap();
    for number in 0..8 {
        let messages = save(&folder, "project/a.wad", &format!("p{number}"));
        assert!(messages.contains("saving keeps up to 50 older versions"), "{messages}");
    }
    let versions = |file: &Path| (1..99).filter(|number| version(file, *number).exists()).count();
    assert_eq!(versions(&archive), 8);
    // Beyond the bound, three are kept as ever.
    for number in 9..=50 {
        fs::copy(&archive, version(&archive, number)).unwrap();
    }
    for number in 0..6 {
        save(&folder, "project/a.wad", &format!("q{number}"));
    }
    assert_eq!(versions(&archive), 53);
    fs::remove_dir_all(folder).unwrap();
}
