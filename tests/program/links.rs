//! Links that came beside an archive, by a version control system or a shared folder: no file of Keypose goes through them.
//! Permissions are kept.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::process::Program;
use crate::sample;

fn desk(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(&format!("links-{name}"));
    fs::create_dir_all(folder.join("project")).unwrap();
    let archive = folder.join("project/a.wad");
    fs::write(&archive, sample::encode(&sample::small())).unwrap();
    (folder, archive)
}

#[test]
fn links_beside_an_archive_are_not_followed() {
    for planted in [".a.wad.saving", ".a.wad.keeping", "a.wad.1", "a.wad.2"] {
        for target in ["../victim", "../nothing"] {
            let (folder, archive) = desk("planted");
            fs::write(folder.join("victim"), "precious").unwrap();
            symlink(target, folder.join("project").join(planted)).unwrap();
            let mut program = Program::start(Some(archive.as_os_str()), &folder);
            program.send("save-pose p1; save; save-pose p2; show poses");
            assert_eq!(program.read(), "poses = p1 p2", "{planted}");
            program.kill();
            let mut program = Program::start(Some(archive.as_os_str()), &folder);
            program.send("show poses");
            assert_eq!(program.read(), "poses = p1 p2", "{planted}: recovered");
            program.send("save");
            program.finish();
            assert_eq!(fs::read(folder.join("victim")).unwrap(), b"precious", "{planted}");
            assert!(!folder.join("nothing").exists(), "{planted}");
            assert!(fs::symlink_metadata(&archive).unwrap().is_file(), "{planted}");
            let poses = keypose::wad::decode(&fs::read(&archive).unwrap()).unwrap().project.models[0].poses.len();
            assert_eq!(poses, 2, "{planted}");
        }
    }
}

#[test]
fn a_save_keeps_owner_and_group_or_gives_the_group_no_more_than_others() {
    let (folder, archive) = desk("owner");
    if chown(&archive, Some(65_534), Some(100)).is_err() {
        eprintln!("skipped: only the administrator gives files to others");
        return;
    }
    fs::set_permissions(&archive, fs::Permissions::from_mode(0o640)).unwrap();
    let mut program = Program::start(Some(archive.as_os_str()), &folder);
    program.send("save-pose one; save");
    program.finish();
    for file in ["a.wad", "a.wad.1"] {
        let about = fs::metadata(archive.with_file_name(file)).unwrap();
        assert_eq!((about.uid(), about.gid(), about.mode() & 0o7777), (65_534, 100, 0o640), "{file}");
    }
}

#[test]
fn permissions_are_kept() {
    for mode in [0o600, 0o640, 0o664] {
        let (folder, archive) = desk("modes");
        fs::set_permissions(&archive, fs::Permissions::from_mode(mode)).unwrap();
        let mut program = Program::start(Some(archive.as_os_str()), &folder);
        program.send("save-pose p1; save; save-pose p2; show poses");
        assert_eq!(program.read(), "poses = p1 p2");
        program.kill();
        let mode_of = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        for name in ["a.wad", "a.wad.1"] {
            assert_eq!(mode_of(&folder.join("project").join(name)), mode, "{name}");
        }
        let work = fs::read_dir(folder.join("keypose/work")).unwrap().next().unwrap().unwrap().path();
        for name in ["steps", "about", "lock"] {
            assert_eq!(mode_of(&work.join(name)), 0o600, "{name}");
        }
    }
}
