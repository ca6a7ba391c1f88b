//! An archive that was renamed or moved while its journal was in the folder for application state: what was acknowledged is found at
//! the new path, and stays where it is while the archive is only copied.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::hold::{desk, journals, open, poses, reports, run, work};

fn notes_of(folder: &Path) -> usize {
    let names = fs::read_dir(folder.join("keypose")).into_iter().flatten().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_str().unwrap().ends_with(".archive")).count()
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
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
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
