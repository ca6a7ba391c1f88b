//! Links that came beside an archive, by a version control system or a shared folder: no file of Keypose goes through them.
//! Permissions are kept.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::process::Program;
use crate::sample;

fn desk(name: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("links-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("project")).unwrap();
    let archive = folder.join("project/a.wad");
    fs::write(&archive, sample::encode(&sample::small())).unwrap();
    (folder, archive)
}

#[test]
fn links_beside_an_archive_are_not_followed() {
    for planted in [
        "a.wad.journal.lock",
        "a.wad.journal",
        "a.wad.journal.next",
        "a.wad.journal.rewritten",
        "a.wad.journal.unread",
        ".a.wad.saving",
        ".a.wad.keeping",
        "a.wad.1",
        "a.wad.2",
    ] {
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
            fs::remove_dir_all(folder).unwrap();
        }
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
        for name in ["a.wad", "a.wad.1", "a.wad.journal", "a.wad.journal.lock"] {
            let about = fs::metadata(folder.join("project").join(name)).unwrap();
            assert_eq!(about.mode() & 0o777, mode, "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
