//! An archive that was renamed or moved while its journal was in the folder for application state: what was acknowledged is found at
//! the new path, and stays where it is while the archive is only copied.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::hold::{desk, journals, open, poses, reports, run, work};
use crate::process::Program;

fn notes_of(folder: &Path) -> usize {
    let names = fs::read_dir(folder.join("keypose")).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().ends_with(".archive")).count()
}

/// The note of the only journal that has one.
fn note_in(folder: &Path) -> PathBuf {
    let mut names = fs::read_dir(folder.join("keypose")).unwrap().map(|entry| entry.unwrap().path());
    names.find(|path| path.extension().is_some_and(|ending| ending == "archive")).unwrap()
}

/// Gives the archive a name that is too long for a journal beside it, which is in the state folder then. Returns its path and that of a copy.
fn with_long_name(folder: &Path, archive: &Path) -> [PathBuf; 2] {
    let long = folder.join("project").join(format!("{}.wad", "n".repeat(245)));
    fs::rename(archive, &long).unwrap();
    let before = folder.join("before.wad");
    fs::copy(&long, &before).unwrap();
    [long, before]
}

fn set(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn work_on_a_folder_that_is_renamed_meanwhile_is_found_at_its_new_path() {
    let (folder, archive) = desk("moved-open");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    fs::rename(folder.join("project"), folder.join("new")).unwrap();
    // The journal that moved along has the first step only.
    work(&mut program, "two");
    program.kill();
    assert_eq!(notes_of(&folder), 1);
    let moved = folder.join("new/a.wad");
    let refused = run(&folder, &["wad", "repack", "new/a.wad"], "", Some(&folder));
    assert!(
        !refused.status.success() && reports(&refused).contains("ended without saving it"),
        "{}",
        reports(&refused)
    );
    let mut program = open(&moved, &folder);
    assert_eq!(poses(&mut program), "poses = one two");
    program.send("save");
    program.finish();
    assert_eq!((journals(&folder).len(), notes_of(&folder)), (0, 0));
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn work_on_a_read_only_archive_moves_with_the_archive_but_not_with_a_copy() {
    let (folder, archive) = desk("moved-read-only");
    set(&archive, 0o444);
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    fs::create_dir(folder.join("other")).unwrap();
    let (copy, moved) = (folder.join("other/copy.wad"), folder.join("other/b.wad"));
    fs::copy(&archive, &copy).unwrap();
    set(&copy, 0o644);
    assert_eq!(poses(&mut open(&copy, &folder)), "poses = ");
    // Still read-only there, the work moves from one name in the state folder to another one.
    fs::rename(&archive, &moved).unwrap();
    let mut program = open(&moved, &folder);
    work(&mut program, "two");
    program.kill();
    assert_eq!(notes_of(&folder), 1);
    // Then it is moved back, and can be written.
    fs::rename(&moved, &archive).unwrap();
    set(&archive, 0o644);
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one two");
    program.kill();
    assert_eq!((journals(&folder), notes_of(&folder)), (vec![folder.join("project/a.wad.journal")], 0));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn copies_that_move_together_keep_their_own_work() {
    // One folder, or a folder for each.
    for [one, two] in [["one.wad", "two.wad"], ["1/a.wad", "2/a.wad"]] {
        // A copy without work is opened first and takes none.
        for with_plain_copy in [false, true] {
            let (folder, archive) = desk("moved-copies");
            let all = folder.join("all");
            let [old_one, old_two, plain] = [one, two, "1/plain.wad"].map(|name| all.join(name));
            for path in [&old_one, &old_two, &plain] {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::copy(&archive, path).unwrap();
                set(path, 0o444);
            }
            for (path, name) in [(&old_one, "one"), (&old_two, "two")] {
                let mut program = open(path, &folder);
                work(&mut program, name);
                program.kill();
            }
            let new = folder.join("new");
            fs::rename(&all, &new).unwrap();
            if with_plain_copy {
                assert_eq!(poses(&mut open(&new.join("1/plain.wad"), &folder)), "poses = ");
            }
            for (name, work) in [(two, "two"), (one, "one"), (two, "two")] {
                assert_eq!(poses(&mut open(&new.join(name), &folder)), format!("poses = {work}"));
            }
            fs::remove_dir_all(folder).unwrap();
        }
    }
}

/// A copy, such as a release, lies above the archive and has the same name.
#[test]
fn a_copy_above_a_moved_archive_does_not_hide_its_work() {
    for is_open in [false, true] {
        let (folder, archive) = desk("moved-below");
        let all = folder.join("all");
        let [above, below] = ["a.wad", "d/a.wad"].map(|name| all.join(name));
        fs::create_dir_all(below.parent().unwrap()).unwrap();
        for path in [&above, &below] {
            fs::copy(&archive, path).unwrap();
        }
        if !is_open {
            set(&below, 0o444);
        }
        let new = folder.join("new");
        let mut program = open(&below, &folder);
        work(&mut program, "one");
        if is_open {
            fs::rename(&all, &new).unwrap();
        }
        work(&mut program, "two");
        program.kill();
        if !is_open {
            fs::rename(&all, &new).unwrap();
        }
        assert_eq!(poses(&mut open(&new.join("a.wad"), &folder)), "poses = ");
        assert_eq!(poses(&mut open(&new.join("d/a.wad"), &folder)), "poses = one two");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_copy_that_stayed_does_not_take_the_work_of_a_moved_archive() {
    // The same name above the folder that is renamed, or another one; the folder or the file goes to another one as well.
    for [copy, new] in [
        ["a.wad", "e/a.wad"],
        ["b.wad", "e/a.wad"],
        ["a.wad", "x/e/a.wad"],
        ["a.wad", "x/y/z/c.wad"],
        ["e/b.wad", "e/a.wad"],
    ] {
        let (folder, archive) = desk("moved-beside");
        let [copy, old, new] = [copy, "d/a.wad", new].map(|name| folder.join("all").join(name));
        fs::create_dir_all(old.parent().unwrap()).unwrap();
        for path in [&copy, &old] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::copy(&archive, path).unwrap();
        }
        let mut program = open(&old, &folder);
        work(&mut program, "one");
        fs::create_dir_all(new.parent().unwrap()).unwrap();
        fs::rename(&old, &new).unwrap();
        work(&mut program, "two");
        program.kill();
        assert_eq!(poses(&mut open(&copy, &folder)), "poses = ");
        assert_eq!(poses(&mut open(&new, &folder)), "poses = one two");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn an_archive_that_is_renamed_while_it_is_open_is_not_replaced() {
    let (folder, archive) = desk("moved-open-file");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    let renamed = folder.join("project/b.wad");
    fs::rename(&archive, &renamed).unwrap();
    work(&mut program, "two");
    let refused_by = |reason: &str| {
        let refused = run(&folder, &["wad", "repack", "project/b.wad"], "", Some(&folder));
        assert!(!refused.status.success() && reports(&refused).contains(reason), "{}", reports(&refused));
    };
    refused_by("opened it under another name");
    program.kill();
    refused_by("ended without saving it");
    assert_eq!(poses(&mut open(&renamed, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_editor_that_still_has_the_moved_archive_keeps_its_work() {
    let (folder, archive) = desk("moved-held");
    let mut first = open(&archive, &folder);
    work(&mut first, "one");
    fs::rename(folder.join("project"), folder.join("new")).unwrap();
    work(&mut first, "two");
    let moved = folder.join("new/a.wad");
    let mut second = open(&moved, &folder);
    work(&mut second, "three");
    second.send("save");
    let failure = second.fail();
    assert!(failure.contains("open in another Keypose"), "{failure}");
    work(&mut first, "four");
    first.kill();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one two four");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_second_editor_under_the_new_name_does_not_save_over_the_work() {
    for is_read_only in [false, true] {
        let (folder, archive) = desk("moved-both");
        if is_read_only {
            set(&archive, 0o444);
        }
        let mut first = open(&archive, &folder);
        work(&mut first, "one");
        let moved = folder.join("project/b.wad");
        fs::rename(&archive, &moved).unwrap();
        work(&mut first, "two");
        let mut second = open(&moved, &folder);
        work(&mut second, "three");
        second.send("save");
        let failure = second.fail();
        assert!(failure.contains("under another name"), "{failure}");
        work(&mut first, "four");
        first.kill();
        assert_eq!(poses(&mut open(&moved, &folder)), "poses = one two four");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn another_archive_at_the_old_path_does_not_get_the_work() {
    for opens_wrong_one_first in [true, false] {
        let (folder, archive) = desk("moved-swapped");
        let project = folder.join("project");
        let other = project.join("c.wad");
        assert!(
            run(&project, &["edit", "a.wad", "--script", "-"], "save-pose other; save c.wad", None).status.success()
        );
        set(&archive, 0o444);
        let mut program = open(&archive, &folder);
        work(&mut program, "one");
        program.kill();
        let moved = project.join("b.wad");
        fs::rename(&archive, &moved).unwrap();
        fs::rename(&other, &archive).unwrap();
        set(&archive, 0o444);
        if opens_wrong_one_first {
            let mut program = open(&archive, &folder);
            assert_eq!(poses(&mut program), "poses = other");
            work(&mut program, "two");
            program.kill();
        }
        assert_eq!(poses(&mut open(&moved, &folder)), "poses = one");
        let two = if opens_wrong_one_first { " two" } else { "" };
        assert_eq!(poses(&mut open(&archive, &folder)), format!("poses = other{two}"));
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn work_after_a_save_belongs_to_the_archive_that_was_saved() {
    let (folder, archive) = desk("moved-saved");
    let [long, before] = with_long_name(&folder, &archive);
    let mut program = open(&long, &folder);
    work(&mut program, "one");
    program.send("save");
    work(&mut program, "two");
    program.kill();
    assert_eq!(poses(&mut open(&before, &folder)), "poses = ", "an older version");
    let moved = folder.join("project/b.wad");
    fs::rename(&long, &moved).unwrap();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn windows_of_a_moved_archive_come_back_in_their_order() {
    let (folder, archive) = desk("moved-windows");
    set(&archive, 0o444);
    let mut programs: Vec<Program> = ["first", "second", "third"]
        .map(|pose| {
            let mut program = open(&archive, &folder);
            work(&mut program, pose);
            program
        })
        .into();
    programs.drain(..).for_each(|program| drop(program.kill()));
    let moved = folder.join("project/b.wad");
    fs::rename(&archive, &moved).unwrap();
    set(&moved, 0o644);
    let mut shown = Vec::new();
    for _ in 0..3 {
        let mut program = open(&moved, &folder);
        shown.push(poses(&mut program));
        programs.push(program);
    }
    assert_eq!(shown[0], "poses = first");
    let mut others = shown[1..].to_vec();
    others.sort();
    assert_eq!(others, ["poses = second", "poses = third"]);
    programs.drain(..).for_each(|program| drop(program.kill()));
    assert_eq!(notes_of(&folder), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_second_editors_work_does_not_go_to_an_older_version() {
    let (folder, archive) = desk("moved-second");
    let before = folder.join("before.wad");
    fs::copy(&archive, &before).unwrap();
    let mut first = open(&archive, &folder);
    work(&mut first, "first");
    let mut second = open(&archive, &folder);
    work(&mut second, "second");
    first.send("save");
    first.finish();
    second.kill();
    assert_eq!(poses(&mut open(&before, &folder)), "poses = ");
    let mut first = open(&archive, &folder);
    assert_eq!(poses(&mut first), "poses = first");
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = second");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_note_leads_nowhere() {
    let (folder, archive) = desk("moved-damaged");
    set(&archive, 0o444);
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    let copy = folder.join("copy.wad");
    fs::copy(&archive, &copy).unwrap();
    let note = note_in(&folder);
    let text = fs::read_to_string(&note).unwrap();
    for damaged in [text.replace("a.wad", "a.wa"), text[..text.len() - 2].to_owned(), String::new()] {
        fs::write(&note, damaged).unwrap();
        assert_eq!(poses(&mut open(&copy, &folder)), "poses = ");
    }
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_while_the_note_can_not_be_renewed_moves_no_work() {
    let (folder, archive) = desk("moved-stale");
    let [long, before] = with_long_name(&folder, &archive);
    let mut program = open(&long, &folder);
    work(&mut program, "one");
    let old = fs::read(note_in(&folder)).unwrap();
    program.send("save");
    work(&mut program, "two");
    program.kill();
    // As if the disk had been full.
    fs::write(note_in(&folder), old).unwrap();
    assert_eq!(poses(&mut open(&before, &folder)), "poses = ");
    assert_eq!(poses(&mut open(&long, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_killed_rewriting_left_does_not_go_to_another_archive() {
    for ending in [".rewritten", ".unread", ".next"] {
        let (folder, archive) = desk("moved-rewritten");
        let project = folder.join("project");
        assert!(
            run(&project, &["edit", "a.wad", "--script", "-"], "save-pose other; save c.wad", None).status.success()
        );
        set(&archive, 0o444);
        let mut program = open(&archive, &folder);
        work(&mut program, "one");
        program.kill();
        let journal = journals(&folder).remove(0);
        fs::copy(&journal, journal.with_extension(format!("journal{ending}"))).unwrap();
        if ending == ".unread" {
            fs::remove_file(&journal).unwrap();
        }
        let moved = project.join("b.wad");
        fs::rename(&archive, &moved).unwrap();
        fs::rename(project.join("c.wad"), &archive).unwrap();
        assert_eq!(poses(&mut open(&archive, &folder)), "poses = other", "{ending}");
        assert_eq!(poses(&mut open(&moved, &folder)), "poses = one", "{ending}");
        fs::remove_dir_all(folder).unwrap();
    }
}

/// Changes the archive after work on it was left in the state folder.
type Change = fn(&Path);

/// The archive is `d/a.wad`, with the work "one", read-only.
fn with_work(test: &str) -> (PathBuf, PathBuf) {
    let (folder, archive) = desk(test);
    let all = folder.join("all");
    fs::create_dir_all(all.join("d")).unwrap();
    let old = all.join("d/a.wad");
    fs::rename(archive, &old).unwrap();
    set(&old, 0o444);
    let mut program = open(&old, &folder);
    work(&mut program, "one");
    program.kill();
    (folder, all)
}

fn rename(all: &Path, from: &str, to: &str) {
    fs::rename(all.join(from), all.join(to)).unwrap();
}

fn link(all: &Path, target: &str, name: &str) {
    std::os::unix::fs::symlink(target, all.join(name)).unwrap();
}

#[test]
fn what_is_at_the_old_path_by_then_does_not_hide_the_work() {
    let changes: [(Change, &str); 6] = [
        (
            |all| {
                rename(all, "d", "big");
                link(all, "big", "d");
            },
            "big/a.wad",
        ),
        (
            |all| {
                fs::create_dir(all.join("big")).unwrap();
                rename(all, "d/a.wad", "big/a.wad");
                link(all, "../big/a.wad", "d/a.wad");
            },
            "big/a.wad",
        ),
        (
            |all| {
                rename(all, "d/a.wad", "b.wad");
                fs::create_dir(all.join("d/a.wad")).unwrap();
                rename(all, "b.wad", "d/a.wad/a.wad");
            },
            "d/a.wad/a.wad",
        ),
        (
            |all| {
                rename(all, "d/a.wad", "b.wad");
                link(all, "a.wad", "d/a.wad");
            },
            "b.wad",
        ),
        // Moved by a copy.
        (
            |all| {
                fs::copy(all.join("d/a.wad"), all.join("d/b.wad")).unwrap();
                fs::remove_file(all.join("d/a.wad")).unwrap();
            },
            "d/b.wad",
        ),
        // The same file under another name.
        (|all| fs::hard_link(all.join("d/a.wad"), all.join("b.wad")).unwrap(), "b.wad"),
    ];
    for (change, new) in changes {
        let (folder, all) = with_work("moved-replaced");
        change(&all);
        let new = all.join(new);
        let refused = run(&folder, &["wad", "repack", new.to_str().unwrap()], "", Some(&folder));
        assert!(!refused.status.success(), "{}", reports(&refused));
        assert_eq!(poses(&mut open(&new, &folder)), "poses = one", "{}", new.display());
        fs::remove_dir_all(folder).unwrap();
    }
}

/// The note says another disk, as after the archives moved to one. Of the copies, nothing says which one is the archive.
#[test]
fn each_archive_that_may_be_the_moved_one_shows_the_work_once() {
    let (folder, all) = with_work("moved-apart");
    for name in ["x.wad", "y.wad"] {
        fs::copy(all.join("d/a.wad"), all.join(name)).unwrap();
        set(&all.join(name), 0o644);
    }
    let note = note_in(&folder);
    let text = fs::read_to_string(&note).unwrap();
    let (states, path) = text.split_once('\n').unwrap();
    let lines = format!("{}\n{}\n", states.replacen(':', ":f", 1), path.split('\n').next().unwrap());
    fs::write(&note, format!("{lines}{:016x}\n", xxhash_rust::xxh3::xxh3_64(lines.as_bytes()))).unwrap();
    assert_eq!(poses(&mut open(&all.join("x.wad"), &folder)), "poses = ", "the archive is still there");
    fs::remove_file(all.join("d/a.wad")).unwrap();
    for name in ["x.wad", "y.wad"] {
        let path = all.join(name);
        let refused = run(&folder, &["wad", "repack", path.to_str().unwrap()], "", Some(&folder));
        assert!(!refused.status.success(), "{}", reports(&refused));
        let mut program = open(&path, &folder);
        assert_eq!(poses(&mut program), "poses = one", "{name}");
        program.send("undo");
        program.send("undo");
        program.finish();
    }
    assert_eq!(notes_of(&folder), 1, "it is kept");
    for name in ["x.wad", "y.wad"] {
        assert_eq!(poses(&mut open(&all.join(name), &folder)), "poses = ", "{name}");
        let path = all.join(name);
        let done = run(&folder, &["wad", "repack", path.to_str().unwrap()], "", Some(&folder));
        assert!(done.status.success(), "{}", reports(&done));
    }
    fs::remove_dir_all(folder).unwrap();
}

/// As a file manager does it after a crash: the journal has the old name.
#[test]
fn work_beside_the_old_name_of_an_archive_is_found() {
    let (folder, archive) = desk("moved-alone");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    program.kill();
    let [renamed, copy] = ["b.wad", "c.wad"].map(|name| folder.join("project").join(name));
    fs::copy(&archive, &copy).unwrap();
    assert_eq!(poses(&mut open(&copy, &folder)), "poses = ", "the archive is there");
    fs::rename(&archive, &renamed).unwrap();
    for path in [&renamed, &copy] {
        let refused = run(&folder, &["wad", "repack", path.to_str().unwrap()], "", Some(&folder));
        assert!(!refused.status.success(), "{}", reports(&refused));
        let mut program = open(path, &folder);
        assert_eq!(poses(&mut program), "poses = one", "{}", path.display());
        program.send("undo");
        program.finish();
        assert_eq!(poses(&mut open(path, &folder)), "poses = ", "{}", path.display());
        let done = run(&folder, &["wad", "repack", path.to_str().unwrap()], "", Some(&folder));
        assert!(done.status.success(), "{}", reports(&done));
    }
    // Back under its name, it has its journal. Other work is handed out again.
    fs::copy(&copy, &archive).unwrap();
    let mut program = open(&archive, &folder);
    assert_eq!(poses(&mut program), "poses = one");
    work(&mut program, "two");
    program.kill();
    fs::remove_file(&archive).unwrap();
    assert_eq!(poses(&mut open(&copy, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_archive_that_is_replaced_by_a_link_while_it_is_open_keeps_its_work() {
    let (folder, archive) = desk("moved-link-open");
    let mut program = open(&archive, &folder);
    work(&mut program, "one");
    let moved = folder.join("big.wad");
    fs::rename(&archive, &moved).unwrap();
    link(&folder, "../big.wad", "project/a.wad");
    work(&mut program, "two");
    program.kill();
    assert_eq!(poses(&mut open(&moved, &folder)), "poses = one two");
    assert_eq!(poses(&mut open(&archive, &folder)), "poses = one two");
    fs::remove_dir_all(folder).unwrap();
}
