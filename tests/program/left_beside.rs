//! A journal that was left beside the old name of an archive: whatever takes that name, the work is shown by the archive.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::hold::{desk, open, poses, reports, run, work};

/// A folder with an archive that has unsaved work, under a new name.
fn renamed(name: &str) -> (PathBuf, PathBuf, PathBuf) {
    let (folder, archive) = desk(name);
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    let moved = folder.join("project/b.wad");
    fs::rename(&archive, &moved).unwrap();
    (folder, archive, moved)
}

fn is_refused(folder: &Path, path: &Path) -> bool {
    let done = run(folder, &["wad", "repack", path.to_str().unwrap()], "", Some(folder));
    !done.status.success() && reports(&done).contains("ended without saving it")
}

#[test]
fn another_archive_at_the_old_name_does_not_hide_the_work() {
    for opens_other_first in [true, false] {
        let (folder, archive, moved) = renamed("left-swapped");
        let project = folder.join("project");
        let other = run(&project, &["edit", "b.wad", "--script", "-"], "save-pose other; save a.wad", None);
        assert!(other.status.success(), "{}", reports(&other));
        if opens_other_first {
            assert_eq!(poses(&mut open(&archive, &folder)), "poses = other");
        }
        assert!(is_refused(&folder, &moved));
        let mut program = open(&moved, &folder);
        assert_eq!(poses(&mut program), "poses = one");
        program.send("save");
        program.finish();
        // What was saved doesn't come back.
        assert_eq!(poses(&mut open(&archive, &folder)), "poses = other");
        assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn work_that_was_set_aside_is_shown_by_its_archive_when_that_is_back() {
    let (folder, archive, moved) = renamed("left-back");
    let project = folder.join("project");
    let other = run(&project, &["edit", "b.wad", "--script", "-"], "save-pose other; save a.wad", None);
    assert!(other.status.success(), "{}", reports(&other));
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = other");
    fs::rename(&moved, &archive).unwrap();
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    program.send("undo");
    program.send("save");
    program.finish();
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = ", "it is handed out once");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_renamed_archive_that_is_read_only_shows_the_work() {
    for is_folder in [false, true] {
        let (folder, _, moved) = renamed("left-read-only");
        let closed = if is_folder { folder.join("project") } else { moved.clone() };
        let open_mode = fs::metadata(&closed).unwrap().permissions().mode();
        fs::set_permissions(&closed, Permissions::from_mode(if is_folder { 0o555 } else { 0o444 })).unwrap();
        for _ in 0..2 {
            assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
        }
        fs::set_permissions(&closed, Permissions::from_mode(open_mode)).unwrap();
        assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_link_at_the_old_name_does_not_hide_the_work() {
    for target in ["b.wad", "../b.wad"] {
        let (folder, archive, moved) = renamed("left-link");
        let place = folder.join("project").join(target);
        if place != moved {
            fs::rename(&moved, &place).unwrap();
        }
        symlink(target, &archive).unwrap();
        assert!(is_refused(&folder, &archive));
        assert_eq!(poses(&mut open(&archive, &folder)), "poses = one");
        assert_eq!(poses(&mut open(&place, &folder)), "poses = one");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn an_editor_whose_first_step_follows_a_rename_holds_the_file() {
    let (folder, archive) = desk("left-first-step");
    let copy = folder.join("copy.wad");
    fs::copy(&archive, &copy).unwrap();
    let mut first = open(&archive, &folder);
    assert_eq!(poses(&mut first), "poses = ");
    let moved = folder.join("project/b.wad");
    fs::rename(&archive, &moved).unwrap();
    work(&mut first, "one");
    let mut second = open(&moved, &folder);
    work(&mut second, "two");
    second.send("save");
    let failure = second.fail();
    assert!(failure.contains("under another name"), "{failure}");
    first.kill();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
    assert_eq!(poses(&mut open(&copy, &folder)), "poses = ");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_editor_holds_a_file_from_the_moment_it_is_renamed() {
    let (folder, archive) = desk("left-at-once");
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    let moved = folder.join("project/b.wad");
    fs::rename(&archive, &moved).unwrap();
    let mut second = open(&moved, &folder);
    work(&mut second, "two");
    second.send("save");
    let failure = second.fail();
    assert!(failure.contains("under another name"), "{failure}");
    work(&mut first, "three");
    first.kill();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one three");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_large_file_that_is_only_named_like_a_journal_is_not_read() {
    let (folder, archive, moved) = renamed("left-large");
    let foreign = File::create(folder.join("project/system.journal")).unwrap();
    // More than the address space of a machine that would read it: the file is sparse.
    foreign.set_len(1 << 40).unwrap();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
    assert!(!archive.exists());
    fs::remove_dir_all(folder).unwrap();
}
