//! Saving. `faults` has every call of the system fail.

use std::fs;

use keypose_app::app::files::save::{GENERATIONS, SaveError, generation, save_atomically};

use crate::folder::Folder;

#[test]
fn three_generations_are_kept() {
    let folder = Folder::new("generations");
    let path = folder.join("a.wad");
    for version in 0..6_u8 {
        save_atomically(&path, &[version; 100]).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), [5; 100]);
    for number in 1..=GENERATIONS {
        assert_eq!(fs::read(generation(&path, number)).unwrap(), [5 - number as u8; 100], "{number}");
    }
    assert_eq!(fs::read_dir(&*folder).unwrap().count(), 4, "nothing else is left behind");
}

#[test]
fn a_link_in_place_of_an_older_version_does_not_stop_them() {
    let folder = Folder::new("older-link");
    let path = folder.join("a.wad");
    fs::write(&path, [0; 10]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.wad", generation(&path, 1)).unwrap();
    for version in 1..4_u8 {
        save_atomically(&path, &[version; 10]).unwrap();
    }
    assert_eq!([1, 2].map(|number| fs::read(generation(&path, number)).unwrap()), [[2; 10], [1; 10]]);
}

/// Temporary files of programs that were killed are deleted, and nothing else.
#[test]
fn a_save_deletes_what_killed_programs_left() {
    let folder = Folder::new("left");
    let path = folder.join("a.wad");
    let left = [".a.wad.saving-12-1", ".a.wad.keeping-12-1"].map(|name| folder.join(name));
    let other = [
        ".a.wad.saving",
        ".a.wad.saving-1",
        ".a.wad.saving-1-0-2",
        ".a.wad.saving-12-x",
        ".a.wad.saving-notes.txt",
        ".a.wad.keeping-me",
        ".b.wad.saving-12-1",
        "a.wad.saving-1-0",
        "a.wad.unsaved",
    ];
    let other = other.map(|name| folder.join(name));
    left.iter().chain(&other).for_each(|file| fs::write(file, b"x").unwrap());
    save_atomically(&path, b"old").unwrap();
    save_atomically(&path, b"new").unwrap();
    assert!(left.iter().all(|file| !file.exists()) && other.iter().all(|file| file.exists()));
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = Folder::new("read-only");
    let path = folder.join("a.wad");
    fs::write(&path, b"old").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let error = save_atomically(&path, b"new").unwrap_err();
    assert!(matches!(error, SaveError::ReadOnly { .. }));
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = Folder::new("link");
    let (file, link) = (folder.join("a.wad"), folder.join("b.wad"));
    save_atomically(&file, b"old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    save_atomically(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"new");
}
